//! Proxies, as the usual environment variables name them.

use ananke_testkit::{RawRequest, RawServer, hello_run};
use insta::assert_snapshot;

use crate::faults::{Fault, answers, sends};

/// An agent at this address can be reached through a proxy only.
const FAR: &str = "http://agent.invalid/run";

fn lines(server: &RawServer) -> Vec<String> {
    let requests = server.requests().into_iter();
    requests.map(|request: RawRequest| request.line).collect()
}

#[test]
fn http_goes_through_the_proxy_with_the_whole_url() {
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        let proxy = sends(hello_run());
        let fault = Fault::at(FAR);
        fault.write();
        let output = fault.run(&["run"], &[(name, &proxy.url())]);
        assert_eq!(output.code, Some(0), "{name}: {output}");
        assert_eq!(lines(&proxy), ["POST http://agent.invalid/run HTTP/1.1"]);
    }
}

#[test]
fn a_proxy_may_be_named_without_a_scheme() {
    let proxy = sends(hello_run());
    let fault = Fault::at(FAR);
    fault.write();
    let output = fault.run(&["run"], &[("http_proxy", &proxy.address().to_string())]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(proxy.n_connections(), 1);
}

#[test]
fn lower_case_wins() {
    let (lower, upper) = (sends(hello_run()), sends(hello_run()));
    let fault = Fault::at(FAR);
    fault.write();
    let env = [("HTTP_PROXY", upper.url()), ("http_proxy", lower.url())];
    let env = env.each_ref().map(|(name, url)| (*name, url.as_str()));
    assert_eq!(fault.run(&["run"], &env).code, Some(0));
    assert_eq!((lower.n_connections(), upper.n_connections()), (1, 0));
}

#[test]
fn the_proxy_is_not_used_for_hosts_of_no_proxy() {
    for excepted in ["127.0.0.1", "*", "localhost,127.0.0.1", "127.0.0.0/8"] {
        let (agent, proxy) = (sends(hello_run()), sends(hello_run()));
        let fault = Fault::at(&agent.url());
        fault.write();
        let env = [
            ("http_proxy", proxy.url()),
            ("NO_PROXY", excepted.to_owned()),
        ];
        let env = env.each_ref().map(|(name, value)| (*name, value.as_str()));
        let output = fault.run(&["run"], &env);
        assert_eq!(output.code, Some(0), "{excepted}: {output}");
        assert_eq!((agent.n_connections(), proxy.n_connections()), (1, 0));
    }
}

#[test]
fn a_proxy_of_the_other_scheme_is_not_used() {
    let (agent, proxy) = (sends(hello_run()), sends(hello_run()));
    let fault = Fault::at(&agent.url());
    fault.write();
    assert_eq!(
        fault.run(&["run"], &[("https_proxy", &proxy.url())]).code,
        Some(0)
    );
    assert_eq!((agent.n_connections(), proxy.n_connections()), (1, 0));
}

#[test]
fn the_password_of_a_proxy_goes_to_the_proxy() {
    let proxy = sends(hello_run());
    let fault = Fault::at(FAR);
    fault.write();
    let url = format!("http://joe:s3cret@{}", proxy.address());
    assert_eq!(fault.run(&["run"], &[("http_proxy", &url)]).code, Some(0));
    assert_eq!(
        proxy.requests()[0].header("proxy-authorization"),
        Some("Basic am9lOnMzY3JldA==")
    );
}

#[test]
fn a_proxy_that_refuses_a_tunnel_is_told() {
    let proxy = answers("HTTP/1.1 403 Forbidden\r\ncontent-length: 3\r\n\r\nno!");
    let fault = Fault::at("https://agent.invalid/run");
    assert_snapshot!(fault.shown_with(&[("https_proxy", &proxy.url())]), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://agent.invalid (the proxy is `http://[HOST]/`): tunnel error: unsuccessful
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
    assert!(
        lines(&proxy)
            .iter()
            .all(|line| line == "CONNECT agent.invalid:443 HTTP/1.1")
    );
}

#[test]
fn a_proxy_that_wants_a_password_is_told() {
    let proxy = answers(
        "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n",
    );
    let fault = Fault::at("https://agent.invalid/run");
    assert_snapshot!(fault.shown_with(&[("https_proxy", &proxy.url())]), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://agent.invalid (the proxy is `http://[HOST]/`): tunnel error: proxy authorization required
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_proxy_that_is_not_there_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    assert_snapshot!(Fault::at(FAR).shown_with(&[("http_proxy", &url)]), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to http://agent.invalid (the proxy is `http://[HOST]`): Connection refused
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_proxy_that_is_no_url_is_told() {
    assert_snapshot!(Fault::at(FAR).shown_with(&[("http_proxy", "http://[")]), @"
    exit code: 2
    --- stdout
    --- json
    ?
    --- stderr
    error: the proxy `http://[` cannot be used: invalid IPv6 address
    hint: see HTTP_PROXY, HTTPS_PROXY and ALL_PROXY in the environment
    ");
}

#[test]
fn a_proxy_of_an_unknown_kind_is_refused_not_passed_by() {
    let shown = Fault::at(FAR).shown_with(&[("http_proxy", "socks9://user:secretpw@h:1")]);
    assert!(shown.starts_with("exit code: 2\n"), "{shown}");
    assert!(shown.contains("a proxy has the scheme `socks9`"), "{shown}");
    assert!(!shown.contains("secretpw"), "{shown}");
}

#[test]
fn the_password_of_an_unusable_proxy_is_not_shown() {
    let shown = Fault::at(FAR).shown_with(&[("http_proxy", "http://user:secretpw@[")]);
    assert!(shown.starts_with("exit code: 2\n"), "{shown}");
    assert!(!shown.contains("secretpw"), "{shown}");
}
