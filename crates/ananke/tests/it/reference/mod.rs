//! The command line itself: help of every command, spellings, environment twins, refusals.

mod run;

use ananke_testkit::TestContext;
use insta::assert_snapshot;

use crate::ANANKE;
use crate::run::{expects, friendly};

fn help(args: &[&str]) -> String {
    let cx = TestContext::new(ANANKE);
    let output = cx.command(args).env("COLUMNS", "100").run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(output.stderr, "");
    output.stdout
}

#[test]
fn help_of_ananke() {
    assert_snapshot!(help(&["--help"]), @"
    Tests tool-using AI agents: conversations and hard assertions in, a verdict that CI can trust out

    Usage: ananke [OPTIONS] <COMMAND>

    Commands:
      run          Run tests [alias: test]
      list         List the tests that would run
      validate     Check every file without running anything [alias: check]
      judge        Judge the recordings of a bundle again, with the tests as they are now
      report       Render reports of runs that are over, and join shards
      conform      Find out whether an agent server is correct: drive scenarios, judge every answer with
                   its request [alias: conformance]
      compare      Compare two runs: which tests broke, were fixed, are new or gone, or behave otherwise
      history      Write a recorded conversation as a new test
      serve        Serve a recorded or scripted agent, until Ctrl-C
      init         Write a config and a first test
      doctor       Find out why it does not work: config, connection, and a small run with the agent
      schema       Print the JSON Schema of a file format
      completions  Print the completion script of a shell
      man          Print the manual page, or write one page for each command
      demo         Run example tests against a built-in example agent
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Output:
      -v, --verbose...    Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet         Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>  When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                          ANANKE_COLOR] [default: auto] [possible values: auto, always, never]

    Examples:
      ananke demo                            see it work; nothing to set up
      ananke run                             run every *.test.yaml of this project
      ananke run tests/cart.test.yaml -vv    run one test and show the conversation
      ananke validate                        check every file without running anything

    Exit codes:
      0 passed            1 some test failed            2 configuration error
      3 ananke could not do its job (no agent could be reached, the server did not start)
      4 no test was run   5 inconclusive                130, 143 interrupted

    Each flag has an environment twin: `ANANKE_PARALLEL=4` stands for `--parallel 4`. The twin of a flag
    that may be repeated takes a list: `ANANKE_OUTPUT=report.html,junit.xml`.
    ");
    assert_eq!(help(&["-h"]), help(&["help"]));
}

#[test]
fn help_of_list() {
    assert_snapshot!(help(&["list", "--help"]), @"
    List the tests that would run

    Usage: ananke list [OPTIONS] [INPUT]...

    Arguments:
      [INPUT]...  Test files, folders, globs, a message of several words, or `-` for stdin; without any,
                  every test below this folder

    Options:
      -h, --help  Print help

    Which tests:
      -i, --input <INPUT>     The same, and any other text is a message to the agent; may be repeated
                              [env: ANANKE_INPUT]
          --config <FILE>     The config file; by default the ananke.config.yaml of this folder or the
                              nearest above [env: ANANKE_CONFIG]
          --target <NAME>     Which of the config's targets to use; with several, every test is run
                              against each of them [env: ANANKE_TARGET]
          --var <NAME=VALUE>  A value for ${NAME} in the files; may be repeated [env: ANANKE_VAR_<NAME>]
          --run <REGEX>       Only tests whose file, case id or name matches, and functions of scripts
                              whose name does; -run REGEX is the same [env: ANANKE_RUN]
          --tag <TAG>         Only tests with this tag; of several tags one is enough [env: ANANKE_TAG]
          --env-file <FILE>   A file with NAME=VALUE lines for ${ENV.NAME}, hooks and the server; may be
                              repeated, the last wins, the environment wins over all [env:
                              ANANKE_ENV_FILE]
          --secret <NAME>     Hide the value of this variable everywhere; may be repeated [env:
                              ANANKE_SECRET]
          --allow-unchecked   Permit tests that check nothing; they are counted in the summary [env:
                              ANANKE_ALLOW_UNCHECKED]

    Who asks which agent:
      -n, --name <AGENT>           The agent: a name under `targets` or `agents`, the `agentId` of a
                                   target, or an assistant folder [env: ANANKE_NAME]
      -c, --connector <CONNECTOR>  The connector to use instead of the target's own: one of its
                                   `connectors`, or of the config's for chat models [env:
                                   ANANKE_CONNECTOR]
      -u, --user <USER>            The user who asks, whatever the cases say [default: test-user] [env:
                                   ANANKE_USER]
      -t, --team <TEAM>            The team of that user, whatever the cases say [default: test-team]
                                   [env: ANANKE_TEAM]
          --simulator <AGENT>      The agent that plays the user in cases with checkpoints that name
                                   none [env: ANANKE_SIMULATOR]
          --ctx <FILE>             A JSON file that says who asks, from where and with which rights;
                                   wins over -u and -t [env: ANANKE_CTX]

    How to run:
          --before-all <FUNCTION>  A function of a script to call before the first test, such as
                                   scripts.setup.Before [env: ANANKE_BEFORE_ALL]
          --after-all <FUNCTION>   A function of a script to call after the last test [env:
                                   ANANKE_AFTER_ALL]

    Output:
      -v, --verbose...    Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet         Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>  When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                          ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
          --json          Print exactly one JSON document on stdout [env: ANANKE_JSON]
    ");
}

