//! The cart, read from what the client sent.

use serde_json::{Value, json};

use super::catalog::{Product, Shipping, by_id};
use crate::input::RunInput;

/// What the customer wants, in the order in which it was added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cart {
    lines: Vec<(&'static Product, u64)>,
}

impl Cart {
    /// Reads the cart from the shared state, or from the calls in the history if the client keeps no state.
    pub(super) fn of(input: &RunInput) -> Self {
        if input.state.get("cart").is_some_and(Value::is_array) {
            return Self::of_state(&input.state);
        }
        let mut cart = Self::default();
        for call in input
            .calls()
            .filter(|call| call.function.name == "add_to_cart")
        {
            if let Ok(args) = serde_json::from_str(&call.function.arguments) {
                cart.add_json(&args);
            }
        }
        cart
    }

    /// Reads the cart from the shared state.
    pub(super) fn of_state(state: &Value) -> Self {
        let mut cart = Self::default();
        let lines = state.get("cart").and_then(Value::as_array);
        for line in lines.into_iter().flatten() {
            cart.add_json(line);
        }
        cart
    }

    fn add_json(&mut self, line: &Value) {
        let product = line
            .get("product_id")
            .and_then(Value::as_str)
            .and_then(by_id);
        let quantity = line.get("quantity").and_then(Value::as_u64);
        if let (Some(product), Some(quantity)) = (product, quantity) {
            self.add(product, quantity);
        }
    }

    pub(super) fn add(&mut self, product: &'static Product, quantity: u64) {
        // Whoever sends the state can send any number: a thousand of anything is enough.
        const MAX_QUANTITY: u64 = 1000;
        match self.lines.iter_mut().find(|(have, _)| *have == product) {
            Some((_, have)) => *have = have.saturating_add(quantity).min(MAX_QUANTITY),
            None => self.lines.push((product, quantity.min(MAX_QUANTITY))),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn subtotal_cents(&self) -> u64 {
        self.lines
            .iter()
            .map(|(product, quantity)| product.price_cents * quantity)
            .sum()
    }

    pub(super) fn total_cents(&self, shipping: &Shipping) -> u64 {
        self.subtotal_cents() + shipping.price_cents
    }

    pub(super) fn to_json(&self) -> Value {
        self.lines
            .iter()
            .map(|(product, quantity)| json!({"product_id": product.id, "quantity": quantity}))
            .collect()
    }

    /// Describes the cart in words, such as `2 × blue mug, 1 × teapot`.
    pub(super) fn in_words(&self) -> String {
        let lines: Vec<String> = self
            .lines
            .iter()
            .map(|(product, quantity)| format!("{quantity} × {}", product.name))
            .collect();
        lines.join(", ")
    }
}
