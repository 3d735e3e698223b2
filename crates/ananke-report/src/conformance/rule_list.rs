//! Every rule of a profile, in a terminal and as the first page of the documentation.

use ananke_model::conformance::{Layer, RuleFacts};

use super::words;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Returns the rules of a profile for a terminal, layer by layer.
pub fn rule_list(profile: &str, rules: &[RuleFacts], style: &Style) -> String {
    let mut page = Page::default();
    page.line(format_args!("{} has {} rules.", profile, rules.len()));
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut layer: Option<Layer> = None;
    for rule in rules {
        if layer != Some(rule.layer) {
            layer = Some(rule.layer);
            page.gap();
            let name = words::layer(rule.layer);
            page.line(format_args!("{}", paint(style, Tone::Strong, name)));
        }
        let level = words::level(rule.level);
        page.line(format_args!(
            "  {:width$}  {level:10}  {}",
            rule.id, rule.title
        ));
    }
    page.gap();
    page.line(format_args!(
        "What one of them means: ananke conform --explain ID"
    ));
    page.finish()
}

/// Returns tables of rules for the documentation, one for each layer. `rules` have their levels in every profile of
/// `profiles`, and `about` stands before the name of each layer.
pub fn rule_index(
    about: Option<&str>,
    profiles: &[&str],
    rules: &[(RuleFacts, Vec<&str>)],
) -> String {
    let mut page = Page::default();
    page.gap();
    let mut layer: Option<Layer> = None;
    // A profile need not list its rules layer by layer.
    let mut rules: Vec<&(RuleFacts, Vec<&str>)> = rules.iter().collect();
    rules.sort_by_key(|(rule, _)| rule.layer);
    for (rule, levels) in rules {
        if layer != Some(rule.layer) {
            layer = Some(rule.layer);
            page.gap();
            let name = words::layer(rule.layer);
            match about {
                Some(about) => page.line(format_args!("## {about}: {name}\n")),
                None => page.line(format_args!("## {name}\n")),
            }
            page.line(format_args!("| Rule | {} | |", profiles.join(" | ")));
            page.line(format_args!("|---|{}---|", "---|".repeat(profiles.len())));
        }
        let id = &rule.id;
        page.line(format_args!(
            "| [`{id}`]({id}.md) | {} | {} |",
            levels.join(" | "),
            rule.title
        ));
    }
    page.finish()
}
