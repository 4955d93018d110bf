//! Spans, sizes, switches and rates as an operator writes them.

use app::wire::{expiry, limits};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;
use tracing::Level;

/// A span: whole seconds, or a number with `s`, `m`, `h` or `d`. Clients say how long a paste lives without the `s`.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_suffix('s').filter(|digits| is_number(digits));
    expiry::parse_seconds(seconds.unwrap_or(text))
        .map(Duration::from_secs)
        .map_err(|_| "write seconds, or a number with s, m, h or d, such as 40s or 30d".to_owned())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A size in bytes: a number, or one with `KiB` or `MiB`.
pub(super) fn paste_bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix("iB") {
        Some(rest) if rest.ends_with('K') => (&rest[..rest.len() - 1], 1024),
        Some(rest) if rest.ends_with('M') => (&rest[..rest.len() - 1], 1024 * 1024),
        _ => (text, 1),
    };
    let bytes = digits
        .trim_end()
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(unit))
        .ok_or("write bytes, or a number with KiB or MiB, such as 10MiB")?;
    if !(1..=limits::PASTE_BYTES_CEILING).contains(&bytes) {
        return Err("from 1 byte to 64MiB".to_owned());
    }
    Ok(bytes)
}

/// Where to listen. A name is none: it may have several addresses, and which of them is meant, nobody says.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let why = "write an IP address and a port, such as 127.0.0.1:3000 or [::]:3000";
    text.parse().map_err(|_| why.to_owned())
}

/// A level of the log, by its name.
pub(super) fn level(text: &str) -> Result<Level, String> {
    let is_named = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let level = text.parse().ok().filter(|_| is_named);
    level.ok_or_else(|| "write error, warn, info, debug or trace".to_owned())
}

/// A network, or one address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let address = |_| text.parse::<IpAddr>().map(IpNet::from);
    text.parse::<IpNet>()
        .or_else(address)
        .map_err(|_| "write a network or an address, such as 10.0.0.0/8 or ::1".to_owned())
}

/// A mail address or a web address.
pub(super) fn contact(text: &str) -> Result<String, String> {
    let is_web = ["https://", "http://"].iter().any(|scheme| {
        text.strip_prefix(scheme)
            .is_some_and(|rest| !rest.is_empty())
    });
    let is_mail = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && !text.contains([':', '/', '?', '&', '<', '>', '"']);
    if (is_web || is_mail) && !text.contains(char::is_whitespace) {
        return Ok(text.to_owned());
    }
    Err(
        "write a mail address or a URL, such as abuse@example.org or https://example.org/abuse"
            .to_owned(),
    )
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl std::str::FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err("write on or off".to_owned()),
        }
    }
}

/// So many a minute and address, or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(pub Option<NonZeroU32>);

impl std::str::FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        text.parse()
            .map(|rate| Self(Some(rate)))
            .map_err(|_| "write a number a minute, from 1, or off".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        for (text, seconds) in [("40", 40), ("40s", 40), ("10m", 600), ("1d", 86_400)] {
            assert_eq!(span(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "s", "4 s", "40ss", "1ms", "+1s", "1w"] {
            assert!(span(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn sizes_are_read_and_bounded() {
        for (text, bytes) in [
            ("1", 1),
            ("64KiB", 65_536),
            ("10MiB", 10_485_760),
            ("64MiB", 67_108_864),
        ] {
            assert_eq!(paste_bytes(text), Ok(bytes));
        }
        for text in [
            "",
            "0",
            "65MiB",
            "10MB",
            "-1",
            "1.5MiB",
            "MiB",
            "iB",
            "99999999999999999999MiB",
        ] {
            assert!(paste_bytes(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn switches_and_rates_are_read() {
        assert_eq!("on".parse(), Ok(Switch(true)));
        assert_eq!("off".parse(), Ok(Switch(false)));
        assert!("yes".parse::<Switch>().is_err());
        assert_eq!("off".parse(), Ok(Rate(None)));
        assert_eq!("60".parse(), Ok(Rate(NonZeroU32::new(60))));
        for text in ["0", "-1", "many", ""] {
            assert!(text.parse::<Rate>().is_err(), "{text:?}");
        }
    }
}
