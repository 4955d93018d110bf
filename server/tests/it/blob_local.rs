//! The suite of every object store in a local directory.

use crate::blob_conformance::suite;
use oncebin::blob::Blob;
use tempfile::TempDir;

suite!(empty);

async fn empty() -> (Blob, TempDir) {
    let folder = TempDir::new().unwrap();
    (Blob::local(folder.path()).unwrap(), folder)
}
