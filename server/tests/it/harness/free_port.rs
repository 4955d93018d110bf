//! Ports for servers that take no port 0.

use std::net::TcpListener;

/// A port below those that the system gives to whoever asks for any: it is still free after a restart.
pub(crate) fn free_port() -> u16 {
    loop {
        let port = 10_000 + u16::try_from(uuid::Uuid::new_v4().as_u128() % 20_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
