//! Whatever a text is and whatever a grammar makes of it: the page has our tags, and between them the text.

use crate::harness::{TestServer, fresh_key, until};
use app::wire::syntax;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

const TEXTS_OF_EACH: usize = 6;

/// What opens strings, comments, embedded languages and tags in one grammar or another.
const SNIPPETS: &[&str] = &[
    "<",
    ">",
    "&",
    "\"",
    "'",
    "`",
    "</i>",
    "</pre>",
    "<script>",
    "</script>",
    "<style>",
    "<?php",
    "?>",
    "{{",
    "}}",
    "<!--",
    "-->",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "\"\"\"",
    "'''",
    "<<EOF\n",
    "EOF\n",
    "${",
    "}",
    "$(",
    "\\n",
    "\\",
    "&lt;",
    "```rust\n",
    "```\n",
    "fn a(",
    "class A",
    "def x:",
    "import y;",
    "0x1f",
    "1.5",
    "[a](b)",
    "@@ -1 +1 @@\n",
    "+a\n",
    "-b\n",
    "key: v\n",
    "[s]\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\0",
    "\u{1b}[0m",
    "é",
    "漢",
    "\u{202e}",
    "%>",
    "<%",
    "|",
    "if ",
    "end\n",
];

fn text() -> impl Strategy<Value = String> {
    let snippet = proptest::sample::select(SNIPPETS).prop_map(str::to_owned);
    let piece = prop_oneof![6 => snippet, 1 => "(?s).{0,6}", 1 => "[a-zA-Z_ ]{0,8}"];
    proptest::collection::vec(piece, 1..40)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("a paste has text", |text| !text.is_empty())
}

#[tokio::test(flavor = "multi_thread")]
async fn in_every_syntax_a_page_is_our_tags_and_the_text() {
    let server = TestServer::start().await;
    let host = &server.hosts()[0];
    let mut runner = TestRunner::default();
    let mut coloured = 0;
    for syntax in syntax::ALL {
        for _ in 0..TEXTS_OF_EACH {
            let text = text().new_tree(&mut runner).unwrap().current();
            let json = json!({"content": text, "syntax": syntax.name});
            let id = host.save_json(&fresh_key(), &json).await.created().id;
            let path = format!("/{id}");
            let page = async || {
                host.get_with(&path, &[("accept", "text/html")])
                    .await
                    .text()
            };
            let colours = format!("colours of {} {text:?}", syntax.name);
            until(&colours, async || !page().await.contains("Colours follow")).await;
            let page = page().await;
            let (_, pre) = page.split_once("<pre ").unwrap();
            let (pre, _) = pre.split_once('>').unwrap().1.split_once("</pre>").unwrap();
            coloured += pre.matches("<i class").count();
            assert_eq!(read(pre), shown(&text), "{} {text:?}", syntax.name);
        }
    }
    assert!(coloured > 500, "{coloured}");
}

/// The text between our tags; panics at any other.
fn read(html: &str) -> String {
    let (mut rest, mut text) = (html, String::new());
    let mut line = 0;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap();
        let first = |prefix: &str| tag.strip_prefix(prefix)?.chars().next();
        match tag {
            "/i" | "/a" | "span" | "/span" | "/bdi" => {}
            _ if is_label(tag) => {}
            _ if tag == format!("span id=\"L{}\"", line + 1) => line += 1,
            _ if tag == format!("a href=\"#L{line}\" aria-label=\"{line}\"") => {}
            _ => {
                let letter = first("i class=\"").unwrap_or_else(|| panic!("<{tag}>"));
                assert_eq!(tag, format!("i class=\"{letter}\""));
                assert!(letter.is_ascii_lowercase());
            }
        }
        rest = after;
    }
    text.push_str(rest);
    assert!(!text.contains('>'), "{text}");
    for (reference, character) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
        text = text.replace(reference, character);
    }
    text
}

/// What begins the label of a character that turns the direction of text.
fn is_label(tag: &str) -> bool {
    let name = tag.strip_prefix("bdi data-bidi=\"");
    let name = name.and_then(|name| name.strip_suffix('"'));
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_uppercase()))
}

/// What a page shows of a text: its lines, and pictures for control characters.
fn shown(text: &str) -> String {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut shown: String = unified
        .chars()
        .map(|c| match u32::from(c) {
            0x09 | 0x0A => c,
            code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap(),
            0x7F => '\u{2421}',
            0x80..0xA0 => '\u{FFFD}',
            _ => c,
        })
        .collect();
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown
}
