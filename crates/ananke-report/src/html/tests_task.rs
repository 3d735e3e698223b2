//! Tasks and data as the page holds them.

use insta::assert_snapshot;

use super::tests::{island, page};
use crate::samples::{HOSTILE, hostile_task, invoiced, listed, run};

#[test]
fn the_page_reads_a_task() {
    let page = page(&run(vec![invoiced("a"), listed("b")]));
    let chunk = island(&page, "chunk-0");
    assert_snapshot!(chunk[0]["turns"][0]["task"], @r#"{"st":[["submitted",1000],["working",2000],["completed",900000]],"ids":"id task-1, context ctx-1","sp":"1.0 over JSONRPC at http://localhost:9999/, streamed","arts":[{"n":"invoice","z":"19 characters, 1 data part","d":"What to pay","x":"Total: 42\nThank you","p":["{\"total\":42}"]},{"n":"a-2","z":"1 file","p":["{\"url\":\"http://h/a.png\",\"mediaType\":\"image/png\"}"]}],"no":"this agent exposes no tool calls"}"#);
    assert_snapshot!(chunk[1]["turns"][0]["data"], @r#""{\"tools\":[{\"name\":\"add\"}]}""#);
}

#[test]
fn hostile_tasks_stay_in_their_island() {
    let page = page(&run(vec![hostile_task("h")]));
    assert!(!page.contains("<img src=x"));
    let task = &island(&page, "chunk-0")[0]["turns"][0]["task"];
    assert_eq!(task["arts"][0]["x"], HOSTILE);
}
