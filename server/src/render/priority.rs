//! Which thread goes first when all want a core.

/// Lets threads of usual priority go before the current one: with 10 it gets about a tenth of a core that another one
/// wants, with 5 a third. On Linux niceness is a thread's own.
pub(crate) fn give_way(niceness: i32) {
    if let Err(error) = rustix::process::nice(niceness) {
        tracing::debug!(%error, "a thread goes on at the usual priority");
    }
}
