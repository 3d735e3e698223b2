//! Assistants with hooks and tools, against a server that plays the model.

mod create;
mod judging;
mod next;
mod servers;
mod tools;

use ananke_model::result::TestResult;
use serde_json::{Value, json};

use crate::dispatch::RunOptions;
use crate::speakers::tests::{Peer, streamed};
use crate::testing::{Project, options, run_live, shown};

const FOLDER: &str = "assistants/shop/refund";
const ASKS: &str = "turns: [{user: Where is order 7?}]\nassert: {text: {must_match: '.'}}\n";

/// What the model says in words.
fn says(text: &str) -> String {
    streamed(&[&json!({"content": text}).to_string()])
}

/// A call of a tool.
fn calls(name: &str, arguments: &Value) -> String {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let call = json!({"index": 0, "id": "c1", "type": "function", "function": function});
    streamed(&[&json!({"tool_calls": [call]}).to_string()])
}

/// Calls the one tool of the app.
fn finds(arguments: &Value) -> String {
    calls("agents_shop_refund_orders__find", arguments)
}

/// An app with one assistant, whose model is the server.
struct App {
    project: Project,
    peer: Peer,
    options: RunOptions,
}

impl App {
    fn new(answers: &[String], files: &[(&str, &str)]) -> Self {
        let peer = Peer::start(answers);
        let config = format!("target: {{type: assistant, folder: {FOLDER}}}\n");
        let app = Self {
            project: Project::with_config(&config, &[("a", ASKS)]),
            peer,
            options: options(),
        };
        let connector = |model: &str| {
            let options = json!({"model": model, "host": app.peer.host(), "key": "sk-secret-1"});
            json!({"label": "Local", "type": "openai", "options": options}).to_string()
        };
        app.write("app.yao", "{\"name\": \"Shop\"}");
        app.write("connectors/openai/local.conn.yao", &connector("m1"));
        app.write("connectors/openai/big.conn.yao", &connector("m2"));
        app.write(
            "assistants/shop/refund/package.yao",
            r#"{"name": "Refund", "connector": "openai.local", "options": {"temperature": 0}}"#,
        );
        app.write(
            "assistants/shop/refund/prompts.yml",
            "- role: system\n  content: Refunds for $CTX.TEAM_ID, $CTX.tier.\n",
        );
        for (path, text) in files {
            app.write(path, text);
        }
        app
    }

    /// Returns an app with the tool `find`, which this script answers.
    fn with_tool(answers: &[String], script: &str, files: &[(&str, &str)]) -> Self {
        let app = Self::new(answers, &[]);
        app.write(
            "assistants/shop/refund/package.yao",
            r#"{"name": "Refund", "connector": "openai.local",
               "mcp": {"servers": [{"server_id": "agents.shop.refund.orders", "tools": ["find"]}], "options": {"max_turn": 2}}}"#,
        );
        app.write(
            "assistants/shop/refund/mcps/orders.mcp.yao",
            r#"{"label": "Orders", "transport": "process", "tools": {"find": "agents.shop.refund.orders.Find"}}"#,
        );
        app.write(
            "assistants/shop/refund/mcps/mapping/orders/schemes/find.in.yao",
            r#"{"type": "object", "description": "Find an order", "properties": {"id": {"type": "string"}}, "required": ["id"]}"#,
        );
        app.write("assistants/shop/refund/src/orders.ts", script);
        for (path, text) in files {
            app.write(path, text);
        }
        app
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.project.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn hooks(self, script: &str) -> Self {
        self.write("assistants/shop/refund/src/index.ts", script);
        self
    }

    async fn run(&self) -> Vec<TestResult> {
        let options = RunOptions {
            cwd: self.project.path(""),
            ..self.options.clone()
        };
        run_live(&self.project.plan(), options).await.0
    }

    /// Runs the test: how it came out, what was said, and what was called.
    async fn shown(&self) -> String {
        let results = self.run().await;
        let mut lines = vec![shown(&results)];
        for judged in &results[0].turns {
            let turn = &judged.turn;
            lines.push(format!("says {:?}", turn.text));
            lines.extend(turn.tool_calls.iter().map(|call| {
                let Value::String(result) = json!(call.result).take() else {
                    let error = call.error.as_deref();
                    return format!("{}({}) fails: {error:?}", call.name, call.args_text);
                };
                format!("{}({}) = {result}", call.name, call.args_text)
            }));
        }
        lines.join("\n")
    }

    /// Returns the messages of a request to the model, in lines.
    fn sent(&self, number: usize) -> String {
        let bodies = self.peer.bodies();
        let messages = bodies[number]["messages"].as_array().unwrap().iter();
        let lines = messages.map(|message| {
            let calls = message.get("tool_calls").map_or("", |_| " (calls)");
            format!(
                "{}: {}{calls}",
                message["role"].as_str().unwrap(),
                message["content"]
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
