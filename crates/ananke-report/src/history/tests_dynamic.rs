//! A conversation that a simulator led, as a test of what was said.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::{Kept, messages_case, yaml_test};
use crate::samples::dynamic;

#[test]
fn what_a_simulator_said_becomes_a_test() {
    let mut result = dynamic("T001", TestStatus::Passed);
    let written = yaml_test(&result, "20261115-115353-7f3a2b1c", &Kept::default()).unwrap();
    assert_snapshot!(written, @r#"
    # Written by `ananke history` from tests/shop.jsonl#T001 in run 20261115-115353-7f3a2b1c, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    # A simulator led the conversation; the turns say what it said then, whatever the agent answers now.
    version: "1.0"
    name: "Expense Coverage (recorded 20261115-115353-7f3a2b1c)"
    turns:
      - user: "Help me file an expense"
        assert:
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "What type"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 800ms
            max_duration_ms: 5000
      - user: "Client dinner, $250"
        assert:
          tools:
            # suggestion from run 20261115-115353-7f3a2b1c: these tools were called
            require:
              - name: "create_expense"
                args_match:
                  "amount": "^250$"
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Confirm"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
      - user: "Yes"
        assert:
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Submitted"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
    "#);
    // However the turns were sent.
    for judged in &mut result.turns {
        judged.turn.kind = "messages".to_owned();
    }
    let same = yaml_test(&result, "20261115-115353-7f3a2b1c", &Kept::default()).unwrap();
    assert_eq!(same, written);
    assert_snapshot!(messages_case(&result, None).unwrap(), @r#"{"id":"T001","name":"Expense Coverage","messages":[{"role":"user","content":"Yes"}],"assertions":[{"type":"contains","value":"Submitted"}]}"#);
}
