//! Folders that mean no good: links, bytes that are no text, endless trees.

use insta::assert_snapshot;

use super::folder::Folder;

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = Folder::new(&[]);
    std::fs::write(folder.path("assistants/desk/prompts.yml"), b"- role: \xff").unwrap();
    std::fs::write(
        folder.path("connectors/local.conn.yao"),
        b"{\"type\": \"\xc3\"}",
    )
    .unwrap();
    assert_snapshot!(folder.problems(), @"
    assistants/desk/prompts.yml:1:9 error the file is not UTF-8 text | the byte at offset 8 is not UTF-8 | save the file as UTF-8
    connectors/local.conn.yao:1:11 error the file is not UTF-8 text | the byte at offset 10 is not UTF-8 | save the file as UTF-8
    ");
}

#[test]
fn nesting_has_an_end() {
    let deep = format!(
        "{{\"name\": \"a\", \"kb\": {}1{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    assert_snapshot!(Folder::new(&[("assistants/desk/package.yao", &deep)]).problems(), @"assistants/desk/package.yao:1:148 error lists and maps stand more than 128 deep in one another");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_app() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::TempDir::new().unwrap();
    std::fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    let folder = Folder::new(&[
        ("shared/rules.md", "Shared rules"),
        ("assistants/desk/assets/own.md", "own"),
        (
            "assistants/desk/prompts.yml",
            "- role: system\n  content: @assets/secret.txt\n",
        ),
    ]);
    let link = |from: std::path::PathBuf, to: &str| symlink(from, folder.path(to)).unwrap();
    link(
        outside.path().join("secret.txt"),
        "assistants/desk/assets/secret.txt",
    );
    link(
        folder.path("shared/rules.md"),
        "assistants/desk/assets/rules.md",
    );
    link(folder.path("connectors"), "connectors/again");
    assert_snapshot!(folder.problems(), @"assistants/desk/prompts.yml:2:12 error `assistants/desk/assets/secret.txt` is a link that leads out of the app");
    folder.write(
        "assistants/desk/prompts.yml",
        "- role: system\n  content: @assets/rules.md\n",
    );
    assert_snapshot!(folder.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "Shared rules"
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    "#);
}
