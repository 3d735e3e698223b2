//! An agent whose text tries to become something else in every report.

use ananke_testkit::{ScriptedAgent, TestContext};

use super::report;
use crate::ANANKE;
use crate::run::expects;

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>]]>\n```\n````\n# Heading\n::error::boom\n##[error]boom\n\
    ok 2 - forged\nBail out!\n\u{1b}[31mred\u{0}\u{202e}";

#[test]
fn agents_write_text_and_nothing_else() {
    let agent = ScriptedAgent::says(HOSTILE);
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    cx.write("a.test.yaml", &expects("a", "Goodbye"));
    let files = ["r.jsonl", "r.json", "r.md", "r.html", "r.xml", "r.tap"];
    let mut args = vec!["run", "-vv", "--github", "always"];
    args.extend(files.iter().flat_map(|file| ["-o", file]));
    let output = cx.run(&args);
    assert_eq!(output.code, Some(1), "{output}");

    assert_eq!(report(&cx, "r.json")["results"][0]["output"], HOSTILE);
    let is_hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    let console = [output.stdout.as_str(), output.stderr.as_str()];
    let written: Vec<String> = files.iter().map(|file| cx.read(file)).collect();
    let [_, _, markdown, html, xml, tap] = &written[..] else {
        panic!("there are six files");
    };
    // The page keeps hidden characters as data, and shows them in elements that keep their direction to themselves.
    let others = written.iter().filter(|text| *text != html);
    for text in console.into_iter().chain(others.map(String::as_str)) {
        assert!(!text.contains(is_hidden), "{text:?}");
    }
    for text in console {
        let commands: Vec<&str> = text
            .lines()
            .filter(|line| line.trim_start().starts_with("::"))
            .collect();
        assert!(
            commands
                .iter()
                .all(|line| line.starts_with("::error file=a.test.yaml,line=5,col=")),
            "{commands:?}"
        );
        assert!(!text.contains("##["), "{text}");
    }
    assert!(!html.contains("<img"), "the agent's text is markup");
    assert!(!xml.contains("<img") && !xml.contains("]]>"), "{xml}");
    assert!(
        !tap.lines()
            .any(|line| line.starts_with("ok ") || line.starts_with("Bail")),
        "{tap}"
    );
    // The agent's fence of four is inside a longer one.
    assert!(markdown.contains("`````text\n"), "{markdown}");
}
