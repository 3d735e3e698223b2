//! What the process was given: the environment, read once, and the flags that several commands share.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use ananke_run::RateLimit;
use serde_json::Value;

/// The environment, the working directory and the terminal, read once.
#[derive(Debug)]
pub(crate) struct Environment {
    /// Every variable whose name and value are text.
    pub(crate) variables: BTreeMap<String, String>,
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// Whether stdout is a terminal.
    pub(crate) stdout_is_terminal: bool,
    /// Whether stderr is a terminal.
    pub(crate) stderr_is_terminal: bool,
    /// How many columns the terminal has, if that is known.
    pub(crate) columns: Option<usize>,
}

impl Environment {
    /// Reads everything. This is the one place that does.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub(crate) fn read() -> Self {
        let text = |word: std::ffi::OsString| word.into_string().ok();
        let variables: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((text(name)?, text(value)?)))
            .collect();
        let columns = variables.get("COLUMNS").and_then(|text| text.parse().ok());
        Self {
            columns: columns.or_else(terminal_columns).filter(|n| *n > 0),
            variables,
            cwd: std::env::current_dir().unwrap_or_default(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Returns the value of a variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Returns the items of a variable that holds a list.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        self.get(name).map(parse_list).unwrap_or_default()
    }

    /// Returns the proxies that the usual variables name; lower case wins, as in curl.
    pub(crate) fn proxies(&self) -> Proxies {
        let either = |lower: &str, upper: &str| {
            self.get(lower)
                .or_else(|| self.get(upper))
                .map(str::to_owned)
        };
        Proxies {
            // `HTTP_PROXY` in upper case can be set by a request header in CGI programs; this is none.
            http: either("http_proxy", "HTTP_PROXY"),
            https: either("https_proxy", "HTTPS_PROXY"),
            all: either("all_proxy", "ALL_PROXY"),
            no_proxy: either("no_proxy", "NO_PROXY"),
        }
    }

    /// Returns what references can name: `--var`, its twins `ANANKE_VAR_…`, and the environment.
    pub(crate) fn references(&self, vars: &[(String, String)]) -> Variables {
        let twins = self
            .variables
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix("ANANKE_VAR_")?, value)));
        let flags = vars.iter().map(|(name, value)| (name.as_str(), value));
        let variables = twins
            .chain(flags)
            .map(|(name, value)| (name.to_owned(), Value::String(value.clone())));
        Variables {
            variables: variables.collect(),
            environment: self.variables.clone(),
        }
    }
}

/// Asks the terminal, be it on stdout or on stderr.
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout())
        .or_else(|_| rustix::termios::tcgetwinsize(std::io::stderr()));
    Some(usize::from(size.ok()?.ws_col))
}

/// Returns now in Unix milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the clock that is injected everywhere else"
)]
pub(crate) fn unix_ms() -> i64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

/// Reads the environment twin of a flag without a value.
pub(crate) fn parse_switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("in the environment it is 1 or 0".to_owned()),
    }
}

/// Reads the environment twin of a flag that counts how often it is given.
pub(crate) fn parse_count(text: &str) -> Result<u8, String> {
    let wrong = || "in the environment it is 0, 1 or 2".to_owned();
    let switch = || parse_switch(text).map(u8::from);
    text.parse().or_else(|_| switch()).map_err(|_| wrong())
}

/// Reads the environment twin of a flag that may be repeated: line by line if there are several lines, else separated by
/// commas, except those inside the braces of a glob.
pub(crate) fn parse_list(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let has_lines = text.contains('\n');
    let items = text.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if has_lines {
            c == '\n'
        } else {
            c == ',' && depth == 0
        }
    });
    let items = items.map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

/// Reads a rate such as `5/s`, `60/m` or `1000/h`.
pub(crate) fn parse_rate_limit(text: &str) -> Result<RateLimit, String> {
    let wrong = || format!("`{text}` is not a rate; write 5/s, 60/m or 1000/h");
    let (n, unit) = text.split_once('/').ok_or_else(wrong)?;
    let n: u32 = n.trim().parse().map_err(|_| wrong())?;
    let seconds = match unit.trim() {
        "s" | "sec" | "second" => 1,
        "m" | "min" | "minute" => 60,
        "h" | "hour" => 3600,
        _ => return Err(wrong()),
    };
    if n == 0 {
        return Err(format!("`{text}` would never send anything"));
    }
    Ok(RateLimit {
        n,
        per: Duration::from_secs(seconds),
    })
}

/// Reads `NAME=VALUE`.
pub(crate) fn parse_var(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_word) {
        return Err(format!("`{name}` is not a name: use letters, digits and _"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// No wait is meant to be longer; clocks cannot count everything that can be written.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reads a duration such as `500ms`, `30s`, `5m`, `1h30m` or `1.5s`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write 500ms, 30s, 5m or 1h30m");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or_else(wrong)?;
        let (number, after) = rest.split_at(digits);
        let unit_end = after
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_end);
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let part = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = next;
    }
    if total.is_zero() {
        Err(format!("`{text}` is no time at all"))
    } else if total > LONGEST {
        Err(format!("`{text}` is longer than a year"))
    } else {
        Ok(total)
    }
}
