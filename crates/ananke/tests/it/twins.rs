//! Every flag of every command can be set in the environment, and its help says how.

use ananke_testkit::TestContext;

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
