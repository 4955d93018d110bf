//! How several connections go through one list.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One connection's way through a list.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// Round and round, no two connections at the same place at the same time.
    Round { next: usize, step: usize },
    /// Each place is given once, to whoever asks first.
    Once(Arc<AtomicUsize>),
}

impl Turn {
    /// The ways of this many connections, round and round.
    pub(crate) fn round(connections: usize) -> Vec<Self> {
        let turn = |next| Self::Round {
            next,
            step: connections,
        };
        (0..connections).map(turn).collect()
    }

    /// The ways of this many connections, which share the list between them.
    pub(crate) fn once(connections: usize) -> Vec<Self> {
        vec![Self::Once(Arc::default()); connections]
    }

    /// The next place in a list of this length.
    pub(crate) fn next(&mut self, length: usize) -> Option<usize> {
        match self {
            Self::Round { next, step } => {
                let place = next.checked_rem(length)?;
                *next += *step;
                Some(place)
            }
            Self::Once(given) => {
                let place = given.fetch_add(1, Ordering::Relaxed);
                (place < length).then_some(place)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Turn;

    #[test]
    fn round_goes_on_and_once_ends() {
        let mut round = Turn::round(2).pop().unwrap();
        let places: Vec<_> = (0..3).filter_map(|_| round.next(4)).collect();
        assert_eq!(places, [1, 3, 1]);
        let [mut one, mut other] = <[Turn; 2]>::try_from(Turn::once(2)).unwrap();
        let places = [one.next(3), one.next(3), other.next(3), other.next(3)];
        assert_eq!(places, [Some(0), Some(1), Some(2), None]);
    }
}
