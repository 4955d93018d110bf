//! What an answer means for the save.

use super::event::Reply;
use super::json::Json;
use crate::wire::created::Created;

/// What an answer means.
pub(super) enum Verdict {
    /// The 201: the paste exists.
    Saved(Created),
    /// A final no. `detail` is what the server said, or empty.
    Refused { status: u16, detail: String },
    /// Nothing is known, or it is too early: the same key and the same bytes go again.
    Again {
        status: u16,
        retry_after_seconds: Option<u64>,
    },
}

/// Reads an answer. A 201 that cannot be read is no answer: the same key brings the stored one.
pub(super) fn classify(reply: &Reply) -> Verdict {
    match reply.status {
        201 => created(&reply.body).map_or_else(|| again(reply), Verdict::Saved),
        408 | 425 | 429 => again(reply),
        400..=499 => Verdict::Refused {
            status: reply.status,
            detail: detail(&reply.body),
        },
        _ => again(reply),
    }
}

/// The body of a 201, if it is whole.
fn created(body: &str) -> Option<Created> {
    let mut json = Json::read(body)?;
    Some(Created {
        id: json.text("id")?,
        url: json.text("url")?,
        created_at: json.text("created_at")?,
        expires_at: json.text("expires_at")?,
        size: json.number("size")?,
        sha256: json.text("sha256")?,
        delete_token: json.text("delete_token")?,
    })
}

fn again(reply: &Reply) -> Verdict {
    Verdict::Again {
        status: reply.status,
        retry_after_seconds: reply.retry_after_seconds,
    }
}

/// Title and detail of a problem; empty for a body that is none (a proxy's page, a broken connection).
fn detail(body: &str) -> String {
    let Some(mut problem) = Json::read(body) else {
        return String::new();
    };
    match (problem.text("title"), problem.text("detail")) {
        (Some(title), Some(detail)) => [title.as_str(), ". ", &detail].concat(),
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{created, created_reply, reply};
    use super::*;

    #[test]
    fn every_status_has_one_meaning() {
        for status in 100..=599 {
            let refused = matches!(classify(&reply(status)), Verdict::Refused { .. });
            let named = [400, 401, 403, 404, 405, 409, 413, 415, 422, 431].contains(&status);
            let retried = [408, 425, 429].contains(&status) || !(400..500).contains(&status);
            assert!(!named || refused, "{status} must end the save");
            assert_eq!(refused, !retried, "{status}");
        }
    }

    #[test]
    fn only_a_whole_201_is_a_success() {
        let whole = created_reply(&created("00abcdefghijkl"));
        assert!(matches!(classify(&whole), Verdict::Saved(_)));
        for body in ["", "{}", "<html>", &whole.body[..whole.body.len() - 1]] {
            let broken = Reply {
                body: body.into(),
                ..whole.clone()
            };
            assert!(matches!(classify(&broken), Verdict::Again { .. }), "{body}");
        }
        let page = Reply {
            status: 200,
            ..whole
        };
        assert!(matches!(classify(&page), Verdict::Again { .. }));
    }

    #[test]
    fn the_detail_is_read_leniently() {
        for (body, expected) in [
            (r#"{"detail":"Too long.","code":"a_new_code"}"#, "Too long."),
            (
                r#"{"title":"No title","detail":"Too long."}"#,
                "No title. Too long.",
            ),
            ("<h1>Forbidden</h1>", ""),
            ("", ""),
        ] {
            assert_eq!(detail(body), expected);
        }
    }
}
