//! The create: look the key up, PUT the text, commit paste and key together.
//!
//! ```text
//!   look up ──live row──▶ same digest: the stored 201        other digest: the key is reused
//!      │ no row
//!      ▼
//!   PUT the object ──▶ one commit of both rows ──▶ 201
//!                           │ key taken: loser re-reads winner
//!                           ▼
//!                        look up again
//! ```

use super::deadline::allowance;
use super::{
    IdempotencyKey, Pastes, PastesError, Refusal, SaveRequest, StoredAnswer, digest, mint,
};
use crate::blob::ObjectKey;
use crate::clock::millis;
use crate::jitter::pause;
use crate::metrics::{Deadline, Retry};
use crate::store::{self, Hash, IdempotencyRow, LookUp, NewPaste, PasteRow, StoreError};
use app::wire::created::Created;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};
use tokio::time::timeout_at;

/// The longest pause before a create whose outcome is open is looked up again.
const UNSETTLED_PAUSE_MAX: Duration = Duration::from_millis(100);

/// Content from which hashing is moved off the threads that serve requests: about 1 ms of work.
const HASH_ASIDE_BYTES: usize = 1024 * 1024;

/// How a create ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateOutcome {
    /// A new paste is committed.
    Created(StoredAnswer),
    /// The key's paste was committed before; this is what was answered then.
    Replayed(StoredAnswer),
    /// The key's paste was made from another request.
    KeyReused,
    /// The request may not be saved. Nothing was changed.
    Refused(Refusal),
}

/// What was known of a key before the body was read.
#[derive(Debug)]
pub struct Found {
    look_up: LookUp,
    at: Instant,
}

impl Found {
    /// Whether a live row has the key: the request can only be a replay or a conflict.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.look_up.row.is_some()
    }

    /// The shard's clock now: what it said then and the time that has passed here since.
    fn shard_now_ms(&self) -> i64 {
        self.look_up
            .now_ms
            .saturating_add(millis(self.at.elapsed()))
    }
}

/// A request with what is computed of it once.
struct Save<'a> {
    key: &'a IdempotencyKey,
    request: &'a SaveRequest,
    sha256: Hash,
    digest: Hash,
}

/// How one attempt ended.
enum Attempt {
    /// Committed.
    Created(StoredAnswer),
    /// Somebody else has the key, or by chance the id: look up again at once.
    Taken,
    /// Nobody can tell yet, or another transaction stood in the way: look up again in a moment.
    Unsettled,
}

/// The object of a save. Attempts that mint a new id reuse it, and with it its deadline.
struct Object {
    key: ObjectKey,
    /// By the shard's clock: past it the commit is refused.
    deadline_ms: i64,
    /// The same moment by this process's clock: past it nobody waits for the commit.
    deadline: Instant,
}

impl Pastes {
    /// Looks a key up on its shard. One read; nothing is changed.
    ///
    /// # Errors
    /// [`PastesError::ShardUnavailable`], also when the shard does not own the slot.
    pub async fn look_up(&self, key: &IdempotencyKey) -> Result<Found, PastesError> {
        let slot = key.slot();
        let look_up = self.router.store(slot).look_up(slot, &key.hash()).await?;
        if !look_up.owned {
            tracing::error!(
                slot = slot.number(),
                "the shard does not own a slot of the map"
            );
            return Err(PastesError::ShardUnavailable);
        }
        Ok(Found {
            look_up,
            at: Instant::now(),
        })
    }

    /// Carries a save to its end. Run it in a task of its own: it must not be dropped half-way.
    ///
    /// After `Created` and `Replayed` exactly one paste exists for the key (or existed, if it was deleted since).
    ///
    /// # Errors
    /// The outcome is not known or nothing was saved; the same request with the same key settles it.
    pub async fn create(
        &self,
        key: IdempotencyKey,
        request: SaveRequest,
        mut found: Found,
    ) -> Result<CreateOutcome, PastesError> {
        let sha256 = hash(request.content.clone()).await?;
        let save = Save {
            key: &key,
            request: &request,
            sha256,
            digest: digest::digest(&key, &request, &sha256),
        };
        let deadline = Instant::now() + self.allowed(&request);
        let mut object = None;
        loop {
            if let Some(row) = &found.look_up.row {
                let known = save.compare(row)?;
                if let CreateOutcome::Replayed(_) = known {
                    self.metrics.creates.replayed(object.is_some());
                }
                return Ok(known);
            }
            let life = match self.policy.judge(&request) {
                Ok(life) => life,
                Err(refusal) => return Ok(CreateOutcome::Refused(refusal)),
            };
            match self.attempt(&save, &found, life, &mut object).await? {
                Attempt::Created(answer) => {
                    self.metrics.creates.new_paste();
                    return Ok(CreateOutcome::Created(answer));
                }
                Attempt::Taken => self.metrics.creates.retried(Retry::Taken),
                Attempt::Unsettled => {
                    self.metrics.creates.retried(Retry::Unsettled);
                    pause(UNSETTLED_PAUSE_MAX).await;
                }
            }
            if Instant::now() >= deadline {
                self.metrics.deadlines.missed(Deadline::Create);
                return Err(PastesError::ShardUnavailable);
            }
            found = self.look_up(&key).await?;
        }
    }

