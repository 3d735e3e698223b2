//! Counts what `cargo test` says while it says it.

use std::fmt;

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    ok: usize,
    failed: usize,
    ignored: usize,
    announced: usize,
}

impl Tally {
    /// Takes a line of cargo's output.
    ///
    /// A test that cannot run for want of a server is `ok` for cargo, and says `skipped: <why>` on a line of its own.
    pub(crate) fn take(&mut self, line: &str) {
        if line.starts_with("skipped: ") {
            self.announced += 1;
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.ok += count(counts, "passed");
            self.failed += count(counts, "failed");
            self.ignored += count(counts, "ignored");
        }
    }

    /// Takes what another stream of the same run said.
    pub(crate) fn add(&mut self, other: Self) {
        self.ok += other.ok;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.announced += other.announced;
    }

    /// Counts a failure that is no test's, such as code that does not compile.
    pub(crate) fn fail(&mut self) {
        self.failed += 1;
    }

    pub(crate) fn passed(&self) -> usize {
        self.ok.saturating_sub(self.announced)
    }

    pub(crate) fn failed(&self) -> usize {
        self.failed
    }
}

/// Returns the number before `word` in `ok. 12 passed; 0 failed; …`.
fn count(counts: &str, word: &str) -> usize {
    let words: Vec<&str> = counts
        .split([' ', ';', '.'])
        .filter(|word| !word.is_empty())
        .collect();
    let pair = words.windows(2).find(|pair| pair[1] == word);
    pair.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (passed, failed) = (self.passed(), self.failed);
        let skipped = self.ignored + self.announced;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn tally(output: &str) -> String {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.take(line));
        tally.to_string()
    }

    #[test]
    fn results_of_all_binaries_add_up() {
        let output = "
running 3 tests
test a ... ok
test result: FAILED. 2 passed; 1 failed; 4 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1.20s";
        assert_eq!(tally(output), "12 passed, 1 failed, 4 skipped");
    }

    #[test]
    fn an_announced_skip_is_no_pass() {
        let output = "skipped: interop with pydantic-ai: python3 not found
test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        assert_eq!(tally(output), "4 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in ["", "test result", "1 passed", "    skipped: indented"] {
            assert_eq!(tally(line), "0 passed, 0 failed, 0 skipped", "{line}");
        }
    }
}
