//! Random walks: thousands of steps through the world of faults, the promises judged at each.

use super::super::{Attempt, Entry, Happening, Record, Reply, Standing};
use super::world::{Room, World};
use super::{reply, request};
use proptest::prelude::*;
use proptest::sample::Index;

/// What becomes of an attempt, old or new.
#[derive(Clone, Debug)]
enum Fate {
    /// It commits and the answer arrives.
    Answered,
    /// It commits and the answer is lost.
    AnswerLost,
    /// It commits; the tab hears nothing for now.
    Silent,
    /// It never arrives.
    Lost,
    /// It commits, and the 201 arrives cut short.
    Garbled,
    /// Something says no or not now.
    Status(u16, Option<u64>),
}

#[derive(Clone, Debug)]
enum Move {
    Press(u8),
    Attempt(Index, Fate),
    Timer,
    Tell(Happening),
    Forget,
    Reload(bool),
    Pass(u64),
    Jump(i64),
    Room(Room),
    Empty,
    Hear,
    Show(Index),
}

fn fate() -> impl Strategy<Value = Fate> {
    let status = prop::sample::select(vec![200, 400, 403, 408, 409, 413, 422, 429, 500, 503]);
    prop_oneof![
        4 => Just(Fate::Answered),
        2 => Just(Fate::AnswerLost),
        1 => Just(Fate::Silent),
        2 => Just(Fate::Lost),
        1 => Just(Fate::Garbled),
        4 => (status, prop::option::of(0..2_000_u64)).prop_map(|(code, after)| Fate::Status(code, after)),
    ]
}

fn one_move() -> impl Strategy<Value = Move> {
    let told = vec![
        Happening::Offline,
        Happening::Online,
        Happening::Foreground,
        Happening::Returned,
    ];
    let room = vec![Room::Free, Room::Free, Room::Full, Room::Blocked];
    prop_oneof![
        6 => (0..3_u8).prop_map(Move::Press),
        12 => (any::<Index>(), fate()).prop_map(|(which, fate)| Move::Attempt(which, fate)),
        8 => Just(Move::Timer),
        3 => prop::sample::select(told).prop_map(Move::Tell),
        1 => Just(Move::Forget),
        2 => any::<bool>().prop_map(Move::Reload),
        3 => (0..40_000_u64).prop_map(Move::Pass),
        1 => (0..30_u64).prop_map(|hours| Move::Pass(hours * 3_600_000)),
        1 => (-20..30_i64).prop_map(|hours| Move::Jump(hours * 3_600_000)),
        2 => prop::sample::select(room).prop_map(Move::Room),
        1 => Just(Move::Empty),
        3 => Just(Move::Hear),
        2 => any::<Index>().prop_map(Move::Show),
    ]
}

impl World {
    fn make(&mut self, tab: usize, to_do: Move) {
        match to_do {
            Move::Press(text) => self.press(tab, request(&format!("text {text}"))),
            Move::Attempt(which, fate) => self.attempt(tab, which, fate),
            Move::Timer => self.fire_timer(tab),
            Move::Tell(what) => self.feed(tab, what),
            Move::Forget => self.forget(tab),
            Move::Reload(in_editor) => self.reload(tab, in_editor),
            Move::Pass(ms) => self.pass(ms),
            Move::Jump(ms) => self.clock_ms = self.clock_ms.saturating_add_signed(ms),
            Move::Room(room) => self.room = room,
            Move::Empty => {
                let emptied = std::mem::take(&mut self.storage).into_keys();
                self.promises.emptied.extend(emptied);
                self.promises.owed.clear();
                self.promises.shown.clear();
                self.is_used = false;
            }
            Move::Hear => self.hear(tab),
            Move::Show(which) => self.show(which),
        }
    }

    /// Mostly the attempt under way, sometimes one of long ago.
    fn attempt(&mut self, tab: usize, which: Index, fate: Fate) {
        let attempts = &self.tabs[tab].attempts;
        if attempts.is_empty() {
            return;
        }
        let old = attempts[which.index(attempts.len())].0;
        let attempt = self.tabs[tab].in_flight.unwrap_or(old);
        let reply = self.meet(attempt, &fate);
        if !matches!(fate, Fate::Silent) {
            self.answer(tab, attempt, reply);
        }
    }

    /// What the server does, and what of it comes back.
    fn meet(&mut self, attempt: Attempt, fate: &Fate) -> Option<Reply> {
        match fate {
            Fate::Answered => Some(self.commit(attempt)),
            Fate::AnswerLost | Fate::Silent => {
                self.commit(attempt);
                None
            }
            Fate::Lost => None,
            Fate::Garbled => {
                let mut cut = self.commit(attempt);
                cut.body.truncate(9);
                Some(cut)
            }
            Fate::Status(status, retry_after_seconds) => Some(Reply {
                retry_after_seconds: *retry_after_seconds,
                ..reply(*status)
            }),
        }
    }

    fn forget(&mut self, tab: usize) {
        let current = self.tabs[tab].state.current.as_ref();
        let Some(key) = current.map(|save| save.entry.key) else {
            return;
        };
        // An attempt that is aborted belongs to no machine any more.
        self.feed(tab, Happening::Forget(key));
    }

    /// A page shows a save that storage says is saved, and marks it.
    fn show(&mut self, which: Index) {
        let mut unseen = self.entries();
        unseen.retain(Entry::is_unseen);
        if unseen.is_empty() || self.room != Room::Free {
            return;
        }
        let mut entry = unseen.swap_remove(which.index(unseen.len()));
        entry.is_shown = true;
        let json = serde_json::to_string(&Record::of_entry(&entry)).unwrap();
        self.storage.insert(entry.key, json);
        self.promises.shown.insert(entry.key);
    }

    /// The faults end: whatever is unresolved in a tab is answered.
    fn settle(&mut self, tab: usize) {
        for _ in 0..1_000 {
            if !self.tabs[tab].state.is_unresolved() {
                return;
            }
            match self.tabs[tab].in_flight {
                Some(attempt) => {
                    let reply = self.commit(attempt);
                    self.answer(tab, attempt, Some(reply));
                }
                None => self.fire_timer(tab),
            }
        }
        panic!("a save never ends");
    }

    /// The faults end: in time every stored save is known to exist, was refused, or waits for the person.
    fn end(&mut self) {
        self.room = Room::Free;
        (0..2).for_each(|tab| self.settle(tab));
        for _ in 0..=self.presses {
            self.reload(0, false);
            self.settle(0);
        }
        for entry in self.entries() {
            match entry.standing(self.clock_ms) {
                Standing::Resume => panic!("a pending save is left alone"),
                Standing::Replay | Standing::Reduce(_) => {
                    assert!(
                        self.committed.contains_key(&entry.key),
                        "a saved one that is not"
                    );
                }
                Standing::Stale | Standing::Refused | Standing::Over => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// About 60,000 steps a run.
    #[test]
    fn the_promises_hold_on_every_walk(moves in prop::collection::vec((0..2_usize, one_move()), 1..300)) {
        let mut world = World::new();
        for (tab, to_do) in moves {
            world.make(tab, to_do);
            world.check_storage();
            world.check_fetching(tab);
        }
        world.end();
    }
}
