//! Clients that save, read, retry and delete, and go on whatever fails.

use crate::harness::{Host, Reply, Seeded, fresh_key, try_send};
use app::wire::created::Created;
use bytes::Bytes;
use reqwest::Method;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

const CLIENTS: u64 = 12;

/// What a client does after a failure, but shorter.
const BEFORE_A_RETRY: Duration = Duration::from_millis(10);

/// What a client tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// A save was answered.
    Saved,
    /// A request was not carried out, and will be sent again.
    Failed,
}

/// A save that was sent.
#[derive(Debug)]
pub(super) struct Paste {
    pub(super) key: String,
    pub(super) text: String,
    /// The body of its 201, if that arrived.
    pub(super) answer: Option<Bytes>,
    pub(super) is_deleted: bool,
}

/// The clients, at work.
pub(super) struct Load {
    clients: JoinSet<Vec<Paste>>,
    reports: UnboundedReceiver<Report>,
    saved: usize,
    failed: usize,
    stop: CancellationToken,
}

impl Load {
    pub(super) fn start(hosts: &[Host; 3]) -> Self {
        let (report, reports) = unbounded_channel();
        let stop = CancellationToken::new();
        let mut clients = JoinSet::new();
        for seed in 0..CLIENTS {
            let client = Client {
                hosts: hosts.clone(),
                chance: Seeded::new(seed),
                report: report.clone(),
                stop: stop.clone(),
            };
            clients.spawn(client.work());
        }
        Self {
            clients,
            reports,
            saved: 0,
            failed: 0,
            stop,
        }
    }

    fn count(&self, of: Report) -> usize {
        match of {
            Report::Saved => self.saved,
            Report::Failed => self.failed,
        }
    }

    /// Waits until so many reports of a kind have come since the start.
    pub(super) async fn until(&mut self, of: Report, count: usize) {
        while self.count(of) < count {
            match self.reports.recv().await.expect("clients that go on") {
                Report::Saved => self.saved += 1,
                Report::Failed => self.failed += 1,
            }
        }
    }

    /// Waits until so many more have come.
    pub(super) async fn until_more(&mut self, of: Report, more: usize) {
        self.until(of, self.count(of) + more).await;
    }

    /// Everything the clients have sent.
    pub(super) async fn end(self) -> Vec<Paste> {
        self.stop.cancel();
        self.clients
            .join_all()
            .await
            .into_iter()
            .flatten()
            .collect()
    }
}

struct Client {
    hosts: [Host; 3],
    chance: Seeded,
    report: UnboundedSender<Report>,
    stop: CancellationToken,
}

impl Client {
    async fn work(mut self) -> Vec<Paste> {
        let mut sent = Vec::new();
        while !self.stop.is_cancelled() {
            let bytes = [10, 3_000, 70_000][self.chance.below(3)];
            let mut paste = Paste {
                key: fresh_key(),
                text: self.chance.text(bytes),
                answer: None,
                is_deleted: false,
            };
            if let Some(created) = self.save(&mut paste).await {
                self.read(&created, &paste.text).await;
                if self.chance.below(3) == 0 {
                    self.delete(&created).await;
                    paste.is_deleted = true;
                }
                self.save_again(&paste).await;
            }
            sent.push(paste);
        }
        sent
    }

    fn some_host(&mut self) -> &Host {
        let which = self.chance.below(self.hosts.len());
        &self.hosts[which]
    }

    /// Saves until it is answered; none when the load ends before that.
    async fn save(&mut self, paste: &mut Paste) -> Option<Created> {
        while !self.stop.is_cancelled() {
            let save = self.some_host().save_request(&paste.key);
            if let Some(reply) = self.answered(save.body(paste.text.clone())).await {
                let created = reply.created();
                paste.answer = Some(reply.body);
                self.report.send(Report::Saved).ok();
                return Some(created);
            }
        }
        None
    }

    /// A retry of an answered save gets the same answer, or none.
    async fn save_again(&mut self, paste: &Paste) {
        let save = self.some_host().save_request(&paste.key);
        if let Some(reply) = self.answered(save.body(paste.text.clone())).await {
            reply.created();
            assert_eq!(Some(reply.body), paste.answer);
        }
    }

    /// A paste that lives is there, or cannot be asked for.
    async fn read(&mut self, paste: &Created, text: &str) {
        for _ in 0..2 {
            let get = self
                .some_host()
                .request(Method::GET, &format!("/{}/raw", paste.id));
            if let Some(reply) = self.answered(get).await {
                assert_eq!((reply.status, reply.text() == text), (200, true));
            }
        }
    }

    /// Deletes until it is answered; after that no origin has the paste.
    async fn delete(&mut self, paste: &Created) {
        let path = format!("/api/pastes/{}", paste.id);
        let mut was_lost = false;
        loop {
            let delete = self.some_host().request(Method::DELETE, &path);
            match self.answered(delete.bearer_auth(&paste.delete_token)).await {
                None => was_lost = true,
                Some(reply) => {
                    assert!(
                        reply.status == 204 || was_lost && reply.status == 404,
                        "{reply:?}"
                    );
                    break;
                }
            }
        }
        for host in 1..self.hosts.len() {
            let get = self.hosts[host].request(Method::GET, &format!("/{}/raw", paste.id));
            if let Some(reply) = self.answered(get).await {
                assert_eq!(reply.status, 404);
            }
        }
    }

    /// An answer that is final; none when there is nothing to do but to send it again.
    async fn answered(&self, request: reqwest::RequestBuilder) -> Option<Reply> {
        match try_send(request).await {
            Ok(reply) if reply.status != 503 => Some(reply),
            _ => {
                self.report.send(Report::Failed).ok();
                sleep(BEFORE_A_RETRY).await;
                None
            }
        }
    }
}

/// Sends a save until it is answered; the body of its 201.
pub(super) async fn save(host: &Host, key: &str, text: &str) -> Bytes {
    loop {
        let save = host.save_request(key).body(text.to_owned());
        match try_send(save).await {
            Ok(reply) if reply.status != 503 => {
                reply.created();
                return reply.body;
            }
            _ => sleep(BEFORE_A_RETRY).await,
        }
    }
}
