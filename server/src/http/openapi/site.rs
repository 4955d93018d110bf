//! Health, this site's own files, this description.

use super::call::{Call, Place, answer, content, kept_answer, optional, text_content};
use super::{headers, schemas};
use app::wire::problem::Code;
use utoipa::openapi::path::{HttpMethod, ParameterIn};
use utoipa::openapi::{Required, ResponseBuilder};

pub(super) fn calls(base_url: &str) -> Vec<Call> {
    let get = |path, id| Call::new(HttpMethod::Get, path, id, "Site");
    vec![
        get("/api/openapi.json", "showDescription")
            .words("This description", "OpenAPI 3.1, with the limits of this site.")
            .conditional()
            .answer(
                200,
                headers::with(kept_answer("The description."), &["ETag"])
                    .content("application/json", content(schemas::object())),
            )
            .answer(
                304,
                headers::with(kept_answer("You have it already."), &["ETag"]),
            )
            .problems(Place::Api, &[])
            .sample("Get it", &format!("curl {base_url}/api/openapi.json")),
        asset(base_url),
        get("/livez", "isAlive")
            .words("Whether the process lives", "Asks nothing but the process itself.")
            .answer(200, plain("It lives."))
            .problems(Place::Pages, &[])
            .sample("Ask", &format!("curl {base_url}/livez")),
        get("/readyz", "isReady")
            .words(
                "Whether it can serve",
                "200 while it can serve at least one shard and the object store and is not stopping. The operator's address \
                 has the same with detail.",
            )
            .answer(200, plain("It can serve."))
            .answer(503, plain("It cannot, or is stopping."))
            .problems(Place::Pages, &[])
            .sample("Ask", &format!("curl {base_url}/readyz")),
        get("/robots.txt", "showRobots")
            .words("What search engines may read", "Only the form: pastes are unlisted.")
            .answer(200, plain("The rules."))
            .problems(Place::Pages, &[])
            .sample("Read", &format!("curl {base_url}/robots.txt")),
    ]
}

fn asset(base_url: &str) -> Call {
    let file = optional(
        "file",
        ParameterIn::Path,
        "A name that the pages link to.",
        schemas::text(),
    );
    let found = kept_answer("The file, immutable by its name.")
        .content("text/css", text_content())
        .content("text/javascript", text_content())
        .content("application/wasm", text_content());
    Call::new(HttpMethod::Get, "/pkg/{file}", "getAsset", "Site")
        .words("Styles and client", "Files of this site. Their names change with their content.")
        .parameter(file.required(Required::True))
        .answer(200, headers::with(found, &["Content-Encoding", "Vary"]))
        .problems(Place::Pages, &[Code::NotFound])
        .sample(
            "The style sheet",
            &format!("curl -O {base_url}/pkg/$(curl {base_url}/ | sed -n 's,.*/pkg/\\([^\"]*css\\).*,\\1,p')"),
        )
}

fn plain(what: &str) -> ResponseBuilder {
    answer(what).content("text/plain", text_content())
}
