//! `tools.require`: filter the calls of a tool, then count them; the first counted one may have to come after another
//! tool's call.

use ananke_model::check::{Count, Require as Written};

use crate::call_filter::{CallFilter, GaveUp};
use crate::evidence::{Call, Evidence};
use crate::nearest::{closest_call, other_tools};
use crate::resolver::Resolver;
use crate::shown::{self, counted, listed};
use crate::verdict::Verdict;

/// Requires calls of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Require {
    /// Which calls are counted.
    pub(crate) filter: CallFilter,
    count: Count,
    after: Option<String>,
}

impl Require {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(written: &Written, resolver: &mut Resolver<'_>) -> Option<Self> {
        let filter = CallFilter::compile(&written.filter, resolver);
        let after = written.after.as_ref().map(|after| resolver.text(after));
        Some(Self {
            filter: filter?,
            count: written.count,
            after: match after {
                Some(after) => Some(after?),
                None => None,
            },
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        let noun = if self.count.max.unwrap_or(self.count.min) == 1 {
            "call"
        } else {
            "calls"
        };
        let after = match &self.after {
            Some(after) => format!(", after a call of `{after}`"),
            None => String::new(),
        };
        let (name, words) = (&self.filter.name, self.filter.words());
        format!("{} {noun} of `{name}`{words}{after}", self.count)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let mut matching: Vec<(usize, &Call<'_>)> = Vec::new();
        let mut n_calls = 0;
        for (index, call) in evidence.calls.iter().enumerate() {
            if call.name != self.filter.name || !call.is_new {
                continue;
            }
            n_calls += 1;
            match self.filter.matches(call) {
                Ok(true) => matching.push((index, call)),
                Ok(false) => {}
                Err(GaveUp(pattern)) => {
                    return Verdict::gave_up(&pattern).event(Some(call.event));
                }
            }
        }
        let n_matching = u64::try_from(matching.len()).unwrap_or(u64::MAX);
        let actual = self.actual(matching.len(), n_calls);
        let first = matching.first().copied();
        if n_matching < self.count.min {
            let verdict = self.too_few(evidence, actual);
            return verdict.details(self.order(evidence, first));
        }
        if self.count.max.is_some_and(|max| n_matching > max) {
            return Verdict::failed(actual)
                .event(first.map(|(_, call)| call.event))
                .details(listed(matching.iter().map(|(_, call)| call.shown())));
        }
        match self.order(evidence, first) {
            Some(line) => Verdict::failed(line)
                .event(first.map(|(_, call)| call.event))
                .details(self.missing_order(evidence)),
            None => Verdict::passed(actual).event(first.map(|(_, call)| call.event)),
        }
    }

    fn actual(&self, n_matching: usize, n_calls: usize) -> String {
        if n_calls == 0 {
            "no call".to_owned()
        } else if self.filter.is_unconditional() {
            counted(n_calls, "call")
        } else {
            shown::matching(n_matching, n_calls)
        }
    }

    /// Explains why there are too few calls: what came closest, or what was called instead.
    fn too_few(&self, evidence: &Evidence<'_>, actual: String) -> Verdict {
        let verdict = Verdict::failed(actual);
        let calls = || evidence.calls_of(&self.filter.name);
        if calls().next().is_none() {
            return verdict.details(other_tools(&self.filter.name, evidence));
        }
        let closest = closest_call(&self.filter, calls().filter(|call| call.is_new));
        let Some((call, unmet)) = closest else {
            return verdict.details(listed(calls().map(Call::shown)));
        };
        let verdict = verdict
            .event(Some(call.event))
            .details([format!("closest call: {}", call.shown())])
            .details(listed(unmet.into_iter().map(|unmet| unmet.line)));
        if !self.filter.leaves_out_results() {
            return verdict;
        }
        verdict.details([
            "result_not_match leaves calls out of the count; to fail on any such call use tools.forbid_calls with result_match"
                .to_owned(),
        ])
    }

    /// Returns what is wrong with the order, if something is. Nothing can be wrong where nothing is counted.
    fn order(&self, evidence: &Evidence<'_>, first: Option<(usize, &Call<'_>)>) -> Option<String> {
        let after = self.after.as_deref()?;
        let (index, call) = first?;
        let is_after = evidence.calls[..index]
            .iter()
            .any(|earlier| earlier.name == after);
        (!is_after).then(|| format!("no call of `{after}` before {}", call.shown()))
    }

    fn missing_order(&self, evidence: &Evidence<'_>) -> Vec<String> {
        let Some(after) = self.after.as_deref() else {
            return Vec::new();
        };
        match evidence.calls_of(after).next() {
            // A tool may have to come after itself: then its first call is not what is missing.
            Some(_) if after == self.filter.name => {
                vec![format!("an earlier call of `{after}` itself is demanded")]
            }
            Some(later) => vec![format!("the first call of `{after}` is {}", later.shown())],
            None => other_tools(after, evidence),
        }
    }
}
