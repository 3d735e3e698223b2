//! Recorded tests, found by id or by what was said.

use std::collections::HashMap;
use std::sync::OnceLock;

use ananke_model::plan::{PlannedTest, TestId};
use ananke_model::result::TestResult;
use ananke_model::variables::Variables;

use super::difference::Said;
use super::judge_test::with_given;
use super::missing::Missing;
use super::planned::Planned;
use super::words::Words;

/// Recorded tests.
#[derive(Debug, Default)]
pub struct Recordings {
    results: Vec<TestResult>,
    by_id: HashMap<TestId, usize>,
    /// Made when a test is first looked for by what it says.
    by_conversation: OnceLock<HashMap<String, Vec<usize>>>,
    /// Made when a test is first not found.
    words: OnceLock<Words>,
}

impl Recordings {
    /// Takes the results of a run. Of several with the same id the first counts.
    pub fn new(results: Vec<TestResult>) -> Self {
        let mut by_id = HashMap::with_capacity(results.len());
        for (index, result) in results.iter().enumerate() {
            by_id.entry(result.id.clone()).or_insert(index);
        }
        Self {
            results,
            by_id,
            ..Self::default()
        }
    }

    /// Goes through the recorded tests, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &TestResult> {
        self.results.iter()
    }

    /// Returns the recording with this id.
    pub(super) fn get(&self, id: &TestId) -> Option<&TestResult> {
        self.by_id
            .get(id)
            .and_then(|index| self.results.get(*index))
    }

    /// Takes the recordings apart: each by its id.
    pub(super) fn into_ids(self) -> HashMap<TestId, TestResult> {
        let mut by_id = HashMap::with_capacity(self.results.len());
        for result in self.results {
            by_id.entry(result.id.clone()).or_insert(result);
        }
        by_id
    }

    /// Finds the recording of what `test` says: its own, else any with the same conversation.
    pub(super) fn find(
        &self,
        test: &PlannedTest,
        variables: &Variables,
    ) -> Result<&TestResult, Missing> {
        let own = self.get(&test.id);
        if test.script.is_some() {
            // What a function asks agents is not what it is.
            return own.ok_or_else(Missing::id);
        }
        if let Some(own) = own {
            match Planned::new(test, &with_given(variables, own)) {
                Ok(planned) if !planned.is_recorded_in(own) => {}
                // Judging tells what is wrong with a test that cannot be resolved.
                Ok(_) | Err(_) => return Ok(own),
            }
        }
        let planned = Planned::new(test, variables);
        let known = match &planned {
            // What will be said is not known: only the test's own recording can be the one.
            _ if test.dynamic.is_some() => None,
            Ok(planned) => {
                let indexes = self.conversations().get(&planned_key(planned));
                let mut said = indexes.into_iter().flatten().map(|at| &self.results[*at]);
                said.find(|recorded| planned.is_recorded_in(recorded))
            }
            // What a hook gave is known to the recording alone.
            Err(_) => self.iter().find(|recorded| {
                recorded.turns.len() == test.turns.len()
                    && Planned::new(test, &with_given(variables, recorded))
                        .is_ok_and(|planned| planned.is_recorded_in(recorded))
            }),
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let Ok(planned) = planned else {
            return Err(Missing::new(own, None));
        };
        let nearest = own.or_else(|| {
            let words = self.words.get_or_init(|| Words::new(&self.results));
            let index = words.nearest(&planned.actions, &self.results)?;
            self.results.get(index)
        });
        Err(Missing::new(nearest, Some(&planned)))
    }

    fn conversations(&self) -> &HashMap<String, Vec<usize>> {
        self.by_conversation.get_or_init(|| {
            let mut conversations: HashMap<String, Vec<usize>> =
                HashMap::with_capacity(self.results.len());
            for (index, result) in self.results.iter().enumerate() {
                if !result.turns.is_empty() {
                    let said = conversations.entry(recorded_key(result));
                    said.or_default().push(index);
                }
            }
            conversations
        })
    }
}

fn recorded_key(result: &TestResult) -> String {
    key(result
        .turns
        .iter()
        .map(|judged| Said::recorded(&judged.turn)))
}

fn planned_key(planned: &Planned) -> String {
    key(planned.actions.iter().map(Said::planned))
}

/// Returns a text that only the same conversation has: lengths tell where a message ends, whatever it holds.
fn key<'a>(turns: impl Iterator<Item = Said<'a>>) -> String {
    let mut key = String::new();
    for said in turns {
        let user = said.user.unwrap_or_default();
        for part in [said.kind, " ", &user.len().to_string(), " ", &*user, "\n"] {
            key.push_str(part);
        }
    }
    key
}
