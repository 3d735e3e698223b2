//! Which types events may have, and what a type outside of them was meant to be.

/// Which types events may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// The nineteen types of the first servers of this kind. `CUSTOM_` followed by a name counts as `CUSTOM`: that is how
    /// these servers spell their extensions.
    Nineteen,
    /// All that AG-UI before 1.0 had.
    Old,
    /// The types of AG-UI 1.0.
    V1,
}

const NINETEEN: [&str; 19] = [
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "STEP_STARTED",
    "STEP_FINISHED",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_CHUNK",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "RAW",
    "CUSTOM",
];
const LATER: [&str; 12] = [
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "REASONING_START",
    "REASONING_END",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_ENCRYPTED_VALUE",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "SUBAGENT_ERROR",
];
const RETIRED: [(&str, &str); 5] = [
    ("THINKING_START", "REASONING_START"),
    ("THINKING_END", "REASONING_END"),
    ("THINKING_TEXT_MESSAGE_START", "REASONING_MESSAGE_START"),
    ("THINKING_TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"),
    ("THINKING_TEXT_MESSAGE_END", "REASONING_MESSAGE_END"),
];
const LEGACY: [(&str, &str); 8] = [
    ("run.start", "RUN_STARTED"),
    ("run.step", "STEP_STARTED"),
    ("run.finished", "RUN_FINISHED"),
    ("assistant.delta", "TEXT_MESSAGE_CONTENT"),
    ("assistant.message", "TEXT_MESSAGE_END"),
    ("tool.call.start", "TOOL_CALL_START"),
    ("tool.call.end", "TOOL_CALL_END"),
    ("state", "STATE_SNAPSHOT"),
];

impl Vocabulary {
    /// All of them, in the order in which they came to be.
    pub const ALL: [Self; 3] = [Self::Nineteen, Self::Old, Self::V1];

    /// Returns what users type: `19`, `0.x` or `1.0`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nineteen => "19",
            Self::Old => "0.x",
            Self::V1 => "1.0",
        }
    }

    /// Returns the vocabulary with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|vocabulary| vocabulary.name() == name)
    }

    /// Returns what it is, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Nineteen => "the 19 canonical types",
            Self::Old => "the types of AG-UI 0.x",
            Self::V1 => "the types of AG-UI 1.0",
        }
    }

    /// Tells whether events may have this type.
    pub(super) fn has(self, kind: &str) -> bool {
        let is_retired = RETIRED.iter().any(|(retired, _)| *retired == kind);
        NINETEEN.contains(&kind)
            || match self {
                Self::Nineteen => is_extension(kind),
                Self::Old => LATER.contains(&kind) || is_retired,
                Self::V1 => LATER.contains(&kind),
            }
    }

    /// Says what a type outside of the vocabulary should be; nothing if there is no telling.
    pub(super) fn instead_of(self, kind: &str) -> String {
        if let Some((_, twin)) = LEGACY.iter().find(|(legacy, _)| *legacy == kind) {
            return format!(": its canonical name is `{twin}`");
        }
        if let Some((_, twin)) = RETIRED.iter().find(|(retired, _)| *retired == kind) {
            return match self {
                Self::V1 => format!(": it was retired for `{twin}`"),
                _ => ": AG-UI 0.x has it, see `--vocabulary 0.x`".to_owned(),
            };
        }
        if LATER.contains(&kind) {
            return ": newer versions of AG-UI have it, see `--vocabulary 1.0`".to_owned();
        }
        if is_extension(kind) {
            return ": an extension is `CUSTOM` with a `name`".to_owned();
        }
        let known = NINETEEN.into_iter().chain(LATER);
        let mut same = known.filter(|known| self.has(known) && letters(known) == letters(kind));
        match same.next() {
            Some(twin) => format!(": it is spelled `{twin}`"),
            None if is_dotted(kind) => ": an extension is `CUSTOM` with a `name`".to_owned(),
            None => String::new(),
        }
    }
}

/// Returns the canonical name of a type: legacy ones have a twin.
pub(super) fn canonical(kind: &str) -> &str {
    let twin = LEGACY.iter().find(|(legacy, _)| *legacy == kind);
    twin.map_or(kind, |(_, twin)| twin)
}

/// Tells whether the type is one whose shape is known, whatever the vocabulary.
pub(super) fn is_recognised(kind: &str) -> bool {
    let kind = canonical(kind);
    Vocabulary::Old.has(kind) || is_extension(kind)
}

/// Tells whether a type is `CUSTOM_` followed by a name in the same spelling.
pub(super) fn is_extension(kind: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let name = kind.strip_prefix("CUSTOM_");
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_plain))
}

fn is_dotted(kind: &str) -> bool {
    kind.contains('.')
        && kind
            .bytes()
            .all(|byte| byte == b'.' || byte.is_ascii_lowercase())
}

fn letters(kind: &str) -> String {
    let letters = kind.chars().filter(|char| char.is_alphanumeric());
    letters.map(|char| char.to_ascii_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use insta::assert_snapshot;

    use super::{LATER, NINETEEN, RETIRED, Vocabulary};

    #[test]
    fn the_vocabularies_have_nineteen_thirty_six_and_thirty_one_types() {
        let retired = RETIRED.map(|(kind, _)| kind);
        let all = || NINETEEN.iter().chain(&LATER).chain(&retired);
        let counts =
            Vocabulary::ALL.map(|vocabulary| all().filter(|kind| vocabulary.has(kind)).count());
        assert_eq!(counts, [19, 36, 31]);
    }

    #[test]
    fn a_type_outside_is_told_what_it_should_be() {
        let mut out = String::new();
        for vocabulary in Vocabulary::ALL {
            writeln!(out, "{}", vocabulary.name()).unwrap();
            let kinds = [
                "run.start",
                "assistant.message",
                "REASONING_START",
                "THINKING_END",
                "RunStarted",
                "CUSTOM_COST",
                "CUSTOM_",
                "memory.write",
                "PING",
            ];
            for kind in kinds.into_iter().filter(|kind| !vocabulary.has(kind)) {
                writeln!(out, "  {kind}{}", vocabulary.instead_of(kind)).unwrap();
            }
        }
        assert_snapshot!(out, @"
        19
          run.start: its canonical name is `RUN_STARTED`
          assistant.message: its canonical name is `TEXT_MESSAGE_END`
          REASONING_START: newer versions of AG-UI have it, see `--vocabulary 1.0`
          THINKING_END: AG-UI 0.x has it, see `--vocabulary 0.x`
          RunStarted: it is spelled `RUN_STARTED`
          CUSTOM_: it is spelled `CUSTOM`
          memory.write: an extension is `CUSTOM` with a `name`
          PING
        0.x
          run.start: its canonical name is `RUN_STARTED`
          assistant.message: its canonical name is `TEXT_MESSAGE_END`
          RunStarted: it is spelled `RUN_STARTED`
          CUSTOM_COST: an extension is `CUSTOM` with a `name`
          CUSTOM_: it is spelled `CUSTOM`
          memory.write: an extension is `CUSTOM` with a `name`
          PING
        1.0
          run.start: its canonical name is `RUN_STARTED`
          assistant.message: its canonical name is `TEXT_MESSAGE_END`
          THINKING_END: it was retired for `REASONING_END`
          RunStarted: it is spelled `RUN_STARTED`
          CUSTOM_COST: an extension is `CUSTOM` with a `name`
          CUSTOM_: it is spelled `CUSTOM`
          memory.write: an extension is `CUSTOM` with a `name`
          PING
        ");
    }
}
