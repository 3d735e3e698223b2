//! The help of `ananke run`.

use insta::assert_snapshot;

use super::help;

#[test]
fn help_of_run() {
    assert_snapshot!(help(&["run", "--help"]), @"
    Run tests

    Usage: ananke run [OPTIONS] [INPUT]...

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
          --before-all <FUNCTION>    A function of a script to call before the first test, such as
                                     scripts.setup.Before [env: ANANKE_BEFORE_ALL]
          --after-all <FUNCTION>     A function of a script to call after the last test [env:
                                     ANANKE_AFTER_ALL]
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

    Order:
          --shard <K/N>        Only this share of the tests, such as 2/5; a test's share depends on its
                               id alone [env: ANANKE_SHARD]
          --allow-empty-shard  A share without any test is fine [env: ANANKE_ALLOW_EMPTY_SHARD]
          --last-failed        Only the tests that did not pass in the last run [env:
                               ANANKE_LAST_FAILED]
          --failed-first       First the tests that did not pass in the last run [env:
                               ANANKE_FAILED_FIRST]
          --shuffle            In an order of chance, which the seed repeats [env: ANANKE_SHUFFLE]
          --seed <N>           The seed of --shuffle; by default a new one, shown in the report [env:
                               ANANKE_SEED]

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

    Bundle:
          --no-bundle                   Leave no bundle of this run [env: ANANKE_NO_BUNDLE]
          --bundle-dir <FOLDER>         The folder of the bundles; by default `bundle.dir` of the
                                        config, else .ananke/runs beside it [env: ANANKE_BUNDLE_DIR]
          --keep-bundles <N>            How many bundles are kept, 0 for all; by default `bundle.keep`
                                        of the config, else 20 [env: ANANKE_KEEP_BUNDLES]
          --replay <BUNDLE>             Take answers from the recordings of this bundle; no agent, hook
                                        or server is started [env: ANANKE_REPLAY]
          --update-snapshots[=<WHICH>]  Which snapshot files to write, never in CI; `changed` writes
                                        missing ones too [env: ANANKE_UPDATE_SNAPSHOTS] [default: none]
                                        [possible values: all, changed, missing, none]

    Coverage of scripts:
          --coverage                Tell how many lines and functions of the scripts were run [env:
                                    ANANKE_COVERAGE]
          --coverage-report <FILE>  Also write it to this file: .info or .lcov, .html, .json; may be
                                    repeated [env: ANANKE_COVERAGE_REPORT]
          --fail-under <PERCENT>    Fail if fewer percent of the lines were run [env: ANANKE_FAIL_UNDER]
          --dry-run                 Check every file and list what would run; no hook, server or request
                                    is started [env: ANANKE_DRY_RUN]

    Output:
      -v, --verbose...    Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet         Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>  When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                          ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
    ");
    assert_eq!(help(&["test", "-h"]), help(&["help", "run"]));
}
