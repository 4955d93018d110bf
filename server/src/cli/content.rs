//! The text to save: a file or standard input, as it is.

use super::exit::Failed;
use app::wire::limits::PASTE_BYTES_CEILING;
use std::fs::File;
use std::io::{IsTerminal, Read, stdin};
use std::path::Path;

/// A text, and whether it would be gone with this process.
pub(super) struct Content {
    pub(super) text: String,
    /// It came through standard input: nobody else may have it.
    pub(super) was_piped: bool,
}

/// Reads the whole text. What it must be, its server judges; here it only has to be UTF-8, and no larger than any
/// server takes.
pub(super) fn read(file: Option<&Path>) -> Result<Content, Failed> {
    let file = file.filter(|path| *path != Path::new("-"));
    let (bytes, name) = match file {
        Some(path) => (read_file(path), path.display().to_string()),
        None => (read_input(), "standard input".to_owned()),
    };
    let bytes = bytes.map_err(|error| Failed::refused(format!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > PASTE_BYTES_CEILING {
        return Err(Failed::refused(format!(
            "{name} has more than {PASTE_BYTES_CEILING} bytes, which no server takes"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failed::refused(format!(
            "{name} is not UTF-8 text: byte {at} belongs to no character"
        ))
    })?;
    Ok(Content {
        text,
        was_piped: file.is_none(),
    })
}

fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    read_bounded(File::open(path)?)
}

fn read_input() -> std::io::Result<Vec<u8>> {
    if stdin().is_terminal() {
        eprintln!("oncebin: reading what you type; Ctrl+D on an empty line ends it");
    }
    read_bounded(stdin().lock())
}

/// One byte past the limit tells that there is more.
fn read_bounded(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(PASTE_BYTES_CEILING + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
