//! Opens what keeps pastes, and refuses to go on with what seems to be lost.

use super::objects;
use crate::blob::Blob;
use crate::clock::Clock;
use crate::config::{ConfigError, Settings, ShardUrl};
use crate::metrics::{Metrics, SqlMetrics};
use crate::private_folder::make_private_folder;
use crate::shard::{ShardRouter, StartError};
use crate::store::postgres::PostgresStore;
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, StoreError};
use anyhow::Context;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Every shard of the slot map, each brought up to date where it answers. None is claimed for the first time beside
/// texts.
pub(super) async fn shards(
    settings: &Settings,
    clock: &Clock,
    metrics: &Metrics,
    blob: &Blob,
) -> anyhow::Result<ShardRouter> {
    let place = settings.objects.place();
    let no_texts = || objects::refuse_texts(blob, &place);
    refuse_lost_files(&settings.shards.urls, clock, no_texts()).await?;
    let mut stores = Vec::new();
    for (url, metrics) in settings.shards.urls.iter().zip(&metrics.shards) {
        stores.push(open_shard(url, clock, metrics.sql.clone()).await?);
    }
    let map = settings.shards.map.clone();
    Ok(ShardRouter::start(map, stores, &metrics.shards, no_texts()).await?)
}

/// A file that is gone must not come back empty: its pastes would be missing, and a retry of its keys a second paste.
///
/// All files are made before any slot is claimed, so beside a shard that owns slots no file can be one still to make;
/// nor can all of them be beside texts.
async fn refuse_lost_files(
    urls: &[ShardUrl],
    clock: &Clock,
    no_texts: impl Future<Output = Result<(), String>>,
) -> anyhow::Result<()> {
    let Some(lost) = urls.iter().find(|url| is_missing(url)) else {
        return Ok(());
    };
    let refusal = match shard_in_use(urls, clock).await? {
        Some(url) => format!(
            "{lost} is not there, but {url} is in use: was the file lost, or the number of shards changed? \
             Pastes do not move; start with the shards this data was made with"
        ),
        None if urls.iter().all(is_missing) => match no_texts.await {
            Ok(()) => return Ok(()),
            Err(refusal) => refusal,
        },
        None => return Ok(()),
    };
    // Looked for again, because a server that starts at the same time may have made it.
    anyhow::ensure!(!is_missing(lost), refusal);
    Ok(())
}

/// A shard that owns slots: this is not the first start.
///
/// # Errors
/// Also where none is known to, and one cannot be asked: a first start needs every shard.
pub(super) async fn shard_in_use<'a>(
    urls: &'a [ShardUrl],
    clock: &Clock,
) -> anyhow::Result<Option<&'a ShardUrl>> {
    let mut unknown = None;
    for (shard, url) in urls.iter().enumerate() {
        if is_missing(url) {
            continue;
        }
        let store = open_shard(url, clock, SqlMetrics::default()).await?;
        let owns_slots = owns_slots(store.as_ref()).await;
        store.close().await;
        match owns_slots {
            Ok(true) => return Ok(Some(url)),
            Ok(false) => {}
            Err(cause) => unknown = Some(StartError::Unreachable { shard, cause }),
        }
    }
    unknown.map_or(Ok(None), |error| Err(error.into()))
}

/// One that has no tables yet owns none.
async fn owns_slots(store: &dyn Store) -> Result<bool, StoreError> {
    Ok(!store.is_new().await? && !store.owned_slots().await?.is_empty())
}

/// Whether a file is not there, or is but an empty shell of itself.
fn is_missing(url: &ShardUrl) -> bool {
    match url {
        ShardUrl::Sqlite(file) => fs::metadata(file).map_or(true, |file| file.len() == 0),
        ShardUrl::Postgres(_) => false,
    }
}

async fn open_shard(
    url: &ShardUrl,
    clock: &Clock,
    metrics: SqlMetrics,
) -> anyhow::Result<Arc<dyn Store>> {
    let opened = match url {
        ShardUrl::Sqlite(file) => open_file(file, clock).await,
        // The library's error may quote the password.
        ShardUrl::Postgres(url) => match PostgresStore::measured(url.reveal(), metrics) {
            Ok(store) => Ok(Arc::new(store) as Arc<dyn Store>),
            Err(_) => Err(ConfigError("the URL cannot be read".into()).into()),
        },
    };
    opened.with_context(|| format!("cannot open the shard {url}"))
}

async fn open_file(file: &Path, clock: &Clock) -> anyhow::Result<Arc<dyn Store>> {
    make_folder_of(file)?;
    Ok(Arc::new(SqliteStore::open(file, clock.clone()).await?))
}

fn make_folder_of(file: &Path) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => make_private_folder(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display())),
        _ => Ok(()),
    }
}
