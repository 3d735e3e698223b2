//! Servers that do not come up, or do not stay: exit code 3 and what they printed.

use std::time::Duration;

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;

use super::App;
use crate::ANANKE;
use crate::project::shown;

#[test]
fn a_server_that_ends_at_once_is_shown_with_what_it_printed() {
    let Some(app) = App::new("print('loading', file=sys.stderr); sys.exit('no database')") else {
        return;
    };
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 3
    --- stderr
    error: the server ended before it answered at http://[HOST]/health: exit status: 1
      | loading
      | no database
    hint: `server` is written at ananke.config.yaml:3
    ");
}

#[test]
fn a_server_that_ends_well_before_it_answers_is_an_error_too() {
    let Some(app) = App::new("sys.exit(0)") else {
        return;
    };
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 3
    --- stderr
    error: the server ended before it answered at http://[HOST]/health: exit status: 0
    hint: `server` is written at ananke.config.yaml:3
    ");
}

#[test]
fn a_server_that_never_listens_is_given_up_after_its_limit() {
    let Some(app) = App::new("") else { return };
    app.server(&[
        "cmd: [sh, -c, echo warming up; exec sleep 60]",
        "timeout_ms: 800",
    ]);
    let output = app.run(&[]);
    assert_snapshot!(super::verdicts(&app.cx.show(&output)), @"
    exit code: 3
    --- stderr
    error: the server did not answer at http://[HOST]/health within [TIME] (server.timeout_ms)
      | warming up
    hint: `server` is written at ananke.config.yaml:3
    ");
    assert!(output.stderr.contains("within 800ms"), "{output}");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
}

#[test]
fn a_server_that_listens_and_never_answers_is_given_up_after_its_limit() {
    let setup = "
import socket
mute = socket.socket()
mute.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
mute.bind(('127.0.0.1', PORT))
mute.listen()
time.sleep(60)
";
    let Some(app) = App::new(setup) else { return };
    app.server(&["cmd: [python3, app.py, ${PORT}]", "timeout_ms: 400"]);
    let output = app.run(&[]);
    assert_eq!(output.code, Some(3), "{output}");
    assert!(output.stderr.contains("within 400ms"), "{output}");
    assert!(output.elapsed < Duration::from_millis(2400), "{output}");
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let Some(app) = App::new("") else { return };
    app.server(&["cmd: [no-such-server]"]);
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 3
    --- stderr
    error: the server `no-such-server` cannot be started: No such file or directory (os error 2)
    hint: `server` is written at ananke.config.yaml:3
    ");
}

#[test]
fn an_address_that_answers_already_is_an_error() {
    let (cx, agent) = (TestContext::new(ANANKE), ScriptedAgent::says("ok"));
    let url = agent.url();
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: 1.0\nserver:\n  cmd: [touch, started]\n  url: {url}\ntarget:\n  type: agui\n  endpoint: {url}\n"
        ),
    );
    cx.write(
        "t.test.yaml",
        "version: 1.0\nname: t\nturns:\n  - user: hello\n    assert: {text: {must_match: ok}}\n",
    );
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: something answers at http://[HOST]/ already: stop it, or leave out `server`
    hint: `server` is written at ananke.config.yaml:3
    ");
    assert!(!cx.exists("started"));
    assert!(agent.requests().is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_goes_into_the_background_is_told_to_stay() {
    let setup = "
if os.fork() > 0:
    while not os.path.exists('daemon'):
        time.sleep(0.01)
    os._exit(0)
os.setsid()
open('daemon.new', 'w').write(str(os.getpid()))
os.rename('daemon.new', 'daemon')
time.sleep(60)
";
    let Some(mut app) = App::new(setup) else {
        return;
    };
    let output = app.run(&[]);
    app.cx.filter(&app.cx.read("daemon"), "[PID]");
    assert_snapshot!(super::verdicts(&app.cx.show(&output)), @"
    exit code: 3
    --- stderr
    error: the server ended before it answered at http://[HOST]/health: exit status: 0; it left python3 (pid [PID]) in the background, which was ended: `server` must stay in the foreground
    hint: `server` is written at ananke.config.yaml:3
    ");
}

#[test]
fn a_server_that_dies_during_the_run_is_shown_with_what_it_printed() {
    let setup = "
def die(self):
    self.rfile.read(int(self.headers['content-length']))
    os.write(2, b'out of memory\\n')
    os._exit(9)
Agent.do_POST = die
";
    let Some(app) = App::new(setup) else { return };
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 3
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: http://[HOST] closed the connection without an answer
         captured in turn 1: 0 events, no tool call, no text
    --- stderr
    warning: the server ended during the run: exit status: 9
      | out of memory
    ");
}

#[test]
fn with_json_there_is_one_document_also_when_the_server_does_not_start() {
    let Some(app) = App::new("sys.exit('no database')") else {
        return;
    };
    let output = app.run(&["--json"]);
    assert_eq!(output.code, Some(3), "{output}");
    let report = serde_json::from_str(&output.stdout).unwrap();
    assert_snapshot!(shown(&app.cx, &report), @r#"
    {
      "schema": "ananke.report/1",
      "error": {
        "message": "the server ended before it answered at http://[HOST]/health: exit status: 1",
        "exit_code": 3
      },
      "diagnostics": [
        {
          "severity": "error",
          "message": "the server ended before it answered at http://[HOST]/health: exit status: 1",
          "label": "no database",
          "hint": "`server` is written at ananke.config.yaml:3"
        }
      ],
      "summary": {
        "total": 0,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "timeouts": 0,
        "skipped": 0,
        "inconclusive": 0,
        "unchecked": 0,
        "flaky": 0,
        "interrupted": false,
        "duration_ms": 0,
        "connector": null,
        "runs_per_case": 1,
        "overall_pass_rate": 0.0
      },
      "environment": {},
      "results": []
    }
    "#);
}

#[test]
fn mistakes_are_found_before_anything_is_started() {
    let Some(app) = App::new("") else { return };
    app.server(&["cmd: python3 app.py", "timeout_ms: 0", "port: 80"]);
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 2
    --- stderr
    error: expected a list, found text
     --> ananke.config.yaml:3:8
      |
    3 |   cmd: python3 app.py
      |        ^^^^^^^^^^^^^^ there is no shell: program and arguments are written one by one
    hint: write `cmd: [python3, app.py]`

    error: `0` is out of range
     --> ananke.config.yaml:4:15
      |
    4 |   timeout_ms: 0
      |               ^ expected a whole number from 1 to 2147483647

    error: unknown key `port` in a server
     --> ananke.config.yaml:5:3
      |
    5 |   port: 80
      |   ^^^^ expected `cmd`, `url`, `timeout_ms` or `env`

    error: 3 errors in 1 file
    ");
}

#[test]
fn a_reference_without_a_value_is_a_mistake_in_the_config() {
    let Some(app) = App::new("open('started', 'w')") else {
        return;
    };
    app.server(&[
        "cmd: [python3, app.py, '${PORTS}']",
        "env: {A: '${ENV.NOBODY}'}",
    ]);
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 2
    --- stderr
    error: `${PORTS}` has no value
     --> ananke.config.yaml:3:26
      |
    3 |   cmd: [python3, app.py, '${PORTS}']
      |                          ^^^^^^^^^^ the server starts before any hook
    hint: give it with `--var PORTS=…`, or write a default: `${PORTS:-…}`

    error: `${ENV.NOBODY}` has no value
     --> ananke.config.yaml:4:12
      |
    4 |   env: {A: '${ENV.NOBODY}'}
      |            ^^^^^^^^^^^^^^^ the environment has no `NOBODY`
    hint: set `NOBODY`, or write a default: `${ENV.NOBODY:-…}`

    error: 2 errors in 1 file
    ");
    assert!(!app.cx.exists("started"));
}
