//! A fixed rate: requests are sent when they are due, whether or not earlier ones have been answered.
//!
//! Latency counts from the moment a request was due. A server that stalls is charged for every request it kept from
//! being sent, which a closed loop would leave out.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::tally::Tally;
use super::{Connection, Driven, Script, ask};

/// Time to get everything ready before the first request is due.
const HEAD_START: Duration = Duration::from_millis(50);

/// What is still waiting so long after the last request was due is given up, and counts as errors.
const GIVE_UP: Duration = Duration::from_secs(30);

/// When requests are due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) per_second: u32,
    pub(crate) seconds: u32,
}

type Due = Arc<Mutex<UnboundedReceiver<Instant>>>;

/// Sends on time, over as many connections as there are scripts.
///
/// # Errors
/// The server cannot be reached.
pub(crate) async fn open<S: Script>(
    address: SocketAddr,
    scripts: Vec<S>,
    schedule: Schedule,
) -> Result<Driven<S>> {
    let (sender, due) = unbounded_channel();
    let due: Due = Arc::new(Mutex::new(due));
    let mut connections = Vec::new();
    for script in scripts {
        connections.push((Connection::open(address).await?, script));
    }
    let start = Instant::now() + HEAD_START;
    let give_up = start + Duration::from_secs(schedule.seconds.into()) + GIVE_UP;
    let mut driven = JoinSet::new();
    for (connection, script) in connections {
        driven.spawn(drive(connection, script, Arc::clone(&due), give_up));
    }
    thread::spawn(move || pace(start, schedule, &sender));
    let mut tally = Tally::default();
    let mut scripts = Vec::new();
    while let Some(ended) = driven.join_next().await {
        let (part, script) = ended??;
        tally.add(part);
        scripts.push(script);
    }
    Ok(Driven {
        figures: tally.figures(start.elapsed()),
        scripts,
    })
}

/// On a thread of its own: the runtime's timers are a millisecond wide.
fn pace(start: Instant, schedule: Schedule, due: &UnboundedSender<Instant>) {
    for n in 0..schedule.per_second * schedule.seconds {
        let at = start + Duration::from_secs(1) * n / schedule.per_second;
        thread::sleep(at.saturating_duration_since(Instant::now()));
        if due.send(at).is_err() {
            return;
        }
    }
}

async fn drive<S: Script>(
    mut connection: Connection,
    mut script: S,
    due: Due,
    give_up: Instant,
) -> Result<(Tally, S)> {
    let mut tally = Tally::default();
    let mut request = Vec::new();
    loop {
        let next = due.lock().await.recv().await;
        let Some(at) = next else {
            return Ok((tally, script));
        };
        request.clear();
        let sent = Instant::now() < give_up && script.write(&mut request);
        let right = sent && ask(&mut connection, &mut script, &request).await?;
        tally.count(at.elapsed(), right);
    }
}
