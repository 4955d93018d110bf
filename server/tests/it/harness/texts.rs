//! The files of a local object store.

use std::fs;
use std::path::{Path, PathBuf};

/// The files in the slots' folders, whole or half-written: all but the mark.
pub(crate) fn text_files(objects: &Path) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let folders = entries(objects.to_owned()).filter(|path| path.is_dir());
    folders.flat_map(entries).collect()
}
