//! LCOV, which most tools for coverage read.

use ananke_model::coverage::{Coverage, FileCoverage};

use crate::page::Page;

/// Returns the coverage as an LCOV tracefile.
pub fn coverage_lcov(coverage: &Coverage) -> String {
    let mut page = Page::default();
    for file in &coverage.files {
        record(&mut page, file);
    }
    page.finish()
}

fn record(page: &mut Page, file: &FileCoverage) {
    page.line(format_args!("TN:\nSF:{}", name(&file.file)));
    // Functions are told apart by their names: what has none, or one that is taken, gets its line.
    let mut seen = std::collections::HashSet::new();
    let mut names = Vec::with_capacity(file.functions.len());
    for function in &file.functions {
        let mut own = name(&function.name);
        if own.starts_with('(') || !seen.insert(own.clone()) {
            own = format!("{own}:{}", function.line);
            let mut number = 1;
            while !seen.insert(own.clone()) {
                number += 1;
                own = format!("{}:{}:{number}", name(&function.name), function.line);
            }
        }
        names.push(own);
    }
    for (function, name) in file.functions.iter().zip(&names) {
        page.line(format_args!("FN:{},{name}", function.line));
    }
    for (function, name) in file.functions.iter().zip(&names) {
        page.line(format_args!("FNDA:{},{name}", function.hits));
    }
    let (hit, all) = file.n_functions();
    page.line(format_args!("FNF:{all}\nFNH:{hit}"));
    for (line, hits) in &file.lines {
        page.line(format_args!("DA:{line},{hits}"));
    }
    let (hit, all) = file.n_lines();
    page.line(format_args!("LF:{all}\nLH:{hit}\nend_of_record"));
}

/// Returns a name that stays on its line.
fn name(text: &str) -> String {
    text.replace(
        |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
        "_",
    )
}

#[cfg(test)]
mod tests {
    use ananke_model::coverage::FunctionCoverage;
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::coverage;

    #[test]
    fn files_are_records() {
        let mut coverage = coverage();
        coverage.files.truncate(1);
        let function = |line| FunctionCoverage {
            name: "Setup".to_owned(),
            line,
            hits: 0,
        };
        coverage.files[0]
            .functions
            .extend([function(7), function(7)]);
        assert_snapshot!(coverage_lcov(&coverage), @"
        TN:
        SF:expense/src/setup.ts
        FN:1,Setup
        FN:3,(anonymous):3
        FN:7,Setup:7
        FN:7,Setup:7:2
        FNDA:4,Setup
        FNDA:0,(anonymous):3
        FNDA:0,Setup:7
        FNDA:0,Setup:7:2
        FNF:4
        FNH:1
        DA:1,4
        DA:2,4
        DA:3,0
        DA:4,0
        DA:6,0
        DA:8,0
        DA:9,2
        LF:7
        LH:3
        end_of_record
        ");
        assert_eq!(coverage_lcov(&Coverage::default()), "");
    }

    #[test]
    fn names_cannot_begin_a_line() {
        let mut coverage = coverage();
        coverage.files.truncate(1);
        coverage.files[0].file = "a\nDA:1,1\r".to_owned();
        assert!(coverage_lcov(&coverage).contains("SF:a_DA:1,1_\n"));
    }
}
