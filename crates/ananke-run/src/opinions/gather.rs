//! Asks judges what a block needs to know: each question as often as it says, several at a time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ananke_assert::Question;
use ananke_model::agent::{Opinion, Sample};
use ananke_model::recording::Turn;
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::reply;
use super::script::by_script;
use crate::agents::{Ask, AskErrorKind, ask, bounded};
use crate::dynamic::conversation;
use crate::script::Judgment;
use crate::session::shown_time;
use crate::world::World;

/// How long one answer may take if neither the check nor the judge says so.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How many answers of one test are waited for at once.
const AT_ONCE: usize = 8;

/// What judges said.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) opinions: Vec<Opinion>,
    /// Whether the test's time was over before all of them had answered.
    pub(crate) is_late: bool,
}

/// What judges look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The turns before those that are judged.
    pub(crate) earlier: &'a [Turn],
    /// The turn that is judged, or all of them.
    pub(crate) turns: &'a [Turn],
    /// What was asked, if the test is a case.
    pub(crate) input: Option<&'a Value>,
}

/// Asks what is not known yet of the turns that are judged. `bounds` are how long the test may take in all, and when that
/// time is over.
pub(crate) async fn gather(
    world: &Arc<World>,
    questions: Vec<Question>,
    seen: Seen<'_>,
    bounds: (Duration, Instant),
) -> Gathered {
    let Seen { earlier, turns, .. } = seen;
    let questions = open(questions, turns);
    let input = turns.iter().rev().find_map(|turn| turn.user.as_deref());
    let all = || earlier.iter().chain(turns);
    let conversation = conversation(all());
    let said = all().flat_map(|turn| turn.user.as_deref().into_iter().chain([turn.text.as_str()]));
    let said: Vec<&str> = said.collect();
    let asked: Vec<Asked<'_>> = questions
        .iter()
        .map(|one| Asked::new(one, input, &conversation, &said))
        .collect();
    let mut answers: Vec<Answering<'_>> = Vec::new();
    for (index, one) in asked.iter().enumerate() {
        for _ in 0..one.question.samples {
            answers.push(match &one.question.script {
                None => Box::pin(async move {
                    let (sample, is_over) = one.answer(world, bounds).await;
                    (index, Answered::new(sample, is_over))
                }),
                Some(function) => {
                    let judged = Judgment {
                        question: one.question,
                        turns,
                        input: seen.input,
                    };
                    let answer = by_script(world, function, judged, bounds);
                    Box::pin(async move { (index, answer.await) })
                }
            });
        }
    }
    // In the order in which they were asked, so that a recording does not depend on who was faster.
    let mut answers = stream::iter(answers).buffered(AT_ONCE);
    let mut opinions: Vec<Opinion> = questions
        .iter()
        .map(|question| Opinion {
            about: question.about(),
            ..Opinion::default()
        })
        .collect();
    let mut is_late = false;
    while let Some((index, answered)) = answers.next().await {
        is_late |= answered.is_over;
        if let Some(opinion) = opinions.get_mut(index) {
            opinion.samples.push(answered.sample);
            opinion.modules = answered.modules;
            opinion.digest = answered.digest;
        }
    }
    Gathered { opinions, is_late }
}

/// Returns each question once, as often as it is to be asked at most, without those that were answered.
pub(super) fn open(questions: Vec<Question>, turns: &[Turn]) -> Vec<Question> {
    let known = |question: &Question| {
        let about = question.about();
        let opinions = turns.iter().flat_map(|turn| &turn.opinions);
        let samples = opinions
            .filter(|opinion| opinion.about == about)
            .map(|opinion| opinion.samples.len());
        let n_known = samples.max().and_then(|n| u32::try_from(n).ok());
        n_known.is_some_and(|n| n >= question.samples)
    };
    let mut open: Vec<Question> = Vec::new();
    for question in questions {
        let about = question.about();
        match open.iter_mut().find(|one| one.about() == about) {
            Some(same) => {
                same.samples = same.samples.max(question.samples);
                same.timeout_ms = same.timeout_ms.max(question.timeout_ms);
            }
            None if known(&question) => {}
            None => open.push(question),
        }
    }
    open
}

