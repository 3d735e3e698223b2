//! `ananke conform` on servers of MCP that we did not write.

use insta::assert_snapshot;

use super::conform::{conform_by, stable};
use super::server::Server;
use super::{has_both_pythons, has_node};

fn conform(setup: &str, known: &str, server: &Server) -> String {
    let url = format!("{}mcp", server.url());
    stable(&conform_by(setup, known, &url, &[]))
}

#[test]
fn fastmcp() {
    if !has_both_pythons("conformance of fastmcp") {
        return;
    }
    let server = Server::mcp("http", &[]);
    assert_snapshot!(conform("mcp-words.yaml", "mcp-fastmcp", &server), @r#"
    discover pass
    initialize pass
    list pass
    call pass
    probes warn
    mcp.origin [probes
    mcp.bad-cursor [probes
    baseline {"n_matched":2,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn mcp_1() {
    if !has_both_pythons("conformance of mcp 1") {
        return;
    }
    let server = Server::mcp_old("http", &[]);
    assert_snapshot!(conform("mcp-words.yaml", "mcp-old", &server), @r#"
    discover inconclusive
    initialize pass
    list pass
    call pass
    probes warn
    mcp.unknown-method [probes
    mcp.bad-cursor [probes
    baseline {"n_matched":2,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn the_reference_server() {
    if !has_node("conformance of server-everything") {
        return;
    }
    let server = Server::everything("http");
    assert_snapshot!(conform("everything-words.yaml", "mcp-everything", &server), @r#"
    discover inconclusive
    initialize pass
    list pass
    call pass
    probes warn
    mcp.session-ended [probes
    mcp.origin [probes
    mcp.bad-params [probes
      {
        "expected": "string",
        "code": "invalid_type",
        "path": [
          "params",
          "name"
        ],
        "message": "Invalid input: expected string, received undefined"
      }
    ])
    mcp.bad-cursor [probes
    baseline {"n_matched":4,"stale":[],"unseen":[]}
    "#);
}
