//! How agents are named: `agents:id` where a script could stand too, `id` where only an agent can.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Place, Text};

use super::Found;

/// What stands before the id of an agent.
const AGENTS: &str = "agents";
/// What stands before the name of a script.
const SCRIPTS: &str = "scripts";

/// Whether `agents:` has to stand before an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    /// A script could be named here too.
    Required,
    /// Only an agent can be named here.
    Forbidden,
}

/// Returns the id of an agent that is named where nothing but its id is allowed beside the prefix. `None` if it is written
/// wrong, which is then reported.
pub(crate) fn agent_reference(text: &Text, prefix: Prefix, found: &mut Found) -> Option<String> {
    let written = text.text.as_str();
    let refuse = |message: String| Diagnostic::error(&text.place, message);
    let (before, id) = match written.split_once(':') {
        Some((before, id)) => (Some(before), id),
        None => (None, written),
    };
    match (before, prefix) {
        (Some(AGENTS), Prefix::Required) | (None, Prefix::Forbidden) => {}
        (Some(AGENTS), Prefix::Forbidden) => {
            found.push(
                refuse("`agents:` is not written here".to_owned())
                    .label("only an agent can stand here")
                    .hint(format!("write `{id}`")),
            );
            return None;
        }
        (Some(SCRIPTS), _) => {
            let hint = match prefix {
                Prefix::Required => {
                    "write `agents:` and the id of an agent; a script judges in a check of `type: script`"
                }
                Prefix::Forbidden => "write the id of an agent",
            };
            found.push(
                refuse(format!("`{written}` names a script, not an agent"))
                    .label("expected an agent")
                    .hint(hint),
            );
            return None;
        }
        (Some(before), prefix) => {
            let diagnostic = refuse(format!("unknown prefix `{before}:`"));
            let diagnostic = match prefix {
                Prefix::Required => diagnostic.label("expected `agents:`"),
                Prefix::Forbidden => diagnostic.label("expected the id of an agent"),
            };
            let is_near = did_you_mean(before, [AGENTS]).is_some();
            found.push(match prefix {
                Prefix::Required if is_near => {
                    diagnostic.hint(format!("did you mean `agents:{id}`?"))
                }
                Prefix::Required | Prefix::Forbidden => diagnostic,
            });
            return None;
        }
        (None, Prefix::Required) => {
            found.push(
                refuse(format!("`{written}` has no prefix"))
                    .label("expected `agents:` and the id of an agent")
                    .hint(format!("write `agents:{written}`")),
            );
            return None;
        }
    }
    if let Some((id, _)) = id.split_once('?') {
        let own = match prefix {
            Prefix::Required => format!("agents:{id}"),
            Prefix::Forbidden => id.to_owned(),
        };
        found.push(
            refuse("parameters after `?` are only for `-i`".to_owned()).hint(format!(
                "write `{own}`, and the rest under `options.metadata`"
            )),
        );
        return None;
    }
    is_agent_id(id, &text.place, found).then(|| id.to_owned())
}

/// Tells whether an agent can have this id, and reports it if not.
pub(super) fn is_agent_id(id: &str, place: &Place, found: &mut Found) -> bool {
    let problem = if id.trim().is_empty() {
        "the id of an agent is empty".to_owned()
    } else if id.contains("${") {
        "an agent is named without references".to_owned()
    } else if id.contains([':', '?', '&', '#'])
        || id.chars().any(|c| c.is_whitespace() || c.is_control())
    {
        format!("`{}` cannot be the id of an agent", id.escape_debug())
    } else {
        return true;
    };
    found.push(
        Diagnostic::error(place, problem).label("expected a plain id such as `workers.test.judge`"),
    );
    false
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::testing::line;

    fn read(text: &str, prefix: Prefix) -> String {
        let text = Text {
            text: text.to_owned(),
            place: Place::file("a"),
        };
        let mut found = Found::new();
        let id = agent_reference(&text, prefix, &mut found);
        let lines = found.iter().map(line);
        lines.chain(id).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_prefix_stands_where_scripts_can_stand_too() {
        let required = |text| read(text, Prefix::Required);
        assert_snapshot!(required("agents:workers.test.judge"), @"workers.test.judge");
        assert_snapshot!(required("workers.test.judge"), @"a:1:1 error `workers.test.judge` has no prefix | expected `agents:` and the id of an agent | write `agents:workers.test.judge`");
        assert_snapshot!(required("scripts:tests.judge"), @"a:1:1 error `scripts:tests.judge` names a script, not an agent | expected an agent | write `agents:` and the id of an agent; a script judges in a check of `type: script`");
        assert_snapshot!(required("agent:judge"), @"a:1:1 error unknown prefix `agent:` | expected `agents:` | did you mean `agents:judge`?");
        assert_snapshot!(required("http://judge"), @"a:1:1 error unknown prefix `http:` | expected `agents:`");
        assert_snapshot!(required("agents:"), @"a:1:1 error the id of an agent is empty | expected a plain id such as `workers.test.judge`");
        assert_snapshot!(required("agents:a b"), @"a:1:1 error `a b` cannot be the id of an agent | expected a plain id such as `workers.test.judge`");
        assert_snapshot!(required("agents:judge?count=3"), @"a:1:1 error parameters after `?` are only for `-i` |  | write `agents:judge`, and the rest under `options.metadata`");
    }

    #[test]
    fn no_prefix_stands_where_only_agents_can_stand() {
        let forbidden = |text| read(text, Prefix::Forbidden);
        assert_snapshot!(forbidden("workers.test.user"), @"workers.test.user");
        assert_snapshot!(forbidden("agents:workers.test.user"), @"a:1:1 error `agents:` is not written here | only an agent can stand here | write `workers.test.user`");
        assert_snapshot!(forbidden("scripts:tests.user"), @"a:1:1 error `scripts:tests.user` names a script, not an agent | expected an agent | write the id of an agent");
        assert_snapshot!(forbidden("agent:user"), @"a:1:1 error unknown prefix `agent:` | expected the id of an agent");
        assert_snapshot!(forbidden("user?persona=x"), @"a:1:1 error parameters after `?` are only for `-i` |  | write `user`, and the rest under `options.metadata`");
        assert_snapshot!(forbidden("${USER}"), @"a:1:1 error an agent is named without references | expected a plain id such as `workers.test.judge`");
    }
}
