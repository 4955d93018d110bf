//! Chance that a failing test can repeat.

/// `SplitMix64`: the same seed gives the same numbers.
#[derive(Debug)]
pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// Letters, so many as asked for.
    pub(crate) fn text(&mut self, bytes: usize) -> String {
        (0..bytes)
            .map(|_| char::from(b'a' + u8::try_from(self.next() % 26).unwrap()))
            .collect()
    }
}
