//! Durable PUTs into a local folder.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::text::{Kind, Texts};

const FOLDERS: u128 = 256;
const AT_ONCE: usize = 32;

/// Objects a second, written as oncebin writes them.
pub(super) async fn puts(folder: PathBuf, texts: &Texts, within: Duration) -> Result<f64> {
    for n in 0..FOLDERS {
        fs::create_dir_all(folder.join(format!("{n:03}")))?;
    }
    let store: Arc<dyn ObjectStore> =
        Arc::new(LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true));
    let mut text = Vec::new();
    texts.write(Kind::Small, 0, &mut text);
    let text = Bytes::from(text);
    let started = Instant::now();
    let mut writers = JoinSet::new();
    for _ in 0..AT_ONCE {
        writers.spawn(put_until(
            Arc::clone(&store),
            text.clone(),
            started + within,
        ));
    }
    let mut puts = 0;
    while let Some(written) = writers.join_next().await {
        puts += written??;
    }
    let per_second = f64::from(puts) / started.elapsed().as_secs_f64();
    fs::remove_dir_all(folder)?;
    Ok(per_second)
}

async fn put_until(store: Arc<dyn ObjectStore>, text: Bytes, until: Instant) -> Result<u32> {
    let mut puts = 0;
    while Instant::now() < until {
        let name = Uuid::new_v4();
        let key = Key::from(format!("{:03}/{name}", name.as_u128() % FOLDERS));
        store.put(&key, text.clone().into()).await?;
        puts += 1;
    }
    Ok(puts)
}
