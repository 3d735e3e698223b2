//! The example project that `ananke demo` runs, embedded.

macro_rules! example {
    ($path:literal) => {
        (
            $path,
            include_str!(concat!("../../../../examples/shop/", $path)),
        )
    };
}

/// The files of `examples/shop`: paths below it with forward slashes, and their text.
pub const EXAMPLE_FILES: &[(&str, &str)] = &[
    example!("ananke.config.yaml"),
    example!("agents/author.script.yaml"),
    example!("agents/critic.script.yaml"),
    example!("agents/customer.script.yaml"),
    example!("scripts/basket.ts"),
    example!("tests/approval.test.yaml"),
    example!("tests/basket_test.ts"),
    example!("tests/cart.test.yaml"),
    example!("tests/cases.jsonl"),
    example!("tests/checkout.test.yaml"),
    example!("tests/declined.test.yaml"),
    example!("tests/gateway-error.test.yaml"),
    example!("tests/search.test.yaml"),
    example!("tests/slow-reply.test.yaml"),
    example!("broken/pays-once.test.yaml"),
];
