//! Runs of a shell, from the outside.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Invocation, RunOutput};

fn shell(script: &str) -> Invocation {
    Invocation::new(Path::new("/bin/sh"), Path::new("/"), Path::new("/nowhere"))
        .args(&["-c", script])
}

fn shown(output: &RunOutput) -> String {
    output.to_string()
}

#[test]
fn output_and_exit_code_are_shown() {
    let output = shell("echo out; echo err >&2; exit 3").run();
    assert_eq!(
        shown(&output),
        "exit code: 3\n--- stdout\nout\n--- stderr\nerr\n"
    );
    assert!(!output.left_processes);
}

#[test]
fn the_environment_is_clean() {
    let output = shell("env | grep -v -e ^PATH= -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=")
        .env("A", "1")
        .run();
    let mut names: Vec<&str> = output.stdout.lines().collect();
    names.sort_unstable();
    assert_eq!(names, ["A=1", "HOME=/nowhere"]);
}

#[test]
fn input_is_handed_over() {
    assert_eq!(shell("cat").stdin("hello").run().stdout, "hello");
    assert_eq!(shell("cat").run().stdout, "");
}

#[test]
#[should_panic(expected = "started")]
fn a_process_that_hangs_is_killed_and_what_it_said_is_shown() {
    shell("echo started; sleep 60")
        .time_limit(Duration::from_millis(300))
        .run();
}

#[test]
fn a_process_left_behind_is_noticed_and_killed() {
    let start = Instant::now();
    let output = shell("sleep 60 & echo done").run();
    assert_eq!(output.stdout, "done\n");
    assert!(output.left_processes);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_running_process_can_be_interrupted() {
    let mut running =
        shell("trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.01; done").start();
    running.wait_for(|stdout, _| stdout.contains("ready"));
    running.interrupt();
    let output = running.wait();
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(7), "ready\ncaught\n")
    );
}
