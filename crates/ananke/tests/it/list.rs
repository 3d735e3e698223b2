//! `ananke list`: the tests that would run, nothing executed.

use insta::assert_snapshot;

use crate::run::{expects, friendly};

#[test]
fn tests_are_listed_with_tags_targets_and_skips() {
    let (cx, agent) = friendly();
    cx.config("http://localhost:8000/agent");
    cx.write(
        "b.test.yaml",
        &format!("{}tags: [smoke, cart]\n", expects("the cart", "Hello")),
    );
    cx.write(
        "a.test.yaml",
        &format!("{}skip: later\n", expects("größe 世界", "Hello")),
    );
    cx.write("c/d.test.yaml", &expects("deep", "Hello"));
    assert_snapshot!(cx.ananke(&["list"]), @"
    exit code: 0
    --- stdout
    ID             NAME        TAGS         TARGET                       SKIPPED
    a.test.yaml    größe 世界               http://localhost:8000/agent  later
    b.test.yaml    the cart    smoke, cart  http://localhost:8000/agent
    c/d.test.yaml  deep                     http://localhost:8000/agent
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["list", "c", "b.test.yaml", "--run", "cart"]), @"
    exit code: 0
    --- stdout
    ID           NAME      TAGS         TARGET
    b.test.yaml  the cart  smoke, cart  http://localhost:8000/agent
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["list", "--json", "--tag", "smoke"]), @r#"
    exit code: 0
    --- stdout
    {
      "schema": "ananke.list/1",
      "config_file": "ananke.config.yaml",
      "total": 1,
      "tests": [
        {
          "id": "b.test.yaml",
          "name": "the cart",
          "file": "b.test.yaml",
          "tags": [
            "smoke",
            "cart"
          ],
          "target": "http://localhost:8000/agent",
          "turns": 1,
          "checks": 1
        }
      ]
    }
    --- stderr
    "#);
    assert!(agent.requests().is_empty());
}

#[test]
fn tests_of_another_project_are_never_run_against_the_wrong_target() {
    let (cx, _agent) = friendly();
    cx.config("http://localhost:8000/outer");
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let inner = cx.read("ananke.config.yaml").replace("outer", "inner");
    cx.write("tests/sub/ananke.config.yaml", &inner);
    cx.write("tests/sub/s.test.yaml", &expects("s", "Hello"));
    cx.write("tests/sub/t.test.yaml", &expects("t", "Hello"));
    assert_snapshot!(cx.ananke(&["list"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `tests/sub/s.test.yaml` and 1 more belong to `tests/sub/ananke.config.yaml`, not to `ananke.config.yaml`
    hint: run one project at a time by naming its folder, such as `tests/sub`, or pass `--config` to run all tests with one config

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["list", "a.test.yaml", "tests/sub/s.test.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `tests/sub/s.test.yaml` belongs to `tests/sub/ananke.config.yaml`, not to `ananke.config.yaml`
    hint: run the projects one at a time, or pass `--config` to run all tests with one config

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["list", "tests/sub/s.test.yaml"]), @"
    exit code: 0
    --- stdout
    ID           NAME  TARGET
    s.test.yaml  s     http://localhost:8000/inner
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["list", "--config", "ananke.config.yaml"]), @"
    exit code: 0
    --- stdout
    ID                     NAME  TARGET
    a.test.yaml            a     http://localhost:8000/outer
    tests/sub/s.test.yaml  s     http://localhost:8000/outer
    tests/sub/t.test.yaml  t     http://localhost:8000/outer
    --- stderr
    ");
}

#[test]
fn an_empty_list_and_mistakes_are_told() {
    let (cx, _agent) = friendly();
    assert_snapshot!(cx.ananke(&["list"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test found in the project
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
    cx.write(
        "a.test.yaml",
        &expects("a", "Hello").replace("turns", "turn"),
    );
    assert_snapshot!(cx.ananke(&["list"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: `turns` is missing in a test file
     --> a.test.yaml:1:1
      |
    1 | version: "1.0"
      | ^^^^^^^^^^^^^^
    hint: write `turns: [{user: Hello}]`

    error: unknown key `turn` in a test file
     --> a.test.yaml:3:1
      |
    3 | turn:
      | ^^^^ expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets`
    hint: did you mean `turns`?

    error: 2 errors in 1 file
    "#);
}
