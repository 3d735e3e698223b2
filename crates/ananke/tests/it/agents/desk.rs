//! A project with an agent for expenses, and scripted agents that test it.

use ananke_testkit::TestContext;

use crate::ANANKE;

/// The agent under test, and its helpers. Each follows a script inside ananke, so that nothing has to be started.
const CONFIG: &str = r#"version: "1.0"
targets:
  assistants.expense:
    type: scripted
    script:
      rules:
        - when: { user_contains: "submit an expense" }
          reply: [{ text: "What type of expense would you like to submit?" }]
        - when: { user_contains: "3500" }
          reply:
            - tool: { name: create_expense, args: { amount: 3500 }, result: { id: EXP-1 } }
            - text: "I created an expense over $3500. Shall I submit it?"
        - when: { user_contains: "yes" }
          reply: [{ text: "Your expense was submitted. Is there anything else?" }]
      fallback: [{ text: "Hi, what type of help do you need?" }]
  assistants.chat:
    type: scripted
    script: { rules: [{ reply: [{ text: "I am fine, thank you." }] }] }
agents:
  workers.test.user-simulator:
    type: scripted
    script:
      rules:
        - when: { user_contains: '"turn_number":1,' }
          reply: [{ text: '{"input": "I want to submit an expense", "goal_achieved": false, "reasoning": "first things first"}' }]
        - when: { user_contains: '"turn_number":2,' }
          reply: [{ text: '{"input": "Business travel, $3500", "goal_achieved": false}' }]
        - when: { user_contains: '"turn_number":3,' }
          reply: [{ text: '{"input": "Yes", "goal_achieved": false}' }]
      fallback: [{ text: '{"input": "", "goal_achieved": true}' }]
  workers.test.validator:
    type: scripted
    script:
      rules:
        - when: { user_contains: "refuse this" }
          reply: [{ text: '{"passed": false, "reason": "it was to be refused"}' }]
      fallback: [{ text: '{"passed": true, "reason": "helpful and friendly"}' }]
  workers.test.generator:
    type: scripted
    script:
      rules:
        - reply:
            - text: '[{"id": "G1", "input": "hello", "assertions": [{"type": "contains", "value": "type"}]}, {"id": "G2", "input": "Yes", "assert": {"type": "contains", "value": "submitted"}}]'
  report.beautiful:
    type: scripted
    script: { rules: [{ reply: [{ text: "<h1>Beautiful</h1>" }] }] }
"#;

/// Returns the project, without tests.
pub(super) fn desk() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx
}
