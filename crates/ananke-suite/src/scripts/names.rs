//! How scripts are named: `setup.ts`, and `setup_test.ts` for its tests.

use std::path::{Path, PathBuf};

/// What a script ends with, the likelier first.
pub(super) const ENDINGS: [&str; 4] = ["ts", "js", "mts", "mjs"];

/// What a file with test functions ends with.
pub(super) const TEST_ENDINGS: [&str; 4] = ENDINGS;

/// What the name of a file with test functions has before its ending.
pub(super) const TEST: &str = "_test";

/// Tells whether this is the name of a file with test functions.
pub(crate) fn is_script_test_name(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default();
    stem.ends_with(TEST) && TEST_ENDINGS.iter().any(|known| ending == *known)
}

/// Tells whether this is the name of a script.
pub(crate) fn is_script_name(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ENDINGS.iter().any(|known| ending == *known)
}

/// Returns the module that a file tests: the script beside it that has the same name without `_test`.
pub(crate) fn module_of(test: &Path) -> Option<PathBuf> {
    let stem = test.file_stem()?.to_str()?.strip_suffix(TEST)?;
    let own = test.extension().and_then(|ending| ending.to_str());
    let endings = own.into_iter().chain(ENDINGS);
    let beside = |ending| test.with_file_name(format!("{stem}.{ending}"));
    endings.map(beside).find(|path| path.is_file())
}

/// Returns the words of a dotted name, if each of them can be the name of a file or a folder.
pub(super) fn words(dotted: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = dotted.split('.').collect();
    let is_name = |word: &&str| !word.is_empty() && !word.contains(['/', '\\', ':', '\0']);
    words.iter().all(is_name).then_some(words)
}

/// Returns the script with this name in whichever language it is written.
pub(super) fn script_at(folder: &Path, words: &[&str]) -> Option<PathBuf> {
    let (name, above) = words.split_last()?;
    let folder = above
        .iter()
        .fold(folder.to_owned(), |at, word| at.join(word));
    let file = |ending| folder.join(format!("{name}.{ending}"));
    ENDINGS.into_iter().map(file).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        for name in [
            "a/setup_test.ts",
            "setup_test.js",
            "a.b_test.ts",
            "setup_test.mts",
            "setup_test.mjs",
        ] {
            assert!(is_script_test_name(Path::new(name)), "{name}");
        }
        for name in [
            "setup.ts",
            "test.ts",
            "setup_test.cts",
            "a_test.ts/b",
            "_test",
        ] {
            assert!(!is_script_test_name(Path::new(name)), "{name}");
        }
        assert!(is_script_name(Path::new("a.mjs")) && !is_script_name(Path::new("a.json")));
        assert_eq!(words("a.b"), Some(vec!["a", "b"]));
        for wrong in ["", "a..b", ".a", "a/b", "a.b.", "..", "c:x"] {
            assert_eq!(words(wrong), None, "{wrong}");
        }
    }
}
