//! Paying: a call that waits for the customer's approval, and what follows from the answer.

use serde_json::{Value, json};

use super::assistant::{Shop, ShopBehavior, call, say};
use super::cart::Cart;
use super::catalog::{STANDARD, dollars};
use crate::input::{MessageCall, ResumeEntry, RunInput};
use crate::script::{FinishStep, InterruptStep, Step, ToolResultStep, ToolStep};

const ORDER_ID: &str = "order-1001";
/// Why a run stops before the card is charged.
const REASON: &str = "tool_approval";

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
            reason: REASON.to_owned(),
            message: Some(format!("Charge {} to your card?", dollars(amount_cents))),
            tool: Some("charge_card".to_owned()),
            response_schema: Some(response_schema()),
            ..InterruptStep::default()
        }),
    ]
}

/// Returns the answer to the question, if one is there. Answers to what was never asked are no reason to stop.
pub(super) fn answer(input: &RunInput) -> Option<&ResumeEntry> {
    let entries = input.resume.as_deref().unwrap_or_default();
    let own = open_question(input).map(|call| interrupt_id(&call.id));
    let named = entries
        .iter()
        .find(|entry| own.as_ref() == Some(&entry.interrupt_id));
    named.or_else(|| entries.first())
}

/// Returns the call that still waits for an answer.
pub(super) fn open_question(input: &RunInput) -> Option<&MessageCall> {
    input
        .calls()
        .filter(|call| call.function.name == "charge_card" && !input.is_answered(call))
        .last()
}

/// Stops once more at the same question: nothing is charged without an answer, and the run is no success.
pub(super) fn ask_again(why: &str, call: &MessageCall) -> Vec<Step> {
    let interrupt = json!({
        "id": interrupt_id(&call.id),
        "reason": REASON,
        "message": why,
        "toolCallId": call.id,
        "responseSchema": response_schema(),
    });
    vec![
        say(why),
        Step::Finish(FinishStep {
            outcome: Some(json!({"type": "interrupt", "interrupts": [interrupt]})),
            ..FinishStep::default()
        }),
    ]
}

/// The engine names an interrupt after its call.
fn interrupt_id(call: &str) -> String {
    format!("interrupt-{call}")
}

fn response_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"approved": {"type": "boolean"}},
        "required": ["approved"],
    })
}

/// Goes on after the customer answered: charges the card, or does not.
pub(super) fn answered(
    shop: Shop,
    answer: &ResumeEntry,
    input: &RunInput,
    cart: &Cart,
) -> Vec<Step> {
    let waiting = waiting_call(answer, input);
    let approved = answer.payload.get("approved").and_then(Value::as_bool);
    if let (Some(call), None, "resolved") = (open_question(input), approved, answer.status.as_str())
    {
        return ask_again("I need a yes or a no: may I charge your card?", call);
    }
    let is_approved = answer.status == "resolved" && approved == Some(true);
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
    match open_question(input) {
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
