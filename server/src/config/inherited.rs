//! Listeners that whoever started us has opened already (systemd's socket activation).

use super::ConfigError;
use listenfd::ListenFd;
use std::net::TcpListener;
use std::sync::Arc;

/// Addresses that stay open while one oncebin ends and the next begins.
#[derive(Clone, Debug, Default)]
pub struct Inherited {
    /// In place of `--listen`.
    pub public: Option<Arc<TcpListener>>,
    /// In place of `--admin-listen`.
    pub admin: Option<Arc<TcpListener>>,
}

impl Inherited {
    /// Takes what was passed with `LISTEN_FDS`: the public address first, the operator's second.
    ///
    /// # Errors
    /// [`ConfigError`] for a third one, or one that is no TCP listener.
    pub fn take() -> Result<Self, ConfigError> {
        let mut passed = ListenFd::from_env();
        if passed.len() > 2 {
            return Err(ConfigError(
                "LISTEN_FDS passes more than two listeners: the public address and the operator's"
                    .into(),
            ));
        }
        let mut next = |n| {
            let listener = passed.take_tcp_listener(n);
            let listener = listener.map_err(|_| {
                ConfigError("LISTEN_FDS passes something that is no TCP listener".into())
            });
            listener.map(|listener| listener.map(Arc::new))
        };
        Ok(Self {
            public: next(0)?,
            admin: next(1)?,
        })
    }
}
