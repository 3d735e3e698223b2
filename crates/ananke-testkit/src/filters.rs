//! Replaces what differs from run to run: paths, addresses, times, ids, versions.

/// Literal replacements, and the patterns that every test needs.
///
/// Times are replaced where number and unit touch (`12ms`, `1.2s`, `340µs`, `1m2s`): a limit that a test configured is
/// written with a space (`200 ms`) and stays.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    literal: Vec<(String, String)>,
}

impl Filters {
    /// Adds a replacement; earlier ones go first.
    pub fn replace(&mut self, from: &str, to: &str) {
        if !from.is_empty() {
            self.literal.push((from.to_owned(), to.to_owned()));
        }
    }

    /// Replaces everything.
    pub fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (from, to) in &self.literal {
            text = text.replace(from, to);
        }
        patterns(&text)
    }
}

/// Goes through the text once; at each start of a word tries the patterns in order.
fn patterns(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&char) = chars.get(at) {
        let rest = chars.get(at..).unwrap_or_default();
        let is_start = at == 0 || chars.get(at - 1).is_some_and(|before| !is_word(*before));
        let found = if is_start { find(rest) } else { None };
        match found {
            Some((length, replacement)) => {
                shown.push_str(replacement);
                at += length;
            }
            None => {
                shown.push(char);
                at += 1;
            }
        }
    }
    shown
}

fn find(rest: &[char]) -> Option<(usize, &'static str)> {
    host(rest)
        .map(|length| (length, "[HOST]"))
        .or_else(|| uuid(rest).map(|length| (length, "[UUID]")))
        .or_else(|| run_id(rest).map(|length| (length, "[RUN]")))
        .or_else(|| time(rest).map(|length| (length, "[TIME]")))
        .or_else(|| version(rest).map(|length| (length, "ananke [VERSION]")))
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '.'
}

fn starts_with(rest: &[char], prefix: &str) -> bool {
    prefix
        .chars()
        .enumerate()
        .all(|(index, char)| rest.get(index) == Some(&char))
}

fn n_digits(rest: &[char]) -> usize {
    rest.iter().take_while(|char| char.is_ascii_digit()).count()
}

/// `127.0.0.1:49152`.
fn host(rest: &[char]) -> Option<usize> {
    const LOCAL: &str = "127.0.0.1:";
    if !starts_with(rest, LOCAL) {
        return None;
    }
    let n_port = n_digits(rest.get(LOCAL.len()..)?);
    (n_port > 0).then_some(LOCAL.len() + n_port)
}

/// `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`.
fn uuid(rest: &[char]) -> Option<usize> {
    const LENGTH: usize = 36;
    let candidate = rest.get(..LENGTH)?;
    let is_uuid = candidate
        .iter()
        .enumerate()
        .all(|(index, char)| match index {
            8 | 13 | 18 | 23 => *char == '-',
            _ => char.is_ascii_hexdigit(),
        });
    let ends = rest
        .get(LENGTH)
        .is_none_or(|next| !next.is_ascii_hexdigit());
    (is_uuid && ends).then_some(LENGTH)
}

/// `20261115-115353-7f3a2b1c`, the name of a run.
fn run_id(rest: &[char]) -> Option<usize> {
    const LENGTH: usize = 24;
    let is_run_id = rest
        .get(..LENGTH)?
        .iter()
        .enumerate()
        .all(|(index, char)| match index {
            8 | 15 => *char == '-',
            0..15 => char.is_ascii_digit(),
            _ => char.is_ascii_hexdigit(),
        });
    let ends = rest
        .get(LENGTH)
        .is_none_or(|next| !is_word(*next) || *next == '.');
    (is_run_id && ends).then_some(LENGTH)
}

/// `12ms`, `1.2s`, `340µs`, `1m2s`, `1m 02s`.
fn time(rest: &[char]) -> Option<usize> {
    let mut length = amount(rest)?;
    // A second part belongs to the first only after minutes or hours.
    while let Some('m' | 'h') = rest.get(length - 1) {
        let gap = usize::from(rest.get(length) == Some(&' '));
        match rest.get(length + gap..).and_then(amount) {
            Some(more) => length += gap + more,
            None => break,
        }
    }
    rest.get(length)
        .is_none_or(|next| !next.is_alphanumeric())
        .then_some(length)
}

/// A number and its unit.
fn amount(rest: &[char]) -> Option<usize> {
    let mut length = n_digits(rest);
    if length == 0 {
        return None;
    }
    if rest.get(length) == Some(&'.') {
        let n_fraction = n_digits(rest.get(length + 1..)?);
        if n_fraction == 0 {
            return None;
        }
        length += 1 + n_fraction;
    }
    let unit = rest.get(length..)?;
    ["ms", "µs", "us", "ns", "s", "m", "h"]
        .iter()
        .find(|name| starts_with(unit, name))
        .map(|name| length + name.chars().count())
}

/// `ananke 0.1.0`, `ananke/0.1.0`.
fn version(rest: &[char]) -> Option<usize> {
    const NAME: &str = "ananke";
    if !starts_with(rest, NAME) || !matches!(rest.get(NAME.len()), Some(' ' | '/')) {
        return None;
    }
    let number = rest.get(NAME.len() + 1..)?;
    let length = number
        .iter()
        .take_while(|char| char.is_ascii_digit() || **char == '.')
        .count();
    let n_dots = number
        .iter()
        .take(length)
        .filter(|char| **char == '.')
        .count();
    (n_dots == 2 && n_digits(number) > 0).then_some(NAME.len() + 1 + length)
}

#[cfg(test)]
mod tests {
    use super::Filters;

    fn shown(text: &str) -> String {
        let mut filters = Filters::default();
        filters.replace("/tmp/x1", "[TMP]");
        filters.apply(text)
    }

    #[test]
    fn what_differs_is_replaced() {
        assert_eq!(shown("see /tmp/x1/a.yaml"), "see [TMP]/a.yaml");
        assert_eq!(shown("http://127.0.0.1:49152/x"), "http://[HOST]/x");
        assert_eq!(shown("(12ms) 1.2s, 340µs"), "([TIME]) [TIME], [TIME]");
        assert_eq!(shown("in 1m 02s and 2m3.5s"), "in [TIME] and [TIME]");
        assert_eq!(
            shown("id f81d4fae-7dec-11d0-a765-00a0c91e6bf6."),
            "id [UUID]."
        );
        assert_eq!(shown("runs/20261115-115353-7f3a2b1c/x"), "runs/[RUN]/x");
        assert_eq!(
            shown("ananke 0.1.0 ananke/10.2.33"),
            "ananke [VERSION] ananke [VERSION]"
        );
    }

    #[test]
    fn what_stays_stays() {
        for text in [
            "limit 200 ms",
            "3 tests",
            "v2s",
            "5 minutes",
            "127.0.0.1",
            "a.test.yaml:12:7",
            "ananke 3 of 4",
            "1.s",
            "µ",
            "2mugs",
        ] {
            assert_eq!(shown(text), text);
        }
    }
}
