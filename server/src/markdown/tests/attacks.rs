//! Texts that mean harm: to readers, or to the server's time and memory.

use super::assert_safe;
use crate::markdown::{RENDERED_BYTES_MAX, render};
use proptest::prelude::*;
use std::time::{Duration, Instant};

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

/// Texts that make a renderer take minutes or gigabytes. Here each takes a second or so, this code not optimised, and
/// becomes no more than a few times its size.
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
        assert!(took < Duration::from_secs(10), "{start:?} took {took:?}");
        assert!(html.len() < 40 * size, "{start:?} became {}", html.len());
    }
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
