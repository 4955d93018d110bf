//! `target/client/`: the served files, each plain, as `.br` and as `.gz`, and a `manifest` that names them.
//!
//! The manifest has one `WORD VALUE` a line: the fingerprint of the inputs, then a name for each [`Role`]. The
//! server's build script reads it, and runs again when anything in the folder changes.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::compress::{brotli, gzip};
use super::hashed_name::hashed_name;
use crate::root;

/// What a served file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Style,
    View,
    Start,
    Glue,
    Wasm,
    Mine,
}

impl Role {
    /// Its word in the manifest, and what its file is called around the hash.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Style => ("style", "main", "css"),
            Self::View => ("view", "view", "js"),
            Self::Start => ("start", "start", "js"),
            Self::Glue => ("glue", "app", "js"),
            Self::Wasm => ("wasm", "app", "wasm"),
            Self::Mine => ("mine", "mine", "js"),
        }
    }
}

/// One served file.
pub(crate) struct Part {
    pub(crate) role: Role,
    pub(crate) content: Vec<u8>,
}

/// A folder with the served files of one client.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The one that the server's build script reads: in the workspace, whatever cargo's target folder is.
    pub(crate) fn served() -> Self {
        Self(root().join("target/client"))
    }

    /// The fingerprint of the inputs it was made from, or `None` when nothing is there.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        self.value("inputs").ok()
    }

    /// The file of `role` as it is served with Brotli.
    pub(crate) fn brotli_file(&self, role: Role) -> Result<PathBuf> {
        let (word, ..) = role.words();
        Ok(self.0.join(format!("{}.br", self.value(word)?)))
    }

    /// Replaces what the folder holds. A file that stays the same is not touched, or the server would be built
    /// again for nothing; the manifest comes last, so that an interrupted run is done again.
    pub(crate) fn write(&self, fingerprint: &str, parts: &[Part]) -> Result<()> {
        fs::create_dir_all(&self.0)?;
        let mut manifest = format!("inputs {fingerprint}\n");
        let mut files = HashMap::new();
        for Part { role, content } in parts {
            let (word, stem, extension) = role.words();
            let name = hashed_name(stem, extension, content);
            manifest += &format!("{word} {name}\n");
            files.insert(format!("{name}.br"), brotli(content)?);
            files.insert(format!("{name}.gz"), gzip(content)?);
            files.insert(name, content.clone());
        }
        self.remove_all_but(&files)?;
        for (name, content) in &files {
            write_if_other(&self.0.join(name), content)?;
        }
        write_if_other(&self.0.join("manifest"), manifest.as_bytes())
    }

    /// What the manifest says after `word`.
    fn value(&self, word: &str) -> Result<String> {
        let manifest = fs::read_to_string(self.0.join("manifest"));
        let manifest = manifest.context("the client has not been built")?;
        let mut lines = manifest.lines().filter_map(|line| line.split_once(' '));
        let line = lines.find(|(first, _)| *first == word);
        let (_, value) = line.with_context(|| format!("the manifest has no {word}"))?;
        Ok(value.to_owned())
    }

    fn remove_all_but(&self, files: &HashMap<String, Vec<u8>>) -> Result<()> {
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != "manifest" && !files.contains_key(&name) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn write_if_other(file: &Path, content: &[u8]) -> Result<()> {
    if fs::read(file).is_ok_and(|existing| existing == content) {
        return Ok(());
    }
    fs::write(file, content).with_context(|| format!("{} cannot be written", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: &[u8] = b"main { color: green }";

    fn write(folder: &Folder, fingerprint: &str, script: &[u8]) {
        let style = Part {
            role: Role::Style,
            content: STYLE.to_vec(),
        };
        let start = Part {
            role: Role::Start,
            content: script.to_vec(),
        };
        folder.write(fingerprint, &[style, start]).expect("written");
    }

    fn names(folder: &Folder) -> Vec<String> {
        let entries = fs::read_dir(&folder.0).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("UTF-8");
        let mut names: Vec<_> = entries
            .map(|entry| name(entry.expect("an entry")))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_client_replaces_the_first_and_leaves_equal_files_alone() {
        let path = std::env::temp_dir().join(format!("xtask-folder-{}", std::process::id()));
        let folder = Folder(path.clone());
        assert_eq!(folder.fingerprint(), None);
        write(&folder, "first", b"first()");
        let style = folder.brotli_file(Role::Style).expect("in the manifest");
        let written = style
            .metadata()
            .and_then(|file| file.modified())
            .expect("a time");
        write(&folder, "second", b"second()");
        assert_eq!(folder.fingerprint().as_deref(), Some("second"));
        assert_eq!(
            style
                .metadata()
                .and_then(|file| file.modified())
                .expect("a time"),
            written
        );
        let (main, start) = (
            hashed_name("main", "css", STYLE),
            hashed_name("start", "js", b"second()"),
        );
        let ending = |name: &str| ["", ".br", ".gz"].map(|ending| format!("{name}{ending}"));
        let expected = [
            &ending(&main)[..],
            &["manifest".to_owned()],
            &ending(&start),
        ]
        .concat();
        assert_eq!(names(&folder), expected);
        fs::remove_dir_all(path).expect("removed");
    }
}
