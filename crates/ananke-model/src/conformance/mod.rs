//! Is an agent server correct? What is asked of it, and what was found.

mod report;
mod setup;

pub use report::{
    BaselineVerdict, ClientVerdict, ConformanceReport, ExchangeSummary, Finding, KnownFailure,
    Layer, Level, RuleFacts, RuleVerdict, ScenarioVerdict, Severity, Verdict,
};
pub use setup::{
    Baseline, ConformSetup, InterruptScenario, OfferedFrontendTool, ScenarioPlan, ScenarioSetup,
};
