//! `--objects`: where the text is kept, and the `AWS_` variables that say how a bucket is reached.

use super::ConfigError;
use crate::blob::{Bucket, Credentials, ROLE_VARIABLES};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Variables of AWS's own tools that say where or as whom to ask, and that are not read here. Ignored they would be a
/// trap: the service would ask elsewhere, or as somebody else.
const NOT_READ: [&str; 6] = [
    "AWS_CONFIG_FILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_PROFILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_USE_DUALSTACK_ENDPOINT",
    "AWS_USE_FIPS_ENDPOINT",
];

/// The region that stores which have none expect.
const REGION_ELSEWHERE: &str = "us-east-1";

/// `--objects` as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectsUrl {
    /// `file:///folder`
    Local(PathBuf),
    /// `s3://bucket/prefix`
    S3 {
        /// The bucket's name.
        bucket: String,
        /// Without slashes at its ends; may be empty.
        prefix: String,
    },
}

/// The object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectsLocation {
    /// A local directory.
    Local(PathBuf),
    /// A bucket.
    S3(Bucket),
}

impl FromStr for ObjectsUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file://")
            && path.starts_with('/')
            && path.len() > 1
        {
            return Ok(Self::Local(PathBuf::from(path)));
        }
        let Some(place) = text.strip_prefix("s3://") else {
            return Err("write file:///folder or s3://bucket/prefix".into());
        };
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(is_plain);
        let is_prefix = prefix.is_empty()
            || prefix
                .split('/')
                .all(|part| is_name(part) && !part.starts_with('.'));
        if !is_name(bucket) || !is_prefix {
            return Err(
                "write s3://bucket/prefix, with letters, digits, dots, - and _ alone".into(),
            );
        }
        Ok(Self::S3 {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }
}

/// What every store takes in a name, and no URL or signature changes.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

impl ObjectsUrl {
    /// The place with what the variables say about it.
    pub(super) fn locate(
        self,
        variables: &BTreeMap<String, String>,
    ) -> Result<ObjectsLocation, ConfigError> {
        let (name, prefix) = match self {
            Self::Local(folder) => return Ok(ObjectsLocation::Local(folder)),
            Self::S3 { bucket, prefix } => (bucket, prefix),
        };
        let refused = |why: String| ConfigError(format!("--objects s3://{name}: {why}"));
        if let Some(variable) = NOT_READ.iter().find(|name| variables.contains_key(**name)) {
            return Err(refused(format!(
                "{variable} is not read; unset it, and see docs/s3.md"
            )));
        }
        let first = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| variables.get(*name));
            found.filter(|value| !value.is_empty()).cloned()
        };
        let endpoint = first(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]);
        let endpoint = endpoint
            .map(|url| read_endpoint(&url))
            .transpose()
            .map_err(refused)?;
        let region = first(["AWS_REGION", "AWS_DEFAULT_REGION"]);
        let region = match (region, &endpoint) {
            (Some(region), _) => region,
            (None, Some(_)) => REGION_ELSEWHERE.to_owned(),
            (None, None) => {
                let why = "set AWS_REGION, or AWS_ENDPOINT_URL for a store that is not AWS";
                return Err(refused(why.to_owned()));
            }
        };
        let credentials = read_credentials(variables).map_err(refused)?;
        Ok(ObjectsLocation::S3(Bucket {
            name,
            prefix,
            endpoint,
            region,
            credentials,
        }))
    }
}

fn read_endpoint(url: &str) -> Result<String, String> {
    let place = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let place = place.map(|place| place.trim_end_matches('/'));
    match place {
        Some(place) if !place.is_empty() && !place.contains(['@', '?', '#', ' ']) => {
            Ok(url.trim_end_matches('/').to_owned())
        }
        // Not shown: it may hold a password.
        _ => Err("AWS_ENDPOINT_URL is written http://HOST:PORT or https://HOST".to_owned()),
    }
}

