//! Objects in a local directory.

use super::folder;
use super::found::{Seen, is_object_name};
use super::trouble::Trouble;
use crate::private_folder::make_private_folder;
use anyhow::Context;
use app::wire::id::Slot;
use object_store::local::LocalFileSystem;
use std::fs::{self, File, Metadata, ReadDir};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How long a look at the disk may take. The longest is a page of a listing: each entry costs a look at its file.
const WITHIN: Duration = Duration::from_secs(10);

/// Makes a folder for every slot beforehand: one folder serialises its fsyncs, 256 give six times the durable PUTs
/// (performance.md).
pub(super) fn make_folders(directory: &Path) -> anyhow::Result<()> {
    for slot in Slot::all() {
        let folder = directory.join(folder(slot));
        make_private_folder(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    File::open(directory)
        .and_then(|opened| opened.sync_all())
        .with_context(|| format!("cannot sync {}", directory.display()))
}

/// Opens the directory and makes nothing in it.
///
/// Writes are staged beside their place and renamed, with fsync of file and folder, so that a killed PUT leaves
/// nothing readable and an acknowledged one survives a power loss.
pub(super) fn open(directory: &Path) -> anyhow::Result<LocalFileSystem> {
    let store = LocalFileSystem::new_with_prefix(directory)
        .with_context(|| format!("cannot open {}", directory.display()))?;
    Ok(store.with_fsync(true))
}

/// Does what waits for the disk on a thread of its own, since a disk may hang.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Trouble> {
    match timeout(WITHIN, spawn_blocking(work)).await {
        Ok(Ok(done)) => done.map_err(|error| Trouble::Local(error.to_string())),
        Ok(Err(stopped)) => Err(Trouble::Local(stopped.to_string())),
        Err(_) => Err(Trouble::Slow),
    }
}

/// Fails where the mark is not there.
pub(super) fn look_for(mark: &Path) -> io::Result<Result<(), Trouble>> {
    match fs::metadata(mark) {
        Ok(_) => Ok(Ok(())),
        Err(error) if is_absent(&error) => Ok(Err(Trouble::Unmarked)),
        Err(error) => Err(error),
    }
}

/// Whether there is an object in any of the folders.
pub(super) fn has_objects(directory: &Path) -> io::Result<bool> {
    for slot in Slot::all() {
        let entries = match fs::read_dir(directory.join(folder(slot))) {
            Err(error) if is_absent(&error) => continue,
            opened => opened?,
        };
        for entry in entries {
            if is_object_name(&entry?.file_name().to_string_lossy()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The next entries of a folder, at most so many: names with what is known of their files. What is no plain file is not
/// known.
///
/// `object_store` lists no staging files, so the folder is read here.
pub(super) fn read_page(
    entries: &mut ReadDir,
    entries_max: usize,
) -> io::Result<Vec<(String, Option<Seen>)>> {
    let mut page = Vec::new();
    for entry in entries.take(entries_max) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Not followed, if it is a link.
        match entry.metadata() {
            Ok(file) => page.push((name, file.is_file().then(|| seen(&file)))),
            Err(gone) if gone.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(page)
}

/// Removes a file. One that is not there is gone already.
pub(super) fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// A time before 1970, or none, is as old as can be told.
fn seen(file: &Metadata) -> Seen {
    let modified = file.modified().ok();
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    Seen {
        modified_ms: i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX),
        size_bytes: file.len(),
    }
}
