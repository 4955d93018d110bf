//! Whether the store does all that is asked of it: for `oncebin check`, and nothing else.

use super::trouble::Trouble;
use super::{Blob, ObjectKey};
use crate::metrics::ObjectOperation;
use app::wire::id::Slot;
use bytes::Bytes;
use futures_util::StreamExt;
use object_store::path::Path;
use std::fmt;

const PROBE: &[u8] = b"written by oncebin check, to be removed at once\n";

/// What a check of the store found. Shown, it is one line for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobCheck {
    /// An object was written, listed, read and removed.
    Works,
    /// The bucket is not there.
    NoBucket,
    /// The bucket is in another region than requests are signed for.
    WrongRegion,
    /// The store does not know who asks: key, secret, token or this machine's clock are wrong. Its code for it.
    CredentialsRefused(String),
    /// Who asks is known and may not do this.
    NotAllowed {
        /// "write", "list", "read" or "remove".
        what: &'static str,
        /// The store's code for it.
        said: String,
    },
    /// No answer, none in time, or one that says that it cannot now.
    Unreachable(String),
    /// It answers, and fails to do this.
    Fails {
        /// "write", "list", "read" or "remove".
        what: &'static str,
        /// Why.
        why: String,
    },
}

impl fmt::Display for BlobCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Works => f.write_str("works"),
            Self::NoBucket => f.write_str("there is no such bucket"),
            Self::WrongRegion => f.write_str("the bucket is in another region; set AWS_REGION"),
            Self::CredentialsRefused(said) => write!(f, "the credentials are refused ({said})"),
            Self::NotAllowed { what, said } => {
                write!(f, "the credentials may not {what} objects ({said})")
            }
            Self::Unreachable(why) => write!(f, "it cannot be asked: {why}"),
            Self::Fails { what, why } => write!(f, "it cannot {what} an object: {why}"),
        }
    }
}

impl BlobCheck {
    pub(super) fn of(what: &'static str, trouble: Trouble) -> Self {
        match trouble {
            Trouble::NoBucket => Self::NoBucket,
            Trouble::WrongRegion => Self::WrongRegion,
            // AWS says this to somebody it knows.
            Trouble::Denied(said) if said.ends_with("AccessDenied") => {
                Self::NotAllowed { what, said }
            }
            Trouble::Denied(said) => Self::CredentialsRefused(said),
            Trouble::Broken(_) | Trouble::Failing(_) | Trouble::Slow => {
                Self::Unreachable(trouble.to_string())
            }
            Trouble::Missing
            | Trouble::Short
            | Trouble::Refused(_)
            | Trouble::Local(_)
            | Trouble::Unmarked => Self::Fails {
                what,
                why: trouble.to_string(),
            },
        }
    }
}

impl Blob {
    /// Writes, lists, reads and removes an object. One that a failure leaves is an orphan like any other.
    pub async fn check(&self) -> BlobCheck {
        match self.try_everything().await {
            Ok(()) => BlobCheck::Works,
            Err((what, trouble)) => BlobCheck::of(what, trouble),
        }
    }

    async fn try_everything(&self) -> Result<(), (&'static str, Trouble)> {
        let key = ObjectKey::fresh(Slot::new(0));
        let written = self.try_put(key.as_str(), Bytes::from_static(PROBE)).await;
        written.map_err(|trouble| ("write", trouble))?;
        self.try_list_one(key.as_str())
            .await
            .map_err(|trouble| ("list", trouble))?;
        let read = self.try_get(key.as_str(), 0..PROBE.len() as u64).await;
        if read.map_err(|trouble| ("read", trouble))? != PROBE {
            return Err((
                "read",
                Trouble::Refused("it is not what was written".to_owned()),
            ));
        }
        self.try_delete(key.as_str())
            .await
            .map_err(|trouble| ("remove", trouble))
    }

    /// Finds an object by listing what begins like its folder.
    async fn try_list_one(&self, object_key: &str) -> Result<(), Trouble> {
        let (folder, _) = object_key.split_once('/').unwrap_or_default();
        let folder = Path::from(folder);
        let list = || async { self.store.list(Some(&folder)).next().await.transpose() };
        match self.carry_out(ObjectOperation::List, 0, list).await? {
            Some(_) => Ok(()),
            None => Err(Trouble::Refused(
                "what was written is not listed".to_owned(),
            )),
        }
    }
}
