//! `cargo xtask serve`: one command from a fresh clone to a running oncebin.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};

use crate::client::{self, WasmOpt};
use crate::process::{self, cargo, forget_cargo_run, step, target};
use crate::setup::rust;

/// Builds client and server, then becomes the server, so that signals reach it. Returns only with an error.
pub(crate) fn run(flags: &[String]) -> Result<()> {
    rust::add_wasm_target()?;
    client::build(WasmOpt::set_up()?)?;
    step("server: compile", || {
        process::run(&mut cargo("build --package server --bin oncebin"))
    })?;
    let mut oncebin = Command::new(target()?.join("debug/oncebin"));
    forget_cargo_run(oncebin.arg("serve").args(flags));
    Err(oncebin.exec()).context("oncebin cannot be started")
}
