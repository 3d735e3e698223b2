//! A small language for recordings, so that tests are text in, text out.
//!
//! ```text
//! turn 100 events 1000..1100                  a turn of 100 ms, judged by event timestamps
//! connect 100                                 an `agui:connect` turn
//! say some text
//! #id search({"q":1}) -> {"ok":true} @10..30  a call from 10 to 30 ms
//! restreamed search({})                       words before the name: `restreamed`, `snapshot`
//! late id -> result                           a result for a call of an earlier turn
//! error message / code
//! broken reason
//! finding V8 3 message
//! task submitted working completed            the states of the turn's task; without states, a message was the answer
//! refused message                             what the agent or its server said went wrong, beside `task`
//! artifact invoice Total: 42                  an artifact with a name and text
//! holds {"total":42}                          data in the artifact above
//! card {"skills":[]}
//! silent reason                               why calls cannot be seen
//! unstreamed                                  the answer came as a whole
//! gives {"total":42}                          the answer as data
//! ```

use std::fmt::Write as _;
use std::sync::Arc;

use ananke_model::check::{
    ArgPattern, Block, CallFilter, Check, Count, Demand, JsonType, Level, Origin, OutputCheck,
    OutputCheckKind, Require, ToolCalled, ToolResult,
};
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::Clock;
use ananke_model::recording::{
    Artifact, CallEventClock, ErrorLayer, EventLog, Finding, LateResult, Spoken, StateChange,
    TaskError, TaskRecord, ToolCall, Trouble, TroubleKind, Turn, TurnStatus, TurnTiming,
};
use ananke_model::result::CheckResult;
use ananke_model::task_check::{Capability, RequiredArtifact, TaskCheck};
use ananke_model::variables::Variables;
use serde_json::{Value, json};

/// Judges one turn by one check and returns the result as text.
pub(crate) fn judge_turn(check: impl Into<Check>, turn: &str) -> String {
    let turns = turns(turn);
    assert_eq!(turns.len(), 1, "one turn is judged");
    compiled(check, |block| shown(&block.judge_turn(&turns[0])))
}

/// Judges several turns by one check and returns the result as text.
pub(crate) fn judge_test(check: impl Into<Check>, test: &str) -> String {
    compiled(check, |block| shown(&block.judge_test(&turns(test))))
}

fn compiled(check: impl Into<Check>, judge: impl Fn(&crate::CompiledBlock) -> String) -> String {
    match crate::compile(&block([check.into()]), &variables()) {
        Ok(block) => judge(&block),
        Err(diagnostics) => diagnostics
            .iter()
            .map(|diagnostic| format!("{}: {}\n", diagnostic.message, diagnostic.label))
            .collect(),
    }
}

/// Returns the values that references in tests have.
pub(crate) fn variables() -> Variables {
    let values = json!({"DOTS": "a.c", "SLASHES": "/a/i", "ORDER": 42, "KEY": "query"});
    Variables {
        variables: values.as_object().unwrap().clone(),
        ..Variables::default()
    }
}

pub(crate) fn shown(results: &[CheckResult]) -> String {
    let mut out = String::new();
    for result in results {
        let event = match result.event {
            Some(event) => format!(" (event {event})"),
            None => String::new(),
        };
        writeln!(
            out,
            "{:?} {} {}{event}\nexpected {}\nactual {}",
            result.outcome, result.check, result.subject, result.expected, result.actual
        )
        .unwrap();
        for line in &result.details {
            writeln!(out, "- {line}").unwrap();
        }
    }
    out
}

/// Returns a block of checks, all written at the same place.
pub(crate) fn block(checks: impl IntoIterator<Item = Check>) -> Block {
    let demand = |check| Demand {
        check,
        origin: Origin {
            level: Level::Turn,
            named: None,
            place: Place::file("a.test.yaml"),
        },
    };
    Block {
        demands: checks.into_iter().map(demand).collect(),
    }
}

/// Returns a text that a user wrote.
pub(crate) fn text(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        place: Place::file("a.test.yaml"),
    }
}

pub(crate) fn forbid(name: &str) -> Check {
    Check::Forbid(text(name))
}

