//! The import arrows over all sources, and the length of files.

use crate::arrows::faults_of;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that are more than one screen and one idea.
const LINES_MAX: usize = 300;

#[test]
fn the_sources_keep_the_arrows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut faults = Vec::new();
    let mut files = 0;
    for folder in ["server/src", "app/src"] {
        for path in sources(&root.join(folder)) {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            faults.extend(faults_of(name, &fs::read_to_string(&path).unwrap()));
            files += 1;
        }
    }
    assert!(files > 80);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_file_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for folder in ["server", "app", "xtask"] {
        for path in sources(&root.join(folder)) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= LINES_MAX, "{} has {lines} lines", path.display());
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}
