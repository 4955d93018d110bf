//! What comes out, read by a scanner of our own, and what must never come out.

use super::sanitise::{REL, REMOVED, SCHEMES};
use super::{RENDERED_BYTES_MAX, render, whole_lines};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Every tag that may come out. Kept apart from ammonia's own list: a new version that allows more fails here.
const TAGS: [&str; 62] = [
    "a",
    "abbr",
    "acronym",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
];
const MORE_TAGS: [&str; 4] = ["u", "ul", "var", "wbr"];

/// Every attribute that may come out.
const ATTRIBUTES: [&str; 21] = [
    "align", "char", "charoff", "cite", "colspan", "datetime", "dir", "headers", "href",
    "hreflang", "id", "lang", "rel", "rowspan", "scope", "size", "span", "start", "summary",
    "title", "width",
];

/// Reads HTML and panics at any tag, attribute or address that is not on the lists.
#[track_caller]
fn assert_safe(html: &str) {
    for piece in html.split('<').skip(1) {
        let end = piece.find('>').expect("an end of a tag");
        let tag = &piece[..end];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '>'])
            .next()
            .unwrap();
        assert!(TAGS.contains(&name) || MORE_TAGS.contains(&name), "<{tag}>");
        assert!(!REMOVED.contains(&name), "<{tag}>");
        let mut rest = &tag[tag.len().min(name.len())..];
        while let Some((attribute, after)) = rest.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("a closing quote");
            assert!(ATTRIBUTES.contains(&attribute), "{attribute} in <{tag}>");
            assert_value(attribute, value);
            rest = after;
        }
        assert!(tag.starts_with('/') || rest.trim().is_empty(), "<{tag}>");
    }
}

#[track_caller]
fn assert_value(attribute: &str, value: &str) {
    match attribute {
        "href" | "cite" => {
            let (scheme, _) = value.split_once(':').unwrap_or_default();
            let scheme = scheme.to_ascii_lowercase();
            assert!(
                value.starts_with("#md-") || SCHEMES.contains(&&*scheme),
                "{attribute}={value}"
            );
        }
        "id" => assert!(value.starts_with("md-"), "id={value}"),
        "rel" => assert_eq!(value, REL),
        _ => {}
    }
}

#[test]
fn markdown_looks_as_it_is_meant_to() {
    for (text, html) in [
        (
            "# Getting Started",
            "<h1 id=\"md-getting-started\">Getting Started</h1>\n",
        ),
        (
            "a *b* **c** ~~d~~ `e`",
            "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>\n",
        ),
        (
            "```rust\nlet x = 1 < 2;\n```",
            "<pre><code>let x = 1 &lt; 2;\n</code></pre>\n",
        ),
        (
            "- [x] done\n- [ ] open",
            "<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>\n",
        ),
        ("> quoted", "<blockquote>\n<p>quoted</p>\n</blockquote>\n"),
        ("5. five", "<ol start=\"5\">\n<li>five</li>\n</ol>\n"),
        ("press <kbd>Ctrl</kbd>", "<p>press <kbd>Ctrl</kbd></p>\n"),
        ("a<br>b", "<p>a<br>\nb</p>\n"),
        (
            "---\ntitle: x\n---\ny",
            "<pre><code>title: x\n</code></pre>\n<p>y</p>\n",
        ),
    ] {
        assert_eq!(render(text), html, "{text}");
    }
}

#[test]
fn a_table_keeps_its_alignment_without_a_style() {
    let html = render("| a | b |\n|:-:|--:|\n| 1 | 2 |");
    assert!(
        html.contains("<th align=\"center\">a</th><th align=\"right\">b</th>"),
        "{html}"
    );
    assert!(html.contains("<td align=\"right\">2</td>"), "{html}");
}

