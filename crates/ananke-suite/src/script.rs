//! Loads the script of an agent, for `ananke serve`.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use serde_json::Value;

use crate::parse::{Found, script};
use crate::yaml::{compose, read};

/// A script that was read.
#[derive(Clone, Debug)]
pub struct LoadedScript {
    /// The script as JSON, without its version; `None` if it has mistakes.
    pub script: Option<Value>,
    /// Everything that is wrong or worth a look, from top to bottom.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the file.
    pub sources: Sources,
}

/// Reads the script at `path`, which messages call `shown`.
pub fn load_script(path: &Path, shown: &str) -> LoadedScript {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let script = read(path, shown, &mut sources, &mut found)
        .and_then(|text| compose(&shown.into(), &text, &mut found))
        .and_then(|node| script(&node, &mut found));
    found.sort_by_key(|diagnostic| diagnostic.place.as_ref().map(|place| place.start));
    let has_errors = found.iter().any(Diagnostic::is_error);
    LoadedScript {
        script: script.filter(|_| !has_errors),
        diagnostics: found,
        sources,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::load_script;
    use crate::testing::line;

    /// Returns the diagnostics, or the JSON when there are none.
    fn read(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.script.yaml");
        std::fs::write(&path, text).unwrap();
        let loaded = load_script(&path, "a.script.yaml");
        let mut lines: Vec<String> = loaded.diagnostics.iter().map(line).collect();
        lines.extend(loaded.script.map(|script| script.to_string()));
        lines.join("\n")
    }

    fn rules(rules: &str) -> String {
        read(&format!("version: 1\nrules:\n{rules}"))
    }

    #[test]
    fn a_script_is_json() {
        assert_snapshot!(rules("  - reply:\n      - delay_ms: 5\n      - http: {status: 429, headers: {Retry-After: 1}}\n"), @r#"{"rules":[{"reply":[{"delay_ms":5},{"http":{"status":429,"headers":{"Retry-After":"1"}}}]}]}"#);
        assert_snapshot!(rules("  - reply:\n      - text: Hi ${NAME}\n      - step: {name: a, reply: [{text: ''}, stall]}\nfallback: [truncate]\n"), @r#"{"fallback":["truncate"],"rules":[{"reply":[{"text":"Hi ${NAME}"},{"step":{"name":"a","reply":[{"text":""},"stall"]}}]}]}"#);
    }

    #[test]
    fn mistakes_are_told_all_at_once() {
        assert_snapshot!(rules("  - wen: {user: x}\n    reply: [{txt: a}, trunctae, hello there, {text: a, tool: {nam: b}}, {}, {truncate: true}]\n  - {}\nfalback: []\n"), @"
        a.script.yaml:3:5 error unknown key `wen` in a rule | expected `when`, `reply`, `times`, `every` or `bare` | did you mean `when`?
        a.script.yaml:4:14 error unknown key `txt` in a step | expected `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish` or `http` | did you mean `text`?
        a.script.yaml:4:23 error `trunctae` is not a step | expected a map with one key, `truncate`, `reset` or `stall` | did you mean `truncate`?
        a.script.yaml:4:33 error `hello there` is not a step | expected a map with one key, `truncate`, `reset` or `stall` | write `- text: …` to send a message
        a.script.yaml:4:56 error a step has one key, found 2 |  | write `- tool: …` as the next step
        a.script.yaml:4:62 error `name` is missing in a tool call |  | write `name: search`
        a.script.yaml:4:63 error unknown key `nam` in a tool call | expected `name`, `args`, `id`, `result`, `error` or `delay_ms` | did you mean `name`?
        a.script.yaml:4:73 error the step is empty |  | write `- text: …` to send a message
        a.script.yaml:4:78 error unknown key `truncate` in a step | expected `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish` or `http` | it is a word: write `- truncate`
        a.script.yaml:5:5 error `reply` is missing in a rule |  | write `reply: [{text: Hello}]`
        a.script.yaml:5:5 warning this rule never answers: the one in line 3 answers everything |  | move the rule without `when` to the end
        a.script.yaml:6:1 error unknown key `falback` in a script | expected `version`, `rules`, `fallback` or `timestamps` | did you mean `fallback`?
        ");
        assert_snapshot!(read("rules: {}\nversion: 2\n"), @r#"
        a.script.yaml:1:8 error expected a list, found a map
        a.script.yaml:2:10 error unknown schema version `2` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
        "#);
        assert_snapshot!(rules("  - reply: [{http: {status: 99}}, {delay_ms: -1}, {text: [a]}, {state_delta: {}}]\n    times: 0\n"), @"
        a.script.yaml:3:29 error `99` is out of range | expected a whole number from 200 to 599
        a.script.yaml:3:35 warning nothing is sent after `http`
        a.script.yaml:3:46 error `-1` is out of range | expected a whole number from 0 to 2147483647
        a.script.yaml:3:58 error expected text, found a list
        a.script.yaml:3:78 error expected a list, found a map
        a.script.yaml:4:12 error `0` is out of range | expected a whole number from 1 to 4294967296
        ");
        assert_snapshot!(read("- a\n"), @"a.script.yaml:1:1 error expected a map, found a list | expected `version`, `rules`, `fallback` or `timestamps`");
        assert_snapshot!(read(""), @"a.script.yaml:1:1 error the file is empty");
    }

    #[test]
    fn steps_that_cannot_be_sent_are_told() {
        assert_snapshot!(rules("  - reply: [{http: {status: 500, headers: {'bad name': a, X-A: \"a\\nb\", X-B: é}}}]\n"), @r"
        a.script.yaml:3:44 error `bad name` is not a header name | expected letters, digits and `-`
        a.script.yaml:3:64 error a header cannot hold `\n` | expected one line without control characters
        ");
        assert_snapshot!(rules("  - reply: [{tool: {name: a, result: 1, error: b}}, {parallel_tools: [{name: a, error: b, result: 1}]}]\n"), @r#"
        a.script.yaml:3:41 error a tool call has both `result` and `error` | only one of them can be sent | remove one; an error is sent as the result `{"error": …}`
        a.script.yaml:3:81 error a tool call has both `result` and `error` | only one of them can be sent | remove one; an error is sent as the result `{"error": …}`
        "#);
        assert_snapshot!(rules("  - reply: [{event: {a: 1}}, {event: {type: 1}}, {event: x}, {event: {type: X}}]\n"), @"
        a.script.yaml:3:21 error `type` is missing in an event |  | write `type: CUSTOM`; `raw` sends what is no event
        a.script.yaml:3:45 error expected text, found the number `1`
        a.script.yaml:3:58 error expected a map, found text
        ");
        assert_snapshot!(rules("  - reply: [{interrupt: {reason: r, tool: pay}}, {tool: {name: pay}}]\nfallback: [{step: {name: s, reply: [{tool: {name: charge}}]}}, {interrupt: {reason: r, tool: chrge}}]\n"), @"
        a.script.yaml:3:43 error no step before this one calls `pay` |  | write `- tool: {name: pay}` before it, or remove `tool`
        a.script.yaml:4:94 error no step before this one calls `chrge` |  | did you mean `charge`?
        ");
        assert_snapshot!(rules("  - reply: [{parallel_tools: [{name: a}, {name: pay}]}, {step: {name: s, reply: [{interrupt: {reason: r, tool: pay}}]}}]\n"), @r#"{"rules":[{"reply":[{"parallel_tools":[{"name":"a"},{"name":"pay"}]},{"step":{"name":"s","reply":[{"interrupt":{"reason":"r","tool":"pay"}}]}}]}]}"#);
    }

    #[test]
    fn what_cannot_happen_is_told() {
        assert_snapshot!(rules("  - when: {user_contains: 5, turn: 1}\n    times: 2\n    reply:\n      - text: Hi ${NAME}\n      - http: {status: 429, headers: {Retry-After: 1}}\n"), @"a.script.yaml:7:9 error `http` comes too late: the stream has begun |  | make it the first step of the reply; only `delay_ms` can come before it");
        assert_snapshot!(rules("  - reply: [{text: a}]\n  - reply: [{text: b}]\n"), @r#"
        a.script.yaml:4:5 warning this rule never answers: the one in line 3 answers everything |  | move the rule without `when` to the end
        {"rules":[{"reply":[{"text":"a"}]},{"reply":[{"text":"b"}]}]}
        "#);
        assert_snapshot!(rules("  - {times: 1, reply: [{text: a}]}\n  - reply: [truncate, {text: b}, {text: c}]\n"), @r#"
        a.script.yaml:4:23 warning nothing is sent after `truncate`
        {"rules":[{"reply":[{"text":"a"}],"times":1},{"reply":["truncate",{"text":"b"},{"text":"c"}]}]}
        "#);
        assert_snapshot!(rules("  - reply: [{step: {name: a, reply: [{http: {status: 500}}]}}]\n"), @"a.script.yaml:3:38 error `http` comes too late: the stream has begun |  | make it the first step of the reply; only `delay_ms` can come before it");
    }
}
