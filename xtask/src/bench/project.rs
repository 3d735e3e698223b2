//! The projects that are measured: a config and as many one-turn tests as wanted, below `target/bench`.

use std::fs;
use std::path::Path;

/// A folder with a config and tests.
pub struct Project {
    pub folder: String,
}

impl Project {
    /// One test against `url`.
    pub fn one_test(url: &str) -> Self {
        Self::many_tests(1, url)
    }

    /// `n` tests against `url`, each with checks on tools, text and timing.
    pub fn many_tests(n: usize, url: &str) -> Self {
        let name: String = format!("{n}-{url}")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let folder = Path::new("target/bench").join(name);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(folder.join("tests")).expect("target/ is writable");
        let config = format!("version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{url}\"\n");
        fs::write(folder.join("ananke.config.yaml"), config).expect("target/ is writable");
        for number in 0..n {
            let test = format!(
                "version: \"1.0\"\nname: test {number}\nturns:\n  - user: hello\n    assert:\n      tools:\n        forbid: [delete_everything]\n      text:\n        must_not_match: [\"exception\", \"fatal\"]\n      timing:\n        max_duration_ms: 60000\n"
            );
            fs::write(folder.join(format!("tests/{number:05}.test.yaml")), test)
                .expect("target/ is writable");
        }
        let folder = fs::canonicalize(folder).expect("just created");
        Self {
            folder: folder.display().to_string(),
        }
    }
}

/// Returns the measured total of every turn in a JSON report.
pub fn turn_totals_ms(report: &str) -> Vec<f64> {
    let key = "\"total_ms\":";
    let ends = |c: char| !(c.is_ascii_digit() || c == '.');
    report
        .match_indices(key)
        .filter_map(|(at, _)| {
            let rest = report[at + key.len()..].trim_start();
            rest[..rest.find(ends)?].parse().ok()
        })
        .collect()
}
