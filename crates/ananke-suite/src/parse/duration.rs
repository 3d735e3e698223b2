//! Times with units: `30s`, `1m`, `1h30m`, `500ms`.

use ananke_model::diagnostic::Diagnostic;

use super::Found;
use super::values::{MAX_MILLIS, mismatch};
use crate::yaml::{Node, ScalarKind};

/// The units, longest name first, with their milliseconds.
const UNITS: [(&str, f64); 4] = [
    ("ms", 1.0),
    ("s", 1000.0),
    ("m", 60_000.0),
    ("h", 3_600_000.0),
];

/// Reads a time with a unit into milliseconds, at least 1.
pub(crate) fn duration(node: &Node, found: &mut Found) -> Option<u64> {
    let expected = "a time with a unit, such as `\"30s\"`";
    let scalar = match node.scalar() {
        Some(scalar) if scalar.kind == ScalarKind::Str => scalar,
        Some(scalar) if matches!(scalar.kind, ScalarKind::Int | ScalarKind::Float) => {
            let message = format!("expected {expected}, found {}", node.described());
            let hint = format!("write `\"{0}s\"` or `\"{0}ms\"`", scalar.text);
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            return None;
        }
        _ => {
            mismatch(node, expected, found);
            return None;
        }
    };
    let Some(millis) = millis(&scalar.text) else {
        let shown: String = scalar.text.chars().take(40).collect();
        let message = format!("`{shown}` is not a time");
        found
            .push(Diagnostic::error(&node.place, message).hint(
                "write numbers with `h`, `m`, `s` or `ms`, such as `\"30s\"` or `\"1m30s\"`",
            ));
        return None;
    };
    #[expect(clippy::cast_precision_loss, reason = "the limit is far below 2^53")]
    let limit = MAX_MILLIS as f64;
    if !(1.0..=limit).contains(&millis) {
        let message = format!("`{}` is out of range", scalar.text);
        found.push(Diagnostic::error(&node.place, message).label("expected `1ms` to 24 days"));
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was checked to be within the limits"
    )]
    let whole = millis.round() as u64;
    Some(whole)
}

fn millis(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let is_inner = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest.find(|c| !is_inner(c))?;
        let (digits, more) = rest.split_at(end);
        let begins = digits.starts_with(|c: char| c.is_ascii_digit());
        let number: f64 = begins.then(|| digits.parse().ok()).flatten()?;
        let (after, unit) = UNITS
            .iter()
            .find_map(|(name, unit)| Some((more.strip_prefix(name)?, unit)))?;
        sum += number * unit;
        rest = after;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        let times = ["30s", "1m", "5m0s", "1h30m", "500ms", "1.5s", " 2s "];
        let read = times.map(|time| millis(time).unwrap().to_string());
        assert_eq!(read.join(" "), "30000 60000 300000 5400000 500 1500 2000");
        let wrong = [
            "", "s", "30", "30 s", "-1s", "1d", "1s2", ".5s", "1..2s", "1e3s",
        ];
        assert!(wrong.iter().all(|time| millis(time).is_none()));
    }
}
