//! What this tab remembers over a reload: the key of its last save, in sessionStorage.

use crate::save::Key;

const KEY: &str = "oncebin.key";

/// The tab's own storage, when it is not blocked.
pub(super) fn session() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok().flatten()
}

/// The key of this tab's last save. A duplicated tab has its own copy.
pub(crate) fn key() -> Option<Key> {
    let text = session()?.get_item(KEY).ok().flatten()?;
    text.parse().ok()
}

/// Remembers a save as this tab's last. Without sessionStorage its entry is found among all others.
pub(crate) fn set_key(key: Key) {
    if let Some(session) = session() {
        // Blocked or full: see above.
        let _ = session.set_item(KEY, key.as_str());
    }
}

/// Forgets a key, if it is that of this tab's last save.
pub(crate) fn forget(of: Key) {
    if let Some(session) = session().filter(|_| key() == Some(of)) {
        // As above.
        let _ = session.remove_item(KEY);
    }
}
