//! Reading a request body: bounded in bytes, in time, and in what all bodies together hold.

use super::Http;
use super::failure::Failure;
use super::in_flight::Charge;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::error::Error;
use std::io;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A whole body and what it is charged for; the charge is to be dropped with the last of its bytes.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) bytes: Bytes,
    pub(super) charge: Charge,
}

/// How a body is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The most bytes of body.
    pub(super) bytes_max: u64,
    /// The limit on content that a refusal names.
    pub(super) content_bytes_max: u64,
    /// How many bytes of memory each byte costs: a form that is decoded is there twice.
    pub(super) copies: u64,
}

impl Reading {
    /// What is allowed for the headers' sake: a declared length past the limit needs no reading.
    pub(super) fn check_declared(&self, headers: &HeaderMap) -> Result<(), Failure> {
        match declared_bytes(headers) {
            Some(bytes) if bytes > self.bytes_max => {
                Err(Failure::BodyTooLarge(self.content_bytes_max))
            }
            _ => Ok(()),
        }
    }
}

/// Reads a body to its end. What is left of a refused one is discarded when `body` is dropped.
pub(super) async fn receive(
    http: &Http,
    headers: &HeaderMap,
    body: Body,
    reading: Reading,
) -> Result<Received, Failure> {
    let mut receiving = Receiving::begin(http, headers, body);
    receiving.read_to_end(&reading).await?;
    Ok(receiving.received())
}

/// A body that is being read. One that was too long can be read on with a larger limit.
#[derive(Debug)]
pub(super) struct Receiving<'a> {
    http: &'a Http,
    headers: &'a HeaderMap,
    body: Body,
    charge: Charge,
    started: Instant,
    /// The first chunk is often the only one; then nothing is copied.
    first: Option<Bytes>,
    /// All of them, once there are two.
    buffer: Vec<u8>,
    received: u64,
    /// A chunk that crossed the limit.
    ahead: Option<Bytes>,
}

impl<'a> Receiving<'a> {
    pub(super) fn begin(http: &'a Http, headers: &'a HeaderMap, body: Body) -> Self {
        Self {
            http,
            headers,
            body,
            charge: http.in_flight.open(),
            started: Instant::now(),
            first: None,
            buffer: Vec::new(),
            received: 0,
            ahead: None,
        }
    }

    pub(super) async fn read_to_end(&mut self, reading: &Reading) -> Result<(), Failure> {
        reading.check_declared(self.headers)?;
        while self.more(reading).await? {}
        Ok(())
    }

    /// Reads one chunk; false at the end.
    pub(super) async fn more(&mut self, reading: &Reading) -> Result<bool, Failure> {
        let Some(chunk) = self.next().await? else {
            return Ok(false);
        };
        let received = self.received + chunk.len() as u64;
        if received > reading.bytes_max {
            self.ahead = Some(chunk);
            return Err(Failure::BodyTooLarge(reading.content_bytes_max));
        }
        self.received = received;
        let cost = chunk.len() as u64 * reading.copies;
        self.charge.add(cost).map_err(|_| Failure::Overloaded)?;
        self.keep(chunk, reading);
        Ok(true)
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let deadline = self.started + time_allowed(self.http, self.received);
        next_chunk(&mut self.body, deadline).await
    }

    fn keep(&mut self, chunk: Bytes, reading: &Reading) {
        match self.first.take() {
            None if self.buffer.is_empty() => self.first = Some(chunk),
            first => {
                if let Some(first) = first {
                    let capacity = capacity(self.headers, reading);
                    self.buffer.reserve_exact(capacity);
                    self.buffer.extend_from_slice(&first);
                }
                self.buffer.extend_from_slice(&chunk);
            }
        }
    }

    /// What has been read.
    pub(super) fn so_far(&self) -> &[u8] {
        self.first.as_deref().unwrap_or(&self.buffer)
    }

    pub(super) fn received(self) -> Received {
        Received {
            bytes: self.first.unwrap_or_else(|| self.buffer.into()),
            charge: self.charge,
        }
    }
}

/// The next bytes, or none at the end.
async fn next_chunk(body: &mut Body, deadline: Instant) -> Result<Option<Bytes>, Failure> {
    loop {
        let frame = timeout_at(deadline, body.frame())
            .await
            .map_err(|_| Failure::BodyTooSlow)?;
        match frame {
            None => return Ok(None),
            Some(Err(error)) => return Err(broken(&error)),
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data()
                    && !bytes.is_empty()
                {
                    return Ok(Some(bytes));
                }
            }
        }
    }
}

/// A body that ended too early may arrive whole the next time; chunks that cannot be read will be the same again.
fn broken(error: &axum::Error) -> Failure {
    let mut cause = error.source();
    while let Some(error) = cause {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if let Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) = kind {
            return Failure::MalformedBody("The chunks of the body cannot be read.".into());
        }
        cause = error.source();
    }
    Failure::BodyBroken
}

/// 30 s and 1 s for each 64 KiB received (architecture.md, deadlines).
fn time_allowed(http: &Http, received: u64) -> Duration {
    let steps = u32::try_from(received / (64 * 1024)).unwrap_or(u32::MAX);
    let deadlines = &http.deadlines;
    deadlines.request_body + deadlines.request_body_each_64_kib.saturating_mul(steps)
}

/// What `Content-Length` says.
pub(super) fn declared_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Memory is reserved, not yet used, for a declared length; it becomes resident as bytes arrive.
fn capacity(headers: &HeaderMap, reading: &Reading) -> usize {
    let declared = declared_bytes(headers).unwrap_or(0).min(reading.bytes_max);
    usize::try_from(declared).unwrap_or(0)
}
