//! `--env-file`: what is read, who gets it, what wins, and mistakes with their place.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;

use crate::ANANKE;

/// A project whose test says the value of `${ENV.VALUE}`; returns what the agent heard.
fn heard(file: &str) -> String {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello");
    cx.config_for(&agent);
    cx.write(".env", file);
    cx.write("a.test.yaml", "version: 1\nname: a\nturns: [{user: \"<${ENV.VALUE:-none}>\"}]\nassert: {text: {must_match: Hello}}\n");
    let output = cx.run(&["run", "--env-file", ".env"]);
    assert_eq!(output.code, Some(0), "{output}");
    agent.requests()[0]["messages"][0]["content"]
        .as_str()
        .expect("a message has text")
        .to_owned()
}

#[test]
fn values_are_read_as_they_are_meant() {
    for (file, value) in [
        ("VALUE=a", "<a>"),
        ("  export  VALUE = a b  # a comment\n", "<a b>"),
        ("VALUE=a#b\r\n", "<a#b>"),
        ("VALUE=#b", "<>"),
        ("VALUE=", "<>"),
        ("VALUE=''", "<>"),
        ("# VALUE=a\n\n", "<none>"),
        ("VALUE='a # $b \\n'  # c", "<a # $b \\n>"),
        (
            "VALUE=\"a\\tb\\\\ \\\"c\\\" \\$ \\d\"",
            "<a\tb\\ \"c\" $ \\d>",
        ),
        ("VALUE=\"one\ntwo\\nthree\"\nOTHER=x", "<one\ntwo\nthree>"),
        ("VALUE=\"one \\\ntwo\"", "<one two>"),
        ("VALUE=a\nVALUE=b", "<b>"),
        ("VALUE=${ENV.PATH}", "<${ENV.PATH}>"),
        ("\u{feff}VALUE=ü", "<ü>"),
    ] {
        assert_eq!(heard(file), value, "{file:?}");
    }
}

#[test]
fn the_last_file_wins_and_the_environment_wins_over_all() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello");
    cx.config_for(&agent);
    cx.write("a.env", "A=a1\nB=b1\nC=c1\n");
    cx.write("b.env", "B=b2\nC=c2\n");
    cx.write("a.test.yaml", "version: 1\nname: a\nturns: [{user: \"${ENV.A} ${ENV.B} ${ENV.C}\"}]\nassert: {text: {must_match: Hello}}\n");
    let both = ["run", "--env-file", "a.env", "--env-file", "b.env"];
    assert_eq!(cx.command(&both).env("C", "c3").run().code, Some(0));
    let twin = cx.command(&["run"]).env("ANANKE_ENV_FILE", "a.env");
    assert_eq!(twin.run().code, Some(0));
    for list in ["a.env, b.env", "a.env\nb.env\n"] {
        let twin = cx.command(&["run"]).env("ANANKE_ENV_FILE", list);
        assert_eq!(twin.run().code, Some(0), "{list:?}");
    }
    let said: Vec<_> = agent
        .requests()
        .iter()
        .map(|body| body["messages"][0]["content"].clone())
        .collect();
    assert_eq!(said, ["a1 b2 c3", "a1 b1 c1", "a1 b2 c2", "a1 b2 c2"]);
}

#[test]
fn hooks_get_the_values_but_keep_their_own() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello");
    cx.config_for(&agent);
    cx.write(
        ".env",
        "FILE='${x} from file'\nOWN=file\nANANKE_VAR_V=variable\n",
    );
    cx.write("a.test.yaml", "version: 1\nname: a\nhooks:\n  - cmd: [sh, -c, 'printf \"{\\\"SEEN\\\": \\\"%s|%s\\\"}\" \"$FILE\" \"$OWN\"']\n    env: {OWN: hook}\nturns: [{user: \"${SEEN} ${V}\"}]\nassert: {text: {must_match: Hello}}\n");
    let output = cx.run(&["run", "--env-file", ".env"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        agent.requests()[0]["messages"][0]["content"],
        "${x} from file|hook variable"
    );
}

#[test]
fn mistakes_have_a_place() {
    let cx = TestContext::new(ANANKE);
    cx.config("http://127.0.0.1:1/");
    cx.write(
        "a.test.yaml",
        "version: 1\nname: a\nturns: [{user: hi}]\nassert: {text: {must_match: Hello}}\n",
    );
    cx.write(
        "bad.env",
        "GOOD=1\njust words\n2ND=x\n=y\nA='x' y\nB=\"open\nstill open\n",
    );
    assert_snapshot!(cx.ananke(&["validate", "--env-file", "bad.env"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: expected NAME=VALUE
     --> bad.env:2:1
      |
    2 | just words
      | ^^^^^^^^^^ a name of letters, digits and _, then `=`
    hint: begin a comment with `#`

    error: `2ND` is not a name
     --> bad.env:3:1
      |
    3 | 2ND=x
      | ^^^^^ expected letters, digits and _, not beginning with a digit

    error: there is no name before `=`
     --> bad.env:4:1
      |
    4 | =y
      | ^^ expected letters, digits and _, not beginning with a digit

    error: text after the closing quote
     --> bad.env:5:7
      |
    5 | A='x' y
      |       ^
    hint: put the whole value in quotes, or a `#` before a comment

    error: the quote " is not closed
     --> bad.env:6:3
      |
    6 | B="open
      |   ^^^^^ the value begins here

    error: 5 errors in 1 file
    "#);
    assert_snapshot!(cx.ananke(&["list", "--env-file", "nowhere.env"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: cannot read `nowhere.env`: No such file or directory (os error 2)
    hint: `--env-file` names a text file with lines such as `NAME=VALUE`

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["validate", "--env-file", "."]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: cannot read `.`: it is a folder
    hint: `--env-file` names a text file with lines such as `NAME=VALUE`

    error: 1 error
    ");
}

#[test]
fn values_hold_no_nul() {
    let cx = TestContext::new(ANANKE);
    cx.config("http://127.0.0.1:1/");
    cx.write("nul.env", "A=a\0b\nB=\"a\n\0\"\n");
    assert_snapshot!(cx.ananke(&["list", "--env-file", "nul.env"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: the value of `A` holds a NUL character
     --> nul.env:1:1
      |
    1 | A=a\u{0}b
      | ^^^^^^^^^ no process can be given such a value

    error: the value of `B` holds a NUL character
     --> nul.env:2:1
      |
    2 | B="a
      | ^^^^ no process can be given such a value

    error: 2 errors in 1 file
    "#);
}
