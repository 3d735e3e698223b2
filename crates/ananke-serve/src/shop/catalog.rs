//! What the shop sells, and how it reads a wish. Prices and ids never change.

use serde_json::{Value, json};

/// Something to buy.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) price_cents: u64,
}

/// A way to get it home.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shipping {
    pub(super) id: &'static str,
    pub(super) price_cents: u64,
    pub(super) days: u64,
}

pub(super) const PRODUCTS: [Product; 4] = [
    Product {
        id: "mug-blue",
        name: "blue mug",
        price_cents: 1200,
    },
    Product {
        id: "mug-red",
        name: "red mug",
        price_cents: 1250,
    },
    Product {
        id: "teapot",
        name: "teapot",
        price_cents: 3500,
    },
    Product {
        id: "tea-green",
        name: "green tea",
        price_cents: 600,
    },
];

pub(super) const SHIPPING: [Shipping; 2] = [
    Shipping {
        id: "standard",
        price_cents: 400,
        days: 3,
    },
    Shipping {
        id: "express",
        price_cents: 900,
        days: 1,
    },
];

/// What is shipped unless the customer chooses.
pub(super) const STANDARD: &Shipping = &SHIPPING[0];

impl Product {
    pub(super) fn to_json(&self) -> Value {
        json!({"id": self.id, "name": self.name, "price_cents": self.price_cents})
    }
}

impl Shipping {
    pub(super) fn to_json(&self) -> Value {
        json!({"id": self.id, "price_cents": self.price_cents, "days": self.days})
    }
}

/// Returns the products whose name holds every word of the query, plural or not.
pub(super) fn search(query: &str) -> Vec<&'static Product> {
    let words: Vec<&str> = query
        .split_whitespace()
        .map(|word| word.trim_end_matches('s'))
        .collect();
    PRODUCTS
        .iter()
        .filter(|product| words.iter().all(|word| product.name.contains(word)))
        .collect()
}

/// Returns the product that a sentence in lower case names.
pub(super) fn mentioned(sentence: &str) -> Option<&'static Product> {
    all_mentioned(sentence).into_iter().next()
}

/// Returns all products that a sentence in lower case names, in the order of the catalog.
pub(super) fn all_mentioned(sentence: &str) -> Vec<&'static Product> {
    PRODUCTS
        .iter()
        .filter(|product| sentence.contains(product.name) || sentence.contains(product.id))
        .collect()
}

/// Returns the product with this id.
pub(super) fn by_id(id: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.id == id)
}

/// Returns the quantity that a sentence in lower case names: a word or a number from 1 to 99, else 1.
pub(super) fn quantity(sentence: &str) -> u64 {
    const WORDS: [&str; 5] = ["one", "two", "three", "four", "five"];
    sentence
        .split_whitespace()
        .find_map(|word| {
            let number = word.parse().ok().filter(|n| (1..=99).contains(n));
            number.or_else(|| {
                (1..)
                    .zip(WORDS)
                    .find(|(_, name)| *name == word)
                    .map(|(n, _)| n)
            })
        })
        .unwrap_or(1)
}

/// Returns the amount as people write it.
pub(super) fn dollars(cents: u64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
