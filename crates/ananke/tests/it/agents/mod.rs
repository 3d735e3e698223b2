//! Agents that help to test agents: simulators, judges, generators and reporters, all of them scripted.

mod desk;
mod documented;
mod folder;
mod helpers;