#[test]
fn a_link_vouches_for_nothing_and_leads_to_web_mail_or_the_text_itself() {
    for (text, href) in [
        (
            "[x](https://a.example/b?c=d)",
            Some("https://a.example/b?c=d"),
        ),
        ("<https://a.example>", Some("https://a.example")),
        ("<me@a.example>", Some("mailto:me@a.example")),
        ("[x](#getting-started)", Some("#md-getting-started")),
        ("[x](other.md)", None),
        ("[x](/admin)", None),
        ("[x](//a.example)", None),
        ("[x](javascript:alert(1))", None),
        ("[x](JaVaScRiPt:alert(1))", None),
        ("[x](java\tscript:alert(1))", None),
        ("[x](&#106;avascript:alert(1))", None),
        ("[x](vbscript:x)", None),
        ("[x](data:text/html,<script>alert(1)</script>)", None),
        ("[x](file:///etc/passwd)", None),
        ("<javascript:alert(1)>", None),
    ] {
        let html = render(text);
        assert_safe(&html);
        let found = html
            .split_once("href=\"")
            .map(|(_, rest)| rest.split('"').next().unwrap());
        assert_eq!(found, href, "{text}: {html}");
        assert_eq!(
            html.contains(&format!("rel=\"{REL}\"")),
            html.contains("<a "),
            "{html}"
        );
    }
}

#[test]
fn a_picture_becomes_a_link_to_it() {
    let link = |html: &str| html.replace(&format!(" rel=\"{REL}\""), "");
    for (text, html) in [
        (
            "![a cat](https://a.example/cat.png)",
            "<p><a href=\"https://a.example/cat.png\">Image: a cat</a></p>\n",
        ),
        (
            "[![build](https://a.example/b.svg)](https://b.example)",
            "<p><a href=\"https://b.example\">build</a></p>\n",
        ),
        (
            "![a [b](https://c.example) d](https://a.example/e)",
            "<p><a href=\"https://a.example/e\">Image: a b d</a></p>\n",
        ),
        (
            "![x](data:image/svg+xml,<svg onload=alert(1)>)",
            "<p>![x](data:image/svg+xml,&lt;svg onload=alert(1)&gt;)</p>\n",
        ),
    ] {
        assert_eq!(link(&render(text)), html, "{text}");
    }
}

/// Each as a block of HTML, within a line, in a heading, a link, a table and a list.
#[test]
fn nothing_of_an_attack_comes_out() {
    for attack in [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<img src=x onerror=alert(1)>",
        "<img src=\"https://evil.example/pixel.gif\">",
        "<svg onload=alert(1)><animate href=x></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<style>body{background:url(https://evil.example)}</style>",
        "<link rel=stylesheet href=https://evil.example>",
        "<iframe src=https://evil.example></iframe>",
        "<object data=x></object><embed src=x>",
        "<form action=https://evil.example><input name=delete_token><button>Delete</button></form>",
        "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
        "<base href=https://evil.example>",
        "<a href=javascript:alert(1)>x</a>",
        "<a href=\" javascript:alert(1)\" onclick=alert(1)>x</a>",
        "<div style=\"position:fixed;inset:0\" class=notice id=status onmouseover=x>x</div>",
        "<body onload=alert(1)>",
        "</article></main><h1>Deleted</h1>",
        "</textarea></title></pre>",
        "<details open ontoggle=alert(1)>x</details>",
        "<video><source onerror=alert(1)></video><audio src=https://evil.example></audio>",
        "<template><script>alert(1)</script></template>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<!--><script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<?php echo 1 ?>",
        "<p title=\"><script>alert(1)</script>\">x</p>",
        "<table background=https://evil.example><td background=x>",
        "<input type=image src=x onerror=alert(1)>",
        "<button popovertarget=qr>x</button>",
        "<plaintext>",
        "<xmp><script>alert(1)</script></xmp>",
    ] {
        for text in [
            attack.to_owned(),
            format!("a {attack} b"),
            format!("# {attack}"),
            format!("[{attack}](https://a.example \"{attack}\")"),
            format!("|a|\n|-|\n|{attack}|"),
            format!("- {attack}\n\n  {attack}"),
            format!("<div>\n{attack}\n</div>"),
            format!("```{attack}\n{attack}\n```"),
            format!("[^1]\n\n[^1]: {attack}"),
        ] {
            assert_safe(&render(&text));
        }
    }
}

