//! Formats for other programs.

use ananke_model::conformance::ConformanceReport;
use insta::assert_snapshot;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::super::{conformance_json, conformance_junit, conformance_sarif};
use super::samples::{failing, harness, hostile, inconclusive, passing, with_baseline};

fn strict() -> ConformanceReport {
    ConformanceReport {
        strict: true,
        ..passing()
    }
}

fn all() -> Vec<ConformanceReport> {
    vec![
        passing(),
        strict(),
        failing(),
        inconclusive(),
        with_baseline(true),
        with_baseline(false),
        harness(),
        hostile(),
    ]
}

#[test]
fn json_has_a_verdict() {
    let heads: Vec<String> = all()
        .iter()
        .map(|report| {
            let json: Value = serde_json::from_str(&conformance_json(report)).unwrap();
            format!("{} {} {}", json["ok"], json["verdict"], json["counts"])
        })
        .collect();
    assert_snapshot!(heads.join("\n"), @r#"
    true "passed" {"fail":0,"inconclusive":0,"off":1,"pass":2,"warn":0}
    false "inconclusive" {"fail":0,"inconclusive":0,"off":1,"pass":2,"warn":0}
    false "failed" {"fail":2,"inconclusive":1,"off":1,"pass":2,"warn":1}
    false "inconclusive" {"fail":0,"inconclusive":3,"off":0,"pass":0,"warn":0}
    false "failed" {"fail":0,"inconclusive":0,"off":1,"pass":2,"warn":1}
    true "passed" {"fail":0,"inconclusive":0,"off":1,"pass":2,"warn":1}
    false "harness-error" {"fail":0,"inconclusive":3,"off":0,"pass":0,"warn":0}
    false "harness-error" {"fail":2,"inconclusive":1,"off":1,"pass":2,"warn":1}
    "#);
    let json: Value = serde_json::from_str(&conformance_json(&with_baseline(false))).unwrap();
    assert_snapshot!(format!("{:#}", json["checks"][3]), @r#"
    {
      "id": "shape.required",
      "level": "MUST",
      "layer": "shape",
      "title": "what `shape.required` says holds",
      "reason": "clients wait for it",
      "section": "Events, run lifecycle",
      "advice": "send it before the run ends.",
      "severity": "error",
      "verdict": "warn",
      "findings": [
        {
          "scenario": "hello",
          "step": "run",
          "exchange": 0,
          "event": 2,
          "event_type": "RUN_FINISHED",
          "message": "`messageId` is missing",
          "excerpt": "{\"type\":\"RUN_FINISHED\"}",
          "known": true
        }
      ],
      "n_more": 0
    }
    "#);
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_snapshot!(format!("{keys:?}"), @r#"["schema", "ok", "verdict", "counts", "profile", "subject", "checks", "scenarios", "clients", "exchanges", "baseline", "notes", "strict", "duration_ms"]"#);
}

#[test]
fn junit_has_a_suite_for_each_layer() {
    assert_snapshot!(conformance_junit(&failing()), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ananke conform" tests="7" failures="2" errors="0" time="1.234">
        <testsuite name="conform.http" tests="2" skipped="0" errors="0" failures="1">
            <properties>
                <property name="subject" value="http://localhost:8000/agent"/>
                <property name="profile" value="ag-ui@1.0"/>
            </properties>
            <testcase name="http.status" classname="conform.http"/>
            <testcase name="http.body-closed" classname="conform.http">
                <failure message="hello · run: the connection broke" type="MUST">what `http.body-closed` says holds
    hello · run: the connection broke
    why: clients wait for it
    fix: send it before the run ends.
    see: ananke conform --explain http.body-closed</failure>
            </testcase>
        </testsuite>
        <testsuite name="conform.shape" tests="1" skipped="0" errors="0" failures="0">
            <properties>
                <property name="subject" value="http://localhost:8000/agent"/>
                <property name="profile" value="ag-ui@1.0"/>
            </properties>
            <testcase name="shape.null" classname="conform.shape"/>
        </testsuite>
        <testsuite name="conform.sequence" tests="1" skipped="0" errors="0" failures="1">
            <properties>
                <property name="subject" value="http://localhost:8000/agent"/>
                <property name="profile" value="ag-ui@1.0"/>
            </properties>
            <testcase name="sequence.open-at-finish" classname="conform.sequence">
                <failure message="hello · run · event 0 RUN_FINISHED: message `m0` is still open" type="MUST">what `sequence.open-at-finish` says holds
    hello · run · event 0 RUN_FINISHED: message `m0` is still open
    hello · run · event 1 RUN_FINISHED: message `m1` is still open
    hello · run · event 2 RUN_FINISHED: message `m2` is still open
    hello · run · event 3 RUN_FINISHED: message `m3` is still open
    hello · run · event 4 RUN_FINISHED: message `m4` is still open
    hello · run · event 5 RUN_FINISHED: message `m5` is still open
    hello · run · event 6 RUN_FINISHED: message `m6` is still open
    … 3 more findings
    why: clients wait for it
    fix: send it before the run ends.
    see: ananke conform --explain sequence.open-at-finish</failure>
            </testcase>
        </testsuite>
        <testsuite name="conform.semantics" tests="2" skipped="1" errors="0" failures="0">
            <properties>
                <property name="subject" value="http://localhost:8000/agent"/>
                <property name="profile" value="ag-ui@1.0"/>
            </properties>
            <testcase name="semantics.usage-total" classname="conform.semantics">
                <skipped message="the rule is switched off"/>
            </testcase>
            <testcase name="semantics.custom-prefix" classname="conform.semantics">
                <system-out>warning: what `semantics.custom-prefix` says holds
    hello · run · event 4 RUN_FINISHED: `foo` has no prefix
    </system-out>
            </testcase>
        </testsuite>
        <testsuite name="conform.behaviour" tests="1" skipped="1" errors="0" failures="0">
            <properties>
                <property name="subject" value="http://localhost:8000/agent"/>
                <property name="profile" value="ag-ui@1.0"/>
            </properties>
            <testcase name="behaviour.resume-unknown" classname="conform.behaviour">
                <skipped message="no tool call was seen"/>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn junit_is_never_green_without_a_verdict() {
    let suites = |report: &ConformanceReport| {
        let xml = conformance_junit(report);
        let lines = xml.lines().map(str::trim);
        let lines = lines.filter(|line| {
            ["<testsuite", "<error", "<failure", "<skipped"]
                .iter()
                .any(|tag| line.starts_with(tag))
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(suites(&inconclusive()), @r#"
    <testsuites name="ananke conform" tests="4" failures="0" errors="1" time="1.234">
    <testsuite name="conform.run" tests="1" skipped="0" errors="1" failures="0">
    <error message="nothing was seen that a rule could be judged by" type="inconclusive"/>
    <testsuite name="conform.http" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    <testsuite name="conform.shape" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    <testsuite name="conform.semantics" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    "#);
    assert_snapshot!(suites(&strict()), @r#"
    <testsuites name="ananke conform" tests="4" failures="0" errors="1" time="1.234">
    <testsuite name="conform.run" tests="1" skipped="0" errors="1" failures="0">
    <error message="1 scenario was not shown (--strict)" type="inconclusive"/>
    <testsuite name="conform.http" tests="1" skipped="0" errors="0" failures="0">
    <testsuite name="conform.shape" tests="1" skipped="0" errors="0" failures="0">
    <testsuite name="conform.semantics" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="the rule is switched off"/>
    "#);
    assert_snapshot!(suites(&harness()), @r#"
    <testsuites name="ananke conform" tests="4" failures="0" errors="1" time="1.234">
    <testsuite name="conform.run" tests="1" skipped="0" errors="1" failures="0">
    <error message="a request of ananke itself breaks the protocol, so nothing was found out" type="harness-error">hello, run: `threadId` is missing
    <testsuite name="conform.http" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    <testsuite name="conform.shape" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    <testsuite name="conform.semantics" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="no answer was seen"/>
    "#);
    assert_snapshot!(suites(&with_baseline(true)), @r#"
    <testsuites name="ananke conform" tests="6" failures="1" errors="0" time="1.234">
    <testsuite name="conform.http" tests="1" skipped="0" errors="0" failures="0">
    <testsuite name="conform.shape" tests="2" skipped="0" errors="0" failures="0">
    <testsuite name="conform.semantics" tests="1" skipped="1" errors="0" failures="0">
    <skipped message="the rule is switched off"/>
    <testsuite name="conform.baseline" tests="2" skipped="1" errors="0" failures="1">
    <failure message="`shape.null` in `hello` passes now; remove the entry" type="stale"/>
    <skipped message="`http.utf8` could not be judged this time"/>
    "#);
}

#[test]
fn junit_is_xml_whatever_a_server_says() {
    for report in all() {
        let xml = conformance_junit(&report);
        let mut reader = Reader::from_str(&xml);
        let mut n_cases = 0;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) => {
                    n_cases += usize::from(tag.name().as_ref() == b"testcase");
                    for attribute in tag.attributes() {
                        attribute.unwrap();
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        assert!(n_cases >= report.checks.len());
        let is_legal = |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.chars().all(is_legal));
    }
}

fn sarif(report: &ConformanceReport) -> Value {
    serde_json::from_str(&conformance_sarif(report, "1.2.3")).unwrap()
}

#[test]
fn sarif_has_what_the_format_demands() {
    for report in all() {
        let log = sarif(&report);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "ananke");
        let rules = driver["rules"].as_array().unwrap();
        let mut fingerprints = Vec::new();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            let message = result["message"]["text"].as_str().unwrap();
            assert!(!message.contains("]("), "{message}");
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            let location = &result["locations"][0];
            let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
            let uri = uri.as_str().unwrap();
            assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()));
            // A repository has no file with the name of a server.
            assert!(!uri.starts_with("http"), "{uri}");
            let has_state = result["baselineState"].is_string();
            assert_eq!(has_state, report.baseline.is_some());
            assert_eq!(has_state, result["suppressions"].is_array());
            fingerprints.push(result["partialFingerprints"].to_string());
        }
        let n_results = fingerprints.len();
        fingerprints.sort();
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), n_results);
        for rule in rules {
            assert!(rule["shortDescription"]["text"].is_string());
            assert!(rule["help"]["text"].is_string() && rule["help"]["markdown"].is_string());
        }
        let invocation = &run["invocations"][0];
        assert_eq!(
            invocation["executionSuccessful"],
            Value::Bool(report.harness_error.is_none())
        );
    }
}

#[test]
fn fingerprints_stay_when_only_ids_change() {
    let mut later = failing();
    later.checks[4].findings[0].message = "the connection broke, again".to_owned();
    let prints = |report: &ConformanceReport| {
        let log = sarif(report);
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results
            .iter()
            .map(|result| result["partialFingerprints"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(prints(&failing()), prints(&later));
}

#[test]
fn sarif_reads_like_this() {
    let log = sarif(&with_baseline(true));
    let run = &log["runs"][0];
    assert_snapshot!(format!("{:#}", run["results"]), @r#"
    [
      {
        "ruleId": "shape.required",
        "ruleIndex": 3,
        "kind": "fail",
        "level": "error",
        "message": {
          "text": "`messageId` is missing (hello, run, event 2 RUN_FINISHED)"
        },
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "ananke-conform/server"
              },
              "region": {
                "startLine": 1
              }
            },
            "logicalLocations": [
              {
                "name": "event 2 RUN_FINISHED",
                "fullyQualifiedName": "hello/run/event 2 RUN_FINISHED",
                "kind": "event"
              },
              {
                "name": "http://localhost:8000/agent",
                "fullyQualifiedName": "http://localhost:8000/agent",
                "kind": "server"
              }
            ]
          }
        ],
        "partialFingerprints": {
          "anankeConform/v1": "e67cbf43e29dabc4"
        },
        "properties": {
          "subject": "http://localhost:8000/agent",
          "exchange": 0,
          "excerpt": "{\"type\":\"RUN_FINISHED\"}"
        },
        "baselineState": "unchanged",
        "suppressions": [
          {
            "kind": "external",
            "status": "accepted"
          }
        ]
      },
      {
        "ruleId": "baseline.stale",
        "ruleIndex": 4,
        "kind": "fail",
        "level": "error",
        "message": {
          "text": "`shape.null` in `hello` passes now; remove the entry"
        },
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "ci/known.yaml"
              },
              "region": {
                "startLine": 7
              }
            }
          }
        ],
        "partialFingerprints": {
          "anankeConform/v1": "bbec6b908c803b9c"
        },
        "baselineState": "new",
        "suppressions": []
      }
    ]
    "#);
    assert_snapshot!(format!("{:#}", run["tool"]["driver"]["rules"][3]), @r#"
    {
      "id": "shape.required",
      "name": "ShapeRequired",
      "shortDescription": {
        "text": "what `shape.required` says holds"
      },
      "fullDescription": {
        "text": "clients wait for it"
      },
      "help": {
        "text": "clients wait for it (Events, run lifecycle)\nsend it before the run ends.\nsee: ananke conform --explain shape.required",
        "markdown": "clients wait for it\n\n**What to do:** send it before the run ends.\n\n*MUST, Events, run lifecycle*\n\nAn example: `ananke conform --explain shape.required`"
      },
      "defaultConfiguration": {
        "enabled": true,
        "level": "error"
      },
      "properties": {
        "tags": [
          "conformance",
          "shape",
          "MUST"
        ],
        "explain": "ananke conform --explain shape.required"
      }
    }
    "#);
    assert_snapshot!(format!("{:#}", sarif(&harness())["runs"][0]["invocations"]), @r#"
    [
      {
        "executionSuccessful": false,
        "toolExecutionNotifications": [
          {
            "level": "error",
            "message": {
              "text": "hello, run: `threadId` is missing\nat /threadId"
            }
          },
          {
            "level": "note",
            "message": {
              "text": "`http.status` could not be judged: no answer was seen"
            },
            "associatedRule": {
              "id": "http.status",
              "index": 0
            }
          },
          {
            "level": "note",
            "message": {
              "text": "`shape.null` could not be judged: no answer was seen"
            },
            "associatedRule": {
              "id": "shape.null",
              "index": 1
            }
          },
          {
            "level": "note",
            "message": {
              "text": "`semantics.usage-total` could not be judged: no answer was seen"
            },
            "associatedRule": {
              "id": "semantics.usage-total",
              "index": 2
            }
          }
        ]
      }
    ]
    "#);
}
