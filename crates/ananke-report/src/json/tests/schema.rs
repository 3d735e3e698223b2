//! Real documents against the schema that is published.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::recording::{TroubleKind, Turn};
use ananke_model::result::TestStatus;
use serde_json::{Value, json};

use super::{lines, report};
use crate::json::{json_load_error, report_line_schema, report_schema};
use crate::samples::{broken, call, finding, flaky, hostile, judged, passed, place, result, run};

#[test]
fn real_documents_follow_the_schema() {
    let everything = || {
        let mut odd = passed("odd");
        odd.turns[0].turn = Turn {
            reasoning: "hm".to_owned(),
            tool_calls: vec![call("t", "{}", Some("x")), call("t", "{", None)],
            state: json!([1]),
            interrupts: vec![json!({})],
            usage: vec![json!(1)],
            findings: vec![finding()],
            ..odd.turns[0].turn.clone()
        };
        let timeout = broken(TroubleKind::Timeout, "late", "");
        let timeout = result(
            "slow",
            TestStatus::Timeout,
            vec![judged(timeout, Vec::new())],
        );
        let mut skipped = result("s", TestStatus::Skipped, Vec::new());
        skipped.reason = Some("later".to_owned());
        run(vec![odd, timeout, skipped, flaky("f"), hostile("h")])
    };
    let error = Diagnostic::error(&place(12, 7), "no").hint("yes");
    let documents = [
        report(&everything()),
        report(&run(Vec::new())),
        report(&[]),
        json_load_error(&[error], 2),
    ];
    let is_valid = |schema: &Value, value: &Value| {
        let validator = jsonschema::draft202012::new(schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    };
    for document in &documents {
        is_valid(&report_schema(), document);
    }
    for line in lines(&everything()) {
        is_valid(&report_line_schema(), &line);
    }
    // A schema that accepts everything would prove nothing.
    let validator = jsonschema::draft202012::new(&report_schema()).unwrap();
    let mut wrong = documents[0].clone();
    wrong["results"][0]["turns"][0]["tool_calls"][0]["name"] = json!(7);
    assert!(!validator.is_valid(&wrong));
    let validator = jsonschema::draft202012::new(&report_line_schema()).unwrap();
    assert!(!validator.is_valid(&json!({"type": "result", "id": "x"})));
}

#[test]
fn the_schema_knows_every_key() {
    let schema = report_schema();
    let known = |definition: &str| {
        let keys = schema["$defs"][definition]["properties"].as_object();
        keys.unwrap().keys().cloned().collect::<Vec<_>>()
    };
    let document = report(&run(vec![flaky("f")]));
    let test = &document["results"][0];
    let entries = [
        ("document", &document),
        ("totals", &document["summary"]),
        ("metadata", &document["metadata"]),
        ("result", test),
        ("turn", &test["turns"][0]),
        ("assertion", &test["assertions"][0]),
        ("attempt", &test["attempts"][0]),
    ];
    for (definition, entry) in entries {
        for key in entry.as_object().unwrap().keys() {
            assert!(known(definition).contains(key), "{definition} has no {key}");
        }
    }
}
