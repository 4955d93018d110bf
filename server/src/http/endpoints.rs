//! What the public address has: every method and route there is.
//!
//! The labels of the metrics and the API's description are held against it (tests/it/openapi.rs).

use crate::metrics::Endpoint;

/// Every method of every route. HEAD is where GET is.
pub const ENDPOINTS: [Endpoint; 16] = [
    ("GET", "/"),
    ("POST", "/"),
    ("GET", "/saved"),
    ("GET", "/{id}"),
    ("GET", "/{id}/raw"),
    ("GET", "/{id}/download"),
    ("POST", "/{id}/delete"),
    ("POST", "/api/pastes"),
    ("GET", "/api/pastes/{id}"),
    ("DELETE", "/api/pastes/{id}"),
    ("GET", "/api/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/pkg/{file}"),
    ("GET", "/robots.txt"),
    ("GET", "/livez"),
    ("GET", "/readyz"),
];
