//! Runs the functions of a file inside engines, on the thread of the caller: load, `BeforeAll`, the functions, `AfterAll`. After a
//! function that was interrupted, or that used up the memory, the rest gets a new engine.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::script::{FailureKind, ScriptFailure, ScriptFrame, ScriptRecord, TestFunction};
use rquickjs::{Ctx, Function, Object, Value as JsValue};

use super::load::{coverage, function, load, real};
use super::mailbox::Writer;
use super::run_tests::{FileRun, Message, Told, timeout};
use super::state::State;
use super::values::from_json;
use super::vm::{Prelude, with_engine};
use super::waiting::settled;

/// Hands the things of an engine to a function of ours that scripts call: it cannot hold them itself.
const BIND: &str = "(run, ...things) => () => run(...things)";

/// Runs the functions of a file, beginning with number `from`. Returns when all were told of, or nobody listens.
pub(super) fn run_file(run: &FileRun, from: usize, tell: &Rc<Writer>) {
    let mut next = from;
    while next < run.functions.len() && !run.stop.is_stopped() {
        let state = State::new(
            Arc::clone(&run.settings),
            run.host.clone(),
            run.stop.clone(),
        );
        let file = real(&run.file.path);
        let module = run.file.module.as_deref().map(real);
        *state.shares.borrow_mut() = module.map(|module| (file.clone(), module));
        let running = Rc::new(Running {
            run: run.clone(),
            state: Rc::clone(&state),
            next: Cell::new(next),
            has_ended: Cell::new(false),
            tell: Rc::clone(tell),
        });
        let began_with = next;
        let ran = with_engine(&state, |ctx, prelude| {
            running.all(ctx, prelude, &file.display().to_string());
        });
        if let Err(why) = ran {
            running.fail_rest(&failed(FailureKind::Load, why));
        }
        next = running.next.get();
        if next == began_with || running.has_ended.get() {
            return;
        }
    }
}

/// A file under way in one engine. It holds no values of the engine.
struct Running {
    run: FileRun,
    state: Rc<State>,
    next: Cell<usize>,
    /// Whether nobody listens any more.
    has_ended: Cell<bool>,
    tell: Rc<Writer>,
}