pub(crate) fn must_match(pattern: &str) -> Check {
    Check::MustMatch(text(pattern))
}

pub(crate) fn must_not_match(pattern: &str) -> Check {
    Check::MustNotMatch(text(pattern))
}

pub(crate) fn max_duration(limit_ms: u64) -> Check {
    Check::MaxDuration(limit_ms)
}

pub(crate) fn max_idle(limit_ms: u64) -> Check {
    Check::MaxIdle(limit_ms)
}

pub(crate) fn expect_error(pattern: &str) -> Check {
    Check::Error(text(pattern))
}

pub(crate) fn strict() -> Check {
    Check::ProtocolStrict
}

pub(crate) fn task_state(states: &[&str]) -> Check {
    let states = states.iter().map(|state| (*state).to_owned());
    task(TaskCheck::State(states.collect()))
}

pub(crate) fn task(check: TaskCheck) -> Check {
    Check::Task(Box::new(check))
}

/// Reads `artifacts.require`, written as in a test.
pub(crate) fn artifact(source: &str) -> Check {
    let written: Value = serde_json::from_str(source).unwrap();
    let text_at = |key: &str| Some(text(written.get(key)?.as_str().unwrap()));
    let data = written["data_match"].as_object().into_iter().flatten();
    let number = |key: &str| written["count"][key].as_u64();
    task(TaskCheck::Artifact(RequiredArtifact {
        name: text_at("name"),
        text_match: text_at("text_match"),
        data_match: data
            .map(|(path, pattern)| arg_pattern(path, pattern.as_str().unwrap()))
            .collect(),
        count: Count {
            min: number("min").unwrap_or(1),
            max: number("max"),
        },
    }))
}

pub(crate) fn capability(name: &str, wanted: bool) -> Check {
    task(TaskCheck::Capability(Capability {
        name: name.to_owned(),
        wanted,
    }))
}

pub(crate) fn card_match(path: &str, pattern: &str) -> Check {
    task(TaskCheck::Card(arg_pattern(path, pattern)))
}

pub(crate) fn require(name: &str) -> CallsCheck {
    CallsCheck {
        is_required: true,
        ..forbid_calls(name)
    }
}

pub(crate) fn forbid_calls(name: &str) -> CallsCheck {
    CallsCheck {
        is_required: false,
        filter: CallFilter {
            name: text(name),
            args_match: Vec::new(),
            args_not_match: Vec::new(),
            result_match: None,
            result_not_match: None,
        },
        count: Count::default(),
        after: None,
    }
}

/// `tools.require` or `tools.forbid_calls` in the making.
pub(crate) struct CallsCheck {
    is_required: bool,
    filter: CallFilter,
    count: Count,
    after: Option<Text>,
}

impl CallsCheck {
    pub(crate) fn arg(mut self, path: &str, pattern: &str) -> Self {
        self.filter.args_match.push(arg_pattern(path, pattern));
        self
    }

    pub(crate) fn arg_not(mut self, path: &str, pattern: &str) -> Self {
        self.filter.args_not_match.push(arg_pattern(path, pattern));
        self
    }

    pub(crate) fn result(mut self, pattern: &str) -> Self {
        self.filter.result_match = Some(text(pattern));
        self
    }

    pub(crate) fn result_not(mut self, pattern: &str) -> Self {
        self.filter.result_not_match = Some(text(pattern));
        self
    }

    pub(crate) fn count(mut self, min: u64, max: Option<u64>) -> Self {
        self.count = Count { min, max };
        self
    }

    pub(crate) fn after(mut self, name: &str) -> Self {
        self.after = Some(text(name));
        self
    }
}

impl From<CallsCheck> for Check {
    fn from(check: CallsCheck) -> Self {
        if check.is_required {
            Self::Require(Require {
                filter: check.filter,
                count: check.count,
                after: check.after,
            })
        } else {
            Self::ForbidCall(check.filter)
        }
    }
}

fn arg_pattern(path: &str, pattern: &str) -> ArgPattern {
    ArgPattern {
        path: text(path),
        pattern: text(pattern),
    }
}

