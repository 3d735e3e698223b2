//! One turn of an assistant: `Create`, the model with its tools, `Next`.

use std::sync::Arc;

use ananke_model::assistant::Assistant;
use ananke_model::plan::OpenAiTarget;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::script::ScriptLog;
use ananke_model::variables::Variables;
use ananke_protocol::agui::{Action, Conversation, last_user_text};
use ananke_script::Argument;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::compose::{changed_call, composed};
use super::create::Created;
use super::delegate::{Delegate, Handing};
use super::hook::{Course, call_hook, failed, trouble};
use super::joined::{blank, join, say_instead};
use super::messages::{say, seen};
use super::next::{Decision, payload};
use super::servers::Servers;
use crate::ids::new_id;
use crate::script::{Calls, context_of};
use crate::speakers::openai::{OpenAiSpeaker, said};
use crate::speakers::{Bounds, Call, Means};
use crate::world::World;

/// An assistant in which scripts take part, ready to be talked to.
#[derive(Debug)]
pub(crate) struct AssistantSpeaker {
    /// The model as it is asked if no hook changes anything.
    pub(crate) model: OpenAiSpeaker,
    pub(super) target: OpenAiTarget,
    pub(super) assistant: Assistant,
    pub(super) world: Arc<World>,
    pub(super) variables: Variables,
    call: Call,
    pub(super) calls: Calls,
    pub(super) thread_id: String,
    /// Servers whose tools the model gets as well.
    pub(super) servers: Servers,
    /// What is asked once the servers have told their tools.
    connected: OnceCell<Connected>,
}

/// An assistant with the tools of its servers.
#[derive(Debug)]
struct Connected {
    target: OpenAiTarget,
    assistant: Assistant,
    model: OpenAiSpeaker,
}

/// What of a turn is the same until its end.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) course: Course,
    pub(super) bounds: Bounds<'a>,
    /// The user's words.
    pub(super) input: &'a str,
}

impl AssistantSpeaker {
    /// Resolves a target.
    pub(crate) fn new(
        target: &OpenAiTarget,
        assistant: &Assistant,
        means: &Means<'_>,
        call: &Call,
    ) -> Result<Self, String> {
        let thread_id = call.thread_id.clone().unwrap_or_else(new_id);
        let model = OpenAiSpeaker::new(&composed(target), means, call)?;
        Ok(Self {
            model: model.on_thread(&thread_id),
            target: target.clone(),
            assistant: assistant.clone(),
            world: Arc::clone(means.world),
            variables: means.variables.clone(),
            calls: Calls::new(means.world, call.depth),
            call: call.clone(),
            thread_id,
            servers: Servers::new(assistant, means)?,
            connected: OnceCell::new(),
        })
    }

    /// Returns what is asked, with the tools of the servers once they are known.
    pub(super) fn ready(&self) -> (&OpenAiTarget, &Assistant, &OpenAiSpeaker) {
        match self.connected.get() {
            Some(own) => (&own.target, &own.assistant, &own.model),
            None => (&self.target, &self.assistant, &self.model),
        }
    }

    /// Connects to the servers, if that is still to be done, and learns their tools.
    async fn connect(&self, turn: &mut Turn, bounds: Bounds<'_>) -> Result<(), Trouble> {
        if self.servers.is_empty() || self.connected.initialized() {
            return Ok(());
        }
        let tools = self.servers.tools(&self.assistant.tools, bounds, turn);
        let mut assistant = self.assistant.clone();
        assistant.tools = tools.await?;
        let mut target = self.target.clone();
        target.assistant = Some(Box::new(assistant.clone()));
        let means = self.world.means(&self.variables);
        let model = OpenAiSpeaker::new(&composed(&target), &means, &self.call)
            .map_err(|why| trouble(TroubleKind::BadEvent, why))?;
        let connected = Connected {
            model: model.on_thread(&self.thread_id),
            target,
            assistant,
        };
        // Turns come one after another.
        self.connected.set(connected).ok();
        Ok(())
    }

    /// Closes the connections to servers. Returns what was odd.
    pub(crate) async fn close(&self) -> Vec<String> {
        self.servers.close().await
    }

    /// Returns what its scripts call the conversation.
    pub(crate) fn chat_id(&self) -> &str {
        &self.thread_id
    }

    /// Takes out what its scripts logged so far.
    pub(crate) fn take_logs(&self) -> Vec<ScriptLog> {
        self.calls.logs.take()
    }

