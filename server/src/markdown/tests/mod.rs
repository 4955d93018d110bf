//! What comes out, read by a scanner of our own, and what must never come out.

mod attacks;
mod looks;

use super::sanitise::{REL, REMOVED, SCHEMES};

/// Every tag that may come out. Kept apart from ammonia's own list: a new version that allows more fails here.
const TAGS: &str = "a abbr acronym b bdi bdo blockquote br caption center cite code col colgroup data dd del details \
    dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt rtc ruby s samp small \
    span strike strong sub summary sup table tbody td th thead time tr tt u ul var wbr";

/// Every attribute that may come out.
const ATTRIBUTES: &str = "align char charoff cite colspan datetime dir headers href hreflang id lang rel rowspan scope \
    size span start summary title width";

fn is_on(list: &str, name: &str) -> bool {
    list.split(' ').any(|known| known == name)
}

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
        assert!(is_on(TAGS, name), "<{tag}>");
        assert!(!REMOVED.contains(&name), "<{tag}>");
        let mut rest = &tag[tag.len().min(name.len())..];
        while let Some((attribute, after)) = rest.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("a closing quote");
            assert!(is_on(ATTRIBUTES, attribute), "{attribute} in <{tag}>");
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