/// Reads a check on the output, written as in a case.
pub(crate) fn output(source: &str) -> Check {
    let written: Value = serde_json::from_str(source).unwrap();
    let json = |value: &Value| Json {
        value: value.clone(),
        place: Place::file("a.test.yaml"),
    };
    let at = |key: &str| written.get(key);
    let text_at = |key: &str| at(key).map(|value| text(value.as_str().unwrap()));
    let value = at("value").map(json);
    let kind = match written["type"].as_str().unwrap() {
        "equals" => OutputCheckKind::Equals(value.clone().unwrap()),
        "contains" => OutputCheckKind::Contains(value.clone().unwrap()),
        "not_contains" => OutputCheckKind::NotContains(value.clone().unwrap()),
        "regex" => OutputCheckKind::Regex(text_at("value").unwrap()),
        "json_path" => OutputCheckKind::JsonPath(value.clone()),
        "type" => {
            let word = written["value"].clone();
            OutputCheckKind::Type(serde_json::from_value::<JsonType>(word).unwrap())
        }
        "tool_called" => OutputCheckKind::ToolCalled(ToolCalled {
            names: match &written["name"] {
                Value::Array(names) => names.iter().map(|n| text(n.as_str().unwrap())).collect(),
                name => vec![text(name.as_str().unwrap())],
            },
            arguments: at("arguments").map(json),
        }),
        "tool_result" => OutputCheckKind::ToolResult(ToolResult {
            tool: text_at("tool").unwrap(),
            result: at("result").map(json),
        }),
        other => panic!("unknown type {other}"),
    };
    Check::Output(Box::new(OutputCheck {
        kind,
        path: text_at("path"),
        negate: at("negate").is_some_and(|negate| negate.as_bool().unwrap()),
        message: text_at("message"),
        value,
    }))
}

/// Reads turns; lines before the first `turn` belong to a turn of 100 ms.
pub(crate) fn turns(source: &str) -> Vec<Turn> {
    let mut turns = Vec::new();
    for line in source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        read_line(line, &mut turns);
    }
    if turns.is_empty() {
        turns.push(new_turn("user", ""));
    }
    turns
}

fn read_line(line: &str, turns: &mut Vec<Turn>) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "turn" => return turns.push(new_turn("user", rest)),
        "connect" => return turns.push(new_turn("agui:connect", rest)),
        _ => {}
    }
    if turns.is_empty() {
        turns.push(new_turn("user", ""));
    }
    let turn = turns.last_mut().unwrap();
    match word {
        "say" => turn.text.push_str(rest),
        "late" => {
            let (id, result) = rest.split_once(" -> ").unwrap();
            turn.late_results.push(LateResult {
                id: id.to_owned(),
                result: result.to_owned(),
            });
        }
        "error" => {
            let (message, code) = match rest.split_once(" / ") {
                Some((message, code)) => (message, Some(code.to_owned())),
                None => (rest, None),
            };
            turn.status = TurnStatus::RunError {
                message: message.to_owned(),
                code,
            };
        }
        "broken" => {
            turn.status = TurnStatus::Broken(Trouble {
                kind: TroubleKind::Truncated,
                message: rest.to_owned(),
                refusal: None,
            });
        }
        "task" => {
            let change = |(index, state): (usize, &str)| StateChange {
                state: state.to_owned(),
                at_us: u64::try_from(index).unwrap() * 1000,
                timestamp: None,
            };
            let task = task_of(turn);
            task.states = rest.split_whitespace().enumerate().map(change).collect();
            task.state = task.states.last().map(|last| last.state.clone());
            task.id = task.state.as_ref().map(|_| "task-1".to_owned());
        }
        "refused" => {
            task_of(turn).error = Some(TaskError {
                layer: ErrorLayer::Protocol,
                code: None,
                message: rest.to_owned(),
            });
        }
        "artifact" => {
            let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
            let task = task_of(turn);
            let parts = match text {
                "" => Vec::new(),
                text => vec![json!({"text": text})],
            };
            task.artifacts.push(Artifact {
                id: format!("artifact-{}", task.artifacts.len()),
                name: (name != "-").then(|| name.to_owned()),
                parts,
                ..Artifact::default()
            });
        }
        "holds" => {
            let data: Value = serde_json::from_str(rest).unwrap();
            let artifact = task_of(turn).artifacts.last_mut().unwrap();
            artifact.parts.push(json!({"data": data}));
        }
        "card" => task_of(turn).card = Some(Arc::new(serde_json::from_str(rest).unwrap())),
        "silent" => task_of(turn).no_calls_because = Some(rest.to_owned()),
        "unstreamed" => task_of(turn).spoken = Some(Spoken::default()),
        "gives" => turn.data = serde_json::from_str(rest).unwrap(),
        "finding" => {
            let mut words = rest.splitn(3, ' ');
            turn.findings.push(Finding {
                rule: words.next().unwrap().to_owned(),
                event: words.next().unwrap().parse().unwrap(),
                message: words.next().unwrap().to_owned(),
            });
        }
        _ => {
            let number = turn.tool_calls.len();
            turn.tool_calls.push(tool_call(line, number));
        }
    }
}

