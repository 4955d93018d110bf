//! Whatever people write, a page holds our markup and their text, each in its place.

use super::markup::{Document, read_by_browser};
use super::{Values, site};
use crate::pages::{FormValues, Site, form, paste};
use crate::wire::expiry;
use proptest::prelude::*;

/// What breaks out of HTML that forgets to escape, or trips its parser.
const SNIPPETS: [&str; 30] = [
    "<",
    ">",
    "&",
    "\"",
    "'",
    "=",
    "<script>alert(1)</script>",
    "</textarea>",
    "</title>",
    "</pre>",
    "</span>",
    "<body onload=x>",
    "</head>",
    "<!--",
    "-->",
    "<!>",
    "]]>",
    "&lt;",
    "&#60;",
    "&amp",
    "\" onload=\"x",
    "javascript:x",
    "\0",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{1b}",
    "\u{202e}",
    "\u{feff}",
];

fn hostile() -> impl Strategy<Value = String> {
    let snippet = proptest::sample::select(&SNIPPETS[..]).prop_map(str::to_owned);
    let piece = prop_oneof![3 => snippet, 1 => "(?s).{0,6}"];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A word as long-lived as the hostile one: empty stays empty, a span stays a span.
fn tame_word(word: &str) -> &str {
    if word.is_empty() || expiry::parse_seconds(word).is_ok() {
        word
    } else {
        "x"
    }
}

/// A text with the same lines and directions, and letters otherwise.
fn tame_text(text: &str) -> String {
    let tame = |c| match c {
        '\n' | '\r' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => c,
        _ => 'x',
    };
    text.chars().map(tame).collect()
}

proptest! {
    #[test]
    fn no_markup_but_ours_comes_out(word in hostile(), text in hostile()) {
        let wild = Values::all(&word, &text).documents(&site());
        let tame = Values::all(tame_word(&word), &tame_text(&text)).documents(&site());
        for (wild, tame) in wild.iter().zip(&tame) {
            prop_assert_eq!(wild.skeleton(), tame.skeleton());
        }
    }

    #[test]
    fn no_contact_or_address_of_the_site_brings_markup(word in hostile()) {
        let with = |contact: &str| Site {
            base_url: contact.to_owned(),
            report_contact: Some(contact.to_owned()),
            ..site()
        };
        let Values { form: fields, metadata, .. } = Values::all("x", "x");
        let skeletons = |contact: &str| {
            let site = with(contact);
            let pages = [form(&site, &fields, None), paste(&site, &metadata, "x")];
            pages.map(|page| Document::read(&page).skeleton())
        };
        let expected = ["", "x", "a@b", "http://b"].map(skeletons);
        for contact in [word.clone(), format!("{word}@b"), format!("https://{word}")] {
            prop_assert!(expected.contains(&skeletons(&contact)), "{}", contact);
        }
    }

    #[test]
    fn a_contact_is_linked_only_by_mail_or_web(word in hostile()) {
        let site = Site { report_contact: Some(word), ..site() };
        let values = Values::all("2wKd93hXq0ZbTy", "x");
        let page = Document::read(&paste(&site, &values.metadata, "x"));
        let known = ["/", "#", "data:image/svg+xml,", "mailto:", "http://", "https://"];
        for href in page.values("href") {
            prop_assert!(known.iter().any(|start| href.starts_with(start)), "{}", href);
        }
    }

    #[test]
    fn a_browser_reads_back_every_field_of_the_form(
        content in hostile(), title in hostile(), syntax in hostile(), expires_in in hostile(),
    ) {
        let values = FormValues {
            idempotency_key: "0190a5e4-7b1c-7abc-8def-0123456789ab".into(),
            content: content.clone(),
            title: title.clone(),
            syntax: syntax.clone(),
            expires_in: expires_in.clone(),
        };
        let page = Document::read(&form(&site(), &values, None));
        let field = |name: &str| page.value_beside(("name", name), "value");
        prop_assert_eq!(field("idempotency_key"), Some(values.idempotency_key.as_str()));
        prop_assert_eq!(field("title"), Some(&*read_by_browser(&title)));
        prop_assert_eq!(field("syntax"), Some(&*read_by_browser(&syntax)));
        let chosen = page.value_beside(("selected", ""), "value").unwrap();
        let expected = if expires_in.is_empty() { "30d" } else { &read_by_browser(&expires_in) };
        prop_assert!(chosen == expected || expiry::parse_seconds(chosen) == expiry::parse_seconds(expected));
        // The parser drops one newline after the tag. NUL is the one character HTML cannot carry.
        let textarea = page.text_of("textarea");
        prop_assert_eq!(textarea.strip_prefix('\n'), Some(&*content.replace('\0', "\u{FFFD}")));
    }

    #[test]
    fn a_browser_shows_every_line_of_a_paste(text in hostile()) {
        let values = Values::all("x", &text);
        let page = Document::read(&paste(&site(), &values.metadata, &text));
        let shown = page.text_of("pre");
        let mut unified = text.replace("\r\n", "\n").replace('\r', "\n");
        if !unified.is_empty() && !unified.ends_with('\n') {
            unified.push('\n');
        }
        prop_assert_eq!(shown.chars().count(), unified.chars().count());
        for (shown, given) in shown.chars().zip(unified.chars()) {
            let in_place = !given.is_control() || matches!(given, '\n' | '\t');
            prop_assert_eq!(shown == given, in_place);
            prop_assert!(in_place || !shown.is_control());
        }
    }

    #[test]
    fn equal_values_give_equal_pages(word in hostile(), text in hostile()) {
        let values = Values::all(&word, &text);
        let elsewhere = values.clone();
        let other_thread = std::thread::spawn(move || elsewhere.pages(&site()));
        prop_assert_eq!(values.pages(&site()), other_thread.join().unwrap());
    }
}
