//! `cargo xtask test`: everything that must hold before a change is merged, from a fresh clone on.
//!
//! Each cargo command selects its packages so that no dependency is compiled twice: features are united over the
//! selected packages, so `--workspace` would compile xtask's dependencies again with the server's features.

use std::process::Command;
use std::thread;

use anyhow::{Result, anyhow};

use crate::api;
use crate::client::{self, WasmOpt, check_weight};
use crate::process::{self, cargo, step, target};
use crate::root;
use crate::setup::{debian, npm, pypi, rust};

/// The packages that are built for the machine and share their dependencies; with the server comes app's `ssr`.
const HOST_PACKAGES: &str = "--package app --package bench --package server";

/// The tests that ask one service over HTTP. They run a second time on two services over four PostgreSQL shards; all
/// others choose their databases themselves.
const HTTP_TESTS: [&str; 33] = [
    "abuse::",
    "assets::",
    "base_path::",
    "colours::",
    "colours_escape::",
    "concurrency::",
    "create_body::",
    "create_content::",
    "create_json::",
    "create_key::",
    "create_options::",
    "create_replay::",
    "deadlines::",
    "delete::",
    "early_answer::",
    "expiry::",
    "form::",
    "form_refused::",
    "headers::",
    "markdown_tab::",
    "not_found::",
    "openapi::",
    "openapi_examples::",
    "origin_cache::",
    "page_encoding::",
    "problems::",
    "qr_code::",
    "rate::",
    "rate_misses::",
    "read_page::",
    "read_raw::",
    "unavailable::",
    "use_as_new::",
];

/// Those among them that are about texts run a third time, with the texts in a bucket.
const TEXT_TESTS: [&str; 7] = [
    "create_content::",
    "create_json::",
    "create_replay::",
    "delete::",
    "expiry::",
    "read_page::",
    "read_raw::",
];

/// Sets up what is missing, then runs every check, the quick ones first.
///
/// # Errors
/// The first check that fails, or a package that is missing and that only root may install.
pub(crate) fn everything() -> Result<()> {
    let missing = debian::missing_packages()?;
    rust::add_wasm_target()?;
    rust::add_lints()?;
    step("format", || process::run(&mut cargo("fmt --all --check")))?;
    build_client(&missing)?;
    check_weight()?;
    lint()?;
    step("cargo test", || {
        process::run(&mut cargo(&format!("test --no-fail-fast {HOST_PACKAGES}")))
    })?;
    step("cargo test, the HTTP tests on PostgreSQL", || {
        let mut test = cargo(&format!("test {HOST_PACKAGES} --test it --"));
        process::run(test.args(HTTP_TESTS).env("TEST_DATABASE", "postgres"))
    })?;
    step(
        "cargo test, the tests of texts on PostgreSQL and S3",
        || {
            let mut test = cargo(&format!("test {HOST_PACKAGES} --test it --"));
            test.args(TEXT_TESTS).env("TEST_DATABASE", "postgres");
            process::run(test.env("TEST_OBJECTS", "s3"))
        },
    )?;
    step("cargo test, xtask", || {
        process::run(&mut cargo("test --package xtask"))
    })?;
    step("api description", api::check)?;
    step("playwright", playwright)
}

/// Runs `cargo test` alone, with the words of `filter`.
pub(crate) fn matching(filter: &[String]) -> Result<()> {
    let mut test = cargo(&format!("test {HOST_PACKAGES} --"));
    process::run(test.args(filter))
}

/// Builds the client while the packages that need no compiler are downloaded.
fn build_client(missing: &[&str]) -> Result<()> {
    thread::scope(|scope| {
        let downloads = scope.spawn(|| {
            debian::install(missing)?;
            pypi::install()?;
            npm::install()
        });
        let compiled = client::compile()?;
        downloads
            .join()
            .map_err(|_| anyhow!("the thread of the downloads panicked"))??;
        client::package(&compiled, WasmOpt::Run)
    })
}

fn lint() -> Result<()> {
    let warnings_are_errors = ["--", "-D", "warnings"];
    step("clippy", || {
        let mut clippy = cargo(&format!("clippy {HOST_PACKAGES} --all-targets"));
        process::run(clippy.args(warnings_are_errors))
    })?;
    step("clippy, xtask", || {
        let mut clippy = cargo("clippy --package xtask --all-targets");
        process::run(clippy.args(warnings_are_errors))
    })?;
    step("clippy, client", || {
        let mut clippy = cargo("clippy");
        process::run(clippy.args(client::CARGO_FLAGS).args(warnings_are_errors))
    })
}

/// The specs in a real browser, against the server that `cargo test` has just built.
fn playwright() -> Result<()> {
    let mut playwright = Command::new(npm::program("playwright"));
    playwright
        .args(["test", "--forbid-only"])
        .current_dir(root().join("end2end"));
    process::run(playwright.env("ONCEBIN_BINARY", target()?.join("debug/oncebin")))
}
