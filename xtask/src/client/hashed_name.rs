//! The name a file of the client is served under. The server's build script includes this file, so that both agree.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// `stem-HASH.extension`: it changes with the content, so that browsers and caches may keep the file for ever.
pub(crate) fn hashed_name(stem: &str, extension: &str, content: &[u8]) -> String {
    let hash = hex(&Sha256::digest(content)[..6]);
    format!("{stem}-{hash}.{extension}")
}

/// Lower-case hexadecimal digits, two a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("writing to a String never fails");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::hashed_name;

    #[test]
    fn the_hash_is_the_start_of_sha_256() {
        assert_eq!(hashed_name("main", "css", b""), "main-e3b0c44298fc.css");
    }
}
