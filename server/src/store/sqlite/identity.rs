//! Which file a shard's path means. A file that is removed or replaced while it is open goes on taking writes that
//! nobody will ever read again; so the writer looks before each commit.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file by its place on the disk.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    path: PathBuf,
    place: (u64, u64),
}

impl Identity {
    /// The file that is at the path now.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        Ok(Self {
            place: place(path)?,
            path: path.to_owned(),
        })
    }

    /// Whether the path still means that file. One look at the folder, without a wait for the disk as a rule.
    pub(super) fn check(&self) -> Result<(), sqlx::Error> {
        let is_same = place(&self.path).map_err(sqlx::Error::Io)? == self.place;
        is_same.then_some(()).ok_or_else(|| {
            sqlx::Error::Io(io::Error::other("another file has taken the shard's place"))
        })
    }
}

fn place(path: &Path) -> io::Result<(u64, u64)> {
    let file = fs::metadata(path)?;
    Ok((file.dev(), file.ino()))
}