fn read_credentials(variables: &BTreeMap<String, String>) -> Result<Credentials, String> {
    let value = |name| {
        variables
            .get(name)
            .filter(|value: &&String| !value.is_empty())
            .cloned()
    };
    let session_token = value("AWS_SESSION_TOKEN");
    match (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(secret)) => Ok(Credentials::Key {
            id,
            secret,
            session_token,
        }),
        (None, None) => {
            let role = ROLE_VARIABLES
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), value(name)?)));
            Ok(Credentials::Role(role.collect()))
        }
        _ => Err("set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither".to_owned()),
    }
}

impl ObjectsLocation {
    /// Where it is, without who asks.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Local(folder) => format!("file://{}", folder.display()),
            Self::S3(bucket) => bucket.to_string(),
        }
    }
}

impl fmt::Display for ObjectsLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())?;
        match self {
            Self::Local(_) => Ok(()),
            Self::S3(bucket) => write!(f, " with {}", bucket.credentials),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(url: &str, variables: &[(&str, &str)]) -> Result<ObjectsLocation, ConfigError> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let url: ObjectsUrl = url.parse().map_err(ConfigError)?;
        url.locate(&variables.iter().map(owned).collect())
    }

    #[test]
    fn buckets_are_shown_without_their_secrets() {
        let key = [
            ("AWS_ACCESS_KEY_ID", "AKS3CRET"),
            ("AWS_SECRET_ACCESS_KEY", "SKS3CRET"),
        ];
        let at = ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/");
        for (url, more, shown) in [
            (
                "s3://b",
                [at].as_slice(),
                "s3://b at http://127.0.0.1:9000 with key ***",
            ),
            (
                "s3://b.c/d/e/",
                &[
                    at,
                    ("AWS_ENDPOINT_URL_S3", "https://s3.example"),
                    ("AWS_SESSION_TOKEN", "TKS3CRET"),
                ],
                "s3://b.c/d/e at https://s3.example with key *** of a session",
            ),
            (
                "s3://b/",
                &[("AWS_DEFAULT_REGION", "eu-central-1")],
                "s3://b at AWS in eu-central-1 with key ***",
            ),
        ] {
            let location = located(url, &[&key, more].concat()).unwrap();
            assert_eq!(location.to_string(), shown);
            assert!(!format!("{location:?}").contains("S3CRET"));
        }
    }

    #[test]
    fn without_a_key_a_role_asks() {
        let here = ("AWS_REGION", "eu-central-1");
        let machine = located("s3://b", &[here]).unwrap();
        assert!(machine.to_string().ends_with("with the machine's role"));
        let named = located(
            "s3://b",
            &[
                here,
                ("AWS_ROLE_ARN", "arn"),
                ("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"),
            ],
        )
        .unwrap();
        assert!(
            named
                .to_string()
                .ends_with("with a role by AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE")
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_in_one_line() {
        let here = ("AWS_REGION", "eu-central-1");
        for (url, variables, named) in [
            ("s3://", [].as_slice(), "s3://bucket/prefix"),
            ("s3:///prefix", &[], "s3://bucket/prefix"),
            ("s3://b//p", &[here], "s3://bucket/prefix"),
            ("s3://b/../p", &[here], "s3://bucket/prefix"),
            ("s3://key:secret@b", &[here], "s3://bucket/prefix"),
            ("s3://b?x=y", &[here], "s3://bucket/prefix"),
            ("file://folder", &[], "file:///folder"),
            ("s3://b", &[], "AWS_REGION"),
            ("s3://b", &[here, ("AWS_PROFILE", "me")], "AWS_PROFILE"),
            (
                "s3://b",
                &[here, ("AWS_ACCESS_KEY_ID", "x")],
                "AWS_SECRET_ACCESS_KEY",
            ),
            (
                "s3://b",
                &[here, ("AWS_ENDPOINT_URL", "s3.example")],
                "AWS_ENDPOINT_URL",
            ),
            (
                "s3://b",
                &[here, ("AWS_ENDPOINT_URL", "http://u:S3CRET@h")],
                "AWS_ENDPOINT_URL",
            ),
        ] {
            let ConfigError(line) = located(url, variables).unwrap_err();
            assert!(line.contains(named) && line.lines().count() == 1, "{line}");
            assert!(!line.contains("S3CRET"));
        }
    }
}
