//! Whatever an MCP server answers, putting it into words never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| ananke_protocol::mcp::fuzzing::tell(body));
