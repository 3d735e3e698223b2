//! ag-ui-langgraph: threads on the server, snapshots, RAW events, calls that are streamed again.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_python, report, shown};

#[test]
fn langgraph_behaves_as_its_suite_says() {
    if !has_python("interop with LangGraph") {
        return;
    }
    let server = Server::langgraph();
    let url = format!("URL={}", server.url());

    let by_default = report("langgraph", &["both", "--target", "default", "--var", &url]);
    let with_outcome = report("langgraph", &["both", "--target", "outcome", "--var", &url]);
    assert_snapshot!(digest(&by_default), @"");
    // The raw events of `/` change nothing in what is folded.
    assert_eq!(digest(&by_default), digest(&with_outcome));

    let approvals = report("langgraph", &["outcome", "--var", &url]);
    assert_snapshot!(digest(&approvals), @"");

    // Without the library's opt-in an interrupt is a success with a CUSTOM event, so there is nothing to resume.
    let refused = ananke("langgraph", &["run", "refused", "--var", &url]);
    assert_snapshot!(shown(&refused), @"");
}
