//! Answers in, text out. [`folding`], [`pairs`], [`calls`] and [`splits`] know events, [`strays`] those that are odd,
//! [`requests`] knows bodies, the others talk to a [`peer`].

mod auths;
mod calls;
mod cards;
mod folding;
mod pairs;
mod peer;
mod refused;
mod requests;
mod splits;
mod strays;
mod turns;

use std::time::Duration;

use ananke_model::recording::{Artifact, ToolCall};

use super::CallRule;
use super::fold::{Fold, Memory};
use super::options::{A2aOptions, CardSource, Streaming};
use super::stream::Stream;
use super::wire::{Binding, Form, Version};
use crate::auth::Auth;
use crate::sse::Decoder;

/// Returns the text of an event stream over JSON-RPC. A line is an event, or `raw <payload>`.
fn sse(lines: &str) -> String {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let events = lines.map(|line| match line.strip_prefix("raw ") {
        Some(payload) => format!("data: {payload}\n\n"),
        None => format!("data: {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{line}}}\n\n"),
    });
    events.collect()
}

/// Folds pieces of an event stream, and renders everything that came of them.
fn fold_pieces(version: Version, pieces: &[&[u8]], at_us: impl Fn(usize) -> u64) -> String {
    let mut stream = Stream::new(Fold::new(Memory::default(), &[]));
    stream.form = Form::of(version, Binding::JsonRpc);
    stream.rpc_id = 1;
    let mut decoder = Decoder::new(1 << 20);
    for (number, piece) in pieces.iter().enumerate() {
        stream.push(&mut decoder, piece, at_us(number)).unwrap();
    }
    stream.finish_body(&mut decoder, true);
    render(&stream)
}

/// Folds the events of `lines`, one per millisecond.
fn fold(version: Version, lines: &str) -> String {
    let body = sse(lines);
    let events: Vec<&[u8]> = body.split_inclusive("\n\n").map(str::as_bytes).collect();
    fold_pieces(version, &events, |number| 1000 * (number as u64 + 1))
}

/// Folds an answer that was not streamed.
fn fold_whole(version: Version, result: &str, rules: &[CallRule]) -> String {
    let mut stream = Stream::new(Fold::new(Memory::default(), rules));
    stream.form = Form::of(version, Binding::JsonRpc);
    stream.rpc_id = 1;
    stream.whole(
        &format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#),
        1000,
    );
    render(&stream)
}

fn render(stream: &Stream<'_>) -> String {
    let fold = &stream.fold;
    let mut lines = vec![
        fold.state()
            .map_or("no state", |state| state.name())
            .to_owned(),
    ];
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    };
    line("text", fold.text().0);
    line("reasoning", fold.reasoning());
    for one in &fold.calls.list {
        line("call", call(one));
    }
    for one in &fold.artifacts.records() {
        line("artifact", artifact(one));
    }
    for warning in &fold.warnings {
        line("warning", warning.clone());
    }
    if let Some(error) = &stream.error {
        line("error", format!("{:?} {}", error.code, error.message));
    }
    line("bad", stream.bad_event.clone().unwrap_or_default());
    lines.join("\n")
}

fn call(call: &ToolCall) -> String {
    let result = call.result.as_deref();
    let result = result.map_or_else(String::new, |result| format!(" -> {result}"));
    let error = call.error.as_deref();
    let error = error.map_or_else(String::new, |error| format!(" !{error}"));
    format!(
        "{} {}({}){result}{error}",
        call.id, call.name, call.args_text
    )
}

fn artifact(artifact: &Artifact) -> String {
    let parts: Vec<String> = artifact.parts.iter().map(ToString::to_string).collect();
    format!("{} {}", artifact.id, parts.join(" "))
}

fn options(endpoint: Option<String>) -> A2aOptions {
    A2aOptions {
        card: CardSource::None,
        endpoint,
        version: None,
        binding: None,
        tenant: None,
        extensions: Vec::new(),
        context_id: None,
        blocking: true,
        stream: Streaming::Auto,
        poll: Duration::from_millis(10),
        accepted_output_modes: Vec::new(),
        history_length: None,
        metadata: None,
        tool_calls: Vec::new(),
        auth: Auth::None,
        allow_other_origin: false,
    }
}
