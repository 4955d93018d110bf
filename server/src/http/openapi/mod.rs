//! The API's description: OpenAPI 3.1, made from the code, and the page that people read, made from it.
//!
//! It says what a client can rely on, with the limits of this service. It must not decide anything: what is described
//! here is done elsewhere, and the tests hold the two together.

mod call;
mod deleting;
mod headers;
mod pages;
mod reading;
mod reference;
mod saving;
mod schemas;
mod serving;
mod site;
mod words;

pub(super) use serving::{Served, json, page};

use crate::pastes::Policy;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, PathsBuilder, Server,
};

/// Where links of examples lead.
const EXAMPLE_BASE_URL: &str = "https://paste.example";

/// The whole description of a service at `base_url`.
fn document(base_url: &str, policy: &Policy) -> OpenApi {
    let base_url = base_url.trim_end_matches('/');
    let calls = [
        saving::calls(base_url, policy),
        reading::calls(base_url),
        deleting::calls(base_url),
        pages::calls(base_url),
        site::calls(base_url),
    ];
    let paths = calls
        .into_iter()
        .flatten()
        .fold(PathsBuilder::new(), |paths, call| {
            let (path, item) = call.build();
            paths.path(path, item)
        });
    let info = InfoBuilder::new()
        .title("oncebin")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(words::INTRODUCTION))
        .license(Some(
            LicenseBuilder::new()
                .name("MIT OR Apache-2.0")
                .identifier(Some("MIT OR Apache-2.0"))
                .build(),
        ));
    let tags = words::TAGS
        .map(|(name, what)| TagBuilder::new().name(name).description(Some(what)).build());
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The delete token that came with the 201."))
        .build();
    let components = headers::add(schemas::add(ComponentsBuilder::new(), policy))
        .security_scheme("deleteToken", SecurityScheme::Http(token));
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new(base_url)]))
        .tags(Some(tags))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}
