//! What Linux says of this process, under the names every Prometheus client uses.

use super::register::Register;
use prometheus::{Gauge, IntGauge};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// Memory, open files and the start of the process. Where there is no `/proc`, the figures stay 0.
#[derive(Debug)]
pub(super) struct Process {
    resident_bytes: IntGauge,
    open_files: IntGauge,
    open_files_max: IntGauge,
}

impl Process {
    pub(super) fn new(register: Register<'_>) -> prometheus::Result<Self> {
        let started: Gauge = register.fraction(
            "process_start_time_seconds",
            "When the service started, in seconds since the Unix epoch.",
        )?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        started.set(now.unwrap_or_default().as_secs_f64());
        Ok(Self {
            resident_bytes: register
                .gauge("process_resident_memory_bytes", "Memory that is resident.")?,
            open_files: register.gauge("process_open_fds", "Files and sockets that are open.")?,
            open_files_max: register.gauge(
                "process_max_fds",
                "Files and sockets that may be open at once.",
            )?,
        })
    }

    /// Looks again.
    pub(super) fn take(&self) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident_kib = number_after(&status, "VmRSS:").unwrap_or(0);
        self.resident_bytes.set(resident_kib.saturating_mul(1024));
        let files = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.open_files
            .set(i64::try_from(files).unwrap_or(i64::MAX));
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        self.open_files_max
            .set(number_after(&limits, "Max open files").unwrap_or(0));
    }
}

/// The number that follows a word at the beginning of a line.
fn number_after(text: &str, word: &str) -> Option<i64> {
    let mut rest = text.lines().filter_map(|line| line.strip_prefix(word));
    rest.next()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_after_their_word() {
        let text = "VmPeak:\t 9 kB\nVmRSS:\t    5120 kB\nMax open files   1024   4096   files\n";
        assert_eq!(number_after(text, "VmRSS:"), Some(5120));
        assert_eq!(number_after(text, "Max open files"), Some(1024));
        assert_eq!(number_after(text, "VmSwap:"), None);
    }
}
