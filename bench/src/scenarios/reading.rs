//! Reading pastes that were saved.

use std::io::Write;
use std::sync::Arc;

use super::saved::Saved;
use super::turn::Turn;
use crate::load::{Answer, Script};

/// How a paste is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// The raw text, which has this many bytes.
    Raw(usize),
    /// The page, as a browser asks for it.
    Page,
}

/// Reads pastes in turn.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) saved: Arc<Vec<Saved>>,
    pub(crate) view: View,
    pub(crate) turn: Turn,
}

impl Script for Reading {
    fn write(&mut self, request: &mut Vec<u8>) -> bool {
        let Some(at) = self.turn.next(self.saved.len()) else {
            return false;
        };
        let id = &self.saved[at].id;
        match self.view {
            View::Raw(_) => write!(
                request,
                "GET /{id}/raw HTTP/1.1\r\nHost: oncebin\r\nAccept: */*\r\n\r\n"
            ),
            View::Page => write_get(&format!("/{id}"), request),
        }
        .expect("a Vec takes everything");
        true
    }

    fn accept(&mut self, answer: &Answer<'_>) -> bool {
        let whole = match self.view {
            View::Raw(bytes) => answer.body.len() == bytes,
            View::Page => !answer.body.is_empty(),
        };
        answer.status == 200 && whole
    }
}

/// A request for a page, with the headers of Chromium that matter.
pub(crate) fn write_get(path: &str, request: &mut Vec<u8>) -> std::io::Result<()> {
    write!(
        request,
        "GET {path} HTTP/1.1\r\nHost: oncebin\r\n\
         Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
         Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n"
    )
}
