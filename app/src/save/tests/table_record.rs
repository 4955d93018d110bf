//! What is stored and read back.

use super::super::{Link, Outcome, Record};
use super::{NOON_MS, created, entry, request};

/// A record as another page finds it.
fn reread(record: &Record<'_>) -> Record<'static> {
    let json = serde_json::to_string(record).unwrap();
    Record::read(&json).unwrap()
}

fn outcomes() -> [Outcome; 3] {
    [
        Outcome::Pending,
        Outcome::Saved(Link::of(&created("00abcdefghijkl"))),
        Outcome::Refused {
            status: 413,
            detail: String::new(),
        },
    ]
}

#[test]
fn a_save_survives() {
    let mut original = entry(1, "\u{0}\r\n\"ü😀\u{feff}");
    for outcome in outcomes() {
        original.outcome = outcome;
        let found = reread(&Record::of_entry(&original)).into_entry();
        assert_eq!(found.as_ref(), Some(&original));
    }
}

#[test]
fn a_save_is_shown_once_and_an_old_record_of_it_never_was() {
    let mut original = entry(1, "a");
    assert!(!original.is_unseen(), "not saved");
    original.outcome = Outcome::Saved(Link::of(&created("00abcdefghijkl")));
    assert!(original.is_unseen());
    let json = serde_json::to_string(&Record::of_entry(&original)).unwrap();
    let old = Record::read(&json.replace("shown", "none")).unwrap();
    assert_eq!(old.into_entry().as_ref(), Some(&original));
    original.is_shown = true;
    let found = reread(&Record::of_entry(&original)).into_entry().unwrap();
    assert!(!found.is_unseen());
}

#[test]
fn a_link_survives() {
    let link = Link::of(&created("00abcdefghijkl"));
    assert_eq!(reread(&Record::of_link(&link)).into_link(), Some(link));
}

#[test]
fn a_listed_paste_has_its_token_only_if_it_is_kept() {
    let created = created("00abcdefghijkl");
    let json = |kept| serde_json::to_value(Record::of_listed(&created, Some("A title"), kept));
    let (with, without) = (json(true).unwrap(), json(false).unwrap());
    assert_eq!(with["delete_token"], created.delete_token.as_str());
    assert!(without["delete_token"].is_null());
    for (kept, end) in [(true, "\"}"), (false, "null}")] {
        let listed = Record::of_listed(&created, Some("\"}"), kept);
        let line = serde_json::to_string(&listed).unwrap();
        assert!(line.ends_with(end), "{line}");
    }
    for listed in [with, without] {
        assert_eq!(listed["v"], 1);
        assert_eq!(listed["url"], created.url.as_str());
        assert_eq!(listed["title"], "A title");
        assert_eq!(listed["created_at"], created.created_at.as_str());
        assert_eq!(listed["expires_at"], created.expires_at.as_str());
    }
}

#[test]
fn a_draft_survives_with_its_page() {
    let mut draft = (*request("typed")).clone();
    draft.title = Some("A title".into());
    draft.expires_in = None;
    let found = reread(&Record::of_draft(&draft, u32::MAX, NOON_MS)).into_draft();
    assert_eq!(found, Some((draft, u32::MAX)));
}

#[test]
fn other_versions_and_other_things_are_not_read() {
    let json = serde_json::to_string(&Record::of_entry(&entry(1, "a"))).unwrap();
    for other in [
        json.replace(r#""v":1"#, r#""v":2"#),
        json.replace(r#""v":1"#, r#""v":null"#),
        json.replace("0190a5e4", "0190a5e"),
        json.replace("seen_ms", "when_ms"),
        json.replace("content", "text"),
        "{}".into(),
    ] {
        let record = Record::read(&other).unwrap();
        assert_eq!(record.into_entry(), None, "{other}");
    }
    let draft = reread(&Record::of_draft(&request("a"), 1, NOON_MS));
    assert_eq!(draft.into_entry(), None);
}
