//! `card.match`: what stands at a path of the agent's card matches a pattern. The card is taken as it came.

use ananke_model::check::ArgPattern;
use ananke_model::diagnostic::did_you_mean;

use super::artifacts_require::missed;
use crate::call_filter::GaveUp;
use crate::evidence::Evidence;
use crate::resolver::{Needle, Resolver};
use crate::shown::{listed, shorten};
use crate::tasks::card;
use crate::value::{ArgPath, RawJson};
use crate::verdict::Verdict;

/// How many keys a misspelt one is compared with; the agent decides how many there are.
const MOST_NEAR: usize = 1000;

/// Demands something of a card.
#[derive(Clone, Debug)]
pub(super) struct CardMatch {
    path: ArgPath,
    /// The path as written.
    pub(super) shown: String,
    needle: Needle,
}

impl CardMatch {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(super) fn compile(written: &ArgPattern, resolver: &mut Resolver<'_>) -> Option<Self> {
        let path = resolver.value_path(&written.path);
        let needle = resolver.pattern(&written.pattern);
        let (path, shown) = path?;
        Some(Self {
            path,
            shown,
            needle: needle?,
        })
    }

    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        format!("`{}` matching {}", shorten(&self.shown), self.needle.shown)
    }

    /// Judges the evidence.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let json = card(evidence)?.to_string();
        let json = RawJson::parse(&json);
        let Some(found) = json.and_then(|json| self.path.look_up(json)) else {
            let keys = json.into_iter().flat_map(RawJson::members);
            let keys: Vec<String> = keys.map(|(key, _)| key.into_owned()).collect();
            let near = keys.iter().take(MOST_NEAR).map(String::as_str);
            let near = did_you_mean(self.path.top(), near).filter(|near| *near != self.path.top());
            let near = near.map(|near| format!("did you mean `{}`?", shorten(near)));
            let keys = listed(keys.iter().map(|key| shorten(key).into_owned()));
            return Ok(Verdict::failed("nothing there")
                .details(near)
                .details([format!("the card has: {}", keys.join(", "))]));
        };
        let leaf = found.leaf();
        Ok(match missed(&self.shown, &self.needle, leaf.text()) {
            Ok(None) => Verdict::passed(format!("\"{}\"", shorten(leaf.text()))),
            Ok(Some(_)) => Verdict::failed(format!("\"{}\"", shorten(leaf.text()))),
            Err(GaveUp(pattern)) => Verdict::gave_up(&pattern),
        })
    }
}
