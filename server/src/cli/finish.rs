//! What is done when a save has ended: link and token reach their owner before anything of the save is forgotten.

use super::driver::{Driver, Ending};
use super::durable;
use super::exit::Failed;
use super::screen::Screen;
use super::{tokens, words};
use crate::config::BaseUrl;
use app::save::Key;
use app::wire::created::Created;
use app::wire::paste::CreateRequest;
use std::io::{self, Write, stdout};
use std::path::Path;

/// A save that has ended, and what its owner wants of it.
pub(super) struct Finished<'a> {
    pub(super) key: Key,
    pub(super) request: &'a CreateRequest,
    pub(super) server: &'a BaseUrl,
    /// Where tokens are kept.
    pub(super) state: Option<&'a Path>,
    /// Where the token is written, too.
    pub(super) token_file: Option<&'a Path>,
    /// Nobody else may have the text: it is kept when it is not saved.
    pub(super) text_is_ours: bool,
    pub(super) screen: &'a Screen,
}

impl Finished<'_> {
    /// Shows the ending and tidies up after it.
    pub(super) fn end(&self, driver: &mut Driver<'_>, ending: Ending) -> Result<(), Failed> {
        self.screen.clear();
        match ending {
            Ending::Saved(created) => self.saved(driver, &created),
            Ending::Known(link) => {
                self.screen
                    .say("saved more than 24 hours ago; its delete token cannot be had any more");
                print(&link.url).map_err(|error| not_printed(&link.url, &error))
            }
            Ending::Refused { status, detail } => Err(self.refused(driver, status, &detail)),
            Ending::Stale => Err(self.stale(driver)),
            Ending::Settled => Ok(()),
            Ending::Interrupted => {
                let is_kept = driver.held().is_some() && !driver.is_only_here();
                Err(Failed::open(words::interrupted(is_kept)))
            }
        }
    }

    fn saved(&self, driver: &mut Driver<'_>, created: &Created) -> Result<(), Failed> {
        let is_kept = self.keep_token(created);
        print(&created.url).map_err(|error| not_printed(&created.url, &error))?;
        if is_kept {
            driver.forget(self.key);
        }
        Ok(())
    }

    /// Whether the token is where its owner finds it again.
    fn keep_token(&self, created: &Created) -> bool {
        let kept = match self.state {
            Some(state) => tokens::keep(state, self.server, created),
            None => Err(io::Error::other("no home folder")),
        };
        let token = format!("{}\n", created.delete_token);
        let written = self
            .token_file
            .map(|file| durable::write_named(file, token.as_bytes()));
        let not_written = written.as_ref().and_then(|done| done.as_ref().err());
        for error in kept.as_ref().err().into_iter().chain(not_written) {
            self.screen
                .say(&format!("the delete token cannot be kept ({error})"));
        }
        kept.is_ok() || written.is_some_and(|done| done.is_ok())
    }

    fn refused(&self, driver: &mut Driver<'_>, status: u16, detail: &str) -> Failed {
        let line = words::refused(self.server, status, detail);
        let place = driver.held().filter(|_| self.text_is_ours);
        let aside = place.map(|held| held.set_aside(&self.request.content));
        Failed::refused(match aside {
            Some(Ok(path)) => format!("{line} The text is in {}", path.display()),
            // The save has the only copy.
            Some(Err(error)) => {
                format!("{line} Its text cannot be set aside ({error}), so the save stays")
            }
            None => {
                driver.forget(self.key);
                line
            }
        })
    }

    fn stale(&self, driver: &Driver<'_>) -> Failed {
        let place = driver.held().ok_or(io::ErrorKind::NotFound.into());
        match place.and_then(|held| held.set_aside(&self.request.content)) {
            Ok(path) => Failed::open(words::stale(&path)),
            Err(error) => Failed::open(format!(
                "a save is more than 24 hours old and its text cannot be set aside: {error}"
            )),
        }
    }
}

fn print(url: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()
}

/// The link must reach its owner in some way; the save stays, so that it can be had again.
fn not_printed(url: &str, error: &io::Error) -> Failed {
    Failed::open(format!(
        "saved as {url}, but standard output cannot be written: {error}"
    ))
}
