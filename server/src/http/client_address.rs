//! Whose request it is, for rate limits only.

use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

/// The other end of the connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

/// Which proxies are believed.
#[derive(Debug)]
pub(super) struct ClientAddresses {
    trusted: Vec<IpNet>,
    warned: AtomicBool,
}

impl ClientAddresses {
    pub(super) fn new(trusted: Vec<IpNet>) -> Self {
        Self {
            trusted,
            warned: AtomicBool::new(false),
        }
    }

    /// The address that a limit counts: the peer, or, behind trusted proxies, the first untrusted address from the
    /// right of what they forwarded; everything left of it may be invented. IPv6 counts by /64, which one person has.
    ///
    /// A proxy writes one kind of header and may pass the other on as the client wrote it: where they do not agree, the
    /// peer is counted.
    pub(super) fn of(&self, peer: Peer, headers: &HeaderMap) -> IpAddr {
        let peer = peer.0.ip().to_canonical();
        let told = [x_forwarded_for(headers), forwarded(headers)];
        let mut told = told.iter().filter(|hops| !hops.is_empty()).peekable();
        if told.peek().is_some() && !self.trusts(peer) {
            self.warn_once();
            return network(peer);
        }
        let mut clients = told.map(|hops| network(self.client(peer, hops)));
        match (clients.next(), clients.next()) {
            (Some(one), Some(other)) if one != other => network(peer),
            (client, _) => client.unwrap_or(network(peer)),
        }
    }

    /// The first address from the right that is no proxy of ours, or the last one that can be read.
    fn client(&self, peer: IpAddr, hops: &[Option<IpAddr>]) -> IpAddr {
        let mut address = peer;
        for hop in hops.iter().rev() {
            match hop {
                Some(hop) if self.trusts(address) => address = *hop,
                _ => break,
            }
        }
        address
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    fn warn_once(&self) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "a forwarding header came from a peer that --trusted-proxies does not name; it is ignored, and so are \
                 all that follow"
            );
        }
    }
}

/// The addresses in `X-Forwarded-For`, in the order they were added; none for one that cannot be read.
fn x_forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let elements = elements(headers, "x-forwarded-for");
    elements.map(|hop| address(hop.trim())).collect()
}

/// Those in `Forwarded`.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    elements(headers, FORWARDED.as_str())
        .map(forwarded_for)
        .collect()
}

/// The elements of a list, over all its lines.
fn elements<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter();
    lines.flat_map(|line| line.to_str().unwrap_or_default().split(','))
}

/// The `for` of one element of `Forwarded` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    address(value.trim().trim_matches('"'))
}

/// An address, perhaps with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse()
        .or_else(|_| text.parse().map(|address: SocketAddr| address.ip()))
        .ok()
        .map(|address: IpAddr| address.to_canonical())
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn of(peer: &str, lines: &[(&'static str, &str)]) -> String {
        let trusted = vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        let peer = Peer(SocketAddr::new(peer.parse().unwrap(), 1));
        ClientAddresses::new(trusted).of(peer, &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed_and_from_the_right() {
        let xff = "x-forwarded-for";
        for (peer, lines, expected) in [
            ("192.0.2.1", &[][..], "192.0.2.1"),
            ("192.0.2.1", &[(xff, "198.51.100.7")], "192.0.2.1"),
            ("10.0.0.1", &[(xff, "198.51.100.7")], "198.51.100.7"),
            (
                "10.0.0.1",
                &[(xff, "1.1.1.1, 198.51.100.7")],
                "198.51.100.7",
            ),
            (
                "10.0.0.1",
                &[(xff, "198.51.100.7, 10.0.0.2")],
                "198.51.100.7",
            ),
            (
                "10.0.0.1",
                &[(xff, "1.1.1.1"), (xff, "198.51.100.7:443")],
                "198.51.100.7",
            ),
            ("10.0.0.1", &[(xff, "198.51.100.7, nonsense")], "10.0.0.1"),
            ("10.0.0.1", &[(xff, "")], "10.0.0.1"),
            // Both kinds of header: only what they agree on.
            (
                "10.0.0.1",
                &[(xff, "192.0.2.9"), ("forwarded", "for=198.51.100.7")],
                "10.0.0.1",
            ),
            (
                "10.0.0.1",
                &[(xff, "198.51.100.7"), ("forwarded", "for=192.0.2.9")],
                "10.0.0.1",
            ),
            (
                "10.0.0.1",
                &[(xff, ""), ("forwarded", "for=198.51.100.7")],
                "10.0.0.1",
            ),
            (
                "10.0.0.1",
                &[
                    (xff, "1.1.1.1, 198.51.100.7"),
                    ("forwarded", "for=198.51.100.7, for=10.0.0.2"),
                ],
                "198.51.100.7",
            ),
            (
                "192.0.2.1",
                &[(xff, "192.0.2.9"), ("forwarded", "for=192.0.2.9")],
                "192.0.2.1",
            ),
            (
                "10.0.0.1",
                &[(
                    "forwarded",
                    "for=1.1.1.1, For=\"[2001:db8:1:2:3::4]:80\";proto=https",
                )],
                "2001:db8:1:2::",
            ),
            ("::ffff:192.0.2.1", &[], "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", &[], "2001:db8:1:2::"),
            ("fd00::1", &[(xff, "198.51.100.7")], "198.51.100.7"),
        ] {
            assert_eq!(of(peer, lines), expected, "{peer} {lines:?}");
        }
    }
}
