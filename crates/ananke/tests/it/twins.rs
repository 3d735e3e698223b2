//! Every flag of every command can be set in the environment, and its help says how.

use ananke_testkit::{ScriptedAgent, TestContext};

use crate::ANANKE;

fn help(args: &[&str]) -> String {
    let cx = TestContext::new(ANANKE);
    let output = cx.command(args).env("COLUMNS", "100").run();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

/// The names of all commands, as the help lists them.
pub(crate) fn commands() -> Vec<String> {
    let help = help(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let own = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '));
    let names = own.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    assert!(names.len() > 8, "{names:?}");
    names
}

/// The flags of a help text, each with all that is said about it.
fn flags(help: &str) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    for line in help.lines() {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        if start.starts_with('-') && (indent == 2 || indent == 6) {
            flags.push(start.to_owned());
        } else if let Some(flag) = flags.last_mut().filter(|_| indent > 6) {
            flag.push(' ');
            flag.push_str(start);
        }
    }
    flags
}

#[test]
fn every_flag_names_its_environment_twin() {
    let mut wrong = Vec::new();
    let mut n_flags = 0;
    for command in commands() {
        for flag in flags(&help(&[&command, "--help"])) {
            n_flags += 1;
            let is_help = flag.contains("--help ") || flag.contains("--version ");
            if !is_help && !flag.contains("[env: ANANKE_") {
                wrong.push(format!("{command}: {flag}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_flags > 60, "only {n_flags} flags were found");
}

/// A project with two tests, `a` and `b`, that pass.
fn project(agent: &ScriptedAgent) -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.config_for(agent);
    for name in ["a", "b"] {
        let text = format!(
            "version: 1\nname: {name}\ntags: [{name}]\nturns: [{{user: hi}}]\nassert: {{text: {{must_match: Hello}}}}\n"
        );
        cx.write(&format!("{name}.test.yaml"), &text);
    }
    cx
}

#[test]
fn the_twin_of_a_repeatable_flag_takes_a_list() {
    let agent = ScriptedAgent::says("Hello");
    for list in ["out/a.json,out/b.md", " out/a.json\nout/b.md\n"] {
        let cx = project(&agent);
        let output = cx.command(&["run"]).env("ANANKE_OUTPUT", list).run();
        assert_eq!(output.code, Some(0), "{output}");
        assert_eq!(cx.files("out"), ["a.json", "b.md"], "{list:?}");
    }
    let cx = project(&agent);
    let odd = cx.command(&["run"]).env("ANANKE_OUTPUT", "x,y.json\n");
    assert_eq!(odd.run().code, Some(0));
    assert!(cx.exists("x,y.json"), "a comma is part of a line");
    let reporters = cx.command(&["run"]);
    let reporters = reporters.env("ANANKE_REPORTER", "json:c.json,md:d.md");
    assert_eq!(reporters.run().code, Some(0));
    assert!(cx.exists("c.json") && cx.exists("d.md"));
    let flag = cx.command(&["run", "-o", "e,f.json"]);
    let flag = flag.env("ANANKE_OUTPUT", "g.json,h.json");
    assert_eq!(flag.run().code, Some(0));
    assert!(cx.exists("e,f.json") && !cx.exists("g.json"));
}

#[test]
fn lists_of_inputs_and_tags() {
    let cx = project(&ScriptedAgent::says("Hello"));
    let listed = |name: &str, value: &str| {
        let output = cx.command(&["list"]).env(name, value).run();
        output.stdout.matches(".test.yaml").count()
    };
    assert_eq!(listed("ANANKE_INPUT", "a.test.yaml,b.test.yaml"), 2);
    assert_eq!(listed("ANANKE_INPUT", "{a,b}.test.yaml"), 2);
    assert_eq!(listed("ANANKE_INPUT", "{a,c}.test.yaml"), 1);
    assert_eq!(listed("ANANKE_TAG", "a\nb"), 2);
    assert_eq!(listed("ANANKE_TAG", "a, c"), 1);
}

#[test]
fn verbose_may_be_a_switch_or_a_count() {
    let cx = project(&ScriptedAgent::says("Hello"));
    let shown = |value: &str| cx.command(&["run"]).env("ANANKE_VERBOSE", value).run();
    for (value, has_counts, has_conversation) in [
        ("true", true, false),
        ("1", true, false),
        ("2", true, true),
        ("false", false, false),
        ("0", false, false),
    ] {
        let stdout = shown(value).stdout;
        assert_eq!(stdout.contains("Assertions:"), has_counts, "{value}");
        assert_eq!(stdout.contains("│ hi"), has_conversation, "{value}");
    }
    let wrong = shown("loud");
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("in the environment it is 0, 1 or 2"),
        "{wrong}"
    );
}
