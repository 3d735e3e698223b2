//! Which files are found, and how they are named.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};

fn test(name: &str) -> String {
    format!("version: 1\nname: {name}\nturns: [{{user: a}}]\nassert: {{text: {{must_match: x}}}}\n")
}

fn suite() -> Suite {
    Suite::new(&[
        ("p/ananke.config.yaml", CONFIG),
        ("p/b.test.yaml", &test("b")),
        ("p/sub/a.test.yml", &test("a")),
        ("p/sub/deep/c.test.yaml", &test("c")),
        ("p/sub/other.yaml", &test("other")),
        ("p/sub/data.json", "{}"),
        ("p/node_modules/x/n.test.yaml", &test("n")),
        ("p/target/t.test.yaml", &test("t")),
        ("p/.hidden/h.test.yaml", &test("h")),
        ("p/.gitignore", "ignored/\n"),
        ("p/ignored/i.test.yaml", &test("i")),
        ("q/ananke.config.yml", CONFIG),
        ("q/q.test.yaml", &test("q")),
        ("lone/l.test.yaml", &test("l")),
    ])
}

/// Returns the files with their ids, the config, and what is wrong.
fn found(cwd: &str, inputs: &[&str]) -> String {
    shown(&suite(), cwd, inputs)
}

fn shown(suite: &Suite, cwd: &str, inputs: &[&str]) -> String {
    let loaded = suite.load_in(cwd, inputs);
    let root = loaded.plan.root.strip_prefix(suite.root()).unwrap();
    let mut lines = vec![format!(
        "{:?} root {}",
        loaded.plan.config_file,
        root.display()
    )];
    lines.extend(
        loaded
            .files
            .iter()
            .zip(loaded.plan.tests.iter().map(|test| &test.id))
            .map(|(file, id)| format!("{file} = {id}")),
    );
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

#[test]
fn without_inputs_everything_below_is_found() {
    assert_snapshot!(found("p", &[]), @r#"
    Some("ananke.config.yaml") root p
    b.test.yaml = b.test.yaml
    sub/a.test.yml = sub/a.test.yml
    sub/deep/c.test.yaml = sub/deep/c.test.yaml
    "#);
    assert_snapshot!(found("p/sub/deep", &[]), @r#"
    Some("../../ananke.config.yaml") root p
    c.test.yaml = sub/deep/c.test.yaml
    "#);
    assert_snapshot!(found("lone", &[]), @r#"
    None root lone
    - error no `ananke.config.yaml` found here or in a folder above |  | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`
    "#);
}

#[test]
fn folders_files_and_globs_are_found_once() {
    assert_snapshot!(found("p", &["sub", "./sub/../b.test.yaml", "sub/a.test.yml"]), @r#"
    Some("ananke.config.yaml") root p
    sub/a.test.yml = sub/a.test.yml
    sub/deep/c.test.yaml = sub/deep/c.test.yaml
    b.test.yaml = b.test.yaml
    "#);
    assert_snapshot!(found("p", &["sub/other.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    sub/other.yaml = sub/other.yaml
    "#);
    assert_snapshot!(found("p", &["**/*.test.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    b.test.yaml = b.test.yaml
    sub/deep/c.test.yaml = sub/deep/c.test.yaml
    "#);
    assert_snapshot!(found("p", &["sub/*.{yml,yaml}"]), @r#"
    Some("ananke.config.yaml") root p
    sub/a.test.yml = sub/a.test.yml
    sub/other.yaml = sub/other.yaml
    "#);
    assert_snapshot!(found("p/sub", &["../*.yaml"]), @r#"
    Some("../ananke.config.yaml") root p
    ../b.test.yaml = b.test.yaml
    "#);
    assert_snapshot!(found("p", &["target", "ignored/i.test.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    target/t.test.yaml = target/t.test.yaml
    ignored/i.test.yaml = ignored/i.test.yaml
    "#);
}

#[test]
fn an_input_from_another_project_brings_its_config() {
    assert_snapshot!(found("p", &["../q"]), @r#"
    Some("../q/ananke.config.yml") root q
    ../q/q.test.yaml = q.test.yaml
    "#);
    assert_snapshot!(found("p", &["../q/*.yaml"]), @r#"
    Some("../q/ananke.config.yml") root q
    ../q/q.test.yaml = q.test.yaml
    "#);
    assert_snapshot!(found("lone", &["../q/q.test.yaml"]), @r#"
    Some("../q/ananke.config.yml") root q
    ../q/q.test.yaml = q.test.yaml
    "#);
    assert_snapshot!(found("p", &["../lone/l.test.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    ../lone/l.test.yaml = ../lone/l.test.yaml
    "#);
}

/// Returns what is found in a suite that has a project inside a project.
fn nested(cwd: &str, inputs: &[&str]) -> String {
    let suite = suite();
    suite.write("p/sub/deep/ananke.config.yaml", CONFIG.as_bytes());
    suite.write("p/sub/deep/er/d.test.yaml", test("d").as_bytes());
    shown(&suite, cwd, inputs)
}

#[test]
fn tests_of_several_projects_are_refused() {
    assert_snapshot!(found("", &["p", "q"]), @r#"
    Some("p/ananke.config.yaml") root p
    p/b.test.yaml = b.test.yaml
    p/sub/a.test.yml = sub/a.test.yml
    p/sub/deep/c.test.yaml = sub/deep/c.test.yaml
    - error `q/q.test.yaml` belongs to `q/ananke.config.yml`, not to `p/ananke.config.yaml` |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
    assert_snapshot!(found("p", &["b.test.yaml", "../q"]), @r#"
    Some("ananke.config.yaml") root p
    b.test.yaml = b.test.yaml
    - error `../q/q.test.yaml` belongs to `../q/ananke.config.yml`, not to `ananke.config.yaml` |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
    assert_snapshot!(found("p", &["../q", "b.test.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    b.test.yaml = b.test.yaml
    - error `../q/q.test.yaml` belongs to `../q/ananke.config.yml`, not to `ananke.config.yaml` |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
    assert_snapshot!(found("", &["q", "lone"]), @r#"
    Some("q/ananke.config.yml") root q
    q/q.test.yaml = q.test.yaml
    - error `lone/l.test.yaml` belongs to no config, the other tests do |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
}

#[test]
fn a_project_inside_a_project_is_one_of_its_own() {
    assert_snapshot!(nested("p", &[]), @r#"
    Some("ananke.config.yaml") root p
    b.test.yaml = b.test.yaml
    sub/a.test.yml = sub/a.test.yml
    - error `sub/deep/c.test.yaml` and 1 more belong to `sub/deep/ananke.config.yaml`, not to `ananke.config.yaml` |  | run one project at a time by naming its folder, such as `sub/deep`, or pass `--config` to run all tests with one config
    "#);
    assert_snapshot!(nested("p", &["sub/deep"]), @r#"
    Some("sub/deep/ananke.config.yaml") root p/sub/deep
    sub/deep/c.test.yaml = c.test.yaml
    sub/deep/er/d.test.yaml = er/d.test.yaml
    "#);
    assert_snapshot!(nested("p", &["sub/deep/er/d.test.yaml", "sub/deep/*.test.yaml"]), @r#"
    Some("sub/deep/ananke.config.yaml") root p/sub/deep
    sub/deep/er/d.test.yaml = er/d.test.yaml
    sub/deep/c.test.yaml = c.test.yaml
    "#);
    assert_snapshot!(nested("p", &["sub/a.test.yml", "sub/deep/c.test.yaml"]), @r#"
    Some("ananke.config.yaml") root p
    sub/a.test.yml = sub/a.test.yml
    - error `sub/deep/c.test.yaml` belongs to `sub/deep/ananke.config.yaml`, not to `ananke.config.yaml` |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
    assert_snapshot!(nested("p/sub/deep/er", &[]), @r#"
    Some("../ananke.config.yaml") root p/sub/deep
    d.test.yaml = er/d.test.yaml
    "#);
    assert_snapshot!(nested("p/sub/deep/er", &["../../a.test.yml"]), @r#"
    Some("../../../ananke.config.yaml") root p
    ../../a.test.yml = sub/a.test.yml
    "#);
}

#[test]
fn projects_below_a_folder_without_one_are_named() {
    assert_snapshot!(found("", &[]), @r#"
    None root 
    - error no config here or in a folder above: `p/b.test.yaml` and 2 more belong to `p/ananke.config.yaml` |  | run one project at a time by naming its folder, such as `p`, or pass `--config` to run all tests with one config
    - error no config here or in a folder above: `q/q.test.yaml` belongs to `q/ananke.config.yml` |  | run one project at a time by naming its folder, such as `q`, or pass `--config` to run all tests with one config
    - error no `ananke.config.yaml` found here or in a folder above |  | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`
    "#);
}

#[test]
fn a_config_that_is_named_takes_every_test() {
    let mut suite = suite();
    suite.config = Some("p/ananke.config.yaml");
    assert_snapshot!(shown(&suite, "", &["p/b.test.yaml", "q", "lone"]), @r#"
    Some("p/ananke.config.yaml") root p
    p/b.test.yaml = b.test.yaml
    q/q.test.yaml = q/q.test.yaml
    lone/l.test.yaml = lone/l.test.yaml
    "#);
}

#[test]
fn the_config_may_be_named() {
    let mut suite = suite();
    suite.config = Some("../q/ananke.config.yml");
    let loaded = suite.load_in("p", &[]);
    assert_snapshot!(format!("{:?} {:?}", loaded.plan.config_file, loaded.files), @r#"Some("../q/ananke.config.yml") ["../q/q.test.yaml"]"#);
    suite.config = Some("none.yaml");
    let loaded = suite.load_in("p", &["b.test.yaml"]);
    assert_snapshot!(problems(&loaded), @"- error the config file `none.yaml` is not there");
}

#[test]
fn two_configs_side_by_side_are_refused() {
    let suite = suite();
    suite.write("q/ananke.config.yaml", CONFIG.as_bytes());
    assert_snapshot!(problems(&suite.load_in("q", &[])), @"- error both `ananke.config.yaml` and `ananke.config.yml` are there |  | keep one of them, or name one with `--config`");
}

#[cfg(unix)]
#[test]
fn links_neither_loop_nor_lead_outside() {
    use std::os::unix::fs::symlink;
    let suite = suite();
    let root = suite.root();
    symlink(root.join("q"), root.join("q/loop")).unwrap();
    symlink(
        root.join("lone/l.test.yaml"),
        root.join("q/outside.test.yaml"),
    )
    .unwrap();
    symlink(root.join("q/q.test.yaml"), root.join("q/same.test.yaml")).unwrap();
    symlink(root.join("q/gone"), root.join("q/dangling.test.yaml")).unwrap();
    let loaded = suite.load_in("q", &[]);
    assert_snapshot!(format!("{:?}{}", loaded.files, problems(&loaded)), @r#"["q.test.yaml"]"#);
}

#[test]
fn unreadable_files_are_reported() {
    let suite = suite();
    suite.write("q/big.test.yaml", &vec![b'#'; (16 << 20) + 1]);
    suite.write("q/latin.test.yaml", b"version: 1\nname: caf\xe9\n");
    assert_snapshot!(problems(&suite.load_in("q", &[])), @"
    - error `big.test.yaml` is larger than 16 MiB
    latin.test.yaml:2:10 error the file is not UTF-8 text | the byte at offset 20 is not UTF-8 | save the file as UTF-8
    ");
}
