//! Secrets in what judges were asked, and in what they said.

use ananke_model::agent::{Opinion, Sample};
use serde_json::Value;

use super::inner::Inner;

impl Inner {
    pub(super) fn opinion(&self, opinion: &mut Opinion) -> bool {
        let mut is_hit = false;
        if let Value::Object(members) = &mut opinion.about {
            // The output is compared with the text of its turn when the recording is judged again: both are hidden alike.
            for (name, value) in members.iter_mut() {
                is_hit |= match value {
                    Value::String(text) if name == "output" => self.text(text),
                    value => self.value(value),
                };
            }
        }
        is_hit | self.samples(&mut opinion.samples)
    }

    pub(super) fn samples(&self, samples: &mut [Sample]) -> bool {
        let hide =
            |sample: &mut Sample| self.text(&mut sample.reason) | self.value(&mut sample.answer);
        let samples = samples.iter_mut();
        samples.fold(false, |is_hit, sample| hide(sample) | is_hit)
    }
}
