//! `src/index.ts`, and what its hooks can choose from.

use insta::assert_snapshot;

use super::folder::{Folder, LOCAL, PROMPTS};

const HOOKS: &str =
    "// hooks\nfunction Create(ctx, messages) { return null }\nexport function Next() {}\n";

#[test]
fn hooks_can_choose_among_prompts_and_connectors() {
    let broken = LOCAL.replace("tiny", "$ENV.NOT_SET");
    let folder = Folder::new(&[
        ("assistants/desk/src/index.ts", HOOKS),
        ("assistants/desk/prompts/short.yml", PROMPTS),
        ("assistants/desk/prompts/chat/kind.yml", PROMPTS),
        ("agent/prompts.yml", PROMPTS),
        ("connectors/far/broken.conn.yao", &broken),
        ("connectors/other.conn.yao", LOCAL),
    ]);
    assert_snapshot!(folder.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    agent/prompts.yml:2:12 system: "You help."
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    desk over local
    hooks of assistants/desk/src/index.ts: Some("assistants/desk/src/index.ts#Create") Some("assistants/desk/src/index.ts#Next")
    prompts of the app: 1 of 1, presets ["chat.kind", "short"]
    connector far.broken: not usable: `model` has no value
    connector local: tiny
    connector other: tiny
    "#);
    let package = r#"{"name": "a", "connector": "local", "disable_global_prompts": true}"#;
    folder.write("assistants/desk/package.yao", package);
    folder.write(
        "assistants/desk/src/index.ts",
        "export function Create() {}",
    );
    assert_snapshot!(folder.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "a"
    ASSISTANT_TYPE = "assistant"
    desk over local
    hooks of assistants/desk/src/index.ts: Some("assistants/desk/src/index.ts#Create") None
    prompts of the app: 0 of 1, presets ["chat.kind", "short"]
    connector far.broken: not usable: `model` has no value
    connector local: tiny
    connector other: tiny
    "#);
}

#[test]
fn hooks_alone_are_enough() {
    let hooks = ("assistants/desk/src/index.js", "function Next() {}");
    let alone = [hooks, ("assistants/desk/prompts.yml", "")];
    assert_snapshot!(Folder::new(&alone).shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    desk over local
    hooks of assistants/desk/src/index.js: None Some("assistants/desk/src/index.js#Next")
    prompts of the app: 0 of 0, presets []
    "#);
    let none = [
        ("assistants/desk/src/index.ts", "function helper() {}"),
        alone[1],
    ];
    assert_snapshot!(Folder::new(&none).problems(), @"assistants/desk/package.yao:1:1 error the assistant has neither prompts nor tools: nothing would be sent |  | write `prompts.yml` beside `package.yao`: a list of `role` and `content`");
}

#[test]
fn hooks_that_cannot_be_read_are_errors() {
    let with = |path: &str, text: &str| Folder::new(&[(path, text)]).problems();
    let index = "assistants/desk/src/index.ts";
    assert_snapshot!(with(index, "syntax error"), @"assistants/desk/src/index.ts:1:1 error this is not TypeScript");
    assert_snapshot!(with(index, "import x from 'y';\nexport  *\n  from './hooks';\n"), @r#"assistants/desk/src/index.ts:2:1 error `export *` does not say whether it brings in the hooks `Create` and `Next` |  | name what is handed on: `export { Create, Next } from "./hooks"`"#);
    assert_snapshot!(with(index, "function create() {}\n"), @"assistants/desk/src/index.ts:1:1 warning the function `create` is not called: the hook is `Create`");
    assert_snapshot!(with(index, "export * as tools from './tools';\n"), @"");
    // Only one file holds hooks.
    assert_snapshot!(with("assistants/desk/src/deep/index.ts", "syntax error"), @"");
    let preset = Folder::new(&[
        (index, HOOKS),
        (
            "assistants/desk/prompts/short.yml",
            "- role: sytem\n  content: Hi\n",
        ),
    ]);
    assert_snapshot!(preset.problems(), @"assistants/desk/prompts/short.yml:1:9 error unknown role `sytem` |  | did you mean `system`?");
}