#[test]
fn help_of_validate() {
    assert_snapshot!(help(&["validate", "--help"]), @"
    Check every file without running anything

    Usage: ananke validate [OPTIONS] [INPUT]...

    Arguments:
      [INPUT]...  Test files, folders, globs, a message of several words, or `-` for stdin; without any,
                  every test below this folder

    Options:
      -h, --help  Print help

    Which tests:
      -i, --input <INPUT>     The same, and any other text is a message to the agent; may be repeated
                              [env: ANANKE_INPUT]
          --config <FILE>     The config file; by default the ananke.config.yaml of this folder or the
                              nearest above [env: ANANKE_CONFIG]
          --target <NAME>     Which of the config's targets to use; with several, every test is run
                              against each of them [env: ANANKE_TARGET]
          --var <NAME=VALUE>  A value for ${NAME} in the files; may be repeated [env: ANANKE_VAR_<NAME>]
          --run <REGEX>       Only tests whose file, case id or name matches, and functions of scripts
                              whose name does; -run REGEX is the same [env: ANANKE_RUN]
          --tag <TAG>         Only tests with this tag; of several tags one is enough [env: ANANKE_TAG]
          --env-file <FILE>   A file with NAME=VALUE lines for ${ENV.NAME}, hooks and the server; may be
                              repeated, the last wins, the environment wins over all [env:
                              ANANKE_ENV_FILE]
          --secret <NAME>     Hide the value of this variable everywhere; may be repeated [env:
                              ANANKE_SECRET]
          --allow-unchecked   Permit tests that check nothing; they are counted in the summary [env:
                              ANANKE_ALLOW_UNCHECKED]

    Who asks which agent:
      -n, --name <AGENT>           The agent: a name under `targets` or `agents`, the `agentId` of a
                                   target, or an assistant folder [env: ANANKE_NAME]
      -c, --connector <CONNECTOR>  The connector to use instead of the target's own: one of its
                                   `connectors`, or of the config's for chat models [env:
                                   ANANKE_CONNECTOR]
      -u, --user <USER>            The user who asks, whatever the cases say [default: test-user] [env:
                                   ANANKE_USER]
      -t, --team <TEAM>            The team of that user, whatever the cases say [default: test-team]
                                   [env: ANANKE_TEAM]
          --simulator <AGENT>      The agent that plays the user in cases with checkpoints that name
                                   none [env: ANANKE_SIMULATOR]
          --ctx <FILE>             A JSON file that says who asks, from where and with which rights;
                                   wins over -u and -t [env: ANANKE_CTX]

    How to run:
          --before-all <FUNCTION>  A function of a script to call before the first test, such as
                                   scripts.setup.Before [env: ANANKE_BEFORE_ALL]
          --after-all <FUNCTION>   A function of a script to call after the last test [env:
                                   ANANKE_AFTER_ALL]

    Output:
      -v, --verbose...    Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet         Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>  When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                          ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
          --json          Print exactly one JSON document on stdout [env: ANANKE_JSON]
    ");
    assert_eq!(help(&["check", "-h"]), help(&["help", "validate"]));
}

