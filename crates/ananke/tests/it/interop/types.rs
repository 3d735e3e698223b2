//! The real TypeScript compiler reads what `ananke init --scripts` writes, and scripts of every kind beside it, as strictly as it can.

use std::path::Path;
use std::process::Command;

use ananke_testkit::TestContext;

use super::{has_node, installed};
use crate::ANANKE;

/// A test that names most of what scripts are given.
const TESTS: &str = r#"/// <reference path="./ananke.d.ts" />
import { Greet } from "./scripts/greeting";

function BeforeEach(t: testing.T, ctx: agent.Context) {
  t.log(t.name, ctx.User?.ID);
}

async function TestEverything(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  assert.Equal(Greet("Ada"), "Hello, Ada!");
  assert.JSONPath({ a: { b: 1 } }, "$.a.b", 1, "a message");
  assert.Match("order-7", /order-\d+/);
  assert.Agent("a text", "critic", { criteria: "is polite" });
  await t.run("inner", async (t) => t.assert.True(true));
  t.cleanup(() => {});
  const mock = t.mock({ f() { return 1; } }, "f", () => 2);
  assert.Len(mock.calls, 0);
  t.mockProcess("models.user.Find", (id: number) => ({ id }));
  const answer = Process("agents.shop.Stream", ctx, [{ role: "user", content: "hi" }]);
  assert.Contains(answer.content, "hi");
  ctx.memory.chat.Set("a", 1, 60);
  const response = await fetch("https://api.example.com/", { headers: { accept: "application/json" } });
  assert.Equal(response.status, 200);
  setTimeout(() => console.log(env.TOKEN, fs.exists("fixtures"), new URL("https://x/").host), 1);
}

export function Check(output: any, input: any, expected: any, turn: any): boolean | { pass: boolean; message?: string } {
  return turn.tool_calls.length === 1;
}
"#;

fn tsc(folder: &Path, more: &[&str]) -> String {
    let compiler = installed().join("node/node_modules/typescript/bin/tsc");
    let output = Command::new("node")
        .arg(compiler)
        .args([
            "--noEmit", "--strict", "--target", "es2022", "--module", "esnext",
        ])
        .args(["--moduleResolution", "bundler"])
        .args(more)
        .args(["all_test.ts", "scripts/greeting_test.ts"])
        .current_dir(folder)
        .output()
        .expect("node is installed");
    // What node says when there is no compiler is no empty answer.
    let told = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&told).into_owned()
}

#[test]
fn the_type_definitions_are_what_editors_need() {
    if !has_node("types of scripts, read by the TypeScript compiler") {
        return;
    }
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["init", "--scripts"]);
    assert_eq!(output.code, Some(0), "{output}");
    cx.write("all_test.ts", TESTS);
    assert_eq!(tsc(&cx.dir(), &["--lib", "es2022,dom"]), "");
    assert_eq!(tsc(&cx.dir(), &["--lib", "es2022"]), "");
    // A mistake is one.
    cx.write("all_test.ts", "/// <reference path=\"./ananke.d.ts\" />\nfunction TestA(t: testing.T) { t.assert.Equals(1, 1); }\n");
    let told = tsc(&cx.dir(), &["--lib", "es2022"]);
    assert!(told.contains("Did you mean 'Equal'"), "{told}");
}

#[test]
fn what_init_writes_runs() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["init", "--scripts"]);
    assert_eq!(output.code, Some(0), "{output}");
    let output = cx.run(&["run", "scripts", "--no-bundle"]);
    assert_eq!(output.code, Some(0), "{output}");
}
