//! What a test sends beside its words, as far as that can be told before it is sent: judging sets it against a recording.
//!
//! Left out is what differs from run to run: generated ids, and what `$SYS.` stands for in prompts.

use ananke_model::case::Case;
use ananke_model::plan::{AguiTarget, Envelope, OpenAiTarget, PlannedTest, Protocol};
use ananke_model::variables::Variables;
use ananke_protocol::agui::{Action, OfferedTool};
use ananke_protocol::openai::{OpenAiOptions, shared_members, wire_messages};
use serde_json::{Value, json};

use super::assistant::composed;
use super::compared::{self, Beside, user_tool};
use super::mcp::Tool;
use super::openai::{self, Prompts, said};
use super::prompts::{Known, Now, Template};
use super::{Call, agui, command, scripted};
use crate::session::Resolver;

/// What is sent beside the words of a test.
#[derive(Debug)]
pub(crate) struct Sent(Form);

/// In which form it is sent.
#[derive(Debug)]
enum Form {
    /// AG-UI, spoken to whatever agent.
    Input {
        /// Members of `RunAgentInput`.
        members: Vec<(&'static str, Value)>,
        /// The agent's id, where the envelope holds it.
        agent_id: Option<Value>,
    },
    /// A chat endpoint.
    Chat {
        /// Everything but the messages.
        members: Value,
        prompts: Box<Prompts>,
    },
    /// A program.
    Program {
        /// `options` and `context`.
        members: Vec<(String, Value)>,
    },
    /// A message to an agent that works on tasks.
    Task(Beside),
    /// A question to a server; with the tool that stands for an agent.
    Server(Option<Tool>),
    /// A hook decides what is sent.
    Free,
}

/// Something that is sent, and what was recorded of it.
#[derive(Debug)]
pub(crate) struct Pair {
    /// What it is called.
    pub(crate) name: String,
    pub(crate) now: Value,
    pub(crate) then: Value,
}

impl Sent {
    /// Resolves what `test` is going to send; `case` is what is known of it, resolved.
    pub(crate) fn planned(
        test: &PlannedTest,
        case: Option<&Case>,
        variables: &Variables,
    ) -> Result<Self, String> {
        let mut resolving = Resolver::new(variables);
        let resolver = &mut resolving;
        let call = Call::of_test(case, None);
        let form = match &test.target.protocol {
            Protocol::Agui(target) => input(target, resolver),
            Protocol::Scripted(target) => Form::Input {
                members: vec![(
                    "forwardedProps",
                    scripted::forwarded_props(target, resolver),
                )],
                agent_id: None,
            },
            Protocol::A2a(agent) => Form::Task(Beside::resolve(agent, resolver)),
            Protocol::Mcp(server) => Form::Server(user_tool(server, resolver)),
            Protocol::OpenAi(target) if is_free(target) => Form::Free,
            Protocol::OpenAi(target) => {
                let target = &composed(target);
                let options = openai::options(target, resolver);
                let prompts = openai::prompts(target, variables, &call, resolver);
                chat(&options, prompts, case.is_some())
            }
            Protocol::Command(_) | Protocol::Script(_) => {
                let told = command::told(test.target.connector.as_deref(), &call);
                // Of a test that is no case it is not known here who asked.
                let told = told
                    .into_iter()
                    .filter(|(name, _)| case.is_some() || name != "context");
                Form::Program {
                    members: told.collect(),
                }
            }
        };
        resolving.finish()?;
        Ok(Self(form))
    }

    /// Pairs what the first request holds beside the messages of the test with what the first recorded one holds.
    pub(crate) fn pairs(&self, action: &Action, body: &Value) -> Vec<Pair> {
        match &self.0 {
            Form::Input { members, agent_id } => {
                let input = self.input(body);
                let agent_id = agent_id.iter();
                let agent_id = agent_id.map(|id| ("agentId", id, body["params"].get("agentId")));
                let members = members.iter();
                let members = members.map(|(name, now)| (*name, now, input.get(*name)));
                let both = agent_id.chain(members);
                both.filter_map(|(name, now, then)| Some(pair(name, now, then?)))
                    .collect()
            }
            Form::Program { members } => {
                let members = members.iter();
                members
                    .filter_map(|(name, now)| Some(pair(name, now, body.get(name)?)))
                    .collect()
            }
            Form::Task(beside) => beside.pairs(action, body),
            Form::Server(_) | Form::Free => Vec::new(),
            Form::Chat { members, prompts } => {
                let mut then = body.clone();
                if let Some(members) = then.as_object_mut() {
                    members.remove("messages");
                }
                let mut pairs = vec![pair("request", members, &then)];
                pairs.extend(in_prompts(prompts, action, body));
                pairs
            }
        }
    }

    /// Pairs what any turn sends of its own with what was recorded of it, where that is more than its words.
    pub(crate) fn own_pairs(&self, action: &Action, requests: &[Value]) -> Vec<Pair> {
        match &self.0 {
            Form::Task(_) => compared::message(action, requests),
            Form::Server(tool) => compared::question(action, tool.as_ref(), requests),
            Form::Input { .. } | Form::Chat { .. } | Form::Program { .. } | Form::Free => {
                Vec::new()
            }
        }
    }

