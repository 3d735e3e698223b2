//! What a hook is given: arguments, environment, working directory, stdin.

use insta::assert_snapshot;

use super::project;
use crate::project::Project;

/// Runs one test with these hooks whose message is `message`; returns what the agent was asked.
fn asked(hooks: &str, message: &str, args: &[&str]) -> String {
    let project = Project::ok();
    ask(&project, hooks, message, args)
}

fn ask(project: &Project, hooks: &str, message: &str, args: &[&str]) -> String {
    project.test(&format!(
        "hooks:\n{hooks}\nturns:\n  - user: '{message}'\n    assert: {{text: {{must_match: ok}}}}\n"
    ));
    let output = project.output(args);
    assert_eq!(output.code, Some(0), "{output}");
    project.asked().join("\n---\n")
}

#[test]
fn the_environment_names_the_test_and_the_variables_so_far() {
    let project = Project::ok();
    project.cx.write(
        "env.sh",
        r#"printf '{"SEEN": "%s"}' "$ANANKE_TEST_FILE|$ANANKE_TEST_NAME|$ANANKE_VAR_TEXT|$ANANKE_VAR_LIST|$ANANKE_VAR_N""#,
    );
    let hooks = r#"
  - cmd: [echo, '{"TEXT": "two words", "LIST": [1, true], "N": null}']
  - cmd: [sh, env.sh]"#;
    assert_snapshot!(ask(&project, hooks, "${SEEN}", &[]), @"t.test.yaml|t|two words|[1,true]|null");
}

#[test]
fn values_of_the_command_line_are_variables_too_and_hooks_override_them() {
    let hooks = r#"
  - cmd: [sh, -c, 'printf "{\"SAW\": \"%s\", \"B\": \"hook\"}" "$ANANKE_VAR_A"']"#;
    let args = ["--var", "A=1", "--var", "B=2"];
    assert_snapshot!(asked(hooks, "${SAW} ${A} ${B}", &args), @"1 1 hook");
}

#[test]
fn references_stand_in_commands_and_in_the_environment() {
    let hooks = r#"
  - cmd: [echo, '{"ORDER": 42, "FORMAT": "{\"SEEN\": \"%s\"}"}']
  - cmd: [sh, -c, 'printf "$2" "$1 $STAGE"', '-', 'order-${ORDER}', '${FORMAT}']
    env: {STAGE: 'stage ${ORDER} of ${ENV.HOME_STREET:-nowhere}'}"#;
    assert_snapshot!(asked(hooks, "${SEEN}", &[]), @"order-42 stage 42 of nowhere");
}

#[test]
fn a_hooks_environment_is_that_of_ananke_with_its_own_on_top() {
    let project = Project::ok();
    project.test(
        r#"hooks:
  - cmd: [sh, -c, 'printf "{\"SEEN\": \"%s\"}" "$KEPT $CHANGED"']
    env: {CHANGED: by the hook}
turns:
  - user: '${SEEN}'
    assert: {text: {must_match: ok}}
"#,
    );
    let run = project.cx.command(&["run"]);
    let output = run.env("KEPT", "kept").env("CHANGED", "by nobody").run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_snapshot!(project.asked().join("\n"), @"kept by the hook");
}

#[test]
fn hooks_run_in_the_folder_of_the_config_file() {
    let project = Project::ok();
    project.cx.write(
        "scripts/where.sh",
        "printf '{\"DIR\": \"%s\"}' \"$(basename \"$PWD\")\"",
    );
    project.cx.write(
        "tests/deep/where.test.yaml",
        "version: 1.0\nname: where\nhooks:\n  - cmd: [sh, scripts/where.sh]\nturns:\n  - user: '${DIR}'\n    assert: {text: {must_match: ok}}\n",
    );
    assert_eq!(project.output(&["tests/deep"]).code, Some(0));
    assert_eq!(project.asked(), ["project"]);
}

#[test]
fn there_is_no_shell() {
    let hooks = r#"
  - cmd: [printf, '{"SEEN": "%s %s %s %s"}', $HOME, '*', ';', '`id`']"#;
    assert_snapshot!(asked(hooks, "${SEEN}", &[]), @"$HOME * ; `id`");
}

#[test]
fn a_hook_that_reads_its_input_gets_the_end_at_once() {
    let project = project("cat; read line; printf '{\"READ\": \"%s\"}' \"$?\"");
    let output = project
        .cx
        .command(&["run"])
        .stdin("{\"NOT\": \"for the hook\"}")
        .run();
    assert_eq!(output.code, Some(0), "{output}");
}
