//! `ananke schema`: JSON Schemas for editors.

use ananke_testkit::TestContext;
use serde_json::Value;

use crate::ANANKE;

#[test]
fn schemas_are_printed_as_json() {
    let cx = TestContext::new(ANANKE);
    for (format, key) in [
        ("config", "targets"),
        ("test", "turns"),
        ("script", "rules"),
        ("report", "summary"),
        ("report-line", "type"),
        ("bundle", "record"),
    ] {
        let output = cx.run(&["schema", format]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        let schema: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        let text = schema.to_string();
        assert!(text.contains(&format!("\"{key}\"")), "{text}");
        assert_eq!(output.stdout, cx.run(&["schema", format]).stdout);
    }
}