    /// Pairs the messages of the first turn with those that were recorded; ids are generated and no part of it.
    pub(crate) fn messages(&self, list: &[Value], body: &Value) -> Result<Pair, String> {
        let recorded = &self.input(body)["messages"];
        let recorded = recorded.as_array().cloned().unwrap_or_default();
        let (now, then) = match &self.0 {
            Form::Input { .. } | Form::Program { .. } => {
                let lists = [list.to_vec(), recorded];
                let [now, then] = lists.map(|mut messages| {
                    for message in &mut messages {
                        if let Some(members) = message.as_object_mut() {
                            members.remove("id");
                        }
                    }
                    messages
                });
                (now, then)
            }
            // The words of the user are all that is sent of them, and are compared as such.
            Form::Task(_) | Form::Server(_) | Form::Free => (Vec::new(), Vec::new()),
            Form::Chat { prompts, .. } => {
                let n_prompts = prompts.templates.len();
                (
                    wire_messages(list)?,
                    recorded.into_iter().skip(n_prompts).collect(),
                )
            }
        };
        Ok(Pair {
            name: "messages".to_owned(),
            now: now.into(),
            then: then.into(),
        })
    }

    /// Returns what answers interrupts in a request.
    pub(crate) fn resume<'b>(&self, body: &'b Value) -> &'b Value {
        &self.input(body)["resume"]
    }

    /// Returns the part of a request that holds the messages, whatever its envelope.
    fn input<'b>(&self, body: &'b Value) -> &'b Value {
        let has_envelope = body["method"].is_string() && body["body"].is_object();
        match &self.0 {
            Form::Input { .. } if has_envelope => &body["body"],
            _ => body,
        }
    }
}

/// Tells whether a hook decides what is sent first.
fn is_free(target: &OpenAiTarget) -> bool {
    target.assistant.as_ref().is_some_and(|own| {
        let hooks = own.hooks.as_ref();
        let has_create = hooks.is_some_and(|hooks| hooks.create.is_some());
        // What a server offers is only known once it is asked.
        let asks_servers = !own.servers.is_empty();
        has_create
            || asks_servers
            || own.tools.is_empty() && target.prompts.len() <= own.n_app_prompts
    })
}

fn pair(name: &str, now: &Value, then: &Value) -> Pair {
    Pair {
        name: name.to_owned(),
        now: now.clone(),
        then: then.clone(),
    }
}

fn chat(options: &OpenAiOptions, prompts: Prompts, has_identity: bool) -> Form {
    let Prompts { templates, known } = prompts;
    let known = if has_identity {
        known
    } else {
        known.by_anybody()
    };
    Form::Chat {
        members: shared_members(options).into(),
        prompts: Box::new(Prompts { templates, known }),
    }
}

fn input(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Form {
    let state = match agui::state(agui, resolver) {
        Value::Null => json!({}),
        state => state,
    };
    let tools = agui::tools(&agui.tools, resolver);
    let tools = tools.iter().map(OfferedTool::offered).collect();
    let mut members = vec![
        ("state", state),
        ("tools", tools),
        ("context", agui::context(agui, resolver).into()),
        ("forwardedProps", agui::forwarded_props(agui, resolver)),
    ];
    members.extend(agui::thread_id(agui, resolver).map(|id| ("threadId", id.into())));
    let agent_id = agui::agent_id(agui, resolver);
    let agent_id = agent_id.filter(|_| agui.envelope == Envelope::CopilotKit);
    Form::Input {
        members,
        agent_id: agent_id.map(Value::from),
    }
}

/// Pairs the prompts that cannot have been the recorded ones with those, and the messages behind them if there are more or
/// fewer than one user says.
fn in_prompts(prompts: &Prompts, action: &Action, body: &Value) -> Vec<Pair> {
    let Prompts { templates, known } = prompts;
    let input = said(action);
    let now = Now {
        input: &input,
        unix_ms: None,
    };
    let nothing = Vec::new();
    let recorded = body["messages"].as_array().unwrap_or(&nothing);
    let numbered = templates.iter().zip(recorded).enumerate();
    let mut pairs: Vec<Pair> = numbered
        .filter(|(_, (template, message))| !template.may_be(message, known, now))
        .map(|(number, (template, message))| Pair {
            name: format!("messages/{number}"),
            now: template.sketch(known, now),
            then: message.clone(),
        })
        .collect();
    if pairs.is_empty()
        && matches!(action, Action::User(_))
        && recorded.len() != templates.len() + 1
    {
        let mut all = sketches(templates, known, now);
        all.push(json!({"role": "user", "content": input}));
        pairs.push(Pair {
            name: "messages".to_owned(),
            now: all.into(),
            then: recorded.clone().into(),
        });
    }
    pairs
}

fn sketches(templates: &[Template], known: &Known, now: Now<'_>) -> Vec<Value> {
    let templates = templates.iter();
    templates
        .map(|template| template.sketch(known, now))
        .collect()
}
