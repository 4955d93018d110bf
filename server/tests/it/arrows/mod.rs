//! The import arrows of ARCHITECTURE.md as tables, and what of a source breaks them.

mod tables;

use std::collections::BTreeSet;
use tables::{ANYONE_MAY_USE, APP_MAY_USE, MAY_USE, ONLY_IN, SQL};

/// What a file mentions and must not.
pub(crate) fn faults_of(name: &str, source: &str) -> BTreeSet<String> {
    let mut faults = BTreeSet::new();
    for line in source.lines().map(code) {
        for (path, places) in ONLY_IN {
            if mentions(line, path) && !places.iter().any(|place| name.starts_with(place)) {
                faults.insert(format!("{name} mentions {path}"));
            }
        }
        let (own, allowed) = arrows(name);
        for module in modules_used(line) {
            if module != own && module != ANYONE_MAY_USE && !allowed.contains(&module) {
                faults.insert(format!("{name} uses crate::{module}"));
            }
        }
        let may_have_sql = name.starts_with("app/") || name.starts_with("server/src/store/");
        if !may_have_sql && SQL.iter().any(|start| begins_statement(line, start)) {
            faults.insert(format!("{name} has SQL"));
        }
    }
    faults
}

/// A line without its comment.
fn code(line: &str) -> &str {
    let comment = line.find("//").filter(|at| !line[..*at].ends_with(':'));
    &line[..comment.unwrap_or(line.len())]
}

/// Whether a line has the path as a whole: in a `use`, or before `::`.
fn mentions(line: &str, path: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + path.len()..];
        let is_whole = !before.is_some_and(is_word);
        let goes_on = after.starts_with("::");
        let is_used = line.trim_start().starts_with("use ") && !after.starts_with(is_word);
        is_whole && (goes_on || is_used)
    })
}

/// The modules after `crate::`, also those in braces.
fn modules_used(line: &str) -> Vec<&str> {
    let mut used = Vec::new();
    for (at, path) in line.match_indices("crate::") {
        let rest = &line[at + path.len()..];
        let inside = rest.strip_prefix('{');
        let names = inside.map_or(rest, |rest| rest.split('}').next().unwrap_or(rest));
        let parts = if inside.is_some() {
            names.split(',').collect()
        } else {
            vec![names]
        };
        for part in parts {
            let part = part.trim();
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
            let module = &part[..end.unwrap_or(part.len())];
            if module.starts_with(|c: char| c.is_lowercase()) {
                used.push(module);
            }
        }
    }
    used
}

/// The module a file belongs to, and what that may use.
fn arrows(name: &str) -> (&str, &'static [&'static str]) {
    let (crate_name, path) = name.split_once("/src/").unwrap_or(("", name));
    let own = path.split(['/', '.']).next().unwrap_or_default();
    let table: &[(&str, &[&str])] = if crate_name == "app" {
        APP_MAY_USE
    } else {
        MAY_USE
    };
    let found = table.iter().find(|(module, _)| *module == own);
    (own, found.map_or(&[], |(_, allowed)| allowed))
}

fn begins_statement(line: &str, start: &str) -> bool {
    let line = line.trim_start();
    let bare = start.trim_end();
    line.starts_with(start) || line == bare || line.contains(&format!("\"{start}"))
}

#[test]
fn bad_snippets_are_found() {
    for (name, line, fault) in [
        (
            "server/src/pastes/create.rs",
            "use axum::http::StatusCode;",
            "mentions axum",
        ),
        (
            "server/src/pastes/create.rs",
            "use crate::http::Http;",
            "uses crate::http",
        ),
        (
            "server/src/pastes/create.rs",
            "    crate::config::Settings::default()",
            "uses crate::config",
        ),
        (
            "server/src/pastes/create.rs",
            "use crate::{blob::Blob, service};",
            "uses crate::service",
        ),
        (
            "server/src/shard/router.rs",
            "use crate::pastes::Pastes;",
            "uses crate::pastes",
        ),
        (
            "server/src/store/mod.rs",
            "use crate::blob::Blob;",
            "uses crate::blob",
        ),
        (
            "server/src/http/read.rs",
            "    let x = sqlx::query(text);",
            "mentions sqlx",
        ),
        (
            "server/src/http/read.rs",
            "    \"select 1 from paste\"",
            "has SQL",
        ),
        ("server/src/shard/router.rs", "const X: &str = \"", ""),
        ("server/src/shard/router.rs", "delete from slot", "has SQL"),
        (
            "server/src/service/mod.rs",
            "use hyper::Request;",
            "mentions hyper",
        ),
        ("server/src/service/mod.rs", "use axum::Router;", ""),
        (
            "server/src/service/mod.rs",
            "    object_store::path::Path::from(x)",
            "mentions object_store",
        ),
        (
            "server/src/blob/mod.rs",
            "use object_store::path::Path;",
            "",
        ),
        (
            "server/src/main.rs",
            "    std::env::var(\"HOME\")",
            "mentions std::env",
        ),
        (
            "server/src/pastes/read.rs",
            "use app::pages::paste;",
            "mentions app::pages",
        ),
        (
            "app/src/components/copy.rs",
            "use web_sys::window;",
            "mentions web_sys",
        ),
        (
            "app/src/save/step.rs",
            "use crate::browser::clock;",
            "uses crate::browser",
        ),
        (
            "app/src/wire/id.rs",
            "use crate::save::State;",
            "uses crate::save",
        ),
        (
            "server/src/pastes/create.rs",
            "// use axum::Router; select 1",
            "",
        ),
        (
            "server/src/pastes/create.rs",
            "use crate::blob::ObjectKey;",
            "",
        ),
    ] {
        let found: Vec<_> = faults_of(name, line).into_iter().collect();
        let expected = if fault.is_empty() {
            vec![]
        } else {
            vec![format!("{name} {fault}")]
        };
        assert_eq!(found, expected, "{line}");
    }
}
