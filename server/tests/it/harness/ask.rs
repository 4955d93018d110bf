//! Ways to ask a service beside the plain ones of [`Host`].

use super::{Host, RawConnection, Reply, send};
use app::wire::problem::Problem;
use reqwest::Method;
use serde_json::Value;

impl Host {
    /// Sends a request with header lines of its own and no body.
    pub(crate) async fn ask(&self, method: Method, path: &str, lines: &[(&str, &str)]) -> Reply {
        let request = self.request(method, path);
        send(with_lines(request, lines)).await
    }

    /// GET with header lines.
    pub(crate) async fn get_with(&self, path: &str, lines: &[(&str, &str)]) -> Reply {
        self.ask(Method::GET, path, lines).await
    }

    /// Saves raw content with a key, a query string and header lines.
    pub(crate) async fn save_with(
        &self,
        key: &str,
        query: &str,
        lines: &[(&str, &str)],
        content: impl Into<reqwest::Body>,
    ) -> Reply {
        let request = self
            .request(Method::POST, &format!("/api/pastes{query}"))
            .header("idempotency-key", key);
        send(with_lines(request, lines).body(content)).await
    }

    /// Saves JSON with a key.
    pub(crate) async fn save_json(&self, key: &str, json: &Value) -> Reply {
        send(self.save_request(key).json(json)).await
    }

    /// Posts fields to the form as `application/x-www-form-urlencoded`.
    pub(crate) async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "text/html");
        send(request.body(body)).await
    }

    /// Opens a save of so many bytes of body, and returns once the service has looked the key up and asks for them.
    pub(crate) async fn begin_save(&self, key: &str, bytes: usize) -> RawConnection {
        let mut client = self.connect().await;
        let head = format!(
            "POST /api/pastes HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {key}\r\nContent-Length: {bytes}\r\n\
             Expect: 100-continue\r\n\r\n"
        );
        client.write(head).await;
        assert!(client.read_head().await.starts_with("HTTP/1.1 100 "));
        client
    }

    /// A connection to write HTTP on.
    pub(crate) async fn connect(&self) -> RawConnection {
        RawConnection::open(self.next_address()).await
    }
}

impl Reply {
    /// A problem whose members agree with each other and with the status.
    #[track_caller]
    pub(crate) fn problem(&self) -> Problem {
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Problem = serde_json::from_slice(&self.body).expect("a problem");
        assert_eq!(problem.status, self.status);
        assert_eq!(problem.status, problem.code.status());
        assert_eq!(problem.retryable, problem.code.retryable());
        problem
    }

    /// Every header but the time of the answer and its request's name, in a fixed order.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let mut lines: Vec<_> = self
            .headers
            .iter()
            .filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()))
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        lines.sort();
        lines
    }
}

fn with_lines(request: reqwest::RequestBuilder, lines: &[(&str, &str)]) -> reqwest::RequestBuilder {
    lines.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    })
}