fn task_of(turn: &mut Turn) -> &mut TaskRecord {
    turn.task.get_or_insert_default()
}

fn new_turn(kind: &str, line: &str) -> Turn {
    let (total, clock) = line.split_once("events").unwrap_or((line, ""));
    let total = total.trim();
    let clock = clock.trim();
    Turn {
        kind: kind.to_owned(),
        user: None,
        requests: Vec::new(),
        reached: true,
        status: TurnStatus::Finished,
        text: String::new(),
        reasoning: String::new(),
        messages: Vec::new(),
        tool_calls: Vec::new(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: Value::Null,
        server: Value::Null,
        no_calls_because: None,
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming {
            total_us: if total.is_empty() { 100_000 } else { us(total) },
            clock: (!clock.is_empty()).then_some(Clock::Event),
            event_clock: clock
                .split_once("..")
                .map(|(first, last)| (first.parse().unwrap(), last.parse().unwrap())),
            ..TurnTiming::default()
        },
        findings: Vec::new(),
        warnings: Vec::new(),
        events: EventLog::default(),
    }
}

/// Reads `#id words name(args) -> result @start..end events start..end`.
fn tool_call(line: &str, number: usize) -> ToolCall {
    let (line, clock) = match line.split_once(" events ") {
        Some((line, clock)) => (line, clock.split_once("..")),
        None => (line, None),
    };
    let (line, times) = match line.rsplit_once(" @") {
        Some((line, times)) => (line, times.split_once("..")),
        None => (line, None),
    };
    let (line, result) = match line.split_once(" -> ") {
        Some((line, result)) => (line, Some(result)),
        None => (line, None),
    };
    let (head, args) = line.split_once('(').unwrap();
    let args = args.strip_suffix(')').unwrap();
    let words: Vec<&str> = head.split(' ').collect();
    let id = words.iter().find_map(|word| word.strip_prefix('#'));
    let start = u64::try_from(number).unwrap() * 1000;
    let (start, end) = match times {
        Some((start, end)) => (us(start), us(end)),
        None => (start, start),
    };
    ToolCall {
        id: id.map_or_else(|| format!("call-{number}"), str::to_owned),
        name: (*words.last().unwrap()).to_owned(),
        args_text: args.to_owned(),
        args_error: serde_json::from_str::<Value>(args)
            .err()
            .map(|error| error.to_string()),
        result: result.map(str::to_owned),
        error: None,
        started_us: start,
        args_done_us: Some(if result.is_some() { start } else { end }),
        completed_us: result.map(|_| end),
        event_clock: clock.map(|(started, ended)| CallEventClock {
            started: started.parse().unwrap(),
            ended: ended.parse().unwrap(),
        }),
        event: number + 1,
        from_snapshot: words.contains(&"snapshot"),
        restreamed: words.contains(&"restreamed"),
    }
}

fn us(ms: &str) -> u64 {
    let (whole, fraction) = ms.split_once('.').unwrap_or((ms, "0"));
    whole.parse::<u64>().unwrap() * 1000 + format!("{fraction:0<3}").parse::<u64>().unwrap()
}
