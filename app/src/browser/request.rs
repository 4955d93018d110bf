//! Requests with a time limit.

use super::clock;
use super::dom::put;
use super::lock;
use super::timer::{self, Timer};
use crate::save::{Key, Reply, Unanswered, retry_after_seconds};
use crate::wire::paste::CreateRequest;
use js_sys::Uint8Array;
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, Response};

/// The time limit of one request. Dropping it does not end the request; aborting does.
#[derive(Clone)]
pub(crate) struct Limit {
    controller: AbortController,
}

impl Limit {
    /// A limit that starts to count with [`send`]. None where a browser has no `AbortController`.
    pub(crate) fn new() -> Option<Self> {
        let controller = AbortController::new().ok()?;
        Some(Self { controller })
    }

    /// Ends the request. What it asked for may have happened.
    pub(crate) fn abort(&self) {
        self.controller.abort();
    }

    fn in_ms(&self, timeout_ms: u64) -> Timer {
        let limit = self.clone();
        timer::after(timeout_ms, move || limit.abort())
    }
}

/// The body of a save, made once: every attempt sends the same bytes.
#[derive(Clone)]
pub(crate) struct Body {
    json: JsValue,
}

impl Body {
    /// The request as JSON.
    pub(crate) fn new(request: &CreateRequest) -> Self {
        // Strings and options of strings always have a JSON form.
        let json = serde_json::to_string(request).unwrap_or_default();
        Self {
            json: JsValue::from_str(&json),
        }
    }
}

/// Lets something go on beside everything else. Boxed: every type of future costs the client a kilobyte.
pub(crate) fn in_background(task: Pin<Box<dyn Future<Output = ()>>>) {
    wasm_bindgen_futures::spawn_local(task);
}

/// Sends a save and tells how it went, in its own time.
pub(crate) fn send(attempt: Sending, then: impl FnOnce(Result<Reply, Unanswered>) + 'static) {
    in_background(Box::pin(async move { then(post(&attempt).await) }));
}

/// Everything one attempt needs.
pub(crate) struct Sending {
    /// Where saves go.
    pub(crate) address: String,
    /// The save's key.
    pub(crate) key: Key,
    /// What is sent.
    pub(crate) body: Body,
    /// Ends the attempt early.
    pub(crate) limit: Limit,
    /// Milliseconds until it ends by itself.
    pub(crate) timeout_ms: u64,
}

/// Sends a save and waits for the whole answer, for its time at most and never beside another tab's attempt.
async fn post(sending: &Sending) -> Result<Reply, Unanswered> {
    let _timer = sending.limit.in_ms(sending.timeout_ms);
    let signal = sending.limit.controller.signal();
    let key = sending.key.as_str();
    let _held = lock::hold(key, &signal).await;
    let answer = exchange(&sending.address, key, &sending.body.json, &signal).await;
    answer.ok_or(if signal.aborted() {
        Unanswered::Timeout
    } else {
        Unanswered::Network
    })
}

async fn exchange(
    address: &str,
    key: &str,
    body: &JsValue,
    signal: &web_sys::AbortSignal,
) -> Option<Reply> {
    let headers = Headers::new().ok()?;
    headers.set("Idempotency-Key", key).ok()?;
    headers.set("Content-Type", "application/json").ok()?;
    headers.set("Accept", "application/json").ok()?;
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_headers(&headers);
    options.set_body(body);
    options.set_signal(Some(signal));
    let response = fetch(address, &options).await?;
    let header = |name| response.headers().get(name).ok().flatten();
    let date = header("Date");
    let retry_after = header("Retry-After").and_then(|asked| {
        retry_after_seconds(&asked, date.as_deref(), clock::now_ms(), clock::read_date)
    });
    let body = JsFuture::from(response.text().ok()?).await.ok()?;
    Some(Reply {
        status: response.status(),
        retry_after_seconds: retry_after,
        body: body.as_string().unwrap_or_default(),
    })
}

/// Milliseconds that a delete may take.
const DELETE_MS: u64 = 15_000;

/// Deletes the paste at an address of the API and tells the status, or none when no answer came in time.
pub(crate) fn delete(address: String, token: String, then: impl FnOnce(Option<u16>) + 'static) {
    in_background(Box::pin(async move {
        then(delete_with(&address, &token).await);
    }));
}

async fn delete_with(address: &str, token: &str) -> Option<u16> {
    let headers = Headers::new().ok()?;
    let bearer = ["Bearer ", token].concat();
    headers.set("Authorization", &bearer).ok()?;
    let limit = Limit::new()?;
    let _timer = limit.in_ms(DELETE_MS);
    let options = RequestInit::new();
    options.set_method("DELETE");
    options.set_headers(&headers);
    options.set_signal(Some(&limit.controller.signal()));
    Some(fetch(address, &options).await?.status())
}

/// Bytes as text, exactly: a byte order mark stays, and what is not UTF-8 is an error.
pub(super) fn utf8(buffer: &JsValue) -> Result<String, ()> {
    String::from_utf8(Uint8Array::new(buffer).to_vec()).map_err(drop)
}

async fn fetch(address: &str, options: &RequestInit) -> Option<Response> {
    // Nothing of a save belongs into a cache.
    put(options, "cache", &JsValue::from_str("no-store"));
    let response = web_sys::window()?.fetch_with_str_and_init(address, options);
    JsFuture::from(response).await.ok()?.dyn_into().ok()
}
