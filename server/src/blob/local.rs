//! Objects in a local directory.

use super::folder;
use crate::private_folder::make_private_folder;
use anyhow::Context;
use app::wire::id::Slot;
use object_store::local::LocalFileSystem;
use std::fs::{self, File, Metadata, ReadDir};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Opens the directory with a folder for every slot, made beforehand: one folder serialises its fsyncs, 256 give six
/// times the durable PUTs (performance.md).
///
/// Writes are staged beside their place and renamed, with fsync of file and folder, so that a killed PUT leaves
/// nothing readable and an acknowledged one survives a power loss.
pub(super) fn open(directory: &Path) -> anyhow::Result<LocalFileSystem> {
    for slot in Slot::all() {
        let folder = directory.join(folder(slot));
        make_private_folder(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    File::open(directory)
        .and_then(|opened| opened.sync_all())
        .with_context(|| format!("cannot sync {}", directory.display()))?;
    open_as_it_is(directory)
}

/// Opens the directory and makes nothing in it.
pub(super) fn open_as_it_is(directory: &Path) -> anyhow::Result<LocalFileSystem> {
    let store = LocalFileSystem::new_with_prefix(directory)
        .with_context(|| format!("cannot open {}", directory.display()))?;
    Ok(store.with_fsync(true))
}

/// The next entries of a folder, at most so many: names with their times. What is no plain file has no time.
///
/// `object_store` lists no staging files, so the folder is read here.
pub(super) fn read_page(
    entries: &mut ReadDir,
    entries_max: usize,
) -> std::io::Result<Vec<(String, Option<i64>)>> {
    let mut page = Vec::new();
    for entry in entries.take(entries_max) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Not followed, if it is a link.
        match entry.metadata() {
            Ok(file) => page.push((name, file.is_file().then(|| modified_ms(&file)))),
            Err(gone) if gone.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(page)
}

/// Removes a file. One that is not there is gone already.
pub(super) fn remove(file: &Path) -> std::io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// A time before 1970, or none, is as old as can be told.
fn modified_ms(file: &Metadata) -> i64 {
    let modified = file.modified().ok();
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}
