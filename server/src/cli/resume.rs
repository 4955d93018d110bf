//! `oncebin put --resume`: saves that a kill or a power loss cut short go on, each with its own key, at its own server.

use super::driver::{Driver, Ending, World};
use super::exit::Failed;
use super::finish::Finished;
use super::held::{Found, Held};
use super::saves::Saves;
use super::screen::Screen;
use super::{http, interrupt};
use crate::config::{BaseUrl, ClientEnvironment};
use app::save::{Entry, Happening, Outcome};
use futures_util::StreamExt;
use futures_util::stream::iter;
use reqwest::Client;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Saves that go on at once: one whose server is gone must not hold up the others, and their texts are in memory.
const AT_ONCE: usize = 8;

/// What every resumed save shares.
struct Resuming<'a> {
    state: &'a Path,
    saves: Saves,
    client: Client,
    screen: Screen,
    stopped: CancellationToken,
}

/// Goes on with every save that was left and that no other process works on.
pub(super) async fn resume(environment: &ClientEnvironment) -> Result<(), Failed> {
    let state = environment.state_folder.as_deref();
    let state = state.ok_or_else(|| Failed::refused("there is no home folder to look in"))?;
    let resuming = Resuming {
        state,
        saves: Saves::in_folder(state),
        client: http::for_secrets()?,
        screen: Screen::plain(),
        stopped: interrupt::watch()?,
    };
    let names = resuming.saves.names().map_err(|error| {
        Failed::refused(format!("cannot look into {}: {error}", state.display()))
    })?;
    let all = iter(&names).map(|name| resuming.one(name));
    let outcomes: Vec<_> = all.buffer_unordered(AT_ONCE).collect().await;
    let failed: Vec<Failed> = outcomes.into_iter().filter_map(Result::err).collect();
    resuming.sum_up(names.len(), failed)
}

impl Resuming<'_> {
    async fn one(&self, name: &str) -> Result<(), Failed> {
        let unreadable = |error| Failed::open(format!("cannot read the save {name}: {error}"));
        let Some(held) = self.saves.claim(name).map_err(unreadable)? else {
            return Err(Failed::open("a save is under way in another oncebin"));
        };
        match held.read().map_err(unreadable)? {
            Found::Nothing => {
                held.remove();
                Ok(())
            }
            Found::Unreadable(path) => Err(Failed::open(format!(
                "{} is no save that this version reads; it stays as it is",
                path.display()
            ))),
            Found::Save(server, entry) => self.go_on(held, server, entry).await,
        }
    }

    async fn go_on(&self, held: Held, server: BaseUrl, entry: Entry) -> Result<(), Failed> {
        let (key, request) = (entry.key, Arc::clone(&entry.request));
        let outcome = entry.outcome.clone();
        let mut driver = Driver::new(World {
            client: self.client.clone(),
            server: server.clone(),
            held: Ok(held),
            screen: &self.screen,
            stopped: self.stopped.clone(),
        });
        let found = Happening::Found {
            entry,
            in_editor: false,
        };
        let ending = match (driver.drive(found).await, outcome) {
            // It is known to exist, whatever the server says today.
            (Ending::Refused { .. }, Outcome::Saved(link)) => Ending::Known(link),
            (ending, _) => ending,
        };
        let finished = Finished {
            key,
            request: &request,
            server: &server,
            state: Some(self.state),
            token_file: None,
            text_is_ours: true,
            screen: &self.screen,
        };
        finished.end(&mut driver, ending)
    }

    /// The worst of what happened, said last.
    fn sum_up(&self, found: usize, mut failed: Vec<Failed>) -> Result<(), Failed> {
        if found == 0 {
            self.screen.say("there is nothing to resume");
        }
        failed.sort_by_key(|failed| failed.exit);
        let worst = failed.pop();
        for other in failed {
            self.screen.say(&other.line);
        }
        worst.map_or(Ok(()), Err)
    }
}
