//! What an audit found of one shard, and how it is said.

use super::report::{Counted, Report, many};
use crate::workers::are_too_many_orphans;
use app::wire::expiry::human;
use app::wire::id::PasteId;
use std::time::Duration;

/// What an audit of one shard found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) pastes: u64,
    pub(super) objects: u64,
    pub(super) textless: Counted,
    /// The first of them, as many as were asked for.
    pub(super) textless_ids: Vec<PasteId>,
    /// Their objects have not the size that was saved.
    pub(super) damaged: Counted,
    pub(super) young_orphans: Counted,
    pub(super) old_orphans: Counted,
    pub(super) young_staging: u64,
    pub(super) old_staging: u64,
    pub(super) foreign: Counted,
}

impl Findings {
    /// Says it, a line each.
    pub(super) fn report(&self, report: &mut Report, shard: &str, age_floor: Duration) {
        let (pastes, objects) = (many(self.pastes, "paste"), many(self.objects, "object"));
        report.ok(shard, format!("{pastes}, {objects}"));
        let orphans = |found: &Counted| {
            let (orphans, first) = (many(found.count, "orphan"), found.names());
            format!("{orphans} that no paste names ({first})")
        };
        if !self.textless.is_none() {
            let (pastes, first) = (many(self.textless.count, "paste"), self.textless.names());
            report.wrong(
                shard,
                format!(
                    "{pastes} without its text ({first}): restore the objects, or see \"Back up\""
                ),
            );
        }
        if !self.damaged.is_none() {
            let (pastes, first) = (many(self.damaged.count, "paste"), self.damaged.names());
            report.wrong(
                shard,
                format!(
                    "{pastes} with a damaged text ({first}), shorter or longer than what was saved: restore the \
                     objects, or take them down"
                ),
            );
        }
        if !self.old_orphans.is_none() {
            let orphans = orphans(&self.old_orphans);
            let old = human(2 * age_floor.as_secs());
            report.wrong(
                shard,
                format!("{orphans}, older than {old}: no reaper gets on, or its brake holds; see its log"),
            );
        }
        if !self.young_orphans.is_none() {
            let in_all = self.young_orphans.count + self.old_orphans.count;
            let orphans = orphans(&self.young_orphans);
            if are_too_many_orphans(in_all, self.objects) {
                report.wrong(
                    shard,
                    format!("{orphans}, more than saves that failed leave: are these rows and objects of one time?"),
                );
            } else {
                report.note(shard, format!("{orphans}: normal, the reaper takes them"));
            }
        }
        if self.old_staging > 0 {
            let files = many(self.old_staging, "half-written file");
            report.wrong(
                shard,
                format!("{files} that nobody writes: no reaper gets on; see its log"),
            );
        }
        if self.young_staging > 0 {
            let files = many(self.young_staging, "half-written file");
            report.note(
                shard,
                format!("{files}: normal, being written or left by a kill"),
            );
        }
        if !self.foreign.is_none() {
            let (names, first) = (many(self.foreign.count, "name"), self.foreign.names());
            report.note(
                shard,
                format!("{names} that oncebin did not make ({first}): left alone"),
            );
        }
    }
}
