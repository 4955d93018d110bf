//! `oncebin rm`: deletes a paste with its token.

use super::exit::Failed;
use super::http::{self, cause, refusal};
use super::{address, token, tokens};
use crate::config::{ClientEnvironment, RmFlags};

/// Deletes a paste. Asked twice, the second time says that it is not there.
pub(super) async fn rm(flags: &RmFlags, environment: &ClientEnvironment) -> Result<(), Failed> {
    let named = address::read(&flags.paste)?;
    let id = named.id;
    let server = named.server.or_else(|| flags.server.clone());
    let grant = token::find(flags, environment, id, server)?;
    let asking = http::for_secrets()?
        .delete(format!("{}/api/pastes/{id}", grant.server))
        .bearer_auth(grant.token.reveal());
    let answer = asking.send().await.map_err(|error| {
        Failed::open(format!(
            "no answer from {} ({}): {id} may be deleted or not; ask again",
            grant.server,
            cause(error)
        ))
    })?;
    if answer.status() != 204 {
        let missing = format!("{id} is not there, or the token is not its own");
        return Err(refusal(&answer, &missing));
    }
    if let Some(state) = &environment.state_folder {
        tokens::forget(state, id);
    }
    eprintln!("oncebin: deleted {id}");
    Ok(())
}
