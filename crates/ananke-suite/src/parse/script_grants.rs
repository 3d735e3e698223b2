//! `scripts` of the config: what scripts may touch.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::object::Object;
use super::values::texts;
use crate::schema::SCRIPTS;
use crate::yaml::Node;

/// What scripts may touch, as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScriptsSpec {
    /// Hosts.
    pub(crate) net: Vec<Text>,
    /// Folders and files, from the folder of the config.
    pub(crate) fs: Vec<Text>,
    /// Names of environment variables.
    pub(crate) env: Vec<Text>,
}

/// Reads `scripts`. What cannot be granted is left out and reported.
pub(super) fn scripts(node: &Node, found: &mut Found) -> ScriptsSpec {
    let Some(object) = Object::open(node, &SCRIPTS, found) else {
        return ScriptsSpec::default();
    };
    let mut granted = |key: &str, problem: fn(&str) -> Option<Problem>| {
        let node = object.get(key);
        let texts = node.and_then(|node| texts(node, found)).unwrap_or_default();
        let usable = texts.into_iter().filter(|text| match problem(&text.text) {
            Some((message, hint)) => {
                found.push(Diagnostic::error(&text.place, message).hint(hint));
                false
            }
            None => true,
        });
        usable.collect()
    };
    ScriptsSpec {
        net: granted("net", host_problem),
        fs: granted("fs", path_problem),
        env: granted("env", name_problem),
    }
}

/// What is wrong, and what to do.
type Problem = (String, String);

/// Returns why something is no host. One with references is known only when the run begins.
fn host_problem(host: &str) -> Option<Problem> {
    if host.contains("${") || host == "*" {
        return None;
    }
    let message = format!("`{host}` is not a host");
    if let Some((_, rest)) = host.split_once("://") {
        let own = rest.split(['/', '?', '#']).next().unwrap_or_default();
        return Some((message, format!("write the host alone: `{own}`")));
    }
    if let Some((own, _)) = host.split_once(['/', '?', '#']) {
        return Some((message, format!("leave the path out: `{own}`")));
    }
    if host.contains('@') || host.contains(char::is_whitespace) {
        let hint = "write a host such as `api.example.com`".to_owned();
        return Some((message, hint));
    }
    let (name, port) = match (host.strip_prefix('['), host.rsplit_once(':')) {
        // Colons are a part of such an address.
        (Some(address), _) => match address.split_once(']') {
            Some((address, "")) => (address, None),
            Some((address, port)) => (address, port.strip_prefix(':').or(Some(port))),
            None => return Some((message, "close the bracket: `[::1]:8080`".to_owned())),
        },
        (None, Some((name, _))) if name.contains(':') => {
            let hint = format!("write the address in brackets: `[{host}]`");
            return Some((message, hint));
        }
        (None, Some((name, port))) => (name, Some(port)),
        (None, None) => (host, None),
    };
    if port.is_some_and(|port| !port.parse::<u16>().is_ok_and(|port| port > 0)) {
        let hint = "a port is a number from 1 to 65535".to_owned();
        return Some((message, hint));
    }
    let below = name.strip_prefix("*.").unwrap_or(name);
    if below.contains('*') || below.is_empty() {
        let hint = "`*` stands alone or at the beginning: `*`, `*.example.com`".to_owned();
        return Some((message, hint));
    }
    None
}

fn path_problem(path: &str) -> Option<Problem> {
    let message = format!("`{path}` is not a path");
    if path.contains("${") {
        let hint = "write it as it is, from the folder of the config".to_owned();
        return Some((message, hint));
    }
    if path.contains('*') {
        let hint = "name the folder: all that lies in it is granted".to_owned();
        return Some((message, hint));
    }
    path.starts_with('~').then(|| {
        let hint = "write the whole path, or one from the folder of the config".to_owned();
        (message, hint)
    })
}

