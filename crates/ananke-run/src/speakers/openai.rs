//! Speaks to a chat endpoint, with the prompts that make an agent of it.

use ananke_model::plan::{Clock, KeyHeader, Limits, OpenAiTarget};
use ananke_model::recording::Turn;
use ananke_model::variables::Variables;
use ananke_protocol::agui::{Action, Conversation, last_user_text};
use ananke_protocol::http::{Headers, HttpClient, check_url};
use ananke_protocol::openai::{OpenAiOptions, OpenAiTurn, ToolAnswers, chat_url, run_turn};
use serde_json::{Map, Value};

use super::agui::tools;
use super::http::HttpParts;
use super::prompts::{Known, Now, Template};
use super::{Bounds, Call, Means};
use crate::ids::new_id;
use crate::session::Resolver;

/// A chat endpoint, ready to be talked to.
#[derive(Debug)]
pub(crate) struct OpenAiSpeaker {
    pub(crate) client: HttpClient,
    pub(crate) headers: Headers,
    /// What the requests share; prompts are put in front in every turn.
    pub(crate) options: OpenAiOptions,
    prompts: Prompts,
    limits: Limits,
}

/// A question to the model.
#[derive(Debug)]
pub(super) struct ModelTurn<'a> {
    pub(super) action: Action,
    /// The user's words.
    pub(super) input: &'a str,
    /// Whoever answers the model's calls.
    pub(super) answers: Option<&'a dyn ToolAnswers>,
    pub(super) bounds: Bounds<'a>,
}

/// The messages before the conversation.
#[derive(Clone, Debug)]
pub(super) struct Prompts {
    pub(super) templates: Vec<Template>,
    pub(super) known: Known,
}

impl OpenAiSpeaker {
    /// Resolves a target.
    pub(crate) fn new(chat: &OpenAiTarget, means: &Means<'_>, call: &Call) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let mut options = options(chat, &mut resolver);
        let mut http = HttpParts::resolve(
            &chat.headers,
            &chat.tls,
            chat.connect_timeout_ms,
            &mut resolver,
        );
        let key = chat.key.as_ref().map(|key| resolver.text(key));
        let prompts = prompts(chat, means.variables, call, &mut resolver);
        resolver.finish()?;
        if let Some(key) = key {
            let key = key.trim();
            if key.is_empty() {
                return Err("`key` is empty: leave it out if the endpoint needs none".to_owned());
            }
            match chat.key_header {
                KeyHeader::Bearer => http.put_first("authorization", format!("Bearer {key}")),
                KeyHeader::ApiKey => http.put_first("api-key", key.to_owned()),
                KeyHeader::XApiKey => http.put_first("x-api-key", key.to_owned()),
            }
        }
        options.url = chat_url(&options.url).map_err(|why| format!("host: {why}"))?;
        let needs_tls = check_url(&options.url).map_err(|why| format!("host: {why}"))?;
        Ok(Self {
            headers: http.headers()?,
            client: http.client(needs_tls, means)?,
            options,
            prompts: Prompts {
                known: prompts.known.on_thread(&new_id()),
                ..prompts
            },
            limits: chat.limits,
        })
    }

    /// Says which thread it is, where somebody else decides that.
    pub(super) fn on_thread(mut self, thread_id: &str) -> Self {
        self.prompts.known = self.prompts.known.on_thread(thread_id);
        self
    }

    pub(super) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let input = said(&action);
        let asked = ModelTurn {
            action,
            input: &input,
            answers: None,
            bounds,
        };
        self.ask_model(asked, conversation).await
    }

    /// Asks the model.
    pub(super) async fn ask_model(
        &self,
        asked: ModelTurn<'_>,
        conversation: &mut Conversation,
    ) -> Turn {
        let ModelTurn {
            action,
            input,
            answers,
            bounds,
        } = asked;
        let now = Now {
            input,
            unix_ms: Some(bounds.unix_ms),
        };
        let Prompts { templates, known } = &self.prompts;
        let before = templates.iter();
        let before = before
            .map(|template| template.message(known, now))
            .collect();
        let options = OpenAiOptions {
            before,
            ..self.options.clone()
        };
        let turn = OpenAiTurn {
            client: &self.client,
            options: &options,
            headers: &self.headers,
            action,
            answers,
            clock: Clock::Arrival,
            timeout: bounds.timeout,
            limits: self.limits,
            unix_ms: bounds.unix_ms,
            cancel: bounds.cancel,
        };
        run_turn(&turn, conversation, &mut new_id).await
    }
}

/// Returns the user's words; none if there are none.
pub(super) fn said(action: &Action) -> String {
    match action {
        Action::User(text) => text.clone(),
        Action::Messages(messages) => last_user_text(messages).unwrap_or_default(),
        Action::Connect { .. } | Action::Resume { .. } | Action::Send(_) | Action::Ask(_) => {
            String::new()
        }
    }
}

/// Resolves what the requests share; the URL is still the host.
pub(super) fn options(chat: &OpenAiTarget, resolver: &mut Resolver<'_>) -> OpenAiOptions {
    let parameters = chat.parameters.as_ref().map(|json| resolver.json(json));
    OpenAiOptions {
        url: resolver.text(&chat.host),
        model: resolver.text(&chat.model),
        before: Vec::new(),
        parameters: match parameters {
            Some(Value::Object(parameters)) => parameters,
            _ => Map::new(),
        },
        tools: tools(&chat.tools, resolver),
        stream: chat.stream,
        retries: chat.retries,
    }
}

/// Resolves the prompts of a target, and what they can name.
pub(super) fn prompts(
    chat: &OpenAiTarget,
    variables: &Variables,
    call: &Call,
    resolver: &mut Resolver<'_>,
) -> Prompts {
    let templates = chat.prompts.iter();
    let templates: Vec<Template> = templates
        .map(|prompt| Template::new(prompt, resolver))
        .collect();
    Prompts {
        known: Known::new(call, &chat.facts, variables, &templates),
        templates,
    }
}
