//! The command that runs the failed tests again.

use std::collections::BTreeSet;

use crate::escape::escape;

/// A command with more files would not fit on a screen.
const MOST_FILES: usize = 20;

/// A pattern with more cases would be hard to read: their files are run again as a whole.
const MOST_CASES: usize = 20;

/// Gathers files for the command, each once.
#[derive(Debug)]
pub(super) struct Rerun {
    words: Vec<String>,
    files: BTreeSet<String>,
    shown: Vec<String>,
    /// The cases among the tests; `None` as soon as something else is to be run again, too.
    cases: Option<Vec<String>>,
}

impl Rerun {
    /// Returns a command that has no files yet.
    pub(super) fn new(command: &[String]) -> Self {
        Self {
            words: command.iter().map(|word| quoted(word)).collect(),
            files: BTreeSet::new(),
            shown: Vec::new(),
            // A filter that is there already must not be replaced.
            cases: (!command.iter().any(|word| word == "--run")).then(Vec::new),
        }
    }

    /// Adds a file, of which only `case` is to be run if the test is one.
    pub(super) fn add(&mut self, file: &str, case: Option<&str>) {
        match (case, &mut self.cases) {
            (Some(case), Some(cases)) if cases.len() < MOST_CASES => cases.push(literal(case)),
            _ => self.cases = None,
        }
        if !self.files.contains(file) {
            self.files.insert(file.to_owned());
            if self.shown.len() < MOST_FILES {
                // A file whose name begins with `-` would be taken for an option.
                let lead = if file.starts_with('-') { "./" } else { "" };
                self.shown.push(quoted(&format!("{lead}{file}")));
            }
        }
    }

    /// Returns the command as one would type it; the files that do not fit are counted in a shell comment.
    pub(super) fn command(&self) -> Option<String> {
        if self.words.is_empty() || self.shown.is_empty() {
            return None;
        }
        let mut command = format!("{} {}", self.words.join(" "), self.shown.join(" "));
        if let Some(cases) = &self.cases {
            let pattern = quoted(&format!("^({})$", cases.join("|")));
            command = format!("{command} --run {pattern}");
        }
        Some(match self.files.len() - self.shown.len() {
            0 => command,
            more => format!("{command}  # and {more} more"),
        })
    }
}

/// Returns an id as a pattern that matches nothing else.
fn literal(id: &str) -> String {
    let mut pattern = String::with_capacity(id.len());
    for c in id.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '_' | '-') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Returns a word as a shell reads it.
fn quoted(word: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(safe) {
        return word.to_owned();
    }
    if escape(word) == word {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    // Hidden characters must not reach the terminal: bash, zsh and ksh read these escapes.
    let coded = |c: char| match c {
        ' ' => c.to_string(),
        _ if safe(c) => c.to_string(),
        _ => format!("\\U{:08x}", u32::from(c)),
    };
    let inner: String = word.chars().map(coded).collect();
    format!("$'{inner}'")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn command(files: &[&str]) -> String {
        let mut rerun = Rerun::new(&["ananke".to_owned(), "run".to_owned()]);
        for file in files {
            rerun.add(file, None);
        }
        rerun.command().unwrap_or_default()
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_snapshot!(command(&["tests/a.test.yaml", "tests/a.test.yaml"]), @"ananke run tests/a.test.yaml");
        assert_snapshot!(command(&["my tests/it's.yaml", "-x.yaml", "$(rm).yaml"]), @r"ananke run 'my tests/it'\''s.yaml' ./-x.yaml '$(rm).yaml'");
        assert_snapshot!(command(&["größe.yaml"]), @"ananke run 'größe.yaml'");
        assert_snapshot!(command(&["a\x1b[2J'.yaml"]), @r"ananke run $'a\U0000001b\U0000005b2J\U00000027.yaml'");
        assert_eq!(command(&[]), "");
    }

    #[test]
    fn only_the_cases_that_failed_are_run_again() {
        let command = |words: &[&str], tests: &[(&str, Option<&str>)]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let mut rerun = Rerun::new(&words);
            for (file, case) in tests {
                rerun.add(file, *case);
            }
            rerun.command().unwrap_or_default()
        };
        let cases = [
            ("a.jsonl", Some("T001")),
            ("a.jsonl", Some("a.b (1)")),
            ("b.jsonl", Some("x_y-z")),
        ];
        assert_snapshot!(command(&["ananke", "run"], &cases), @r"ananke run a.jsonl b.jsonl --run '^(T001|a\.b \(1\)|x_y-z)$'");
        assert_snapshot!(command(&["ananke", "run", "--run", "T"], &cases), @"ananke run --run T a.jsonl b.jsonl");
        let mixed = [
            ("a.jsonl", Some("T001")),
            ("a.test.yaml", None),
            ("a.jsonl", Some("T002")),
        ];
        assert_snapshot!(command(&["ananke", "run"], &mixed), @"ananke run a.jsonl a.test.yaml");
        let many: Vec<String> = (0..21).map(|n| format!("T{n}")).collect();
        let many: Vec<_> = many
            .iter()
            .map(|id| ("a.jsonl", Some(id.as_str())))
            .collect();
        assert_snapshot!(command(&["ananke", "run"], &many), @"ananke run a.jsonl");
    }

    #[test]
    fn many_files_are_counted() {
        let files: Vec<String> = (0..25).map(|n| format!("{n}.yaml")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert!(command(&files).ends_with("19.yaml  # and 5 more"));
    }
}
