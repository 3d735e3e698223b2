//! The command that runs the failed tests again.

use std::collections::BTreeSet;

use crate::escape::escape;

/// A command with more files would not fit on a screen.
const MOST_FILES: usize = 20;

/// Gathers files for the command, each once.
#[derive(Debug)]
pub(super) struct Rerun {
    words: Vec<String>,
    files: BTreeSet<String>,
    shown: Vec<String>,
}

impl Rerun {
    /// Returns a command that has no files yet.
    pub(super) fn new(command: &[String]) -> Self {
        Self {
            words: command.iter().map(|word| quoted(word)).collect(),
            files: BTreeSet::new(),
            shown: Vec::new(),
        }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, file: &str) {
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
        let command = format!("{} {}", self.words.join(" "), self.shown.join(" "));
        Some(match self.files.len() - self.shown.len() {
            0 => command,
            more => format!("{command}  # and {more} more"),
        })
    }
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
            rerun.add(file);
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
    fn many_files_are_counted() {
        let files: Vec<String> = (0..25).map(|n| format!("{n}.yaml")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert!(command(&files).ends_with("19.yaml  # and 5 more"));
    }
}
