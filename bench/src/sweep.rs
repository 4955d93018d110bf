//! Creates at a fixed rate beside a sweep, and without one: in turn, on one shard that is full of expired rows.
//!
//! Many short rounds instead of few long ones: what else the machine does comes and goes, and has to fall on both kinds.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, SqliteConnection};
use tokio::runtime::Runtime;

use crate::load::{Figures, Schedule, open};
use crate::scenarios::saving;
use crate::server::Program;
use crate::text::Texts;

/// Connections of the load: more than are ever in use unless the server stalls.
const CONNECTIONS: usize = 64;

/// Rounds of each kind. Every other pair begins with the sweeper, so that a drift falls on both kinds.
const ROUNDS: usize = 9;

/// The most that p99 may be with the sweeper, over what it is without.
const GOAL: f64 = 1.2;

/// Expired long ago, each at a time of its own; keys and answers of the sizes they have in oncebin.
const FILL_SQLITE: &str = "
with recursive numbers (n) as (
  select 1
  union all
  select n + 1
  from numbers
  where n < $1
)
insert into idempotency (key_hash, digest_version, digest, answer, expires_at)
select randomblob(32), 1, randomblob(32), randomblob(384), n
from numbers";

const FILL_POSTGRES: &str = "
insert into idempotency (key_hash, digest_version, digest, answer, expires_at)
select sha256(int8send(n)), 1, sha256(int8send(n)), decode(repeat(md5(n::text), 24), 'hex'), n
from generate_series(1, $1) n";

const COUNT: &str = "
select count(*)
from idempotency
where expires_at <= $1";

/// One round.
#[derive(Clone, Copy, Debug, Serialize)]
struct Round {
    swept: i64,
    left: i64,
    #[serde(flatten)]
    figures: Figures,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    without: Vec<Round>,
    with: Vec<Round>,
    /// p99 with the sweeper over p99 without, each the median of its rounds.
    ratio: f64,
    goal: f64,
    met: bool,
}

/// Runs all rounds on a shard that is filled with `rows` expired idempotency rows first.
///
/// # Errors
/// The server or the shard fails, or the sweeper was done before the load was.
pub(crate) fn compare(
    program: &Program,
    shard: &str,
    rows: u32,
    schedule: Schedule,
    texts: &Arc<Texts>,
    runtime: &Runtime,
) -> Result<Comparison> {
    program.start(runtime)?.stop()?;
    println!("filling the shard with {rows} expired idempotency rows");
    runtime
        .block_on(fill(shard, rows))
        .context("filling the shard")?;
    println!("sweeper    swept      left  a second   p50 ms   p99 ms   max ms errors");
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for pair in 0..ROUNDS {
        for sweeps in [pair % 2 == 1, pair % 2 == 0] {
            let workers = if sweeps { "on" } else { "off" };
            let before = runtime.block_on(count(shard, rows))?;
            let server = program.start_with(&["--workers", workers], runtime)?;
            let load = open(server.address, saving(texts, CONNECTIONS), schedule);
            let figures = runtime.block_on(load)?.figures;
            let left = runtime.block_on(count(shard, rows))?;
            server.stop()?;
            let swept = before - left;
            ensure!(
                (swept > 0) == sweeps && left > 0,
                "no rows were left to sweep, or none were swept: {swept} swept, {left} left"
            );
            let round = Round {
                swept,
                left,
                figures,
            };
            print(workers, round);
            if sweeps { &mut with } else { &mut without }.push(round);
        }
    }
    let ratio = median_p99(&with) / median_p99(&without);
    println!("p99 with / without: {ratio:.2}, goal at most {GOAL}");
    Ok(Comparison {
        without,
        with,
        ratio,
        goal: GOAL,
        met: ratio <= GOAL,
    })
}

fn print(
    workers: &str,
    Round {
        swept,
        left,
        figures,
    }: Round,
) {
    println!(
        "{workers:<7} {swept:>8} {left:>9} {:>9.0} {:>8.2} {:>8.2} {:>8.1} {:>6}",
        figures.per_second, figures.p50_ms, figures.p99_ms, figures.max_ms, figures.errors
    );
}

fn median_p99(rounds: &[Round]) -> f64 {
    let mut p99: Vec<_> = rounds.iter().map(|round| round.figures.p99_ms).collect();
    p99.sort_by(f64::total_cmp);
    p99[p99.len() / 2]
}

async fn fill(shard: &str, rows: u32) -> Result<()> {
    if let Some(file) = shard.strip_prefix("sqlite://") {
        let mut file = open_file(file).await?;
        sqlx::query(FILL_SQLITE)
            .bind(rows)
            .execute(&mut file)
            .await?;
        file.close().await?;
    } else {
        let mut database = PgConnection::connect(shard).await?;
        let filling = sqlx::query(FILL_POSTGRES).bind(i64::from(rows));
        filling.execute(&mut database).await?;
        sqlx::raw_sql(AssertSqlSafe("vacuum analyze idempotency"))
            .execute(&mut database)
            .await?;
        database.close().await?;
    }
    Ok(())
}

/// Expired rows that are left.
async fn count(shard: &str, rows: u32) -> Result<i64> {
    let rows = i64::from(rows);
    if let Some(file) = shard.strip_prefix("sqlite://") {
        let mut file = open_file(file).await?;
        return Ok(sqlx::query_scalar(COUNT)
            .bind(rows)
            .fetch_one(&mut file)
            .await?);
    }
    let mut database = PgConnection::connect(shard).await?;
    Ok(sqlx::query_scalar(COUNT)
        .bind(rows)
        .fetch_one(&mut database)
        .await?)
}

async fn open_file(file: &str) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::new().filename(file);
    Ok(options.disable_statement_logging().connect().await?)
}
