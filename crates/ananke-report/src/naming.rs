//! What a test is called where there is room for one line.

use ananke_model::case::Case;
use ananke_model::plan::TestId;
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

/// Returns what stands behind the file in the stable name of a case, where nothing else is known of the test; the whole
/// name of any other test.
pub(crate) fn short_id(id: &TestId) -> &str {
    let id = id.0.as_str();
    let behind = |end: &str| id.split_once(end).map(|(_, behind)| behind);
    let is_case = id.starts_with("stdin#");
    behind(".jsonl#")
        .or_else(|| behind("#").filter(|_| is_case))
        .unwrap_or(id)
}

/// Returns the stable name of the file that holds the test: that of a case is shared by the other cases of its file.
pub(crate) fn file_id(result: &TestResult) -> &str {
    let Some(case) = &result.case else {
        return &result.id.0;
    };
    let file = result.id.0.strip_suffix(case.id.as_str());
    file.and_then(|file| file.strip_suffix('#'))
        .unwrap_or(&result.id.0)
}

/// Returns the name of a test; a case has its id in front. Never empty.
pub(crate) fn title(result: &TestResult) -> String {
    let (id, name) = (result.short_id(), result.name.trim());
    match (name, &result.case) {
        ("", _) => id.to_owned(),
        (name, Some(_)) if name != id => format!("{id}: {name}"),
        (name, _) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_where_they_are_those_of_cases() {
        let ids = [
            "tests/a.test.yaml",
            "tests/a#b.test.yaml",
            "tests/a.jsonl#T001",
            "tests/a.jsonl#x#y.jsonl#z",
            "stdin#T001",
            "message#1",
        ];
        let short = ids.map(|id| short_id(&TestId(id.to_owned())).to_owned());
        let wanted = [
            "tests/a.test.yaml",
            "tests/a#b.test.yaml",
            "T001",
            "x#y.jsonl#z",
            "T001",
            "message#1",
        ];
        assert_eq!(short, wanted);
    }
}
