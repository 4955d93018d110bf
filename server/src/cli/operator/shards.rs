//! The way to a shard as it is.

use crate::clock::Clock;
use crate::config::ShardUrl;
use crate::store::OperatorStore;
use crate::store::postgres::PostgresStore;
use crate::store::sqlite::SqliteStore;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Opens a shard and changes nothing in it. A PostgreSQL shard is not connected yet.
///
/// # Errors
/// Why not, for the operator.
pub(super) async fn open(url: &ShardUrl) -> Result<Arc<dyn OperatorStore>, String> {
    match url {
        ShardUrl::Sqlite(file) => open_file(file).await,
        // The library's error may quote the password.
        ShardUrl::Postgres(url) => match PostgresStore::new(url.reveal()) {
            Ok(store) => Ok(Arc::new(store)),
            Err(_) => Err("the URL cannot be read".into()),
        },
    }
}

async fn open_file(file: &Path) -> Result<Arc<dyn OperatorStore>, String> {
    // A name that can be seen says nothing of who may read the file, and SQLite does not say why it cannot.
    match File::open(file).and_then(|file| file.metadata()) {
        Ok(found) if found.len() > 0 => {}
        Ok(_) => return Err("the file is empty: was it lost?".into()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(
                "this user may not read the file: run this as the user of the service".into(),
            );
        }
        Err(error) => {
            return Err(format!(
                "the file is not there ({}): was `oncebin serve` never started with it, or was it lost?",
                error.kind()
            ));
        }
    }
    match SqliteStore::open_as_it_is(file, Clock::system()).await {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(format!("it cannot be opened: {error}")),
    }
}

/// Whether a file is not there, or is but an empty shell of itself.
pub(super) fn is_gone(url: &ShardUrl) -> bool {
    match url {
        ShardUrl::Sqlite(file) => match fs::metadata(file) {
            Ok(found) => found.len() == 0,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        },
        ShardUrl::Postgres(_) => false,
    }
}
