//! The messages of a case as user turns of a YAML test, which knows no messages that the assistant said before.

use ananke_model::recording::Turn;
use ananke_model::result::TestResult;

use super::quote::quote_literal;
use super::yaml_test::shown;
use crate::asked::asked;
use crate::page::Page;

/// Writes one turn for each user message. Assertions belong to the last of them, the one that was answered.
pub(super) fn case_messages(
    page: &mut Page,
    result: &TestResult,
    turn: &Turn,
) -> Result<(), String> {
    let messages = match &result.case {
        Some(case) => asked(&case.input),
        None => Vec::new(),
    };
    let mut texts: Vec<&str> = Vec::new();
    for message in messages.iter().filter(|message| message.role == "user") {
        texts.push(&message.text);
    }
    if messages.is_empty() {
        texts.extend(turn.user.as_deref());
    }
    texts.retain(|text| !text.trim().is_empty());
    if texts.is_empty() {
        return Err("its messages hold no text of a user".to_owned());
    }
    if messages.len() > 1 {
        let (n_messages, n_turns) = (messages.len(), texts.len());
        page.line(format_args!(
            "  # The case sent {n_messages} messages at once; a YAML test sends {n_turns}, those of the user, one turn each."
        ));
        page.line(format_args!(
            "  # The agent answers each of them anew, so what it says before the last may differ from the recorded history."
        ));
    }
    let mut left_out: Vec<&str> = Vec::new();
    for role in messages.iter().map(|message| message.role.as_str()) {
        if role != "user" && !left_out.contains(&role) {
            left_out.push(role);
        }
    }
    if !left_out.is_empty() {
        let roles = shown(&left_out.join(", "));
        page.line(format_args!("  # Left out: messages of {roles}."));
    }
    let attachments: Vec<&str> = messages
        .iter()
        .flat_map(|message| message.attachments.iter().map(String::as_str))
        .collect();
    if !attachments.is_empty() {
        let names = shown(&attachments.join(", "));
        page.line(format_args!(
            "  # Left out, since user turns are text: {names}. Keep the case if they matter."
        ));
    }
    for text in texts {
        page.line(format_args!("  - user: {}", quote_literal(text)));
    }
    Ok(())
}
