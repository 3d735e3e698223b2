//! How much of the user's scripts was run.

use serde::{Deserialize, Serialize};

/// How much of the user's scripts was run, over all test files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The files, by name. Test files are not among them.
    pub files: Vec<FileCoverage>,
}

/// How much of one file was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCoverage {
    /// The file as the user would type it.
    pub file: String,
    /// The lines with code and how often they were run, by line, counted from 1.
    pub lines: Vec<(u32, u64)>,
    /// The functions, in the order of the file.
    pub functions: Vec<FunctionCoverage>,
}

/// How often a function was called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCoverage {
    /// Its name; `(anonymous)` if it has none.
    pub name: String,
    /// The line at which it begins, counted from 1.
    pub line: u32,
    /// How often it was called.
    pub hits: u64,
}

impl Coverage {
    /// Adds what another test file ran.
    pub fn add(&mut self, other: Self) {
        for file in other.files {
            match self
                .files
                .binary_search_by(|known| known.file.cmp(&file.file))
            {
                Ok(index) => self.files[index].add(file),
                Err(index) => self.files.insert(index, file),
            }
        }
    }

    /// Counts the lines that were run, and all lines.
    pub fn lines(&self) -> (usize, usize) {
        sum(self.files.iter().map(FileCoverage::n_lines))
    }

    /// Counts the functions that were called, and all functions.
    pub fn functions(&self) -> (usize, usize) {
        sum(self.files.iter().map(FileCoverage::n_functions))
    }
}

fn sum(counts: impl Iterator<Item = (usize, usize)>) -> (usize, usize) {
    counts.fold((0, 0), |(hit, all), (more_hit, more)| {
        (hit + more_hit, all + more)
    })
}

impl FileCoverage {
    fn add(&mut self, other: Self) {
        for (line, hits) in other.lines {
            match self.lines.binary_search_by_key(&line, |(line, _)| *line) {
                Ok(index) => self.lines[index].1 = self.lines[index].1.saturating_add(hits),
                Err(index) => self.lines.insert(index, (line, hits)),
            }
        }
        for function in other.functions {
            let same = |known: &&mut FunctionCoverage| {
                (known.line, &known.name) == (function.line, &function.name)
            };
            match self.functions.iter_mut().find(same) {
                Some(known) => known.hits = known.hits.saturating_add(function.hits),
                None => self.functions.push(function),
            }
        }
    }

    /// Counts the lines that were run, and all lines.
    pub fn n_lines(&self) -> (usize, usize) {
        let hit = self.lines.iter().filter(|(_, hits)| *hits > 0).count();
        (hit, self.lines.len())
    }

    /// Counts the functions that were called, and all functions.
    pub fn n_functions(&self) -> (usize, usize) {
        let hit = self.functions.iter().filter(|one| one.hits > 0).count();
        (hit, self.functions.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(file: &str, lines: &[(u32, u64)], hits: u64) -> Coverage {
        let function = FunctionCoverage {
            name: "f".to_owned(),
            line: 1,
            hits,
        };
        Coverage {
            files: vec![FileCoverage {
                file: file.to_owned(),
                lines: lines.to_vec(),
                functions: vec![function],
            }],
        }
    }

    #[test]
    fn what_any_test_file_ran_was_run() {
        let mut all = file("b.ts", &[(1, 1), (2, 0)], 0);
        all.add(file("a.ts", &[(1, 0)], 1));
        all.add(file("b.ts", &[(1, 2), (2, 1), (3, 0)], 1));
        assert_eq!(all.files[0].file, "a.ts");
        assert_eq!(all.files[1].lines, [(1, 3), (2, 1), (3, 0)]);
        assert_eq!((all.lines(), all.functions()), ((2, 4), (2, 2)));
    }
}
