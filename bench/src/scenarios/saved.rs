//! Pastes that the load has saved and will ask for again.

use std::io::Write;
use std::sync::Arc;

use uuid::Uuid;

use super::turn::Turn;
use crate::load::{Answer, Script};
use crate::text::{Kind, Texts};

/// How the body of a 201 begins; the id follows.
const BEFORE_ID: &[u8] = b"{\"id\":\"";

/// Characters of an id.
const ID_CHARS: usize = 14;

/// A paste that was saved. Its text follows from its key.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    key: Uuid,
    pub(crate) id: String,
}

/// Saves a new paste with every request.
#[derive(Debug)]
pub(crate) struct Saving {
    texts: Arc<Texts>,
    kind: Kind,
    left: usize,
    key: Uuid,
    pub(crate) saved: Vec<Saved>,
}

impl Saving {
    /// At most `most` pastes.
    pub(crate) fn new(texts: &Arc<Texts>, kind: Kind, most: usize) -> Self {
        Self {
            texts: Arc::clone(texts),
            kind,
            left: most,
            key: Uuid::nil(),
            saved: Vec::new(),
        }
    }
}

impl Script for Saving {
    fn write(&mut self, request: &mut Vec<u8>) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.key = Uuid::new_v4();
        write_save(&self.texts, self.kind, self.key, request);
        true
    }

    fn accept(&mut self, answer: &Answer<'_>) -> bool {
        let id = id(answer).filter(|_| !answer.replayed);
        let saved = id.map(|id| Saved { key: self.key, id });
        let right = saved.is_some();
        self.saved.extend(saved);
        right
    }
}

/// Sends saves again that were answered before, each with its own key and text.
#[derive(Debug)]
pub(crate) struct Replaying {
    texts: Arc<Texts>,
    kind: Kind,
    saved: Arc<Vec<Saved>>,
    turn: Turn,
    /// The place of the save that was sent last.
    at: usize,
}

impl Replaying {
    pub(crate) fn new(texts: &Arc<Texts>, kind: Kind, saved: &Arc<Vec<Saved>>, turn: Turn) -> Self {
        Self {
            texts: Arc::clone(texts),
            kind,
            saved: Arc::clone(saved),
            turn,
            at: 0,
        }
    }
}

impl Script for Replaying {
    fn write(&mut self, request: &mut Vec<u8>) -> bool {
        let Some(at) = self.turn.next(self.saved.len()) else {
            return false;
        };
        self.at = at;
        write_save(&self.texts, self.kind, self.saved[at].key, request);
        true
    }

    fn accept(&mut self, answer: &Answer<'_>) -> bool {
        let asked = &self.saved[self.at].id;
        answer.replayed && id(answer).as_ref() == Some(asked)
    }
}

fn write_save(texts: &Texts, kind: Kind, key: Uuid, request: &mut Vec<u8>) {
    write!(
        request,
        "POST /api/pastes?syntax={} HTTP/1.1\r\nHost: oncebin\r\nContent-Type: text/plain\r\n\
         Idempotency-Key: {key}\r\nContent-Length: {}\r\n\r\n",
        kind.syntax(),
        texts.bytes(kind)
    )
    .expect("a Vec takes everything");
    texts.write(kind, key.as_u64_pair().1, request);
}

/// The id in a 201.
fn id(answer: &Answer<'_>) -> Option<String> {
    let id = answer.body.strip_prefix(BEFORE_ID)?.get(..ID_CHARS)?;
    let id = std::str::from_utf8(id).ok()?;
    (answer.status == 201).then(|| id.to_owned())
}
