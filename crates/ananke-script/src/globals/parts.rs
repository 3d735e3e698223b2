//! The texts of the script side, and which of our functions each of them is given.

use std::rc::Rc;

use rquickjs::{Ctx, Exception, Object};

use super::install::{add, script};
use super::{bytes, console, environment, files, process, send, timers, urls};
use crate::engine::State;

/// The types of everything that scripts are given.
pub const TYPE_DEFINITIONS: &str = include_str!("ananke.d.ts");

/// What is always there.
pub(super) const CORE: &str = include_str!("js/core.js");

/// The module behind `import … from "@yao/runtime"`.
pub(crate) const RUNTIME_MODULE: &str = "export const { Process, Authorized, Exception, http, log, fs, env, Studio, Query, FS, Store } = globalThis;";

/// A part that is loaded when it is first named.
struct Part {
    name: &'static str,
    file: &'static str,
    text: &'static str,
    natives: Natives,
}

type Natives = for<'js> fn(&Rc<State>, &Object<'js>) -> rquickjs::Result<()>;

fn nothing(_: &Rc<State>, _: &Object<'_>) -> rquickjs::Result<()> {
    Ok(())
}

macro_rules! part {
    ($name:literal, $natives:expr) => {
        Part {
            name: $name,
            file: concat!("ananke:", $name),
            text: include_str!(concat!("js/", $name, ".js")),
            natives: $natives,
        }
    };
}

const PARTS: [Part; 16] = [
    part!("abort", nothing),
    part!("absent", nothing),
    part!("clone", nothing),
    part!("console", console::natives),
    part!("environment", environment::natives),
    part!("fetch", send::natives),
    part!("files", files::natives),
    part!("http", send::natives),
    part!("memory", nothing),
    part!("process", process::natives),
    part!("random", bytes::random),
    part!("services", nothing),
    part!("text", bytes::natives),
    part!("timers", timers::natives),
    part!("url", urls::natives),
    part!("views", nothing),
];

/// Adds the function that loads a part.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    let state = Rc::clone(state);
    let load = move |ctx: Ctx<'js>, name: String, shared: Object<'js>| {
        let Some(part) = PARTS.iter().find(|part| part.name == name) else {
            return Err(Exception::throw_message(
                &ctx,
                &format!("there is no part {name}"),
            ));
        };
        let native = Object::new(ctx.clone())?;
        (part.natives)(&state, &native)?;
        script(&ctx, part.file, part.text)?.call::<_, Object<'js>>((shared, native))
    };
    add(native, "part", load)
}
