//! The commands beside `serve`. The client's: put, get, rm and what explains the program.
//!
//! `put` drives the save machine of `app::save`, the browser's own, and decides nothing itself. What it must not lose it
//! keeps in the state folder. Nothing here knows the service; it is asked over HTTP, wherever it is.

mod address;
mod content;
mod driver;
mod durable;
mod exit;
mod explain;
mod finish;
mod get;
mod held;
mod http;
mod interrupt;
mod operator;
mod put;
mod resume;
mod rm;
mod run;
mod saves;
mod screen;
mod token;
mod tokens;
mod upload;
mod words;

pub use operator::operate;
pub use run::run;
