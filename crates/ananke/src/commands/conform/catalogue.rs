//! The rules themselves: `--rules`, `--explain`, and ids that are typed.

use std::path::Path;

use ananke_conform::{Profile, Rule, Spoken, example, rules, sse_stack};
use ananke_model::conformance::{Level, RuleFacts};
use ananke_model::diagnostic::did_you_mean;
use ananke_report::{rule_index, rule_list, rule_page, rule_text};
use serde_json::{Value, json};

use super::args::{ConformArgs, Judged, ProfileName};
use super::command::configuration;
use crate::commands::write_file::{Existing, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// What stands above the tables.
const INTRODUCTION: &str = "\
# Rules of `ananke conform`

One page for each rule: what must hold, why, where the specification says so, what to do, and an example that
breaks it. [How the command works](../guide/conform.md), and [which client breaks](clients.md).
";

/// The profiles of each protocol, and what stands above the tables of its rules.
const PROTOCOLS: [(Spoken, Option<&str>, &[Profile]); 3] = [
    (Spoken::AgUi, None, &[Profile::Old, Profile::V1]),
    (Spoken::A2a, Some("a2a"), &[Profile::A2aOld, Profile::A2a]),
    (Spoken::Mcp, Some("mcp"), &[Profile::Mcp]),
];

/// Returns every id that a file or a flag may name.
pub(super) fn ids() -> Vec<String> {
    let own = rules::all().map(|rule| rule.id.to_owned());
    own.chain(sse_stack::catalogue().map(|facts| facts.id))
        .collect()
}

/// Shows the rules of a profile.
pub(super) fn list(args: &ConformArgs, ui: &Ui) -> Exit {
    if args.json {
        let rules: Vec<Value> = rules::all().map(described).collect();
        let document = json!({"schema": "ananke.conform-rules/1", "rules": rules});
        ui.out(&format!("{document:#}\n"));
        return Exit::Passed;
    }
    let profile = match args.profile.unwrap_or(ProfileName::V1).judged() {
        Judged::AgUi(profile) => Some(profile),
        Judged::A2a(profile) => Some(profile.unwrap_or(Profile::A2a)),
        Judged::Mcp => Some(Profile::Mcp),
        Judged::Stack => None,
    };
    let (name, mut facts): (&str, Vec<RuleFacts>) = match profile {
        None => (sse_stack::PROFILE, sse_stack::catalogue().collect()),
        Some(profile) => {
            let facts =
                rules::of(profile).filter_map(|rule| Some(rule.facts(rule.level(profile)?)));
            (profile.name(), facts.collect())
        }
    };
    if profile.is_some() {
        facts.sort_by_key(|facts| facts.layer);
    }
    ui.out(&rule_list(name, &facts, &ui.stdout_style));
    Exit::Passed
}

fn described(rule: &Rule) -> Value {
    let levels = levels(rule).into_iter();
    let levels: serde_json::Map<String, Value> = levels
        .map(|(name, level)| (name.to_owned(), json!(level)))
        .collect();
    json!({
        "id": rule.id,
        "layer": rule.layer,
        "levels": levels,
        "title": rule.title,
        "reason": rule.reason,
        "section": rule.section,
        "advice": rule.advice,
        "needs": rule.needs,
    })
}

/// Returns how binding a rule is in each profile of its protocol.
fn levels(rule: &Rule) -> Vec<(&'static str, Option<Level>)> {
    let mut protocols = PROTOCOLS.iter();
    let own = protocols.find(|(spoken, _, _)| *spoken == rule.spoken());
    let (_, _, profiles) = own.expect("every protocol has its profiles");
    let profiles = profiles.iter();
    profiles
        .map(|profile| (profile.name(), rule.level(*profile)))
        .collect()
}

/// Returns what is said of a rule, with the level of the newest profile that has it.
fn facts(rule: &Rule) -> RuleFacts {
    rule.facts(rule.v1.or(rule.old).unwrap_or(Level::Must))
}

/// Shows what a rule means.
pub(super) fn explain(id: &str, json: bool, ui: &Ui) -> Result<Exit, CommandError> {
    let text = if let Some(rule) = rules::all().find(|rule| rule.id == id) {
        let example = example(id);
        if json {
            let mut document = described(rule);
            document["example"] = example.into();
            ui.out(&format!("{document:#}\n"));
            return Ok(Exit::Passed);
        }
        rule_text(
            &facts(rule),
            &levels(rule),
            example.as_deref(),
            &ui.stdout_style,
        )
    } else if let Some(facts) = sse_stack::catalogue().find(|facts| facts.id == id) {
        if json {
            ui.out(&format!("{:#}\n", json!(facts)));
            return Ok(Exit::Passed);
        }
        let levels = [(sse_stack::PROFILE, Some(facts.level))];
        rule_text(&facts, &levels, None, &ui.stdout_style)
    } else {
        return Err(unknown(id));
    };
    ui.out(&text);
    Ok(Exit::Passed)
}

/// Writes a page for each rule.
pub(super) fn pages(
    folder: &Path,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        write_file(&path, text, Existing::Replace, environment, ui)
    };
    let mut tables = INTRODUCTION.to_owned();
    for (spoken, about, profiles) in PROTOCOLS {
        let mut index = Vec::new();
        for rule in rules::all().filter(|rule| rule.spoken() == spoken) {
            let facts = facts(rule);
            let levels = levels(rule);
            let page = rule_page(&facts, &levels, example(rule.id).as_deref());
            write(&format!("{}.md", rule.id), &page)?;
            let words = levels.iter().map(|(_, level)| match level {
                Some(Level::Must) => "MUST",
                Some(Level::Should) => "SHOULD",
                Some(Level::Convention) => "convention",
                None => "–",
            });
            index.push((facts, words.collect()));
        }
        let names: Vec<&str> = profiles.iter().map(|profile| profile.name()).collect();
        tables.push_str(&rule_index(about, &names, &index));
    }
    let mut stack = Vec::new();
    for facts in sse_stack::catalogue() {
        let levels = [(sse_stack::PROFILE, Some(facts.level))];
        write(
            &format!("{}.md", facts.id),
            &rule_page(&facts, &levels, None),
        )?;
        stack.push((facts, vec!["MUST"]));
    }
    let name = sse_stack::PROFILE;
    tables.push_str(&rule_index(Some(name), &[name], &stack));
    write("README.md", &tables)?;
    Ok(Exit::Passed)
}

/// Checks the ids of `--rule`.
pub(super) fn check_ids(args: &ConformArgs) -> Result<(), CommandError> {
    let known = ids();
    let mut given = args.verdict.severities.iter().map(|(id, _)| id);
    match given.find(|id| !known.contains(id)) {
        Some(id) => Err(unknown(id)),
        None => Ok(()),
    }
}

fn unknown(id: &str) -> CommandError {
    let error = configuration(format!("there is no rule `{id}`"));
    let known = ids();
    // Whoever leaves out the layer knows what is meant.
    let suffix = format!(".{id}");
    let whole = known.iter().find(|known| known.ends_with(&suffix));
    let near = whole.map(String::as_str);
    match near.or_else(|| did_you_mean(id, known.iter().map(String::as_str))) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("`ananke conform --rules` shows all of them"),
    }
}
