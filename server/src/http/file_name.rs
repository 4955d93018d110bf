//! The file name that a download suggests.

use super::failure::Failure;
use crate::pastes::Paste;
use axum::http::header::HeaderValue;

/// A file name from id and title (RFC 6266): the plain form is ours alone, the other is percent-encoded, so no title
/// can leave its quotes or its folder. A title of which no name is left adds none.
pub(super) fn disposition(paste: &Paste) -> Result<HeaderValue, Failure> {
    let plain = format!("{}.txt", paste.id());
    let named = paste
        .title()
        .and_then(encoded_name)
        .map(|name| format!("; filename*=UTF-8''{name}"));
    let text = format!(
        "attachment; filename=\"{plain}\"{}",
        named.unwrap_or_default()
    );
    HeaderValue::from_str(&text).map_err(|_| Failure::Internal)
}

fn encoded_name(title: &str) -> Option<String> {
    let safe: String = title
        .chars()
        .filter(|c| !reorders(*c))
        .map(|c| {
            if matches!(c, '/' | '\\' | ':') {
                '_'
            } else {
                c
            }
        })
        .collect();
    // A leading dot would hide the file, and some systems drop trailing ones.
    let safe = safe.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if safe.is_empty() {
        return None;
    }
    let name = if safe.contains('.') {
        safe.to_owned()
    } else {
        format!("{safe}.txt")
    };
    let encoded = name.bytes().map(|byte| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    Some(encoded.collect())
}

/// Whether a character makes those after it read in another order: `exe.txt` could be read where `txt.exe` is.
fn reorders(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_stay_in_their_place() {
        for (title, name) in [
            ("main.rs", "main.rs"),
            ("notes", "notes.txt"),
            ("inv\u{202E}fdp.exe", "invfdp.exe"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a\"; filename=b", "a%22%3B%20filename%3Db.txt"),
            ("żółw", "%C5%BC%C3%B3%C5%82w.txt"),
            (" . .profile", "profile.txt"),
            ("a name.", "a%20name.txt"),
        ] {
            assert_eq!(encoded_name(title).as_deref(), Some(name), "{title}");
        }
        for title in ["", " ", "...", " . . ", "\u{3000}", "\u{202E}."] {
            assert_eq!(encoded_name(title), None, "{title:?}");
        }
    }
}
