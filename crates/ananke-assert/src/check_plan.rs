//! Finds the mistakes in patterns and paths before anything runs.

use std::collections::HashSet;

use ananke_model::check::{CallFilter, Check, Demand, OutputCheckKind};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::Plan;
use ananke_model::task_check::TaskCheck;
use ananke_model::variables::Variables;

use crate::checks::{JudgedByAgent, OutputMatch, TaskMatch};
use crate::pattern::SlashForm;
use crate::resolver::{Resolver, Unknown};

/// Compiles every pattern and path of `plan`, with stand-ins for values that are not known yet. Returns all mistakes.
///
/// The config's own blocks are looked at even if no test uses them. What several tests inherit is compiled and reported once. References without a value are no mistakes here: a hook may
/// still give them, and [`crate::compile`] refuses what is left.
pub fn check_plan(plan: &Plan, variables: &Variables) -> Vec<Diagnostic> {
    let mut checker = Checker {
        resolver: Resolver::new(variables, Unknown::StandIn),
        seen: HashSet::new(),
    };
    let test_blocks = plan.tests.iter().flat_map(|test| {
        let turn_blocks = test.turns.iter().filter_map(|turn| turn.block.as_ref());
        let checkpoints = test.dynamic.iter().flat_map(|dynamic| &dynamic.checkpoints);
        let checkpoint_blocks = checkpoints.map(|checkpoint| &checkpoint.block);
        turn_blocks.chain(checkpoint_blocks).chain([&test.block])
    });
    for block in plan.config_blocks.iter().chain(test_blocks) {
        for demand in &block.demands {
            checker.check(demand);
        }
    }
    checker.resolver.diagnostics
}

struct Checker<'p> {
    resolver: Resolver<'p>,
    /// Texts that were checked, with their places; inherited ones come again with every test.
    seen: HashSet<(&'p Place, &'p str)>,
}

impl<'p> Checker<'p> {
    fn check(&mut self, demand: &'p Demand) {
        match &demand.check {
            Check::Require(require) => self.filter(&require.filter),
            Check::ForbidCall(filter) => self.filter(filter),
            Check::MustMatch(pattern) | Check::MustNotMatch(pattern) | Check::Error(pattern) => {
                self.pattern(pattern);
            }
            Check::Forbid(_)
            | Check::MaxDuration(_)
            | Check::MaxIdle(_)
            | Check::ProtocolStrict
            | Check::Snapshot(_) => {}
            Check::Agent(check) => {
                if self.seen.insert((&demand.origin.place, "agent")) {
                    JudgedByAgent::compile(check, &mut self.resolver);
                }
            }
            Check::Script(check) => {
                if self.seen.insert((&demand.origin.place, "script")) {
                    JudgedByAgent::compile_script(check, &mut self.resolver);
                }
            }
            Check::Task(check) => {
                let is_new = self.seen.insert((&demand.origin.place, check.key()));
                if is_new && TaskMatch::compile(check, &mut self.resolver).is_some() {
                    let patterns = match check.as_ref() {
                        TaskCheck::Artifact(artifact) => {
                            let own = [&artifact.name, &artifact.text_match];
                            let data = artifact.data_match.iter().map(|at| &at.pattern);
                            own.into_iter().flatten().chain(data).collect()
                        }
                        TaskCheck::Card(written) => vec![&written.pattern],
                        _ => Vec::new(),
                    };
                    patterns
                        .into_iter()
                        .for_each(|pattern| self.ambiguous(pattern));
                }
            }
            Check::Output(check) => {
                let is_new = self.seen.insert((&demand.origin.place, check.kind.name()));
                if is_new
                    && OutputMatch::compile(check, &mut self.resolver).is_some()
                    && let OutputCheckKind::Regex(pattern) = &check.kind
                {
                    self.ambiguous(pattern);
                }
            }
        }
    }

    fn filter(&mut self, filter: &'p CallFilter) {
        for argument in filter.args_match.iter().chain(&filter.args_not_match) {
            if self.is_new(&argument.path) {
                self.resolver.path(&argument.path);
            }
            self.pattern(&argument.pattern);
        }
        for pattern in [&filter.result_match, &filter.result_not_match] {
            pattern.iter().for_each(|pattern| self.pattern(pattern));
        }
    }

    fn pattern(&mut self, pattern: &'p Text) {
        if self.is_new(pattern) && self.resolver.pattern(pattern).is_some() {
            self.ambiguous(pattern);
        }
    }

