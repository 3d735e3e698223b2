//! Recordings by the words that were said in them: which is nearest to a test that has none.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use ananke_model::result::TestResult;
use ananke_protocol::agui::Action;

use super::difference::Said;

/// How many entries are looked at for one test. Rare words come first, so the nearest is among them; and ten thousand
/// tests without a recording stay fast.
const LOOKED_AT: usize = 500;

/// Words with the recordings that have them.
#[derive(Debug)]
pub(super) struct Words(HashMap<String, Vec<usize>>);

impl Words {
    pub(super) fn new(results: &[TestResult]) -> Self {
        let mut words: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, result) in results.iter().enumerate() {
            let turns = result.turns.iter();
            let texts = turns.filter_map(|judged| judged.turn.user.as_deref());
            for word in distinct(texts) {
                words.entry(word).or_default().push(index);
            }
        }
        Self(words)
    }

    /// Returns the recording that has most in common with what a test says: turns from the beginning, then words.
    pub(super) fn nearest(&self, actions: &[Action], results: &[TestResult]) -> Option<usize> {
        let texts = actions
            .iter()
            .filter_map(|action| Said::planned(action).user);
        let texts: Vec<_> = texts.collect();
        let mut entries: Vec<&Vec<usize>> = distinct(texts.iter().map(AsRef::as_ref))
            .iter()
            .filter_map(|word| self.0.get(word))
            .collect();
        entries.sort_by_key(|entry| entry.len());
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for index in entries.into_iter().flatten().take(LOOKED_AT) {
            *shared.entry(*index).or_default() += 1;
        }
        let nearest = shared.into_iter().max_by_key(|(index, n_words)| {
            (
                n_common(actions, &results[*index]),
                *n_words,
                Reverse(*index),
            )
        });
        nearest.map(|(index, _)| index)
    }
}

/// Counts the turns from the beginning that are the same.
fn n_common(actions: &[Action], recorded: &TestResult) -> usize {
    let turns = actions.iter().zip(&recorded.turns);
    let same = |(action, judged): &(&Action, &ananke_model::result::JudgedTurn)| {
        Said::planned(action) == Said::recorded(&judged.turn)
    };
    turns.take_while(same).count()
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
