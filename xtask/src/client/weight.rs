//! How much a browser has to load, and how much it may be.

use std::fs;

use anyhow::{Result, ensure};

use super::folder::{Folder, Role};

/// The goals in bytes after Brotli. A build fails when one is missed by more than a tenth.
const GOALS: [(Role, u64); 6] = [
    // With the HTML of a short paste under 15 kB.
    (Role::Style, 8_000),
    (Role::View, 3_000),
    (Role::Start, 2_000),
    (Role::Glue, 8_000),
    (Role::Wasm, 60_000),
    (Role::Mine, 3_000),
];

/// Prints what the client weighs.
///
/// # Errors
/// A file is more than a tenth over its goal.
pub(crate) fn check_weight() -> Result<()> {
    for (role, goal_bytes) in GOALS {
        let bytes = fs::metadata(Folder::served().brotli_file(role)?)?.len();
        println!("xtask: {role:?}: {bytes} bytes of Brotli, goal {goal_bytes}");
        ensure!(
            bytes <= limit(goal_bytes),
            "{role:?} is more than a tenth over its goal"
        );
    }
    Ok(())
}

fn limit(goal_bytes: u64) -> u64 {
    goal_bytes + goal_bytes / 10
}

#[cfg(test)]
mod tests {
    use super::limit;

    #[test]
    fn the_limit_is_a_tenth_over_the_goal() {
        assert_eq!([limit(60_000), limit(8_000)], [66_000, 8_800]);
    }
}
