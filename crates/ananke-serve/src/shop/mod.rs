//! The demo: a shop assistant that searches, compares, fills a cart, checks out, asks for approval, lets the front end pick
//! a color, fails and dawdles on request.
//!
//! The shop keeps nothing: cart and totals come from the state that the client sends back, or else from the history.

mod assistant;
mod cart;
mod catalog;
mod examples;
mod palette;
mod payment;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_clients;
mod toolbox;

pub use assistant::{Shop, ShopBehavior};
pub use examples::EXAMPLE_FILES;
