//! `fs` and `env`.

use insta::assert_snapshot;

use super::support::{lines, project};
#[cfg(unix)]
use crate::globals::grants::file;

const FILES: [(&str, &str); 2] = [("data/a.json", r#"{"a": 1}"#), ("data/bad.json", "{")];

#[test]
fn files_below_a_granted_folder_can_be_used() {
    assert_snapshot!(project(&FILES, r#"
        console.log(fs.readJson("data/a.json"), fs.readText("./data/bad.json"), fs.exists("data/none"), fs.list("data"));
        fs.writeText("data/new/x.txt", "grüezi"); console.log(fs.readText("data/new/x.txt"));
        fs.remove("data/new/x.txt"); fs.remove("data/new"); console.log(fs.exists("data/new"));
    "#), @r#"
    info: {"a":1} { false ["a.json","bad.json","out"]
    info: grüezi
    info: false
    "#);
}

#[test]
fn nothing_else_can() {
    assert_snapshot!(project(&FILES, r#"
        const tries = [
            () => fs.readText("main.ts"), () => fs.readText("/etc/hostname"), () => fs.readText("data/../main.ts"),
            () => fs.readText("data/out/hostname"), () => fs.list("data/out"), () => fs.writeText("data/out/../x", "x"),
            () => fs.writeText("database", "x"), () => fs.exists("/etc/passwd"), () => fs.remove("main.ts"),
            () => fs.readText("data/none"), () => fs.readJson("data/bad.json"), () => fs.readText("data"), () => fs.remove("data"),
            () => fs.readText(7),
        ];
        for (const attempt of tries) { try { console.log("got", attempt()); } catch (error) { console.log(error.message); } }
    "#), @"
    info: `main.ts` is not granted to scripts; grant it in the config: scripts: {fs: [main.ts]}
    info: `/etc/hostname` is not granted to scripts; grant it in the config: scripts: {fs: [/etc]}
    info: `data/../main.ts` is not granted to scripts; grant it in the config: scripts: {fs: [data/../main.ts]}
    info: `data/out/hostname` is not granted to scripts; grant it in the config: scripts: {fs: [data/out]}
    info: `data/out` is not granted to scripts; grant it in the config: scripts: {fs: [data/out]}
    info: `data/out/../x` is not granted to scripts; grant it in the config: scripts: {fs: [data/out/../x]}
    info: `database` is not granted to scripts; grant it in the config: scripts: {fs: [database]}
    info: `/etc/passwd` is not granted to scripts; grant it in the config: scripts: {fs: [/etc]}
    info: `main.ts` is not granted to scripts; grant it in the config: scripts: {fs: [main.ts]}
    info: data/none: there is no such file
    info: data/bad.json is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)
    info: data: it is no file
    info: data: the folder is not empty
    info: fs needs a path
    ");
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("new.txt");
    let grants = ananke_model::script::Grants {
        fs: vec!["fixtures".into()],
        ..ananke_model::script::Grants::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("fixtures")).unwrap();
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, root.join("fixtures").join(name)).unwrap();
    };
    link(&target, "abs");
    link(&outside.path().join("none"), "folder");
    link(std::path::Path::new("abs"), "twice");
    link(std::path::Path::new("round"), "round");
    link(std::path::Path::new("real.txt"), "later");
    for path in [
        "abs",
        "folder/x",
        "twice",
        "round",
        "later",
        "../fixtures/abs",
    ] {
        let refused = file(&grants, &root, &format!("fixtures/{path}"), false).unwrap_err();
        assert!(refused.contains("a link that leads nowhere"), "{refused}");
    }
    std::fs::write(root.join("fixtures/real.txt"), "x").unwrap();
    assert_eq!(
        file(&grants, &root, "fixtures/later", false),
        Ok(root.join("fixtures/real.txt"))
    );
    assert!(file(&grants, &root, "fixtures/new/a.txt", false).is_ok());
}

#[test]
fn only_granted_variables_are_there() {
    assert_snapshot!(lines(&[
        "[env.TOKEN, env.get('TOKEN'), env.UNSET]",
        "env.HOME",
        "env.get('PATH')",
        "['TOKEN' in env, 'UNSET' in env, 'HOME' in env, Object.keys(env)]",
        "JSON.stringify(env)",
        "(env.HOME = 'x', env.HOME)",
    ]), @r#"
    [env.TOKEN, env.get('TOKEN'), env.UNSET] → ["secret","secret",undefined]
    env.HOME ✗ Error: the environment variable `HOME` is not granted to scripts; grant it in the config: scripts: {env: [HOME]}
    env.get('PATH') ✗ Error: the environment variable `PATH` is not granted to scripts; grant it in the config: scripts: {env: [PATH]}
    ['TOKEN' in env, 'UNSET' in env, 'HOME' in env, Object.keys(env)] → [true,false,false,["TOKEN"]]
    JSON.stringify(env) → {"TOKEN":"secret"}
    (env.HOME = 'x', env.HOME) → x
    "#);
}
