//! What the assistant does about each thing a customer can say.

use serde_json::{Value, json};

use super::cart::Cart;
use super::catalog::{
    Product, SHIPPING, STANDARD, Shipping, all_mentioned, dollars, mentioned, quantity, search,
};
use super::{palette, payment};
use crate::agent::{About, Agent, Toolbox};
use crate::engine::{Clock, Framing, Reply, compose};
use crate::input::RunInput;
use crate::script::{ErrorStep, NamedSteps, Step, TextDeltas, ToolStep};

/// The shop assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shop {
    /// How well it works.
    pub behavior: ShopBehavior,
}

/// How well the assistant works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShopBehavior {
    /// As it should.
    Healthy,
    /// It forgets to validate the cart, and charges the card twice.
    Forgetful,
}

impl Agent for Shop {
    fn reply(&self, input: &RunInput) -> Reply {
        compose(&self.steps(input), Framing::Run, Clock::Absent, input)
    }

    fn about(&self) -> About {
        let skill = |id: &str, name: &str, description: &str, example: &str| {
            json!({
                "id": id,
                "name": name,
                "description": description,
                "tags": ["shop"],
                "examples": [example],
            })
        };
        About {
            name: "shop assistant".to_owned(),
            description: "The assistant of a small shop for mugs, teapots and tea.".to_owned(),
            skills: vec![
                skill("search", "Search", "Finds products.", "Find me a blue mug"),
                skill(
                    "cart",
                    "Cart",
                    "Fills the cart.",
                    "Add two blue mugs to my cart",
                ),
                skill(
                    "checkout",
                    "Checkout",
                    "Ships and charges.",
                    "I want to checkout",
                ),
            ],
        }
    }

    fn toolbox(&self) -> Option<&dyn Toolbox> {
        Some(self)
    }
}

impl Shop {
    fn steps(self, input: &RunInput) -> Vec<Step> {
        let cart = Cart::of(input);
        if let Some(answer) = payment::answer(input) {
            return payment::answered(self, answer, input, &cart);
        }
        let Some(said) = input.user_text() else {
            return welcome_back(&cart);
        };
        if let Some(call) = payment::open_question(input) {
            return payment::ask_again(
                "Please tell me first whether I may charge your card.",
                call,
            );
        }
        if let Some(steps) = palette::picked(input) {
            return steps;
        }
        let said = said.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
        if has(&["broken gateway"]) {
            gateway_down()
        } else if has(&["think slowly"]) {
            slowly()
        } else if has(&["locked warehouse"]) {
            warehouse_locked()
        } else if has(&["find ", "search "]) {
            search_products(&said)
        } else if has(&["add "]) && has(&["cart"]) {
            add_to_cart(&said, cart)
        } else if has(&["shipping option"]) {
            choose_shipping(&said, &cart)
        } else if has(&["confirm", "pay"]) {
            payment::ask_for_approval(input, &cart)
        } else if has(&["checkout", "check out"]) {
            self.checkout(&cart)
        } else if has(&["cart"]) {
            view_cart(&cart)
        } else if has(&["compare "]) {
            compare(&said)
        } else if has(&["pick a color"]) {
            palette::pick_color(input)
        } else if has(&["hello", "help"]) {
            vec![say(
                "Hello! I can search our products, fill your cart and check out.",
            )]
        } else {
            vec![say("I did not understand that.")]
        }
    }

    fn checkout(self, cart: &Cart) -> Vec<Step> {
        let options: Value = SHIPPING.iter().map(Shipping::to_json).collect();
        let shipping = call("get_shipping_options", json!({}), options);
        let offer =
            say("You can choose standard shipping for $4.00 or express shipping for $9.00.");
        if self.behavior == ShopBehavior::Forgetful {
            return vec![shipping, offer];
        }
        if cart.is_empty() {
            let verdict = json!({"valid": false, "problem": "the cart is empty"});
            return vec![
                call("validate_cart", json!({"cart": []}), verdict),
                say("Your cart is empty."),
            ];
        }
        let verdict = json!({"valid": true, "subtotal_cents": cart.subtotal_cents()});
        let validate = call("validate_cart", json!({"cart": cart.to_json()}), verdict);
        let checkout = NamedSteps {
            name: "checkout".to_owned(),
            reply: vec![validate, shipping],
        };
        vec![Step::Step(checkout), offer]
    }
}

fn welcome_back(cart: &Cart) -> Vec<Step> {
    if cart.is_empty() {
        return vec![say("Welcome! Your cart is empty.")];
    }
    vec![say(&format!(
        "Welcome back! Your cart holds {}.",
        cart.in_words()
    ))]
}

fn gateway_down() -> Vec<Step> {
    vec![
        say("Let me call the payment gateway."),
        Step::Error(ErrorStep {
            message: "payment gateway unreachable".to_owned(),
            code: Some("GATEWAY_DOWN".to_owned()),
        }),
    ]
}