    pub(crate) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        if action.needs().is_some() {
            // It says why it cannot.
            return self.model.turn(action, conversation, bounds).await;
        }
        let input = said(&action);
        let user = match &action {
            Action::User(text) => Some(text.clone()),
            Action::Messages(messages) => last_user_text(messages),
            Action::Connect { .. } | Action::Resume { .. } | Action::Send(_) | Action::Ask(_) => {
                None
            }
        };
        let mut turn = blank(action.kind(), user, bounds.unix_ms);
        turn.messages.extend(say(&action, conversation));
        let began = Instant::now();
        // Boxed: agents that hand on to others hold many of these at once.
        let connected = Box::pin(self.connect(&mut turn, bounds)).await;
        // Connecting is no part of the time that an answer takes, but of that of the test.
        let whole = bounds.whole.saturating_sub(began.elapsed());
        let bounds = Bounds {
            timeout: bounds.timeout.min(whole),
            whole,
            ..bounds
        };
        let within = Within {
            course: Course::begin(bounds.timeout),
            bounds,
            input: &input,
        };
        let run = match connected {
            Ok(()) => Box::pin(self.run(&mut turn, conversation, within)).await,
            Err(trouble) => Err(trouble),
        };
        let course = &within.course;
        if let Err(trouble) = run {
            turn.status = TurnStatus::Broken(trouble);
            turn.timing.total_us = course.elapsed_us();
        }
        turn.state = conversation.state.clone();
        turn
    }

    async fn run(
        &self,
        turn: &mut Turn,
        conversation: &mut Conversation,
        within: Within<'_>,
    ) -> Result<(), Trouble> {
        let cannot = |why| trouble(TroubleKind::BadEvent, why);
        let all = seen(conversation).map_err(cannot)?;
        let hooks = self.assistant.hooks.as_ref();
        let mut created = match hooks.and_then(|hooks| hooks.create.as_ref()) {
            None => Created::default(),
            Some(create) => {
                let options =
                    json!({"connector": self.assistant.connector, "metadata": self.call.metadata});
                let arguments = vec![
                    Argument::Context(self.context(&self.call, &Created::default())),
                    Argument::Json(all.clone().into()),
                    Argument::Json(options),
                ];
                let warnings = &mut turn.warnings;
                let called = call_hook(&self.calls, create, arguments, within.course, warnings);
                let value = called.await?;
                Created::read(value).map_err(|why| failed(create, &why))?
            }
        };
        turn.warnings.append(&mut created.warnings);
        let call = changed_call(&self.call, &created);
        if let Some(mut delegate) = created.delegate.take() {
            let messages = created.messages.take().unwrap_or(all);
            delegate.messages.get_or_insert(messages);
            return self
                .hand_on(delegate, &call, turn, conversation, within)
                .await;
        }
        let context = self.context(&call, &created);
        let has_prompts = self.target.prompts.len() > self.assistant.n_app_prompts;
        let is_asked = has_prompts || created.preset.is_some() || !self.ready().1.tools.is_empty();
        let heard = match is_asked {
            true => {
                let asked = self.ask(created, &call, &context, conversation, within);
                Some(asked.await?)
            }
            false => None,
        };
        let (messages, answered) = match heard {
            None => (all, Vec::new()),
            Some(heard) => {
                let offset_us = within
                    .course
                    .elapsed_us()
                    .saturating_sub(heard.turn.timing.total_us);
                for message in &heard.turn.messages {
                    conversation.put(Value::clone(message));
                }
                join(turn, heard.turn, offset_us);
                (heard.messages, heard.answered)
            }
        };
        let Some(hooks) = hooks else { return Ok(()) };
        let payload = payload(messages.clone(), is_asked.then_some(&*turn), &answered);
        let decision = self.next(hooks, payload, &context, turn, within).await?;
        match decision {
            Decision::Keep if is_asked => {}
            Decision::Keep => turn.warnings.push(
                "nobody answered: the assistant has neither prompts nor tools, and no hook said anything"
                    .to_owned(),
            ),
            Decision::Say(text) => say_in_place(text, turn, conversation, within.course),
            Decision::Delegate(mut delegate) => {
                turn.text.clear();
                delegate.messages.get_or_insert(messages);
                self.hand_on(delegate, &call, turn, conversation, within)
                    .await?;
            }
        }
        Ok(())
    }

    async fn hand_on(
        &self,
        delegate: Delegate,
        call: &Call,
        turn: &mut Turn,
        conversation: &mut Conversation,
        within: Within<'_>,
    ) -> Result<(), Trouble> {
        let handing = Handing {
            world: &self.world,
            variables: &self.variables,
            call,
            course: within.course,
            bounds: within.bounds,
        };
        let offset_us = within.course.elapsed_us();
        let timeout = within.course.left();
        let mut part = handing.hand_on(delegate).await?;
        if let TurnStatus::Broken(trouble) = &mut part.status {
            within.course.of_whole(timeout, trouble);
        }
        // The first is the last that the other agent was told.
        if !part.messages.is_empty() {
            part.messages.remove(0);
        }
        for message in &part.messages {
            conversation.put(Value::clone(message));
        }
        join(turn, part, offset_us);
        Ok(())
    }

    /// Returns what the `ctx` of hooks and tools is made of.
    fn context(&self, call: &Call, created: &Created) -> Value {
        let mut context = context_of(Some(&call.identity), &self.assistant.id);
        if call.identity.chat_id.is_none() {
            context["chat_id"] = self.thread_id.as_str().into();
        }
        context["metadata"] = call.metadata.clone().into();
        for (name, value) in [("theme", &created.theme), ("route", &created.route)] {
            if let Some(value) = value {
                context[name] = value.as_str().into();
            }
        }
        context
    }
}

/// Says what `Next` wants to be said, in the place of the model's last words if it called nothing with them.
fn say_in_place(text: String, turn: &mut Turn, conversation: &mut Conversation, course: Course) {
    let last = turn.messages.last();
    let spoken = last.filter(|last| last["role"] == "assistant" && last.get("toolCalls").is_none());
    let id = spoken.and_then(|last| last["id"].as_str());
    let id = id.map_or_else(new_id, str::to_owned);
    let message = json!({"id": id, "role": "assistant", "content": text});
    conversation.put(message.clone());
    say_instead(turn, text, Arc::new(message), course.elapsed_us());
}
