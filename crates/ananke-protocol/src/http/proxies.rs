//! Proxies, as the usual environment variables name them, and which of them a request goes through.

use std::net::IpAddr;

use super::headers::without_secrets;

/// Proxies, as the usual environment variables name them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proxies {
    /// `HTTP_PROXY`.
    pub http: Option<String>,
    /// `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `ALL_PROXY`.
    pub all: Option<String>,
    /// `NO_PROXY`.
    pub no_proxy: Option<String>,
}

/// The proxy that requests to a server go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedProxy {
    /// The environment variable that names it, in upper case.
    pub variable: &'static str,
    /// Its URL as it may be shown: without user and password.
    pub url: String,
}

impl Proxies {
    /// Tells whether a proxy is itself spoken to over TLS.
    pub fn uses_tls(&self) -> bool {
        let urls = [&self.http, &self.https, &self.all];
        urls.into_iter()
            .flatten()
            .any(|url| url.starts_with("https:"))
    }

    /// Returns the proxy for requests to this server, if there is one.
    pub fn used_for(&self, is_tls: bool, host: &str) -> Option<UsedProxy> {
        let own = if is_tls {
            ("HTTPS_PROXY", &self.https)
        } else {
            ("HTTP_PROXY", &self.http)
        };
        let named = [own, ("ALL_PROXY", &self.all)].into_iter();
        let (variable, url) = named
            .filter_map(|(name, url)| Some((name, url.as_deref().filter(|url| !url.is_empty())?)))
            .next()?;
        let excepted = self.no_proxy.as_deref().unwrap_or_default();
        if excepted.split(',').any(|entry| excepts(entry.trim(), host)) {
            return None;
        }
        let url = without_secrets(url);
        Some(UsedProxy { variable, url })
    }
}

/// Tells whether an entry of `NO_PROXY` excepts a host: `*`, an address, a network, or a domain with all below it. The HTTP
/// library decides the same way when it connects, but cannot be asked.
fn excepts(entry: &str, host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    if entry.is_empty() || entry == "*" {
        return !entry.is_empty();
    }
    if let Ok(address) = host.parse::<IpAddr>() {
        return is_inside(address, entry);
    }
    let (host, entry) = (host.to_ascii_lowercase(), entry.to_ascii_lowercase());
    let domain = entry.trim_start_matches('.');
    let before = host.strip_suffix(domain);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

fn is_inside(address: IpAddr, network: &str) -> bool {
    let (base, n_bits) = match network.split_once('/') {
        Some((base, n_bits)) => (base, n_bits.parse().ok()),
        None => (network, Some(u128::BITS)),
    };
    let (Ok(base), Some(n_bits)) = (base.parse::<IpAddr>(), n_bits) else {
        return false;
    };
    let bits = |address| match address {
        IpAddr::V4(v4) => u128::from(u32::from(v4)) << 96,
        IpAddr::V6(v6) => u128::from(v6),
    };
    let n_same = (bits(address) ^ bits(base)).leading_zeros();
    address.is_ipv4() == base.is_ipv4() && n_same >= n_bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxy_of_a_request_is_known_without_its_password() {
        let proxies = Proxies {
            http: Some("http://joe:s3cret@proxy:3128".to_owned()),
            https: Some(String::new()),
            all: Some("socks5://all".to_owned()),
            no_proxy: Some("one.example, .two.example,10.0.0.0/8,::1,127.0.0.1".to_owned()),
        };
        let used = |is_tls, host| {
            let used = proxies.used_for(is_tls, host);
            used.map_or_else(
                || "none".to_owned(),
                |used| format!("{} {}", used.variable, used.url),
            )
        };
        assert_eq!(used(false, "agent"), "HTTP_PROXY http://proxy:3128");
        assert_eq!(used(true, "agent"), "ALL_PROXY socks5://all");
        for host in [
            "one.example",
            "a.ONE.example",
            "two.example",
            "b.two.example",
            "10.1.2.3",
            "[::1]",
            "127.0.0.1",
        ] {
            assert_eq!(used(false, host), "none", "{host}");
        }
        for host in ["zone.example", "11.0.0.1", "127.0.0.2", "::2"] {
            assert_ne!(used(false, host), "none", "{host}");
        }
    }
}
