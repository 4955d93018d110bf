//! What a listing finds, and which of it is ours.
//!
//! Only names that are ours are ever handed out as something that can be removed: `NNN/` and a UUID as we write it, and
//! beside it what the object store stages there (`NAME#1`), which a killed PUT leaves behind.

use super::ObjectKey;
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

impl Page {
    /// Tells what is ours. What is no plain file has no time, and is not.
    pub(super) fn add(&mut self, name: String, modified_ms: Option<i64>) {
        let (of_object, staged) = match name.split_once('#') {
            Some((of_object, number)) => (of_object, Some(number)),
            None => (name.as_str(), None),
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match (own_uuid(of_object), staged, modified_ms) {
            (Some(uuid), None, Some(modified_ms)) => {
                self.objects.push(FoundObject { uuid, modified_ms });
            }
            (Some(_), Some(number), Some(modified_ms)) if is_number(number) => {
                self.staging.push(FoundStaging { name, modified_ms });
            }
            _ => self.foreign.push(name),
        }
    }
}

/// A UUID exactly as [`ObjectKey::fresh`] writes it.
fn own_uuid(name: &str) -> Option<Uuid> {
    let uuid = Uuid::try_parse(name).ok()?;
    (uuid.get_version_num() == 4 && uuid.to_string() == name).then_some(uuid)
}
