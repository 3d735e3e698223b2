//! Inheritance: `target → test → turn`. Lists add up, single values override, `false` drops.

use std::collections::HashSet;

use ananke_model::check::{
    Block, Check, Demand, Level, Origin, OutputCheck, OutputCheckKind, Snapshot, SnapshotUpdate,
};
use ananke_model::place::Place;

use super::extends::NamedBlocks;
use super::task_blocks::GatheredTasks;
use crate::parse::{AssertSpec, Found, Inherit, Slot, Strictness};

/// What has been gathered from target to turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    forbid: Vec<Demand>,
    require: Vec<Demand>,
    forbid_calls: Vec<Demand>,
    must_match: Vec<Demand>,
    must_not_match: Vec<Demand>,
    checks: Vec<Demand>,
    judges: Vec<Demand>,
    scripts: Vec<Demand>,
    max_duration: Option<Demand>,
    max_idle: Option<Demand>,
    error: Option<Demand>,
    protocol: Option<Demand>,
    snapshot: Option<Demand>,
    tasks: GatheredTasks,
}

impl Gathered {
    /// Goes on to the block of the next level.
    pub(super) fn add<'a>(
        &mut self,
        spec: &'a AssertSpec,
        level: Level,
        named: &NamedBlocks<'a>,
        found: &mut Found,
    ) {
        match spec.inherit {
            Inherit::All => {}
            Inherit::Limits => {
                self.require.clear();
                self.must_match.clear();
                self.checks.retain(is_prohibition);
                self.judges.clear();
                self.scripts.clear();
                self.error = None;
                self.snapshot = None;
                self.tasks.keep_limits();
            }
            Inherit::Nothing => *self = Self::default(),
        }
        for (name, block) in named.resolve(spec, level, found) {
            self.apply(block, level, Some(name));
        }
        self.apply(spec, level, None);
    }

    /// Drops what a turn does not inherit from its test.
    pub(super) fn for_turn(&self) -> Self {
        Self {
            error: None,
            snapshot: None,
            tasks: self.tasks.for_turn(),
            ..self.clone()
        }
    }

    /// Returns the demands in the order in which failures are shown.
    pub(super) fn into_block(self) -> Block {
        Block {
            demands: self.demands().cloned().collect(),
        }
    }

    /// Tells whether nothing is demanded.
    pub(super) fn is_empty(&self) -> bool {
        self.demands().next().is_none()
    }

    fn demands(&self) -> impl Iterator<Item = &Demand> {
        let lists = [
            &self.forbid,
            &self.require,
            &self.forbid_calls,
            &self.must_match,
            &self.must_not_match,
            &self.checks,
            &self.judges,
            &self.scripts,
        ];
        let single = [
            &self.max_duration,
            &self.max_idle,
            &self.error,
            &self.protocol,
            &self.snapshot,
        ];
        let demands = lists.into_iter().flatten();
        let demands = demands.chain(self.tasks.demands());
        demands.chain(single.into_iter().flatten())
    }

    /// Adds what stands in a block itself.
    pub(super) fn apply(&mut self, spec: &AssertSpec, level: Level, name: Option<&str>) {
        let demand = |place: &Place, check: Check| Demand {
            check,
            origin: Origin {
                level,
                named: name.map(ToOwned::to_owned),
                place: place.clone(),
            },
        };
        extend(&mut self.forbid, &spec.forbid, |tool| {
            demand(&tool.place, Check::Forbid(tool.clone()))
        });
        extend(&mut self.require, &spec.require, |(place, require)| {
            demand(place, Check::Require(require.clone()))
        });
        extend(
            &mut self.forbid_calls,
            &spec.forbid_calls,
            |(place, filter)| demand(place, Check::ForbidCall(filter.clone())),
        );
        extend(&mut self.must_match, &spec.must_match, |pattern| {
            demand(&pattern.place, Check::MustMatch(pattern.clone()))
        });
        extend(&mut self.must_not_match, &spec.must_not_match, |pattern| {
            demand(&pattern.place, Check::MustNotMatch(pattern.clone()))
        });
        extend(&mut self.checks, &spec.checks, |(place, check)| {
            demand(place, check.clone())
        });
        extend(&mut self.judges, &spec.judge, |(place, check)| {
            demand(place, check.clone())
        });
        extend(&mut self.scripts, &spec.script, |(place, check)| {
            demand(place, check.clone())
        });
        self.tasks
            .apply(&spec.tasks, &|(place, check)| demand(place, check.clone()));
        replace(
            &mut self.max_duration,
            &spec.max_duration,
            |(place, limit)| Some(demand(place, Check::MaxDuration(*limit))),
        );
        replace(&mut self.max_idle, &spec.max_idle, |(place, limit)| {
            Some(demand(place, Check::MaxIdle(*limit)))
        });
        replace(&mut self.error, &spec.error, |pattern| {
            Some(demand(&pattern.place, Check::Error(pattern.clone())))
        });
        replace(&mut self.protocol, &spec.protocol, |(place, strictness)| {
            (*strictness == Strictness::Strict).then(|| demand(place, Check::ProtocolStrict))
        });
        replace(&mut self.snapshot, &spec.snapshot, |snapshot| {
            // Which file it is, and what that holds, follows from the test: see `snapshots`.
            let check = Check::Snapshot(Snapshot {
                name: snapshot.name.clone(),
                of: snapshot.of.clone(),
                path: snapshot.slug(),
                stored: None,
                update: SnapshotUpdate::None,
            });
            Some(demand(&snapshot.name.place, check))
        });
    }
}

/// Tells whether a check says only what must not be seen, so that an empty answer meets it.
fn is_prohibition(demand: &Demand) -> bool {
    let Check::Output(check) = &demand.check else {
        return false;
    };
    let OutputCheck { kind, negate, .. } = check.as_ref();
    let forbids = match kind {
        OutputCheckKind::NotContains(_) => !negate,
        // An answer without text has no type.
        OutputCheckKind::Type(_) => false,
        _ => *negate,
    };
    // What looks at a path demands that something stands there.
    forbids && check.path.is_none()
}

pub(super) fn extend<T>(
    list: &mut Vec<Demand>,
    slot: &Slot<Vec<T>>,
    demand: impl Fn(&T) -> Demand,
) {
    match slot {
        Slot::Unset => {}
        Slot::Dropped => list.clear(),
        Slot::Set(items) => {
            // Two levels may extend the same block: what stands in one place is demanded once.
            let known = list.iter().map(|demand| demand.origin.place.clone());
            let mut known: HashSet<_> = known.collect();
            let new = items.iter().map(demand);
            list.extend(new.filter(|demand| known.insert(demand.origin.place.clone())));
        }
    }
}

pub(super) fn replace<T>(
    single: &mut Option<Demand>,
    slot: &Slot<T>,
    demand: impl Fn(&T) -> Option<Demand>,
) {
    match slot {
        Slot::Unset => {}
        Slot::Dropped => *single = None,
        Slot::Set(value) => *single = demand(value),
    }
}
