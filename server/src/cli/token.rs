//! The delete token that `rm` uses: never an argument, which everybody on the machine could read.

use super::exit::Failed;
use super::tokens::{self, KeptToken};
use crate::config::{BaseUrl, ClientEnvironment, DEFAULT_SERVER, RmFlags};
use app::wire::id::PasteId;
use app::wire::token::DeleteToken;
use std::fs;
use std::io::{self, Read, stdin};
use std::path::Path;

/// Bytes of a file that are read: a token and some blanks.
const FILE_BYTES_MAX: u64 = 1024;

/// A token and where to send it.
#[derive(Debug)]
pub(super) struct Grant {
    pub(super) token: DeleteToken,
    pub(super) server: BaseUrl,
}

/// The token from `--token-file`, else from the variable, else from what `put` kept.
///
/// `server` is the one the person named. A kept token goes nowhere but to the service it is of.
pub(super) fn find(
    flags: &RmFlags,
    environment: &ClientEnvironment,
    id: PasteId,
    server: Option<BaseUrl>,
) -> Result<Grant, Failed> {
    let state = environment.state_folder.as_deref();
    let kept = state.and_then(|state| tokens::find(state, id));
    let given = given(flags, environment)?;
    let server = match (server, &kept) {
        (Some(server), _) => server,
        (None, Some(kept)) => kept.server.clone(),
        (None, None) => DEFAULT_SERVER.parse().map_err(Failed::usage)?,
    };
    let own = |kept: KeptToken| kept.belongs_to(&server).then_some(kept.token);
    let token = given.or_else(|| kept.and_then(own)).ok_or_else(|| {
        Failed::refused(format!(
            "no delete token of {id} at {server} is kept here; give it with --token-file, or in ONCEBIN_DELETE_TOKEN"
        ))
    })?;
    Ok(Grant { token, server })
}

fn given(flags: &RmFlags, environment: &ClientEnvironment) -> Result<Option<DeleteToken>, Failed> {
    let (text, place) = match (&flags.token_file, &environment.delete_token) {
        (Some(file), _) => {
            let text = read(file).map_err(|error| {
                Failed::refused(format!("cannot read {}: {error}", file.display()))
            })?;
            (text, file.display().to_string())
        }
        (None, Some(variable)) => (
            variable.to_string_lossy().into_owned(),
            "ONCEBIN_DELETE_TOKEN".to_owned(),
        ),
        (None, None) => return Ok(None),
    };
    let token = text.trim().parse();
    token.map(Some).map_err(|_| {
        Failed::refused(format!(
            "{place} holds no delete token: one is once_ and 26 letters and digits"
        ))
    })
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = Vec::new();
    if file == Path::new("-") {
        stdin().lock().take(FILE_BYTES_MAX).read_to_end(&mut text)?;
    } else {
        let file = fs::File::open(file)?;
        file.take(FILE_BYTES_MAX).read_to_end(&mut text)?;
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}
