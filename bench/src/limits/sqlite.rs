//! Grouped commits of creates into four SQLite files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::statement;
use crate::ROOT;

const FILES: u8 = 4;

/// Creates of one commit: 32 connections over four files.
const GROUP: u32 = 8;

/// Bytes of a sealed 201, about.
const ANSWER_BYTES: usize = 384;

/// Creates a second.
pub(super) async fn creates(folder: PathBuf, within: Duration) -> Result<f64> {
    fs::create_dir_all(&folder)?;
    let mut connections = Vec::new();
    for n in 0..FILES {
        connections.push(open(folder.join(format!("{n}.sqlite"))).await?);
    }
    let started = Instant::now();
    let mut writers = JoinSet::new();
    for connection in connections {
        writers.spawn(create_until(connection, started + within));
    }
    let mut creates = 0;
    while let Some(created) = writers.join_next().await {
        creates += created??;
    }
    let per_second = f64::from(creates) / started.elapsed().as_secs_f64();
    fs::remove_dir_all(folder)?;
    Ok(per_second)
}

/// A file with the server's tables that owns every slot, opened as the server's writer opens it.
async fn open(file: PathBuf) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging();
    let mut connection = SqliteConnection::connect_with(&options).await?;
    for migration in migrations()? {
        sqlx::raw_sql(AssertSqlSafe(migration))
            .execute(&mut connection)
            .await?;
    }
    for slot in 0..=u8::MAX {
        sqlx::query("insert into slot (slot) values ($1)")
            .bind(slot)
            .execute(&mut connection)
            .await?;
    }
    Ok(connection)
}

/// The schema's steps in order.
fn migrations() -> Result<Vec<String>> {
    let folder = Path::new(ROOT).join("migrations/sqlite");
    let entries = fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.sort();
    files
        .iter()
        .map(|file| Ok(fs::read_to_string(file)?))
        .collect()
}

async fn create_until(mut connection: SqliteConnection, until: Instant) -> Result<u32> {
    let create = statement::sqlite_create()?;
    let mut creates = 0;
    while Instant::now() < until {
        run(&mut connection, "begin immediate").await?;
        insert(&mut connection, create).await?;
        run(&mut connection, "commit").await?;
        creates += GROUP;
    }
    connection.close().await?;
    Ok(creates)
}

async fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<()> {
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}

/// A whole group, as the server's writer sends it.
async fn insert(connection: &mut SqliteConnection, create: &'static str) -> Result<()> {
    let group: Vec<_> = (0..GROUP).map(|_| fresh()).collect();
    sqlx::query(create)
        .bind(serde_json::to_string(&group)?)
        .bind(0_i64)
        .bind(i64::MAX)
        .fetch_one(connection)
        .await?;
    Ok(())
}

/// A create of its own.
fn fresh() -> Value {
    let (key, id, object) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    let hash = format!("{}{}", key.simple(), id.simple());
    json!({
        "slot": key.as_bytes()[0],
        "key_hash": hash,
        "digest_version": 1,
        "digest": hash,
        "answer": hash.repeat(ANSWER_BYTES / 32),
        "id": &id.simple().to_string()[..14],
        "object_key": format!("000/{object}"),
        "token_hash": hash,
        "title": null,
        "syntax": "rust",
        "size_bytes": 2048,
        "sha256": hash,
        "created_at": 0,
        "expires_at": i64::MAX,
    })
}
