//! Functions of scripts: tests, checks, hooks, generators, agents, coverage.

mod checks;
mod coverage;
mod documented;
mod found;
mod hooks;
mod hostile;
mod reported;
mod run;
