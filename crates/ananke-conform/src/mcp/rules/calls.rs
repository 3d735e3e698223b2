//! What a tool returns.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::{McpAsked, McpListed};
use super::super::era::is_modern;
use super::schemas::mismatch;
use crate::exchange::{Asked, Exchange};
use crate::rpc::{Kind, Reply, member, response, shown};
use crate::rule::{Findings, Rule};

static RESULT_SHAPE: Rule = Rule {
    id: "mcp.result-shape",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "a result has `content` as a list; `isError` is true or false",
    reason: "Clients hand `content` to the model, and decide by `isError` whether the tool failed.",
    section: "Tools, tool result",
    advice: "Always send `content`, an empty list if there is nothing; before 2026-07-28 `structuredContent` is an object.",
    needs: "result of a tool",
};

static CONTENT_BLOCK: Rule = Rule {
    id: "mcp.content-block",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "content is text, an image, audio, a resource or a link to one, each with its members",
    reason: "Clients drop what they do not know, or refuse the whole result.",
    section: "Tools, tool result",
    advice: "Use the types `text`, `image`, `audio`, `resource` and `resource_link`.",
    needs: "content in the result of a tool",
};

static OUTPUT_MATCHES: Rule = Rule {
    id: "mcp.output-matches",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "`structuredContent` fits the `outputSchema` of the tool",
    reason: "A tool with an output schema promises results of that form.",
    section: "Tools, output schema",
    advice: "Send `structuredContent` with every success, and change the schema when the results change.",
    needs: "result of a tool with an `outputSchema`",
};

pub(super) const RULES: &[&Rule] = &[&RESULT_SHAPE, &CONTENT_BLOCK, &OUTPUT_MATCHES];

pub(super) fn look(
    exchange: &Exchange,
    asked: McpAsked,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    if !matches!(asked, McpAsked::Call | McpAsked::UnknownTool) {
        return;
    }
    let Some(reply) = response(&exchange.answer) else {
        return;
    };
    let Some(result) = reply.result() else {
        return;
    };
    // The server asks back: that is no result yet.
    if result
        .get("resultType")
        .is_some_and(|kind| kind == "input_required")
    {
        return;
    }
    found.saw(&RESULT_SHAPE);
    let mut problems: Vec<String> = member(result, "content", Kind::List).into_iter().collect();
    if result.get("isError").is_some() {
        problems.extend(member(result, "isError", Kind::Flag));
    }
    let content = result
        .get("structuredContent")
        .filter(|content| !content.is_null());
    let is_modern = is_modern(exchange.request.as_ref());
    if let Some(other) = content.filter(|content| !content.is_object() && !is_modern) {
        problems.push(format!(
            "`structuredContent` should be an object, and is {}",
            shown(other)
        ));
    }
    for problem in problems {
        found.told(&RESULT_SHAPE, reply.event, problem);
    }
    blocks(result, reply.event, found);
    let is_error = result.get("isError").is_some_and(|value| value == true);
    if asked == McpAsked::Call && !is_error {
        output(exchange, content, reply.event, earlier, found);
    }
}

fn blocks(result: &Value, event: Option<usize>, found: &mut Findings) {
    let blocks = result.get("content").and_then(Value::as_array);
    for (number, block) in blocks.into_iter().flatten().enumerate() {
        found.saw(&CONTENT_BLOCK);
        let members: &[(&str, Kind)] = match block.get("type").and_then(Value::as_str) {
            Some("text") => &[("text", Kind::Text)],
            Some("image" | "audio") => &[("data", Kind::Text), ("mimeType", Kind::Name)],
            Some("resource") => &[("resource", Kind::Object)],
            Some("resource_link") => &[("uri", Kind::Name), ("name", Kind::Text)],
            Some(other) => {
                let message = format!("`content[{number}]`: there is no type `{other}`");
                found.told(&CONTENT_BLOCK, event, message);
                continue;
            }
            None => &[("type", Kind::Name)],
        };
        for (name, kind) in members {
            if let Some(problem) = member(block, name, *kind) {
                let message = format!("`content[{number}]`: {problem}");
                found.told(&CONTENT_BLOCK, event, message);
            }
        }
    }
}

fn output(
    exchange: &Exchange,
    content: Option<&Value>,
    event: Option<usize>,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    let request = exchange.request.as_ref();
    let name = request.and_then(|request| request.get("params")?.get("name")?.as_str());
    let lists = earlier
        .iter()
        .filter(|other| other.asked == Asked::Mcp(McpAsked::List(McpListed::Tools)));
    let schema = lists
        .filter_map(|list| {
            response(&list.answer)
                .and_then(Reply::result)?
                .get("tools")?
                .as_array()
        })
        .flatten()
        .find(|tool| tool.get("name").and_then(Value::as_str) == name)
        .and_then(|tool| tool.get("outputSchema"));
    let Some(schema) = schema else {
        return;
    };
    found.saw(&OUTPUT_MATCHES);
    match content {
        None => {
            let message =
                "expected `structuredContent`, since the tool has an `outputSchema`; saw none";
            found.told(&OUTPUT_MATCHES, event, message);
        }
        Some(content) => {
            if let Some(why) = mismatch(schema, content) {
                let message = format!("`structuredContent` does not fit: {why}");
                found.told(&OUTPUT_MATCHES, event, message);
            }
        }
    }
}
