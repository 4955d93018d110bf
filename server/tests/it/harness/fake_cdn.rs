//! A CDN that is asked to purge: a real HTTP server that answers as a test wants, and remembers what it was asked.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use oncebin::cdn::Template;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;

/// A purge as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Asked {
    /// The tags in `Surrogate-Key`.
    pub(crate) fn tags(&self) -> Vec<String> {
        let tags = self.headers["surrogate-key"].to_str().unwrap();
        tags.split(' ').map(str::to_owned).collect()
    }
}

/// What it answers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Says {
    Status(u16),
    RetryAfter(u16, &'static str),
    Json(&'static str),
    /// Nothing, and holds the connection.
    Nothing,
}

type Script = Arc<dyn Fn(&Asked) -> Says + Send + Sync>;

#[derive(Clone)]
struct Shared {
    asked: Arc<Mutex<Vec<Asked>>>,
    script: Arc<Mutex<Script>>,
}

/// It ends when it is dropped.
pub(crate) struct FakeCdn {
    pub(crate) address: SocketAddr,
    shared: Shared,
    serving: JoinHandle<()>,
}

impl fmt::Debug for FakeCdn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FakeCdn({})", self.address)
    }
}

/// The address of a CDN that is down: taken, and every connection to it is refused.
#[derive(Debug)]
pub(crate) struct DownCdn(TcpSocket);

impl DownCdn {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        Self(socket)
    }

    /// A template by tags, this many a request.
    pub(crate) fn template(&self, items: usize) -> Template {
        template(&template_text(self.0.local_addr().unwrap(), items))
    }

    /// It is up again.
    pub(crate) fn comes_up(self) -> FakeCdn {
        FakeCdn::on(self.0.listen(64).unwrap())
    }
}

impl FakeCdn {
    /// One that purges whatever it is told.
    pub(crate) async fn start() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn on(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let script: Script = Arc::new(|_| Says::Status(200));
        let shared = Shared {
            asked: Arc::default(),
            script: Arc::new(Mutex::new(script)),
        };
        let routes = Router::new().fallback(answer).with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self {
            address,
            shared,
            serving,
        }
    }

    /// From now on it answers so.
    pub(crate) fn will(&self, script: impl Fn(&Asked) -> Says + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Arc::new(script);
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// A template by tags, this many a request.
    pub(crate) fn template_text(&self, items: usize) -> String {
        template_text(self.address, items)
    }

    pub(crate) fn template(&self, items: usize) -> Template {
        template(&self.template_text(items))
    }
}

fn template_text(address: SocketAddr, items: usize) -> String {
    format!("items = {items}\nPURGE http://{address}/\nSurrogate-Key: {{tags_space}}\n")
}

fn template(text: &str) -> Template {
    Template::parse(text, |_| None).unwrap()
}

impl Drop for FakeCdn {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(
    State(shared): State<Shared>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let asked = Asked {
        method,
        uri,
        headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    };
    let script = Arc::clone(&shared.script.lock().unwrap());
    let says = script(&asked);
    shared.asked.lock().unwrap().push(asked);
    let status = |status| StatusCode::from_u16(status).unwrap();
    match says {
        Says::Status(code) => (status(code), "secret text of the CDN").into_response(),
        Says::RetryAfter(code, after) => (status(code), [("retry-after", after)]).into_response(),
        Says::Json(json) => json.into_response(),
        Says::Nothing => std::future::pending().await,
    }
}
