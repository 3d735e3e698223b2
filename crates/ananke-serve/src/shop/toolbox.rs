//! What the assistant works with, for those who want to use it without the assistant. The card stays with the assistant: it
//! asks before it charges.

use serde_json::{Value, json};

use super::assistant::Shop;
use super::cart::Cart;
use super::catalog::{PRODUCTS, Product, SHIPPING, Shipping, by_id, search};
use crate::agent::Toolbox;

const CATALOG: &str = "shop://catalog";
const GREETING: &str = "order";

impl Toolbox for Shop {
    fn tools(&self) -> Vec<Value> {
        let text = json!({"type": "string"});
        let product = json!({"product_id": {"type": "string", "enum": PRODUCTS.map(|p| p.id)}});
        let line = json!({
            "product_id": product["product_id"],
            "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
        });
        let ways =
            json!({"shipping": {"type": "string", "enum": SHIPPING.each_ref().map(|s| s.id)}});
        vec![
            tool(
                "search_products",
                "Finds products by the words of their names.",
                &json!({"query": text}),
                &["products"],
            ),
            tool(
                "get_product",
                "Tells name and price of a product.",
                &product,
                &["id", "name", "price_cents"],
            ),
            tool(
                "add_to_cart",
                "Puts a product into the cart.",
                &line,
                &["ok", "cart"],
            ),
            tool(
                "view_cart",
                "Tells what is in the cart.",
                &json!({}),
                &["cart", "subtotal_cents"],
            ),
            tool(
                "validate_cart",
                "Tells whether the cart can be ordered.",
                &json!({}),
                &["valid"],
            ),
            tool(
                "get_shipping_options",
                "Lists the ways to get it home.",
                &json!({}),
                &["options"],
            ),
            tool(
                "calculate_total",
                "Adds up cart and shipping.",
                &ways,
                &["total_cents"],
            ),
            tool(
                "look_into_warehouse",
                "Fails: the warehouse is locked.",
                &json!({}),
                &[],
            ),
        ]
    }

    fn call(&self, name: &str, args: &Value, state: &mut Value) -> Option<Result<Value, String>> {
        let mut cart = Cart::of_state(state);
        let subtotal_cents = cart.subtotal_cents();
        let result = match name {
            "search_products" => text(args, "query").map(|query| {
                let found = search(&query.to_lowercase());
                let products: Vec<Value> = found.into_iter().map(Product::to_json).collect();
                json!({"products": products})
            }),
            "get_product" => product(args).map(Product::to_json),
            "add_to_cart" => product(args).and_then(|product| {
                let quantity = match &args["quantity"] {
                    Value::Null => Some(1),
                    given => given.as_u64().filter(|n| (1..=99).contains(n)),
                };
                let Some(quantity) = quantity else {
                    return Err("expected `quantity`, a whole number from 1 to 99".to_owned());
                };
                cart.add(product, quantity);
                *state = json!({"cart": cart.to_json()});
                Ok(json!({"ok": true, "cart": cart.to_json()}))
            }),
            "view_cart" => Ok(json!({"cart": cart.to_json(), "subtotal_cents": subtotal_cents})),
            "validate_cart" if cart.is_empty() => {
                Ok(json!({"valid": false, "problem": "the cart is empty"}))
            }
            "validate_cart" => Ok(json!({"valid": true, "subtotal_cents": subtotal_cents})),
            "get_shipping_options" => {
                let options: Vec<Value> = SHIPPING.iter().map(Shipping::to_json).collect();
                Ok(json!({"options": options}))
            }
            "calculate_total" => text(args, "shipping").and_then(|wanted| {
                let shipping = SHIPPING.iter().find(|shipping| shipping.id == wanted);
                let Some(shipping) = shipping else {
                    return Err(format!(
                        "expected `shipping`, `standard` or `express`, got `{wanted}`"
                    ));
                };
                Ok(json!({
                    "subtotal_cents": subtotal_cents,
                    "shipping_cents": shipping.price_cents,
                    "total_cents": cart.total_cents(shipping),
                }))
            }),
            "look_into_warehouse" => Err("the warehouse is locked".to_owned()),
            _ => return None,
        };
        Some(result)
    }

    fn resources(&self) -> Vec<Value> {
        vec![json!({
            "uri": CATALOG,
            "name": "catalog",
            "description": "All that the shop sells.",
            "mimeType": "application/json",
        })]
    }

    fn read(&self, uri: &str) -> Option<Value> {
        let products: Value = PRODUCTS.iter().map(Product::to_json).collect();
        let text = products.to_string();
        (uri == CATALOG).then(|| json!({"uri": uri, "mimeType": "application/json", "text": text}))
    }

    fn prompts(&self) -> Vec<Value> {
        vec![json!({
            "name": GREETING,
            "description": "Asks the assistant for a product.",
            "arguments": [{"name": "product", "description": "What to order.", "required": false}],
        })]
    }

    fn prompt(&self, name: &str, args: &Value) -> Option<Value> {
        let product = args["product"].as_str().unwrap_or("blue mug");
        let text = format!("Add a {product} to my cart and check out.");
        let message = json!({"role": "user", "content": {"type": "text", "text": text}});
        (name == GREETING).then(|| json!({"messages": [message]}))
    }
}

/// Describes a tool whose arguments are all required and whose result has these members at least.
fn tool(name: &str, description: &str, properties: &Value, result: &[&str]) -> Value {
    let members = properties.as_object().into_iter().flatten();
    let required: Vec<&String> = members
        .map(|(name, _)| name)
        .filter(|name| *name != "quantity")
        .collect();
    let mut input =
        json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        input["required"] = json!(required);
    }
    let mut tool = json!({"name": name, "description": description, "inputSchema": input});
    if !result.is_empty() {
        tool["outputSchema"] = json!({"type": "object", "required": result});
    }
    tool
}

fn text<'a>(args: &'a Value, name: &str) -> Result<&'a str, String> {
    let text = args[name].as_str();
    text.ok_or_else(|| format!("expected `{name}`, a text"))
}

fn product(args: &Value) -> Result<&'static Product, String> {
    let id = text(args, "product_id")?;
    let known = PRODUCTS
        .map(|product| format!("`{}`", product.id))
        .join(", ");
    by_id(id).ok_or_else(|| format!("there is no product `{id}`; there are {known}"))
}