impl Running {
    /// Does everything that this engine can do.
    fn all<'js>(self: &Rc<Self>, ctx: &Ctx<'js>, prelude: &Prelude<'js>, file: &str) {
        self.restart_clock();
        let module = match load(ctx, &self.state, prelude, file) {
            Ok(module) => module,
            Err(failure) => return self.fail_rest(&self.limited(failure)),
        };
        if let Some(failure) = self.hook(ctx, prelude, &module, "BeforeAll") {
            return self.fail_rest(&failure);
        }
        match function(&module, "TestMain") {
            Some(main) => self.main(ctx, prelude, &module, main),
            None => {
                self.functions(ctx, prelude, &module, false);
            }
        }
        if let Some(failure) = self.hook(ctx, prelude, &module, "AfterAll") {
            let place = failure.frames.first();
            let place = place.map_or_else(String::new, |frame| {
                format!(" ({}:{}:{})", frame.file, frame.line, frame.column)
            });
            self.tell(Message::Warning(format!("{}{place}", failure.message)));
        }
        if self.state.settings.coverage {
            self.tell(Message::Coverage(coverage(ctx, &self.state)));
        }
    }

    /// Runs the functions that are left. `is_nested` says that a script of the user waits for them, so that the engine has to
    /// be kept whatever happens. Returns how many did not end well.
    fn functions<'js>(
        &self,
        ctx: &Ctx<'js>,
        prelude: &Prelude<'js>,
        module: &Object<'js>,
        is_nested: bool,
    ) -> u32 {
        let around = ["BeforeEach", "AfterEach"].map(|name| value(ctx, module, name));
        let mut n_failed = 0;
        while let Some(planned) = self.run.functions.get(self.next.get()) {
            let index = self.next.get();
            if self.run.stop.is_stopped() || !self.tell(Message::Told(Told::Started(index))) {
                break;
            }
            let since = Instant::now();
            self.restart_clock();
            self.state.host.begins(&planned.name);
            let record = self.function(ctx, prelude, (module, &around), planned);
            let is_failure = record.status().is_failure();
            n_failed += u32::from(is_failure);
            let needs_new = record
                .failures
                .iter()
                .any(|failure| matches!(failure.kind, FailureKind::Timeout | FailureKind::Memory));
            self.finished(index, record, since.elapsed());
            // A failure may be the last thing that is to be run.
            if (is_failure && !self.tell.settle()) || (needs_new && !is_nested) {
                break;
            }
        }
        n_failed
    }

    fn function<'js>(
        &self,
        ctx: &Ctx<'js>,
        prelude: &Prelude<'js>,
        (module, around): (&Object<'js>, &[JsValue<'js>; 2]),
        planned: &TestFunction,
    ) -> ScriptRecord {
        let state = &self.state;
        state.recorder.borrow_mut().begin(&planned.name);
        let ended = match function(module, &planned.name) {
            Some(test) => {
                let promise = self.context(ctx, &planned.name).and_then(|context| {
                    let run: Function<'js> = prelude.testing.get("test")?;
                    let [before, after] = around;
                    run.call((test, planned.name.as_str(), context, before, after))
                });
                settled(ctx, state, prelude, promise).err()
            }
            None => Some(failed(
                FailureKind::Load,
                format!("there is no function `{}`", planned.name),
            )),
        };
        let mut recorder = state.recorder.borrow_mut();
        if let Some(failure) = ended {
            recorder.fail(self.limited(failure));
        }
        let rejected = std::mem::take(&mut *state.rejected.borrow_mut());
        for failure in rejected.into_values() {
            recorder.fail(failure);
        }
        let mut record = recorder.end();
        state.clear();
        for failure in &mut record.failures {
            locate(failure, planned);
        }
        record.script.clone_from(&self.run.file.id);
        record.fails_by_itself = planned.fails_by_itself;
        record
    }

    /// Lets `TestMain` decide when the functions are run.
    fn main<'js>(
        self: &Rc<Self>,
        ctx: &Ctx<'js>,
        prelude: &Prelude<'js>,
        module: &Object<'js>,
        main: Function<'js>,
    ) {
        self.restart_clock();
        self.state.recorder.borrow_mut().begin("TestMain");
        let running = Rc::clone(self);
        let run = Function::new(
            ctx.clone(),
            move |ctx: Ctx<'js>,
                  globals: Object<'js>,
                  testing: Object<'js>,
                  module: Object<'js>| {
                let prelude = Prelude { globals, testing };
                let n_failed = running.functions(&ctx, &prelude, &module, true);
                running.restart_clock();
                running.state.recorder.borrow_mut().begin("TestMain");
                u32::from(n_failed > 0)
            },
        );
        let promise = run.and_then(|run| {
            let bind: Function<'js> = ctx.eval(BIND)?;
            let things = (
                run,
                prelude.globals.clone(),
                prelude.testing.clone(),
                module.clone(),
            );
            let run: Function<'js> = bind.call(things)?;
            let context = self.context(ctx, "TestMain")?;
            let begin: Function<'js> = prelude.testing.get("main")?;
            begin.call((main, context, run))
        });
        let ended = settled(ctx, &self.state, prelude, promise).err();
        let mut record = self.state.recorder.borrow_mut().end();
        self.state.clear();
        let failure = ended.map(|failure| self.limited(failure));
        let failure =
            failure.or_else(|| (!record.failures.is_empty()).then(|| record.failures.remove(0)));
        let left = self.next.get() < self.run.functions.len();
        match failure {
            Some(failure) if left => self.fail_rest(&of_hook("TestMain", failure)),
            Some(failure) => {
                self.tell(Message::Warning(of_hook("TestMain", failure).message));
            }
            None if left && !self.run.stop.is_stopped() => {
                let why = "TestMain did not run the tests: it has to call `m.run()`".to_owned();
                self.fail_rest(&failed(FailureKind::Hook, why));
            }
            None => {}
        }
    }

    /// Calls a hook around all functions, if there is one; returns what went wrong.
    fn hook<'js>(
        &self,
        ctx: &Ctx<'js>,
        prelude: &Prelude<'js>,
        module: &Object<'js>,
        name: &str,
    ) -> Option<ScriptFailure> {
        let hook = value(ctx, module, name);
        // What `BeforeAll` wants cleaned up is cleaned up after `AfterAll`, also if there is none.
        let cleans_up = name == "AfterAll" && self.state.has_cleanups.get();
        if !hook.is_function() && !cleans_up {
            return None;
        }
        self.restart_clock();
        self.state.recorder.borrow_mut().begin(name);
        let promise = self.context(ctx, name).and_then(|context| {
            let run: Function<'js> = prelude.testing.get("hook")?;
            run.call((hook, name, context))
        });
        let ended = settled(ctx, &self.state, prelude, promise).err();
        let mut record = self.state.recorder.borrow_mut().end();
        self.state.clear();
        let failure = ended.map(|failure| self.limited(failure));
        let failure =
            failure.or_else(|| (!record.failures.is_empty()).then(|| record.failures.remove(0)));
        failure.map(|failure| of_hook(name, failure))
    }

    /// Returns the JSON that the `ctx` of a function is made of.
    fn context<'js>(&self, ctx: &Ctx<'js>, function: &str) -> rquickjs::Result<JsValue<'js>> {
        let mut context = self.run.context.clone();
        if let Some(members) = context.as_object_mut()
            && !members.contains_key("chat_id")
        {
            members.insert(
                "chat_id".to_owned(),
                format!("script-test-{function}").into(),
            );
        }
        from_json(ctx, &context)
    }

    /// Gives what comes next its whole time.
    fn restart_clock(&self) {
        let limit = self.run.timeout.min(Duration::from_secs(86_400 * 365));
        self.state.deadline.set(Some(Instant::now() + limit));
        self.state.was_interrupted.set(false);
        self.tell.alive();
    }

    /// Adds the limit to the words of a failure that came of it.
    fn limited(&self, failure: ScriptFailure) -> ScriptFailure {
        match failure.kind {
            FailureKind::Timeout => timeout(self.run.timeout),
            _ => failure,
        }
    }

    /// Ends all functions that are left with the same failure.
    fn fail_rest(&self, failure: &ScriptFailure) {
        while let Some(planned) = self.run.functions.get(self.next.get()) {
            let index = self.next.get();
            if !self.tell(Message::Told(Told::Started(index))) {
                return;
            }
            let record = ScriptRecord {
                function: planned.name.clone(),
                script: self.run.file.id.clone(),
                failures: vec![failure.clone()],
                ..ScriptRecord::default()
            };
            self.finished(index, record, Duration::ZERO);
        }
    }

    fn finished(&self, index: usize, record: ScriptRecord, duration: Duration) {
        self.next.set(index + 1);
        let record = Box::new(record);
        self.tell(Message::Told(Told::Finished {
            index,
            record,
            duration,
        }));
    }

    /// Tells something; returns whether anybody listens.
    fn tell(&self, message: Message) -> bool {
        let is_heard = self.tell.put(message);
        if !is_heard {
            self.has_ended.set(true);
        }
        is_heard
    }
}

/// Gives a failure that has no place the place of its function.
pub(super) fn locate(failure: &mut ScriptFailure, function: &TestFunction) {
    let place = &function.place;
    if failure.frames.is_empty() && place.line > 0 {
        failure.frames.push(ScriptFrame {
            function: function.name.clone(),
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
        });
    }
}

fn of_hook(name: &str, failure: ScriptFailure) -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Hook,
        message: format!("{name} failed: {}", failure.message),
        ..failure
    }
}

fn failed(kind: FailureKind, message: String) -> ScriptFailure {
    ScriptFailure {
        kind,
        message,
        ..ScriptFailure::default()
    }
}

/// Returns a function of the module, or `undefined`.
fn value<'js>(ctx: &Ctx<'js>, module: &Object<'js>, name: &str) -> JsValue<'js> {
    match function(module, name) {
        Some(function) => function.into_value(),
        None => JsValue::new_undefined(ctx.clone()),
    }
}
