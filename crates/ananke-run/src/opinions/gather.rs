//! Asks judges what a block needs to know: each question as often as it says, several at a time.

use std::pin::Pin;
use std::time::Duration;

use ananke_assert::Question;
use ananke_model::agent::{Opinion, Sample};
use ananke_model::recording::Turn;
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::reply;
use crate::agents::{Ask, AskErrorKind, ask};
use crate::session::{Context, shown_time};

/// How long one answer may take if the check does not say.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How many answers of one test are waited for at once.
const AT_ONCE: usize = 8;

/// Asks what is not known yet of `turns`: the turn that is judged, or all of them. `bounds` are how long the test may take
/// in all, and when that time is over.
pub(crate) async fn gather(
    context: &Context,
    questions: Vec<Question>,
    turns: &[Turn],
    bounds: (Duration, Instant),
) -> Vec<Opinion> {
    let questions = open(questions, turns);
    let input = turns.iter().rev().find_map(|turn| turn.user.as_deref());
    let asked: Vec<Asked<'_>> = questions.iter().map(|one| Asked::new(one, input)).collect();
    let mut answers: Vec<Answering<'_>> = Vec::new();
    for (index, one) in asked.iter().enumerate() {
        for _ in 0..one.question.samples {
            let answer = one.answer(context, bounds);
            answers.push(Box::pin(async move { (index, answer.await) }));
        }
    }
    // In the order in which they were asked, so that a recording does not depend on who was faster.
    let mut answers = stream::iter(answers).buffered(AT_ONCE);
    let mut opinions: Vec<Opinion> = questions
        .iter()
        .map(|question| Opinion {
            about: question.about(),
            samples: Vec::new(),
        })
        .collect();
    while let Some((index, sample)) = answers.next().await {
        if let Some(opinion) = opinions.get_mut(index) {
            opinion.samples.push(sample);
        }
    }
    opinions
}

/// Returns each question once, as often as it is to be asked at most, without those that were answered.
fn open(questions: Vec<Question>, turns: &[Turn]) -> Vec<Question> {
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

/// One answer on its way, with the number of its question.
type Answering<'a> = Pin<Box<dyn Future<Output = (usize, Sample)> + Send + 'a>>;

/// A question in the form in which a judge gets it.
struct Asked<'q> {
    question: &'q Question,
    message: Value,
    metadata: Map<String, Value>,
}

impl<'q> Asked<'q> {
    fn new(question: &'q Question, input: Option<&str>) -> Self {
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
        message.extend(own.clone());
        let mut metadata = Map::new();
        metadata.insert("test_mode".to_owned(), "validator".into());
        metadata.extend(own);
        Self {
            question,
            message: Value::Object(message),
            metadata,
        }
    }

    /// Asks once.
    async fn answer(&self, context: &Context, bounds: (Duration, Instant)) -> Sample {
        let (limit, deadline) = bounds;
        let own = self.question.timeout_ms;
        let own = own.map_or(ANSWER_TIMEOUT, Duration::from_millis);
        let since = Instant::now();
        let left = deadline.saturating_duration_since(since);
        let timeout = own.min(left);
        let late = || match left < own {
            true => format!(
                "no answer before the test's time of {} was over",
                shown_time(limit)
            ),
            false => format!("no answer within {}", shown_time(own)),
        };
        if timeout.is_zero() {
            return reply::none(late(), 0);
        }
        let question = Ask {
            message: &self.message,
            metadata: &self.metadata,
            timeout,
        };
        let answer = ask(context, &self.question.agent, question).await;
        let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        let mut sample = match answer {
            Ok(answer) => reply::read(&answer.text, answer.duration_us),
            Err(error) if error.kind == AskErrorKind::Timeout => reply::none(late(), spent),
            Err(error) => reply::none(error.message, spent),
        };
        // Reasons are cut when they are shown: what a secret was in them must not depend on where.
        sample.reason = context.redactor.text(&sample.reason).into_owned();
        context.redactor.value(&mut sample.answer);
        sample
    }
}
