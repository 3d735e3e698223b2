//! CopilotKit's runtime: its two envelopes, and `agui:connect`.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_node, report, shown};

#[test]
fn copilotkit_behaves_as_its_suite_says_in_both_envelopes() {
    if !has_node("interop with CopilotKit") {
        return;
    }
    let encoder = Server::encoder();
    let single = Server::copilot(&encoder, "single-route");
    let multi = Server::copilot(&encoder, "multi-route");
    let urls = [
        format!("SINGLE_URL={}", single.url()),
        format!("MULTI_URL={}", multi.url()),
    ];
    let vars = ["--var", &urls[0], "--var", &urls[1]];
    let chat = |target: &str| {
        let args = [&["chat", "--target", target], &vars[..]].concat();
        digest(&report("copilot", &args))
    };
    let refused = |target: &str| {
        let args = [&["run", "refused", "--target", target], &vars[..]].concat();
        shown(&ananke("copilot", &args))
    };
    let one_route = chat("single-route");
    assert_snapshot!(one_route, @"");
    assert_eq!(one_route, chat("multi-route"));
    assert_snapshot!(refused("single-route"), @"");
    assert_snapshot!(refused("multi-route"), @"");
}
