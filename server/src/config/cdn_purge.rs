//! `--cdn-purge`: the file with the purge template, and the variables that it names.

use super::ConfigError;
use crate::cdn::Template;
use std::fs;
use std::path::Path;

/// Reads a template. Its credentials come from the environment.
pub(super) fn read(file: &Path) -> Result<Template, ConfigError> {
    let refused = |why: String| ConfigError(format!("--cdn-purge: {}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| refused(error.to_string()))?;
    let template = Template::parse(&text, |name| std::env::var(name).ok());
    template.map_err(|error| refused(error.to_string()))
}
