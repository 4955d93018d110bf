//! Sizes, counts and times as people read them.

pub(super) use crate::wire::size::human as bytes;

/// A count with a comma between groups of three digits: `20,000`.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count of lines: `1 line`, `20,000 lines`.
pub(super) fn lines(number: usize) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} line{plural}", count(number))
}

/// An RFC 3339 time in UTC as `30 Nov 2026, 12:00 UTC`; any other text as it is.
pub(super) fn utc(time: &str) -> String {
    spelled(time).unwrap_or_else(|| time.to_owned())
}

fn spelled(time: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (date, clock) = time.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.split('-');
    let (year, month, day) = (date.next()?, date.next()?, date.next()?);
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let day: u8 = day.parse().ok()?;
    let minutes = clock.get(..5)?;
    Some(format!("{day} {month} {year}, {minutes} UTC"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_are_grouped_by_three() {
        for (number, text) in [
            (0, "0 lines"),
            (1, "1 line"),
            (999, "999 lines"),
            (20_000, "20,000 lines"),
            (1_234_567, "1,234,567 lines"),
        ] {
            assert_eq!(lines(number), text);
        }
    }

    #[test]
    fn times_are_spelled_in_utc() {
        assert_eq!(utc("2026-11-30T12:05:09Z"), "30 Nov 2026, 12:05 UTC");
        assert_eq!(utc("2026-01-02T03:04:05.678Z"), "2 Jan 2026, 03:04 UTC");
    }

    #[test]
    fn other_times_stay_as_they_are() {
        for time in [
            "",
            "soon",
            "2026-13-01T00:00:00Z",
            "2026-11-30T12:05:09+01:00",
        ] {
            assert_eq!(utc(time), time);
        }
    }

    proptest! {
        #[test]
        fn no_time_panics(time in ".{0,24}") {
            let _ = utc(&time);
            let _ = utc(&format!("{time}T{time}Z"));
        }
    }
}
