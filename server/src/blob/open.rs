//! Opens a store. No bucket is asked for anything yet.

use super::measure::Measure;
use super::{Blob, BlobDeadlines, Bucket, local, s3};
use anyhow::Context;
use std::path::Path;
use std::sync::Arc;

/// How often a bucket is asked for the same thing: a blip is bridged, and a bucket that is down is not stormed.
const ATTEMPTS: u32 = 3;

impl Blob {
    /// The store in a local directory, with its 256 folders made.
    ///
    /// # Errors
    /// When the directory or a folder cannot be made.
    pub fn local(directory: &Path) -> anyhow::Result<Self> {
        local::make_folders(directory)?;
        Self::local_as_it_is(directory)
    }

    /// The store in a local directory as it is: nothing is made in it.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn local_as_it_is(directory: &Path) -> anyhow::Result<Self> {
        // As the library does: a link that leads elsewhere later must not lead one of us astray and not the other.
        let place = directory.canonicalize();
        let place = place.with_context(|| format!("cannot open {}", directory.display()))?;
        Ok(Self {
            store: Arc::new(local::open(&place)?),
            directory: Some(place.into()),
            needed: None,
            attempts: 1,
            deadlines: BlobDeadlines::default(),
            measure: Measure::default(),
        })
    }

    /// The store in a bucket. Nothing is asked yet; [`Blob::check`] and [`Blob::mark`] do.
    ///
    /// # Errors
    /// When no client can be made of the settings.
    pub fn bucket(bucket: &Bucket, deadlines: BlobDeadlines) -> anyhow::Result<Self> {
        let opened = s3::open(bucket);
        let store = opened.map_err(|trouble| anyhow::anyhow!("cannot open {bucket}: {trouble}"))?;
        Ok(Self {
            store,
            directory: None,
            needed: None,
            attempts: ATTEMPTS,
            deadlines,
            measure: Measure::default(),
        })
    }
}
