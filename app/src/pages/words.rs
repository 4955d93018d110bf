//! Sizes, counts and times as people read them.

/// A number of bytes: exact below 1 KiB, else with one decimal, rounded down so that a limit is never overstated.
pub(super) fn bytes(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    match bytes {
        1 => "1 byte".to_owned(),
        0..KIB => format!("{bytes} bytes"),
        KIB..MIB => format!("{} KiB", one_decimal(bytes, KIB)),
        _ => format!("{} MiB", one_decimal(bytes, MIB)),
    }
}

/// `count` units of `size`, with a decimal only where there is one to show.
fn one_decimal(count: u64, size: u64) -> String {
    let tenths = u128::from(count) * 10 / u128::from(size);
    let (whole, tenth) = (tenths / 10, tenths % 10);
    if tenth == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{tenth}")
    }
}

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
    fn sizes_are_exact_or_rounded_down() {
        for (size, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_024, "1 KiB"),
            (1_587, "1.5 KiB"),
            (1_048_575, "1023.9 KiB"),
            (10_485_760, "10 MiB"),
            (u64::MAX, "17592186044415.9 MiB"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }

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
