//! What every error of PostgreSQL means for a caller: one table, provoked row by row in the tests.

use crate::store::{CreateOutcome, StoreError};
use std::borrow::Cow;

/// What an error means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `idempotency_key_hash` is taken: somebody won.
    KeyTaken,
    /// `paste_id` or `paste_object_key` is taken.
    IdTaken,
    /// 40001, 40P01: rolled back for another transaction's sake. The same statement may succeed at once.
    Conflict,
    /// 57014, 55P03: gave up waiting before the commit began. Usually a twin is still committing.
    Busy,
    /// The server answered that it cannot just now: disk full, too many connections, starting, read-only. Nothing was
    /// committed.
    Refused,
    /// The connection is gone, or its transaction was killed: what was sent may have been committed.
    Lost,
    /// No connection could be made.
    Unreachable,
    /// A bug: a statement the server does not understand.
    Bug,
}

impl Meaning {
    /// Reads an error by SQLSTATE and constraint name, never by its text.
    #[must_use]
    pub fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => Self::of_sqlstate(
                &error.code().unwrap_or(Cow::Borrowed("")),
                error.constraint(),
            ),
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Tls(_) => {
                Self::Unreachable
            }
            sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
                Self::Lost
            }
            _ => Self::Bug,
        }
    }

    fn of_sqlstate(sqlstate: &str, constraint: Option<&str>) -> Self {
        match (sqlstate, constraint) {
            ("23505", Some("idempotency_key_hash")) => Self::KeyTaken,
            ("23505", Some("paste_id" | "paste_object_key")) => Self::IdTaken,
            ("40001" | "40P01", _) => Self::Conflict,
            ("57014" | "55P03", _) => Self::Busy,
            // Read-only: this was the primary once. The statement failed, but the connection is of no use any more.
            ("25006", _) => Self::Lost,
            // In a transaction that somebody else opened and failed: a poisoned connection.
            ("25P01" | "25P02" | "25P03", _) => Self::Lost,
            ("57P01" | "57P02" | "57P04" | "57P05", _) => Self::Lost,
            ("57P03" | "53300" | "53100" | "53200" | "53000", _) => Self::Refused,
            (state, _) if state.starts_with("08") => Self::Lost,
            (state, _) if state.starts_with("28") || state.starts_with("3D") => Self::Unreachable,
            (state, _) if state.starts_with("58") || state.starts_with("XX") => Self::Refused,
            _ => Self::Bug,
        }
    }

    /// Whether the connection is good for another statement. After a bug nothing is known of it: a statement that it
    /// prepared may be of no use any more.
    #[must_use]
    pub fn leaves_connection(self) -> bool {
        !matches!(self, Self::Lost | Self::Unreachable | Self::Bug)
    }

    /// What a create's caller is told.
    pub(super) fn of_create(self) -> Result<CreateOutcome, StoreError> {
        match self {
            Self::KeyTaken => Ok(CreateOutcome::KeyTaken),
            Self::IdTaken => Ok(CreateOutcome::IdTaken),
            other => Err(other.of_statement()),
        }
    }

    /// What any other caller is told.
    pub(super) fn of_statement(self) -> StoreError {
        match self {
            Self::Conflict | Self::Busy => StoreError::Busy,
            Self::Lost => StoreError::Unknown,
            Self::Unreachable => StoreError::Unreachable,
            Self::Refused | Self::Bug | Self::KeyTaken | Self::IdTaken => StoreError::Unavailable,
        }
    }
}
