//! URLs of requests, put together from what the user gave.

/// Appends a path to a base URL. What follows `?` or `#` in the base is dropped: it is where requests go, not one itself.
pub(super) fn join(base: &str, path: &str) -> String {
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let (base, path) = (base.trim_end_matches('/'), path.trim_start_matches('/'));
    if path.is_empty() {
        return base.to_owned();
    }
    format!("{base}/{path}")
}

/// Adds `since=N` to the query.
pub(super) fn since(url: &str, number: u64) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}since={number}")
}

/// Takes tokens out of the query: some servers accept them there as well.
pub(super) fn without_tokens(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let parts = query.split('&').filter(|part| {
        let name = part.split('=').next().unwrap_or_default();
        !matches!(name, "token" | "access_token")
    });
    let query = parts.collect::<Vec<_>>().join("&");
    if query.is_empty() {
        return path.to_owned();
    }
    format!("{path}?{query}")
}

#[cfg(test)]
mod tests {
    use super::{join, since, without_tokens};

    #[test]
    fn addresses_are_put_together() {
        assert_eq!(
            join("http://a:1/", "/remote/stream"),
            "http://a:1/remote/stream"
        );
        assert_eq!(join("http://a/v1", "stream?x=1"), "http://a/v1/stream?x=1");
        assert_eq!(join("http://a/all?token=s#top", ""), "http://a/all");
        assert_eq!(since("http://a/s", 4), "http://a/s?since=4");
        assert_eq!(since("http://a/s?x=1", 4), "http://a/s?x=1&since=4");
    }

    #[test]
    fn a_request_without_a_token_has_none_in_its_query_either() {
        assert_eq!(without_tokens("http://a/s?token=x"), "http://a/s");
        assert_eq!(
            without_tokens("http://a/s?a=1&access_token=x&b=2"),
            "http://a/s?a=1&b=2"
        );
        assert_eq!(without_tokens("http://a/s"), "http://a/s");
    }
}
