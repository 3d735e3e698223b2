//! `ananke serve`: an agent that answers from a recording or from a script, for front ends, demos and tests.

use std::fs::File;
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ananke_serve::agent::{About, Agent, Received, ScriptAgent, Toolbox};
use ananke_serve::engine::{Action, Reply};
use ananke_serve::http::Origins;
use ananke_serve::input::RunInput;
use ananke_serve::recorded::{Ambiguity, RecordedAgent};
use ananke_serve::script::Script;
use ananke_serve::spawn::RunningAgent;
use ananke_store::Ending;
use clap::Args;
use serde_json::Value;

use super::find_bundle::PlaceArgs;
use super::pipeline::runtime;
use super::serve_stdio::serve_stdio;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::signals::Signals;
use crate::ui::Ui;

/// How much of a message is shown.
const MAX_SHOWN: usize = 80;
/// How many conversations with several recordings are named.
const MAX_AMBIGUITIES: usize = 5;

/// Serve a recorded or scripted agent, until Ctrl-C
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ananke serve agent.script.yaml --port 8000    an agent that follows a script
  ananke serve latest                           what the agents of the last run said, again
  ananke serve latest --instant                 the same without the pauses
  ananke serve agent.script.yaml --stdio        an MCP server for whoever starts it

The agent speaks three protocols on one port: AG-UI on any path (CopilotKit's envelopes are understood), A2A with its card
at /.well-known/agent-card.json, and MCP at /mcp. The first line on stdout is the address; with --stdio, stdin and stdout
carry MCP and nothing else.")]
pub(crate) struct ServeArgs {
    /// A script (*.yaml), a bundle, the name of a run, or `latest`
    #[arg(value_name = "SCRIPT|BUNDLE")]
    source: String,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value = "0", env = "ANANKE_PORT")]
    port: u16,
    /// The address to listen on; any but a loopback address lets others in
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), env = "ANANKE_HOST")]
    host: IpAddr,
    /// Let web pages of this origin, such as `http://localhost:3000`, read the answers; `*` for all; may be repeated
    #[arg(
        long = "allow-origin",
        value_name = "ORIGIN",
        env = "ANANKE_ALLOW_ORIGIN",
        value_delimiter = ','
    )]
    origins: Vec<String>,
    /// Leave out the pauses of the recording or the script
    #[arg(long, env = "ANANKE_INSTANT", value_parser = parse_switch)]
    instant: bool,
    /// Speak MCP on stdin and stdout, and listen on no port
    #[arg(long, env = "ANANKE_STDIO", value_parser = parse_switch, conflicts_with_all = ["port", "host", "origins"])]
    stdio: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Serves an agent.
pub(crate) fn serve(
    args: &ServeArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let path = environment.cwd.join(&args.source);
    let agent: Arc<dyn Agent> = if is_script(&path) {
        match scripted(&path, &args.source, ui)? {
            Some(agent) => Arc::new(agent),
            None => return Ok(Exit::Configuration),
        }
    } else {
        Arc::new(recorded(args, environment, ui)?)
    };
    let agent = Served {
        agent,
        instant: args.instant,
        log: (ui.verbose > 0).then(|| ui.clone()),
    };
    if args.stdio {
        return runtime(1)?.block_on(serve_stdio(Arc::new(agent)));
    }
    runtime(1)?.block_on(run(args, Arc::new(agent), ui))
}

/// Tells a script from a bundle: by its name, or else by its first bytes.
fn is_script(path: &Path) -> bool {
    const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("yaml" | "yml") => true,
        Some("zst") => false,
        _ => path.is_file() && beginning(path).is_ok_and(|bytes| bytes != ZSTD_MAGIC),
    }
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a script; `None` if it has mistakes, which are then shown.
fn scripted(path: &Path, shown: &str, ui: &Ui) -> Result<Option<ScriptAgent>, CommandError> {
    let loaded = ananke_suite::load_script(path, shown);
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    let Some(script) = loaded.script else {
        return Ok(None);
    };
    let script: Script = serde_json::from_value(script).map_err(|error| {
        let message = format!("`{shown}` cannot be played: {error}");
        CommandError::new(Exit::Configuration, message)
    })?;
    Ok(Some(ScriptAgent::new(script)))
}

