//! What a test could demand of a turn, by what a recording shows.

use std::collections::BTreeMap;

use ananke_model::plan::Clock;
use ananke_model::recording::{ToolCall, Turn, TurnStatus};
use serde_json::value::RawValue;

use super::patterns::{below, pattern, whole_pattern};
use crate::compare::{is_generated, names_a_moment};

/// Demands about calls beyond this many are left out.
const MOST_CALLS: usize = 20;
/// Arguments of a call beyond this many are left out.
const MOST_ARGS: usize = 8;
/// Arguments further down are left out.
const DEEPEST: usize = 3;
/// Longer arguments are prose, which a model says differently each time.
const LONGEST_ARG: usize = 60;
/// A phrase longer than this is cut at a word.
const LONGEST_PHRASE: usize = 60;
/// Every turn may take as long as this.
const LEAST_MS: u64 = 5_000;
/// The longest time that a test can ask for is a little more.
const LONGEST_MS: u64 = 2_000_000_000;

/// What a test could demand of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Suggestions {
    pub(super) calls: Vec<CallSuggestion>,
    /// A phrase of the text, as it stands there.
    pub(super) phrase: Option<String>,
    pub(super) max_duration_ms: Option<u64>,
    /// A pattern for the error that the agent reported.
    pub(super) error: Option<String>,
}

/// A call that could be demanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallSuggestion {
    pub(super) name: String,
    /// Paths and patterns.
    pub(super) args: Vec<(String, String)>,
}

/// Returns what a test could demand of `turn`; nothing of a turn that did not come to its end.
pub(super) fn suggestions(turn: &Turn) -> Suggestions {
    let error = match &turn.status {
        TurnStatus::Finished => None,
        TurnStatus::RunError { message, .. } => Some(error_pattern(message)),
        TurnStatus::Broken(_) => return Suggestions::default(),
    };
    let mut calls: Vec<CallSuggestion> = Vec::new();
    for call in made_calls(turn) {
        let suggestion = CallSuggestion {
            name: call.name.clone(),
            args: stable_args(call),
        };
        if !calls.contains(&suggestion) && calls.len() < MOST_CALLS {
            calls.push(suggestion);
        }
    }
    Suggestions {
        calls,
        phrase: phrase(&turn.text),
        // Without timestamps the event clock could not be judged again.
        max_duration_ms: (turn.timing.clock != Some(Clock::Event))
            .then(|| generous_ms(turn.timing.total_us)),
        error,
    }
}

/// Goes through the calls that were made in the turn, not merely shown again, of tools that can be named.
pub(super) fn made_calls(turn: &Turn) -> impl Iterator<Item = &ToolCall> {
    let is_connect = turn.kind == "agui:connect";
    let is_nameable = |name: &str| !name.is_empty() && name.trim() == name;
    let calls = turn.tool_calls.iter();
    calls.filter(move |call| (is_connect || !call.restreamed) && is_nameable(&call.name))
}

/// Returns a limit that a turn which took `us` keeps with ease: three times as long, rounded up to 1, 2 or 5 and zeros.
pub(super) fn generous_ms(us: u64) -> u64 {
    let wanted = (us / 1_000).saturating_mul(3).clamp(LEAST_MS, LONGEST_MS);
    let mut unit = 1;
    loop {
        for step in [1, 2, 5] {
            if step * unit >= wanted {
                return step * unit;
            }
        }
        unit *= 10;
    }
}

/// Returns a phrase that tells this text from others: its longest sentence without anything generated.
pub(super) fn phrase(text: &str) -> Option<String> {
    let mut best: Option<&str> = None;
    for sentence in sentences(text) {
        let shown = cut_at_word(sentence);
        let n_letters = shown.chars().filter(|c| c.is_alphanumeric()).count();
        let is_longer = best.is_none_or(|best| shown.chars().count() > best.chars().count());
        if n_letters >= 3 && is_longer && !is_generated(shown) {
            best = Some(shown);
        }
    }
    best.map(str::to_owned)
}

/// Cuts a text where sentences and lines end; a point inside a number or a name ends nothing.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some((at, c)) = rest
        .char_indices()
        .find(|(at, c)| *at >= from && is_end(*c))
    {
        let (sentence, after) = rest.split_at(at);
        let after = after.strip_prefix(c).unwrap_or(after);
        let is_inside = c == '.' && !after.is_empty() && !after.starts_with(char::is_whitespace);
        if is_inside {
            from = at + c.len_utf8();
            continue;
        }
        sentences.push(sentence.trim());
        rest = after;
        from = 0;
    }
    sentences.push(rest.trim());
    sentences
}

