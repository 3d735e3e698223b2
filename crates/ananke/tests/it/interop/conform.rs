//! `ananke conform` on servers that we did not write: what it finds is listed in `suites/conform/<server>.known.yaml`, with
//! the reason. Anything else would be a false alarm, or a server that changed.

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::Value;

use super::server::Server;
use super::{ananke, has_node, has_python};

/// Runs a profile against a server. Every finding must be listed, and everything listed must be found.
fn conform(server: &str, url: &str, more: &[&str]) -> String {
    conform_by("words.yaml", server, url, more)
}

/// The same, by another setup.
pub(super) fn conform_by(setup: &str, server: &str, url: &str, more: &[&str]) -> String {
    let url = format!("URL={url}");
    let known = format!("{server}.known.yaml");
    let mut args = vec![
        "conform",
        "--setup",
        setup,
        "--var",
        &url,
        "--baseline",
        &known,
        "--json",
    ];
    args.extend(more);
    let output = ananke("conform", &args);
    let report: Value =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in\n{output}"));
    let text = digest(&report);
    assert_eq!(output.code, Some(0), "{text}");
    let checks = report["checks"].as_array().expect("a list");
    let mut findings = checks.iter().flat_map(|check| {
        let findings = check["findings"].as_array().expect("a list");
        findings.iter().map(move |finding| (&check["id"], finding))
    });
    let unknown = findings.find(|(_, finding)| finding["known"] != true);
    assert!(unknown.is_none(), "{unknown:?} is not listed in\n{text}");
    text
}

/// Scenarios, findings, clients, in few words.
fn digest(report: &Value) -> String {
    let mut text = String::new();
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for scenario in list("scenarios") {
        writeln!(
            text,
            "{} {}",
            word(&scenario["name"]),
            word(&scenario["verdict"])
        )
        .ok();
    }
    for check in list("checks") {
        for finding in check["findings"].as_array().into_iter().flatten() {
            let [id, scenario, message] =
                [&check["id"], &finding["scenario"], &finding["message"]].map(word);
            writeln!(text, "{id} [{scenario}] {message}").ok();
        }
    }
    for client in list("clients") {
        writeln!(
            text,
            "{} {}",
            word(&client["client"]),
            word(&client["verdict"])
        )
        .ok();
    }
    writeln!(text, "baseline {}", report["baseline"]).ok();
    text
}

/// Leaves out messages, which hold ids that differ from run to run.
pub(super) fn stable(text: &str) -> String {
    let mut lines: Vec<&str> = text
        .lines()
        .map(|line| line.split_once("] ").map_or(line, |(head, _)| head))
        .collect();
    lines.dedup();
    lines.join("\n")
}

#[test]
fn pydantic_ai() {
    if !has_python("conformance of pydantic-ai") {
        return;
    }
    let server = Server::pydantic();
    assert_snapshot!(stable(&conform("pydantic", server.url(), &[])), @r#"
    hello pass
    multi-turn pass
    backend-tool pass
    parallel-tools pass
    failing-tool inconclusive
    frontend-tool pass
    interrupt warn
    state pass
    abort pass
    error warn
    probes pass
    semantics.timestamp-all [error
    behaviour.resume-unknown [interrupt
    @ag-ui/client 0.0.59 fail
    @ag-ui/client 1.0.0 pass
    baseline {"n_matched":2,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn langgraph() {
    if !has_python("conformance of ag-ui-langgraph") {
        return;
    }
    let server = Server::langgraph();
    assert_snapshot!(stable(&conform("langgraph", server.url(), &[])), @r#"
    hello warn
    multi-turn warn
    backend-tool warn
    parallel-tools inconclusive
    failing-tool inconclusive
    frontend-tool inconclusive
    interrupt inconclusive
    state warn
    abort warn
    error warn
    probes warn
    http.unknown-part [probes
    http.unknown-role [probes
    sequence.version [hello
    sequence.version [multi-turn
    sequence.version [backend-tool
    sequence.version [parallel-tools
    sequence.version [failing-tool
    sequence.version [frontend-tool
    sequence.version [interrupt
    sequence.version [state
    sequence.version [abort
    sequence.version [error
    sequence.version [probes
    semantics.snapshot-ids [backend-tool
    semantics.history [backend-tool
    semantics.custom-prefix [interrupt
    behaviour.approval-not-success [interrupt
    @ag-ui/client 0.0.59 pass
    @ag-ui/client 1.0.0 pass
    baseline {"n_matched":7,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn langgraph_with_outcomes() {
    if !has_python("conformance of ag-ui-langgraph with outcomes") {
        return;
    }
    let server = Server::langgraph();
    let url = format!("{}outcome", server.url());
    assert_snapshot!(stable(&conform("langgraph-outcome", &url, &[])), @r#"
    hello warn
    multi-turn warn
    backend-tool warn
    parallel-tools inconclusive
    failing-tool inconclusive
    frontend-tool inconclusive
    interrupt warn
    state warn
    abort warn
    error warn
    probes warn
    http.unknown-part [probes
    http.unknown-role [probes
    sequence.version [hello
    sequence.version [multi-turn
    sequence.version [backend-tool
    sequence.version [parallel-tools
    sequence.version [failing-tool
    sequence.version [frontend-tool
    sequence.version [interrupt
    sequence.version [state
    sequence.version [abort
    semantics.restreamed-call [interrupt
    semantics.snapshot-ids [backend-tool
    semantics.snapshot-ids [interrupt
    semantics.history [backend-tool
    semantics.history [interrupt
    semantics.custom-prefix [interrupt
    semantics.interrupt-names-call [interrupt
    @ag-ui/client 0.0.59 pass
    @ag-ui/client 1.0.0 pass
    baseline {"n_matched":8,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn encoder() {
    if !has_node("conformance of @ag-ui/encoder") {
        return;
    }
    let server = Server::encoder();
    assert_snapshot!(stable(&conform("encoder", server.url(), &[])), @r#"
    hello pass
    multi-turn pass
    backend-tool pass
    parallel-tools pass
    failing-tool inconclusive
    frontend-tool pass
    interrupt pass
    state inconclusive
    abort pass
    error pass
    probes pass
    @ag-ui/client 0.0.59 fail
    @ag-ui/client 1.0.0 pass
    baseline {"n_matched":0,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn copilot() {
    if !has_node("conformance of CopilotKit's runtime") {
        return;
    }
    let agent = Server::encoder();
    let server = Server::copilot(&agent, "multi-route");
    let url = format!("{}agent/shop/run", server.url());
    assert_snapshot!(stable(&conform("copilot", &url, &[])), @r#"
    hello pass
    multi-turn pass
    backend-tool pass
    parallel-tools pass
    failing-tool inconclusive
    frontend-tool pass
    interrupt pass
    state inconclusive
    abort pass
    error pass
    probes warn
    http.minimal-input [probes
    http.unknown-part [probes
    http.unknown-role [probes
    http.request-content-type [probes
    @ag-ui/client 0.0.59 fail
    @ag-ui/client 1.0.0 pass
    baseline {"n_matched":4,"stale":[],"unseen":[]}
    "#);
}
