//! Every text of a planned test, so that references can be checked in all of them.

use ananke_model::check::{Block, CallFilter, Check, OutputCheck, OutputCheckKind};
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{
    A2aTarget, AguiTarget, ClientTool, Hook, McpTarget, McpWay, OpenAiTarget, PlannedTest,
    Protocol, Server, ServerAsk, Target, TurnAction,
};
use ananke_model::variables::strings;

/// A text with the place to point at.
pub(super) type Found<'a> = (&'a str, &'a Place);

/// Returns the texts that even a skipped test shows.
pub(super) fn shown_texts(test: &PlannedTest) -> Vec<Found<'_>> {
    let mut texts = vec![both(&test.name)];
    texts.extend(test.skip.as_ref().map(both));
    texts
}

/// Returns the texts of `server`.
pub(super) fn server_texts(server: &Server) -> Vec<Found<'_>> {
    let mut texts: Vec<_> = server.cmd.iter().map(both).collect();
    texts.push(both(&server.url));
    texts.extend(server.env.iter().map(|(_, value)| both(value)));
    texts
}

/// Returns all texts of a test that are needed to run and to judge it.
pub(super) fn test_texts(test: &PlannedTest) -> Vec<Found<'_>> {
    let mut texts = shown_texts(test);
    texts.extend(target_texts(&test.target));
    for hook in &test.hooks {
        hook_texts(hook, &mut texts);
    }
    for turn in &test.turns {
        match &turn.action {
            TurnAction::User { text } => texts.push(both(text)),
            TurnAction::Messages(messages) => json_texts(Some(&messages.list), &mut texts),
            TurnAction::Connect { .. } => {}
            TurnAction::Resume(resume) => json_texts(resume.payload.as_ref(), &mut texts),
            TurnAction::Send(message) => {
                json_texts(Some(&message.parts), &mut texts);
                json_texts(message.metadata.as_ref(), &mut texts);
                texts.extend(message.task_id.iter().chain(&message.context_id).map(both));
            }
            TurnAction::Ask(asked) => ask_texts(asked, &mut texts),
        }
        if let Some(block) = &turn.block {
            block_texts(block, &mut texts);
        }
    }
    if let Some(dynamic) = &test.dynamic {
        texts.extend(dynamic.input.as_ref().map(both));
        json_texts(dynamic.simulator.metadata.as_ref(), &mut texts);
        for checkpoint in &dynamic.checkpoints {
            block_texts(&checkpoint.block, &mut texts);
        }
    }
    block_texts(&test.block, &mut texts);
    texts
}

/// Returns the texts of a target. Those of a script are sent as they are.
pub(super) fn target_texts(target: &Target) -> Vec<Found<'_>> {
    let mut texts = Vec::new();
    match &target.protocol {
        Protocol::Agui(target) => agui_texts(target, &mut texts),
        Protocol::OpenAi(target) => chat_texts(target, &mut texts),
        Protocol::Command(target) => {
            texts.extend(target.cmd.iter().map(both));
            texts.extend(target.env.iter().map(|(_, value)| both(value)));
        }
        Protocol::Scripted(target) => json_texts(target.forwarded_props.as_ref(), &mut texts),
        Protocol::A2a(target) => a2a_texts(target, &mut texts),
        Protocol::Mcp(target) => mcp_texts(target, &mut texts),
        Protocol::Script(_) => {}
    }
    let auth = target.protocol.auth();
    texts.extend(auth.iter().flat_map(|auth| auth.texts()).map(both));
    texts
}

fn agui_texts<'a>(target: &'a AguiTarget, texts: &mut Vec<Found<'a>>) {
    texts.push(both(&target.endpoint));
    texts.extend(target.agent_id.as_ref().map(both));
    texts.extend(target.thread_id.as_ref().map(both));
    texts.extend(target.headers.iter().map(|(_, value)| both(value)));
    json_texts(target.forwarded_props.as_ref(), texts);
    json_texts(target.state.as_ref(), texts);
    for (description, value) in &target.context {
        texts.extend([both(description), both(value)]);
    }
    tool_texts(&target.tools, texts);
    texts.extend(target.tls.ca.as_ref().map(both));
}

fn chat_texts<'a>(target: &'a OpenAiTarget, texts: &mut Vec<Found<'a>>) {
    texts.extend([both(&target.host), both(&target.model)]);
    texts.extend(target.key.as_ref().map(both));
    texts.extend(target.headers.iter().map(|(_, value)| both(value)));
    // In the prompts of an assistant folder `${…}` means nothing.
    let prompts = target.prompts.iter().filter(|prompt| !prompt.has_dollars);
    texts.extend(prompts.map(|prompt| both(&prompt.content)));
    json_texts(target.parameters.as_ref(), texts);
    tool_texts(&target.tools, texts);
    texts.extend(target.tls.ca.as_ref().map(both));
}

fn a2a_texts<'a>(target: &'a A2aTarget, texts: &mut Vec<Found<'a>>) {
    let places = target.card_url.iter().chain(&target.endpoint);
    texts.extend(places.chain(&target.tenant).map(both));
    texts.extend(target.extensions.iter().map(both));
    texts.extend(target.context_id.as_ref().map(both));
    texts.extend(target.accepted_output_modes.iter().map(both));
    json_texts(target.card.as_ref(), texts);
    json_texts(target.metadata.as_ref(), texts);
    texts.extend(target.headers.iter().map(|(_, value)| both(value)));
    texts.extend(target.tls.ca.as_ref().map(both));
}

