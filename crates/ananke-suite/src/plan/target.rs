//! The target of a test: picked from the config, overridden by the test, defaults filled in.

use std::path::Path;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;
use ananke_model::plan::{
    AguiTarget, Clock, Encoding, Envelope, Era, History, Limits, Protocol, Target, Tls,
};
use ananke_model::variables::Variables;

use crate::parse::{ConfigFile, Found, TargetSpec};

/// The config's target that a test begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked<'a> {
    /// Its name under `targets`.
    pub(super) name: Option<&'a str>,
    /// As written.
    pub(super) spec: &'a TargetSpec,
}

/// Picks the target of a test: what the test names, else what `--target` names, else the only one.
/// `None` if there is none, which is then reported.
pub(super) fn pick<'a>(
    config: &'a ConfigFile,
    wanted: Option<&Text>,
    flag: Option<&str>,
    found: &mut Found,
) -> Option<Picked<'a>> {
    if let Some(wanted) = wanted {
        let report = |message| Diagnostic::error(&wanted.place, message);
        return named(config, &wanted.text, report, found);
    }
    if let Some(flag) = flag {
        let report = |message| Diagnostic::error_anywhere(format!("--target: {message}"));
        return named(config, flag, report, found);
    }
    match (&config.target, config.targets.as_slice()) {
        (Some(spec), _) => Some(Picked { name: None, spec }),
        (None, [(name, spec)]) => spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        }),
        // Neither of them could be read, and a diagnostic says so.
        (None, []) => None,
        (None, targets) => {
            let names = target_names(targets);
            found.push(
                Diagnostic::error_anywhere("the config has several targets and none was picked")
                    .hint(format!(
                        "pick one with `--target`, or with `target: <name>` in the test: {names}"
                    )),
            );
            None
        }
    }
}

fn named<'a>(
    config: &'a ConfigFile,
    wanted: &str,
    report: impl Fn(String) -> Diagnostic,
    found: &mut Found,
) -> Option<Picked<'a>> {
    let known = config.targets.iter().find(|(name, _)| name.text == wanted);
    if let Some((name, spec)) = known {
        return spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        });
    }
    let diagnostic = report(format!("unknown target `{wanted}`"));
    let names = config.targets.iter().map(|(name, _)| name.text.as_str());
    found.push(if config.targets.is_empty() {
        diagnostic
            .hint("the config has one `target` without a name; write it under `targets` to name it")
    } else if let Some(word) = did_you_mean(wanted, names) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else {
        diagnostic.hint(format!("the config has {}", target_names(&config.targets)))
    });
    None
}

fn target_names(targets: &[(Text, Option<TargetSpec>)]) -> String {
    let names: Vec<_> = targets
        .iter()
        .map(|(name, _)| format!("`{}`", name.text))
        .collect();
    names.join(", ")
}

/// Lays `over` on `base`: headers by name, everything else as a whole.
pub(super) fn merge(base: &TargetSpec, over: &TargetSpec) -> TargetSpec {
    let mut headers = base.headers.clone();
    headers.retain(|(name, _)| {
        let is_same = |(new, _): &(Text, Text)| new.text.eq_ignore_ascii_case(&name.text);
        !over.headers.iter().any(is_same)
    });
    headers.extend(over.headers.iter().cloned());
    TargetSpec {
        place: base.place.clone(),
        kind: over.kind.or(base.kind),
        endpoint: over.endpoint.clone().or_else(|| base.endpoint.clone()),
        agent_id: over.agent_id.clone().or_else(|| base.agent_id.clone()),
        thread_id: over.thread_id.clone().or_else(|| base.thread_id.clone()),
        headers,
        timeout_ms: over.timeout_ms.or(base.timeout_ms),
        connect_timeout_ms: over.connect_timeout_ms.or(base.connect_timeout_ms),
        // Blocks are not replaced but inherited, one after the other.
        assert: None,
        forwarded_props: over
            .forwarded_props
            .clone()
            .or_else(|| base.forwarded_props.clone()),
        state: over.state.clone().or_else(|| base.state.clone()),
        context: over.context.clone().or_else(|| base.context.clone()),
        tools: over.tools.clone().or_else(|| base.tools.clone()),
        envelope: over.envelope.clone().or_else(|| base.envelope.clone()),
        history: over.history.or(base.history),
        era: over.era.or(base.era),
        encoding: over.encoding.or(base.encoding),
        clock: over.clock.or(base.clock),
        tls_ca: over.tls_ca.clone().or_else(|| base.tls_ca.clone()),
        tls_insecure: over.tls_insecure.or(base.tls_insecure),
        event_bytes: over.event_bytes.or(base.event_bytes),
        turn_bytes: over.turn_bytes.or(base.turn_bytes),
        concurrency: over.concurrency.or(base.concurrency),
        group: over.group.clone().or_else(|| base.group.clone()),
        backoff_ms: over.backoff_ms.or(base.backoff_ms),
        refused: [base.refused.as_slice(), &over.refused].concat(),
    }
}

