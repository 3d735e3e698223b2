//! Whatever stands in the files, loading ends with diagnostics whose places lie inside them.

use ananke_model::diagnostic::Diagnostic;
use proptest::prelude::*;

use crate::load_script;
use crate::testing::Suite;

/// Loads the two files and checks every place that comes back.
fn load(config: &[u8], test: &[u8]) -> Result<(), TestCaseError> {
    let suite = Suite::new(&[]);
    suite.write("ananke.config.yaml", config);
    suite.write("a.test.yaml", test);
    let loaded = suite.load();
    for place in loaded.diagnostics.iter().filter_map(|d| d.place.as_ref()) {
        let text = loaded.sources.text(&place.file);
        prop_assert!(text.is_some(), "{place} was not read");
        let text = text.unwrap_or_default();
        let (start, end) = (place.start as usize, place.end as usize);
        prop_assert!(
            text.get(start..end).is_some(),
            "{place:?} is not in {text:?}"
        );
        let before = text.get(..start).unwrap_or_default();
        let n_breaks = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
        prop_assert_eq!(
            place.line as usize,
            n_breaks + 1,
            "{:?} in {:?}",
            place,
            text
        );
    }
    let has_errors = loaded.diagnostics.iter().any(Diagnostic::is_error);
    prop_assert!(has_errors || loaded.plan.tests.len() == 1);
    Ok(())
}

/// Returns lines that look like a suite: real keys and odd values at any depth.
fn suite_like() -> impl Strategy<Value = String> {
    let keys = "version|name|turns|user|type|assert|tools|require|forbid|count|exact|min|max|args_match|text|must_match|timing|max_idle_ms|extends|inherit|target|targets|endpoint|headers|hooks|cmd|env|assertions|server|url|state|skip|tags|protocol|error|agentCardUrl|auth|scheme|toolCalls|command|userTool|elicitation|parts|tool|args|a|<<";
    let values = "1\\.0|1\\.2|1|-5|agui|a2a|mcp|a2a:send|mcp:call|bearer|agui:connect|none|false|true|null|~|''|\"x\"|\\[\\]|\\{\\}|\\[a, b\\]|\\{a: 1\\}|\\$\\{A\\}|\\$\\{ENV\\.B\\}|\\$\\{|&x 1|\\*x|!t 1|http://h|ä|\\||\\.inf";
    let line = (0..6usize, any::<bool>(), keys, values, any::<bool>()).prop_map(
        |(depth, dash, key, value, has_value)| {
            let dash = if dash { "- " } else { "" };
            let value = if has_value {
                format!(" {value}")
            } else {
                String::new()
            };
            format!("{}{dash}{key}:{value}\n", "  ".repeat(depth))
        },
    );
    proptest::collection::vec(line, 0..12).prop_map(|lines| lines.concat())
}

/// Returns a suite whose structure is right and whose values are odd.
fn nearly_right() -> impl Strategy<Value = (String, String)> {
    let value = "1|-1|x|''|false|true|null|\\[\\]|\\[x\\]|\\[5\\]|\\{\\}|\\{x: y\\}|\\[\\{name: x\\}\\]|\\{name: x\\}|\\{exact: 1\\}|\\$\\{A\\}|/a/b/|strict|all|local";
    proptest::collection::vec(value, 14).prop_map(|v| {
        let config = format!(
            "version: 1\ntarget:\n  type: agui\n  endpoint: http://h\n  headers: {}\n  tools: {}\n  state: {}\n  assert: {}\nassertions:\n  x: {}\nserver: {}\n",
            v[0], v[1], v[2], v[3], v[4], v[5]
        );
        let test = format!(
            "version: 1\nname: n\nhooks: {}\ntarget: {}\nturns:\n  - user: {}\n    assert:\n      extends: {}\n      tools:\n        require: {}\n        forbid: {}\n      text: {}\n      timing: {}\n",
            v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13]
        );
        (config, test)
    })
}

/// Returns lines that look like a script.
fn script_like() -> impl Strategy<Value = String> {
    let keys = "version|rules|when|reply|fallback|times|bare|turn|user_contains|text|tool|name|args|step|http|status|headers|delay_ms|deltas|truncate|a";
    let values = "1|-5|x|stall|reset|false|null|''|\\[\\]|\\{\\}|\\[stall\\]|\\{text: a\\}|\\[\\{text: a\\}, reset, 1\\]|\\$\\{A|ä|\\.inf";
    let line = (0..5usize, any::<bool>(), keys, values);
    let line = line.prop_map(|(depth, dash, key, value)| {
        let dash = if dash { "- " } else { "" };
        format!("{}{dash}{key}: {value}\n", "  ".repeat(depth))
    });
    proptest::collection::vec(line, 0..10).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes(config in proptest::collection::vec(any::<u8>(), 0..80), test in proptest::collection::vec(any::<u8>(), 0..80)) {
        load(&config, &test)?;
    }

    #[test]
    fn any_suite_like_text(config in suite_like(), test in suite_like()) {
        load(config.as_bytes(), test.as_bytes())?;
    }

    #[test]
    fn any_script_like_text(text in script_like()) {
        let suite = Suite::new(&[("a.script.yaml", &text)]);
        let loaded = load_script(&suite.root().join("a.script.yaml"), "a.script.yaml");
        for place in loaded.diagnostics.iter().filter_map(|found| found.place.as_ref()) {
            prop_assert!(text.get(place.start as usize..place.end as usize).is_some());
        }
        let has_errors = loaded.diagnostics.iter().any(Diagnostic::is_error);
        prop_assert_eq!(loaded.script.is_none(), has_errors);
    }

    #[test]
    fn any_nearly_right_suite((config, test) in nearly_right()) {
        load(config.as_bytes(), test.as_bytes())?;
    }
}