#[test]
fn a_tag_within_a_line_ends_with_its_element() {
    for (text, html) in [
        ("a <b>b\n\nc", "<p>a <b>b</b></p>\n<p>c</p>\n"),
        ("a </b> b", "<p>a &lt;/b&gt; b</p>\n"),
        ("*a <u>b* c</u>", "<p><em>a <u>b</u></em> c&lt;/u&gt;</p>\n"),
        (
            "a <b class=x>b</b>",
            "<p>a &lt;b class=x&gt;b&lt;/b&gt;</p>\n",
        ),
        (
            "<details><summary>s</summary>\n\nx",
            "<details><summary>s</summary>\n</details>\n<p>x</p>\n",
        ),
    ] {
        assert_eq!(render(text), html, "{text}");
    }
}

/// A text that makes other renderers take minutes or gigabytes takes this one less than two seconds without
/// optimisation, and becomes no more than a few times its size.
#[test]
fn no_text_takes_long_or_grows_without_end() {
    let size = usize::try_from(RENDERED_BYTES_MAX).unwrap();
    let full = |piece: &str| piece.repeat(size / piece.len());
    let formats: String = (0..5_000).map(|n| format!("<b title={n}>")).collect();
    for text in [
        full(">"),
        full("> "),
        full("- "),
        full("1. "),
        full("*a **b "),
        full("["),
        full("![["),
        full("[a]("),
        full("<"),
        full("<b>"),
        full("<div>"),
        full("<div>\n\n"),
        full("<kbd>x\n\n"),
        full("</p>"),
        full("&"),
        full("`a``b"),
        full("|a"),
        full("# x\n"),
        full("[^a]: [^a]\n\n"),
        full("[a]: <b>\n"),
        full("\\"),
        full("x\n\n"),
        format!("{formats}\n\n{}", full("<p>x\n\n").split_at(size / 2).0),
    ] {
        let started = Instant::now();
        let html = render(&text);
        let (took, start) = (started.elapsed(), &text[..20]);
        println!("{start:?}: {took:?}, {} bytes", html.len());
        assert!(took < Duration::from_secs(10), "{start:?} took {took:?}");
        assert!(html.len() < 40 * size, "{start:?} became {}", html.len());
    }
}

#[test]
fn a_cut_is_made_at_the_end_of_a_line() {
    assert_eq!(whole_lines("a\nb\nc"), "a\nb\n");
    assert_eq!(whole_lines("abc"), "abc");
}

fn pieces() -> impl Strategy<Value = String> {
    const SNIPPETS: [&str; 44] = [
        "<",
        ">",
        "\"",
        "'",
        "&",
        "`",
        "```",
        "*",
        "**",
        "_",
        "[",
        "](",
        ")",
        "![",
        "#",
        "> ",
        "- ",
        "1. ",
        "|",
        "|-|",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "<script>",
        "</script>",
        "<img src=x onerror=y>",
        "<b>",
        "</b>",
        "<kbd>",
        "<div ",
        "<p title=\"",
        "</div>",
        "<!--",
        "-->",
        "<svg>",
        "<style>",
        "<a href=",
        "javascript:",
        "https://a.example",
        "&#x3c;",
        "[^1]",
        "[^1]: ",
        "<math><mi//xlink:href=\"data:x,<script>",
    ];
    let snippet = proptest::sample::select(&SNIPPETS[..]).prop_map(str::to_owned);
    let piece = prop_oneof![4 => snippet, 1 => "(?s).{0,6}"];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_tag_comes_out_that_is_not_on_the_list(text in pieces()) {
        assert_safe(&render(&text));
    }
}