/// Fills in the defaults. `None` if the target is incomplete, which the caller reports.
pub(super) fn complete(
    spec: &TargetSpec,
    name: Option<&str>,
    timeout_ms: Option<u64>,
    found: &mut Found,
) -> Option<Target> {
    spec.kind?;
    if let Some((place, Envelope::CopilotKit | Envelope::CopilotKitRest)) = &spec.envelope
        && spec.agent_id.is_none()
    {
        found.push(
            Diagnostic::error(
                place,
                "this envelope sends `agentId`, which the target has not",
            )
            .hint("write `agentId: my-agent` in the target"),
        );
    }
    let target = AguiTarget {
        endpoint: spec.endpoint.clone()?,
        agent_id: spec.agent_id.clone(),
        thread_id: spec.thread_id.clone(),
        headers: spec
            .headers
            .iter()
            .map(|(name, value)| (name.text.clone(), value.clone()))
            .collect(),
        timeout_ms: timeout_ms.or(spec.timeout_ms).unwrap_or(120_000),
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(10_000),
        envelope: spec
            .envelope
            .as_ref()
            .map_or(Envelope::Plain, |(_, envelope)| *envelope),
        history: spec.history.unwrap_or(History::Full),
        era: spec.era.unwrap_or(Era::V1),
        encoding: spec.encoding.unwrap_or(Encoding::Sse),
        clock: spec.clock.unwrap_or(Clock::Arrival),
        forwarded_props: spec.forwarded_props.clone(),
        state: spec.state.clone(),
        context: spec.context.clone().unwrap_or_default(),
        tools: spec.tools.clone().unwrap_or_default(),
        tls: Tls {
            ca: spec.tls_ca.clone(),
            insecure: spec.tls_insecure.unwrap_or(false),
        },
        limits: Limits {
            event_bytes: spec.event_bytes.unwrap_or(16 << 20),
            turn_bytes: spec.turn_bytes.unwrap_or(256 << 20),
        },
    };
    Some(Target {
        name: name.map(ToOwned::to_owned),
        place: spec.place.clone(),
        protocol: Protocol::Agui(Box::new(target)),
        concurrency: spec.concurrency,
        group: spec.group.as_ref().map(|group| group.text.clone()),
        backoff_ms: spec.backoff_ms,
    })
}

/// Checks that the file of certificate authorities is there, as far as its name is known before the hooks.
pub(super) fn check_ca(target: &Target, root: &Path, variables: &Variables, found: &mut Found) {
    let Protocol::Agui(agui) = &target.protocol;
    let Some(ca) = &agui.tls.ca else { return };
    if let Ok(path) = variables.text(&ca.text)
        && !root.join(&path).is_file()
    {
        found.push(
            Diagnostic::error(&ca.place, format!("there is no file `{path}`"))
                .label("expected a PEM file of certificate authorities")
                .hint("the path is relative to the folder of the config"),
        );
    }
}
