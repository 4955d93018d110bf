//! JSON, which carries any number of parameters into one static statement, and all its answers out in one row.
//!
//! SQLite's thread hands rows over one by one, and each may wake the one who waits for them: of a hundred answers, one row
//! costs a hundredth of the wakes.

use crate::store::Hash;
use data_encoding::HEXUPPER;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Parameters as a JSON array.
///
/// # Errors
/// Never for what we ask with: numbers and plain strings.
pub(super) fn json_array(asked: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(asked).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// Answers that a statement put together with SQLite's JSON functions.
///
/// # Errors
/// Never for a statement whose columns the type describes.
pub(super) fn read<T: DeserializeOwned>(answers: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(answers).map_err(decode)
}

/// What SQLite's `hex` wrote.
///
/// # Errors
/// It did not.
pub(super) fn bytes(hexadecimal: &str) -> Result<Vec<u8>, sqlx::Error> {
    HEXUPPER.decode(hexadecimal.as_bytes()).map_err(decode)
}

/// [`bytes`] that are a hash.
///
/// # Errors
/// They are not.
pub(super) fn hash(hexadecimal: &str) -> Result<Hash, sqlx::Error> {
    bytes(hexadecimal)?.as_slice().try_into().map_err(decode)
}

fn decode(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
