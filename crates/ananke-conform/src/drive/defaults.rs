//! What is said unless the user says otherwise. It brings about every scenario on the embedded agent.

use ananke_model::conformance::{OfferedFrontendTool, ScenarioPlan, ScenarioSetup};
use serde_json::{Value, json};

/// Every scenario, in the order in which they are played.
pub const SCENARIOS: [&str; 11] = [
    "hello",
    "multi-turn",
    "backend-tool",
    "parallel-tools",
    "failing-tool",
    "frontend-tool",
    "interrupt",
    "state",
    "abort",
    "error",
    "probes",
];

/// After how many events the client goes away.
const LEAVE_AFTER: usize = 3;

/// Returns how a scenario is brought about: as the plan says, the rest as by default.
///
/// What the user says and the state belong together: whoever changes the prompts gets no state of ours.
pub(super) fn setup(name: &str, plan: &ScenarioPlan) -> ScenarioSetup {
    let mut setup = plan.given.get(name).cloned().unwrap_or_default();
    if setup.prompts.is_empty() {
        setup.prompts = prompts(name).iter().map(|&text| text.to_owned()).collect();
        if setup.state.is_none() && setup.before.is_empty() {
            setup.state = state(name);
        }
    }
    if setup.tools.is_empty() && name == "frontend-tool" {
        setup.tools = vec![color_picker()];
    }
    setup.after_events.get_or_insert(LEAVE_AFTER);
    setup
}

fn prompts(name: &str) -> &'static [&'static str] {
    match name {
        "multi-turn" => &[
            "Find me a blue mug",
            "Add two blue mugs to my cart",
            "What is in my cart?",
        ],
        "backend-tool" => &["Find me a red mug"],
        "parallel-tools" => &["Compare the blue mug with the teapot"],
        "failing-tool" => &["Look into the locked warehouse"],
        "frontend-tool" => &["Let me pick a color for my mug"],
        "interrupt" => &["Confirm and pay"],
        "state" => &["Add a teapot to my cart", "Use the second shipping option"],
        "abort" => &["Please think slowly"],
        "error" => &["Use the broken gateway"],
        _ => &["Hello!"],
    }
}

fn state(name: &str) -> Option<Value> {
    let has_cart = matches!(name, "interrupt" | "state");
    has_cart.then(|| json!({"cart": [{"product_id": "mug-blue", "quantity": 2}]}))
}

fn color_picker() -> OfferedFrontendTool {
    OfferedFrontendTool {
        name: "pick_color".to_owned(),
        description: "Shows the user a palette and returns the color that they pick.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"colors": {"type": "array", "items": {"type": "string"}}},
            "required": ["colors"],
        }),
        result: json!({"color": "green"}),
    }
}
