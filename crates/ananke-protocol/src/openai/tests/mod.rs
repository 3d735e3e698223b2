//! Answers in, text out. [`folding`] and [`splits`] know chunks, [`bodies`] knows requests, the others talk to a [`peer`].

mod bodies;
mod folding;
mod peer;
mod refused;
mod splits;
mod streams;
mod turns;

use ananke_model::recording::ToolCall;
use serde_json::{Map, Value};

use super::fold::Fold;
use super::request::OpenAiOptions;
use super::stream::Stream;
use crate::agui::{Conversation, OfferedTool};
use crate::sse::Decoder;

/// Returns the text of an event stream. A line is the `delta` of a chunk, `finish <reason>`, `raw <payload>`,
/// `line <text of the stream>` where ` | ` ends a line, or the end mark.
fn sse(lines: &str) -> String {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(event).collect()
}

fn event(line: &str) -> String {
    match line.split_once(' ') {
        Some(("line", text)) => text.replace(" | ", "\n") + "\n\n",
        Some(("raw", payload)) => format!("data: {payload}\n\n"),
        Some(("finish", reason)) => {
            let choice = format!(r#"{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}"#);
            format!("data: {{\"choices\":[{choice}]}}\n\n")
        }
        _ if line.starts_with('{') => {
            format!(
                "data: {{\"choices\":[{{\"index\":0,\"delta\":{line},\"finish_reason\":null}}]}}\n\n"
            )
        }
        _ => format!("data: {line}\n\n"),
    }
}

/// Folds pieces of an event stream, each a millisecond after the one before, and renders everything that came of them.
fn fold_pieces(pieces: &[&[u8]], at_us: impl Fn(usize) -> u64) -> String {
    let mut conversation = Conversation::default();
    let mut stream = Stream::new(Fold::new(&mut conversation, false));
    let mut decoder = Decoder::new(1 << 20);
    stream.next_body("m".to_owned());
    for (number, piece) in pieces.iter().enumerate() {
        stream.push(&mut decoder, piece, at_us(number)).unwrap();
    }
    stream.finish_body(&mut decoder, true);
    render(&stream)
}

/// Folds the lines of `text`, one event per millisecond.
fn fold(text: &str) -> String {
    let body = sse(text);
    let events: Vec<&[u8]> = body.split_inclusive("\n\n").map(str::as_bytes).collect();
    fold_pieces(&events, |number| 1000 * (number as u64 + 1))
}

/// Folds an answer that was not streamed.
fn fold_whole(body: &str) -> String {
    let mut conversation = Conversation::default();
    let mut stream = Stream::new(Fold::new(&mut conversation, false));
    stream.next_body("m".to_owned());
    stream.whole(Some(body), 1000);
    render(&stream)
}

fn render(stream: &Stream<'_>) -> String {
    let fold = &stream.fold;
    let mut lines = vec![match &fold.end {
        Some(end) => format!("{end:?}"),
        None => "no end".to_owned(),
    }];
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    };
    line("text", fold.text());
    line("reasoning", fold.reasoning.clone());
    for one in &fold.calls {
        line("call", call(one));
    }
    for message in fold.conversation.messages() {
        line("message", message.to_string());
    }
    for usage in &fold.usage {
        line("usage", usage.to_string());
    }
    for warning in &fold.warnings {
        line("warning", warning.clone());
    }
    line("bad", stream.bad_event.clone().unwrap_or_default());
    lines.join("\n")
}

fn call(call: &ToolCall) -> String {
    let result = call.result.as_deref();
    let result = result.map_or_else(String::new, |result| format!(" -> {result}"));
    let error = call.args_error.as_deref();
    let error = error.map_or_else(String::new, |error| format!(" !{error}"));
    format!(
        "{} {}({}){result}{error}",
        call.id, call.name, call.args_text
    )
}

fn options(url: &str) -> OpenAiOptions {
    OpenAiOptions {
        url: url.to_owned(),
        model: "m-1".to_owned(),
        before: Vec::new(),
        parameters: Map::new(),
        tools: Vec::new(),
        stream: true,
        retries: 0,
    }
}

fn tool(name: &str, result: Option<Value>) -> OfferedTool {
    OfferedTool {
        name: name.to_owned(),
        description: String::new(),
        parameters: Value::Null,
        result,
    }
}
