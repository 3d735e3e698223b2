//! Secrets in what is recorded of a test function.

use ananke_model::script::{ScriptFailure, ScriptRecord};

use super::inner::Inner;

impl Inner {
    /// Hides the secrets in everything that a function said, and in the lines of its files. Names of tests and files stay.
    pub(super) fn script(&self, record: &mut ScriptRecord) {
        for failure in &mut record.failures {
            self.failure(failure);
        }
        for log in &mut record.logs {
            self.derived(&mut log.text);
        }
        record.skipped.iter_mut().for_each(|why| {
            self.derived(why);
        });
        for subtest in &mut record.subtests {
            self.derived(&mut subtest.name);
        }
        for opinion in &mut record.opinions {
            self.opinion(opinion);
        }
    }

    fn failure(&self, failure: &mut ScriptFailure) {
        self.derived(&mut failure.message);
        if let Some(assertion) = &mut failure.assertion {
            self.derived(&mut assertion.message);
            let values = assertion.expected.iter_mut().chain(&mut assertion.actual);
            values.for_each(|value| {
                self.value(value);
            });
        }
        for frame in &mut failure.frames {
            // A name that was computed may be anything.
            self.derived(&mut frame.function);
        }
        for (_, line) in &mut failure.excerpt {
            self.text(line);
        }
        failure.subtest.iter_mut().for_each(|name| {
            self.derived(name);
        });
    }
}
