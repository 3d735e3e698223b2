//! Token usage: totals are sums, parts fit into them, and nothing is counted twice or made up.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::run::{list, text};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static TOTAL: Rule = Rule {
    id: "semantics.usage-total",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "`totalTokens` is `inputTokens` plus `outputTokens`",
    reason: "Clients read the total as the sum of the other two, so a total that counts otherwise gives wrong bills.",
    section: "Token usage: `totalTokens`",
    advice: "Compute the total, or leave it out; copy a provider's total only if it counts the same way.",
    needs: "usage with a total and both of its parts",
};

static PARTS: Rule = Rule {
    id: "semantics.usage-parts",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "parts of a token count are not larger than the count",
    reason: "Reasoning and cache tokens are parts of the output and the input, never additions to them, so they cannot be more.",
    section: "Token usage: `reasoningTokens`, `cachedInputTokens`, `cacheWriteInputTokens`",
    advice: "Where a provider counts reasoning or cache tokens beside the totals, add them to the totals before they are sent.",
    needs: "usage with a count and a part of it",
};

static ZERO: Rule = Rule {
    id: "semantics.usage-zero",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Convention),
    title: "a usage entry has a number that is not zero",
    reason: "No model call takes zero tokens, so an entry of zeros says \"nothing\" where \"not known\" is meant.",
    section: "Token usage: unknown counts are left out",
    advice: "Leave out counts that are not known, and entries without a known count.",
    needs: "usage with a number",
};

static MODELS: Rule = Rule {
    id: "semantics.usage-models",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Should),
    title: "usage has one entry for each provider and model",
    reason: "Entries keep the models of a run apart, so a second entry for the same model looks like one that was counted twice.",
    section: "RUN_FINISHED and RUN_ERROR: `usage`",
    advice: "Add up the calls of one model into one entry.",
    needs: "usage entry with a model",
};

pub(super) const RULES: &[&Rule] = &[&TOTAL, &PARTS, &ZERO, &MODELS];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    for (number, event) in exchange.answer.events.iter().enumerate() {
        if matches!(event.kind(), Some("RUN_FINISHED" | "RUN_ERROR")) {
            let mut models: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
            for (position, entry) in list(event.get("usage")).enumerate() {
                look_at_entry(number, position, entry, found);
                let Some(model) = text(entry, "model") else {
                    continue;
                };
                let provider = text(entry, "provider");
                found.saw(&MODELS);
                if let Some(first) = models.insert((provider, model), position) {
                    let of = provider.map_or_else(
                        || " and name no provider".to_owned(),
                        |provider| format!(" of `{provider}`"),
                    );
                    let message = format!(
                        "`usage[{first}]` and `usage[{position}]` are both for the model `{model}`{of}"
                    );
                    found.at(&MODELS, number, message);
                }
            }
        }
    }
}

fn look_at_entry(number: usize, position: usize, entry: &Value, found: &mut Findings) {
    let count = |name: &'static str| Some((name, entry.get(name)?.as_u64()?));
    let input = count("inputTokens");
    let output = count("outputTokens");
    let total = count("totalTokens");
    let reasoning = count("reasoningTokens");
    let cached = count("cachedInputTokens");
    let written = count("cacheWriteInputTokens");

    if let (Some((_, input)), Some((_, output)), Some((_, total))) = (input, output, total) {
        found.saw(&TOTAL);
        let sum = u128::from(input) + u128::from(output);
        if sum != u128::from(total) {
            let message = format!(
                "`usage[{position}].totalTokens` is {total}, but `inputTokens` {input} and `outputTokens` {output} make {sum}"
            );
            found.at(&TOTAL, number, message);
        }
    }

    let mut fits = |parts: &[Option<(&str, u64)>], whole: Option<(&str, u64)>| {
        let parts: Vec<(&str, u64)> = parts.iter().copied().flatten().collect();
        let (Some((whole, most)), false) = (whole, parts.is_empty()) else {
            return;
        };
        found.saw(&PARTS);
        let sum: u128 = parts.iter().map(|(_, count)| u128::from(*count)).sum();
        if sum > u128::from(most) {
            let parts: Vec<String> = parts
                .iter()
                .map(|(name, count)| format!("`{name}` {count}"))
                .collect();
            let message = format!(
                "`usage[{position}].{whole}` is {most}, but it has to include {}",
                parts.join(" and ")
            );
            found.at(&PARTS, number, message);
        }
    };
    fits(&[reasoning], output);
    // Tokens read from a cache and tokens written to one are different tokens.
    fits(&[cached, written], input);
    match (input, output) {
        // Of three numbers the sum is judged.
        (Some(_), Some(_)) => {}
        (input, output) => fits(&[input.or(output)], total),
    }

    let counts = [input, output, total, reasoning, cached, written];
    let counts: Vec<u64> = counts.iter().flatten().map(|(_, count)| *count).collect();
    if !counts.is_empty() {
        found.saw(&ZERO);
    }
    if !counts.is_empty() && counts.iter().all(|count| *count == 0) {
        let message = format!("all numbers of `usage[{position}]` are 0");
        found.at(&ZERO, number, message);
    }
}
