//! The creates of a group, as one member of the writer's transaction.
//!
//! ```text
//!   [new new new …] ──one JSON array──▶ keys in · pastes in · who won? ──one row──▶ [outcome outcome outcome …]
//! ```
//!
//! Trips to SQLite's thread cost more than the inserts, so all creates share one, and its answer is a single row.

use super::json::json_array;
use crate::clock::millis;
use crate::store::{CreateOutcome, NewPaste};
use app::wire::limits::IDEMPOTENCY_SECONDS;
use data_encoding::HEXLOWER;
use serde::Serialize;
use sqlx::SqliteConnection;
use std::time::Duration;

/// How long the row lives, by the shard's clock.
const IDEMPOTENCY_LIFE: Duration = Duration::from_secs(IDEMPOTENCY_SECONDS);

/// `$1` is a JSON array of [`Asked`]; the answer is one of `[owned, remembered, saved]`, in its order.
///
/// A key that lives is left alone, one that has expired is taken over, and of a slot that the shard does not own nothing
/// is inserted. Won is a key whose row has the create's own answer: no two answers are alike, each holds a token. Only
/// then the paste is inserted, and after that a key whose paste found its id or object key taken is forgotten.
const CREATE: &str = "
insert into idempotency (key_hash, digest_version, digest, answer, expires_at)
select
  unhex(asked.value ->> 'key_hash'),
  asked.value ->> 'digest_version',
  unhex(asked.value ->> 'digest'),
  unhex(asked.value ->> 'answer'),
  $3
from json_each($1) asked
join slot
  on slot.slot = asked.value ->> 'slot'
where true
on conflict (key_hash) do update
set
  digest_version = excluded.digest_version,
  digest = excluded.digest,
  answer = excluded.answer,
  expires_at = excluded.expires_at
where idempotency.expires_at <= $2;
insert into paste (id, object_key, token_hash, title, syntax, size_bytes, sha256, created_at, expires_at)
select
  asked.value ->> 'id',
  asked.value ->> 'object_key',
  unhex(asked.value ->> 'token_hash'),
  asked.value ->> 'title',
  asked.value ->> 'syntax',
  asked.value ->> 'size_bytes',
  unhex(asked.value ->> 'sha256'),
  asked.value ->> 'created_at',
  asked.value ->> 'expires_at'
from json_each($1) asked
join idempotency
  on idempotency.key_hash = unhex(asked.value ->> 'key_hash')
  and idempotency.answer = unhex(asked.value ->> 'answer')
where true
on conflict do nothing;
select json_group_array(
  json_array(slot.slot is not null, idempotency.key_hash is not null, paste.id is not null)
  order by asked.key
)
from json_each($1) asked
left join slot
  on slot.slot = asked.value ->> 'slot'
left join idempotency
  on idempotency.key_hash = unhex(asked.value ->> 'key_hash')
  and idempotency.answer = unhex(asked.value ->> 'answer')
left join paste
  on paste.id = asked.value ->> 'id'
  and paste.object_key = asked.value ->> 'object_key'";

const FORGET: &str = "
delete from idempotency
where key_hash = $1
  and answer = $2";

/// A create as the statement reads it; bytes are in hexadecimal.
#[derive(Serialize)]
struct Asked<'a> {
    slot: u8,
    key_hash: String,
    digest_version: u8,
    digest: String,
    answer: String,
    id: &'a str,
    object_key: &'a str,
    token_hash: String,
    title: Option<&'a str>,
    syntax: Option<&'a str>,
    size_bytes: u64,
    sha256: String,
    created_at: i64,
    expires_at: i64,
}

impl<'a> Asked<'a> {
    fn of(new: &'a NewPaste) -> Self {
        let (paste, remembered) = (&new.paste, &new.remembered);
        Self {
            slot: paste.id.slot().number(),
            key_hash: HEXLOWER.encode(&new.key_hash),
            digest_version: remembered.digest_version,
            digest: HEXLOWER.encode(&remembered.digest),
            answer: HEXLOWER.encode(&remembered.answer),
            id: paste.id.as_str(),
            object_key: &paste.object_key,
            token_hash: HEXLOWER.encode(&new.token_hash),
            title: paste.title.as_deref(),
            syntax: paste.syntax.as_deref(),
            size_bytes: paste.size_bytes,
            sha256: HEXLOWER.encode(&paste.sha256),
            created_at: paste.created_at_ms,
            expires_at: paste.expires_at_ms,
        }
    }
}

/// Inserts both rows of each, or neither. `now_ms` was read after the writer lock was held.
///
/// # Errors
/// The transaction is lost: nothing of any of them may be committed.
pub(super) async fn create_all(
    connection: &mut SqliteConnection,
    now_ms: i64,
    creates: &[&NewPaste],
) -> Result<Vec<CreateOutcome>, sqlx::Error> {
    let in_time: Vec<_> = creates
        .iter()
        .filter(|new| now_ms < new.deadline_ms)
        .collect();
    let mut inserted = Vec::new();
    if !in_time.is_empty() {
        let asked: Vec<_> = in_time.iter().map(|new| Asked::of(new)).collect();
        inserted = insert(connection, now_ms, &asked).await?;
    }
    let mut inserted = inserted.into_iter();
    let mut outcomes = Vec::with_capacity(creates.len());
    for new in creates {
        let outcome = if now_ms < new.deadline_ms {
            inserted.next().ok_or(sqlx::Error::RowNotFound)?
        } else {
            CreateOutcome::TooLate
        };
        if outcome == CreateOutcome::IdTaken {
            forget(connection, new).await?;
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

async fn insert(
    connection: &mut SqliteConnection,
    now_ms: i64,
    asked: &[Asked<'_>],
) -> Result<Vec<CreateOutcome>, sqlx::Error> {
    let answer: String = sqlx::query_scalar(CREATE)
        .bind(json_array(&asked)?)
        .bind(now_ms)
        .bind(now_ms.saturating_add(millis(IDEMPOTENCY_LIFE)))
        .fetch_one(connection)
        .await?;
    let answers: Vec<(u8, u8, u8)> = super::json::read(&answer)?;
    Ok(answers.into_iter().map(outcome).collect())
}

fn outcome(answer: (u8, u8, u8)) -> CreateOutcome {
    match answer {
        (0, _, _) => CreateOutcome::NotOwned,
        (_, 0, _) => CreateOutcome::KeyTaken,
        (_, _, 0) => CreateOutcome::IdTaken,
        _ => CreateOutcome::Created,
    }
}

async fn forget(connection: &mut SqliteConnection, new: &NewPaste) -> Result<(), sqlx::Error> {
    sqlx::query(FORGET)
        .bind(new.key_hash.as_slice())
        .bind(new.remembered.answer.as_slice())
        .execute(connection)
        .await?;
    Ok(())
}
