//! Saves in localStorage: `oncebin.save.{key}` for each save, `oncebin.link.{id}` for what outlives one, and
//! `oncebin.mine.{id}` for each line of the person's list, which `app/mine.js` shows.
//!
//! One item a save, so that two tabs never write over each other's. `oncebin.used` tells a save that was settled in another
//! tab from a storage that was emptied.

use super::{clock, tab};
use crate::save::{Entry, Happening, Kept, Key, Link, Record, Write};
use crate::wire::created::Created;

pub(super) const SAVE: &str = "oncebin.save.";
const LINK: &str = "oncebin.link.";
const MINE: &str = "oncebin.mine.";

/// There since the first save, as long as storage is not emptied.
const USED: &str = "oncebin.used";

/// The browser's storage, when it can be read. Blocked storage throws here.
fn raw() -> Option<web_sys::Storage> {
    let storage = web_sys::window()?.local_storage().ok().flatten()?;
    storage.length().ok().map(|_| storage)
}

pub(super) fn name(kind: &str, of: &str) -> String {
    let mut name = String::from(kind);
    name.push_str(of);
    name
}

/// What stands under a name, if it is ours.
pub(super) fn read(name: &str) -> Option<Record<'static>> {
    Record::read(&item(name)?)
}

fn item(name: &str) -> Option<String> {
    raw()?.get_item(name).ok().flatten()
}

fn entry(name: &str) -> Option<Entry> {
    Record::entry(&item(name)?)
}

/// Puts a record under a name; false when storage is full or blocked.
pub(super) fn keep(name: &str, record: &Record<'_>) -> bool {
    raw().is_some_and(|storage| put(&storage, name, record))
}

/// Puts a record under a name of one of the browser's storages.
pub(super) fn put(storage: &web_sys::Storage, name: &str, record: &Record<'_>) -> bool {
    let json = serde_json::to_string(record);
    json.is_ok_and(|json| storage.set_item(name, &json).is_ok())
}

/// The items of a kind, whatever they hold.
pub(super) fn names(kind: &str) -> Vec<String> {
    let Some(storage) = raw() else {
        return Vec::new();
    };
    let count = storage.length().unwrap_or(0);
    let names = (0..count).filter_map(|index| storage.key(index).ok().flatten());
    names.filter(|name| name.starts_with(kind)).collect()
}

/// All entries that can be read. What another version wrote is left alone.
pub(crate) fn entries() -> Vec<Entry> {
    let names = names(SAVE).into_iter();
    names.filter_map(|name| entry(&name)).collect()
}

/// The key of this tab's last save, while its entry is here. A key without one is of no use any more and goes.
pub(crate) fn own_key() -> Option<Key> {
    let key = tab::key()?;
    if is_there(&name(SAVE, key.as_str())) {
        return Some(key);
    }
    tab::forget(key);
    None
}

/// Writes an entry and tells what came of it.
pub(crate) fn write(entry: &Entry, write: Write) -> Happening {
    let name = name(SAVE, entry.key.as_str());
    if let Some(stored) =
        self::entry(&name).filter(|stored| entry.outcome.yields_to(&stored.outcome))
    {
        return Happening::Known(entry.key, stored.outcome);
    }
    let kept = if raw().is_none() {
        Kept::Blocked
    } else if write == Write::Update && !is_there(&name) {
        why_missing()
    } else if keep(&name, &Record::of_entry(entry)) {
        set_item(USED, "yes");
        Kept::Stored
    } else {
        Kept::Full
    };
    Happening::Store(entry.key, kept)
}

fn why_missing() -> Kept {
    if is_there(USED) {
        Kept::Gone
    } else {
        Kept::Emptied
    }
}

/// Whether the save of a key is done and nobody can have seen that.
pub(crate) fn is_unseen(key: Key) -> bool {
    let entry = entry(&name(SAVE, key.as_str()));
    entry.is_some_and(|entry| entry.is_unseen())
}

/// Marks the save of a key as shown. Without room for that it is told of once more.
pub(crate) fn mark_shown(key: Key) {
    let name = name(SAVE, key.as_str());
    if let Some(mut entry) = entry(&name).filter(Entry::is_unseen) {
        entry.is_shown = true;
        keep(&name, &Record::of_entry(&entry));
    }
}

/// Removes the entry of a key; this tab forgets the key, too.
pub(crate) fn remove(key: Key) {
    remove_item(&name(SAVE, key.as_str()));
    tab::forget(key);
}

/// Replaces the entry of a key by its link.
pub(crate) fn reduce(key: Key, link: &Link) {
    remove(key);
    // With the entry gone there is room; if not, the link is a comfort and no promise.
    keep(&name(LINK, &link.id), &Record::of_link(link));
}

/// The links that outlived their saves. One whose paste has expired is dropped here.
pub(crate) fn links() -> Vec<Link> {
    let now = clock::now_rfc3339();
    let records = names(LINK).into_iter().filter_map(|name| read(&name));
    let mut links: Vec<Link> = records.filter_map(Record::into_link).collect();
    links.retain(|link| {
        let is_live = link.expires_at > now;
        if !is_live {
            forget_link(&link.id);
        }
        is_live
    });
    links
}

/// Removes the link of a paste.
pub(crate) fn forget_link(id: &str) {
    remove_item(&name(LINK, id));
}

/// Puts a paste on the person's list, unless it is there, perhaps with its token. Without room the list has a gap.
pub(crate) fn list_new(created: &Created, title: Option<&str>) {
    if !is_listed(&created.id) {
        list(created, title, false);
    }
}

/// Puts a paste on the person's list, or writes its line anew; false when storage is full or blocked.
pub(crate) fn list(created: &Created, title: Option<&str>, keep_token: bool) -> bool {
    let record = Record::of_listed(created, title, keep_token);
    keep(&name(MINE, &created.id), &record)
}

/// Whether the paste is on the list.
pub(crate) fn is_listed(id: &str) -> bool {
    is_there(&name(MINE, id))
}

/// Takes a paste off the list.
pub(crate) fn unlist(id: &str) {
    remove_item(&name(MINE, id));
}

/// Whether the paste is on the list with its token, the last member of a line: to look for it, or to read the line, would
/// be a good deal of the client.
pub(crate) fn keeps_token(id: &str) -> bool {
    item(&name(MINE, id)).is_some_and(|line| line.ends_with("\"}"))
}

fn is_there(name: &str) -> bool {
    item(name).is_some()
}

/// Full or blocked, nothing is written, and nobody may rely on it.
pub(super) fn set_item(name: &str, value: &str) {
    if let Some(storage) = raw() {
        let _ = storage.set_item(name, value);
    }
}

pub(super) fn remove_item(name: &str) {
    if let Some(storage) = raw() {
        // A storage that can be read can be removed from; if not, there is nothing to do about it.
        let _ = storage.remove_item(name);
    }
}
