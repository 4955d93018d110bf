//! A real Varnish with the operator's example before a service. It ends with the test process and leaves nothing.

use super::{Host, Janitor, PATIENCE, free_port, try_send};
use reqwest::Method;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/varnish/oncebin.vcl");

/// The template that goes with it.
const PURGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/purge/varnish.purge");

pub(crate) const PURGE_TOKEN: &str = "a-token-of-the-tests";

/// A running cache, asked as its `Host`.
#[derive(Debug)]
pub(crate) struct Varnish {
    host: Host,
    _server: Child,
    _janitor: Janitor,
}

impl Varnish {
    /// One before a service.
    pub(crate) async fn before(origin: SocketAddr) -> Self {
        let varnish = tokio::task::spawn_blocking(move || Self::begin(origin));
        let varnish = varnish.await.unwrap();
        let ready = timeout(PATIENCE, async {
            while !varnish.answers().await {
                sleep(Duration::from_millis(10)).await;
            }
        });
        ready.await.expect("Varnish answers");
        varnish
    }

    /// `--cdn-purge` with the operator's template, for a Varnish that is reached at an address.
    pub(crate) fn purge_flag(folder: &Path, address: SocketAddr) -> String {
        let mut template = fs::read_to_string(PURGE).unwrap();
        for (from, to) in [
            ("127.0.0.1:6081", &*address.to_string()),
            ("{env:VARNISH_PURGE_TOKEN}", PURGE_TOKEN),
        ] {
            assert_eq!(template.matches(from).count(), 1, "{from}");
            template = template.replace(from, to);
        }
        let file = folder.join("varnish.purge");
        fs::write(&file, template).unwrap();
        format!("--cdn-purge={}", file.display())
    }

    /// Starts it. It answers some time later.
    fn begin(origin: SocketAddr) -> Self {
        let folder = TempDir::with_prefix("oncebin-cdn-").unwrap().keep();
        fs::create_dir(folder.join("data")).unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
        Self {
            host: Host::new(address),
            _janitor: Janitor::of(&folder),
            _server: start(&folder, &settings(&folder, origin), address),
        }
    }

    async fn answers(&self) -> bool {
        let purge = self.request(Method::from_bytes(b"PURGE").unwrap(), "/");
        try_send(purge).await.is_ok_and(|reply| reply.status == 403)
    }
}

impl Deref for Varnish {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}

/// The example with the three things changed that it says to change; what may purge is this machine already.
fn settings(folder: &Path, origin: SocketAddr) -> PathBuf {
    let mut vcl = fs::read_to_string(EXAMPLE).unwrap();
    for (from, to) in [
        (".port = \"3000\"", format!(".port = \"{}\"", origin.port())),
        ("\"change-me\"", format!("\"{PURGE_TOKEN}\"")),
    ] {
        assert_eq!(vcl.matches(from).count(), 1, "{from}");
        vcl = vcl.replace(from, &to);
    }
    let file = folder.join("oncebin.vcl");
    fs::write(&file, vcl).unwrap();
    file
}

fn start(folder: &Path, vcl: &Path, address: SocketAddr) -> Child {
    let data = folder.join("data");
    let log = File::create(folder.join("log")).unwrap();
    Command::new("/usr/sbin/varnishd")
        .args(["-F", "-j", "none", "-T", "none", "-s", "malloc,64m"])
        .args([
            "-p",
            "thread_pools=1",
            "-p",
            "thread_pool_min=100",
            "-p",
            "thread_pool_max=500",
        ])
        .args(["-a", &address.to_string(), "-n"])
        .arg(&data)
        .arg("-f")
        .arg(vcl)
        .current_dir(&data)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .expect("Varnish is installed (`cargo xtask test` does that)")
}
