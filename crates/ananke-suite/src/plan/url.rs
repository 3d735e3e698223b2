//! What can be known about a URL and a header value before a request is made.

use ananke_model::variables::{Piece, Variables, pieces};

/// Returns why loading would refuse a target with this endpoint. What has no value yet is not looked at.
pub fn endpoint_problem(endpoint: &str, variables: &Variables) -> Option<String> {
    let malformed = pieces(endpoint)
        .into_iter()
        .any(|piece| matches!(piece, Piece::Malformed(_)));
    if malformed {
        let known = "`${NAME}`, `${ENV.NAME}` and `${NAME:-default}`";
        return Some(format!("a reference is malformed; there are {known}"));
    }
    let resolved = variables.text(endpoint).ok();
    resolved.as_deref().and_then(url_problem).map(str::to_owned)
}

/// Returns why `url` cannot be asked, if that shows without asking.
pub(crate) fn url_problem(url: &str) -> Option<&'static str> {
    if url
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || "<>\"\\^`{|}".contains(c))
    {
        return Some("it holds a character that no URL can hold");
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some("it does not begin with `http://` or `https://`");
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Some("it does not begin with `http://` or `https://`");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    // The colons of an IPv6 address stand inside brackets.
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(inner) => match inner.split_once(']') {
            Some((host, after)) => (
                host,
                after.strip_prefix(':').or(after.is_empty().then_some("")),
            ),
            None => return Some("its `[` is not closed"),
        },
        None => match host_and_port.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host_and_port, Some("")),
        },
    };
    if host.is_empty() {
        return Some("it names no host");
    }
    match port {
        Some("") => None,
        Some(port) if port.chars().all(|c| c.is_ascii_digit()) && port.parse::<u16>().is_ok() => {
            None
        }
        _ => Some("its port is not a number from 0 to 65535"),
    }
}

/// Returns why a header cannot have this value.
pub(crate) fn header_problem(value: &str) -> Option<&'static str> {
    let refused = |c: char| c.is_control() && c != '\t';
    value
        .chars()
        .any(refused)
        .then_some("it holds a line break or another control character")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_checked_without_asking() {
        let fine = [
            "http://localhost",
            "HTTPS://example.com:8443/a?b#c",
            "http://user:pass@host:1/",
            "http://[::1]:8000/x",
            "http://[::1]",
            "https://bücher.example/ä",
        ];
        for url in fine {
            assert_eq!(url_problem(url), None, "{url}");
        }
        let refused = [
            "",
            "localhost:8000",
            "ftp://x",
            "file:///etc/passwd",
            "http://",
            "http:///x",
            "http://h:99999/",
            "http://h:x/",
            "http://[::1/",
            "http://[::1]x/",
            "http://a b/",
            "http://a\r\nb/",
            "http://:80/",
            "http://h:+1/",
        ];
        for url in refused {
            assert!(url_problem(url).is_some(), "{url}");
        }
    }

    #[test]
    fn header_values_hold_no_line_breaks() {
        assert_eq!(header_problem("Bearer a\tb"), None);
        for value in ["a\r\nX: y", "a\nb", "a\0b", "a\u{7f}b"] {
            assert!(header_problem(value).is_some(), "{value:?}");
        }
    }
}
