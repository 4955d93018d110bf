//! The files browsers load, embedded in the binary: stylesheet, the paste page's script, loader, glue and WASM.
//!
//! Each name carries a hash of the content, so a file under a name never changes. This module must not know HTTP:
//! which encoding a browser takes and how long it keeps the file is for `http` to say.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// One embedded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The file name, without a folder: `main-0123456789ab.css`.
    pub name: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The content as it is.
    pub plain: &'static [u8],
    /// The content after Brotli; absent where `cargo xtask` has not compressed it.
    pub brotli: Option<&'static [u8]>,
    /// The content after gzip; absent where `cargo xtask` has not compressed it.
    pub gzip: Option<&'static [u8]>,
}

/// The file of that name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The stylesheet's name.
#[must_use]
pub fn style() -> &'static str {
    STYLE
}

/// The name of the script of the list of pastes.
#[must_use]
pub fn mine() -> &'static str {
    MINE
}

/// The name of the paste page's script.
#[must_use]
pub fn view() -> &'static str {
    VIEW
}

/// The names of loader, glue and WASM, if the client has been built.
#[must_use]
pub fn client() -> Option<[&'static str; 3]> {
    CLIENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stylesheet_scripts_and_client_are_embedded_and_nothing_else() {
        let names: Vec<_> = [style(), view(), mine()]
            .into_iter()
            .chain(client().into_iter().flatten())
            .collect();
        for name in &names {
            assert!(!find(name).expect("embedded").plain.is_empty(), "{name}");
        }
        assert_eq!(ASSETS.len(), names.len());
    }

    #[test]
    fn stylesheet_and_script_are_those_in_the_tree() {
        let style = find(STYLE).expect("embedded");
        assert_eq!(style.plain, include_bytes!("../../style/main.css"));
        assert_eq!(style.content_type, "text/css; charset=utf-8");
        let mine = find(MINE).expect("embedded");
        assert_eq!(mine.plain, include_bytes!("../../app/mine.js"));
        assert_eq!(mine.content_type, "text/javascript; charset=utf-8");
        let view = find(VIEW).expect("embedded");
        assert_eq!(view.plain, include_bytes!("../../app/view.js"));
        assert_eq!(view.content_type, "text/javascript; charset=utf-8");
    }

    #[test]
    fn a_name_that_is_no_file_finds_none() {
        for name in ["", "main.css", "manifest", "../Cargo.toml"] {
            assert_eq!(find(name), None, "{name}");
        }
    }
}
