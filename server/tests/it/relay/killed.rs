//! `kill -9` in each gap between two steps of the real binary's relay, and the next one on the same shard an hour later.

use crate::harness::postgres::{Clusters, Database};
use crate::harness::{
    Asked, FakeCdn, Process, Says, Scrape, TurnedClock, open_shard, text_files, until,
};
use app::wire::created::Created;
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any lease, and than the last purge waits.
const HOUR: Duration = Duration::from_secs(60 * 60);

const PASTES: usize = 5;

/// A shard, and what became of its rows.
struct Place {
    folder: TempDir,
    /// None is a file in the folder.
    database: Option<Database>,
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
    /// A shard with deletions, and all of their objects.
    async fn with_deletions(database: Option<Database>) -> (Self, Vec<Created>) {
        let place = Self {
            folder: TempDir::new().unwrap(),
            database,
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
        let shard = match &self.database {
            Some(database) => format!("--shards={}", database.socket_url()),
            None => format!(
                "--shards=sqlite://{}/0.sqlite",
                self.folder.path().display()
            ),
        };
        let purge = format!("--cdn-purge={}", self.template().display());
        let flags = [workers, &shard, &purge];
        Process::start_on(&self.clock, self.folder.path(), &flags)
    }

    /// By the clock of the shard: a file's is that of every process.
    async fn an_hour_passes(&mut self) {
        self.hours += 1;
        match &self.database {
            Some(database) => database.advance(HOUR).await,
            None => self.clock.set_ahead(self.hours * HOUR),
        }
    }

    /// Past the service.
    async fn run(&self, statement: String) {
        if let Some(database) = &self.database {
            return database.run(statement).await;
        }
        let mut file = open_shard(self.folder.path(), 0).await;
        file.execute(AssertSqlSafe(statement)).await.unwrap();
        file.close().await.unwrap();
    }

    /// How many deletions are so.
    async fn rows(&self, condition: &str) -> usize {
        let counting = format!("select count(*) from outbox where {condition}");
        let rows = match &self.database {
            Some(database) => database.number(counting).await,
            None => {
                let mut file = open_shard(self.folder.path(), 0).await;
                let counting = sqlx::query_scalar(AssertSqlSafe(counting));
                let rows = counting.fetch_one(&mut file).await.unwrap();
                file.close().await.unwrap();
                rows
            }
        };
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
        self.run(self.in_the_way(record)).await;
        let server = self.start("--workers=on");
        let failed = format!(
            "oncebin_worker_passes_total{{result=\"in_doubt\",shard=\"0\",worker=\"{worker}\"}}"
        );
        until("it cannot record", async || {
            Scrape::of(server.admin()).await.count(&failed) > 0
        })
        .await;
        server.kill();
        let away = match self.database {
            Some(_) => "drop function in_the_way cascade",
            None => "drop trigger in_the_way",
        };
        self.run(away.into()).await;
    }

    /// Lets nothing be recorded.
    fn in_the_way(&self, record: &str) -> String {
        let trigger = format!("create trigger in_the_way before {record} on outbox");
        match self.database {
            Some(_) => format!(
                "create function in_the_way() returns trigger language plpgsql as $$
                 begin raise exception 'not now'; end $$;
                 {trigger} for each row execute function in_the_way()"
            ),
            None => format!("{trigger} begin select raise(fail, 'not now'); end"),
        }
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
        text_files(&self.folder.path().join("objects"))
    }
}

fn show_again(hidden: Vec<(PathBuf, PathBuf)>) {
    for (object, hidden) in hidden {
        fs::remove_dir_all(&object).unwrap();
        fs::rename(hidden, object).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_relay_killed_in_any_gap_is_followed_by_one_that_finishes() {
    kill_in_every_gap(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_relay_killed_in_any_gap_is_followed_by_one_that_finishes() {
    let database = Clusters::first().await.database_with_clock().await;
    kill_in_every_gap(Some(database)).await;
}

async fn kill_in_every_gap(database: Option<Database>) {
    let (mut place, pastes) = Place::with_deletions(database).await;
    let hidden = place.hide_objects();
    assert_eq!(hidden.len(), PASTES);

    place.kill_while_the_cdn_is_asked().await;
    assert_eq!(place.rows("purged_at is null").await, PASTES);
    place.an_hour_passes().await;

    place.kill_before_it_records(PURGED).await;
    assert_eq!(place.purges(&pastes), [2; PASTES]);
    assert_eq!(place.rows("purged_at is null").await, PASTES);
    place.an_hour_passes().await;

    place.kill_once_all("purged_at is not null").await;
    assert_eq!(place.rows("object_deleted_at is null").await, PASTES);
    show_again(hidden);
    place.an_hour_passes().await;

    place.kill_before_it_records(OBJECT_DELETED).await;
    assert!(place.objects().is_empty());
    assert_eq!(place.rows("object_deleted_at is null").await, PASTES);
    place.an_hour_passes().await;

    place.kill_once_all("object_deleted_at is not null").await;
    assert_eq!(place.purges(&pastes), [3; PASTES]);
    place.an_hour_passes().await;

    place.kill_while_the_cdn_is_asked().await;
    place.an_hour_passes().await;

    place.kill_before_it_records(FINISHED).await;
    assert_eq!(place.purges(&pastes), [5; PASTES]);
    assert_eq!(place.rows("true").await, PASTES);
    place.an_hour_passes().await;

    let server = place.start("--workers=on");
    until("all is carried out", async || place.rows("true").await == 0).await;
    server.kill();
    assert_eq!(place.purges(&pastes), [6; PASTES]);
}
