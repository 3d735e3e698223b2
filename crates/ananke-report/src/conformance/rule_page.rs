//! One rule, explained: as a page of the documentation, and in a terminal.

use ananke_model::conformance::{Layer, Level, RuleFacts};

use super::words;
use crate::escape::escape;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Returns the page of a rule. `levels` has the name of every profile, and how binding the rule is there; `example` is what
/// breaks the rule, one event as JSON on each line.
pub fn rule_page(
    facts: &RuleFacts,
    levels: &[(&str, Option<Level>)],
    example: Option<&str>,
) -> String {
    let mut page = Page::default();
    page.line(format_args!("# `{}`\n", facts.id));
    page.line(format_args!("**{}**\n", sentence(&facts.title)));
    page.lines("| Profile | Level |\n|---|---|\n");
    for (profile, level) in levels {
        page.line(format_args!("| `{profile}` | {} |", binding(*level)));
    }
    page.gap();
    page.line(format_args!("{}\n", sentence(&facts.reason)));
    if !facts.section.is_empty() {
        page.line(format_args!("Specification: {}.\n", facts.section));
    }
    page.line(format_args!("Layer: {}.\n", layer(facts.layer)));
    page.line(format_args!(
        "## What to do\n\n{}\n",
        sentence(&facts.advice)
    ));
    if let Some(example) = example {
        let fence = fence(example);
        let example = example.trim_end();
        page.line(format_args!(
            "## What breaks it\n\n{fence}json\n{example}\n{fence}\n"
        ));
    }
    let id = &facts.id;
    page.line(format_args!(
        "## Switching it\n\n`--rule {id}=off|warn|error`, or in the setup file `rules: {{{id}: warn}}`."
    ));
    page.finish()
}

/// Returns a rule for a terminal.
pub fn rule_text(
    facts: &RuleFacts,
    levels: &[(&str, Option<Level>)],
    example: Option<&str>,
    style: &Style,
) -> String {
    let mut page = Page::default();
    let id = paint(style, Tone::Strong, &facts.id).to_string();
    page.line(format_args!("{id}: {}", facts.title));
    page.gap();
    for (profile, level) in levels {
        page.line(format_args!("  {profile}: {}", binding(*level)));
    }
    page.line(format_args!("  layer: {}", layer(facts.layer)));
    let says = [
        ("why", &facts.reason),
        ("spec", &facts.section),
        ("fix", &facts.advice),
    ];
    for (what, words) in says.iter().filter(|(_, words)| !words.is_empty()) {
        page.line(format_args!("  {what}: {words}"));
    }
    if let Some(example) = example {
        page.gap();
        page.line(format_args!("what breaks it:"));
        for line in example.lines() {
            page.line(format_args!("  {} {}", style.bar(), escape(line)));
        }
    }
    page.finish()
}

fn binding(level: Option<Level>) -> &'static str {
    level.map_or("not looked at", words::level)
}

/// Returns the name of a layer, and what it looks at.
fn layer(layer: Layer) -> String {
    let about = match layer {
        Layer::Http => "status, headers, framing, and what the server accepts",
        Layer::Shape => "each event by itself",
        Layer::Sequence => "the order of events",
        Layer::Semantics => "what events mean together with the request",
        Layer::Behaviour => "what the server does in a scenario",
    };
    format!("{} ({about})", words::layer(layer))
}

/// Returns text that begins and ends like a sentence.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let mut sentence: String = match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => return String::new(),
    };
    if !sentence.ends_with(['.', '?', '!', ':']) {
        sentence.push('.');
    }
    sentence
}

/// Returns a fence that the text cannot close.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max();
    "`".repeat((longest.unwrap_or_default() + 1).max(3))
}
