//! What a test is called where there is room for one line.

use ananke_model::case::Case;
use ananke_model::result::TestResult;

use crate::asked::preview_in;
use crate::escape::cut;
use crate::style::Style;

/// How much of a name is shown.
const NAME_CHARS: usize = 200;

/// How much is shown of what a case asks.
const INPUT_CHARS: usize = 50;

/// Returns the name of a test, escaped; what it asks if it is a case without a name of its own.
pub(crate) fn shown_name(name: &str, case: Option<&Case>, style: &Style) -> String {
    match case {
        Some(case) if name.is_empty() || name == case.id => {
            preview_in(&case.input, INPUT_CHARS, style)
        }
        _ => cut(name, NAME_CHARS, style.ellipsis()),
    }
}

/// Returns the name of a test; a case has its id in front, and a test that is run against several targets the target behind
/// it. Never empty.
pub(crate) fn title(result: &TestResult) -> String {
    let (id, name) = (result.short_id(), result.name.trim());
    match (name, &result.case) {
        ("", _) => id.to_owned(),
        (name, Some(_)) if name != id => format!("{id}: {name}"),
        (name, case) => match one_of_several(result) {
            Some(target) if case.is_none() => format!("{name} @{target}"),
            Some(_) | None => name.to_owned(),
        },
    }
}

/// Returns the target of a test that is run against several, each of which has a result of its own.
pub(crate) fn one_of_several(result: &TestResult) -> Option<&str> {
    let before = result.id.0.strip_suffix(result.target.as_str())?;
    let is_marked = !result.target.is_empty() && before.ends_with('@');
    is_marked.then_some(result.target.as_str())
}
