//! `oncebin put`: one run is one paste.

use super::content;
use super::driver::{Driver, World};
use super::durable;
use super::exit::Failed;
use super::finish::Finished;
use super::saves::Saves;
use super::screen::Screen;
use super::{http, interrupt};
use crate::config::{ClientEnvironment, PutFlags};
use app::save::{Happening, Key};
use app::wire::paste::CreateRequest;
use std::sync::Arc;
use uuid::Uuid;

/// Saves a text: prints its link, or says what became of it.
pub(super) async fn put(flags: &PutFlags, environment: &ClientEnvironment) -> Result<(), Failed> {
    let state = environment.state_folder.as_deref();
    let content = content::read(flags.file.as_deref(), state)?;
    if let Some(file) = &flags.token_file {
        durable::open_private(file).map_err(|error| {
            content.not_sent(&format!("cannot write {}: {error}", file.display()), state)
        })?;
    }
    let screen = Screen::for_text(content.text.len() as u64);
    let request = Arc::new(CreateRequest {
        content: content.text,
        title: flags.title.clone(),
        syntax: flags.syntax.clone(),
        expires_in: flags.expires.clone(),
    });
    let (client, stopped) = (http::for_secrets()?, interrupt::watch()?);
    let key = Key::new(Uuid::new_v4());
    let held = match state {
        Some(state) => Saves::in_folder(state)
            .begin(key)
            .map_err(|error| format!("{}: {error}", state.display())),
        None => Err("no home folder".to_owned()),
    };
    let mut driver = Driver::new(World {
        client,
        server: flags.server.server.clone(),
        held,
        screen: &screen,
        stopped,
    });
    let press = Happening::Press {
        key,
        request: Arc::clone(&request),
    };
    let ending = driver.drive(press).await;
    let finished = Finished {
        key,
        request: &request,
        server: &flags.server.server,
        state,
        token_file: flags.token_file.as_deref(),
        text_is_ours: content.was_piped && !request.content.is_empty(),
        screen: &screen,
    };
    finished.end(&mut driver, ending)
}
