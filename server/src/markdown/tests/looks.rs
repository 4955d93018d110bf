//! How Markdown looks when nobody means harm.

use super::assert_safe;
use crate::markdown::sanitise::REL;
use crate::markdown::{render, whole_lines};

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

#[test]
fn a_cut_is_made_at_the_end_of_a_line() {
    assert_eq!(whole_lines("a\nb\nc"), "a\nb\n");
    assert_eq!(whole_lines("abc"), "abc");
}
