//! Objects in a bucket of a store that speaks S3.

use super::trouble::Trouble;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// For a connection (architecture.md, deadlines).
pub(super) const CONNECT: Duration = Duration::from_secs(1);

/// A connection that has been idle for longer may be forgotten by what lies between.
const IDLE: Duration = Duration::from_secs(15);

/// The variables of AWS that name a role, read when there is no key. The library below knows what they mean.
pub const ROLE_VARIABLES: [&str; 7] = [
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_ENDPOINT_URL_STS",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
];

/// A bucket, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// What every object's name in it begins with, without slashes at the ends; may be empty.
    pub prefix: String,
    /// Where it is, `http://` or `https://`; none is AWS in the region.
    pub endpoint: Option<String>,
    /// The region that requests are signed for.
    pub region: String,
    /// Who asks.
    pub credentials: Credentials,
}

/// Who asks a bucket. Shown, secrets are masked.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// A key, perhaps one of a session.
    Key {
        /// `AWS_ACCESS_KEY_ID`
        id: String,
        /// `AWS_SECRET_ACCESS_KEY`
        secret: String,
        /// `AWS_SESSION_TOKEN`
        session_token: Option<String>,
    },
    /// The role of the machine, or the one that these variables of AWS name, with their values.
    Role(Vec<(String, String)>),
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.name)?;
        if !self.prefix.is_empty() {
            write!(f, "/{}", self.prefix)?;
        }
        match &self.endpoint {
            Some(endpoint) => write!(f, " at {endpoint}"),
            None => write!(f, " at AWS in {}", self.region),
        }
    }
}

impl fmt::Display for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key {
                session_token: None,
                ..
            } => f.write_str("key ***"),
            Self::Key { .. } => f.write_str("key *** of a session"),
            Self::Role(variables) if variables.is_empty() => f.write_str("the machine's role"),
            Self::Role(variables) => {
                let names: Vec<_> = variables.iter().map(|(name, _)| name.as_str()).collect();
                write!(f, "a role by {}", names.join(", "))
            }
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({self})")
    }
}

/// A client of the bucket. Nothing is asked yet.
///
/// It has no time limits and repeats nothing by itself: both are [`super::BlobDeadlines`]'s, by size.
pub(super) fn open(bucket: &Bucket) -> Result<Arc<dyn ObjectStore>, Trouble> {
    let is_plain = bucket
        .endpoint
        .as_ref()
        .is_some_and(|endpoint| endpoint.starts_with("http://"));
    let client = ClientOptions::new()
        .with_timeout_disabled()
        .with_connect_timeout(CONNECT)
        .with_pool_idle_timeout(IDLE)
        .with_allow_http(is_plain);
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&bucket.name)
        .with_region(&bucket.region)
        .with_client_options(client)
        .with_retry(RetryConfig {
            max_retries: 0,
            ..RetryConfig::default()
        })
        // One by one, which every store can.
        .with_config(AmazonS3ConfigKey::DisableBulkDelete, "true");
    if let Some(endpoint) = &bucket.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    builder = identify(builder, &bucket.credentials)?;
    let store = builder.build().map_err(|error| Trouble::of(&error))?;
    Ok(Arc::new(PrefixStore::new(store, bucket.prefix.as_str())))
}

fn identify(
    builder: AmazonS3Builder,
    credentials: &Credentials,
) -> Result<AmazonS3Builder, Trouble> {
    match credentials {
        Credentials::Key {
            id,
            secret,
            session_token,
        } => {
            let builder = builder
                .with_access_key_id(id)
                .with_secret_access_key(secret);
            Ok(match session_token {
                Some(token) => builder.with_token(token),
                None => builder,
            })
        }
        Credentials::Role(variables) => {
            variables
                .iter()
                .try_fold(builder, |builder, (name, value)| {
                    let key = name.to_ascii_lowercase().parse();
                    let key: AmazonS3ConfigKey = key.map_err(|error| Trouble::of(&error))?;
                    Ok(builder.with_config(key, value))
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let credentials = Credentials::Key {
            id: "AKS3CRET".into(),
            secret: "SKS3CRET".into(),
            session_token: Some("TKS3CRET".into()),
        };
        let role = vec![("AWS_ROLE_ARN".to_owned(), "arnS3CRET".to_owned())];
        for credentials in [credentials, Credentials::Role(role)] {
            assert!(!format!("{credentials} {credentials:?}").contains("S3CRET"));
        }
    }

    #[test]
    fn a_role_is_known_to_the_client_by_every_variable_that_is_read() {
        for name in ROLE_VARIABLES {
            let variables = vec![(name.to_owned(), "x".to_owned())];
            assert!(
                identify(AmazonS3Builder::new(), &Credentials::Role(variables)).is_ok(),
                "{name}"
            );
        }
    }
}
