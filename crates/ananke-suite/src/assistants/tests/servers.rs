//! Servers and their tools: read and checked.

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
        (
            "assistants/desk/src/orders.ts",
            "export function Find(args, ctx) {}\nfunction Cancel(args) {}\n",
        ),
        ("assistants/post/package.yao", r#"{"name": "b"}"#),
        (
            "assistants/post/mcps/stamps.mcp.yao",
            r#"{"transport": "process"}"#,
        ),
    ])
}

#[test]
fn tools_of_scripts_are_offered() {
    let full = folder(r#"["agents.desk.orders", "agents.post.stamps"]"#);
    full.write(
        "assistants/desk/mcps/mapping/orders/schemes/find.in.yao",
        r#"{"inputSchema": {"type": "object", "x-process-args": ["$args.order.id", ":arguments", "$n", 7, "text"]}, "description": "Finds"}"#,
    );
    full.write(
        "assistants/desk/mcps/mapping/orders/schemes/find.jsonl",
        "{\"input\": {\"n\": 1}}\n{\"input\": 2}\n{\"input\": 3}\n{\"input\": 4}\n",
    );
    assert_snapshot!(full.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "a"
    ASSISTANT_TYPE = "assistant"
    desk over local
    prompts of the app: 0 of 0, presets []
    tool find of agents.desk.orders as agents_desk_orders__find: "Finds" {"type":"object"} runs assistants/desk/src/orders.ts#Find with Some([Member(["order", "id"]), All, Member(["n"]), Constant(Number(7)), Constant(String("text"))]); 3 samples
    tool cancel of agents.desk.orders as agents_desk_orders__cancel: "Cancels one" {"type":"object"} runs assistants/desk/src/orders.ts#Cancel with None; 0 samples
    loop true, 5 times
    "#);
    let options = r#"{"name": "a", "connector": "local", "mcp": {"servers": [{"server_id": "agents.desk.orders", "tools": ["cancel"]}], "options": {"tool_loop": false, "max_turn": 2}}}"#;
    let some = folder("[]");
    some.write("assistants/desk/package.yao", options);
    std::fs::remove_file(some.path("assistants/desk/prompts.yml")).unwrap();
    assert_snapshot!(some.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "a"
    ASSISTANT_TYPE = "assistant"
    desk over local
    prompts of the app: 0 of 0, presets []
    tool cancel of agents.desk.orders as agents_desk_orders__cancel: "Cancels one" {"type":"object"} runs assistants/desk/src/orders.ts#Cancel with None; 0 samples
    loop false, 2 times
    "#);
}

#[test]
fn servers_that_are_spoken_to_are_read() {
    let servers = r#"["far.web", {"local": ["add"]}, {"old": {"tools": null}}]"#;
    let spoken = folder(servers);
    spoken.write(
        "mcps/far/web.mcp.yao",
        r#"{"transport": "http", "url": "http://localhost:1/mcp", "authorization_token": "tok-${1}", "timeout": "5s"}"#,
    );
    spoken.write(
        "mcps/local.mcp.yao",
        r#"{"transport": "stdio", "command": "serve", "arguments": ["-v", "x"], "env": {"MODE": "test"}}"#,
    );
    assert_snapshot!(spoken.shown(), @r#"
    host http://localhost:9000 model tiny
    key None in Bearer
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "a"
    ASSISTANT_TYPE = "assistant"
    desk over local
    prompts of the app: 0 of 0, presets []
    server far.web: http http://localhost:1/mcp ["tok-$${1}"] None 5000ms
    server local: ["serve", "-v", "x"] ["MODE=test"] [] Some(["add"]) 30000ms
    server old: sse http://localhost:1/sse [] None 30000ms
    loop true, 5 times
    "#);
    let missing = folder(servers);
    missing.write("mcps/far/web.mcp.yao", r#"{"transport": "http"}"#);
    missing.write(
        "mcps/local.mcp.yao",
        r#"{"transport": "stdio", "env": ["a"]}"#,
    );
    missing.write(
        "mcps/old.mcp.yao",
        r#"{"transport": "sse", "endpoint": "http://localhost:1/sse", "timeout": 5}"#,
    );
    assert_snapshot!(missing.problems(), @r#"
    mcps/far/web.mcp.yao:1:1 error `url` is missing in the server `far.web` |  | write `"url": "http://localhost:8000/mcp"`
    mcps/local.mcp.yao:1:1 error `command` is missing in the server `local` |  | write `"command": "python3"`
    mcps/old.mcp.yao:1:71 error expected a time with a unit, such as `"30s"`, found the number `5` |  | write `"5s"` or `"5ms"`
    "#);
}

#[test]
fn processes_must_be_functions_of_scripts() {
    let process = |name: &str| {
        let folder = folder(r#"[{"agents.desk.orders": ["find"]}]"#);
        let server = format!(r#"{{"transport": "process", "tools": {{"find": "{name}"}}}}"#);
        folder.write("assistants/desk/mcps/orders.mcp.yao", &server);
        folder.write("scripts/deep/tools.js", "function Run() {}");
        folder.write("scripts/broken.ts", "syntax error");
        folder.problems()
    };
    assert_snapshot!(process("scripts.deep.tools.Run"), @"");
    assert_snapshot!(process("agents.desk.orders.Cancel"), @"");
    assert_snapshot!(process("agents.desk.orders.Fnid"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error `assistants/desk/src/orders.ts` has no function `Fnid` |  | did you mean `Find`?");
    assert_snapshot!(process("agents.desk.oders.Find"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `agents.desk.oders.Find` needs `assistants/desk/src/oders.ts`, which is not there |  | did you mean `assistants/desk/src/orders.ts`?");
    assert_snapshot!(process("agents.deks.orders.Find"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `agents.deks.orders.Find` names no assistant |  | did you mean `agents.desk.…`?");
    assert_snapshot!(process("scripts.deep.tool.Run"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `scripts.deep.tool.Run` needs `scripts/deep/tool.ts`, which is not there |  | did you mean `scripts/deep/tools.js`?");
    assert_snapshot!(process("scripts.broken.Run"), @"scripts/broken.ts:1:1 error this is not TypeScript");
    assert_snapshot!(process("models.order.Find"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `models.order.Find` is no function of a script |  | write `scripts.<file>.<function>`, or `agents.<assistant>.<file>.<function>`");
    assert_snapshot!(process("scripts.../../etc/x.Run"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `scripts.../../etc/x.Run` is no function of a script |  | write `scripts.<file>.<function>`, or `agents.<assistant>.<file>.<function>`");
    assert_snapshot!(process("scripts.Run"), @"assistants/desk/mcps/orders.mcp.yao:1:44 error the process `scripts.Run` is no function of a script |  | write `scripts.<file>.<function>`, or `agents.<assistant>.<file>.<function>`");
}

#[test]
fn a_model_gets_no_more_than_twenty_tools() {
    let many = folder(r#"["agents.desk.orders"]"#);
    let mut tools = Vec::new();
    for number in 0..21 {
        tools.push(format!(r#""t{number}": "agents.desk.orders.Find""#));
        let path = format!("assistants/desk/mcps/mapping/orders/schemes/t{number}.in.yao");
        many.write(&path, r#"{"type": "object"}"#);
    }
    let server = format!(
        r#"{{"transport": "process", "tools": {{{}}}}}"#,
        tools.join(", ")
    );
    many.write("assistants/desk/mcps/orders.mcp.yao", &server);
    assert_snapshot!(many.problems(), @r#"assistants/desk/package.yao:1:57 error the assistant offers 21 tools: a model gets at most 20 |  | name those that it needs: `{"server_id": "…", "tools": ["…"]}`"#);
    let twice = folder(r#"["agents.desk.orders", {"agents.desk.orders": ["find"]}]"#);
    assert_snapshot!(twice.problems(), @"assistants/desk/package.yao:1:80 error the model would get two tools with the name `agents_desk_orders__find`");
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
    assistants/desk/mcps/orders.mcp.yao:1:56 error the process `x` is no function of a script |  | write `scripts.<file>.<function>`, or `agents.<assistant>.<file>.<function>`
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
