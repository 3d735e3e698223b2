//! Paying: a call that waits for the customer's approval, and what follows from the answer.

use serde_json::{Value, json};

use super::assistant::{Shop, ShopBehavior, call, say};
use super::cart::Cart;
use super::catalog::{STANDARD, dollars};
use crate::input::{ResumeEntry, RunInput};
use crate::script::{InterruptStep, Step, ToolResultStep, ToolStep};

const ORDER_ID: &str = "order-1001";

/// Prepares the charge and asks whether it may be made.
pub(super) fn ask_for_approval(input: &RunInput, cart: &Cart) -> Vec<Step> {
    if cart.is_empty() {
        return vec![say("Your cart is empty, so there is nothing to pay.")];
    }
    let amount_cents = amount_cents(input, cart);
    vec![
        Step::Tool(ToolStep {
            name: "charge_card".to_owned(),
            args: charge(amount_cents),
            ..ToolStep::default()
        }),
        Step::Interrupt(InterruptStep {
            reason: "tool_approval".to_owned(),
            message: Some(format!("Charge {} to your card?", dollars(amount_cents))),
            tool: Some("charge_card".to_owned()),
            response_schema: Some(json!({
                "type": "object",
                "properties": {"approved": {"type": "boolean"}},
                "required": ["approved"],
            })),
            ..InterruptStep::default()
        }),
    ]
}

/// Goes on after the customer answered: charges the card, or does not.
pub(super) fn answered(
    shop: Shop,
    answer: &ResumeEntry,
    input: &RunInput,
    cart: &Cart,
) -> Vec<Step> {
    let waiting = waiting_call(answer, input);
    let is_approved = answer.status == "resolved"
        && answer.payload.get("approved").and_then(Value::as_bool) == Some(true);
    let amount_cents = amount_cents(input, cart);
    if !is_approved {
        let result = json!({"status": "not charged", "reason": "declined by the customer"});
        return vec![
            Step::ToolResult(ToolResultStep {
                tool_call_id: waiting,
                result,
            }),
            say("The order was not placed, and nothing was charged."),
        ];
    }
    let charged = json!({"status": "charged", "amount_cents": amount_cents, "order_id": ORDER_ID});
    let mut steps = vec![Step::ToolResult(ToolResultStep {
        tool_call_id: waiting,
        result: charged.clone(),
    })];
    if shop.behavior == ShopBehavior::Forgetful {
        steps.push(call("charge_card", charge(amount_cents), charged));
    }
    steps.push(Step::State(json!({"cart": [], "order_id": ORDER_ID})));
    steps.push(say(&format!(
        "Paid {}. Your order is {ORDER_ID}.",
        dollars(amount_cents)
    )));
    steps
}

/// Returns the id of the call that the answered interrupt holds up. The engine names an interrupt after its call, so the
/// id is known even to a client that sends no history.
fn waiting_call(answer: &ResumeEntry, input: &RunInput) -> String {
    let in_history = input
        .calls()
        .filter(|call| call.function.name == "charge_card" && !input.is_answered(call))
        .last();
    match in_history {
        Some(call) => call.id.clone(),
        None => {
            let id = answer.interrupt_id.as_str();
            id.strip_prefix("interrupt-").unwrap_or(id).to_owned()
        }
    }
}

fn amount_cents(input: &RunInput, cart: &Cart) -> u64 {
    let agreed = input.state.get("total_cents").and_then(Value::as_u64);
    agreed.unwrap_or_else(|| cart.total_cents(STANDARD))
}

fn charge(amount_cents: u64) -> Value {
    json!({"amount_cents": amount_cents, "currency": "USD"})
}
