//! What the suites of tasks and tools record of real servers: judged again it gives the same verdicts, and served again it
//! passes the same tests.

use std::path::Path;

use ananke_testkit::RunOutput;

use super::server::Server;
use super::{ananke, bundled, has_both_pythons, has_node};

/// Records a suite, judges the recording, stops the server, and runs the suite against the recording.
fn replays(suite: &str, folders: &[&str], target: &str, server: Server) {
    let folder = tempfile::tempdir().expect("there is room for a bundle");
    let dir = folder.path().display().to_string();
    let words = |command: &[&str], url: &str| -> Vec<String> {
        let url = format!("URL={url}");
        let vars = ["--target", target, "--var", &url, "--var", "CONTEXT=again"];
        let all = [command, folders, &vars].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let kept = ["--bundle-dir", &dir];
    let recorded = words(&[&["run", "--quiet"], &kept[..]].concat(), server.url());
    let judged = words(&[&["judge", "latest"], &kept[..]].concat(), server.url());
    passes("recorded", &bundled(suite, &borrowed(&recorded)));
    drop(server);
    passes("judged", &ananke(suite, &borrowed(&judged)));
    let replay = Server::replay(Path::new(&dir));
    let again = words(&["run", "--quiet"], replay.url());
    passes("served", &ananke(suite, &borrowed(&again)));
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn passes(what: &str, output: &RunOutput) {
    assert_eq!(output.code, Some(0), "{what}: {output}");
}

#[test]
fn agents_of_the_python_sdks() {
    if !has_both_pythons("recordings of a2a-sdk") {
        return;
    }
    let folders = ["words", "calls"];
    replays("a2a", &folders, "streamed", Server::a2a(&[]));
    replays("a2a", &folders, "rest-blocking", Server::a2a(&[]));
    replays("a2a", &folders, "streamed", Server::a2a_old(&[]));
}

#[test]
fn agents_of_the_node_sdk() {
    if !has_node("recordings of @a2a-js/sdk") {
        return;
    }
    let server = Server::a2a_node(&[]);
    replays("a2a", &["words", "calls"], "streamed", server);
}

#[test]
fn tools_in_python() {
    if !has_both_pythons("recordings of fastmcp and mcp 1") {
        return;
    }
    let folders = ["tools", "models"];
    replays("mcp", &folders, "http", Server::mcp("http", &[]));
    replays("mcp", &folders, "http", Server::mcp_old("http", &[]));
}

#[test]
fn tools_of_the_reference_server() {
    if !has_node("recordings of server-everything") {
        return;
    }
    let server = Server::everything("http");
    replays("everything", &["tools"], "http", server);
}
