//! Content codings: which one a client takes, and gzip.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};

/// Whether an encoding is named and not refused with a quality of zero.
pub(super) fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    asked
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .any(|item| {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            let refused = parameters
                .trim()
                .strip_prefix("q=")
                .is_some_and(|quality| quality.trim_matches(['0', '.']).is_empty());
            name.trim().eq_ignore_ascii_case(encoding) && !refused
        })
}

/// Compresses, with an effort from 1 to 9.
pub(super) fn gzip(bytes: &[u8], effort: u32) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(effort));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What [`gzip`] compressed.
pub(super) fn gunzip(compressed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size);
    GzDecoder::new(compressed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn an_encoding_counts_when_it_is_named_and_not_refused() {
        for (line, expected) in [
            ("gzip, deflate, br", true),
            ("GZIP;q=0.5", true),
            ("br", false),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("", false),
        ] {
            let mut asked = HeaderMap::new();
            asked.insert(ACCEPT_ENCODING, HeaderValue::from_static(line));
            assert_eq!(accepts(&asked, "gzip"), expected, "{line}");
        }
    }

    #[test]
    fn what_was_compressed_comes_back() {
        let text = "some text ".repeat(100);
        let compressed = gzip(text.as_bytes(), 6).unwrap();
        assert!(compressed.len() < 60);
        assert_eq!(gunzip(&compressed, text.len()).unwrap(), text.as_bytes());
    }
}
