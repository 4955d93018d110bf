//! The suite of every store on SQLite, and what only a file has: another process that holds its lock.

use crate::harness::until;
use crate::store_conformance::suite;
use crate::store_shard::{SLOT, Shard, assert_absent, assert_there, claim, create, sample};
use futures_util::future::{join, join_all};
use oncebin::clock::Clock;
use oncebin::store::sqlite::SqliteStore;
use oncebin::store::{CreateOutcome, NewPaste, OperatorStore, Store, StoreError};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, Row};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) struct SqliteShard {
    store: Arc<SqliteStore>,
    clock: Clock,
    folder: TempDir,
}

suite!(SqliteShard);

impl Shard for SqliteShard {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        let clock = Clock::system();
        let file = folder.path().join("shard.sqlite");
        let store = SqliteStore::open(&file, clock.clone()).await.unwrap();
        Self {
            store: Arc::new(store),
            clock,
            folder,
        }
    }

    type Session = SqliteConnection;

    fn store(&self) -> &dyn OperatorStore {
        self.store.as_ref()
    }

    fn shared(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store) as _
    }

    async fn begin_create(&self, new: &NewPaste) -> SqliteConnection {
        let mut file = self.lock().await;
        let insert =
            "insert into paste values ($1, $2, x'00', null, null, 1, x'00', 0, 4000000000000)";
        let insert = sqlx::query(insert)
            .bind(new.paste.id.to_string())
            .bind(new.paste.object_key.clone());
        insert.execute(&mut file).await.unwrap();
        file
    }

    async fn commit(mut file: SqliteConnection) {
        sqlx::query("commit").execute(&mut file).await.unwrap();
        file.close().await.unwrap();
    }

    /// On a test's one thread the writer has begun by now, and waits.
    async fn until_it_waits(&self) {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }

    async fn advance(&self, span: Duration) {
        self.clock.advance(span);
    }

    async fn run(&self, statement: String) {
        let mut file = self.connect().await;
        let statement = sqlx::query(AssertSqlSafe(statement));
        statement.execute(&mut file).await.unwrap();
        file.close().await.unwrap();
    }

    async fn number(&self, statement: &'static str) -> i64 {
        let mut file = self.connect().await;
        let number = sqlx::query_scalar(statement).fetch_one(&mut file).await;
        file.close().await.unwrap();
        number.unwrap()
    }

    /// The clock that sweeps may be wrong.
    fn stays(&self) -> Duration {
        Duration::from_secs(48 * 60 * 60)
    }

    async fn outbox(&self) -> Vec<(String, String)> {
        let mut file = self.connect().await;
        let rows = sqlx::query("select paste_id, object_key from outbox order by n");
        let rows = rows.fetch_all(&mut file).await.unwrap();
        file.close().await.unwrap();
        rows.iter()
            .map(|row| (row.get("paste_id"), row.get("object_key")))
            .collect()
    }
}

impl SqliteShard {
    /// Another process, as far as SQLite knows.
    async fn connect(&self) -> SqliteConnection {
        let file = self.folder.path().join("shard.sqlite");
        SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file))
            .await
            .unwrap()
    }

    async fn lock(&self) -> SqliteConnection {
        let mut file = self.connect().await;
        let begun = sqlx::query("begin immediate").execute(&mut file).await;
        begun.unwrap();
        file
    }
}

/// A clock read before the lock is held would commit a paste whose object the reaper has taken.
#[tokio::test]
async fn a_deadline_that_passes_while_the_create_waits_for_the_lock_counts() {
    let shard = SqliteShard::open().await;
    let new = sample(1, claim(&shard).await);
    let lock = shard.lock().await;
    let waiting = async {
        shard.until_it_waits().await;
        shard.advance(Duration::from_secs(60)).await;
        lock.close().await.unwrap();
    };
    let (outcome, ()) = tokio::join!(create(&shard, &new), waiting);
    assert_eq!(outcome, CreateOutcome::TooLate);
    assert_absent(&shard, &new).await;
}

/// The writer is never without a create to commit until all of them are answered.
#[tokio::test]
async fn a_sweep_does_not_wait_until_creates_cease() {
    const CREATES: u32 = 300;
    let shard = SqliteShard::open().await;
    let now_ms = claim(&shard).await;
    let created = Cell::new(0);
    let creates = join_all((0..CREATES).map(|number| {
        let (shard, created) = (&shard, &created);
        async move {
            create(shard, &sample(number, now_ms)).await;
            created.set(created.get() + 1);
        }
    }));
    let sweep = async {
        assert_eq!(shard.store().sweep_keys(5).await, Ok(0));
        created.get()
    };
    let (_, before_the_sweep) = join(creates, sweep).await;
    assert!(before_the_sweep < CREATES);
}

