//! How functions of scripts are told from other tests: by their ids, which are known before anything ran.

use ananke_model::plan::TestId;
use ananke_model::result::TestResult;

/// How the files end that hold test functions.
const ENDINGS: [&str; 8] = [
    ".ts#", ".js#", ".mts#", ".mjs#", ".cts#", ".cjs#", ".tsx#", ".jsx#",
];

/// What stands for all functions of a file that cannot be understood.
const BROKEN_FILE: &str = "(file)";

/// Returns the file and the function that an id names, if it is that of a function of a script.
pub(crate) fn function_of(id: &TestId) -> Option<(&str, &str)> {
    function_in(&id.0)
}

/// Returns the same as [`function_of`], of an id as text.
pub(crate) fn function_in(id: &str) -> Option<(&str, &str)> {
    let (file, function) = id.rsplit_once('#')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_function = !function.is_empty() && function.chars().all(is_name);
    let is_function = is_function || function == BROKEN_FILE;
    let (with_end, _) = id.split_at(file.len() + 1);
    let is_script = ENDINGS.iter().any(|ending| with_end.ends_with(ending));
    // The id of a case may look like anything.
    let is_case = file.contains(".jsonl#") || file.starts_with("stdin#");
    (is_function && is_script && !is_case).then_some((file, function))
}

/// Tells whether a test is a function of a script. One that was never run is known by its id only.
pub(crate) fn is_function(result: &TestResult) -> bool {
    result.script.is_some() || (result.case.is_none() && function_of(&result.id).is_some())
}

/// Returns the stable name of the file that holds a test.
pub(crate) fn source(result: &TestResult) -> &str {
    match function_of(&result.id) {
        Some((file, _)) if is_function(result) => file,
        _ => result.source_id(),
    }
}

/// Returns what the user calls a test, beside its id: nothing if the id ends with it already.
pub(crate) fn own_name(result: &TestResult) -> &str {
    match function_of(&result.id) {
        Some((_, function)) if is_function(result) && result.name == function => "",
        _ => &result.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_functions_from_other_tests() {
        let function = |id: &str| {
            let id = TestId(id.to_owned());
            function_of(&id).map(|(file, name)| format!("{file} {name}"))
        };
        assert_eq!(
            function("src/setup_test.ts#TestA").as_deref(),
            Some("src/setup_test.ts TestA")
        );
        assert_eq!(
            function("odd#dir/a_test.js#Test$größe").as_deref(),
            Some("odd#dir/a_test.js Test$größe")
        );
        for other in [
            "tests/a.test.yaml",
            "tests/a.jsonl#T001",
            "tests/a.jsonl#x_test.ts#TestA",
            "stdin#a.ts#TestA",
            "a_test.ts#",
            "a_test.ts#two words",
            "",
        ] {
            assert_eq!(function(other), None, "{other}");
        }
    }
}
