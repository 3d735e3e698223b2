//! Functions that judge a recording again: those whose text has changed since, or that were not asked when it was made. They
//! reach nobody, so that judging again needs nothing but the recording.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Digests of files as they are now, by their names.
    digests: Arc<Mutex<Digests>>,
}

type Digests = HashMap<Vec<String>, Option<String>>;

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
            digests: Arc::default(),
        }
    }

    /// Returns the folder that names of scripts begin at, if it is known.
    pub(crate) fn root(&self) -> Option<&Path> {
        let root = self.host.root.as_path();
        Some(root).filter(|root| !root.as_os_str().is_empty())
    }

    /// Returns a digest over the texts of files below the root as they are now; nothing if one of them is gone.
    pub(crate) fn digest_of(&self, root: &Path, modules: &[String]) -> Option<String> {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = digests.get(modules) {
            return known.clone();
        }
        let digest = ananke_script::digest_of(root, modules);
        digests.insert(modules.to_vec(), digest.clone());
        digest
    }

    /// Returns a turn without what functions said whose files are not those that they were run from: they are to be asked again.
    /// What an older recording says nothing about is not compared.
    pub(crate) fn without_changed(&self, mut turn: Turn) -> Turn {
        if let Some(root) = self.root() {
            turn.opinions.retain(|opinion| {
                opinion.digest.is_empty()
                    || self.digest_of(root, &opinion.modules).as_ref() == Some(&opinion.digest)
            });
        }
        turn
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
            let mut called = call(Calling {
                settings: Arc::clone(&self.settings),
                host: self.host.clone(),
                stop: Stop::default(),
                path: function.path.clone(),
                function: function.function.clone(),
                arguments: arguments(judged),
                timeout: own.unwrap_or(SCRIPT_TIMEOUT),
                memory: Memory::default(),
            })
            .strict();
            if let Err(failure) = &mut called.result {
                out_of_reach(&mut failure.message);
            }
            let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
            Some(Opinion {
                about: question.about(),
                modules: std::mem::take(&mut called.modules),
                digest: std::mem::take(&mut called.digest),
                samples: vec![sample(called, spent)],
            })
        });
        asked.collect()
    }
}

/// Says why something is out of reach: not because the config does not grant it.
fn out_of_reach(message: &mut String) {
    if let Some((what, _)) = message.split_once(" is not granted to scripts") {
        *message = format!(
            "{what} is out of reach: a recording is judged, so nothing outside of it is used"
        );
    }
}
