//! Counting answers and how long they took.

use std::time::Duration;

use serde::Serialize;

/// The answers of one connection, or of several together. Every latency is kept: quantiles are exact, and the longest
/// load gives a few million.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    micros: Vec<u32>,
    errors: u64,
}

/// What a tally says. An error is any answer but the one that was asked for; it has no latency.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Figures {
    /// Right answers.
    pub(crate) answers: u64,
    pub(crate) errors: u64,
    pub(crate) seconds: f64,
    /// Right answers a second.
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl Tally {
    pub(crate) fn count(&mut self, latency: Duration, right: bool) {
        if right {
            let micros = u32::try_from(latency.as_micros()).unwrap_or(u32::MAX);
            self.micros.push(micros);
        } else {
            self.errors += 1;
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.micros.extend(other.micros);
        self.errors += other.errors;
    }

    pub(crate) fn figures(mut self, span: Duration) -> Figures {
        self.micros.sort_unstable();
        let answers = self.micros.len();
        let seconds = span.as_secs_f64();
        Figures {
            answers: answers as u64,
            errors: self.errors,
            seconds,
            per_second: answers as f64 / seconds,
            p50_ms: self.percentile_ms(50),
            p99_ms: self.percentile_ms(99),
            max_ms: self.percentile_ms(100),
        }
    }

    /// The shortest latency that so many of a hundred answers did not exceed; 0 when there are none. Needs sorting.
    fn percentile_ms(&self, percent: usize) -> f64 {
        let rank = (self.micros.len() * percent).div_ceil(100);
        let micros = self.micros.get(rank.saturating_sub(1)).copied();
        f64::from(micros.unwrap_or(0)) / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use std::time::Duration;

    #[test]
    fn errors_are_no_answers_and_tallies_add_up() {
        let mut tally = Tally::default();
        let mut other = Tally::default();
        for ms in (1..=200).rev() {
            tally.count(Duration::from_millis(ms), true);
        }
        other.count(Duration::from_secs(9), false);
        tally.add(other);
        let figures = tally.figures(Duration::from_secs(2));
        assert_eq!((figures.answers, figures.errors), (200, 1));
        let rounded = [
            figures.per_second,
            figures.p50_ms,
            figures.p99_ms,
            figures.max_ms,
        ];
        assert_eq!(rounded.map(f64::round), [100.0, 100.0, 198.0, 200.0]);
        assert_eq!(
            Tally::default()
                .figures(Duration::from_secs(1))
                .p50_ms
                .round(),
            0.0
        );
    }
}
