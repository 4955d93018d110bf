//! A paste as people name it: an id, or any of its links.

use super::exit::Failed;
use crate::config::BaseUrl;
use app::wire::id::PasteId;

/// What may follow the id in a link.
const VIEWS: [&str; 2] = ["raw", "download"];

/// A paste, and the service when the name tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) id: PasteId,
    /// None for an id alone.
    pub(super) server: Option<BaseUrl>,
}

/// Reads an id, or a link with whatever people copy along: `/raw`, a query, lines.
pub(super) fn read(text: &str) -> Result<Named, Failed> {
    let named = match text.parse() {
        Ok(id) => Some(Named { id, server: None }),
        Err(_) => link(text),
    };
    named.ok_or_else(|| Failed::usage(format!("{text:?} is neither a paste's id nor its link")))
}

fn link(text: &str) -> Option<Named> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let path = text[..end].trim_end_matches('/');
    let (above, last) = path.rsplit_once('/')?;
    let (above, id) = if VIEWS.contains(&last) {
        above.rsplit_once('/')?
    } else {
        (above, last)
    };
    let base = above.strip_suffix("/api/pastes").unwrap_or(above);
    Some(Named {
        id: id.parse().ok()?,
        server: Some(base.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "2w0123456789AB";

    #[test]
    fn ids_and_links_are_read() {
        assert_eq!(read(ID).unwrap().server, None);
        for (before, after, server) in [
            ("https://example.org/", "", "https://example.org"),
            (
                "https://example.org/paste/",
                "",
                "https://example.org/paste",
            ),
            (
                "https://example.org/paste/",
                "/raw",
                "https://example.org/paste",
            ),
            ("http://[::1]:3000/", "/download", "http://[::1]:3000"),
            ("http://a/", "/?x=/y#L5-L9", "http://a"),
            ("http://a/", "#L5", "http://a"),
            ("http://a/b/api/pastes/", "", "http://a/b"),
        ] {
            let named = read(&format!("{before}{ID}{after}")).unwrap();
            assert_eq!(named.id.as_str(), ID);
            assert_eq!(named.server, Some(server.parse().unwrap()), "{before}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for text in [
            "",
            "2w0123456789A",
            "zz0123456789AB",
            "https://example.org",
            "https://example.org/",
            "https://example.org/raw",
            "example.org/2w0123456789AB",
            "ftp://example.org/2w0123456789AB",
            "https://me@example.org/2w0123456789AB",
            "https://example.org/2w0123456789AB/other",
            "/2w0123456789AB",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
