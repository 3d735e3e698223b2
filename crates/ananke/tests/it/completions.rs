//! `ananke completions` and `ananke man`: generated from the commands, so every command is in them.

use std::process::{Command, Stdio};

use ananke_testkit::TestContext;

use crate::ANANKE;
use crate::twins::commands;

fn printed(args: &[&str]) -> String {
    let output = TestContext::new(ANANKE).run(args);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (Some(0), ""),
        "{args:?}"
    );
    output.stdout
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command} is missing");
        }
        assert!(script.contains("fail-fast"), "{shell} knows no flags");
    }
    let refused = TestContext::new(ANANKE).run(&["completions", "tcsh"]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn bash_reads_its_completions() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.bash", &printed(&["completions", "bash"]));
    let mut bash = Command::new("bash");
    bash.arg("-n")
        .arg(cx.dir().join("ananke.bash"))
        .stdin(Stdio::null());
    // A machine without bash has nothing to complete for.
    if let Ok(output) = bash.output() {
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH ananke 1"), "{page}");
    for section in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH SUBCOMMANDS"] {
        assert!(page.contains(section), "{section}");
    }
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["man", "--dir", "share/man1"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(cx.read("share/man1/ananke.1"), page);
    for command in commands() {
        assert!(
            page.contains(&format!("ananke\\-{command}(1)")),
            "{command}"
        );
        let page = cx.read(&format!("share/man1/ananke-{command}.1"));
        assert!(page.contains(&format!("ananke\\-{command}")), "{command}");
        assert!(
            output
                .stdout
                .contains(&format!("share/man1/ananke-{command}.1\n"))
        );
    }
    cx.write("taken", "");
    assert_eq!(cx.run(&["man", "--dir", "taken"]).code, Some(3));
}
