//! The URL of a chat endpoint, from the host that a connector names.

use crate::http::{check_url, without_secrets};

/// The host of a connector that names none.
const DEFAULT_HOST: &str = "https://api.openai.com";
const CHAT: &str = "chat/completions";

/// Returns the complete URL for `host`, which may be a bare host, a base URL, or the whole URL already.
///
/// A host that ends with `/` is a base: `chat/completions` follows. One that ends with a version such as `/v1` is a base
/// too. Any other gets `/v1/chat/completions`. An empty host is that of OpenAI; a query stays at the end.
pub fn chat_url(host: &str) -> Result<String, String> {
    let host = match host.trim() {
        "" => DEFAULT_HOST,
        host => host,
    };
    if !host.contains("://") {
        let shown = without_secrets(host);
        return Err(format!(
            "`{shown}` is not a URL: begin it with `https://` or `http://`"
        ));
    }
    check_url(host)?;
    let (base, query) = match host.split_once('?') {
        Some((base, query)) => (base, format!("?{query}")),
        None => (host, String::new()),
    };
    if host.contains('#') {
        let shown = without_secrets(host);
        return Err(format!(
            "`{shown}` is followed by a `#` fragment, which no server ever gets: leave it out"
        ));
    }
    let whole = base.trim_end_matches('/');
    let url = if whole.ends_with(&format!("/{CHAT}")) {
        whole.to_owned()
    } else if base.ends_with('/') {
        format!("{base}{CHAT}")
    } else if ends_with_version(base) {
        format!("{base}/{CHAT}")
    } else {
        format!("{base}/v1/{CHAT}")
    };
    Ok(url + &query)
}

/// Tells whether the last segment of the path is a version, such as `v1`.
fn ends_with_version(base: &str) -> bool {
    let path = base.split_once("://").map_or(base, |(_, rest)| rest);
    let digits = path
        .rsplit_once('/')
        .and_then(|(_, last)| last.strip_prefix('v'));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::chat_url;

    fn urls(hosts: &[&str]) -> String {
        let lines = hosts.iter().map(|host| match chat_url(host) {
            Ok(url) => url,
            Err(why) => format!("error: {why}"),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn hosts_bases_and_whole_urls_are_understood() {
        let hosts = [
            "",
            "https://api.openai.com",
            "https://api.openai.com/v1",
            " https://api.openai.com/v1/ ",
            "https://api.openai.com/v1/chat/completions",
            "https://api.openai.com/v1/chat/completions/",
            "https://api.deepseek.com/",
            "https://one.example/api/paas/v4",
            "https://one.example/v1beta/openai/",
            "https://one.example/proxy",
            "http://localhost:11434",
            "https://one.example/openai/deployments/d/chat/completions?api-version=1",
            "https://one.example/v1?api-version=1",
        ];
        assert_snapshot!(urls(&hosts), @"
        https://api.openai.com/v1/chat/completions
        https://api.openai.com/v1/chat/completions
        https://api.openai.com/v1/chat/completions
        https://api.openai.com/v1/chat/completions
        https://api.openai.com/v1/chat/completions
        https://api.openai.com/v1/chat/completions
        https://api.deepseek.com/chat/completions
        https://one.example/api/paas/v4/chat/completions
        https://one.example/v1beta/openai/chat/completions
        https://one.example/proxy/v1/chat/completions
        http://localhost:11434/v1/chat/completions
        https://one.example/openai/deployments/d/chat/completions?api-version=1
        https://one.example/v1/chat/completions?api-version=1
        ");
    }

    #[test]
    fn what_is_no_url_is_refused_without_its_secrets() {
        let hosts = [
            "api.openai.com",
            "localhost:11434",
            "ftp://one.example",
            "https://",
            "https://joe:s3cret@one.example#key=s3cret",
        ];
        assert_snapshot!(urls(&hosts), @"
        error: `api.openai.com` is not a URL: begin it with `https://` or `http://`
        error: `localhost:11434` is not a URL: begin it with `https://` or `http://`
        error: `ftp://one.example` has the scheme `ftp`; http and https are supported
        error: `https://` is not a URL: empty host
        error: `https://one.example` is followed by a `#` fragment, which no server ever gets: leave it out
        ");
    }
}
