//! `DELETE /api/pastes/{id}`.

use super::call::{Call, Place, answer, id};
use app::wire::problem::Code;
use utoipa::openapi::path::HttpMethod;

pub(super) fn calls(base_url: &str) -> Vec<Call> {
    let delete = Call::new(HttpMethod::Delete, "/api/pastes/{id}", "deletePaste", "Delete")
        .words(
            "Delete a paste",
            "204 when the paste was there and the token is right; from then on nobody reads it here. A wrong token, and a \
             paste that is missing, expired or already deleted, get the one 404. So **a 404 to a delete you send again means \
             that it is done**, if the token is right. Tokens in a query string are not read. A delete needs no idempotency \
             key.",
        )
        .parameter(id())
        .with_token()
        .answer(204, answer("It is gone."))
        .problems(
            Place::Api,
            &[Code::DeleteTokenMissing, Code::NotFound, Code::ShardUnavailable],
        )
        .sample(
            "Delete it",
            &format!("curl -X DELETE -H \"Authorization: Bearer $TOKEN\" {base_url}/api/pastes/$ID"),
        );
    vec![delete]
}
