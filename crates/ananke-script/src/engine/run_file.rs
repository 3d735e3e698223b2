//! Runs the functions of a file inside engines, on the thread of the caller: load, `BeforeAll`, the functions, `AfterAll`. After a
//! function that was interrupted, or that used up the memory, the rest gets a new engine.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::script::{
    FailureKind, ScriptFailure, ScriptFrame, ScriptLog, ScriptRecord, TestFunction,
};
use rquickjs::{Ctx, Function, Object, Value as JsValue};

use super::failure::excerpt_of;
use super::load::{coverage, function, has_value, load, real};
use super::mailbox::Writer;
use super::run_tests::{FileRun, Message, Told, limited, loading};
use super::state::State;
use super::values::from_json;
use super::vm::{Prelude, with_engine};
use super::waiting::{Drain, drained, settled};

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
            logs: RefCell::default(),
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
pub(super) struct Running {
    pub(super) run: FileRun,
    pub(super) state: Rc<State>,
    next: Cell<usize>,
    /// Whether nobody listens any more.
    has_ended: Cell<bool>,
    tell: Rc<Writer>,
    /// What was logged outside of functions and belongs to the next one.
    logs: RefCell<Vec<ScriptLog>>,
}

impl Running {
    /// Does everything that this engine can do.
    fn all<'js>(self: &Rc<Self>, ctx: &Ctx<'js>, prelude: &Prelude<'js>, file: &str) {
        self.restart_clock();
        let loaded = load(ctx, &self.state, prelude, file);
        self.keep_logs();
        let module = match loaded {
            Ok(module) => module,
            Err(failure) => return self.fail_rest(&loading(failure, self.run.timeout)),
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
            self.tell(Message::Failure(Box::new(failure)));
        }
        let logs = self.logs.take();
        if !logs.is_empty() {
            self.tell(Message::Logs(logs));
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
        let around_it = state.begin();
        let [before, after] = around;
        let ended = match function(module, &planned.name) {
            Some(test) => {
                let promise = self.context(ctx, &planned.name).and_then(|context| {
                    let run: Function<'js> = prelude.testing.get("test")?;
                    run.call((test, planned.name.as_str(), context, before, after))
                });
                self.driven(ctx, prelude, promise, (&planned.name, after, Drain::All))
            }
            None if has_value(module, &planned.name) => {
                let reason = format!("`{}` is no function", planned.name);
                state.recorder.borrow_mut().skip(&reason);
                None
            }
            None => Some(failed(
                FailureKind::Load,
                format!("there is no function `{}`", planned.name),
            )),
        };
        let mut recorder = state.recorder.borrow_mut();
        // What ended it was recorded before what was done about it.
        if let Some(failure) = ended {
            recorder.fail(failure);
        }
        self.unheard(&mut recorder);
        if !planned.fails_by_itself {
            recorder.demand_evidence();
        }
        let mut record = recorder.end();
        state.clear();
        state.go_on(around_it);
        for failure in &mut record.failures {
            locate(failure, planned, &self.run.file.path);
        }
        let mut logs = self.logs.take();
        if !logs.is_empty() {
            logs.append(&mut record.logs);
            record.logs = logs;
        }
        record.script.clone_from(&self.run.file.id);
        record.fails_by_itself = planned.fails_by_itself;
        record
    }

    /// Ends what was recorded outside of functions: what it logged belongs to the next one. Returns the failures.
    fn keep_logs(&self) -> Vec<ScriptFailure> {
        let record = self.state.recorder.borrow_mut().end();
        self.logs.borrow_mut().extend(record.logs);
        record.failures
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
        let around_it = self.state.begin();
        let earlier = Rc::new(RefCell::new(Vec::new()));
        let before_run = Rc::clone(&earlier);
        let running = Rc::clone(self);
        let run = Function::new(
            ctx.clone(),
            move |ctx: Ctx<'js>,
                  globals: Object<'js>,
                  testing: Object<'js>,
                  module: Object<'js>| {
                let prelude = Prelude { globals, testing };
                before_run.borrow_mut().extend(running.keep_logs());
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
        let ended = match settled(ctx, &self.state, prelude, promise) {
            Ok(_) => drained(ctx, &self.state, prelude, ("TestMain", Drain::Timers)),
            Err(failure) => Some(failure),
        };
        let ended = ended.map(|failure| limited(failure, self.run.timeout));
        self.unheard(&mut self.state.recorder.borrow_mut());
        let recorded = self.keep_logs();
        self.state.hand_over();
        self.state.go_on(around_it);
        let mut failures = earlier.take().into_iter().chain(recorded);
        let failure = ended.or_else(|| failures.next());
        let left = self.next.get() < self.run.functions.len();
        match failure {
            Some(failure) if left => self.fail_rest(&of_hook("TestMain", failure)),
            Some(failure) => {
                self.tell(Message::Failure(Box::new(of_hook("TestMain", failure))));
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
        let around_it = self.state.begin();
        let promise = self.context(ctx, name).and_then(|context| {
            let run: Function<'js> = prelude.testing.get("hook")?;
            run.call((hook, name, context))
        });
        let nothing = JsValue::new_undefined(ctx.clone());
        // The functions come after `BeforeAll`, and what it began goes on beside them.
        let drain = match name {
            "BeforeAll" => Drain::Requests,
            _ => Drain::Timers,
        };
        let ended = self.driven(ctx, prelude, promise, (name, &nothing, drain));
        self.unheard(&mut self.state.recorder.borrow_mut());
        let recorded = self.keep_logs();
        self.state.hand_over();
        self.state.go_on(around_it);
        let failure = recorded.into_iter().chain(ended).next();
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
    pub(super) fn restart_clock(&self) {
        let limit = self.run.timeout.min(Duration::from_secs(86_400 * 365));
        self.state.deadline.set(Some(Instant::now() + limit));
        self.state.was_interrupted.set(false);
        self.tell.alive();
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
                logs: self.logs.take(),
                ..ScriptRecord::default()
            };
            self.finished(index, record, Duration::ZERO);
        }
    }

    fn finished(&self, index: usize, record: ScriptRecord, duration: Duration) {
        self.next.set(index + 1);
        let (modules, digest) = self.state.loaded();
        let record = Box::new(ScriptRecord {
            modules,
            digest,
            ..record
        });
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
pub(super) fn locate(failure: &mut ScriptFailure, function: &TestFunction, path: &Path) {
    let place = &function.place;
    if failure.frames.is_empty() && place.line > 0 {
        failure.frames.push(ScriptFrame {
            function: function.name.clone(),
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
        });
        failure.excerpt = excerpt_of(path, place.line);
    }
}

fn of_hook(name: &str, failure: ScriptFailure) -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Hook,
        message: format!("{name} failed: {}", failure.message),
        ..failure
    }
}

pub(super) fn failed(kind: FailureKind, message: String) -> ScriptFailure {
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
