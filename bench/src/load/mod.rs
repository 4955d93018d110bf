//! Load over HTTP: connections, and the two ways of driving them.
//!
//! Nothing here knows pastes; a [`Script`] does.

mod closed;
mod connection;
mod open;
mod tally;

pub(crate) use closed::{Span, closed};
pub(crate) use connection::{Answer, Connection};
pub(crate) use open::{Schedule, open};
pub(crate) use tally::Figures;

/// What one connection asks, one request after the other.
pub(crate) trait Script: Send + 'static {
    /// Appends the next request, or says that there is none.
    fn write(&mut self, request: &mut Vec<u8>) -> bool;

    /// Whether this is the right answer to it.
    fn accept(&mut self, answer: &Answer<'_>) -> bool;
}

/// The figures of a load, and its scripts with what they have learned.
#[derive(Debug)]
pub(crate) struct Driven<S> {
    pub(crate) figures: Figures,
    pub(crate) scripts: Vec<S>,
}

/// One exchange; a broken connection is renewed and counts as a wrong answer.
///
/// # Errors
/// The server cannot be reached any more.
async fn ask<S: Script>(
    connection: &mut Connection,
    script: &mut S,
    request: &[u8],
) -> std::io::Result<bool> {
    let Ok(answer) = connection.exchange(request).await else {
        connection.renew().await?;
        return Ok(false);
    };
    Ok(script.accept(&answer))
}
