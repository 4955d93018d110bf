//! The command that saves from a shell, as pages and errors show it.

/// Makes a key, keeps it, and saves a file with it: run its second half again and it is the same save.
#[must_use]
pub fn save_command(base_url: &str) -> String {
    format!(
        "KEY=$(uuidgen); curl --data-binary @file -H \"Idempotency-Key: $KEY\" {base_url}/api/pastes"
    )
}
