//! What crosses the network between client and server.
//!
//! These modules know nothing of browsers, HTTP servers or databases: values, their spelling and their bounds.

pub mod created;
pub mod expiry;
pub mod id;
pub mod limits;
pub mod paste;
pub mod problem;
pub mod recipe;
pub mod size;
pub mod syntax;
pub mod token;
