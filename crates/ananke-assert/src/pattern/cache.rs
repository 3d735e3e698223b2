//! Compiled patterns that are used again: thousands of tests share the blocks of their config.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::engine::Pattern;
use super::error::PatternError;
use super::slash::SlashForm;

/// How many patterns are kept in each generation.
const GENERATION: usize = 2048;

/// A bounded store of compiled patterns in two generations: what was not asked for in one of them is forgotten.
#[derive(Debug, Default)]
pub(crate) struct PatternCache(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, Arc<Pattern>>,
    old: HashMap<String, Arc<Pattern>>,
}

impl PatternCache {
    /// Returns the cache that the whole process shares.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: LazyLock<PatternCache> = LazyLock::new(PatternCache::default);
        &SHARED
    }

    /// Returns the pattern, compiling it if it is not known. Mistakes are not kept.
    pub(crate) fn compile(&self, form: SlashForm<'_>) -> Result<Arc<Pattern>, PatternError> {
        // A slash form without flags and a plain pattern with the same body are the same pattern.
        let key = format!("{}/{}", form.flags, form.body);
        if let Some(known) = self.get(&key) {
            return Ok(known);
        }
        // Compiled outside the lock: a large pattern must not hold up the other tests.
        let pattern = Arc::new(Pattern::from_slash_form(form)?);
        self.insert(key, &pattern);
        Ok(pattern)
    }

    fn get(&self, key: &str) -> Option<Arc<Pattern>> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = generations.young.get(key) {
            return Some(Arc::clone(known));
        }
        let (key, known) = generations.old.remove_entry(key)?;
        generations.insert(key, &known);
        Some(known)
    }

    fn insert(&self, key: String, pattern: &Arc<Pattern>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, pattern);
    }
}

impl Generations {
    fn insert(&mut self, key: String, pattern: &Arc<Pattern>) {
        if self.young.len() >= GENERATION {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, Arc::clone(pattern));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_small_and_keeps_what_is_used() {
        let cache = PatternCache::default();
        let hot = cache.compile(SlashForm::split("/hot/i")).unwrap();
        for number in 0..3 * GENERATION {
            cache
                .compile(SlashForm::split(&format!("p{number}")))
                .unwrap();
            if number % 100 == 0 {
                let again = cache.compile(SlashForm::split("/hot/i")).unwrap();
                assert!(Arc::ptr_eq(&hot, &again), "{number}");
            }
        }
        let generations = cache.0.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
    }

    #[test]
    fn flags_make_another_pattern() {
        let cache = PatternCache::default();
        let plain = cache.compile(SlashForm::split("a")).unwrap();
        let flagged = cache.compile(SlashForm::split("/a/i")).unwrap();
        assert_eq!(
            (plain.is_match("A"), flagged.is_match("A")),
            (Ok(false), Ok(true))
        );
    }
}
