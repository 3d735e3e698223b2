//! Servers and their tools: read, checked, and refused by name.

use insta::assert_snapshot;

use super::folder::{Folder, packages};

fn package(servers: &str) -> String {
    format!(r#"{{"name": "a", "connector": "local", "mcp": {{"servers": {servers}}}}}"#)
}

fn folder(servers: &str) -> Folder {
    Folder::new(&[
        ("assistants/desk/package.yao", &package(servers)),
        (
            "assistants/desk/mcps/orders.mcp.yao",
            r#"{"label": "Orders", "transport": "process", "tools": {"find": "agents.desk.orders.Find", "cancel": "agents.desk.orders.Cancel"}}"#,
        ),
        (
            "assistants/desk/mcps/mapping/orders/schemes/find.in.yao",
            r#"{"type": "object", "description": "Finds an order", "properties": {"id": {"type": "string"}},}"#,
        ),
        (
            "assistants/desk/mcps/mapping/orders/schemes/cancel.in.yao",
            r#"{"name": "cancel", "description": "Cancels one", "inputSchema": {"type": "object"}}"#,
        ),
        (
            "mcps/far/web.mcp.yao",
            r#"{"transport": "http", "url": "http://localhost:1/mcp"}"#,
        ),
        (
            "mcps/local.mcp.yao",
            r#"{"transport": "stdio", "command": "serve", "arguments": []}"#,
        ),
        (
            "mcps/old.mcp.yao",
            r#"{"transport": "sse", "url": "http://localhost:1/sse"}"#,
        ),
        ("assistants/post/package.yao", r#"{"name": "b"}"#),
        (
            "assistants/post/mcps/stamps.mcp.yao",
            r#"{"transport": "process"}"#,
        ),
    ])
}

#[test]
fn each_server_is_refused_with_what_it_needs() {
    let servers = r#"[{"server_id": "agents.desk.orders", "tools": ["find"]}, "far.web", {"local": []}, {"old": {"tools": null}}, "agents.post.stamps"]"#;
    assert_snapshot!(folder(servers).problems(), @"
    assistants/desk/package.yao:1:71 error the server `agents.desk.orders` needs a script engine, which this version does not have | its tools run scripts of the app: `find` | run the app, and test it as a target of `type: agui` or `type: openai`
    assistants/desk/package.yao:1:113 error the server `far.web` needs an MCP client, which this version does not have | its transport is `http` | run the app, and test it as a target of `type: agui` or `type: openai`
    assistants/desk/package.yao:1:125 error the server `local` needs an MCP client, which this version does not have | its transport is `stdio` | run the app, and test it as a target of `type: agui` or `type: openai`
    assistants/desk/package.yao:1:140 error the server `old` needs an MCP client, which this version does not have | its transport is `sse` | run the app, and test it as a target of `type: agui` or `type: openai`
    assistants/desk/package.yao:1:165 error the server `agents.post.stamps` needs a script engine, which this version does not have | it runs scripts of the app | run the app, and test it as a target of `type: agui` or `type: openai`
    ");
    assert_snapshot!(folder(r#"["agents.desk.orders"]"#).problems(), @"assistants/desk/package.yao:1:57 error the server `agents.desk.orders` needs a script engine, which this version does not have | its tools run scripts of the app: `find`, `cancel` | run the app, and test it as a target of `type: agui` or `type: openai`");
}

#[test]
fn servers_and_tools_that_are_not_there_are_errors() {
    assert_snapshot!(folder(r#"["agents.desk.order", "zebra"]"#).problems(), @"
    assistants/desk/package.yao:1:57 error there is no server `agents.desk.order` |  | did you mean `agents.desk.orders`?
    assistants/desk/package.yao:1:78 error there is no server `zebra` |  | there are `agents.desk.orders`, `far.web`, `local`, `old`
    ");
    assert_snapshot!(folder(r#"[{"agents.desk.orders": ["fnid", "../x"]}]"#).problems(), @"
    assistants/desk/package.yao:1:81 error the server `agents.desk.orders` has no tool `fnid` |  | did you mean `find`?
    assistants/desk/package.yao:1:89 error the server `agents.desk.orders` has no tool `../x` |  | it has `find`, `cancel`
    assistants/desk/package.yao:1:58 error the server `agents.desk.orders` needs a script engine, which this version does not have | it runs scripts of the app | run the app, and test it as a target of `type: agui` or `type: openai`
    ");
}

#[test]
fn the_files_of_a_server_are_checked() {
    let broken = folder(r#"["agents.desk.orders", "local"]"#);
    broken.write(
        "assistants/desk/mcps/mapping/orders/schemes/find.in.yao",
        "{\"type\" \"object\"}",
    );
    broken.write(
        "assistants/desk/mcps/mapping/orders/schemes/find.out.yao",
        "[]",
    );
    broken.write(
        "assistants/desk/mcps/mapping/orders/schemes/find.jsonl",
        "{\"output\": 1}\n",
    );
    broken.write(
        "assistants/desk/mcps/mapping/orders/schemes/cancel.in.yao",
        "{\"inputSchema\": 1}",
    );
    broken.write(
        "mcps/local.mcp.yao",
        r#"{"transport": "studio", "comand": "x"}"#,
    );
    assert_snapshot!(broken.problems(), @"
    assistants/desk/mcps/mapping/orders/schemes/find.in.yao:1:9 error expected `:` behind the key `type` | found text
    assistants/desk/mcps/mapping/orders/schemes/find.out.yao:1:1 error expected an object in braces, found `[`
    assistants/desk/mcps/mapping/orders/schemes/find.jsonl:1:1 error `input` is missing in a sample
    assistants/desk/mcps/mapping/orders/schemes/cancel.in.yao:1:17 error the schema is the number `1`, expected a map
    assistants/desk/package.yao:1:57 error the server `agents.desk.orders` needs a script engine, which this version does not have | its tools run scripts of the app: `find`, `cancel` | run the app, and test it as a target of `type: agui` or `type: openai`
    mcps/local.mcp.yao:1:25 warning unknown key `comand` in a server: it has no effect |  | did you mean `command`?
    mcps/local.mcp.yao:1:15 error unknown transport `studio` |  | did you mean `stdio`?
    ");
    let bare = folder(r#"["agents.desk.orders", "local"]"#);
    std::fs::remove_dir_all(bare.path("assistants/desk/mcps/mapping")).unwrap();
    bare.write(
        "assistants/desk/mcps/orders.mcp.yao",
        r#"{"transport": "process", "tools": {"find": 5, "../up": "x"}}"#,
    );
    bare.write("mcps/local.mcp.yao", r#"{"label": "x"}"#);
    assert_snapshot!(bare.problems(), @r#"
    assistants/desk/mcps/orders.mcp.yao:1:44 error the process of the tool `find` is the number `5`, expected text
    assistants/desk/mcps/orders.mcp.yao:1:36 error the tool `find` has no schema |  | write `assistants/desk/mcps/mapping/orders/schemes/find.in.yao`: a JSON Schema of its input
    assistants/desk/mcps/orders.mcp.yao:1:47 error `../up` is not the name of a tool
    assistants/desk/package.yao:1:57 error the server `agents.desk.orders` needs a script engine, which this version does not have | its tools run scripts of the app: `find`, `../up` | run the app, and test it as a target of `type: agui` or `type: openai`
    mcps/local.mcp.yao:1:1 error `transport` is missing in the server `local` |  | write `"transport": "process"`
    "#);
}

#[test]
fn what_is_used_of_servers_is_checked() {
    assert_snapshot!(packages(&[
        &package("\"local\""),
        &package("[5, {}, {\"a\": [], \"b\": []}, {\"a\": 1}, \"\"]"),
        r#"{"name": "a", "connector": "local", "mcp": []}"#,
        r#"{"name": "a", "connector": "local", "mcp": {"server": [], "options": {"max_turn": 0, "tool_loop": 1, "turns": 2}}}"#,
    ]), @r#"
    assistants/desk/package.yao:1:56 error `servers` is text, expected a list
    --
    assistants/desk/package.yao:1:57 error a server is the number `5`, expected text
    assistants/desk/package.yao:1:60 error a server has no `server_id` |  | write `"id"`, or `{"server_id": "id", "tools": ["name"]}`
    assistants/desk/package.yao:1:64 error a server has no `server_id` |  | write `"id"`, or `{"server_id": "id", "tools": ["name"]}`
    assistants/desk/package.yao:1:90 error what is used of a server is the number `1`, expected a map
    assistants/desk/package.yao:1:94 error a server is empty
    assistants/desk/package.yao:1:85 error there is no server `a`
    --
    assistants/desk/package.yao:1:44 error `mcp` is a list, expected a map
    --
    assistants/desk/package.yao:1:45 warning unknown key `server` in `mcp`: it has no effect |  | did you mean `servers`?
    assistants/desk/package.yao:1:102 warning unknown key `turns` in `mcp.options`: it has no effect
    assistants/desk/package.yao:1:99 error `tool_loop` is the number `1`, expected `true` or `false`
    assistants/desk/package.yao:1:83 error `max_turn` is the number `0`, expected a whole number from 1 on
    "#);
}
