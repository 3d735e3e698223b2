//! Where apps, assistants and connectors are found.

use insta::assert_snapshot;

use super::folder::{Folder, LOCAL, PACKAGE};
use crate::assistants::find_app;
use crate::discover::assistant_id;

fn folder() -> Folder {
    Folder::new(&[
        ("assistants/post/parcel/package.yao", PACKAGE),
        ("assistants/post/parcel/tests/a.jsonl", "{}"),
        ("assistants/.hidden/package.yao", PACKAGE),
        ("assistants/node_modules/x/package.yao", PACKAGE),
        ("connectors/claude/sonnet-3.5.conn.yao", LOCAL),
        ("connectors/claude/readme.md", "# Claude"),
        ("inner/assistants/lone/package.yao", PACKAGE),
    ])
}

#[test]
fn ids_follow_from_paths() {
    let folder = folder();
    let app = find_app(&folder.path("assistants/post/parcel/tests")).unwrap();
    assert_snapshot!(app.assistant_ids().join(" "), @"desk post.parcel");
    assert_snapshot!(app.connector_ids().join(" "), @"claude.sonnet-3_5 local");
    let found = app.assistant("post.parcel").unwrap();
    assert_eq!(found, folder.path("assistants/post/parcel"));
    assert_eq!(assistant_id(&found), "post.parcel");
    for id in [
        "post",
        "",
        ".",
        "..",
        "post..parcel",
        "../assistants.desk",
        "/etc",
        "post/parcel",
    ] {
        assert_eq!(app.assistant(id), None, "{id}");
    }
}

#[test]
fn the_mark_of_an_app_counts_before_its_assistants() {
    let folder = folder();
    let root = |path: &str| find_app(&folder.path(path)).unwrap().root;
    assert_eq!(root("inner/assistants/lone"), folder.path(""));
    std::fs::remove_file(folder.path("app.yao")).unwrap();
    assert_eq!(root("inner/assistants/lone"), folder.path("inner"));
    folder.write("app.jsonc", "{}");
    assert_eq!(root("inner/assistants/lone"), folder.path(""));
}

#[test]
fn a_folder_that_is_no_assistant_is_an_error() {
    assert_snapshot!(folder().assistant("assistants/dsek").problems(), @"ananke.config.yaml:1:1 error there is no folder `assistants/dsek` |  | did you mean `assistants/desk`?");
    assert_snapshot!(folder().assistant("assistants/post").problems(), @"ananke.config.yaml:1:1 error the folder `assistants/post` is no assistant: it has no `package.yao`");
    assert_snapshot!(folder().assistant("nowhere/at/all").problems(), @"ananke.config.yaml:1:1 error there is no folder `nowhere/at/all`");
    let folder = Folder::new(&[("assistants/odd/package.yaoo", "{}")]);
    assert_snapshot!(folder.assistant("assistants/odd").problems(), @"ananke.config.yaml:1:1 error the folder `assistants/odd` is no assistant: it has no `package.yao` |  | did you mean `assistants/odd/package.yaoo`?");
}
