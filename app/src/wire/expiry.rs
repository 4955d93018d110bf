//! How long a paste lives, as people and programs write it.

/// How the life of a paste is written, for people.
pub const SPELLING: &str =
    "Write whole seconds, or a number with m, h or d, such as 10m, 1h or 30d.";

/// Seconds in one of the units `m`, `h`, `d`.
const fn unit_seconds(unit: u8) -> Option<u64> {
    match unit {
        b'm' => Some(60),
        b'h' => Some(60 * 60),
        b'd' => Some(24 * 60 * 60),
        _ => None,
    }
}

/// The text is not a whole number of seconds, nor one with `m`, `h` or `d`, or it overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASpan;

/// Seconds that `text` spells: whole seconds (`600`), or a whole number with a unit (`10m`, `1h`, `30d`).
///
/// # Errors
/// [`NotASpan`] for anything else: signs, fractions, blanks, several units.
pub fn parse_seconds(text: &str) -> Result<u64, NotASpan> {
    let (digits, unit) = match text.as_bytes().last().copied().and_then(unit_seconds) {
        Some(unit) => (&text[..text.len() - 1], unit),
        None => (text, 1),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotASpan);
    }
    let count: u64 = digits.parse().map_err(|_| NotASpan)?;
    count.checked_mul(unit).ok_or(NotASpan)
}

/// A span as a person reads it: `30 days`, `1 hour`, `90 seconds`. Exact: the largest unit that divides it.
#[must_use]
pub fn human(seconds: u64) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let (size, name) = units
        .into_iter()
        .find(|(size, _)| seconds > 0 && seconds.is_multiple_of(*size))
        .unwrap_or((1, "second"));
    let count = seconds / size;
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seconds_and_units_are_read() {
        for (text, seconds) in [
            ("600", 600),
            ("10m", 600),
            ("1h", 3_600),
            ("30d", 2_592_000),
            ("0", 0),
        ] {
            assert_eq!(parse_seconds(text), Ok(seconds), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "d",
            "-1",
            "+1",
            "1.5h",
            " 1h",
            "1 h",
            "1h30m",
            "1w",
            "40s",
            "1D",
            "1e3",
            "NaN",
            "１h",
            "1h; drop",
            "99999999999999999999",
            "999999999999999999d",
        ] {
            assert_eq!(parse_seconds(text), Err(NotASpan), "{text:?}");
        }
    }

    #[test]
    fn people_read_the_largest_whole_unit() {
        for (seconds, text) in [
            (60, "1 minute"),
            (90, "90 seconds"),
            (3_600, "1 hour"),
            (86_400, "1 day"),
            (2_592_000, "30 days"),
            (0, "0 seconds"),
            (1, "1 second"),
        ] {
            assert_eq!(human(seconds), text);
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".{0,12}") {
            let _ = parse_seconds(&text);
        }
    }
}
