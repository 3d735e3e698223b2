//! Equality of JSON values in which neither key order nor the spelling of numbers matters, and where two values part.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::shown::{counted, shorten, shorten_to};

/// How much of a value is shown in a difference.
const CHARS: usize = 80;

/// Tells whether two values are the same.
pub(crate) fn json_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => number_equal(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| json_equal(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same = |(key, value): (&String, &Value)| {
                right.get(key).is_some_and(|other| json_equal(value, other))
            };
            left.len() == right.len() && left.iter().all(same)
        }
        (left, right) => left == right,
    }
}

fn number_equal(left: &Number, right: &Number) -> bool {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => left.as_f64() == right.as_f64(),
        _ => false,
    }
}

/// Returns a number without a fraction exactly, however it is spelled.
fn whole(number: &Number) -> Option<i128> {
    let exact = number.as_i64().map(i128::from);
    let exact = exact.or_else(|| number.as_u64().map(i128::from));
    exact.or_else(|| {
        let float = number.as_f64()?;
        // Beyond this, floats are compared as floats.
        let is_whole = float.fract() == 0.0 && float.abs() < 1e30;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole, and smaller than the largest i128"
        )]
        is_whole.then_some(float as i128)
    })
}

/// Tells whether `wanted` stands anywhere inside `value`.
pub(crate) fn holds_value(value: &Value, wanted: &Value) -> bool {
    json_equal(value, wanted)
        || match value {
            Value::Array(items) => items.iter().any(|item| holds_value(item, wanted)),
            Value::Object(members) => members.values().any(|item| holds_value(item, wanted)),
            _ => false,
        }
}

/// Returns in words where `actual` first differs from `expected`; nothing if they are the same.
pub(crate) fn first_difference(expected: &Value, actual: &Value, path: &str) -> Option<String> {
    match (expected, actual) {
        (Value::Array(wanted), Value::Array(seen)) => {
            let mut pairs = wanted.iter().zip(seen).enumerate();
            let inside = pairs.find_map(|(index, (wanted, seen))| {
                first_difference(wanted, seen, &format!("{path}[{index}]"))
            });
            inside.or_else(|| {
                (wanted.len() != seen.len()).then(|| {
                    let wanted = counted(wanted.len(), "item");
                    format!("at {path}: expected {wanted}, got {}", seen.len())
                })
            })
        }
        (Value::Object(wanted), Value::Object(seen)) => {
            let inside = wanted.iter().find_map(|(key, value)| {
                let path = member_path(path, key);
                match seen.get(key) {
                    Some(other) => first_difference(value, other, &path),
                    None => Some(format!("{path} is missing")),
                }
            });
            inside.or_else(|| {
                let extra = seen.keys().find(|key| !wanted.contains_key(*key))?;
                Some(format!("{} is not expected", member_path(path, extra)))
            })
        }
        (wanted, seen) => (!json_equal(wanted, seen))
            .then(|| format!("at {path}: expected {}, got {}", brief(wanted), brief(seen))),
    }
}

/// Returns the path of a member: `$.name`, or `$["odd name"]`.
pub(crate) fn member_path(path: &str, key: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut out = path.to_owned();
    let key = shorten(key);
    if !key.is_empty() && key.chars().all(is_plain) {
        write!(out, ".{key}")
    } else {
        write!(out, "[{}]", Value::from(key.as_ref()))
    }
    .unwrap_or_default();
    out
}

/// Returns the beginning of a value as compact JSON.
pub(crate) fn brief(value: &Value) -> String {
    shorten_to(&value.to_string(), CHARS).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::{Just, Strategy};
    use serde_json::json;

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-c]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("[a-d]", inner), 0..4)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    /// Returns the same value with its keys in the opposite order and its numbers as floats.
    fn respelled(value: &Value) -> Value {
        match value {
            Value::Number(number) => Value::from(number.as_f64().unwrap()),
            Value::Array(items) => items.iter().map(respelled).collect(),
            Value::Object(members) => {
                let members = members.iter().rev();
                members
                    .map(|(key, value)| (key.clone(), respelled(value)))
                    .collect()
            }
            other => other.clone(),
        }
    }

    proptest! {
        #[test]
        fn key_order_and_number_spelling_do_not_matter(value in values()) {
            prop_assert!(json_equal(&value, &respelled(&value)));
            prop_assert_eq!(first_difference(&value, &respelled(&value), "$"), None);
        }

        #[test]
        fn values_differ_exactly_if_there_is_a_difference(left in values(), right in values()) {
            let difference = first_difference(&left, &right, "$");
            prop_assert_eq!(json_equal(&left, &right), difference.is_none());
            prop_assert_eq!(json_equal(&left, &right), json_equal(&right, &left));
        }
    }

    #[test]
    fn numbers_are_compared_exactly() {
        let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        for (left, right, is_same) in [
            ("1", "1.0", true),
            ("1", "1e0", true),
            ("100", "1E2", true),
            ("0", "-0.0", true),
            ("9007199254740993", "9007199254740992.0", false),
            ("18446744073709551615", "18446744073709551616", false),
            ("0.1", "1e-1", true),
            ("1e300", "1e300", true),
            ("1", "1.5", false),
        ] {
            assert_eq!(
                json_equal(&parsed(left), &parsed(right)),
                is_same,
                "{left} {right}"
            );
        }
        assert!(!json_equal(&json!(1), &json!("1")) && !json_equal(&json!(1), &json!(true)));
    }
}
