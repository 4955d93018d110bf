//! `--objects`: where the text is kept.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectsLocation {
    /// A local directory.
    Local(PathBuf),
}

impl FromStr for ObjectsLocation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("file://") {
            Some(path) if path.starts_with('/') && path.len() > 1 => {
                Ok(Self::Local(PathBuf::from(path)))
            }
            _ if text.starts_with("s3://") => Err("S3 is not there yet; use file:///folder".into()),
            _ => Err("write file:///folder".into()),
        }
    }
}

impl fmt::Display for ObjectsLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => write!(f, "file://{}", path.display()),
        }
    }
}
