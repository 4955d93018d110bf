//! No file names in the client: rustc writes them into the messages of panics, which a browser tells nobody.

/// What such a name starts with; see `remapped_paths`.
const STARTS: [&[u8]; 3] = [b"cargo/", b"oncebin/", b"/rustc/"];
const END: &[u8] = b".rs";

/// Overwrites every name of a source file with zeros, which compress to nothing. Lengths and places stay.
pub(crate) fn blank(data: &mut [u8]) {
    let mut at = 0;
    while at < data.len() {
        let length = path_length(&data[at..]).unwrap_or(0);
        data[at..at + length].fill(0);
        at += length.max(1);
    }
}

/// The length of the file name that the data starts with.
fn path_length(data: &[u8]) -> Option<usize> {
    STARTS.iter().find(|start| data.starts_with(start))?;
    let is_of_path = |b: &u8| b.is_ascii_alphanumeric() || b"/_-.".contains(b);
    let end = data.windows(END.len()).position(|part| part == END)?;
    let path = &data[..end + END.len()];
    path.iter().all(is_of_path).then_some(path.len())
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[test]
    fn file_names_go_and_everything_else_stays() {
        let mut data = b"Saved.cargo/a-1.0/src/lib.rs/rustc/0f/mod.rsoncebin/no path.rs".to_vec();
        blank(&mut data);
        let mut expected = b"Saved.".to_vec();
        expected.extend([0; 38]);
        expected.extend(b"oncebin/no path.rs");
        assert_eq!(data, expected);
    }
}
