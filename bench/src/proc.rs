//! What Linux says of a process, and what it is told.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Serialize;

/// Ticks a second in `/proc`, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// CPU that a process, or `self`, has used so far, in seconds.
///
/// # Errors
/// There is no such process.
pub(crate) fn cpu_seconds(process: &str) -> Result<f64> {
    let stat = read(process, "stat")?;
    // The name before it may hold blanks; user and system time are fields 14 and 15, counted from 1.
    let (_, fields) = stat.rsplit_once(')').context("no name in stat")?;
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    Ok(ticks / TICKS_PER_SECOND)
}

/// Memory of a process, in MB.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Memory {
    /// Resident now.
    pub(crate) resident_mb: f64,
    /// The most that was resident.
    pub(crate) peak_mb: f64,
}

/// # Errors
/// There is no such process.
pub(crate) fn memory(process: &str) -> Result<Memory> {
    let status = read(process, "status")?;
    let mb = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.map(|kib| kib * 1024.0 / 1e6)
            .with_context(|| format!("no {name} in status"))
    };
    Ok(Memory {
        resident_mb: mb("VmRSS:")?,
        peak_mb: mb("VmHWM:")?,
    })
}

/// Sends a signal, such as `TERM`, to a process that we started.
///
/// # Errors
/// There is no `kill`.
pub(crate) fn signal(name: &str, process: u32) -> Result<()> {
    let mut kill = Command::new("kill");
    kill.args(["-s", name, &process.to_string()]);
    kill.status().context("kill cannot be started")?;
    Ok(())
}

fn read(process: &str, file: &str) -> Result<String> {
    let path = format!("/proc/{process}/{file}");
    fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::{cpu_seconds, memory};

    #[test]
    fn this_process_has_used_something() {
        let memory = memory("self").unwrap();
        assert!(memory.resident_mb > 1.0 && memory.peak_mb >= memory.resident_mb);
        assert!(cpu_seconds("self").unwrap() >= 0.0);
        assert!(cpu_seconds("no-such-process").is_err());
    }
}