fn is_end(c: char) -> bool {
    c.is_control() || matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn cut_at_word(sentence: &str) -> &str {
    let Some((end, _)) = sentence.char_indices().nth(LONGEST_PHRASE) else {
        return sentence;
    };
    let (head, _) = sentence.split_at(end);
    match head.rsplit_once(char::is_whitespace) {
        Some((words, _)) => words.trim_end(),
        None => head,
    }
}

fn error_pattern(message: &str) -> String {
    match phrase(message) {
        Some(phrase) => pattern(&phrase),
        // Any message will do.
        None => "^".to_owned(),
    }
}

/// Returns the arguments that a test could demand: short scalars that are not generated.
fn stable_args(call: &ToolCall) -> Vec<(String, String)> {
    let mut args = Vec::new();
    collect(&call.args_text, "", DEEPEST, &mut args);
    args.truncate(MOST_ARGS);
    args
}

fn collect(json: &str, path: &str, left: usize, args: &mut Vec<(String, String)>) {
    // Numbers are compared in the spelling of the agent, so values stay text.
    let Ok(members) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(json) else {
        return;
    };
    for (key, value) in members {
        let path = below(path, &key);
        let value = value.get();
        if value.starts_with('{') && left > 1 {
            collect(value, &path, left - 1, args);
        } else if path.chars().count() <= LONGEST_ARG
            && let Some(pattern) = scalar_pattern(&key, value)
        {
            args.push((path, pattern));
        }
    }
}

fn scalar_pattern(key: &str, json: &str) -> Option<String> {
    let text: String = match json.chars().next()? {
        '{' | '[' => return None,
        '"' => serde_json::from_str(json).ok()?,
        _ if names_a_moment(key) => return None,
        _ => json.to_owned(),
    };
    let is_short = text.chars().count() <= LONGEST_ARG;
    let is_stable = is_short && !text.is_empty() && !is_generated(&text);
    (is_stable && !text.chars().any(char::is_control)).then(|| whole_pattern(&text))
}

#[cfg(test)]
mod tests {
    use insta::assert_debug_snapshot;

    use super::*;
    use crate::samples::{call, turn};

    #[test]
    fn limits_are_generous_and_round() {
        let limits = [0, 120_000, 1_700_000, 4_000_000, 33_000_000, u64::MAX].map(generous_ms);
        assert_eq!(
            limits,
            [5_000, 5_000, 10_000, 20_000, 100_000, 2_000_000_000]
        );
    }

    #[test]
    fn phrases_are_distinctive() {
        let long = "word ".repeat(50);
        let texts = [
            "Hi! I found 3 red mugs for you. Bye.",
            "See shop.example/mugs for $28.00. Or else",
            "Order f81d4fae-7dec-11d0-a765-00a0c91e6bf6 is placed.\nThanks",
            "…",
            "",
            &long,
        ];
        assert_debug_snapshot!(texts.map(phrase), @r#"
        [
            Some(
                "I found 3 red mugs for you",
            ),
            Some(
                "See shop.example/mugs for $28.00",
            ),
            Some(
                "Thanks",
            ),
            None,
            None,
            Some(
                "word word word word word word word word word word word word",
            ),
        ]
        "#);
    }

    #[test]
    fn only_stable_arguments_are_suggested() {
        let args = r#"{"query":"red mug","limit":1.50,"ids":[1],"user":{"name":"Ann","id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
            "created_at":1734429600,"note":null,"empty":"","a.b":true}"#;
        let mut turn = turn("Hi", "Done.");
        turn.tool_calls = vec![
            call("search", args, None),
            call("search", args, None),
            call(" odd ", "{}", None),
            call("broken", "{", None),
        ];
        assert_debug_snapshot!(suggestions(&turn), @r#"
        Suggestions {
            calls: [
                CallSuggestion {
                    name: "search",
                    args: [
                        (
                            "[\"a.b\"]",
                            "^true$",
                        ),
                        (
                            "limit",
                            "^1\\.50$",
                        ),
                        (
                            "note",
                            "^null$",
                        ),
                        (
                            "query",
                            "^red mug$",
                        ),
                        (
                            "user.name",
                            "^Ann$",
                        ),
                    ],
                },
                CallSuggestion {
                    name: "broken",
                    args: [],
                },
            ],
            phrase: Some(
                "Done",
            ),
            max_duration_ms: Some(
                5000,
            ),
            error: None,
        }
        "#);
    }
}