fn recorded(
    args: &ServeArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<RecordedAgent, CommandError> {
    let name = &args.source;
    let bundle = args.place.place(environment).read(name)?;
    if let Ending::Cut { reason } = &bundle.ending {
        ui.warning(&format!("the bundle is incomplete: {reason}"), &[]);
    }
    let n_tests = bundle.results.len();
    let mut agent = RecordedAgent::new(&bundle.results);
    if args.instant {
        agent = agent.without_pauses();
    }
    if agent.n_exchanges() == 0 {
        let message = format!("nothing is recorded in `{name}`: none of its tests sent a request");
        return Err(CommandError::new(Exit::Configuration, message));
    }
    if !ui.quiet {
        ui.talk(&format!(
            "{} of {} recorded\n",
            count(agent.n_exchanges(), "request"),
            count(n_tests, "test")
        ));
    }
    warn_of_ambiguities(&agent.ambiguities(), ui);
    Ok(agent)
}

/// Says which conversations were recorded several times: a test may get the recording of another.
fn warn_of_ambiguities(ambiguities: &[Ambiguity], ui: &Ui) {
    let (verb, n) = match ambiguities.len() {
        0 => return,
        1 => ("has", 1),
        n => ("have", n),
    };
    let message = format!(
        "{} {verb} several recordings that differ: they take turns",
        count(n, "conversation")
    );
    let shown = ambiguities.iter().take(MAX_AMBIGUITIES);
    let mut details: Vec<String> = shown
        .map(|ambiguity| {
            let message: String = ambiguity.message.chars().take(MAX_SHOWN).collect();
            format!("`{message}` in {}", ambiguity.tests.join(", "))
        })
        .collect();
    if n > MAX_AMBIGUITIES {
        details.push(format!("and {} more", n - MAX_AMBIGUITIES));
    }
    if ambiguities.iter().any(|a| a.has_several_targets) {
        let hint =
            "a request whose path holds the name of a target gets the recordings of that target";
        details.push(hint.to_owned());
    }
    ui.warning(&message, &details);
}

fn count(n: usize, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

async fn run(args: &ServeArgs, agent: Arc<dyn Agent>, ui: &Ui) -> Result<Exit, CommandError> {
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let signals =
        Signals::listen().map_err(|error| trouble(format!("signals cannot be heard: {error}")))?;
    let running = RunningAgent::start_at(
        agent,
        SocketAddr::new(args.host, args.port),
        Origins(args.origins.clone()),
    )
    .await;
    let running = running.map_err(|error| {
        let message = format!("cannot listen on {} port {}: {error}", args.host, args.port);
        trouble(message).hint("leave out --port to get a free one")
    })?;
    if !args.host.is_loopback() {
        let message = format!(
            "{} lets every machine that reaches this one talk to the agent",
            args.host
        );
        ui.warning(&message, &[]);
    }
    if !ui.quiet {
        ui.talk(&faces(&running.url));
    }
    // Last, because whoever waits for this line may stop reading then.
    ui.out(&format!("{}\n", running.url));
    signals.cancel.cancelled().await;
    running.stop().await;
    Ok(signals.stop().map_or(Exit::Passed, Exit::Stopped))
}

/// Says where the agent speaks which protocol.
pub(super) fn faces(url: &str) -> String {
    let url = url.trim_end_matches('/');
    format!("AG-UI: {url}/\nA2A:   {url}/.well-known/agent-card.json\nMCP:   {url}/mcp\n")
}

/// An agent with what the flags ask for.
#[derive(Debug)]
struct Served {
    agent: Arc<dyn Agent>,
    instant: bool,
    /// Where requests are logged.
    log: Option<Ui>,
}

impl Served {
    fn paced(&self, mut reply: Reply) -> Reply {
        if self.instant {
            match &mut reply {
                Reply::Http(reply) => reply.after = Duration::ZERO,
                Reply::Stream(actions) => {
                    actions.retain(|action| !matches!(action, Action::Wait(_)));
                }
            }
        }
        reply
    }
}

impl Agent for Served {
    fn reply(&self, input: &RunInput) -> Reply {
        self.paced(self.agent.reply(input))
    }

    fn connect(&self, input: &RunInput) -> Option<Reply> {
        self.agent.connect(input).map(|reply| self.paced(reply))
    }

    fn about(&self) -> About {
        self.agent.about()
    }

    fn toolbox(&self) -> Option<&dyn Toolbox> {
        self.agent.toolbox()
    }

    fn recordings(&self) -> Option<&RecordedAgent> {
        self.agent.recordings()
    }

    fn observe(&self, request: &Received) {
        self.agent.observe(request);
        if let Some(ui) = &self.log {
            ui.talk(&format!("{}\n", ananke_report::escape(&line(request))));
        }
    }
}

/// Returns a request as one line: path, thread, what is new in it.
fn line(request: &Received) -> String {
    if request.body["jsonrpc"] == "2.0" || request.body["message"].is_object() {
        return rpc_line(request);
    }
    let body = request.body.get("body").unwrap_or(&request.body);
    let method = request.body.get("method").and_then(Value::as_str);
    let thread = body.get("threadId").and_then(Value::as_str);
    let input: Option<RunInput> = serde_json::from_value(body.clone()).ok();
    let words = [
        Some("POST".to_owned()),
        Some(request.path.clone()),
        method.map(str::to_owned),
        thread.map(|thread| format!("thread {thread}")),
        input.map(|input| news(&input)),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns a request of A2A or MCP as one line: path, method, what is asked.
fn rpc_line(request: &Received) -> String {
    let body = &request.body;
    let params = body.get("params").unwrap_or(body);
    let parts = params.pointer("/message/parts").and_then(Value::as_array);
    let texts = parts.into_iter().flatten();
    let said: String = texts.filter_map(|part| part["text"].as_str()).collect();
    let asked = match (parts, params["name"].as_str().or(params["uri"].as_str())) {
        (Some(_), _) => Some(format!("user: {said}")),
        (None, Some(name)) => {
            let arguments = params.get("arguments").map(Value::to_string);
            Some(format!("{name} {}", arguments.unwrap_or_default()))
        }
        (None, None) => None,
    };
    let asked = asked.map(|asked| asked.chars().take(MAX_SHOWN).collect::<String>());
    let words = [
        Some("POST".to_owned()),
        Some(request.path.clone()),
        body["method"].as_str().map(str::to_owned),
        asked.map(|asked| asked.trim_end().to_owned()),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns what is new in a request: an answer to an interrupt, a message, or nothing for those who attach to a thread.
fn news(input: &RunInput) -> String {
    let (what, content) = match (&input.resume, input.messages.last()) {
        (Some(answers), _) if input.has_resume() => {
            let answers = answers
                .iter()
                .map(|answer| format!("{} {}", answer.status, answer.payload));
            ("resume", answers.collect::<Vec<_>>().join(", "))
        }
        (_, Some(last)) if last.role != "assistant" => (last.role.as_str(), last.text()),
        _ => return "connect".to_owned(),
    };
    let shown: String = content.chars().take(MAX_SHOWN).collect();
    format!("{what}: {shown}")
}
