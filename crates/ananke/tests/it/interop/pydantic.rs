//! pydantic-ai: tools, several turns, approvals, client tools, shared state, reasoning.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{has_python, report};

#[test]
fn pydantic_ai_behaves_as_its_suite_says() {
    if !has_python("interop with pydantic-ai") {
        return;
    }
    let server = Server::pydantic();
    let report = report("pydantic", &["--var", &format!("URL={}", server.url())]);
    assert_snapshot!(digest(&report), @"");
}