    /// PUT, then one commit.
    async fn attempt(
        &self,
        save: &Save<'_>,
        found: &Found,
        life: Duration,
        object: &mut Option<Object>,
    ) -> Result<Attempt, PastesError> {
        let slot = save.key.slot();
        let now_ms = found.shard_now_ms();
        let object = match object {
            Some(object) => object,
            None => object.insert(self.put(save, now_ms).await?),
        };
        let (paste, answer) = self.mint(save, object, now_ms, life)?;
        let commit = self.router.store(slot).create(paste);
        let Ok(committed) = timeout_at(object.deadline.into(), commit).await else {
            self.metrics.deadlines.missed(Deadline::Create);
            return Err(PastesError::ShardUnavailable);
        };
        match committed {
            Ok(store::CreateOutcome::Created) => Ok(Attempt::Created(answer)),
            Ok(store::CreateOutcome::KeyTaken | store::CreateOutcome::IdTaken) => {
                Ok(Attempt::Taken)
            }
            Ok(store::CreateOutcome::NotOwned) => Err(PastesError::ShardUnavailable),
            Ok(store::CreateOutcome::TooLate) => {
                self.metrics.deadlines.missed(Deadline::Create);
                Err(PastesError::ShardUnavailable)
            }
            Err(StoreError::Unknown | StoreError::Busy) => Ok(Attempt::Unsettled),
            Err(StoreError::Unreachable | StoreError::Unavailable | StoreError::NotOwned) => {
                Err(PastesError::ShardUnavailable)
            }
        }
    }

    fn allowed(&self, request: &SaveRequest) -> Duration {
        self.policy.create_deadline + allowance(request.content.len() as u64)
    }

    /// Writes the text under a fresh name. Whatever becomes of the create, the object is never deleted here: an
    /// attempt whose outcome is unknown may have committed. Orphans are the reaper's.
    async fn put(&self, save: &Save<'_>, now_ms: i64) -> Result<Object, PastesError> {
        let content = save.request.content.clone();
        let allowed = self.allowed(save.request);
        let object = Object {
            key: ObjectKey::fresh(save.key.slot()),
            deadline_ms: now_ms.saturating_add(millis(allowed)),
            deadline: Instant::now() + allowed,
        };
        self.blob.put(&object.key, content).await?;
        Ok(object)
    }

    /// Makes id, token and 201, and the rows that keep them.
    fn mint(
        &self,
        save: &Save<'_>,
        object: &Object,
        now_ms: i64,
        life: Duration,
    ) -> Result<(NewPaste, StoredAnswer), PastesError> {
        let token = mint::token()?;
        let paste = PasteRow {
            id: mint::id(save.key.slot())?,
            object_key: object.key.as_str().to_owned(),
            title: save.request.title.clone(),
            syntax: save.request.syntax.clone(),
            size_bytes: save.request.content.len() as u64,
            sha256: save.sha256,
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(millis(life)),
        };
        let answer = StoredAnswer::new(&Created {
            id: paste.id.to_string(),
            url: self.url(paste.id),
            created_at: rfc3339(paste.created_at_ms)?,
            expires_at: rfc3339(paste.expires_at_ms)?,
            size: paste.size_bytes,
            sha256: HEXLOWER.encode(&paste.sha256),
            delete_token: token.reveal().to_owned(),
        })?;
        let new = NewPaste {
            paste,
            token_hash: Sha256::digest(token.reveal()).into(),
            key_hash: save.key.hash(),
            remembered: IdempotencyRow {
                digest_version: digest::CURRENT,
                digest: save.digest.to_vec(),
                answer: answer.seal(save.key)?,
            },
            deadline_ms: object.deadline_ms,
        };
        Ok((new, answer))
    }
}

impl Save<'_> {
    fn compare(&self, row: &IdempotencyRow) -> Result<CreateOutcome, PastesError> {
        if digest::same(row.digest_version, &row.digest, &self.digest) {
            StoredAnswer::open(self.key, &row.answer).map(CreateOutcome::Replayed)
        } else {
            Ok(CreateOutcome::KeyReused)
        }
    }
}

async fn hash(content: Bytes) -> Result<Hash, PastesError> {
    if content.len() < HASH_ASIDE_BYTES {
        return Ok(Sha256::digest(&content).into());
    }
    tokio::task::spawn_blocking(move || Sha256::digest(&content).into())
        .await
        .map_err(|_| PastesError::Internal)
}

/// A time as the API writes it: RFC 3339, UTC, with milliseconds.
pub(super) fn rfc3339(ms: i64) -> Result<String, PastesError> {
    let time = Timestamp::from_millisecond(ms).map_err(|_| PastesError::Internal)?;
    Ok(format!("{time:.3}"))
}
