//! The save machine. Written by its own step; see the commit that fills it.
