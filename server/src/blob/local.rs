//! Objects in a local directory.

use super::folder;
use crate::private_folder::make_private_folder;
use anyhow::Context;
use app::wire::id::Slot;
use object_store::local::LocalFileSystem;
use std::fs::File;
use std::path::Path;

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
    let store = LocalFileSystem::new_with_prefix(directory)
        .with_context(|| format!("cannot open {}", directory.display()))?;
    Ok(store.with_fsync(true))
}
