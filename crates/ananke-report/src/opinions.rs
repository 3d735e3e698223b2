//! What judges said, in the words that all reports share.

use ananke_model::agent::{Opinion, Sample};
use serde_json::Value;

/// Returns who judged: an agent, or a function of a script.
pub(crate) fn judge(opinion: &Opinion) -> &str {
    let agent = opinion.about["agent"].as_str();
    let script = || opinion.about["script"].as_str();
    agent.or_else(script).unwrap_or("a judge")
}

/// Returns what kind of judge it was, in a word.
pub(crate) fn kind(opinion: &Opinion) -> &'static str {
    match opinion.about["script"].is_string() {
        true => "script",
        false => "judge",
    }
}

/// Returns what was demanded, if the check itself said so or its metadata does.
pub(crate) fn criteria(opinion: &Opinion) -> Option<String> {
    let of_check = &opinion.about["criteria"];
    let said = match of_check {
        Value::Null => &opinion.about["metadata"]["criteria"],
        said => said,
    };
    match said {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Returns the verdict of one answer in words.
pub(crate) fn word(sample: &Sample) -> &'static str {
    match sample.passed {
        Some(true) => "accepted",
        Some(false) => "refused",
        None => "no verdict",
    }
}

/// Returns what the answers come to: `accepted by 2 of 3`, `refused`, `undecided: 1 accepted, 1 refused`.
pub(crate) fn majority(samples: &[Sample]) -> String {
    let n_all = samples.len();
    let verdicts = [Some(true), Some(false), None];
    let counts = verdicts.map(|wanted| {
        let alike = samples.iter().filter(|sample| sample.passed == wanted);
        alike.count()
    });
    let words = ["accepted", "refused", "no verdict"];
    let told = counts.iter().zip(words);
    if let Some((n, word)) = told.clone().take(2).find(|(n, _)| **n * 2 > n_all) {
        return match n_all {
            1 => word.to_owned(),
            _ => format!("{word} by {n} of {n_all}"),
        };
    }
    let some = told.filter(|(n, _)| **n > 0);
    let parts: Vec<String> = some.map(|(n, word)| format!("{n} {word}")).collect();
    match parts.is_empty() {
        true => "undecided: it was not asked".to_owned(),
        false => format!("undecided: {}", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_all_answers_decide() {
        let said = |answers: &[Option<bool>]| {
            let samples = answers.iter().map(|passed| Sample {
                passed: *passed,
                reason: String::new(),
                answer: Value::Null,
                duration_us: 0,
            });
            majority(&samples.collect::<Vec<_>>())
        };
        let (yes, no) = (Some(true), Some(false));
        let all = [
            said(&[yes]),
            said(&[no, yes, no]),
            said(&[yes, no]),
            said(&[yes, None]),
            said(&[None]),
            said(&[]),
        ];
        assert_eq!(
            all,
            [
                "accepted",
                "refused by 2 of 3",
                "undecided: 1 accepted, 1 refused",
                "undecided: 1 accepted, 1 no verdict",
                "undecided: 1 no verdict",
                "undecided: it was not asked",
            ]
        );
    }
}
