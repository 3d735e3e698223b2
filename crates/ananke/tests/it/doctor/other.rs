//! Targets that do not speak AG-UI.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use insta::assert_snapshot;

use super::project;

#[test]
fn a_program_is_looked_for_and_asked() {
    let cx = project("target: {type: command, cmd: [./agent.sh]}");
    assert_snapshot!(cx.ananke(&["doctor"]), @"
    exit code: 3
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: the program `./agent.sh`
    ✗ connection: `./agent.sh` is not an executable file in [TMP]
    --- stderr
    ");
    cx.write("agent.sh", "#!/bin/sh\necho '\"Hi\"'\n");
    let path = cx.dir().join("agent.sh");
    let mut permissions = std::fs::metadata(&path)
        .expect("the peer is there")
        .permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&path, permissions).expect("the peer is there");
    assert_snapshot!(cx.ananke(&["doctor"]), @"
    exit code: 0
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: the program `./agent.sh`
    ✓ connection: `./agent.sh` is [TMP]/agent.sh
    ✓ run: `Hello` was answered with “Hi” (5 events, [TIME])
    --- stderr
    ");
}

#[test]
fn a_script_is_followed() {
    let cx = project("target: {type: scripted, script: {rules: [{reply: [{text: Hi}]}]}}");
    assert_snapshot!(cx.ananke(&["doctor"]), @"
    exit code: 0
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: a script, followed inside this process
    ✓ connection: there is nothing that could be out of reach
    ✓ run: `Hello` was answered with “Hi” (5 events, [TIME])
    --- stderr
    ");
}

/// Answers every request to a loopback port with this.
fn answers(response: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let url = format!(
        "http://{}",
        listener.local_addr().expect("the socket is bound")
    );
    // It ends with the test's process.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("the peer is there");
            let n_read = stream.read(&mut [0; 4096]);
            assert!(n_read.is_ok(), "the request can be read");
            stream.write_all(response.as_bytes()).ok();
        }
    });
    url
}

#[test]
fn an_endpoint_is_asked_for_its_models() {
    let url =
        answers("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let cx = project(&format!(
        "target: {{type: openai, host: \"{url}\", model: m-1, key: sk-secret-1}}"
    ));
    assert_snapshot!(cx.ananke(&["doctor"]), @"
    exit code: 3
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/v1/chat/completions
    ✗ connection: the server answers, but with HTTP 401: is the key right?
    --- stderr
    ");
    let url = answers(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{\"data\": [{\"id\": \"m-2\"}]}",
    );
    let cx = project(&format!(
        "target: {{type: openai, host: \"{url}\", model: m-1, key: sk-secret-1}}"
    ));
    assert_snapshot!(cx.ananke(&["doctor", "--no-run"]), @"
    exit code: 0
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/v1/chat/completions
    ! connection: the server answers, but does not list the model `m-1`
    --- stderr
    ");
}