/// Says that an answer did not come: before the test's time was over, or within its own.
pub(super) fn no_answer(limit: Duration, own: Duration, is_whole: bool) -> String {
    match is_whole {
        true => format!(
            "no answer before the test's time of {} was over",
            shown_time(limit)
        ),
        false => format!("no answer within {}", shown_time(own)),
    }
}

/// Hides secrets in an answer. Reasons are cut when they are shown: what a secret was in them must not depend on where.
pub(super) fn hide(world: &World, sample: &mut Sample) {
    sample.reason = world.redactor.text(&sample.reason).into_owned();
    world.redactor.value(&mut sample.answer);
}

/// One answer on its way, with the number of its question.
type Answering<'a> = Pin<Box<dyn Future<Output = (usize, Answered)> + Send + 'a>>;

/// One answer.
pub(super) struct Answered {
    pub(super) sample: Sample,
    /// Whether the test's time was over before it came.
    pub(super) is_over: bool,
    /// The files that were loaded for it, and a digest over their texts.
    pub(super) modules: Vec<String>,
    pub(super) digest: String,
}

impl Answered {
    /// Returns an answer that no files were loaded for.
    pub(super) fn new(sample: Sample, is_over: bool) -> Self {
        Self {
            sample,
            is_over,
            modules: Vec::new(),
            digest: String::new(),
        }
    }
}

/// A question in the form in which a judge gets it.
pub(super) struct Asked<'q> {
    question: &'q Question,
    message: Value,
    metadata: Map<String, Value>,
    /// What it is shown, and may quote.
    shown: Vec<&'q str>,
}

impl<'q> Asked<'q> {
    pub(super) fn new(
        question: &'q Question,
        input: Option<&str>,
        conversation: &Value,
        said: &[&'q str],
    ) -> Self {
        let mut own = Map::new();
        own.extend(
            question
                .criteria
                .clone()
                .map(|it| ("criteria".to_owned(), it)),
        );
        if let Value::Object(metadata) = &question.metadata {
            let metadata = metadata.iter();
            let others = metadata.filter(|(name, _)| *name != "criteria");
            own.extend(others.map(|(name, value)| (name.clone(), value.clone())));
        }
        let mut message = Map::new();
        message.insert("output".to_owned(), question.output.as_str().into());
        message.insert("input".to_owned(), input.into());
        message.insert("conversation".to_owned(), conversation.clone());
        message.extend(own.clone());
        let mut metadata = Map::new();
        metadata.insert("test_mode".to_owned(), "validator".into());
        metadata.insert("conversation".to_owned(), conversation.clone());
        metadata.extend(own);
        Self {
            question,
            message: Value::Object(message),
            metadata,
            shown: [question.output.as_str()]
                .iter()
                .chain(said)
                .copied()
                .collect(),
        }
    }

    /// Asks once; also tells whether the test's time was over before an answer came.
    pub(super) async fn answer(
        &self,
        world: &Arc<World>,
        bounds: (Duration, Instant),
    ) -> (Sample, bool) {
        let (limit, deadline) = bounds;
        let own = self.limit(world);
        let since = Instant::now();
        let left = deadline.saturating_duration_since(since);
        let timeout = own.min(left);
        let is_whole = left < own;
        let late = || no_answer(limit, own, is_whole);
        if timeout.is_zero() {
            return (reply::none(late(), 0), is_whole);
        }
        let question = Ask {
            message: &self.message,
            metadata: &self.metadata,
            timeout,
        };
        let answer = ask(world, &self.question.agent, question).await;
        let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        let is_late = matches!(&answer, Err(error) if error.kind == AskErrorKind::Timeout);
        let mut sample = match answer {
            Ok(answer) => reply::read(&answer.last, &self.shown, answer.duration_us),
            Err(_) if is_late => reply::none(late(), spent),
            Err(error) => reply::none(error.message, spent),
        };
        hide(world, &mut sample);
        (sample, is_late && is_whole)
    }

    /// Returns how long one answer may take, whatever time the test has left.
    fn limit(&self, world: &World) -> Duration {
        let of_check = self.question.timeout_ms.map(Duration::from_millis);
        let Ok(target) = world.agent(&self.question.agent) else {
            return of_check.unwrap_or(ANSWER_TIMEOUT);
        };
        let of_judge = target.own_timeout_ms.map(Duration::from_millis);
        bounded(target, of_check.or(of_judge).unwrap_or(ANSWER_TIMEOUT))
    }
}
