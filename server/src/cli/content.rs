//! The text to save: a file or standard input, as it is.

use super::exit::Failed;
use super::saves;
use app::wire::limits::PASTE_BYTES_CEILING;
use std::fs::File;
use std::io::{self, IsTerminal, Read, stdin};
use std::path::Path;
use uuid::Uuid;

const TEXT_IS: &str = "The text is";

/// A text, and whether it would be gone with this process.
pub(super) struct Content {
    pub(super) text: String,
    /// It came through standard input: nobody else may have it.
    pub(super) was_piped: bool,
}

/// Reads the whole text. What it must be, its server judges; here it only has to be UTF-8, and no larger than any
/// server takes. What was piped in and is not that is kept in the state folder, as it came.
pub(super) fn read(file: Option<&Path>, state: Option<&Path>) -> Result<Content, Failed> {
    let file = file.filter(|path| *path != Path::new("-"));
    let (bytes, name) = match file {
        Some(path) => (read_file(path), path.display().to_string()),
        None => (read_input(), "standard input".to_owned()),
    };
    let cannot_read = |error| Failed::refused(format!("cannot read {name}: {error}"));
    let (bytes, is_whole) = bytes.map_err(cannot_read)?;
    let keep_in = state.filter(|_| file.is_none());
    if !is_whole {
        let why =
            format!("{name} has more than {PASTE_BYTES_CEILING} bytes, which no server takes");
        return Err(refused(
            &why,
            &format!("Its first {} bytes are", bytes.len()),
            &bytes,
            keep_in,
        ));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let why = format!("{name} is not UTF-8 text: byte {at} belongs to no character");
        refused(&why, TEXT_IS, error.as_bytes(), keep_in)
    })?;
    Ok(Content {
        text,
        was_piped: file.is_none(),
    })
}

impl Content {
    /// A text that is not sent, and why. If it was piped in, it is kept.
    pub(super) fn not_sent(&self, why: &str, state: Option<&Path>) -> Failed {
        let keep_in = state.filter(|_| self.was_piped && !self.text.is_empty());
        refused(why, TEXT_IS, self.text.as_bytes(), keep_in)
    }
}

/// The sentence on a text that is not sent; it says where the text is, if that is to be kept.
fn refused(why: &str, what: &str, bytes: &[u8], keep_in: Option<&Path>) -> Failed {
    let Some(state) = keep_in else {
        return Failed::refused(why);
    };
    let name = Uuid::new_v4().simple().to_string();
    Failed::refused(match saves::set_aside(state, &name, bytes) {
        Ok(path) => format!("{why}. {what} in {}", path.display()),
        Err(error) => format!("{why}. It cannot be kept: {}: {error}", state.display()),
    })
}

fn read_file(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    read_bounded(File::open(path)?)
}

fn read_input() -> io::Result<(Vec<u8>, bool)> {
    if stdin().is_terminal() {
        eprintln!("oncebin: reading what you type; Ctrl+D on an empty line ends it");
    }
    read_bounded(stdin().lock())
}

/// As much as any server takes, and whether that is all.
fn read_bounded(mut from: impl Read) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    from.by_ref()
        .take(PASTE_BYTES_CEILING)
        .read_to_end(&mut bytes)?;
    // One byte past the limit tells that there is more.
    let more = from.take(1).read_to_end(&mut Vec::new())?;
    Ok((bytes, more == 0))
}
