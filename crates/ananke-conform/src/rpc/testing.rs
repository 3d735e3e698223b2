//! What the tests of both protocols share: a target, and a case as text.

use std::time::Duration;

use ananke_protocol::http::{HttpOptions, Proxies};

use crate::body::Limits;
use crate::case::Case;
use crate::drive::Target;
use crate::judge::{Settings, judge};
use crate::rule::Profile;

/// Returns a server to ask.
pub(crate) fn target(url: &str) -> Target {
    Target {
        url: url.to_owned(),
        headers: Vec::new(),
        timeout: Duration::from_secs(10),
        limits: Limits::default(),
        http: HttpOptions {
            connect_timeout: Duration::from_secs(5),
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            proxies: Proxies::default(),
        },
        forwarded_props: None,
        profile: Profile::V1,
    }
}

/// Returns what became of scenarios, and what was found.
pub(crate) fn show(case: &Case, profile: Profile) -> String {
    let settings = Settings {
        profile,
        severities: std::collections::BTreeMap::new(),
        baseline: None,
        strict: false,
    };
    let report = judge(case, &settings);
    let scenarios = case.scenarios.iter();
    let mut lines: Vec<String> = scenarios
        .map(|seen| format!("{} {:?}: {}", seen.name, seen.shown, seen.detail))
        .collect();
    for check in report.checks {
        let level = serde_json::to_value(check.rule.level).unwrap();
        let level = level.as_str().unwrap();
        for finding in check.findings {
            let (id, step) = (&check.rule.id, &finding.step);
            lines.push(format!("{id} {level}: {step}: {}", finding.message));
        }
    }
    lines.extend(report.notes);
    lines.join("\n")
}
