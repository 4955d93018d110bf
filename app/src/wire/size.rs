//! Sizes as people read them.

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// A number of bytes: exact below 1 KiB, else with one decimal, rounded down so that a limit is never overstated.
///
/// Without `format!`: the browser client says sizes, too, and pays for every byte of code.
#[must_use]
pub fn human(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..KIB => [bytes.to_string().as_str(), " bytes"].concat(),
        KIB..MIB => in_units(bytes, KIB, " KiB"),
        _ => in_units(bytes, MIB, " MiB"),
    }
}

/// `bytes` in units of `size`, with a decimal only where there is one to show.
fn in_units(bytes: u64, size: u64, unit: &str) -> String {
    let (whole, tenth) = (bytes / size, bytes % size * 10 / size);
    let mut text = whole.to_string();
    if tenth > 0 {
        text.push('.');
        text.push_str(&tenth.to_string());
    }
    text.push_str(unit);
    text
}

#[cfg(test)]
mod tests {
    use super::human;

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
            assert_eq!(human(size), text);
        }
    }
}
