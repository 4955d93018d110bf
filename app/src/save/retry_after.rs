//! `Retry-After`: seconds, or a date.

/// Seconds in a day.
const DAY_SECONDS: u64 = 24 * 60 * 60;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// The seconds that a `Retry-After` header asks for. Nonsense counts as none: the backoff applies.
///
/// A date is compared with the server's own, `date`, since the client's clock may be wrong; with `now_ms` where the answer
/// has none. `read` makes milliseconds of a date: a browser can do that by itself, without a kilobyte of ours.
#[must_use]
pub fn retry_after_seconds(
    header: &str,
    date: Option<&str>,
    now_ms: u64,
    read: impl Fn(&str) -> Option<u64>,
) -> Option<u64> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(header.parse().unwrap_or(u64::MAX));
    }
    let now_ms = date.and_then(&read).unwrap_or(now_ms);
    Some(read(header)?.saturating_sub(now_ms) / 1_000)
}

/// A date as HTTP writes it today, such as `Wed, 21 Oct 2026 07:28:00 GMT`, in milliseconds since the Unix epoch.
#[must_use]
pub fn http_date_ms(date: &str) -> Option<u64> {
    let mut parts = date.split(' ').skip(1);
    let day: u64 = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|month| *month == name)? as u64;
    let year: u64 = parts.next()?.parse().ok()?;
    let mut seconds = 0;
    for unit in parts.next()?.split(':') {
        seconds = seconds * 60 + unit.parse::<u64>().ok().filter(|unit| *unit < 61)?;
    }
    let is_whole = parts.next() == Some("GMT") && (1970..10_000).contains(&year) && day < 32;
    is_whole.then(|| (days(year, month, day) * DAY_SECONDS + seconds) * 1_000)
}

/// Days from 1 January 1970; months count from 0. As if years began in March, when leap days come last.
const fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = if month < 2 { year - 1 } else { year };
    let month = (month + 10) % 12;
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry_after_seconds(header: &str, date: Option<&str>, now_ms: u64) -> Option<u64> {
        super::retry_after_seconds(header, date, now_ms, http_date_ms)
    }

    const DATE: &str = "Wed, 21 Oct 2026 07:28:00 GMT";
    const DATE_MS: u64 = 1_792_567_680_000;

    #[test]
    fn seconds_are_whole() {
        for (header, seconds) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999", Some(u64::MAX)),
            ("-1", None),
            ("1.5", None),
            ("", None),
            ("soon", None),
        ] {
            assert_eq!(retry_after_seconds(header, None, 0), seconds, "{header}");
        }
    }

    #[test]
    fn a_date_is_so_far_from_the_servers_own() {
        let server = Some("Wed, 21 Oct 2026 07:26:30 GMT");
        assert_eq!(retry_after_seconds(DATE, server, 0), Some(90));
        let later = Some("Wed, 21 Oct 2026 08:00:00 GMT");
        assert_eq!(retry_after_seconds(DATE, later, 0), Some(0));
        assert_eq!(retry_after_seconds(DATE, None, DATE_MS - 7_000), Some(7));
        assert_eq!(retry_after_seconds(DATE, Some("today"), DATE_MS), Some(0));
    }

    #[test]
    fn dates_are_read_over_leap_years_and_month_ends() {
        for (date, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Fri, 31 Dec 2100 12:00:00 GMT", 4_133_937_600),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] {
            assert_eq!(http_date_ms(date), Some(seconds * 1_000), "{date}");
        }
    }

    #[test]
    fn what_is_no_such_date_asks_for_nothing() {
        for date in [
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Wed, 21 Oct 2026 07:28:00",
            "Wed, 21 Oct 2026 07:28:00 CET",
            "Wed, 21 Okt 2026 07:28:00 GMT",
            "Wed, 21 Oct 1026 07:28:00 GMT",
            "Wed, 21 Oct 2026 07:99:00 GMT",
            "Wed, 99 Oct 2026 07:28:00 GMT",
        ] {
            assert_eq!(retry_after_seconds(date, None, 0), None, "{date}");
        }
    }
}
