//! What a scalar stands for: the core schema of YAML 1.2, so that `yes`, `no` and `on` are text.

use super::node::ScalarKind;

/// Returns what an unquoted scalar stands for.
pub(super) fn resolve(text: &str) -> ScalarKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarKind::Null,
        "true" | "True" | "TRUE" => ScalarKind::Bool(true),
        "false" | "False" | "FALSE" => ScalarKind::Bool(false),
        ".nan" | ".NaN" | ".NAN" => ScalarKind::Float,
        _ if is_integer(text) => ScalarKind::Int,
        _ if is_infinity(text) || is_decimal(text) => ScalarKind::Float,
        _ => ScalarKind::Str,
    }
}

/// Returns the value of a scalar that resolved to [`ScalarKind::Int`], unless it is beyond all use.
pub(crate) fn integer(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return i128::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i128::from_str_radix(digits, 8).ok();
    }
    text.parse().ok()
}

/// Returns what a scalar with the core tag `!!suffix` stands for, if its text fits.
pub(super) fn resolve_tagged(suffix: &str, text: &str) -> Option<ScalarKind> {
    let kind = resolve(text);
    match suffix {
        "str" => Some(ScalarKind::Str),
        "int" => (kind == ScalarKind::Int).then_some(kind),
        "float" => matches!(kind, ScalarKind::Int | ScalarKind::Float).then_some(ScalarKind::Float),
        "bool" => matches!(kind, ScalarKind::Bool(_)).then_some(kind),
        "null" => (kind == ScalarKind::Null).then_some(kind),
        _ => None,
    }
}

fn is_integer(text: &str) -> bool {
    let all = |digits: &str, radix: u32| {
        !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
    };
    match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(digits), _) => all(digits, 16),
        (None, Some(digits)) => all(digits, 8),
        (None, None) => all(unsigned(text), 10),
    }
}

fn is_infinity(text: &str) -> bool {
    matches!(unsigned(text), ".inf" | ".Inf" | ".INF")
}

fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| part.chars().all(|digit| digit.is_ascii_digit());
    let (number, exponent) = match unsigned(text).split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(unsigned(exponent))),
        None => (unsigned(text), None),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn resolved(words: &str) -> String {
        let lines = words
            .split(' ')
            .map(|word| format!("{word} {:?}", resolve(word)));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn words_stand_for_what_the_core_schema_says() {
        assert_snapshot!(resolved("true False yes no on off null ~ nil 1 -1 +1 01 0x1F 0o17 0b1 1_000 1.0 1. .5 . - + 1e3 1e 1.5E-3 .inf -.INF .nan 1.2.3 0x"), @"
        true Bool(true)
        False Bool(false)
        yes Str
        no Str
        on Str
        off Str
        null Null
        ~ Null
        nil Str
        1 Int
        -1 Int
        +1 Int
        01 Int
        0x1F Int
        0o17 Int
        0b1 Str
        1_000 Str
        1.0 Float
        1. Float
        .5 Float
        . Str
        - Str
        + Str
        1e3 Float
        1e Str
        1.5E-3 Float
        .inf Float
        -.INF Float
        .nan Float
        1.2.3 Str
        0x Str
        ");
    }

    #[test]
    fn integers_have_values() {
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("0o17"), Some(15));
        assert_eq!(integer("+12"), Some(12));
        assert_eq!(integer(&"9".repeat(60)), None);
    }
}
