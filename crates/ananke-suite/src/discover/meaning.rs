//! What an input is: a path, a glob or a message.
//!
//! A mistyped path must not become a message that some agent answers, so whatever looks like a path is one.

use std::path::{Path, is_separator};

use ananke_model::diagnostic::did_you_mean;

use crate::scripts::is_script_test_name;

/// How an input was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// As an argument: a message has several words.
    Argument,
    /// With `-i`: a message may be a single word.
    Flag,
}

/// What an input that names no existing file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A glob, whether it matches or not.
    Glob,
    /// A glob if it matches, else a message.
    GlobOrMessage,
    /// The path of a file or folder that is not there.
    Missing,
    /// A message.
    Message,
    /// The name of a script with tests.
    Script,
    /// Cases that an agent or a script makes, which is for the command to ask for.
    Generator,
    /// A reference whose prefix is written wrong, and the right one.
    Mistyped(&'static str),
}

/// Tells what `input` is, given that it names no existing file or folder.
pub(super) fn meaning(input: &str, given: Given) -> Meaning {
    let has_space = input.contains(char::is_whitespace);
    if !has_space && (input.starts_with("agents:") || input.starts_with("scripts:")) {
        return Meaning::Generator;
    }
    if !has_space && input.starts_with("scripts.") && is_script_id(input) {
        return Meaning::Script;
    }
    if let Some(prefix) = meant_prefix(input) {
        return Meaning::Mistyped(prefix);
    }
    let is_path = is_test_path(input)
        || looks_like_a_file(input)
        || (!has_space && input.contains(is_separator));
    let is_one_word = given == Given::Argument && !has_space;
    match (is_glob(input), is_path || is_one_word) {
        (true, true) => Meaning::Glob,
        (false, true) => Meaning::Missing,
        // What ends in a `?` or `.` is a sentence: no name of a test file ends like that.
        (true, false) if input.ends_with(['*', ']', '}']) => Meaning::GlobOrMessage,
        (_, false) => Meaning::Message,
    }
}

/// Returns the prefix that a single word of the form `word:rest` was most likely meant to have.
fn meant_prefix(input: &str) -> Option<&'static str> {
    let (word, rest) = input.split_once(':')?;
    let is_reference = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if !is_reference || input.contains(char::is_whitespace) {
        return None;
    }
    did_you_mean(word, ["agents", "scripts"])
}

fn is_script_id(input: &str) -> bool {
    !input.contains(['/', '\\']) && !is_glob(input) && !is_test_path(input)
}

/// Tells whether `text` is a single word that ends like the name of a file with tests, or nearly so.
fn looks_like_a_file(text: &str) -> bool {
    const ENDS: [&str; 6] = ["jsonl", "json", "ndjson", "yaml", "yml", "bak"];
    let word = text.trim();
    let is_word = !word.contains(char::is_whitespace);
    let extension = Path::new(word).extension().and_then(|end| end.to_str());
    let Some(extension) = extension.map(str::to_ascii_lowercase).filter(|_| is_word) else {
        return false;
    };
    // Most endings of two letters are near to these, and no mistake.
    let is_script = ["ts", "js", "mts", "mjs"].contains(&extension.as_str());
    is_script || ENDS.contains(&extension.as_str()) || did_you_mean(&extension, ENDS).is_some()
}

/// Tells whether `text` has the name of a file that can hold tests.
fn is_test_path(text: &str) -> bool {
    let path = Path::new(text);
    is_yaml_name(path) || is_jsonl_name(path) || is_script_test_name(path)
}

/// Tells whether `text` has a wildcard.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Tells whether this is the name of a YAML file.
pub(crate) fn is_yaml_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension == "yaml" || extension == "yml"
}

/// Tells whether this is the name of a JSONL file.
pub(super) fn is_jsonl_name(path: &Path) -> bool {
    path.extension().unwrap_or_default() == "jsonl"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(input: &str) -> Meaning {
        meaning(input, Given::Flag)
    }

    #[test]
    fn what_looks_like_a_path_is_one() {
        let paths = [
            "cases.jsonl",
            "tests/inputs.jsonl",
            "a b.test.yaml",
            "x/y",
            "./x",
            "https://example.com",
            "src/setup_test.ts",
            "a b_test.js",
            "gen.ts",
        ];
        for path in paths {
            assert_eq!(flag(path), Meaning::Missing, "{path}");
        }
        for glob in ["*.jsonl", "tests/*", "a/**/b", "sub/["] {
            assert_eq!(flag(glob), Meaning::Glob, "{glob}");
        }
    }

    #[test]
    fn everything_else_is_a_message() {
        let messages = [
            "hello",
            "hello there",
            "what?",
            "is it 2*2?",
            "你好世界",
            "and / or",
            "agents: what are they",
            "scripts. Tell me",
            "line one\nline two",
        ];
        for message in messages {
            assert_eq!(flag(message), Meaning::Message, "{message}");
        }
        for unclear in ["{\"a\": 1}", "**bold words**", "smoke*"] {
            assert_eq!(flag(unclear), Meaning::GlobOrMessage, "{unclear}");
        }
    }

    #[test]
    fn scripts_are_named_with_dots() {
        assert_eq!(flag("scripts.expense.setup"), Meaning::Script);
        assert_eq!(flag("scripts.expense.setup_test.ts"), Meaning::Missing);
        assert_eq!(flag("scripts.*"), Meaning::GlobOrMessage);
        for generator in ["agents:a?count=1", "scripts:tests.gen?count=10"] {
            assert_eq!(flag(generator), Meaning::Generator);
        }
    }

    #[test]
    fn a_prefix_with_a_mistake_is_named() {
        let agents = ["agent:x", "agnets:x.y?count=2", "Agents:x", "agents2:a/b"];
        for input in agents {
            assert_eq!(flag(input), Meaning::Mistyped("agents"), "{input}");
        }
        assert_eq!(flag("script:x"), Meaning::Mistyped("scripts"));
        for message in ["note:x", "agent:", "agent: who are you", "12:30", "a:b"] {
            assert_eq!(flag(message), Meaning::Message, "{message}");
        }
    }

    #[test]
    fn a_single_word_without_the_flag_is_a_path() {
        assert_eq!(meaning("hello", Given::Argument), Meaning::Missing);
        assert_eq!(meaning("what?", Given::Argument), Meaning::Glob);
        assert_eq!(meaning("hello there", Given::Argument), Meaning::Message);
    }
}