/// Far from the length of a log at which the writer's own commits would do it.
#[tokio::test]
async fn what_was_committed_comes_into_the_file_while_the_store_is_open() {
    let shard = SqliteShard::open().await;
    let now_ms = claim(&shard).await;
    let file = shard.folder.path().join("shard.sqlite");
    let size = || std::fs::metadata(&file).unwrap().len();
    let before = size();
    let samples: Vec<_> = (0..300).map(|number| sample(number, now_ms)).collect();
    join_all(samples.iter().map(|new| create(&shard, new))).await;
    until("the file has grown", async || size() > before + 100_000).await;
    assert_there(&shard, &samples[299]).await;
}

/// It waits as long as the writer does for another process: five seconds.
#[tokio::test]
async fn a_file_that_stays_locked_is_unavailable_and_the_next_create_works() {
    let shard = SqliteShard::open().await;
    let new = sample(1, claim(&shard).await);
    let lock = shard.lock().await;
    let refused = shard.store().create(new.clone()).await;
    assert_eq!(refused, Err(StoreError::Unavailable));
    assert!(shard.store().look_up(SLOT, &new.key_hash).await.is_ok());
    lock.close().await.unwrap();
    assert_absent(&shard, &new).await;
    assert_eq!(create(&shard, &new).await, CreateOutcome::Created);
    assert_there(&shard, &new).await;
}

#[tokio::test]
async fn rows_are_there_when_the_file_is_opened_again() {
    let shard = SqliteShard::open().await;
    let new = sample(1, claim(&shard).await);
    assert_eq!(create(&shard, &new).await, CreateOutcome::Created);
    shard.store().close().await;
    let file = shard.folder.path().join("shard.sqlite");
    let store = SqliteStore::open(&file, shard.clock.clone()).await.unwrap();
    let store = Arc::new(store);
    let again = SqliteShard { store, ..shard };
    assert_there(&again, &new).await;
    assert_eq!(again.store().owned_slots().await, Ok(vec![SLOT]));
}

/// The file's clock is this machine's, which may start with a wrong one.
#[tokio::test]
async fn a_clock_that_is_two_days_wrong_sweeps_nothing_that_lives() {
    let shard = SqliteShard::open().await;
    let now_ms = claim(&shard).await;
    let (mut short, long) = (sample(1, now_ms), sample(2, now_ms));
    short.paste.expires_at_ms = now_ms + 60_000;
    for new in [&short, &long] {
        assert_eq!(create(&shard, new).await, CreateOutcome::Created);
    }
    let days = Duration::from_secs(48 * 60 * 60);
    let sweeps = async || {
        let store = shard.store();
        (store.sweep_pastes(500).await, store.sweep_keys(500).await)
    };
    shard.clock.advance(days);
    assert_eq!(sweeps().await, (Ok(0), Ok(0)));
    shard.clock.turn_back(days);
    for new in [&short, &long] {
        assert_there(&shard, new).await;
    }
    shard.clock.turn_back(days);
    assert_eq!(sweeps().await, (Ok(0), Ok(0)));
    shard.clock.advance(days);
    shard.clock.advance(days + Duration::from_secs(60));
    assert_eq!(sweeps().await, (Ok(1), Ok(0)));
}

/// A file that is open goes on taking writes when it has lost its name; nobody would ever read them again.
#[tokio::test]
async fn a_file_that_was_removed_or_replaced_takes_no_save_and_is_not_well() {
    for replaced in [false, true] {
        let shard = SqliteShard::open().await;
        let now_ms = claim(&shard).await;
        assert_eq!(
            create(&shard, &sample(1, now_ms)).await,
            CreateOutcome::Created
        );
        let file = shard.folder.path().join("shard.sqlite");
        std::fs::rename(&file, file.with_extension("away")).unwrap();
        if replaced {
            std::fs::write(&file, "").unwrap();
        }
        let refused = shard.store().create(sample(2, now_ms)).await;
        assert_eq!(refused, Err(StoreError::Unavailable));
        assert_eq!(
            shard.store().owned_slots().await,
            Err(StoreError::Unavailable)
        );
        std::fs::rename(file.with_extension("away"), &file).unwrap();
        assert_eq!(
            create(&shard, &sample(2, now_ms)).await,
            CreateOutcome::Created
        );
    }
}
