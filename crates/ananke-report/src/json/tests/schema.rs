//! Real documents against the schema that is published.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::recording::{TroubleKind, Turn};
use ananke_model::result::TestStatus;
use serde_json::{Value, json};

use super::{lines, report};
use crate::json::{json_load_error, report_line_schema, report_schema};
use crate::samples::{
    broken, call, case, dynamic, dynamic_failed, finding, flaky, function_failed, function_hostile,
    function_passed, function_skipped, function_thrown, function_timeout, function_unsure,
    function_with_subtests, hostile, hostile_dynamic, hostile_task, invoiced, judged, listed,
    message, messages_case, mostly_stable, passed, place, result, run, script_run, stable,
    with_identity, with_opinion,
};

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
        let (task, data) = (invoiced("t"), listed("d"));
        let results = vec![odd, timeout, skipped, task, data, hostile_task("x")];
        run(results
            .into_iter()
            .chain([flaky("f"), hostile("h")])
            .collect())
    };
    let cases = || {
        let results = vec![
            case("T001", TestStatus::Passed, "Here are shoes."),
            messages_case("T002", TestStatus::Failed),
            message("Hi", "[1]"),
        ];
        with_identity(run(results), 1)
    };
    let runs = || {
        let skipped = case("T003", TestStatus::Skipped, "");
        let results = vec![stable("T001"), mostly_stable("T002"), skipped];
        with_identity(run(results), 5)
    };
    let led = || {
        let judged = case("T003", TestStatus::Passed, "What?");
        run(vec![
            dynamic("T001", TestStatus::Passed),
            dynamic_failed("T002"),
            with_opinion(judged),
            hostile_dynamic("h"),
        ])
    };
    let scripts = || {
        script_run(vec![
            function_passed("TestA", 12_000),
            function_failed("TestB", json!({"a": 1}), json!(null)),
            function_thrown("TestC"),
            function_timeout("TestD"),
            function_skipped("TestE"),
            function_unsure("TestF"),
            function_with_subtests("TestG"),
            function_hostile("TestH"),
        ])
    };
    let error = Diagnostic::error(&place(12, 7), "no").hint("yes");
    let documents = [
        report(&everything()),
        report(&cases()),
        report(&runs()),
        report(&led()),
        report(&scripts()),
        report(&run(vec![passed("a"), function_passed("TestA", 1)])),
        report(&run(Vec::new())),
        report(&[]),
        json_load_error(&[error], &Sources::default(), 2),
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
    for line in [everything(), cases(), runs(), scripts()]
        .iter()
        .flat_map(|run| lines(run))
    {
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
    let mut odd = messages_case("T002", TestStatus::Failed);
    odd.checks[0].message = Some("no shoes".to_owned());
    let results = vec![flaky("f"), mostly_stable("T001"), odd];
    let events = with_identity(run(results), 5);
    let (document, lines) = (report(&events), lines(&events));
    let [test, repeated, case] = [0, 1, 2].map(|index| &document["results"][index]);
    let entries = [
        ("document", &document),
        ("totals", &document["summary"]),
        ("environment", &document["environment"]),
        ("metadata", &document["metadata"]),
        ("result", test),
        ("result", repeated),
        ("result", case),
        ("turn", &test["turns"][0]),
        ("assertion", &test["assertions"][0]),
        ("assertion", &case["assertions"][0]),
        ("attempt", &test["attempts"][0]),
        ("run_detail", &repeated["run_details"][0]),
        ("first_difference", &repeated["first_difference"]),
        ("start_line", &lines[0]),
    ];
    let scripts = report(&script_run(vec![
        function_with_subtests("TestG"),
        function_hostile("TestH"),
    ]));
    let entries = entries.into_iter().chain([
        ("document", &scripts),
        ("result", &scripts["results"][0]),
        ("result", &scripts["results"][1]),
        ("script_assertion", &scripts["results"][0]["assertion"]),
        ("script_place", &scripts["results"][0]["place"]),
    ]);
    for (definition, entry) in entries {
        let mut keys = known(definition);
        if definition == "result" {
            keys.extend(known("stability"));
            keys.extend(known("script_result"));
        }
        for key in entry.as_object().unwrap().keys() {
            assert!(keys.contains(key), "{definition} has no {key}");
        }
    }
}
