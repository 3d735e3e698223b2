//! What scripts may reach.

use std::path::{Component, Path, PathBuf};

use ananke_model::script::Grants;
use url::Url;

/// Says why a script may not ask `url`, if it may not.
pub(super) fn net(grants: &Grants, url: &Url) -> Result<(), String> {
    let Some(host) = url
        .host_str()
        .filter(|_| matches!(url.scheme(), "http" | "https"))
    else {
        return Err(format!(
            "scripts reach http and https URLs only, not `{url}`"
        ));
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let port = url.port_or_known_default();
    let is_granted = grants
        .net
        .iter()
        .any(|grant| matches(&grant.text, host, port));
    if is_granted {
        return Ok(());
    }
    let shown = match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    Err(format!(
        "the host `{shown}` is not granted to scripts; grant it in the config: scripts: {{net: [{}]}}",
        quoted(&shown)
    ))
}

/// Tells whether a grant is about a host: `*`, `example.com`, `*.example.com`, each with a port or for all ports.
fn matches(grant: &str, host: &str, port: Option<u16>) -> bool {
    let grant = grant.trim().to_ascii_lowercase();
    let grant = grant
        .strip_prefix("https://")
        .or_else(|| grant.strip_prefix("http://"))
        .unwrap_or(&grant);
    let grant = grant.trim_end_matches('/');
    let (name, wanted) = match grant.rsplit_once(':') {
        // The last part of an address such as `[::1]` is no port.
        Some((name, wanted)) if !wanted.ends_with(']') => match wanted.parse::<u16>() {
            Ok(wanted) => (name, Some(wanted)),
            Err(_) => return false,
        },
        _ => (grant, None),
    };
    if wanted.is_some() && wanted != port {
        return false;
    }
    let name = name.trim_end_matches('.');
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    match name.strip_prefix("*.") {
        Some(domain) => host
            .strip_suffix(domain)
            .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
        None => name == "*" || name == host,
    }
}

fn quoted(host: &str) -> String {
    match host.contains(['[', ':']) {
        true => format!("\"{host}\""),
        false => host.to_owned(),
    }
}

/// Returns where `path` leads, links followed, if it was granted; `root` is the folder that relative paths begin at.
/// What it is wanted as says what has to be granted.
pub(super) fn file(
    grants: &Grants,
    root: &Path,
    path: &str,
    is_folder: bool,
) -> Result<PathBuf, String> {
    let wanted = real(&root.join(path)).map_err(|link| {
        format!(
            "`{path}` is not granted to scripts: `{}` is a link that leads nowhere",
            link.strip_prefix(root).unwrap_or(&link).display()
        )
    })?;
    let is_granted = grants.fs.iter().any(|grant| {
        let folder = real(&root.join(grant));
        folder.is_ok_and(|folder| wanted.starts_with(folder))
    });
    match is_granted {
        true => Ok(wanted),
        false => Err(format!(
            "`{path}` is not granted to scripts; grant it in the config: scripts: {{fs: [{}]}}",
            grantable(path, is_folder)
        )),
    }
}

/// Returns the folder of a path as a config has it; a file that lies in none is granted by itself.
fn grantable(path: &str, is_folder: bool) -> String {
    let folder = Path::new(path)
        .parent()
        .and_then(Path::to_str)
        .filter(|folder| !is_folder && !matches!(*folder, "" | "." | "/"))
        // What leads upwards is more than was asked for.
        .filter(|folder| !folder.ends_with(".."))
        .unwrap_or(path);
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
    match folder.chars().all(is_plain) {
        true => folder.to_owned(),
        false => format!("{folder:?}"),
    }
}

/// Follows the links of a path as far as it exists; what does not exist yet is taken as written. A link whose end is not there
/// is returned as the mistake: whoever wrote to it would write wherever it points.
fn real(path: &Path) -> Result<PathBuf, PathBuf> {
    let mut known = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // `known` has no links, so that its parent is where `..` leads.
            Component::ParentDir => {
                known.pop();
            }
            other => {
                known.push(other);
                match known.canonicalize() {
                    Ok(real) => known = real,
                    Err(_) if known.is_symlink() => return Err(known),
                    Err(_) => {}
                }
            }
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(grant: &str, url: &str) -> bool {
        let grants = Grants {
            net: vec![ananke_model::place::Text {
                text: grant.to_owned(),
                place: ananke_model::place::Place::file("ananke.yaml"),
            }],
            ..Grants::default()
        };
        net(&grants, &Url::parse(url).unwrap()).is_ok()
    }

    #[test]
    fn hosts_are_granted_by_name_port_and_domain() {
        assert!(granted("api.example.com", "https://API.example.com:8443/x"));
        assert!(granted("localhost:8080", "http://localhost:8080"));
        assert!(granted("api.example.com:443", "https://api.example.com/"));
        assert!(granted("*.example.com", "https://a.b.example.com"));
        assert!(granted("*", "http://10.0.0.1:9"));
        assert!(granted("localhost", "http://localhost./"));
        assert!(granted("localhost.", "http://localhost/"));
        assert!(granted("[::1]:80", "http://[::1]/"));
        assert!(granted("[::1]", "http://[::1]:8080/"));
    }

    #[test]
    fn what_only_looks_like_a_granted_host_is_none() {
        assert!(!granted("localhost:8080", "http://localhost:8081"));
        assert!(!granted("*.example.com", "https://example.com"));
        assert!(!granted("*.example.com", "https://evilexample.com"));
        assert!(!granted("example.com", "https://example.com.evil.org"));
        assert!(!granted("example.com", "https://example.com@evil.org"));
        assert!(!granted("*", "file:///etc/passwd"));
        assert!(!granted("", "http://localhost"));
        assert!(!granted("localhost", "http://localhost.evil.org."));
    }
}
