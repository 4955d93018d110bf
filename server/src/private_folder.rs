//! Folders for other people's text.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a folder, and those above it, that only its owner can enter. One that exists stays as it is.
///
/// # Errors
/// What the system says.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
