//! oncebin
