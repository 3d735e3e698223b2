//! Functions that judge a recording again: those whose text has changed since, or that were not asked when it was made. They
//! reach nobody, so that judging again needs nothing but the recording.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_assert::Question;
use ananke_model::agent::Opinion;
use ananke_model::recording::Turn;
use ananke_model::script::{Grants, Scripts};
use ananke_script::{Calling, Memory, Settings, Stop, call};
use serde_json::Value;

use super::gather::open;
use super::script::SCRIPT_TIMEOUT;
use crate::script::{Judgment, Nowhere, arguments, sample};

/// Calls functions for recordings.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    settings: Arc<Settings>,
    host: Arc<Nowhere>,
}

impl Again {
    /// Returns what calls the scripts of a plan whose config stands in `folder`.
    pub(crate) fn new(scripts: &Scripts, folder: &Path) -> Self {
        let root = match scripts.root.as_os_str().is_empty() {
            true => folder,
            false => &scripts.root,
        };
        let settings = Settings::new(root, folder, Grants::default(), false);
        Self {
            settings: Arc::new(settings),
            host: Arc::new(Nowhere {
                root: root.to_owned(),
            }),
        }
    }

    /// Asks what is not known of `turns`, of functions alone: agents are not asked again.
    pub(crate) fn ask(
        &self,
        questions: Vec<Question>,
        turns: &[Turn],
        input: Option<&Value>,
    ) -> Vec<Opinion> {
        let of_scripts = questions.into_iter().filter(|one| one.script.is_some());
        let open = open(of_scripts.collect(), turns);
        let asked = open.iter().filter_map(|question| {
            let function = question.script.as_ref()?;
            let judged = Judgment {
                question,
                turns,
                input,
            };
            let own = question.timeout_ms.map(Duration::from_millis);
            let since = Instant::now();
            let called = call(Calling {
                settings: Arc::clone(&self.settings),
                host: self.host.clone(),
                stop: Stop::default(),
                path: function.path.clone(),
                function: function.function.clone(),
                arguments: arguments(judged),
                timeout: own.unwrap_or(SCRIPT_TIMEOUT),
                memory: Memory::default(),
            });
            let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
            Some(Opinion {
                about: question.about(),
                samples: vec![sample(called, spent)],
            })
        });
        asked.collect()
    }
}
