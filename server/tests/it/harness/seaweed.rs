//! A real SeaweedFS, which speaks S3, on free ports of this machine. It ends with the test process and leaves nothing.

use super::{Janitor, PATIENCE, TestBucket, free_port};
use oncebin::blob::{Bucket, Credentials};
use reqwest::Client;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tokio::time::{sleep, timeout};

const KEY_ID: &str = "AKONCEBINTEST";
pub(crate) const SECRET: &str = "SKoncebinTestSecret";

/// The bucket there is. Each test has its own prefix, since every bucket would cost volumes.
const BUCKET: &str = "texts";

/// Who may ask: the service, one that may only read, and nobody else.
const IDENTITIES: &str = r#"{"identities": [
    {"name": "oncebin", "credentials": [{"accessKey": "AKONCEBINTEST", "secretKey": "SKoncebinTestSecret"}],
     "actions": ["Read", "Write", "List"]},
    {"name": "reader", "credentials": [{"accessKey": "AKREADER", "secretKey": "SKreader"}],
     "actions": ["Read:texts", "List:texts"]}
]}"#;

/// One volume at a time, so that small tests make few.
const MASTER: &str = "[master.volume_growth]\ncopy_1 = 1\n";

/// A running server.
#[derive(Debug)]
pub(crate) struct Seaweed {
    s3_port: u16,
    filer_port: u16,
    _server: Child,
    _janitor: Janitor,
}

impl Seaweed {
    /// The one that tests share, started by whoever asks first.
    pub(crate) async fn shared() -> &'static Self {
        static SHARED: OnceCell<Seaweed> = OnceCell::const_new();
        SHARED.get_or_init(Self::start).await
    }

    async fn start() -> Self {
        let seaweed = tokio::task::spawn_blocking(Self::begin).await.unwrap();
        let ready = timeout(PATIENCE, async {
            while !seaweed.answers().await {
                sleep(Duration::from_millis(10)).await;
            }
        });
        ready.await.expect("SeaweedFS answers");
        seaweed.make_bucket().await;
        seaweed
    }

    /// Starts it. It answers some time later.
    fn begin() -> Self {
        let folder = TempDir::with_prefix_in("oncebin-s3-", fast())
            .unwrap()
            .keep();
        let ports: [u16; 8] = std::array::from_fn(|_| free_port());
        let [_, master, _, volume, filer, filer_grpc, s3, s3_grpc] = ports;
        let sockets = [
            ("master", master),
            ("volume", volume),
            ("filer", filer_grpc),
            ("s3", s3_grpc),
        ];
        let sockets =
            sockets.map(|(part, port)| format!("/tmp/seaweedfs-{part}-grpc-{port}.sock").into());
        Self {
            s3_port: s3,
            filer_port: filer,
            _janitor: Janitor::of_all(&folder, &sockets),
            _server: start(&folder, ports),
        }
    }

    async fn answers(&self) -> bool {
        let status = format!("http://127.0.0.1:{}/status", self.s3_port);
        let answer = client().get(status).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    /// A bucket is a folder of the filer.
    async fn make_bucket(&self) {
        let url = format!("http://127.0.0.1:{}/buckets/{BUCKET}/", self.filer_port);
        let made = client().post(url).send().await.unwrap();
        assert!(made.status().is_success(), "{made:?}");
    }

    /// A place of its own for a test, empty.
    pub(crate) fn bucket(&self) -> TestBucket {
        let prefix = format!("t{}", uuid::Uuid::new_v4().simple());
        let (s3, filer) = (self.s3_port, self.filer_port);
        TestBucket {
            filer: format!("http://127.0.0.1:{filer}/buckets/{BUCKET}/{prefix}"),
            s3_port: s3,
            bucket: Bucket {
                name: BUCKET.to_owned(),
                prefix,
                endpoint: Some(format!("http://127.0.0.1:{s3}")),
                region: "us-east-1".to_owned(),
                credentials: Credentials::Key {
                    id: KEY_ID.to_owned(),
                    secret: SECRET.to_owned(),
                    session_token: None,
                },
            },
        }
    }
}

fn start(folder: &Path, ports: [u16; 8]) -> Child {
    let data = folder.join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("master.toml"), MASTER).unwrap();
    let identities = folder.join("identities.json");
    fs::write(&identities, IDENTITIES).unwrap();
    let log = File::create(folder.join("log")).unwrap();
    let [
        master,
        master_grpc,
        volume,
        volume_grpc,
        filer,
        filer_grpc,
        s3,
        s3_grpc,
    ] = ports;
    Command::new(program())
        .args([
            "-logtostderr=true",
            "server",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-dir=.",
        ])
        // Otherwise it tells its makers that it runs.
        .arg("-master.telemetry=false")
        .args([
            "-master.electionTimeout=1s",
            "-master.resumeState=false",
            "-master.volumeSizeLimitMB=256",
        ])
        .args([
            "-volume.max=100",
            "-volume.preStopSeconds=0",
            "-filer",
            "-filer.localSocket=../filer.sock",
        ])
        .args([
            "-s3",
            "-s3.autoCreateBucket=false",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
        ])
        .args([
            "-s3.localSocket=../s3.sock",
            "-s3.config=../identities.json",
        ])
        .args([
            format!("-master.port={master}"),
            format!("-master.port.grpc={master_grpc}"),
        ])
        .args([
            format!("-volume.port={volume}"),
            format!("-volume.port.grpc={volume_grpc}"),
        ])
        .args([
            format!("-filer.port={filer}"),
            format!("-filer.port.grpc={filer_grpc}"),
        ])
        .args([format!("-s3.port={s3}"), format!("-s3.port.grpc={s3_grpc}")])
        .current_dir(data)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// Where `cargo xtask test` has put it, or on the path.
fn program() -> PathBuf {
    let oncebin = Path::new(env!("CARGO_BIN_EXE_oncebin"));
    let installed = oncebin.ancestors().nth(2).unwrap().join("pypi/bin/weed");
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).map(|folder| folder.join("weed"));
    if installed.is_file() {
        return installed;
    }
    let found = places.find(|place| place.is_file());
    found.expect("SeaweedFS is installed (`cargo xtask test` does that)")
}

/// Nothing here loses power.
fn fast() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        memory.to_owned()
    } else {
        env::temp_dir()
    }
}

pub(super) fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}
