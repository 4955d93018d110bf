//! What a process syncs to the disk, noted, and held back, by a library that is loaded before the system's.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// Each sync that went well appends a line: the path of what was synced. Syncs of objects wait while they are held.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int noted(const char *function, int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, function);
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 2);
    while (strstr(path, "/objects/") && access(getenv("SYNCS_HELD"), F_OK) == 0) usleep(1000);
    int result = real(file);
    if (result != 0 || length < 0) return result;
    path[length++] = '\n';
    int log = open(getenv("SYNCS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0 || write(log, path, length) != length) abort();
    close(log);
    return result;
}
int fsync(int file) { return noted("fsync", file); }
int fdatasync(int file) { return noted("fdatasync", file); }
"#;

/// The syncs of one process.
#[derive(Debug)]
pub(crate) struct Syncs {
    folder: TempDir,
}

impl Syncs {
    /// Builds the library, with the compiler that every build of ours needs.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let source = folder.path().join("syncs.c");
        fs::write(&source, LIBRARY).unwrap();
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("syncs.so"))
            .arg(source)
            .arg("-ldl")
            .status()
            .unwrap();
        assert!(built.success());
        Self { folder }
    }

    /// For the process.
    pub(crate) fn variables(&self) -> BTreeMap<String, String> {
        let library = self.folder.path().join("syncs.so");
        let held = ("SYNCS_HELD", self.held());
        [("LD_PRELOAD", library), ("SYNCS", self.log()), held]
            .map(|(name, path)| (name.to_owned(), path.display().to_string()))
            .into()
    }

    /// What was synced since the last look, in order.
    pub(crate) fn take(&self) -> Vec<String> {
        let syncs = fs::read_to_string(self.log()).unwrap_or_default();
        fs::write(self.log(), "").unwrap();
        syncs.lines().map(str::to_owned).collect()
    }

    /// Holds back the syncs of objects from now on.
    pub(crate) fn hold(&self) {
        fs::write(self.held(), "").unwrap();
    }

    /// Lets them go.
    pub(crate) fn release(&self) {
        fs::remove_file(self.held()).unwrap();
    }

    fn held(&self) -> PathBuf {
        self.folder.path().join("held")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}
