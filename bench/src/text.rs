//! The texts that are saved: unique by a number in their first line, else always the same.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::ROOT;

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 2 kB of Rust.
    Small,
    /// 100 kB of Rust.
    Rust,
    /// 1 MB of JavaScript in one line.
    JavaScript,
}

/// One text of each kind.
#[derive(Debug)]
pub(crate) struct Texts {
    small: Vec<u8>,
    rust: Vec<u8>,
    javascript: Vec<u8>,
}

const SMALL_BYTES: usize = 2 * 1024;
const RUST_BYTES: usize = 100_000;
const JAVASCRIPT_BYTES: usize = 1_000_000;

impl Texts {
    /// The Rust is this project's own.
    ///
    /// # Errors
    /// The sources of the server are not there.
    pub(crate) fn read() -> Result<Self> {
        let rust = rust(&Path::new(ROOT).join("server/src"))?;
        Ok(Self {
            small: sized(&rust, SMALL_BYTES),
            rust: sized(&rust, RUST_BYTES),
            javascript: sized(&javascript(), JAVASCRIPT_BYTES),
        })
    }

    /// The length of every text of a kind.
    pub(crate) fn bytes(&self, kind: Kind) -> usize {
        self.base(kind).len()
    }

    /// Writes the text of a kind that has this number.
    pub(crate) fn write(&self, kind: Kind, number: u64, out: &mut Vec<u8>) {
        let first_line = format!("/* {number:016x} */\n");
        out.extend_from_slice(first_line.as_bytes());
        out.extend_from_slice(&self.base(kind)[first_line.len()..]);
    }

    fn base(&self, kind: Kind) -> &[u8] {
        match kind {
            Kind::Small => &self.small,
            Kind::Rust => &self.rust,
            Kind::JavaScript => &self.javascript,
        }
    }
}

impl Kind {
    /// The syntax the text is saved with.
    pub(crate) fn syntax(self) -> &'static str {
        match self {
            Self::Small | Self::Rust => "rust",
            Self::JavaScript => "js",
        }
    }
}

/// All files of a folder in the order of their names, one after the other, with ASCII only.
fn rust(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = String::new();
    for file in files {
        text += &fs::read_to_string(&file)?;
    }
    Ok(text.chars().filter(char::is_ascii).collect())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn javascript() -> String {
    let function = |n: usize| {
        format!("function f{n}(a,b){{var c=a*{n}+b;return c>{n}?\"f{n}\":[c,/f{n}/g,{{a:b}}]}};")
    };
    (0..JAVASCRIPT_BYTES / 64).map(function).collect()
}

/// The text again and again, up to this many bytes.
fn sized(text: &str, bytes: usize) -> Vec<u8> {
    text.bytes().cycle().take(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, Texts};

    #[test]
    fn texts_of_two_numbers_differ_and_have_one_length() {
        let texts = Texts::read().unwrap();
        for kind in [Kind::Small, Kind::Rust, Kind::JavaScript] {
            let [one, other] = [1, 2].map(|number| {
                let mut text = Vec::new();
                texts.write(kind, number, &mut text);
                text
            });
            assert_ne!(one, other);
            assert_eq!(
                [one.len(), other.len()],
                [texts.bytes(kind), texts.bytes(kind)]
            );
        }
    }
}
