//! What an `Accept` header asks for.
//!
//! A type counts only when it is named: `*/*`, none, unknown and broken ones get the place's default. 406 is never
//! sent.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// A rendering an answer can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rendering {
    /// `text/html`
    Html,
    /// `text/plain`
    Plain,
    /// `application/json` and `application/problem+json`
    Json,
}

impl Rendering {
    fn of(media_type: &str) -> Option<Self> {
        match media_type.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/plain" => Some(Self::Plain),
            "application/json" | "application/problem+json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// The offer that is asked for with the highest quality; between equals the earlier offer; `default` if none is named.
pub(super) fn choose(headers: &HeaderMap, offers: &[Rendering], default: Rendering) -> Rendering {
    let named: Vec<_> = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .filter_map(item)
        .collect();
    let quality = |offer| {
        let qualities = named.iter().filter(|(rendering, _)| *rendering == offer);
        qualities.map(|(_, quality)| *quality).max().unwrap_or(0)
    };
    offers
        .iter()
        .rev()
        .map(|offer| (quality(*offer), *offer))
        .filter(|(quality, _)| *quality > 0)
        .max_by_key(|(quality, _)| *quality)
        .map_or(default, |(_, offer)| offer)
}

/// A named type and its quality in thousandths.
fn item(text: &str) -> Option<(Rendering, u32)> {
    let mut parts = text.split(';').map(str::trim);
    let rendering = Rendering::of(parts.next()?)?;
    let quality = parts
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
        .map_or(Some(1000), |(_, value)| thousandths(value.trim()))?;
    Some((rendering, quality))
}

/// `1`, `0.5`, `0.333`: RFC 9110's qvalue; nothing else.
fn thousandths(value: &str) -> Option<u32> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|b| b.is_ascii_digit());
    let fraction: u32 = format!("{fraction:0<3}").parse().ok()?;
    match (whole, digits) {
        ("0", true) => Some(fraction),
        ("1", true) if fraction == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    fn chosen(accept: &str) -> Rendering {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
        choose(
            &headers,
            &[Rendering::Html, Rendering::Plain],
            Rendering::Plain,
        )
    }

    #[test]
    fn the_named_type_with_the_highest_quality_wins() {
        for (accept, expected) in [
            ("text/html", Rendering::Html),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                Rendering::Html,
            ),
            ("TEXT/HTML; charset=utf-8", Rendering::Html),
            ("text/plain;q=0.5, text/html;q=0.4", Rendering::Plain),
            ("text/plain;q=0.4, text/html;q=0.5", Rendering::Html),
            ("text/plain, text/html", Rendering::Html),
            ("*/*", Rendering::Plain),
            ("text/*", Rendering::Plain),
            ("image/png", Rendering::Plain),
            ("text/html;q=0", Rendering::Plain),
            ("text/html;q=2", Rendering::Plain),
            ("text/html;q=x", Rendering::Plain),
            (",;,q=1;;", Rendering::Plain),
            ("", Rendering::Plain),
        ] {
            assert_eq!(chosen(accept), expected, "{accept}");
        }
    }

    proptest! {
        #[test]
        fn any_header_has_an_answer(accept in "[ -~]{0,60}") {
            chosen(&accept);
        }
    }
}
