//! `ananke conform` on agents of A2A that we did not write, in both versions.

use insta::assert_snapshot;

use super::conform::{conform_by, stable};
use super::server::Server;
use super::{has_both_pythons, has_node};

fn conform(known: &str, server: &Server, more: &[&str]) -> String {
    let url = server.url().trim_end_matches('/');
    stable(&conform_by("a2a-words.yaml", known, url, more))
}

#[test]
fn the_python_sdk_of_today() {
    if !has_both_pythons("conformance of a2a-sdk 1") {
        return;
    }
    let server = Server::a2a(&[]);
    assert_snapshot!(conform("a2a-py", &server, &[]), @r#"
    card pass
    hello pass
    stream pass
    continue warn
    probes pass
    a2a.first-event [continue
    baseline {"n_matched":1,"stale":[],"unseen":[]}
    "#);
    let compatible = conform("a2a-py-compat", &server, &["--profile", "a2a@0.3"]);
    assert_snapshot!(compatible, @r#"
    card pass
    hello pass
    stream pass
    continue pass
    probes warn
    a2a.bad-params [probes
    baseline {"n_matched":1,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn the_python_sdk_before() {
    if !has_both_pythons("conformance of a2a-sdk 0.3") {
        return;
    }
    let server = Server::a2a_old(&[]);
    assert_snapshot!(conform("a2a-old", &server, &[]), @r#"
    card pass
    hello pass
    stream pass
    continue pass
    probes pass
    baseline {"n_matched":0,"stale":[],"unseen":[]}
    "#);
}

#[test]
fn the_node_sdk() {
    if !has_node("conformance of @a2a-js/sdk") {
        return;
    }
    let server = Server::a2a_node(&[]);
    assert_snapshot!(conform("a2a-js", &server, &[]), @r#"
    card pass
    hello pass
    stream pass
    continue pass
    probes pass
    baseline {"n_matched":0,"stale":[],"unseen":[]}
    "#);
    let compatible = conform("a2a-js-compat", &server, &["--profile", "a2a@0.3"]);
    assert_snapshot!(compatible, @r#"
    card pass
    hello pass
    stream pass
    continue pass
    probes pass
    baseline {"n_matched":0,"stale":[],"unseen":[]}
    "#);
}
