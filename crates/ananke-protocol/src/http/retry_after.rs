//! `Retry-After`: how long a server asks to wait before the next request.

use std::time::UNIX_EPOCH;

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// A server that asks for more is not waited for anyway.
const MAX_MS: u64 = 60 * 60 * 1000;

/// Returns how long to wait in milliseconds, one hour at most; `None` if the header is absent or says nothing.
///
/// The header holds seconds or a date. A date is compared with the server's own clock where it tells the time, because
/// the two clocks may differ by more than the wait; `unix_ms` is the time here.
pub(crate) fn retry_after_ms(headers: &HeaderMap, unix_ms: i64) -> Option<u64> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are more than an hour.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(seconds.saturating_mul(1000).min(MAX_MS));
    }
    let until = date_ms(headers, &RETRY_AFTER)?;
    let now = date_ms(headers, &DATE).unwrap_or_else(|| u64::try_from(unix_ms).unwrap_or_default());
    Some(until.saturating_sub(now).min(MAX_MS))
}

/// Reads a header that holds a date, in Unix milliseconds.
pub(super) fn date_ms(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    let value = headers.get(name)?.to_str().ok()?;
    let date = httpdate::parse_http_date(value.trim()).ok()?;
    let since = date.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    /// 2026-11-15 11:53:53 UTC.
    const NOW_MS: i64 = 1_794_743_633_000;

    fn wait(retry_after: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_str(retry_after).unwrap());
        if let Some(date) = date {
            headers.insert(DATE, HeaderValue::from_str(date).unwrap());
        }
        retry_after_ms(&headers, NOW_MS)
    }

    #[test]
    fn seconds_are_read_and_capped() {
        assert_eq!(wait("2", None), Some(2000));
        assert_eq!(wait(" 0 ", None), Some(0));
        assert_eq!(wait("99999999999999999999999", None), Some(MAX_MS));
        assert_eq!(retry_after_ms(&HeaderMap::new(), NOW_MS), None);
        for wrong in [
            "",
            "soon",
            "-5",
            "1.5",
            "2s",
            "Sun, 99 Nov 2026 11:54:03 GMT",
        ] {
            assert_eq!(wait(wrong, None), None, "{wrong}");
        }
    }

    #[test]
    fn dates_are_compared_with_the_servers_clock_if_it_tells_the_time() {
        let later = "Sun, 15 Nov 2026 11:54:03 GMT";
        assert_eq!(wait(later, None), Some(10_000));
        assert_eq!(
            wait(later, Some("Sun, 15 Nov 2026 11:54:00 GMT")),
            Some(3000)
        );
        assert_eq!(wait("Sunday, 15-Nov-26 11:54:03 GMT", None), Some(10_000));
        assert_eq!(wait("Sun, 15 Nov 2020 11:54:03 GMT", None), Some(0));
        assert_eq!(wait("Sun, 15 Nov 2099 11:54:03 GMT", None), Some(MAX_MS));
    }
}
