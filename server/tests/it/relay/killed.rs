//! `kill -9` in each gap between two steps of the real binary's relay, and the next one on the same file an hour later.

use crate::harness::{Asked, FakeCdn, Process, Says, Scrape, TurnedClock, open_shard, until};
use app::wire::created::Created;
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any lease, and than the last purge waits.
const HOUR: Duration = Duration::from_secs(60 * 60);

const PASTES: usize = 5;

/// Rows of one shard's file, and what became of them.
struct Place {
    folder: TempDir,
    clock: TurnedClock,
    cdn: FakeCdn,
    hours: u32,
}

/// What a relay has done and cannot record.
struct Unrecorded {
    worker: &'static str,
    /// Of `outbox`, as a trigger names it.
    record: &'static str,
}

const PURGED: Unrecorded = Unrecorded {
    worker: "relay_purges",
    record: "update of purged_at",
};

const OBJECT_DELETED: Unrecorded = Unrecorded {
    worker: "relay_objects",
    record: "update of object_deleted_at",
};

const FINISHED: Unrecorded = Unrecorded {
    worker: "relay_purges",
    record: "delete",
};

impl Place {
    /// A file with deletions, and all of their objects.
    async fn with_deletions() -> (Self, Vec<Created>) {
        let place = Self {
            folder: TempDir::new().unwrap(),
            clock: TurnedClock::true_time(),
            cdn: FakeCdn::start().await,
            hours: 0,
        };
        fs::write(place.template(), place.cdn.template_text(10)).unwrap();
        let server = place.start("--workers=off");
        let mut pastes = Vec::new();
        for _ in 0..PASTES {
            let paste = server.save_new("text\n").await.created();
            let deleted = server.delete(&paste.id, &paste.delete_token).await;
            assert_eq!(deleted.status, 204);
            pastes.push(paste);
        }
        server.kill();
        (place, pastes)
    }

    fn template(&self) -> PathBuf {
        self.folder.path().join("cdn.purge")
    }

    fn start(&self, workers: &str) -> Process {
        let folder = self.folder.path().display();
        let shard = format!("--shards=sqlite://{folder}/0.sqlite");
        let purge = format!("--cdn-purge={}", self.template().display());
        let flags = [workers, &shard, &purge];
        Process::start_on(&self.clock, self.folder.path(), &flags)
    }

    /// By the clock of every process.
    fn an_hour_passes(&mut self) {
        self.hours += 1;
        self.clock.set_ahead(self.hours * HOUR);
    }

    /// Past the service.
    async fn run(&self, statement: String) {
        let mut file = open_shard(self.folder.path(), 0).await;
        file.execute(AssertSqlSafe(statement)).await.unwrap();
        file.close().await.unwrap();
    }

    /// How many deletions are so.
    async fn rows(&self, condition: &str) -> usize {
        let mut file = open_shard(self.folder.path(), 0).await;
        let counting = format!("select count(*) from outbox where {condition}");
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(counting))
            .fetch_one(&mut file)
            .await
            .unwrap();
        file.close().await.unwrap();
        usize::try_from(rows).unwrap()
    }

    /// Kills a server once every row is so.
    async fn kill_once_all(&self, condition: &str) {
        let server = self.start("--workers=on");
        until(condition, async || self.rows(condition).await == PASTES).await;
        server.kill();
    }

    /// Kills a server once the CDN, which does not answer, was asked.
    async fn kill_while_the_cdn_is_asked(&self) {
        self.cdn.will(|_| Says::Nothing);
        let before = self.cdn.asked().len();
        let server = self.start("--workers=on");
        until("the CDN is asked", async || self.cdn.asked().len() > before).await;
        server.kill();
        self.cdn.will(|_| Says::Status(200));
    }

    /// Kills a server that has done something and cannot record it: a trigger is in the way.
    async fn kill_before_it_records(&self, Unrecorded { worker, record }: Unrecorded) {
        self.run(format!(
            "create trigger in_the_way before {record} on outbox begin select raise(fail, 'not now'); end"
        ))
        .await;
        let server = self.start("--workers=on");
        let failed = format!(
            "oncebin_worker_passes_total{{result=\"in_doubt\",shard=\"0\",worker=\"{worker}\"}}"
        );
        until("it cannot record", async || {
            Scrape::of(server.admin()).await.count(&failed) > 0
        })
        .await;
        server.kill();
        self.run("drop trigger in_the_way".into()).await;
    }

    /// How often each of them was purged so far.
    fn purges(&self, pastes: &[Created]) -> Vec<usize> {
        let purged: Vec<_> = self.cdn.asked().iter().flat_map(Asked::tags).collect();
        let times = |paste: &Created| purged.iter().filter(|tag| **tag == paste.id).count();
        pastes.iter().map(times).collect()
    }

    /// Puts a folder in the place of each object, where nothing can be deleted; the objects, as they are to come back.
    fn hide_objects(&self) -> Vec<(PathBuf, PathBuf)> {
        let aside = self.folder.path().join("aside");
        fs::create_dir(&aside).unwrap();
        let hide = |object: PathBuf| {
            let hidden = aside.join(object.file_name().unwrap());
            fs::rename(&object, &hidden).unwrap();
            fs::create_dir(&object).unwrap();
            fs::write(object.join("in the way"), "").unwrap();
            (object, hidden)
        };
        self.objects().into_iter().map(hide).collect()
    }

    fn objects(&self) -> Vec<PathBuf> {
        let entries = |folder: PathBuf| {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        };
        entries(self.folder.path().join("objects"))
            .flat_map(entries)
            .collect()
    }
}

fn show_again(hidden: Vec<(PathBuf, PathBuf)>) {
    for (object, hidden) in hidden {
        fs::remove_dir_all(&object).unwrap();
        fs::rename(hidden, object).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_killed_in_any_gap_is_followed_by_one_that_finishes() {
    let (mut place, pastes) = Place::with_deletions().await;
    let hidden = place.hide_objects();
    assert_eq!(hidden.len(), PASTES);

    place.kill_while_the_cdn_is_asked().await;
    assert_eq!(place.rows("purged_at is null").await, PASTES);
    place.an_hour_passes();

    place.kill_before_it_records(PURGED).await;
    assert_eq!(place.purges(&pastes), [2; PASTES]);
    assert_eq!(place.rows("purged_at is null").await, PASTES);
    place.an_hour_passes();

    place.kill_once_all("purged_at is not null").await;
    assert_eq!(place.rows("object_deleted_at is null").await, PASTES);
    show_again(hidden);
    place.an_hour_passes();

    place.kill_before_it_records(OBJECT_DELETED).await;
    assert!(place.objects().is_empty());
    assert_eq!(place.rows("object_deleted_at is null").await, PASTES);
    place.an_hour_passes();

    place.kill_once_all("object_deleted_at is not null").await;
    assert_eq!(place.purges(&pastes), [3; PASTES]);
    place.an_hour_passes();

    place.kill_while_the_cdn_is_asked().await;
    place.an_hour_passes();

    place.kill_before_it_records(FINISHED).await;
    assert_eq!(place.purges(&pastes), [5; PASTES]);
    assert_eq!(place.rows("true").await, PASTES);
    place.an_hour_passes();

    let server = place.start("--workers=on");
    until("all is carried out", async || place.rows("true").await == 0).await;
    server.kill();
    assert_eq!(place.purges(&pastes), [6; PASTES]);
}
