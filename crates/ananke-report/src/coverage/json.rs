//! The coverage as JSON.

use ananke_model::coverage::Coverage;
use serde_json::{Value, json};

use super::ranges::share;

/// Returns the coverage as one JSON document.
pub fn coverage_json(coverage: &Coverage) -> Value {
    let totals = |counts: (usize, usize)| {
        let (hit, all) = counts;
        json!({"total": all, "covered": hit, "percent": share(counts)})
    };
    let files = coverage.files.iter().map(|file| {
        let lines = file.lines.iter();
        let lines = lines.map(|(line, hits)| json!({"line": line, "hits": hits}));
        json!({
            "file": file.file,
            "lines": totals(file.n_lines()),
            "functions": totals(file.n_functions()),
            "hits": lines.collect::<Vec<_>>(),
            "calls": file.functions,
        })
    });
    json!({
        "schema": "ananke.coverage/1",
        "lines": totals(coverage.lines()),
        "functions": totals(coverage.functions()),
        "files": files.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::coverage;

    #[test]
    fn everything_is_there() {
        let document = coverage_json(&coverage());
        assert_eq!(
            document["lines"],
            json!({"total": 9, "covered": 5, "percent": 55.6})
        );
        assert_eq!(
            document["files"][1]["calls"],
            json!([{"name": "sum", "line": 1, "hits": 10}])
        );
        assert_eq!(
            document["files"][0]["hits"][2],
            json!({"line": 3, "hits": 0})
        );
        assert_eq!(document["files"][2]["lines"]["percent"], 100.0);
    }
}
