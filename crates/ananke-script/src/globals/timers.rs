//! Timers: when they are due is known here, what they call is kept on the script side.

use std::rc::Rc;
use std::time::Duration;

use rquickjs::{Object, Value as JsValue};

use super::install::add;
use crate::engine::{State, thrown};

/// The longest time that is told apart from "never" by browsers and servers alike.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// Adds `setTimer`, `clearTimer` and `thrown`.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    add(
        native,
        "setTimer",
        move |id: u32, after: f64, repeats: bool, is_quiet: bool| {
            let after = Duration::from_secs_f64(after.clamp(0.0, LONGEST_MS) / 1000.0);
            own.set_timer(id, after, repeats.then_some(after), is_quiet);
        },
    )?;
    let own = Rc::clone(state);
    add(native, "clearTimer", move |id: u32| own.clear_timer(id))?;
    let own = Rc::clone(state);
    add(native, "thrown", move |error: JsValue<'js>| {
        let failure = thrown(&own, &error);
        own.recorder.borrow_mut().fail(failure);
    })
}
