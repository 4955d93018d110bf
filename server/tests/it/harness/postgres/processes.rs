//! The processes of a cluster: each has its data folder as its working folder, and no other process does.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// Their ids, the first of them first.
pub(super) fn of(data: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut found: Vec<u32> = entries
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == data))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    found.sort_unstable();
    found
}

/// Sends a signal; a process that is gone by now is no error.
pub(super) fn signal(name: &str, processes: &[u32]) {
    if processes.is_empty() {
        return;
    }
    Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes.iter().map(ToString::to_string))
        .output()
        .unwrap();
}

/// Kills until none is left.
pub(super) fn end(data: &Path) {
    loop {
        let left = of(data);
        if left.is_empty() {
            return;
        }
        signal("KILL", &left);
        thread::yield_now();
    }
}
