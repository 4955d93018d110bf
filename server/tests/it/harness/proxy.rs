//! A reverse proxy from Debian in front of a service, set up by the very files in `docs/deploy/`.

use super::{Host, until};
use reqwest::Client;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tokio::net::TcpStream;

/// A running proxy, which ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    child: Child,
    scratch: TempDir,
}

impl Proxy {
    /// nginx with `docs/deploy/nginx.conf`, which speaks HTTPS.
    pub(crate) async fn nginx(upstream: SocketAddr) -> Self {
        let address = free_address();
        let scratch = TempDir::new().unwrap();
        let (certificate, key) = certificate(scratch.path());
        let site = replaced(
            "nginx.conf",
            &[
                ("listen 443 ssl http2;", &format!("listen {address} ssl;")),
                ("listen [::]:443 ssl http2;", ""),
                ("/etc/ssl/certs/paste.example.org.pem", &text(&certificate)),
                ("/etc/ssl/private/paste.example.org.key", &text(&key)),
                ("127.0.0.1:3000", &upstream.to_string()),
            ],
        );
        Self::start_nginx(address, scratch, &site).await
    }

    /// nginx with `docs/deploy/nginx-path.conf` in a host that has other things.
    pub(crate) async fn nginx_path(upstream: SocketAddr) -> Self {
        let address = free_address();
        let location = replaced(
            "nginx-path.conf",
            &[("127.0.0.1:3000", &upstream.to_string())],
        );
        let site =
            format!("server {{ listen {address};\n{location}\nlocation / {{ return 418; }} }}");
        Self::start_nginx(address, TempDir::new().unwrap(), &site).await
    }

    /// Caddy with `docs/deploy/Caddyfile`, but for the certificate, which it would ask the world for.
    pub(crate) async fn caddy(upstream: SocketAddr) -> Self {
        let address = free_address();
        let scratch = TempDir::new().unwrap();
        let site = replaced(
            "Caddyfile",
            &[
                ("paste.example.org {", &format!("http://{address} {{")),
                ("127.0.0.1:3000", &upstream.to_string()),
            ],
        );
        let file = scratch.path().join("Caddyfile");
        fs::write(&file, format!("{{\n\tadmin off\n}}\n{site}")).unwrap();
        let mut caddy = Command::new("caddy");
        caddy.args(["run", "--adapter", "caddyfile", "--config"]);
        caddy.arg(file).env("HOME", scratch.path());
        Self::start(address, scratch, &mut caddy).await
    }

    async fn start_nginx(address: SocketAddr, scratch: TempDir, site: &str) -> Self {
        let folder = text(scratch.path());
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|what| format!("{what}_temp_path {folder}/{what};\n"))
            .concat();
        // One process that stays in the foreground, as whoever runs the tests.
        let whole = format!(
            "daemon off; master_process off; pid {folder}/pid; error_log stderr;\n\
             events {{}}\nhttp {{\naccess_log off;\ngzip on;\n{temporary}{site}\n}}"
        );
        let file = scratch.path().join("nginx.conf");
        fs::write(&file, whole).unwrap();
        // Off the path of those who are not root.
        let mut nginx = Command::new("/usr/sbin/nginx");
        nginx.arg("-p").arg(scratch.path()).arg("-c").arg(file);
        Self::start(address, scratch, &mut nginx).await
    }

    async fn start(address: SocketAddr, scratch: TempDir, command: &mut Command) -> Self {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = child.spawn().unwrap();
        let listens = async || TcpStream::connect(address).await.is_ok();
        until("the proxy listens", listens).await;
        Self {
            address,
            child,
            scratch,
        }
    }

    /// What it serves over `scheme`, asked from one address of this machine.
    pub(crate) fn asked_from(&self, scheme: &'static str, client: [u8; 4]) -> Host {
        let client = Client::builder()
            .no_proxy()
            // A connection on which a body was refused early is not used again.
            .pool_max_idle_per_host(0)
            .danger_accept_invalid_certs(true)
            .local_address(Some(client.into()))
            .build();
        Host::over(scheme, client.unwrap(), self.address)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        // Its files go after it.
        assert!(self.scratch.path().exists());
    }
}

/// A file of `docs/deploy/` with these of its words replaced; each of them must be there.
fn replaced(file: &str, words: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/deploy")
        .join(file);
    let mut whole = fs::read_to_string(path).unwrap();
    for (from, to) in words {
        assert!(whole.contains(from), "{file}: {from}");
        whole = whole.replace(from, to);
    }
    whole
}

fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let mut openssl = Command::new("openssl");
    openssl.args("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1".split(' '));
    openssl
        .args(["-subj", "/CN=paste.example.org", "-out"])
        .arg(&certificate);
    let made = openssl.arg("-keyout").arg(&key).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    (certificate, key)
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}
