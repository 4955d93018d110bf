//! `oncebin get`: the exact text, whole, or an error.

use super::address;
use super::exit::Failed;
use super::http::{self, cause, refusal};
use crate::config::GetFlags;
use data_encoding::HEXLOWER;
use reqwest::Response;
use reqwest::header::{CONTENT_LENGTH, ETAG, HeaderMap};
use sha2::{Digest, Sha256};
use std::io::{self, Write, stdout};

/// Hexadecimal digits of a SHA-256.
const DIGITS: usize = 64;

/// What the server said of the text before it came.
struct Promise {
    bytes: Option<u64>,
    sha256: Option<String>,
}

/// Writes a paste's text to standard output as it comes.
pub(super) async fn get(flags: &GetFlags) -> Result<(), Failed> {
    let named = address::read(&flags.paste)?;
    let server = named.server.as_ref().unwrap_or(&flags.server.server);
    let asking = http::for_reads()?.get(format!("{server}/{}/raw", named.id));
    let answer = asking
        .send()
        .await
        .map_err(|error| Failed::open(format!("{server} cannot be reached: {}", cause(error))))?;
    if answer.status() != 200 {
        let missing = format!(
            "{} is not there: it has expired, was deleted, or never was",
            named.id
        );
        return Err(refusal(&answer, &missing));
    }
    copy(answer).await
}

/// Copies the text and compares it with what was promised. A reader that has had enough is no error.
async fn copy(mut answer: Response) -> Result<(), Failed> {
    let promise = Promise::of(answer.headers());
    let mut out = stdout().lock();
    let (mut bytes, mut sha256) = (0, Sha256::new());
    loop {
        let piece = answer.chunk().await.map_err(|error| {
            let cause = cause(error);
            Failed::open(format!(
                "the text is cut short after {bytes} bytes: {cause}"
            ))
        })?;
        let Some(piece) = piece else { break };
        bytes += piece.len() as u64;
        sha256.update(&piece);
        if let Err(error) = out.write_all(&piece) {
            return not_written(&error);
        }
    }
    if let Err(error) = out.flush() {
        return not_written(&error);
    }
    promise.keep(bytes, &HEXLOWER.encode(&sha256.finalize()))
}

fn not_written(error: &io::Error) -> Result<(), Failed> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Ok(());
    }
    Err(Failed::refused(format!(
        "standard output cannot be written: {error}"
    )))
}

impl Promise {
    /// The length, and the strong tag, which is the text's SHA-256. What a proxy took away cannot be compared.
    fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let tag = text(ETAG).and_then(|tag| tag.strip_prefix('"')?.strip_suffix('"'));
        let is_digest =
            |tag: &&str| tag.len() == DIGITS && tag.bytes().all(|c| c.is_ascii_hexdigit());
        Self {
            bytes: text(CONTENT_LENGTH).and_then(|length| length.parse().ok()),
            sha256: tag.filter(is_digest).map(str::to_ascii_lowercase),
        }
    }

    fn keep(&self, bytes: u64, sha256: &str) -> Result<(), Failed> {
        if self.bytes.is_some_and(|promised| promised != bytes) {
            return Err(Failed::open(format!(
                "the text is cut short after {bytes} bytes"
            )));
        }
        if self
            .sha256
            .as_ref()
            .is_some_and(|promised| promised != sha256)
        {
            return Err(Failed::open(
                "what arrived is not what was saved: its SHA-256 is another",
            ));
        }
        Ok(())
    }
}
