//! What is written: files that explain themselves.

/// The config; `@ENDPOINT@` is to be replaced.
pub(super) const CONFIG: &str = r#"# yaml-language-server: $schema=.ananke/schema/config.json
#
# The agent under test, and what all tests share. Every key: `ananke schema config`.

version: "1.0"

target:
  type: agui
  # Where requests are sent. ${ENV.NAME} takes a value from the environment or from `--env-file`.
  endpoint: @ENDPOINT@

  # headers:
  #   Authorization: "Bearer ${ENV.AGENT_TOKEN}"

  # For a CopilotKit runtime: `copilotkit` or `copilotkit-rest`, and the agent's id.
  # envelope: copilotkit
  # agentId: my-agent

  # What every test demands of this agent.
  # assert:
  #   text:
  #     must_not_match: "(?i)internal server error"

# The app under test, started before the first test and stopped after the last.
# server:
#   cmd: [npm, start]
#   url: "http://localhost:8000/health"
"#;

/// The first test.
pub(super) const TEST: &str = r#"# yaml-language-server: $schema=../.ananke/schema/test.json
#
# One file is one test: a conversation, and what must hold. Every key: `ananke schema test`.

version: "1.0"
name: the agent says hello

turns:
  - user: "Hello!"
    assert:
      text:
        # A regular expression: here, that there is any answer at all.
        must_match: '\S'
      # tools:
      #   require:
      #     - name: search
      #   forbid: [delete_account]
      # timing:
      #   max_duration_ms: 10000
"#;

/// A script.
pub(super) const SCRIPT: &str = r#"/// <reference path="../ananke.d.ts" />

export function Greet(name: string): string {
  return `Hello, ${name.trim()}!`;
}
"#;

/// Its tests.
pub(super) const SCRIPT_TEST: &str = r#"/// <reference path="../ananke.d.ts" />
//
// Functions whose name begins with Test are tests. `ananke run scripts` runs them. The names of `greeting.ts`, the
// module beside this file, are in scope even without the import.

import { Greet } from "./greeting";

function TestGreet(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(Greet(" Ada "), "Hello, Ada!");
}
"#;