fn mcp_texts<'a>(target: &'a McpTarget, texts: &mut Vec<Found<'a>>) {
    match &target.transport {
        McpWay::Stdio { command, cwd, env } => {
            texts.extend(command.iter().chain(cwd).map(both));
            texts.extend(env.iter().map(|(_, value)| both(value)));
        }
        McpWay::Http(url) | McpWay::Sse(url) => texts.push(both(url)),
    }
    if let Some(tool) = &target.user_tool {
        texts.extend([both(&tool.name), both(&tool.argument)]);
        texts.extend(tool.conversation.as_ref().map(both));
        json_texts(tool.args.as_ref(), texts);
    }
    for answer in target.elicitation.iter().chain(&target.sampling) {
        texts.extend(answer.when.as_ref().map(both));
        json_texts(answer.content.as_ref(), texts);
    }
    json_texts(target.roots.as_ref(), texts);
    texts.extend(target.headers.iter().map(|(_, value)| both(value)));
    texts.extend(target.tls.ca.as_ref().map(both));
}

fn ask_texts<'a>(asked: &'a ServerAsk, texts: &mut Vec<Found<'a>>) {
    match asked {
        ServerAsk::Call { tool: name, args } | ServerAsk::Prompt { name, args } => {
            texts.push(both(name));
            json_texts(args.as_ref(), texts);
        }
        ServerAsk::Read { uri } => texts.push(both(uri)),
        ServerAsk::List(_) => {}
    }
}

fn tool_texts<'a>(tools: &'a [ClientTool], texts: &mut Vec<Found<'a>>) {
    for tool in tools {
        texts.extend([both(&tool.name), both(&tool.description)]);
        json_texts(tool.parameters.as_ref(), texts);
        json_texts(tool.result.as_ref(), texts);
    }
}

fn hook_texts<'a>(hook: &'a Hook, texts: &mut Vec<Found<'a>>) {
    texts.extend(hook.cmd.iter().map(both));
    texts.extend(hook.env.iter().map(|(_, value)| both(value)));
}

fn block_texts<'a>(block: &'a Block, texts: &mut Vec<Found<'a>>) {
    for demand in &block.demands {
        match &demand.check {
            Check::Forbid(text)
            | Check::MustMatch(text)
            | Check::MustNotMatch(text)
            | Check::Error(text) => texts.push(both(text)),
            Check::Require(require) => {
                filter_texts(&require.filter, texts);
                texts.extend(require.after.as_ref().map(both));
            }
            Check::ForbidCall(filter) => filter_texts(filter, texts),
            Check::MaxDuration(_)
            | Check::MaxIdle(_)
            | Check::ProtocolStrict
            | Check::Snapshot(_) => {}
            Check::Task(check) => texts.extend(check.texts().into_iter().map(both)),
            Check::Output(check) => output_texts(check, texts),
            Check::Agent(check) => {
                json_texts(check.call.metadata.as_ref(), texts);
                json_texts(check.criteria.as_ref(), texts);
                texts.extend(check.message.as_ref().map(both));
            }
            Check::Script(check) => {
                json_texts(check.metadata.as_ref(), texts);
                json_texts(check.value.as_ref(), texts);
                texts.extend(check.message.as_ref().map(both));
            }
        }
    }
}

fn output_texts<'a>(check: &'a OutputCheck, texts: &mut Vec<Found<'a>>) {
    texts.extend(check.path.as_ref().map(both));
    texts.extend(check.message.as_ref().map(both));
    match &check.kind {
        OutputCheckKind::Equals(value)
        | OutputCheckKind::Contains(value)
        | OutputCheckKind::NotContains(value) => json_texts(Some(value), texts),
        OutputCheckKind::Regex(pattern) => texts.push(both(pattern)),
        OutputCheckKind::JsonPath(value) => json_texts(value.as_ref(), texts),
        OutputCheckKind::Type(_) => {}
        OutputCheckKind::ToolCalled(called) => {
            texts.extend(called.names.iter().map(both));
            json_texts(called.arguments.as_ref(), texts);
        }
        OutputCheckKind::ToolResult(result) => {
            texts.push(both(&result.tool));
            json_texts(result.result.as_ref(), texts);
        }
    }
}

fn filter_texts<'a>(filter: &'a CallFilter, texts: &mut Vec<Found<'a>>) {
    texts.push(both(&filter.name));
    let patterns = filter.args_match.iter().chain(&filter.args_not_match);
    texts.extend(patterns.flat_map(|arg| [both(&arg.path), both(&arg.pattern)]));
    texts.extend(filter.result_match.as_ref().map(both));
    texts.extend(filter.result_not_match.as_ref().map(both));
}

fn json_texts<'a>(json: Option<&'a Json>, texts: &mut Vec<Found<'a>>) {
    let Some(json) = json else {
        return;
    };
    texts.extend(
        strings(&json.value)
            .into_iter()
            .map(|text| (text, &json.place)),
    );
}

fn both(text: &Text) -> Found<'_> {
    (&text.text, &text.place)
}
