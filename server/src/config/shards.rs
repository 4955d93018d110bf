//! `--shards`: which database owns which slots.

use super::ConfigError;
use crate::shard::{SlotMap, even_split, parse_range};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// SQLite files of the embedded default. Four writers keep two cores and a disk busy (performance.md).
const EMBEDDED_SHARDS: usize = 4;

/// One shard's database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShardUrl {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database.
    Postgres(PostgresUrl),
}

/// A PostgreSQL URL. Shown, its password is masked.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl(String);

impl PostgresUrl {
    /// The URL with its password, for connecting.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Parameters may hold a password too.
        let (url, parameters) = self.0.split_once('?').unwrap_or((&self.0, ""));
        let shown = match url.split_once("://").zip(url.rsplit_once('@')) {
            Some(((scheme, rest), (_, place))) => {
                let user = rest.split([':', '@']).next().unwrap_or_default();
                format!("{scheme}://{user}:***@{place}")
            }
            None => url.to_owned(),
        };
        let more = if parameters.is_empty() { "" } else { "?***" };
        write!(f, "{shown}{more}")
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

/// The slot map and the databases it names, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// Which shard owns which slot.
    pub map: SlotMap,
    /// The shards' databases.
    pub urls: Vec<ShardUrl>,
}

impl Shards {
    /// The SQLite files of the embedded default in a folder.
    #[must_use]
    pub fn embedded(folder: &Path) -> Self {
        let file = |shard| ShardUrl::Sqlite(folder.join(format!("{shard}.sqlite")));
        let ranges = even_split(EMBEDDED_SHARDS).unwrap_or_default();
        Self {
            map: SlotMap::from_ranges(&ranges).expect("an even split covers every slot once"),
            urls: (0..EMBEDDED_SHARDS).map(file).collect(),
        }
    }
}

impl FromStr for Shards {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let refused = |why: String| ConfigError(format!("--shards: {why}"));
        let mut urls: Vec<ShardUrl> = Vec::new();
        let mut ranges = Vec::new();
        for item in text.split(',').map(str::trim) {
            let url = match item.split_once('=') {
                Some((range, url)) if !range.contains(':') => {
                    ranges.push(parse_range(range).map_err(|error| refused(error.to_string()))?);
                    url
                }
                _ => item,
            };
            let url: ShardUrl = url.parse().map_err(refused)?;
            if urls.contains(&url) {
                return Err(refused(format!("{url} is there twice")));
            }
            urls.push(url);
        }
        if ranges.is_empty() {
            ranges = even_split(urls.len()).map_err(|error| refused(error.to_string()))?;
        }
        if ranges.len() != urls.len() {
            return Err(refused("give every database a range, or none".into()));
        }
        let map = SlotMap::from_ranges(&ranges).map_err(|error| refused(error.to_string()))?;
        Ok(Self { map, urls })
    }
}

impl FromStr for ShardUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(file) = text.strip_prefix("sqlite://")
            && !file.is_empty()
            && !file.contains(['?', '#'])
        {
            return Ok(Self::Sqlite(PathBuf::from(file)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(PostgresUrl(text.to_owned())));
        }
        Err("a database is written sqlite://FILE or postgres://USER@HOST/DATABASE".into())
    }
}

impl fmt::Display for ShardUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(file) => write!(f, "sqlite://{}", file.display()),
            Self::Postgres(url) => write!(f, "{url}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::wire::id::Slot;

    #[test]
    fn databases_share_the_slots_evenly_or_by_range() {
        let even: Shards = "sqlite://a,sqlite:///b".parse().unwrap();
        assert_eq!(even.map.shard(Slot::new(127)), 0);
        assert_eq!(even.map.shard(Slot::new(128)), 1);
        let ranged: Shards = "0-99=sqlite://a, 100-255=sqlite:///b".parse().unwrap();
        assert_eq!(ranged.map.shard(Slot::new(99)), 0);
        assert_eq!(ranged.map.shard(Slot::new(100)), 1);
        assert_eq!(ranged.urls[1].to_string(), "sqlite:///b");
    }

    #[test]
    fn a_password_is_not_shown() {
        for (text, shown) in [
            (
                "postgres://me:s3cret@db.example/one",
                "postgres://me:***@db.example/one",
            ),
            (
                "postgres://me@db.example/one?password=s3cret",
                "postgres://me:***@db.example/one?***",
            ),
            (
                "postgres://me:s3@cret@db.example/one",
                "postgres://me:***@db.example/one",
            ),
            ("postgresql:///one?host=/run/pg", "postgresql:///one?***"),
        ] {
            let url: ShardUrl = text.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("cret"));
        }
    }

    #[test]
    fn wrong_maps_are_refused_with_the_flag_named() {
        for text in [
            "",
            "a",
            "sqlite://",
            "sqlite://a,sqlite://a",
            "0-99=sqlite://a",
            "0-99=sqlite://a,sqlite://b",
            "0-99=sqlite://a,99-255=sqlite://b",
            "mysql://a",
            "sqlite://a,",
        ] {
            let error = text.parse::<Shards>().unwrap_err();
            assert!(error.0.starts_with("--shards: "), "{text:?}: {error}");
        }
    }
}
