//! What the shards hold, read past the service.

use super::PATIENCE;
use super::postgres::Database;
use sha2::{Digest, Sha256};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Row};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The rows of all four shards.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) pastes: Vec<PasteFound>,
    pub(crate) keys: Vec<KeyFound>,
    pub(crate) outbox: Vec<OutboxFound>,
}

#[derive(Debug)]
pub(crate) struct PasteFound {
    pub(crate) shard: usize,
    pub(crate) id: String,
    pub(crate) object_key: String,
    pub(crate) sha256: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct KeyFound {
    pub(crate) shard: usize,
    pub(crate) hash: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct OutboxFound {
    pub(crate) shard: usize,
    pub(crate) id: String,
    /// For the first time.
    pub(crate) is_purged: bool,
}

/// Adds what a connection to a shard finds: the statements are the same for both kinds.
macro_rules! add_rows {
    ($rows:ident, $shard:ident, $connection:ident) => {
        let pastes = sqlx::query("select id, object_key, sha256 from paste");
        for row in pastes.fetch_all(&mut $connection).await.unwrap() {
            $rows.pastes.push(PasteFound {
                shard: $shard,
                id: row.get("id"),
                object_key: row.get("object_key"),
                sha256: row.get("sha256"),
            });
        }
        let keys = sqlx::query("select key_hash from idempotency");
        for row in keys.fetch_all(&mut $connection).await.unwrap() {
            $rows.keys.push(KeyFound {
                shard: $shard,
                hash: row.get("key_hash"),
            });
        }
        let outbox = sqlx::query("select paste_id, purged_at is not null as is_purged from outbox");
        for row in outbox.fetch_all(&mut $connection).await.unwrap() {
            $rows.outbox.push(OutboxFound {
                shard: $shard,
                id: row.get("paste_id"),
                is_purged: row.get("is_purged"),
            });
        }
    };
}

impl Rows {
    /// Reads every file of the embedded default, which a service may have open.
    pub(crate) async fn of(data: &Path) -> Self {
        let mut rows = Self::default();
        for shard in 0..4 {
            let mut file = open_shard(&data.join("shards"), shard).await;
            add_rows!(rows, shard, file);
            file.close().await.unwrap();
        }
        rows
    }

    /// Reads a copy of every shard, so that the next service still finds the files as the last one left them.
    pub(crate) async fn of_killed(data: &Path) -> Self {
        let copy = TempDir::new().unwrap();
        let shards = copy.path().join("shards");
        fs::create_dir(&shards).unwrap();
        for entry in fs::read_dir(data.join("shards")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), shards.join(entry.file_name())).unwrap();
        }
        Self::of(copy.path()).await
    }

    /// Reads every database, which services may have open.
    pub(crate) async fn in_databases(databases: &[Database]) -> Self {
        let mut rows = Self::default();
        for (shard, database) in databases.iter().enumerate() {
            let mut connection = database.connect().await;
            add_rows!(rows, shard, connection);
            connection.close().await.unwrap();
        }
        rows
    }

    /// Whether a key has its row.
    pub(crate) fn know(&self, key: &str) -> bool {
        let hash = key_hash(key);
        self.keys.iter().any(|found| found.hash == hash)
    }

    /// Every paste, also a deleted one, was committed together with a key of its slot, each in the file of its shard,
    /// and every paste has its whole object. A slot is a key hash's first byte, and an id's first two characters.
    pub(crate) fn assert_paired(&self, data: &Path) {
        let mut of_keys: Vec<_> = self
            .keys
            .iter()
            .map(|key| (key.shard, key.hash[0]))
            .collect();
        let live = self.pastes.iter().map(|paste| (paste.shard, &paste.id));
        let deleted = self.outbox.iter().map(|row| (row.shard, &row.id));
        let mut of_pastes: Vec<_> = live
            .chain(deleted)
            .map(|(shard, id)| (shard, slot_of(id)))
            .collect();
        of_keys.sort_unstable();
        of_pastes.sort_unstable();
        assert_eq!(of_keys, of_pastes);
        assert!(
            of_keys
                .iter()
                .all(|(shard, slot)| usize::from(*slot) / 64 == *shard)
        );
        for paste in &self.pastes {
            let object = fs::read(data.join("objects").join(&paste.object_key)).unwrap();
            assert_eq!(paste.sha256, Sha256::digest(object).as_slice());
        }
    }

    /// The ids of all pastes there are.
    pub(crate) fn ids(&self) -> BTreeSet<String> {
        self.pastes.iter().map(|paste| paste.id.clone()).collect()
    }
}

/// A connection to one shard's file.
pub(crate) async fn open_shard(folder: &Path, shard: usize) -> SqliteConnection {
    let file = folder.join(format!("{shard}.sqlite"));
    let options = SqliteConnectOptions::new().filename(file);
    SqliteConnection::connect_with(&options.busy_timeout(PATIENCE))
        .await
        .unwrap()
}

fn key_hash(key: &str) -> Vec<u8> {
    let key = uuid::Uuid::parse_str(key).unwrap();
    Sha256::digest(key.as_bytes()).to_vec()
}

fn slot_of(id: &str) -> u8 {
    let id: app::wire::id::PasteId = id.parse().unwrap();
    id.slot().number()
}
