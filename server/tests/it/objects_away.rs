//! The folder of objects goes while the service runs: nothing is saved into what is in its place, and all goes on when
//! it is back.

use crate::harness::{Process, fresh_key, text_files, until};
use app::wire::created::Created;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// What is in the folder's place.
const PLACES: [fn(&Path); 3] = [
    |_| {},
    |folder| fs::create_dir(folder).unwrap(),
    |folder| fs::write(folder, "no folder").unwrap(),
];

fn clear(place: &Path) {
    if place.is_dir() {
        fs::remove_dir(place).expect("nothing is written into it");
    } else if place.exists() {
        fs::remove_file(place).unwrap();
    }
}

struct Running {
    server: Process,
    read: Created,
    deleted: Created,
}

impl Running {
    async fn on(data: &Path) -> Self {
        let server = Process::start(data, &[]);
        Self {
            read: server.save_new("kept\n").await.created(),
            deleted: server.save_new("deleted\n").await.created(),
            server,
        }
    }

    async fn objects(&self) -> (u16, bool) {
        let ready = self.server.get("/readyz").await.status;
        let detail = self.server.admin().get("/readyz").await.text();
        (ready, detail.contains("objects up\n"))
    }

    async fn meet_what_is_not_there(&self, key: &str) {
        assert_eq!(self.objects().await, (503, false));
        let refused = self.server.save(key, "text\n").await;
        assert_eq!(
            (refused.status, &*refused.code()),
            (503, "store_unavailable")
        );
        assert_eq!(refused.header("retry-after"), "1");
        let raw = self.server.get(&format!("/{}/raw", self.read.id)).await;
        assert_eq!(raw.status, 503);
        let metadata = format!("/api/pastes/{}", self.read.id);
        assert_eq!(self.server.get(&metadata).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_saved_beside_the_folder_and_all_goes_on_when_it_is_back() {
    for place in PLACES {
        let data = TempDir::new().unwrap();
        let running = Running::on(data.path()).await;
        let server = &running.server;
        assert_eq!(running.objects().await, (200, true));
        let (objects, away) = (data.path().join("objects"), data.path().join("away"));
        fs::rename(&objects, &away).unwrap();
        place(&objects);
        let key = fresh_key();
        running.meet_what_is_not_there(&key).await;
        clear(&objects);
        fs::rename(&away, &objects).unwrap();
        assert_eq!(running.objects().await, (200, true));
        let saved = server.save(&key, "text\n").await.created();
        assert_eq!(server.raw(&saved.id).await, "text\n");
        assert_eq!(server.raw(&running.read.id).await, "kept\n");
        assert!(
            !server
                .log()
                .contains("the object of a live paste is missing")
        );
    }
}

/// A text that is not found in what is in the folder's place is not gone.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_meanwhile_leaves_the_folder_once_it_is_back() {
    let data = TempDir::new().unwrap();
    let running = Running::on(data.path()).await;
    let (objects, away) = (data.path().join("objects"), data.path().join("away"));
    fs::rename(&objects, &away).unwrap();
    fs::create_dir(&objects).unwrap();
    let Created {
        id, delete_token, ..
    } = &running.deleted;
    assert_eq!(running.server.delete(id, delete_token).await.status, 204);
    until("the relay has tried", async || {
        running.server.log().contains("an object cannot be removed")
    })
    .await;
    clear(&objects);
    fs::rename(&away, &objects).unwrap();
    until("its text is gone", async || text_files(&objects).len() == 1).await;
}
