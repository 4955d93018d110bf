//! Point selects through pools as oncebin has them.

use std::time::{Duration, Instant};

use anyhow::Result;
use sqlx::Executor;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio::task::JoinSet;

use super::statement;

/// Rows that are selected, in every primary.
pub(super) const ROWS: u32 = 10_000;

/// Connections of a pool, and selects at once through it.
const CONNECTIONS: u32 = 16;

/// Rows whose ids can be computed from their numbers.
const INSERT: &str = "
insert into paste (id, object_key, token_hash, syntax, size_bytes, sha256, created_at, expires_at)
select
  'bench-' || lpad(n::text, 8, '0'),
  'bench/' || n || '/0190a5e4-7b1c-7abc-8def-0123456789ab',
  sha256(int4send(n)),
  'rust',
  2048,
  sha256(int4send(n)),
  0,
  9000000000000000
from generate_series(0, $1 - 1) n
on conflict do nothing";

/// Puts the rows into every primary.
pub(super) async fn prepare(primaries: &[String]) -> Result<()> {
    for url in primaries {
        let pool = pool(url).await?;
        let rows = i32::try_from(ROWS)?;
        sqlx::query(INSERT).bind(rows).execute(&pool).await?;
        pool.execute("analyze paste").await?;
        pool.close().await;
    }
    Ok(())
}

/// Selects a second, over all primaries together.
pub(super) async fn selects(primaries: &[String], within: Duration) -> Result<f64> {
    let mut pools = Vec::new();
    for url in primaries {
        pools.push(pool(url).await?);
    }
    let started = Instant::now();
    let mut readers = JoinSet::new();
    for pool in &pools {
        for reader in 0..CONNECTIONS {
            readers.spawn(select_until(pool.clone(), reader, started + within));
        }
    }
    let mut selects = 0;
    while let Some(selected) = readers.join_next().await {
        selects += selected??;
    }
    Ok(f64::from(selects) / started.elapsed().as_secs_f64())
}

async fn pool(url: &str) -> Result<PgPool> {
    let options = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .test_before_acquire(false);
    let session: PgConnectOptions = url.parse()?;
    let session = session.options([("plan_cache_mode", "force_generic_plan")]);
    Ok(options.connect_with(session).await?)
}

async fn select_until(pool: PgPool, reader: u32, until: Instant) -> Result<u32> {
    let read = statement::postgres_read()?;
    let mut selects = 0;
    while Instant::now() < until {
        let row = (reader + selects * CONNECTIONS) % ROWS;
        let id = format!("bench-{row:08}");
        sqlx::query(read)
            .bind([0_i16].as_slice())
            .bind([id].as_slice())
            .fetch_one(&pool)
            .await?;
        selects += 1;
    }
    Ok(selects)
}