    /// Warns about a pattern that may have been meant as a path.
    fn ambiguous(&mut self, pattern: &Text) {
        let form = SlashForm::split(&pattern.text);
        if form.is_ambiguous() {
            let message = format!("`{}` is read as the pattern `{}`", pattern.text, form.body);
            let hint = format!("to search for the slashes too write `\\{}`", pattern.text);
            self.resolver.diagnostics.push(
                Diagnostic::warning(&pattern.place, message)
                    .label("slashes at both ends enclose a pattern")
                    .hint(hint),
            );
        }
    }

    fn is_new(&mut self, text: &'p Text) -> bool {
        self.seen.insert((&text.place, &text.text))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ananke_model::check::Block;
    use ananke_model::plan::{
        AguiTarget, Clock, Encoding, Envelope, Era, History, Limits, PlannedTest, PlannedTurn,
        Protocol, Target, TestId, Tls, TurnAction,
    };
    use insta::assert_snapshot;

    use super::*;
    use crate::testing::{block, must_match, must_not_match, output, require, text, variables};

    fn planned(file: &str, test_block: Block, turn_block: Option<Block>) -> PlannedTest {
        PlannedTest {
            id: TestId(file.to_owned()),
            name: text(file),
            file: Arc::from(file),
            tags: Vec::new(),
            skip: None,
            target: Target {
                name: None,
                place: Place::default(),
                protocol: Protocol::Agui(Box::new(target())),
                concurrency: None,
                group: None,
                backoff_ms: None,
                connector: None,
                own_timeout_ms: None,
            },
            hooks: Vec::new(),
            turns: vec![PlannedTurn {
                action: TurnAction::Connect { allow_empty: false },
                timeout_ms: None,
                block: turn_block,
                place: Place::default(),
            }],
            block: test_block,
            timeout_ms: None,
            case: None,
            dynamic: None,
            script: None,
            before: None,
            after: None,
        }
    }

    fn target() -> AguiTarget {
        AguiTarget {
            endpoint: text("http://127.0.0.1"),
            agent_id: None,
            thread_id: None,
            headers: Vec::new(),
            timeout_ms: 1,
            connect_timeout_ms: 1,
            envelope: Envelope::Plain,
            history: History::Full,
            era: Era::V1,
            encoding: Encoding::Sse,
            clock: Clock::Arrival,
            forwarded_props: None,
            state: None,
            context: Vec::new(),
            tools: Vec::new(),
            tls: Tls::default(),
            limits: Limits {
                event_bytes: 1,
                turn_bytes: 1,
            },
        }
    }

    fn mistakes(checks: Vec<Check>) -> String {
        let inherited = block(checks);
        let plan = Plan {
            tests: vec![
                planned("a.test.yaml", inherited.clone(), Some(inherited.clone())),
                planned("b.test.yaml", inherited, None),
            ],
            ..Plan::default()
        };
        shown(&plan)
    }

    fn shown(plan: &Plan) -> String {
        check_plan(plan, &variables())
            .iter()
            .map(|diagnostic| {
                let hint = diagnostic.hint.as_deref().unwrap_or("");
                let (message, label) = (&diagnostic.message, &diagnostic.label);
                format!("{:?}: {message}: {label}\n  {hint}\n", diagnostic.severity)
            })
            .collect()
    }

    #[test]
    fn mistakes_in_blocks_that_no_test_uses_are_found() {
        let plan = Plan {
            config_blocks: vec![block([
                require("search").arg("a..b", "x").into(),
                must_match("("),
            ])],
            ..Plan::default()
        };
        assert_snapshot!(shown(&plan), @r#"
        Error: `a..b` is not an argument path: a name is missing at character 3
          paths look like `user.name`, `items[0].id` or `["odd.key"]`, and start at the arguments
        Error: `(` is not a pattern: the group is not closed at character 1
          write `\(` for a parenthesis
        "#);
    }

    #[test]
    fn every_mistake_is_found_once_however_often_it_is_inherited() {
        let check = require("search")
            .arg("a..b", "(")
            .result("[")
            .result_not("*");
        let checks = vec![check.into(), must_match(""), must_not_match("/x/xx")];
        assert_snapshot!(mistakes(checks), @r#"
        Error: `a..b` is not an argument path: a name is missing at character 3
          paths look like `user.name`, `items[0].id` or `["odd.key"]`, and start at the arguments
        Error: `(` is not a pattern: the group is not closed at character 1
          write `\(` for a parenthesis
        Error: `[` is not a pattern: the bracket is not closed at character 1
          write `\[` for a bracket
        Error: `*` is not a pattern: there is nothing to repeat at character 1
          write `\*` to search for it
        Error: the pattern is empty: 
          leave the check out, or write `.` for any text
        Error: `/x/xx` is not a pattern: unknown flag `x` at character 4
          the flags are `g`, `i`, `m`, `s`, `u` and `y`; to search for the text itself write `\/x/xx`
        "#);
    }

    #[test]
    fn values_that_are_not_known_yet_are_no_mistake() {
        for pattern in [
            "${A}",
            "x{${A}}",
            "[a-${A}]",
            "[${A}-9]",
            r"\x${A}",
            "^${ENV.A}$",
        ] {
            assert_eq!(mistakes(vec![must_match(pattern)]), "", "{pattern}");
        }
        assert_eq!(
            mistakes(vec![require("${A}").arg("a.${A}", "${B}").into()]),
            ""
        );
    }

    #[test]
    fn mistakes_beside_a_reference_are_found() {
        assert_snapshot!(mistakes(vec![must_match("${A}(")]), @r"
        Error: `${A}(` is not a pattern: the group is not closed
          write `\(` for a parenthesis
        ");
    }

    #[test]
    fn a_path_in_slashes_is_worth_a_warning() {
        assert_snapshot!(mistakes(vec![must_match("/api/x/")]), @r"
        Warning: `/api/x/` is read as the pattern `api/x`: slashes at both ends enclose a pattern
          to search for the slashes too write `\/api/x/`
        ");
        assert_eq!(
            mistakes(vec![must_match(r"/api\/x/"), must_match("/[/]/")]),
            ""
        );
    }

    #[test]
    fn mistakes_in_checks_on_the_output_are_found_negated_or_not() {
        let bad = |check: &str| mistakes(vec![output(check)]);
        assert_snapshot!(bad(r#"{"type":"regex","value":"(","negate":true}"#), @r"
        Error: `(` is not a pattern: the group is not closed at character 1
          write `\(` for a parenthesis
        ");
        assert_snapshot!(bad(r#"{"type":"regex","value":"/a*/i","negate":true}"#), @r"
        Error: the pattern `/a*/i` matches anything: it matches the empty text, which is everywhere
          write what must be found at least, such as `.+` instead of `.*`, or anchor it with `^` and `$`
        ");
        // Whether these match anything depends on the value.
        assert_eq!(bad(r#"{"type":"regex","value":"${A}*"}"#), "");
        assert_snapshot!(bad(r#"{"type":"json_path","path":"$.a[","negate":true}"#), @r#"
        Error: `$.a[` is not a path: expected a number or a quoted key at character 5
          paths look like `status`, `items[0].id`, `["odd.key"]` or `$.items[*].id`
        "#);
        assert_snapshot!(bad(r#"{"type":"tool_result","tool":"a","result":{"b":["regex:["],"c":"regex:["}}"#), @r#"
        Error: the pattern `regex:[` stands in a list: lists are compared as a whole
          match the whole result: `result: "regex:…"`
        Error: `[` is not a pattern: the bracket is not closed at character 1
          write `\[` for a bracket
        "#);
        assert_snapshot!(bad(r#"{"type":"contains","value":"${NO:-}","path":"$.a["}"#), @r#"
        Error: `$.a[` is not a path: expected a number or a quoted key at character 5
          paths look like `status`, `items[0].id`, `["odd.key"]` or `$.items[*].id`
        Error: the value is empty: an empty text is found in anything
        "#);
        assert_snapshot!(bad(r#"{"type":"regex","value":"/api/x/"}"#), @r"
        Warning: `/api/x/` is read as the pattern `api/x`: slashes at both ends enclose a pattern
          to search for the slashes too write `\/api/x/`
        ");
    }

    #[test]
    fn checks_on_the_output_may_use_values_that_are_not_known_yet() {
        for check in [
            r#"{"type":"regex","value":"x{${A}}","path":"${A}[${A}]"}"#,
            r#"{"type":"equals","value":{"a":["${A}", "b ${A}"]},"message":"${A}"}"#,
            r#"{"type":"contains","value":["${A}"]}"#,
            r#"{"type":"tool_result","tool":"${A}","result":"regex:${A}"}"#,
        ] {
            assert_eq!(mistakes(vec![output(check)]), "", "{check}");
        }
    }
}