fn name_problem(name: &str) -> Option<Problem> {
    let bare = name.trim_start_matches('$').trim_matches(['{', '}']);
    let bare = bare.strip_prefix("ENV.").unwrap_or(bare);
    let is_word = |text: &str| {
        !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.is_empty()
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if is_word(name) {
        return None;
    }
    let message = format!("`{name}` is not the name of an environment variable");
    let hint = match is_word(bare) {
        true => format!("write `{bare}`"),
        false => "write each name by itself, such as `API_TOKEN`".to_owned(),
    };
    Some((message, hint))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{CONFIG, config_problems};

    fn grants(scripts: &str) -> String {
        config_problems(&format!("{CONFIG}scripts: {scripts}\n"))
    }

    #[test]
    fn hosts_paths_and_names_are_granted() {
        let hosts =
            "[api.example.com, 'localhost:8080', '*.example.com', '*', '[::1]:80', '${ENV.A:-h}']";
        assert_eq!(
            grants(&format!(
                "{{net: {hosts}, fs: [fixtures, /tmp/a], env: [TOKEN, a_1]}}"
            )),
            ""
        );
        assert_eq!(grants("{net: localhost}"), "");
    }

    #[test]
    fn what_cannot_be_granted_is_refused() {
        assert_snapshot!(grants("{net: ['https://api.example.com/v1', 'a.com/x', 'a b', 'a:0', 'a:http', '::1', '[::1', 'a*.com', '*.']}"), @"
        ananke.config.yaml:5:17 error `https://api.example.com/v1` is not a host |  | write the host alone: `api.example.com`
        ananke.config.yaml:5:47 error `a.com/x` is not a host |  | leave the path out: `a.com`
        ananke.config.yaml:5:58 error `a b` is not a host |  | write a host such as `api.example.com`
        ananke.config.yaml:5:65 error `a:0` is not a host |  | a port is a number from 1 to 65535
        ananke.config.yaml:5:72 error `a:http` is not a host |  | a port is a number from 1 to 65535
        ananke.config.yaml:5:82 error `::1` is not a host |  | write the address in brackets: `[::1]`
        ananke.config.yaml:5:89 error `[::1` is not a host |  | close the bracket: `[::1]:8080`
        ananke.config.yaml:5:97 error `a*.com` is not a host |  | `*` stands alone or at the beginning: `*`, `*.example.com`
        ananke.config.yaml:5:107 error `*.` is not a host |  | `*` stands alone or at the beginning: `*`, `*.example.com`
        ");
        assert_snapshot!(grants("{fs: ['${ENV.HOME}/x', '~/x', 'a/*'], env: ['$TOKEN', '${ENV.TOKEN}', '*', 'A B', '1A']}"), @"
        ananke.config.yaml:5:16 error `${ENV.HOME}/x` is not a path |  | write it as it is, from the folder of the config
        ananke.config.yaml:5:33 error `~/x` is not a path |  | write the whole path, or one from the folder of the config
        ananke.config.yaml:5:40 error `a/*` is not a path |  | name the folder: all that lies in it is granted
        ananke.config.yaml:5:54 error `$TOKEN` is not the name of an environment variable |  | write `TOKEN`
        ananke.config.yaml:5:64 error `${ENV.TOKEN}` is not the name of an environment variable |  | write `TOKEN`
        ananke.config.yaml:5:80 error `*` is not the name of an environment variable |  | write each name by itself, such as `API_TOKEN`
        ananke.config.yaml:5:85 error `A B` is not the name of an environment variable |  | write each name by itself, such as `API_TOKEN`
        ananke.config.yaml:5:92 error `1A` is not the name of an environment variable |  | write each name by itself, such as `API_TOKEN`
        ");
        assert_snapshot!(grants("{nett: a, hosts: b, net: {a: 1}}"), @"
        ananke.config.yaml:5:11 error unknown key `nett` in `scripts` | expected `net`, `fs` or `env` | did you mean `net`?
        ananke.config.yaml:5:20 error unknown key `hosts` in `scripts` | expected `net`, `fs` or `env` | write `net`
        ananke.config.yaml:5:35 error expected text or a list of texts, found a map
        ");
        assert_snapshot!(grants("[net]"), @"ananke.config.yaml:5:10 error expected a map, found a list | expected `net`, `fs` or `env`");
    }
}
