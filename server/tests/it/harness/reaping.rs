//! A shard, an object folder, and a reaper whose times a test makes.

use super::postgres::{Clusters, Database};
use crate::store_shard::{SLOT, sample};
use oncebin::blob::{Blob, ObjectKey};
use oncebin::clock::{Clock, Stopwatch};
use oncebin::store::postgres::PostgresStore;
use oncebin::store::sqlite::SqliteStore;
use oncebin::store::{CreateOutcome, DeleteOutcome, NewPaste, Store};
use oncebin::workers::{Reaper, ReaperRules};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// What a create may take, as the reapers of these tests know it: their age floor too.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// One shard that owns one slot, and the folder of its objects.
pub(crate) struct Place {
    store: Arc<dyn Store>,
    shard: Kind,
    folder: TempDir,
    now_ms: i64,
}

enum Kind {
    File(PathBuf),
    Database(Database),
}

/// A create past the store that has not ended.
pub(crate) enum OpenCreate {
    File(SqliteConnection),
    Database(PgConnection),
}

/// A reaper, and what turns the time between its sightings.
pub(crate) struct Reaping {
    pub(crate) reaper: Reaper,
    pub(crate) stopwatch: Stopwatch,
}

impl Place {
    pub(crate) async fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("shard.sqlite");
        let store = SqliteStore::open(&file, Clock::system()).await.unwrap();
        Self::of(Arc::new(store), Kind::File(file), folder).await
    }

    pub(crate) async fn postgres() -> Self {
        let database = Clusters::first().await.database().await;
        let store = PostgresStore::new(&database.socket_url()).unwrap();
        store.prepare().await.unwrap();
        let folder = TempDir::new().unwrap();
        Self::of(Arc::new(store), Kind::Database(database), folder).await
    }

    async fn of(store: Arc<dyn Store>, shard: Kind, folder: TempDir) -> Self {
        assert_eq!(store.claim_slots(&[SLOT]).await, Ok(true));
        let now_ms = store.look_up(SLOT, &[0; 32]).await.unwrap().now_ms;
        let place = Self {
            store,
            shard,
            folder,
            now_ms,
        };
        place.blob();
        place
    }

    /// A reaper that has seen nothing yet.
    pub(crate) fn reaper(&self, brake: bool) -> Reaping {
        let rules = ReaperRules {
            age_floor: DEADLINE,
            sightings_apart: 10 * DEADLINE,
            brake,
        };
        let stopwatch = Stopwatch::default();
        let store = Arc::clone(&self.store);
        let reaper = Reaper::new(0, store, self.blob(), rules, stopwatch.clone());
        Reaping { reaper, stopwatch }
    }

    fn blob(&self) -> Blob {
        Blob::local(&self.folder.path().join("objects")).unwrap()
    }

    /// The folder of the slot.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().join("objects/007")
    }

    /// How many files the folder holds.
    pub(crate) fn objects(&self) -> usize {
        fs::read_dir(self.folder()).unwrap().count()
    }

    /// A file in the folder, last written so long ago.
    pub(crate) fn file(&self, name: &str, age: Duration) -> PathBuf {
        let file = self.folder().join(name);
        fs::write(&file, "text").unwrap();
        self.age(&file, age);
        file
    }

    /// Turns a file's time back, as if the store's clock had gone on.
    pub(crate) fn age(&self, file: &Path, age: Duration) {
        let opened = File::options().write(true).open(file).unwrap();
        opened.set_modified(SystemTime::now() - age).unwrap();
    }

    /// An object that no row names.
    pub(crate) fn object_of_age(&self, age: Duration) -> PathBuf {
        let key = ObjectKey::fresh(SLOT);
        self.file(key.as_str().split_once('/').unwrap().1, age)
    }

    /// A paste with an object key as the service makes them.
    pub(crate) fn sample(&self, number: u32) -> NewPaste {
        let mut new = sample(number, self.now_ms);
        new.paste.object_key = ObjectKey::fresh(SLOT).as_str().to_owned();
        new
    }

    /// The object of a paste.
    pub(crate) fn put(&self, new: &NewPaste, age: Duration) -> PathBuf {
        let name = new.paste.object_key.split_once('/').unwrap().1;
        self.file(name, age)
    }

    pub(crate) async fn create(&self, new: &NewPaste) {
        let created = self.store.create(new.clone()).await;
        assert_eq!(created, Ok(CreateOutcome::Created));
    }

    pub(crate) async fn delete(&self, new: &NewPaste) {
        let deleted = self.store.delete(new.paste.id, &new.token_hash).await;
        assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
    }

    pub(crate) async fn expire(&self, new: &NewPaste) {
        let id = new.paste.id;
        self.run(format!("update paste set expires_at = 1 where id = '{id}'"))
            .await;
        assert_eq!(self.store.read(id).await, Ok(None));
    }

    /// A create whose paste is inserted and not committed.
    pub(crate) async fn begin_create(&self, new: &NewPaste) -> OpenCreate {
        let begin = match &self.shard {
            Kind::File(_) => "begin immediate",
            Kind::Database(_) => "begin; select 1 from slot where slot = 7 for key share",
        };
        let (id, key) = (new.paste.id, &new.paste.object_key);
        let insert = AssertSqlSafe(format!(
            "{begin}; insert into paste values ('{id}', '{key}', {empty}, null, null, 1, {empty}, 0, 4000000000000)",
            empty = match &self.shard {
                Kind::File(_) => "x''",
                Kind::Database(_) => "''",
            }
        ));
        match &self.shard {
            Kind::File(file) => {
                let mut file = connect(file).await;
                file.execute(insert).await.unwrap();
                OpenCreate::File(file)
            }
            Kind::Database(database) => {
                let mut session = database.connect().await;
                session.execute(insert).await.unwrap();
                OpenCreate::Database(session)
            }
        }
    }

    pub(crate) async fn give_slots_up(&self) {
        self.run("delete from slot".into()).await;
    }

    /// A file in the place of the slot's folder: it cannot be listed. Where the folder is meanwhile.
    pub(crate) fn hide_folder(&self) -> PathBuf {
        let aside = self.folder.path().join("aside");
        fs::rename(self.folder(), &aside).unwrap();
        fs::write(self.folder(), "in the way").unwrap();
        aside
    }

    pub(crate) fn show_folder(&self, aside: PathBuf) {
        fs::remove_file(self.folder()).unwrap();
        fs::rename(aside, self.folder()).unwrap();
    }

    /// No row of a paste can be asked for; the slots can.
    pub(crate) async fn hide_rows(&self) {
        self.run("alter table paste rename to hidden".into()).await;
    }

    pub(crate) async fn show_rows(&self) {
        self.run("alter table hidden rename to paste".into()).await;
    }

    /// One more slot, with a file in the place of its folder.
    pub(crate) async fn own_a_slot_without_folder(&self) {
        self.run("insert into slot (slot) values (8)".into()).await;
        let folder = self.folder.path().join("objects/008");
        fs::remove_dir(&folder).unwrap();
        fs::write(folder, "in the way").unwrap();
    }

    pub(crate) async fn close(&self) {
        self.store.close().await;
    }

    async fn run(&self, statement: String) {
        match &self.shard {
            Kind::Database(database) => database.run(statement).await,
            Kind::File(file) => {
                let mut file = connect(file).await;
                file.execute(AssertSqlSafe(statement)).await.unwrap();
                file.close().await.unwrap();
            }
        }
    }
}

impl OpenCreate {
    pub(crate) async fn commit(self) {
        match self {
            Self::File(mut file) => {
                file.execute("commit").await.unwrap();
                file.close().await.unwrap();
            }
            Self::Database(mut session) => {
                session.execute("commit").await.unwrap();
                session.close().await.unwrap();
            }
        }
    }
}

async fn connect(file: &Path) -> SqliteConnection {
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file))
        .await
        .unwrap()
}
