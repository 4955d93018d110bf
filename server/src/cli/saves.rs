//! The saves that are not settled, in the state folder: one file each, and one lock each.
//!
//! `saves/NAME.json` holds key, text and server; `NAME` is a digest of the key, so that no path tells it. Whoever works
//! on a save holds the lock of `saves/NAME.lock`, which the system gives back when a process ends, however it ends.

use super::durable::{self, make_folder, open_private};
use super::held::Held;
use app::save::Key;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of a key's digest in a name: two keys never share one.
const NAME_BYTES: usize = 16;

/// The folder of unsettled saves.
#[derive(Clone, Debug)]
pub(super) struct Saves {
    state: PathBuf,
}

impl Saves {
    /// The saves in a state folder, which need not exist.
    pub(super) fn in_folder(state: &Path) -> Self {
        Self {
            state: state.to_owned(),
        }
    }

    /// Takes the place of a new save.
    pub(super) fn begin(&self, key: Key) -> io::Result<Held> {
        make_folder(&self.folder())?;
        let name = HEXLOWER.encode(&Sha256::digest(key.as_str())[..NAME_BYTES]);
        let lock = self.lock(&name)?.ok_or(io::ErrorKind::WouldBlock)?;
        Ok(Held::new(&self.state, &name, lock))
    }

    /// The names of what is there, whoever works on it.
    pub(super) fn names(&self) -> io::Result<BTreeSet<String>> {
        let entries = match fs::read_dir(self.folder()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            entries => entries?,
        };
        let mut names = BTreeSet::new();
        for entry in entries {
            let path = PathBuf::from(entry?.file_name());
            let name = path.file_stem().and_then(|name| name.to_str());
            names.extend(name.map(str::to_owned));
        }
        Ok(names)
    }

    /// Takes the place of a save that was left; none when another process works on it.
    pub(super) fn claim(&self, name: &str) -> io::Result<Option<Held>> {
        let lock = self.lock(name)?;
        Ok(lock.map(|lock| Held::new(&self.state, name, lock)))
    }

    /// The lock of a name. One that was settled and removed while we waited at its door is asked for again.
    fn lock(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.folder().join(name).with_extension("lock");
        loop {
            let lock = open_private(&path)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let is_there = fs::metadata(&path).map(|there| there.ino()).ok();
            if is_there == Some(lock.metadata()?.ino()) {
                return Ok(Some(lock));
            }
        }
    }

    fn folder(&self) -> PathBuf {
        folder(&self.state)
    }
}

/// Where unsettled saves are.
pub(super) fn folder(state: &Path) -> PathBuf {
    state.join("saves")
}

/// Keeps a text that was not saved where its owner finds it, and says where.
pub(super) fn set_aside(state: &Path, name: &str, text: &[u8]) -> io::Result<PathBuf> {
    let folder = state.join("set-aside");
    make_folder(&folder)?;
    let path = folder.join(name).with_extension("txt");
    durable::write(&path, text)?;
    Ok(path)
}