#[test]
fn help_of_schema() {
    assert_snapshot!(help(&["schema", "--help"]), @"
    Print the JSON Schema of a file format

    Usage: ananke schema [OPTIONS] <FORMAT>

    Arguments:
      <FORMAT>
              Which format

              Possible values:
              - config:           ananke.config.yaml
              - test:             *.test.yaml
              - case:             One case of a *.jsonl
              - script:           *.script.yaml, for `ananke serve`
              - context:          The file that --ctx names
              - report:           The JSON report, `--json` and `-o report.json`
              - report-line:      One line of the JSON Lines report, `-o report.jsonl`
              - bundle:           The records of a bundle, run.jsonl.zst
              - conform:          The file that `ananke conform --setup` names
              - conform-baseline: The file that `ananke conform --baseline` names

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Output:
      -v, --verbose...
              Say more about each test; twice shows the conversations
              
              [env: ANANKE_VERBOSE]

      -q, --quiet
              Show only failures and the summary
              
              [env: ANANKE_QUIET]

          --color <WHEN>
              When to use colors; auto: on a terminal, unless NO_COLOR is set
              
              [env: ANANKE_COLOR]
              [default: auto]
              [possible values: auto, always, never]
    ");
}

#[test]
fn help_of_demo() {
    assert_snapshot!(help(&["demo", "--help"]), @"
    Run example tests against a built-in example agent

    Usage: ananke demo [OPTIONS]

    Options:
          --broken          Break the example agent, to see what a failure looks like [env:
                            ANANKE_BROKEN]
          --write <FOLDER>  Only write the files of the example into this folder [env: ANANKE_WRITE]
          --serve           Only serve the example agent, until Ctrl-C [env: ANANKE_SERVE]
          --stdio           With --serve: speak MCP on stdin and stdout instead [env: ANANKE_STDIO]
      -h, --help            Print help

    How to run:
          --parallel <N>             Tests at once: a number, or `auto` for twice the number of cores
                                     [env: ANANKE_PARALLEL] [default: 1]
          --fail-fast                Start no further test after the first failure [env:
                                     ANANKE_FAIL_FAST]
          --timeout <TIME>           Limit for each test, hooks included: 500ms, 30s, 5m, 1h30m
                                     [default: 5m; functions of scripts: 30s] [env: ANANKE_TIMEOUT]
          --runs <N>                 Run each test N times and tell how stable it is [env: ANANKE_RUNS]
                                     [default: 1]
          --min-pass-rate <PERCENT>  How many percent of its runs a test must pass; by default all, or
                                     as recorded [env: ANANKE_MIN_PASS_RATE]
          --retries <N>              Run a test that did not pass up to N times more; every attempt is
                                     kept [env: ANANKE_RETRIES] [default: 0]
          --flaky-result <RESULT>    What a test counts as that passed only on a retry; by default
                                     `pass`, or as recorded [env: ANANKE_FLAKY_RESULT] [possible values:
                                     pass, fail]
          --rate-limit <N/UNIT>      At most this many requests in a time, evenly spread: 5/s, 60/m,
                                     1000/h [env: ANANKE_RATE_LIMIT]
          --backoff <TIME>           How long a turn may wait in all, and be sent again, when the agent
                                     answers 429 [env: ANANKE_BACKOFF]

    Reports:
          --json                      Print exactly one JSON document on stdout instead of the report
                                      [env: ANANKE_JSON]
      -o, --output <FILE>             Write a report, format by extension: jsonl, json, md, html, xml
                                      (JUnit), tap; `-` streams JSONL to stdout; may be repeated [env:
                                      ANANKE_OUTPUT]
      -r, --reporter <FORMAT[:FILE]>  Write a report of this format; without a file it takes the place
                                      of the report on stdout; report.FORMAT is what -o writes; may be
                                      repeated [env: ANANKE_REPORTER]
          --no-output                 Leave no output-TIME.jsonl beside the cases [env:
                                      ANANKE_NO_OUTPUT]
          --github <WHEN>             Annotations and a step summary for GitHub; auto: when
                                      `GITHUB_ACTIONS` is set [env: ANANKE_GITHUB] [default: auto]
                                      [possible values: auto, always, never]

    Output:
      -v, --verbose...    Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet         Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>  When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                          ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
    ");
}

#[test]
fn help_never_shows_what_the_environment_holds() {
    let cx = TestContext::new(ANANKE);
    let output = cx
        .command(&["run", "--help"])
        .env("ANANKE_RUN", "hunter2")
        .env("ANANKE_VAR_TOKEN", "hunter2")
        .run();
    assert!(!output.stdout.contains("hunter2"), "{output}");
}

#[test]
fn an_empty_twin_counts_as_unset_and_a_flag_wins() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let twins = [
        "CONFIG",
        "TARGET",
        "RUN",
        "TAG",
        "ALLOW_UNCHECKED",
        "PARALLEL",
        "FAIL_FAST",
        "TIMEOUT",
        "JSON",
        "DRY_RUN",
        "VERBOSE",
        "QUIET",
        "COLOR",
        "INPUT",
    ];
    let usual = cx.ananke(&["run"]);
    for twin in twins {
        let output = cx
            .command(&["run"])
            .env(&format!("ANANKE_{twin}"), "")
            .run();
        assert_eq!(cx.show(&output), usual, "{twin}");
    }
    let output = cx
        .command(&["run", "--parallel", "2", "--run", "a", "--color", "never"])
        .env("ANANKE_PARALLEL", "wrong")
        .env("ANANKE_RUN", "zebra")
        .env("ANANKE_COLOR", "always")
        .run();
    assert_eq!(cx.show(&output), usual);
    for off in ["0", "false", "no", "OFF"] {
        let output = cx.command(&["run"]).env("ANANKE_JSON", off).run();
        assert_eq!(cx.show(&output), usual, "{off}");
    }
    let wrong = cx.command(&["run"]).env("ANANKE_FAIL_FAST", "maybe").run();
    assert_snapshot!(cx.show(&wrong), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'maybe' for '--fail-fast': in the environment it is 1 or 0

    For more information, try '--help'.
    ");
}

#[test]
fn run_with_one_dash_is_read_as_in_go() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    for words in [
        ["run", "-run", "zebra"],
        ["list", "-run=zebra", "-v"],
        ["validate", "--run", "zebra"],
    ] {
        let output = cx.run(&words);
        assert_eq!(output.code, Some(4), "{output}");
        assert!(
            output.stderr.contains("no test matches --run zebra"),
            "{output}"
        );
    }
    // Behind `--` stand inputs only.
    let output = cx.run(&["run", "--", "-run"]);
    assert!(
        output.stderr.contains("no such file or folder: `-run`"),
        "{output}"
    );
}

#[test]
fn version_is_that_of_the_build() {
    let cx = TestContext::new(ANANKE);
    let version = concat!("ananke ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(cx.run(&["--version"]).stdout, version);
    assert_eq!(cx.run(&["-V"]).stdout, version);
}

#[test]
fn unknown_words_are_refused_with_what_was_meant() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["rum"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unrecognized subcommand 'rum'

      tip: a similar subcommand exists: 'run'

    Usage: ananke [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["run", "--paralel", "4"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unexpected argument '--paralel' found

      tip: a similar argument exists: '--parallel'

    Usage: ananke run --parallel <N> [INPUT]...

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["run", "--timeout", "5 minutes"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value '5 minutes' for '--timeout <TIME>': `5 minutes` is not a duration; write [TIME], [TIME], [TIME] or [TIME]

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["run", "--var", "ORDER"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'ORDER' for '--var <NAME=VALUE>': expected NAME=VALUE

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["run", "--var", "a b=1"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'a b=1' for '--var <NAME=VALUE>': `a b` is not a name: use letters, digits and _

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["run", "--color", "sometimes"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'sometimes' for '--color <WHEN>'
      [possible values: auto, always, never]

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["schema", "tests"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'tests' for '<FORMAT>'
      [possible values: config, test, case, script, context, report, report-line, bundle, conform, conform-baseline]

      tip: a similar value exists: 'test'

    For more information, try '--help'.
    ");
}

#[test]
fn without_a_command_help_is_shown() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&[]);
    assert_eq!(output.code, Some(2));
    assert!(
        output.stderr.contains("Usage: ananke [OPTIONS] <COMMAND>"),
        "{output}"
    );
    assert!(output.stderr.contains("Examples:"), "{output}");
}

#[test]
fn times_that_no_clock_can_count_are_refused() {
    let cx = TestContext::new(ANANKE);
    let huge = "10000000000000000000s";
    for time in [huge.to_owned(), huge.repeat(2), "400000m400000m".to_owned()] {
        let output = cx.run(&["run", "--timeout", &time]);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(!output.stderr.contains("panicked"), "{output}");
    }
}
