//! One attempt of a save on the wire.

use super::driver::now_ms;
use super::http::cause;
use crate::config::BaseUrl;
use app::save::{Key, Reply, Unanswered, http_date_ms, retry_after_seconds};
use app::wire::paste::CreateRequest;
use bytes::Bytes;
use futures_util::stream;
use indicatif::ProgressBar;
use reqwest::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, DATE, HeaderName, HeaderValue, RETRY_AFTER,
};
use reqwest::{Body, Client, Response, Url};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes handed to the network at once, and counted as sent.
const PIECE_BYTES: usize = 64 * 1024;

/// The most of an answer that is read: far more than any 201 or problem has.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Why there is no answer, and what the network said of it.
pub(super) type Silence = (Unanswered, Option<String>);

/// The text as the network takes it, without a copy.
struct Text(Arc<CreateRequest>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.content.as_bytes()
    }
}

/// Sends a save once and waits for the whole answer.
pub(super) async fn send(
    client: Client,
    server: BaseUrl,
    key: Key,
    request: Arc<CreateRequest>,
    bar: ProgressBar,
    limit: Duration,
) -> Result<Reply, Silence> {
    match timeout(limit, exchange(&client, &server, key, &request, bar)).await {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(error)) => Err((Unanswered::Network, Some(cause(error)))),
        Err(_) => Err((Unanswered::Timeout, None)),
    }
}

async fn exchange(
    client: &Client,
    server: &BaseUrl,
    key: Key,
    request: &Arc<CreateRequest>,
    bar: ProgressBar,
) -> reqwest::Result<Reply> {
    let asking = client
        .post(address(server, request))
        .header("Idempotency-Key", key.as_str())
        .header(CONTENT_TYPE, "text/plain; charset=utf-8")
        .header(CONTENT_LENGTH, request.content.len())
        .header(ACCEPT, "application/json")
        .body(body(request, bar));
    let answer = asking.send().await?;
    let header = |name: HeaderName| {
        let value: Option<&HeaderValue> = answer.headers().get(name);
        value.and_then(|value| value.to_str().ok())
    };
    let asked = header(RETRY_AFTER);
    Ok(Reply {
        status: answer.status().as_u16(),
        retry_after_seconds: asked
            .and_then(|asked| retry_after_seconds(asked, header(DATE), now_ms(), http_date_ms)),
        body: read(answer).await?,
    })
}

/// Where saves go. A base URL and a path are always an address; the options stand in the query.
fn address(server: &BaseUrl, request: &CreateRequest) -> String {
    let address = format!("{server}/api/pastes");
    let options = [
        ("title", &request.title),
        ("syntax", &request.syntax),
        ("expires_in", &request.expires_in),
    ];
    let given = options.map(|(name, value)| value.as_ref().map(|value| (name, value)));
    let pairs = given.into_iter().flatten();
    match Url::parse_with_params(&address, pairs) {
        Ok(url) if url.query() != Some("") => url.into(),
        _ => address,
    }
}

/// The text in pieces, each counted when the network takes it.
fn body(request: &Arc<CreateRequest>, bar: ProgressBar) -> Body {
    let text = Bytes::from_owner(Text(Arc::clone(request)));
    bar.set_position(0);
    let pieces = stream::unfold(text, move |mut rest| {
        let piece = rest.split_to(rest.len().min(PIECE_BYTES));
        bar.inc(piece.len() as u64);
        async move { (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), rest)) }
    });
    Body::wrap_stream(pieces)
}

/// The answer's body, or as much as any honest one has.
async fn read(mut answer: Response) -> reqwest::Result<String> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await? {
        body.extend_from_slice(&piece);
        if body.len() > ANSWER_BYTES_MAX {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_in_the_query_and_nothing_else_does() {
        let server = "https://example.org/paste".parse().unwrap();
        let mut request = CreateRequest {
            content: "secret".into(),
            title: None,
            syntax: None,
            expires_in: None,
        };
        assert_eq!(
            address(&server, &request),
            "https://example.org/paste/api/pastes"
        );
        request.title = Some("a&b é".into());
        request.expires_in = Some("1h".into());
        assert_eq!(
            address(&server, &request),
            "https://example.org/paste/api/pastes?title=a%26b+%C3%A9&expires_in=1h"
        );
    }
}
