//! Asks the model of an assistant, as `Create` wants it, and lets scripts answer its calls.

use ananke_model::assistant::Assistant;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_protocol::agui::{Action, Conversation};
use serde_json::Value;

use super::compose::{changed, chosen_tools};
use super::create::Created;
use super::hook::{failed, trouble};
use super::messages::{conversation_of, seen};
use super::speaker::{AssistantSpeaker, Within};
use super::tools::{Answered, Tools};
use crate::speakers::openai::{ModelTurn, OpenAiSpeaker};
use crate::speakers::{Bounds, Call};

/// What the model said.
pub(super) struct Heard {
    /// What it was sent, as hooks see it.
    pub(super) messages: Vec<Value>,
    pub(super) turn: Turn,
    pub(super) answered: Vec<Answered>,
}

impl AssistantSpeaker {
    /// Asks the model, and lets scripts answer its calls.
    pub(super) async fn ask(
        &self,
        created: Created,
        call: &Call,
        context: &Value,
        conversation: &Conversation,
        within: Within<'_>,
    ) -> Result<Heard, Trouble> {
        let (target, assistant, model) = self.ready();
        let Assistant { hooks, .. } = assistant;
        let wrong = |why: String| match hooks.as_ref().and_then(|hooks| hooks.create.as_ref()) {
            Some(create) => failed(create, &why),
            None => trouble(TroubleKind::BadEvent, why),
        };
        let tools = chosen_tools(assistant, &created).map_err(wrong)?;
        let other = match created.changes_model() {
            false => None,
            true => {
                let chat = changed(target, assistant, &created, &tools).map_err(wrong)?;
                let means = self.world.means(&self.variables);
                let speaker = OpenAiSpeaker::new(&chat, &means, call).map_err(wrong)?;
                Some(speaker.on_thread(&self.thread_id))
            }
        };
        let speaker = other.as_ref().unwrap_or(model);
        let max_rounds = match (hooks, assistant.tool_loop) {
            (None, true) => assistant.max_turn,
            _ => 0,
        };
        let tools = Tools::new(
            tools,
            (&self.calls, &self.servers),
            context.clone(),
            max_rounds,
            within.bounds,
        );
        let mut sent = match &created.messages {
            Some(messages) => conversation_of(messages),
            None => conversation.clone(),
        };
        let messages = match created.messages {
            Some(messages) => messages,
            None => seen(&sent).map_err(wrong)?,
        };
        let timeout = within.course.left();
        let asked = ModelTurn {
            action: Action::Messages(Vec::new()),
            input: within.input,
            answers: Some(&tools),
            bounds: Bounds {
                timeout,
                ..within.bounds
            },
        };
        let mut turn = speaker.ask_model(asked, &mut sent).await;
        if let TurnStatus::Broken(trouble) = &mut turn.status {
            match tools.unfinished() {
                Some(tool) if trouble.kind == TroubleKind::Timeout => {
                    *trouble = within
                        .course
                        .late(&format!("the tool `{tool}` had not returned"));
                }
                _ => within.course.of_whole(timeout, trouble),
            }
        }
        tools.rename(&mut turn);
        let answered = tools.answered();
        Ok(Heard {
            messages,
            turn,
            answered,
        })
    }
}
