//! `env`: environment variables that were granted.

use std::rc::Rc;

use rquickjs::{Ctx, Exception, Object};

use super::install::add;
use crate::engine::State;

/// Adds `variable` and `names`.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    add(native, "variable", move |ctx: Ctx<'js>, name: String| {
        if !own.settings.grants.env.contains(&name) {
            let why = format!(
                "the environment variable `{name}` is not granted to scripts; grant it in the config: \
                 scripts: {{env: [{name}]}}"
            );
            return Err(Exception::throw_message(&ctx, &why));
        }
        Ok(own.host.env(&name))
    })?;
    let own = Rc::clone(state);
    add(native, "names", move || own.settings.grants.env.clone())
}
