//! A program that is asked a question: JSON on stdin, an answer on stdout, and its end.

use super::bounded::{Bounded, End, Within};
use super::group::Launch;
use super::output::drain;
use super::survivors::{Survivor, find_survivors};

/// What came of a question.
#[derive(Debug)]
pub(crate) struct Program {
    /// What it printed, or why that is no answer.
    pub(crate) answer: Result<Vec<u8>, ProgramFailure>,
    /// The last lines of stderr.
    pub(crate) stderr: Vec<String>,
    /// What it left in the background; that was ended.
    pub(crate) left: Vec<Survivor>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum ProgramFailure {
    /// It cannot be started.
    Start(std::io::Error),
    /// It ended with another status than success, or could not be waited for.
    Exit(String),
    /// It printed more than it may.
    Flood,
    /// It took too long.
    Timeout,
    /// The user stopped the run.
    Cancelled,
}

/// Asks a program; nothing of it is left when this returns.
pub(crate) async fn run_program(
    launch: &Launch<'_>,
    input: Vec<u8>,
    within: Within<'_>,
) -> Program {
    let bounded = match Bounded::run(launch, Some(input), within).await {
        Ok(bounded) => bounded,
        Err(error) => {
            return Program {
                answer: Err(ProgramFailure::Start(error)),
                stderr: Vec::new(),
                left: Vec::new(),
            };
        }
    };
    let failure = match &bounded.end {
        End::Exit(Ok(status)) if status.success() => None,
        End::Exit(Ok(status)) => Some(ProgramFailure::Exit(status.to_string())),
        End::Exit(Err(error)) => {
            let why = format!("it cannot be waited for: {error}");
            Some(ProgramFailure::Exit(why))
        }
        End::Flood => Some(ProgramFailure::Flood),
        End::Timeout => Some(ProgramFailure::Timeout),
        End::Cancelled => Some(ProgramFailure::Cancelled),
    };
    let has_exited = matches!(bounded.end, End::Exit(Ok(_)));
    let (group, mut readers, printed) = bounded.into_parts();
    // What is in the pipes was printed before the end, whoever still holds them open.
    drain(&mut readers).await;
    let left = if has_exited {
        let left = find_survivors(vec![group.mark().to_owned()]).await;
        group.end_with(&left).await;
        left
    } else {
        group.end().await
    };
    drain(&mut readers).await;
    let answer = match failure {
        Some(failure) => Err(failure),
        None => printed.stdout().ok_or(ProgramFailure::Flood),
    };
    Program {
        answer,
        stderr: printed.stderr(),
        left,
    }
}
