//! What a listing finds, and which of it is ours.
//!
//! Only names that are ours are ever handed out as something that can be removed: `NNN/` and a UUID as we write it, and
//! beside it what the object store stages there (`NAME#1`), which a killed PUT leaves behind.

use super::{ObjectKey, folder};
use app::wire::id::Slot;
use uuid::Uuid;

/// Part of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Objects, of pastes or orphaned.
    pub objects: Vec<FoundObject>,
    /// What PUTs stage, or left behind when they were killed.
    pub staging: Vec<FoundStaging>,
    /// What is not ours.
    pub foreign: Vec<String>,
}

/// An object in the folder of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundObject {
    /// Its name in the folder.
    pub uuid: Uuid,
    /// When it was written by the store's own clock, milliseconds since the Unix epoch.
    pub modified_ms: i64,
    /// How many bytes it has.
    pub size_bytes: u64,
}

impl FoundObject {
    /// Where it is.
    #[must_use]
    pub fn key(&self, slot: Slot) -> ObjectKey {
        ObjectKey::of(slot, self.uuid)
    }
}

/// A file beside the place of an object that is, or was, being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundStaging {
    pub(super) name: String,
    /// When it was last written by the store's own clock, milliseconds since the Unix epoch.
    pub modified_ms: i64,
}

/// What a listing says of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) modified_ms: i64,
    pub(super) size_bytes: u64,
}

impl Page {
    /// Tells what is ours. What is no plain file is not.
    pub(super) fn add(&mut self, name: String, seen: Option<Seen>) {
        let (of_object, staged) = match name.split_once('#') {
            Some((of_object, number)) => (of_object, Some(number)),
            None => (name.as_str(), None),
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match (own_uuid(of_object), staged, seen) {
            (Some(uuid), None, Some(seen)) => self.objects.push(FoundObject {
                uuid,
                modified_ms: seen.modified_ms,
                size_bytes: seen.size_bytes,
            }),
            (Some(_), Some(number), Some(Seen { modified_ms, .. })) if is_number(number) => {
                self.staging.push(FoundStaging { name, modified_ms });
            }
            _ => self.foreign.push(name),
        }
    }
}

/// Whether an object would be called so: `NNN/` and a UUID as we write it.
pub(super) fn is_object(path: &str) -> bool {
    path.split_once('/').is_some_and(|(slot, name)| {
        let number = slot.parse::<u8>().ok();
        number.is_some_and(|number| folder(Slot::new(number)) == slot) && is_object_name(name)
    })
}

/// Whether an object would be called so in the folder of its slot.
pub(super) fn is_object_name(name: &str) -> bool {
    own_uuid(name).is_some()
}

/// A UUID exactly as [`ObjectKey::fresh`] writes it.
fn own_uuid(name: &str) -> Option<Uuid> {
    let uuid = Uuid::try_parse(name).ok()?;
    (uuid.get_version_num() == 4 && uuid.to_string() == name).then_some(uuid)
}
