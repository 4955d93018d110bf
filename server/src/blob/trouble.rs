//! What the store's errors mean, without anything of a request in it: a bucket's error may quote what was signed.

use object_store::client::HttpError;
use std::error::Error;
use std::fmt;

/// How the library says that a file ends too early; its type for that is not ours to see.
const LOCAL_SHORT: [&str; 2] = [
    "error: Out of range of file ",
    "error: Requested range was invalid",
];

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// There is no such object.
    Missing,
    /// There is no such bucket.
    NoBucket,
    /// The bucket is in another region.
    WrongRegion,
    /// Who asks is not known, or may not do that: the store's code for it.
    Denied(String),
    /// The object ends before the part that was asked for does.
    Short,
    /// The store says that this will never do.
    Refused(String),
    /// The store says that it cannot now.
    Failing(String),
    /// No whole answer: no connection, or a broken one.
    Broken(String),
    /// No answer in time.
    Slow,
    /// A local directory's own error.
    Local(String),
    /// The mark is missing: it is not the place that was used before, or has lost everything.
    Unmarked,
}

impl Trouble {
    pub(super) fn of(error: &object_store::Error) -> Self {
        let text = error.to_string();
        if let Some(status) =
            after(&text, "status code: ").and_then(|text| text.get(..3)?.parse().ok())
        {
            let code = after(&text, "<Code>").and_then(|text| text.split('<').next());
            return Self::answered(status, code.unwrap_or_default());
        }
        if text.contains("redirect without LOCATION") {
            return Self::WrongRegion;
        }
        if let Some(cause) = broken(error) {
            return Self::Broken(cause);
        }
        match error {
            object_store::Error::NotFound { .. } => Self::Missing,
            _ if LOCAL_SHORT.iter().any(|line| text.contains(line)) => Self::Short,
            _ => Self::Local(text),
        }
    }

    /// An answer of a bucket that is no success.
    fn answered(status: u16, code: &str) -> Self {
        let said = if code.is_empty() {
            status.to_string()
        } else {
            format!("{status} {code}")
        };
        match (status, code) {
            (404, "NoSuchBucket") => Self::NoBucket,
            (404, _) => Self::Missing,
            (301 | 307 | 308, _) | (400, "AuthorizationHeaderMalformed") => Self::WrongRegion,
            (401 | 403, _) | (400, "ExpiredToken" | "InvalidToken") => Self::Denied(said),
            (416, _) => Self::Short,
            (408 | 429 | 500 | 502.., _) => Self::Failing(said),
            _ => Self::Refused(said),
        }
    }

    /// Whether the same request may do better in a moment.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Failing(_) | Self::Broken(_) | Self::Slow => true,
            Self::Missing
            | Self::NoBucket
            | Self::WrongRegion
            | Self::Denied(_)
            | Self::Short
            | Self::Refused(_)
            | Self::Local(_)
            | Self::Unmarked => false,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such object"),
            Self::NoBucket => f.write_str("there is no such bucket"),
            Self::WrongRegion => f.write_str("the bucket is in another region"),
            Self::Denied(said) => write!(f, "denied: {said}"),
            Self::Short => f.write_str("it ends too early"),
            Self::Refused(said) => write!(f, "refused: {said}"),
            Self::Failing(said) => write!(f, "it failed: {said}"),
            Self::Broken(cause) => write!(f, "no whole answer: {cause}"),
            Self::Slow => f.write_str("no answer in time"),
            Self::Local(error) => f.write_str(error),
            Self::Unmarked => {
                f.write_str("its mark, in-use, is not there: is it mounted, and the right place?")
            }
        }
    }
}

/// The innermost cause of a request that got no whole answer.
fn broken(error: &object_store::Error) -> Option<String> {
    let mut cause: &dyn Error = error;
    while !cause.is::<HttpError>() {
        cause = cause.source()?;
    }
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Some(cause.to_string())
}

fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_a_bucket_are_told_apart() {
        for (status, code, trouble) in [
            (404, "NoSuchKey", Trouble::Missing),
            (404, "", Trouble::Missing),
            (404, "NoSuchBucket", Trouble::NoBucket),
            (301, "PermanentRedirect", Trouble::WrongRegion),
            (400, "AuthorizationHeaderMalformed", Trouble::WrongRegion),
            (
                403,
                "AccessDenied",
                Trouble::Denied("403 AccessDenied".into()),
            ),
            (
                400,
                "ExpiredToken",
                Trouble::Denied("400 ExpiredToken".into()),
            ),
            (416, "InvalidRange", Trouble::Short),
            (400, "", Trouble::Refused("400".into())),
            (
                501,
                "NotImplemented",
                Trouble::Refused("501 NotImplemented".into()),
            ),
            (503, "SlowDown", Trouble::Failing("503 SlowDown".into())),
            (429, "", Trouble::Failing("429".into())),
        ] {
            assert_eq!(Trouble::answered(status, code), trouble);
        }
    }
}
