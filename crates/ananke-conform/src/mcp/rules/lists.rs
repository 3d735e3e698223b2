//! What is listed: tools, resources, prompts.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::{McpAsked, McpListed};
use super::super::era::is_modern;
use crate::exchange::{Asked, Exchange};
use crate::rpc::{Kind, Reply, came, member, response, shown};
use crate::rule::{Findings, Rule};

static ANNOUNCED: Rule = Rule {
    id: "mcp.announced",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "what is announced can be listed",
    reason: "Clients ask for what the capabilities name, and take a refusal for a broken server.",
    section: "Lifecycle, capability negotiation",
    advice: "Answer the list, or take the capability out.",
    needs: "list of something announced",
};

static LIST_SHAPE: Rule = Rule {
    id: "mcp.list-shape",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "a list is a list, and its cursor a string",
    reason: "A client goes on as long as there is a cursor, and can only send it back as it came.",
    section: "Utilities, pagination",
    advice: "Answer with the list under its name, and `nextCursor` only while there is more.",
    needs: "result of a list",
};

static TOOL_SHAPE: Rule = Rule {
    id: "mcp.tool-shape",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "every tool has a name and an `inputSchema` of type `object`",
    reason: "Models are told what arguments there are by the schema, and many refuse any other type.",
    section: "Tools, data types",
    advice: "For a tool without arguments write `{\"type\": \"object\"}`.",
    needs: "listed tool",
};

static TOOL_NAME: Rule = Rule {
    id: "mcp.tool-name",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Should),
    title: "tool names are 1 to 128 letters, digits, `_`, `-` and `.`",
    reason: "Most models accept no other names.",
    section: "Tools, tool names",
    advice: "Rename the tool; what people read belongs into `title`.",
    needs: "listed tool",
};

static TOOL_UNIQUE: Rule = Rule {
    id: "mcp.tool-unique",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Should),
    title: "every tool has a name of its own",
    reason: "Tools are called by their names.",
    section: "Tools, tool names",
    advice: "Rename one of them.",
    needs: "list of several tools",
};

static ITEM_SHAPE: Rule = Rule {
    id: "mcp.item-shape",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "every resource has a name and a URI, every prompt a name",
    reason: "Resources are read by their URIs, and prompts asked for by their names.",
    section: "Resources and prompts, data types",
    advice: "Fill in `uri` (`uriTemplate`) and `name`; arguments of prompts have a `name` too.",
    needs: "listed resource or prompt",
};

pub(super) const RULES: &[&Rule] = &[
    &LIST_SHAPE,
    &TOOL_SHAPE,
    &TOOL_NAME,
    &ITEM_SHAPE,
    &ANNOUNCED,
    &TOOL_UNIQUE,
];

pub(super) fn look(
    exchange: &Exchange,
    asked: McpAsked,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    let McpAsked::List(listed) = asked else {
        return;
    };
    let reply = response(&exchange.answer);
    let event = reply.and_then(|reply| reply.event);
    // Templates come with resources, but not every server has them.
    if listed != McpListed::Templates {
        found.saw(&ANNOUNCED);
    }
    let Some(result) = reply.and_then(Reply::result) else {
        if listed != McpListed::Templates {
            let message = format!(
                "`{}` is announced; expected its list, saw {}",
                listed.capability(),
                came(&exchange.answer)
            );
            found.told(&ANNOUNCED, event, message);
        }
        return;
    };
    found.saw(&LIST_SHAPE);
    if let Some(problem) = member(result, listed.member(), Kind::List) {
        found.told(&LIST_SHAPE, event, problem);
    }
    if let Some(cursor) = result
        .get("nextCursor")
        .filter(|cursor| !cursor.is_string())
    {
        let message = format!("`nextCursor` should be a string, and is {}", shown(cursor));
        found.told(&LIST_SHAPE, event, message);
    }
    let items = result.get(listed.member()).and_then(Value::as_array);
    for (number, item) in items.into_iter().flatten().enumerate() {
        let place = format!("`{}[{number}]`", listed.member());
        let problems = match listed {
            McpListed::Tools => tool(item, &place, event, found),
            McpListed::Resources => names(item, &["uri", "name"]),
            McpListed::Templates => names(item, &["uriTemplate", "name"]),
            McpListed::Prompts => prompt(item),
        };
        let rule = match listed {
            McpListed::Tools => &TOOL_SHAPE,
            _ => &ITEM_SHAPE,
        };
        found.saw(rule);
        for problem in problems {
            found.told(rule, event, format!("{place}: {problem}"));
        }
    }
    if listed == McpListed::Tools {
        unique(exchange, earlier, event, found);
    }
}

fn names(item: &Value, members: &[&str]) -> Vec<String> {
    let members = members.iter();
    members
        .filter_map(|name| member(item, name, Kind::Name))
        .collect()
}

fn prompt(item: &Value) -> Vec<String> {
    let mut problems = names(item, &["name"]);
    let arguments = item.get("arguments").and_then(Value::as_array);
    for (number, argument) in arguments.into_iter().flatten().enumerate() {
        let of_argument = names(argument, &["name"]);
        problems.extend(
            of_argument
                .into_iter()
                .map(|problem| format!("`arguments[{number}]`: {problem}")),
        );
    }
    problems
}

fn tool(item: &Value, place: &str, event: Option<usize>, found: &mut Findings) -> Vec<String> {
    let mut problems = names(item, &["name"]);
    problems.extend(member(item, "inputSchema", Kind::Object));
    if let Some(schema) = item.get("inputSchema").filter(|schema| schema.is_object())
        && schema.get("type").is_none_or(|kind| kind != "object")
    {
        let seen = schema
            .get("type")
            .map_or("missing".to_owned(), ToString::to_string);
        problems.push(format!(
            "`inputSchema.type` should be \"object\", and is {seen}"
        ));
    }
    if let Some(name) = item.get("name").and_then(Value::as_str) {
        found.saw(&TOOL_NAME);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || name.chars().count() > 128 || !name.chars().all(is_plain) {
            found.told(&TOOL_NAME, event, format!("{place}: the name is `{name}`"));
        }
    }
    problems
}

/// Compares names within a page, and with the pages before it.
fn unique(exchange: &Exchange, earlier: &[Exchange], event: Option<usize>, found: &mut Findings) {
    let is_same_list = |other: &&Exchange| {
        other.asked == Asked::Mcp(McpAsked::List(McpListed::Tools))
            && is_modern(other.request.as_ref()) == is_modern(exchange.request.as_ref())
    };
    let mut known: BTreeSet<String> = BTreeSet::new();
    for other in earlier.iter().filter(is_same_list) {
        known.extend(tool_names(other));
    }
    let own = tool_names(exchange);
    if known.len() + own.len() > 1 {
        found.saw(&TOOL_UNIQUE);
    }
    for name in own {
        if !known.insert(name.clone()) {
            found.told(
                &TOOL_UNIQUE,
                event,
                format!("there are several tools `{name}`"),
            );
        }
    }
}

fn tool_names(exchange: &Exchange) -> Vec<String> {
    let result = response(&exchange.answer).and_then(Reply::result);
    let tools = result.and_then(|result| result.get("tools")?.as_array());
    let tools = tools.into_iter().flatten();
    tools
        .filter_map(|tool| Some(tool.get("name")?.as_str()?.to_owned()))
        .collect()
}
