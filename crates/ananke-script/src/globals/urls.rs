//! What URLs mean, as the standard of browsers has it.

use std::rc::Rc;

use rquickjs::function::Opt;
use rquickjs::{Ctx, Object};
use url::{Url, form_urlencoded, quirks};

use super::install::add;
use crate::engine::State;

/// Adds `parse`, `change`, `readQuery` and `writeQuery`.
pub(super) fn natives<'js>(_: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    add(
        native,
        "parse",
        |ctx: Ctx<'js>, text: String, base: Opt<Option<String>>| {
            let parsed = match base.0.flatten() {
                Some(base) => Url::parse(&base).and_then(|base| base.join(&text)),
                None => Url::parse(&text),
            };
            parsed.ok().map(|url| parts(&ctx, &url)).transpose()
        },
    )?;
    add(
        native,
        "change",
        |ctx: Ctx<'js>, href: String, name: String, value: String| {
            let url = Url::parse(&href).ok();
            let url = url.and_then(|url| changed(url, &name, &value));
            url.map(|url| parts(&ctx, &url)).transpose()
        },
    )?;
    add(native, "readQuery", |text: String| {
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned();
        pairs
            .map(|(name, value)| vec![name, value])
            .collect::<Vec<_>>()
    })?;
    add(native, "writeQuery", |pairs: Vec<Vec<String>>| {
        let mut text = form_urlencoded::Serializer::new(String::new());
        for pair in &pairs {
            if let [name, value] = pair.as_slice() {
                text.append_pair(name, value);
            }
        }
        text.finish()
    })
}

fn parts<'js>(ctx: &Ctx<'js>, url: &Url) -> rquickjs::Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("href", quirks::href(url))?;
    object.set("origin", quirks::origin(url))?;
    object.set("protocol", quirks::protocol(url))?;
    object.set("username", quirks::username(url))?;
    object.set("password", quirks::password(url))?;
    object.set("host", quirks::host(url))?;
    object.set("hostname", quirks::hostname(url))?;
    object.set("port", quirks::port(url))?;
    object.set("pathname", quirks::pathname(url))?;
    object.set("search", quirks::search(url))?;
    object.set("hash", quirks::hash(url))?;
    Ok(object)
}

/// Changes a part of a URL; a value that cannot be such a part changes nothing.
fn changed(mut url: Url, name: &str, value: &str) -> Option<Url> {
    let is_done = match name {
        "href" => return Url::parse(value).ok(),
        "protocol" => quirks::set_protocol(&mut url, value),
        "username" => quirks::set_username(&mut url, value),
        "password" => quirks::set_password(&mut url, value),
        "host" => quirks::set_host(&mut url, value),
        "hostname" => quirks::set_hostname(&mut url, value),
        "port" => quirks::set_port(&mut url, value),
        "pathname" => {
            quirks::set_pathname(&mut url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, value);
            Ok(())
        }
        _ => {
            quirks::set_hash(&mut url, value);
            Ok(())
        }
    };
    is_done.is_ok().then_some(url)
}
