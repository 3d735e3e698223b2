//! Folders that can be run.

use insta::assert_snapshot;

use super::folder::{Folder, LOCAL};

#[test]
fn a_complete_app_becomes_a_target() {
    let package = r#"// Answers questions about parcels.
{
  "name": "Parcel desk", /* shown
                            to people */
  "description": "Finds parcels",
  "connector": "cloud.big-1_5",
  "options": {"temperature": 0, "max_tokens": 200, "response_format": {"type": "json_object"}, "stop": ["${END}"], "top_p": null,},
  "mcp": {"servers": [], "options": {"tool_loop": true, "max_turn": 3}},
  "tags": ["post"], "sort": 3, "public": true, "modes": ["chat"], "kb": null,
}
"#;
    let connector = r#"{
  "label": "Big one", "type": "openai",
  "options": {
    "model": "$ENV.BIG_MODEL", "host": "$ENV.BIG_HOST", "key": "$ENV.BIG_KEY", "auth_mode": "api-key",
    "temperature": 1, "capabilities": {"vision": false, "streaming": false}, "extra_body": {"seed": 7},
  },
}"#;
    let prompts = r#"# What the desk knows
- role: system
  content: You are $CTX.ASSISTANT_NAME for team $CTX.TEAM_ID. Today is $SYS.DATE.
- role: system
  content: @assets/rules.md
  name: rules
- role: user
  content: |
    See @assets/deep/facts.txt.
    The price is ${price}, and {{persona}} asks.
"#;
    let folder = Folder::new(&[
        ("agent/agent.yml", "system:\n  default: local\n"),
        (
            "agent/prompts.yml",
            "- role: system\n  content: Be brief.\n",
        ),
        ("connectors/cloud/big-1.5.conn.yao", connector),
        ("assistants/post/parcel/package.yao", package),
        ("assistants/post/parcel/prompts.yml", prompts),
        (
            "assistants/post/parcel/assets/rules.md",
            "# Rules\n\n- Be kind: `${x}`\n",
        ),
        (
            "assistants/post/parcel/assets/deep/facts.txt",
            "Shops close at 6\n",
        ),
        ("assistants/post/parcel/src/tools.ts", "function Find() {}"),
        (
            "assistants/post/parcel/src/index.ts",
            "// NextStep, Created and $Next are no hooks\n",
        ),
        ("assistants/post/parcel/tests/inputs.jsonl", "{}"),
    ])
    .assistant("assistants/post/parcel")
    .environment("BIG_MODEL", "big")
    .environment("BIG_HOST", "https://models.example/v1/")
    .environment("BIG_KEY", "sk-secret");
    assert_snapshot!(folder.shown(), @r##"
    host ${ENV.BIG_HOST} model ${ENV.BIG_MODEL}
    key Some("${ENV.BIG_KEY}") in ApiKey
    parameters {"temperature":0,"seed":7,"max_completion_tokens":200,"response_format":{"type":"json_object"},"stop":["$${END}"]}
    not streamed
    agent/prompts.yml:2:12 system: "Be brief."
    assistants/post/parcel/prompts.yml:3:12 system: "You are $CTX.ASSISTANT_NAME for team $CTX.TEAM_ID. Today is $SYS.DATE."
    assistants/post/parcel/prompts.yml:5:12 system (rules): "# Rules\n\n- Be kind: `${x}`"
    assistants/post/parcel/prompts.yml:9:5 user: "See Shops close at 6.\nThe price is ${price}, and {{persona}} asks.\n"
    ASSISTANT_DESCRIPTION = "Finds parcels"
    ASSISTANT_ID = "post.parcel"
    ASSISTANT_NAME = "Parcel desk"
    ASSISTANT_TYPE = "assistant"
    "##);
}

#[test]
fn the_smallest_folder_is_enough() {
    assert_snapshot!(Folder::new(&[]).shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    "#);
    // It need not lie below `assistants`.
    let folder = Folder::new(&[
        ("lone/package.yao", r#"{"name": "Lone"}"#),
        ("lone/prompts.yaml", "- {role: system, content: Hi}"),
        ("agent/agent.yaml", "system: {default: local}"),
    ]);
    assert_snapshot!(folder.assistant("lone").shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    lone/prompts.yaml:1:27 system: "Hi"
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "lone"
    ASSISTANT_NAME = "Lone"
    ASSISTANT_TYPE = "assistant"
    "#);
}

#[test]
fn prompts_of_the_app_can_be_left_out() {
    let package = r#"{"name": "Helper", "connector": "local", "disable_global_prompts": true}"#;
    let folder = Folder::new(&[
        (
            "agent/prompts.yml",
            "- role: system\n  content: Be brief.\n",
        ),
        ("assistants/desk/package.yao", package),
    ]);
    assert_snapshot!(folder.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    "#);
}

#[test]
fn a_preset_takes_the_place_of_the_prompts() {
    let files = [
        (
            "assistants/desk/prompts/chat/friendly.yml",
            "- {role: system, content: Smile}",
        ),
        (
            "assistants/desk/prompts/short.yml",
            "- {role: system, content: Be short}",
        ),
    ];
    assert_snapshot!(Folder::new(&files).preset("chat.friendly").shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts/chat/friendly.yml:1:27 system: "Smile"
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    "#);
    assert_snapshot!(Folder::new(&files).preset("chat.frendly").problems(), @"ananke.config.yaml:1:1 error the assistant has no preset `chat.frendly` |  | did you mean `chat.friendly`?");
    assert_snapshot!(Folder::new(&files).preset("chat").problems(), @"ananke.config.yaml:1:1 error the assistant has no preset `chat` |  | there are `chat.friendly`, `short`");
    assert_snapshot!(Folder::new(&[]).preset("chat.friendly").problems(), @"ananke.config.yaml:1:1 error the assistant has no preset `chat.friendly` |  | write `prompts/chat/friendly.yml` beside `package.yao`");
}

#[test]
fn the_connector_is_the_chosen_one_or_the_named_one_or_the_default() {
    let other = LOCAL.replace("tiny", "other");
    let files = |package: &'static str| {
        Folder::new(&[
            (
                "agent/agent.yml",
                "uses: {default: desk}\nsystem:\n  default: $ENV.WHICH\n  light: small.one\n",
            ),
            ("connectors/small/one.conn.yao", &other),
            ("assistants/desk/package.yao", package),
        ])
        .environment("WHICH", "local")
    };
    let model = |folder: Folder| folder.shown().lines().next().unwrap().to_owned();
    let named = r#"{"name": "a", "connector": "local"}"#;
    assert_snapshot!(model(files(named)), @"host http://localhost:9000 model tiny");
    assert_snapshot!(model(files(named).connector("small.one")), @"host http://localhost:9000 model other");
    assert_snapshot!(model(files(r#"{"name": "a", "connector": "use::light"}"#)), @"host http://localhost:9000 model other");
    assert_snapshot!(model(files(r#"{"name": "a", "connector": "$ENV.WHICH"}"#)), @"host http://localhost:9000 model tiny");
    assert_snapshot!(model(files(r#"{"name": "a"}"#)), @"host http://localhost:9000 model tiny");
}
