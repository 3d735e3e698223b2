//! Servers that come up: waited for, used, stopped.

use std::time::Duration;

use insta::assert_snapshot;

use super::App;

#[test]
fn the_server_is_started_waited_for_and_stopped() {
    let Some(app) = App::new("time.sleep(0.2); open('pid', 'w').write(str(os.getpid()))") else {
        return;
    };
    assert_snapshot!(app.verdict(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    assert!(app.cx.exists("pid"));
}

#[test]
fn its_environment_and_arguments_may_hold_references() {
    let Some(app) = App::new("assert os.environ['KEPT'] == 'kept'; TEXT += sys.argv[2]") else {
        return;
    };
    app.server(&[
        "cmd: [python3, app.py, ${PORT}, '-${NAME}']",
        "env: {APP_TEXT: 'hello ${ENV.WHO} ${ENV.NOBODY:-there}'}",
    ]);
    app.test("hello you there-x");
    let run = app.cx.command(&["run", "--var", "NAME=x"]);
    let output = run.env("WHO", "you").env("KEPT", "kept").run();
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn it_runs_in_the_folder_of_the_config_file() {
    let Some(app) = App::new("open('here', 'w')") else {
        return;
    };
    app.cx
        .write("tests/deep/t.test.yaml", &app.cx.read("t.test.yaml"));
    assert_eq!(app.run(&["tests/deep"]).code, Some(0));
    assert!(app.cx.exists("here"));
}

#[test]
#[cfg(target_os = "linux")]
fn workers_that_it_forked_are_stopped_with_it() {
    let setup = "
for worker in range(3):
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        open(f'worker-{worker}', 'w').write(str(os.getpid()))
        time.sleep(60)
        os._exit(0)
while not all(os.path.exists(f'worker-{worker}') for worker in range(3)):
    time.sleep(0.01)
";
    let Some(app) = App::new(setup) else { return };
    let output = app.run(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    for worker in 0..3 {
        let id = app.cx.read(&format!("worker-{worker}"));
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[test]
fn a_server_that_ignores_sigterm_is_killed() {
    let Some(app) = App::new("signal.signal(signal.SIGTERM, signal.SIG_IGN)") else {
        return;
    };
    let output = app.run(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.elapsed < Duration::from_secs(10), "{output}");
}

#[test]
fn a_server_may_clean_up() {
    let setup = "
def clean(*_):
    open('cleaned', 'w')
    os._exit(0)
signal.signal(signal.SIGTERM, clean)
";
    let Some(app) = App::new(setup) else { return };
    assert_eq!(app.run(&[]).code, Some(0));
    assert!(app.cx.exists("cleaned"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_in_a_session_of_its_own_is_named_and_ended() {
    let setup = "
if os.fork() == 0:
    os.setsid()
    open('worker.new', 'w').write(str(os.getpid()))
    os.rename('worker.new', 'worker')
    time.sleep(60)
    os._exit(0)
while not os.path.exists('worker'):
    time.sleep(0.01)
";
    let Some(mut app) = App::new(setup) else {
        return;
    };
    let output = app.run(&[]);
    app.cx.filter(&app.cx.read("worker"), "[PID]");
    assert_snapshot!(super::verdicts(&app.cx.show(&output)), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    --- stderr
    warning: the server left processes in the background, which were ended: python3 (pid [PID])
    ");
}

#[test]
fn a_server_that_prints_without_end_is_drained() {
    let setup = "
import threading
def flood():
    while True:
        os.write(1, b'x' * 65536)
        os.write(2, b'y' * 65536)
threading.Thread(target=flood, daemon=True).start()
";
    let Some(app) = App::new(setup) else { return };
    let output = app.run(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.peak_rss_kib < Some(128 << 10), "{output:?}");
}

#[test]
fn looking_at_tests_starts_nothing() {
    let Some(app) = App::new("open('started', 'w')") else {
        return;
    };
    for args in [
        ["run", "--dry-run"].as_slice(),
        &["run", "--dry-run", "--json"],
        &["list"],
        &["validate"],
    ] {
        let output = app.cx.run(args);
        assert_eq!(output.code, Some(0), "{output}");
        assert!(!app.cx.exists("started"), "{args:?}");
    }
}

#[test]
fn nothing_is_started_when_nothing_is_run() {
    let Some(app) = App::new("open('started', 'w')") else {
        return;
    };
    assert_eq!(app.run(&["--run", "no such test"]).code, Some(4));
    app.cx.write("broken.test.yaml", "version: 1.0\nnme: x\n");
    assert_eq!(app.run(&[]).code, Some(2));
    assert!(!app.cx.exists("started"));
}
