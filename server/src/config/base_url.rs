//! The public address that links are written with.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

/// `http://` or `https://`, a host, perhaps a port and a path. No slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    origin: String,
    path: String,
}

impl BaseUrl {
    /// The address that a listener has.
    #[must_use]
    pub fn of_listener(address: SocketAddr) -> Self {
        Self {
            origin: format!("http://{address}"),
            path: String::new(),
        }
    }

    /// The path that the service is under: empty, or `/` and segments.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "write http:// or https://, a host and perhaps a path, such as https://example.org/paste; no query, no fragment, no user".to_owned()
        };
        let scheme = ["https://", "http://"]
            .into_iter()
            .find(|scheme| text.starts_with(scheme))
            .ok_or_else(wrong)?;
        let rest = &text[scheme.len()..];
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host_allowed = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        let path_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
        let path = path.trim_end_matches('/');
        let sound = !host.is_empty()
            && host.chars().all(host_allowed)
            && path.chars().all(path_allowed)
            && !path.contains("//");
        if !sound {
            return Err(wrong());
        }
        Ok(Self {
            origin: format!("{scheme}{host}"),
            path: path.to_owned(),
        })
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_read() {
        for (text, shown, path) in [
            ("https://example.org", "https://example.org", ""),
            ("https://example.org/", "https://example.org", ""),
            (
                "https://example.org/paste/",
                "https://example.org/paste",
                "/paste",
            ),
            ("http://[::1]:3000/a/b", "http://[::1]:3000/a/b", "/a/b"),
        ] {
            let url: BaseUrl = text.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(url.path(), path);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https:///x",
            "https://a/?q",
            "https://a/#f",
            "https://user@a/",
            "https://a/b//c",
            "https://a/\"",
            "https://a b/",
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text:?}");
        }
    }
}