/// A tool that fails: the call has its result all the same, and the assistant goes on.
fn warehouse_locked() -> Vec<Step> {
    vec![
        Step::Tool(ToolStep {
            name: "look_into_warehouse".to_owned(),
            args: json!({}),
            error: Some("the warehouse is locked".to_owned()),
            ..ToolStep::default()
        }),
        say("I could not look: the warehouse is locked."),
    ]
}

fn slowly() -> Vec<Step> {
    let deltas = ["Good ", "things ", "take ", "their ", "time", "."]
        .map(str::to_owned)
        .to_vec();
    vec![
        Step::Reasoning("The customer is patient, so there is no hurry.".to_owned()),
        Step::TextDeltas(TextDeltas {
            deltas,
            every_ms: 50,
        }),
    ]
}

fn search_products(said: &str) -> Vec<Step> {
    let query = query(said);
    let found = search(&query);
    let results: Value = found.iter().map(|product| product.to_json()).collect();
    let names: Vec<String> = found
        .iter()
        .map(|product| format!("{} for {}", product.name, dollars(product.price_cents)))
        .collect();
    let answer = if found.is_empty() {
        format!("I found nothing for \"{query}\".")
    } else {
        format!("I found: {}.", names.join(", "))
    };
    vec![
        Step::Reasoning(format!("The customer looks for \"{query}\".")),
        call("search_products", json!({"query": query}), results),
        say(&answer),
    ]
}

fn compare(said: &str) -> Vec<Step> {
    let products = all_mentioned(said);
    let [first, second, ..] = products.as_slice() else {
        return vec![say("Tell me two products that we sell.")];
    };
    let look_up = |product: &Product| ToolStep {
        name: "get_product".to_owned(),
        args: json!({"product_id": product.id}),
        result: Some(product.to_json()),
        ..ToolStep::default()
    };
    vec![
        Step::ParallelTools(vec![look_up(first), look_up(second)]),
        say(&format!(
            "The {} costs {}, the {} {}.",
            first.name,
            dollars(first.price_cents),
            second.name,
            dollars(second.price_cents)
        )),
    ]
}

/// Returns what is looked for: the words after the verb, without articles and punctuation.
fn query(said: &str) -> String {
    const IGNORED: [&str; 6] = ["for", "me", "a", "an", "the", "some"];
    let words = said
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let after_verb = words
        .skip_while(|word| *word != "find" && *word != "search")
        .skip(1);
    let wanted: Vec<&str> = after_verb
        .skip_while(|word| IGNORED.contains(word))
        .collect();
    wanted.join(" ")
}

fn add_to_cart(said: &str, mut cart: Cart) -> Vec<Step> {
    let Some(product) = mentioned(said) else {
        return vec![say("We do not sell that.")];
    };
    let quantity = quantity(said);
    cart.add(product, quantity);
    let Product { id, name, .. } = product;
    vec![
        call(
            "add_to_cart",
            json!({"product_id": id, "quantity": quantity}),
            json!({"ok": true}),
        ),
        Step::State(json!({"cart": cart.to_json()})),
        say(&format!(
            "I added {quantity} × {name}. Your cart holds {}.",
            cart.in_words()
        )),
    ]
}

fn view_cart(cart: &Cart) -> Vec<Step> {
    let result = json!({"cart": cart.to_json(), "subtotal_cents": cart.subtotal_cents()});
    let answer = if cart.is_empty() {
        "Your cart is empty.".to_owned()
    } else {
        format!(
            "Your cart holds {}, together {}.",
            cart.in_words(),
            dollars(cart.subtotal_cents())
        )
    };
    vec![call("view_cart", json!({}), result), say(&answer)]
}

fn choose_shipping(said: &str, cart: &Cart) -> Vec<Step> {
    let is_express = ["second", "express"].iter().any(|word| said.contains(word));
    let shipping = if is_express { &SHIPPING[1] } else { STANDARD };
    let total_cents = cart.total_cents(shipping);
    let result = json!({
        "subtotal_cents": cart.subtotal_cents(),
        "shipping_cents": shipping.price_cents,
        "total_cents": total_cents,
    });
    vec![
        call("calculate_total", json!({"shipping": shipping.id}), result),
        Step::StateDelta(vec![
            json!({"op": "add", "path": "/shipping", "value": shipping.id}),
            json!({"op": "add", "path": "/total_cents", "value": total_cents}),
        ]),
        say(&format!(
            "With {} shipping the total is {}.",
            shipping.id,
            dollars(total_cents)
        )),
    ]
}

/// Answers in words.
pub(super) fn say(text: &str) -> Step {
    Step::Text(text.to_owned())
}

/// Calls a tool that succeeds at once.
pub(super) fn call(name: &str, args: Value, result: Value) -> Step {
    Step::Tool(ToolStep {
        name: name.to_owned(),
        args,
        result: Some(result),
        ..ToolStep::default()
    })
}
