//! From a setup as written to one that can be used: references get their values. No value is ever shown.

use std::collections::BTreeMap;
use std::path::Path;

use ananke_model::conformance::{
    ConformSetup, InterruptScenario, OfferedFrontendTool, ScenarioPlan, ScenarioSetup,
};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::ClientTool;
use ananke_model::sensitive::{SecretHolder, Sensitive};
use ananke_model::variables::{Piece, Scope, Variables, pieces, strings};
use serde_json::{Value, json};

use crate::parse::{ConformSpec, Found, ScenarioSpec};
use crate::plan::{header_problem, url_problem};

/// Puts values in place of references. What has none is reported, and stays empty.
pub(super) fn resolve(
    spec: &ConformSpec,
    folder: &Path,
    variables: &Variables,
    found: &mut Found,
) -> ConformSetup {
    let mut values = Values { variables, found };
    let url = spec.url.as_ref().and_then(|url| values.url(url));
    let headers = spec.headers.iter();
    let headers = headers.filter_map(|(name, value)| values.header(name, value));
    let headers = headers.collect();
    let capabilities = spec.capabilities.as_ref();
    let capabilities = capabilities.and_then(|text| values.text(text));
    let scenarios = spec.scenarios.iter().map(|(name, scenario)| {
        let setup = match scenario {
            Some(scenario) => values.scenario(scenario),
            None => ScenarioSetup {
                is_off: true,
                ..ScenarioSetup::default()
            },
        };
        ((*name).to_owned(), setup)
    });
    let given: BTreeMap<String, ScenarioSetup> = scenarios.collect();
    let rules = spec.rules.iter();
    ConformSetup {
        url,
        headers,
        profile: spec.profile.map(str::to_owned),
        capabilities: capabilities.map(|named| beside(&named, folder)),
        forwarded_props: values.maybe_json(spec.forwarded_props.as_ref()),
        scenarios: ScenarioPlan { given },
        rules: rules
            .map(|(rule, severity)| (rule.text.clone(), *severity))
            .collect(),
    }
}

/// Returns what may hold secrets.
pub(super) fn sensitive(spec: &ConformSpec) -> Vec<Sensitive> {
    let url = spec.url.iter().map(|url| Sensitive {
        holder: SecretHolder::Url,
        text: url.clone(),
    });
    let headers = spec.headers.iter().map(|(name, value)| Sensitive {
        holder: SecretHolder::Header(name.text.clone()),
        text: value.clone(),
    });
    url.chain(headers).collect()
}

/// Returns a URL as it is, and a file as seen from the folder of the setup.
fn beside(named: &str, folder: &Path) -> String {
    if named.contains("://") {
        return named.to_owned();
    }
    folder.join(named).to_string_lossy().into_owned()
}

struct Values<'a> {
    variables: &'a Variables,
    found: &'a mut Found,
}

impl Values<'_> {
    fn url(&mut self, url: &Text) -> Option<String> {
        let resolved = self.text(url)?;
        match url_problem(&resolved) {
            Some(problem) => {
                let message = "`url` is not an http or https URL";
                let diagnostic = Diagnostic::error(&url.place, message).label(problem);
                self.found.push(diagnostic);
                None
            }
            None => Some(resolved),
        }
    }

    fn header(&mut self, name: &Text, value: &Text) -> Option<(String, String)> {
        let resolved = self.text(value)?;
        match header_problem(&resolved) {
            Some(problem) => {
                let message = format!("the header `{}` cannot have this value", name.text);
                let diagnostic = Diagnostic::error(&value.place, message).label(problem);
                self.found.push(diagnostic);
                None
            }
            None => Some((name.text.clone(), resolved)),
        }
    }

    fn scenario(&mut self, spec: &ScenarioSpec) -> ScenarioSetup {
        ScenarioSetup {
            is_off: false,
            prompts: self.texts(&spec.prompts),
            before: self.texts(&spec.before),
            tools: spec
                .tools
                .iter()
                .filter_map(|tool| self.tool(tool))
                .collect(),
            state: self.maybe_json(spec.state.as_ref()),
            interrupt: InterruptScenario {
                resolve: self.maybe_json(spec.resolve.as_ref()),
                wrong: self.maybe_json(spec.wrong.as_ref()),
            },
            after_events: spec.after_events,
            tool: spec.tool.as_ref().and_then(|tool| self.text(tool)),
            args: self.maybe_json(spec.args.as_ref()),
        }
    }

    fn tool(&mut self, tool: &ClientTool) -> Option<OfferedFrontendTool> {
        let parameters = self.maybe_json(tool.parameters.as_ref());
        let result = self.maybe_json(tool.result.as_ref());
        Some(OfferedFrontendTool {
            name: self.text(&tool.name)?,
            description: self.text(&tool.description)?,
            parameters: parameters.unwrap_or_else(|| json!({"type": "object"})),
            result: result.unwrap_or_else(|| json!({"ok": true})),
        })
    }

    fn texts(&mut self, texts: &[Text]) -> Vec<String> {
        texts.iter().filter_map(|text| self.text(text)).collect()
    }

    fn text(&mut self, text: &Text) -> Option<String> {
        self.check(&text.text, &text.place);
        self.variables.text(&text.text).ok()
    }

    fn maybe_json(&mut self, json: Option<&Json>) -> Option<Value> {
        let json = json?;
        for text in strings(&json.value) {
            self.check(text, &json.place);
        }
        self.variables.json(&json.value).ok()
    }

    /// Reports references without a value. Malformed ones were reported when the file was parsed.
    fn check(&mut self, text: &str, place: &Place) {
        for piece in pieces(text) {
            let Piece::Reference(reference) = piece else {
                continue;
            };
            if self.variables.get(&reference).is_some() {
                continue;
            }
            let (shown, name) = (reference.shown(), reference.name);
            let (label, give) = match reference.scope {
                Scope::Environment => (
                    format!("the environment has no `{name}`"),
                    format!("set `{name}`"),
                ),
                Scope::Variable => (
                    String::new(),
                    format!(
                        "give it with `--var {name}=…`, write `${{ENV.{name}}}` for what the environment has"
                    ),
                ),
            };
            let hint = format!("{give}, or write a default: `${{{shown}:-…}}`");
            let message = format!("`${{{shown}}}` has no value");
            let diagnostic = Diagnostic::error(place, message).label(label).hint(hint);
            self.found.push(diagnostic);
        }
    }
}
