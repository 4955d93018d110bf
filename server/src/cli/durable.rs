//! Files that are there after a power loss, and for nobody else.

use crate::private_folder::make_private_folder;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Readable and writable for the owner.
const PRIVATE: u32 = 0o600;

/// Makes a private folder so that it stays: each new folder is on disk in the one above it.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let above = folder.ancestors().skip(1);
    let missing = above.take_while(|above| !above.exists()).count();
    if folder.exists() {
        return Ok(());
    }
    make_private_folder(folder)?;
    let changed = folder.ancestors().skip(1).take(missing + 1);
    changed.into_iter().try_for_each(sync_folder)
}

/// Replaces a file as a whole: after a crash there is the old one or the new one, and once this returns, the new one.
///
/// The new one is written under the name with `tmp` for its extension.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = path.with_extension("tmp");
    let written = write_new(&new, content).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        fs::remove_file(&new).ok();
    }
    written?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// Writes a file the person named, as it stands, for its owner alone.
pub(super) fn write_named(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = open_private(path)?;
    if !file.metadata()?.is_file() {
        // A pipe has nothing to sync.
        return file.write_all(content);
    }
    file.set_permissions(Permissions::from_mode(PRIVATE))?;
    file.set_len(0)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Opens or makes a private file for writing, and leaves what is in it.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    options.mode(PRIVATE).open(path)
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = options.mode(PRIVATE).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
