//! What the paste page and its Markdown tab show, and what they offer.

use super::markup::Document;
use super::{Values, rendered, site};
use crate::pages::{Site, markdown, paste, without_reordering};
use crate::wire::paste::Metadata;

const ID: &str = "2wKd93hXq0ZbTy";

fn metadata() -> Metadata {
    Metadata {
        id: ID.into(),
        url: format!("https://paste.example/{ID}"),
        syntax: None,
        title: None,
        ..Values::all("x", "x").metadata
    }
}

fn page(text: &str) -> Document {
    Document::read(&paste(&site(), &metadata(), text))
}

#[test]
fn everything_that_can_be_done_is_an_address_of_the_paste() {
    let page = page("x");
    let under_a_path = Site {
        base_path: "/paste".into(),
        ..site()
    };
    let below = Document::read(&paste(&under_a_path, &metadata(), "x"));
    for address in [
        format!("/{ID}/raw"),
        format!("/{ID}/download"),
        format!("/?from={ID}"),
    ] {
        assert!(page.values("href").contains(&&*address), "{address}");
        let address = format!("/paste{address}");
        assert!(below.values("href").contains(&&*address), "{address}");
    }
    assert_eq!(page.values("data-raw"), [format!("/{ID}/raw")]);
    assert_eq!(
        page.values("src"),
        ["/pkg/view-abc.js".into(), format!("/{ID}/qr.svg")]
    );
    assert_eq!(
        page.value_beside(("loading", "lazy"), "alt"),
        Some("QR code of the link to this paste")
    );
}

#[test]
fn the_copy_button_is_hidden_until_it_works() {
    let page = page("x");
    assert_eq!(page.value_beside(("id", "copy"), "hidden"), Some(""));
    for state in ["copied", "again", "failed"] {
        let words = page.value_beside(("id", "copy"), &format!("data-{state}"));
        assert!(words.is_some_and(|words| !words.is_empty()), "{state}");
    }
}

#[test]
fn the_script_finds_its_words_on_the_page() {
    let page = page("x");
    let words = |attribute| page.value_beside(("id", "status"), attribute);
    assert_eq!(words("data-line"), Some("Line {} selected"));
    assert_eq!(words("data-lines"), Some("Lines {} to {} selected"));
}

#[test]
fn markdown_has_a_tab_of_its_own_and_other_text_has_none() {
    let address = format!("/{ID}/markdown");
    for (syntax, title, is_markdown) in [
        (Some("markdown"), None, true),
        (Some("MD"), Some("notes.txt"), true),
        (None, Some("README.md"), true),
        (None, Some("Notes.Markdown"), true),
        (Some(""), Some("a.md"), true),
        (None, Some("md"), false),
        (None, Some("a.md.txt"), false),
        (Some("plain"), Some("README.md"), false),
        (Some("rust"), None, false),
        (None, None, false),
    ] {
        let metadata = Metadata {
            syntax: syntax.map(str::to_owned),
            title: title.map(str::to_owned),
            ..metadata()
        };
        let page = Document::read(&paste(&site(), &metadata, "x"));
        let has_tab = page.values("href").contains(&&*address);
        assert_eq!(has_tab, is_markdown, "{syntax:?} {title:?}");
    }
}

#[test]
fn each_tab_says_which_it_is() {
    let metadata = Metadata {
        syntax: Some("markdown".into()),
        ..metadata()
    };
    let text = Document::read(&paste(&site(), &metadata, "x"));
    let current = text.value_beside(("aria-current", "page"), "href");
    assert_eq!(current, Some(&*format!("/{ID}")));
    let rendered = Document::read(&markdown(&site(), &metadata, rendered()));
    let current = rendered.value_beside(("aria-current", "page"), "href");
    assert_eq!(current, Some(&*format!("/{ID}/markdown")));
}

#[test]
fn the_markdown_tab_has_no_script_and_says_what_it_leaves_out() {
    let page = markdown(&site(), &metadata(), rendered());
    assert!(!page.contains("<script") && !page.contains("preload"));
    assert!(page.contains("They are left out here") && page.contains("its first 256 KiB"));
    assert!(page.contains("><p>x</p></article>"));
}

#[test]
fn characters_that_reorder_text_are_named_with_their_lines() {
    let html = paste(&site(), &metadata(), "one\ntwo \u{202E}\u{202E}\n\u{2066}");
    let page = Document::read(&html);
    let note = page.text_of("ul");
    assert_eq!(
        note,
        "RLO, right-to-left override, twice: line 2LRI, left-to-right isolate, once: line 3"
    );
    assert!(html.contains("<a href=\"#L2\">line 2</a>"), "{html}");
    assert_eq!(page.values("data-bidi"), ["RLO", "RLO", "LRI"]);
}

#[test]
fn a_text_without_them_is_not_warned_of() {
    let html = paste(&site(), &metadata(), "one\nשלום\u{200F}\n");
    assert!(!html.contains("role=\"note\"") && !html.contains("<bdi"));
}

#[test]
fn a_line_out_of_sight_is_named_without_a_link() {
    let html = paste(&site(), &metadata(), &("x\n".repeat(20_000) + "\u{2066}"));
    assert!(html.contains("line 20,001") && !html.contains("#L20001"));
}

#[test]
fn the_facts_say_how_many_lines_are_shown() {
    let facts = |text: &str| {
        paste(&site(), &metadata(), text).contains("20,001 lines, the first 20,000 shown")
    };
    assert!(facts(&"x\n".repeat(20_001)));
    assert!(!facts(&"x\n".repeat(20_000)));
}

#[test]
fn what_is_rendered_as_markdown_has_no_such_characters() {
    let (text, reordered) = without_reordering("a\u{202E}b");
    assert_eq!((&*text, reordered), ("ab", true));
    let (text, reordered) = without_reordering("ab");
    assert_eq!((&*text, reordered), ("ab", false));
}

#[test]
fn a_title_reads_as_it_is() {
    let reordered = Metadata {
        title: Some("inv\u{202E}fdp.exe".into()),
        ..metadata()
    };
    let page = paste(&site(), &reordered, "x");
    assert!(page.contains("invfdp.exe") && !page.contains('\u{202E}'));
}
