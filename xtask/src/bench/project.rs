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
        let project = Self::new(&format!("{n}-{url}"), url);
        for number in 0..n {
            let test = format!(
                "version: \"1.0\"\nname: test {number}\nturns:\n  - user: hello\n    assert:\n      tools:\n        forbid: [delete_everything]\n      text:\n        must_not_match: [\"exception\", \"fatal\"]\n      timing:\n        max_duration_ms: 60000\n"
            );
            project.write(&format!("tests/{number:05}.test.yaml"), &test);
        }
        project
    }

    /// `n` cases in one file, with the same checks.
    pub fn many_cases(n: usize, url: &str) -> Self {
        let project = Self::new(&format!("cases-{n}-{url}"), url);
        let cases: String = (0..n)
            .map(|number| {
                format!(
                    "{{\"id\": \"C{number:05}\", \"name\": \"case {number}\", \"input\": \"hello\", \"assert\": [{{\"type\": \"not_contains\", \"value\": \"exception\"}}, {{\"type\": \"not_contains\", \"value\": \"fatal\"}}, {{\"tools\": {{\"forbid\": [\"delete_everything\"]}}, \"timing\": {{\"max_duration_ms\": 60000}}}}]}}\n"
                )
            })
            .collect();
        project.write("tests/cases.jsonl", &cases);
        project
    }

    /// `n` tests against an A2A agent at `url`, each with checks on tools, text and timing.
    pub fn many_tasks(n: usize, url: &str) -> Self {
        let target = format!("  type: a2a\n  endpoint: \"{url}\"\n");
        let project = Self::of(&format!("tasks-{n}"), "1.1", &target);
        for number in 0..n {
            let test = format!(
                "version: \"1.1\"\nname: test {number}\nturns:\n  - user: hello\n    assert:\n      task:\n        state: completed\n      text:\n        must_not_match: [\"exception\", \"fatal\"]\n      timing:\n        max_duration_ms: 60000\n"
            );
            project.write(&format!("tests/{number:05}.test.yaml"), &test);
        }
        project
    }

    /// One test that calls a tool of an MCP server `n_calls` times; the server is started with `command`.
    pub fn many_calls(n_calls: usize, command: &str) -> Self {
        let target = format!("  type: mcp\n  command: [\"{command}\"]\n");
        let project = Self::of(&format!("calls-{n_calls}"), "1.2", &target);
        let mut test =
            "version: \"1.2\"\nname: calls\nassert:\n  text:\n    must_match: [\"Hi\"]\nturns:\n"
                .to_owned();
        for number in 0..n_calls {
            test.push_str(&format!(
                "  - type: mcp:call\n    tool: echo\n    args: {{number: {number}}}\n"
            ));
        }
        project.write("tests/calls.test.yaml", &test);
        project
    }

    /// An empty folder with the config of an AG-UI agent.
    fn new(name: &str, url: &str) -> Self {
        let target = format!("  type: agui\n  endpoint: \"{url}\"\n");
        Self::of(name, "1.0", &target)
    }

    /// An empty folder with a config.
    fn of(name: &str, version: &str, target: &str) -> Self {
        let name: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let folder = Path::new("target/bench").join(name);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(folder.join("tests")).expect("target/ is writable");
        let folder = fs::canonicalize(folder).expect("just created");
        let project = Self {
            folder: folder.display().to_string(),
        };
        let config = format!("version: \"{version}\"\ntarget:\n{target}");
        project.write("ananke.config.yaml", &config);
        project
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(Path::new(&self.folder).join(path), text).expect("target/ is writable");
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
