//! Tests that share a limit, and which of them may begin. Pure: the caller brings the time and does the waiting.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use ananke_model::plan::{PlannedTest, Target};
use tokio::time::Instant;

/// All groups of a run.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Groups whose next test may begin, by that test.
    ready: BTreeMap<usize, usize>,
    /// Groups that wait because an agent asked to.
    paused: Vec<usize>,
    /// Once no more tests are to be run: those left, in plan order.
    left: Option<VecDeque<usize>>,
    n_waiting: usize,
}

/// Tests that share a limit.
#[derive(Debug)]
struct Group {
    /// Tests that have not begun.
    waiting: VecDeque<usize>,
    /// Tests at once.
    limit: usize,
    /// The same, less what a busy agent has cost: halved when it refuses, one more with each turn that goes well.
    allowed: usize,
    n_running: usize,
    n_sending: usize,
    paused_until: Option<Instant>,
}

/// What there is to begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// This may begin.
    Now(usize),
    /// Something has to happen first, or this moment has to come.
    Later(Option<Instant>),
    /// There is nothing left.
    Never,
}

impl Groups {
    /// Puts the tests into their groups; also returns the group of each test. A test that is run several times is there
    /// as often.
    pub(super) fn new<'a>(
        tests: impl IntoIterator<Item = &'a PlannedTest>,
        parallel: usize,
    ) -> (Self, Vec<usize>) {
        let mut all = Self::default();
        let mut numbers: HashMap<Key<'_>, usize> = HashMap::new();
        let mut of_test = Vec::new();
        for (index, test) in tests.into_iter().enumerate() {
            let number = *numbers.entry(key(&test.target)).or_insert_with(|| {
                all.groups.push(Group::new(parallel.max(1)));
                all.groups.len() - 1
            });
            let group = &mut all.groups[number];
            // The most careful of those who share a limit decides.
            group.limit = group
                .limit
                .min(test.target.concurrency.unwrap_or(usize::MAX).max(1));
            group.allowed = group.limit;
            group.waiting.push_back(index);
            of_test.push(number);
        }
        all.n_waiting = of_test.len();
        for number in 0..all.groups.len() {
            all.refresh(number);
        }
        (all, of_test)
    }

    /// Takes the next test that may begin.
    pub(super) fn begin_test(&mut self, now: Instant) -> Begin {
        self.resume(now);
        let next = match &mut self.left {
            Some(left) => left.pop_front().map(|index| (index, None)),
            None => self
                .ready
                .pop_first()
                .map(|(index, group)| (index, Some(group))),
        };
        let Some((index, group)) = next else {
            if self.n_waiting == 0 {
                return Begin::Never;
            }
            let paused = self.paused.iter();
            let first = paused.filter_map(|number| self.groups[*number].paused_until);
            return Begin::Later(first.min());
        };
        self.n_waiting -= 1;
        if let Some(number) = group {
            let group = &mut self.groups[number];
            group.waiting.pop_front();
            group.n_running += 1;
            self.refresh(number);
        }
        Begin::Now(index)
    }

    /// Gives back what [`Self::begin_test`] took.
    pub(super) fn end_test(&mut self, number: usize) {
        let group = &mut self.groups[number];
        group.n_running = group.n_running.saturating_sub(1);
        self.refresh(number);
    }

    /// Lets all tests begin that are left, whatever their limits: none of them is to be run.
    pub(super) fn close(&mut self) {
        if self.left.is_none() {
            let groups = self.groups.iter_mut();
            let mut left: Vec<usize> = groups.flat_map(|group| group.waiting.drain(..)).collect();
            left.sort_unstable();
            self.left = Some(left.into());
            self.ready.clear();
        }
    }

    /// Takes the right to send a turn.
    pub(super) fn begin_turn(&mut self, number: usize, now: Instant) -> Begin {
        self.resume(now);
        let group = &mut self.groups[number];
        if group.paused_until.is_some() || group.n_sending >= group.allowed {
            return Begin::Later(group.paused_until);
        }
        group.n_sending += 1;
        Begin::Now(number)
    }

    /// Gives back what [`Self::begin_turn`] took.
    pub(super) fn end_turn(&mut self, number: usize) {
        let group = &mut self.groups[number];
        group.n_sending = group.n_sending.saturating_sub(1);
    }

    /// Takes note that an agent was busy: its group waits, and then does half as much at once.
    pub(super) fn refused(&mut self, number: usize, now: Instant, wait: Duration) {
        self.resume(now);
        let group = &mut self.groups[number];
        // What was under way when the first was refused says nothing new.
        if group.paused_until.is_none() {
            group.allowed = (group.allowed.min(group.n_sending) / 2).max(1);
            self.paused.push(number);
        }
        let until = now + wait;
        group.paused_until = Some(group.paused_until.map_or(until, |old| old.max(until)));
        self.refresh(number);
    }

    /// Takes note that a turn went well. Tells whether more may be done at once than before.
    pub(super) fn succeeded(&mut self, number: usize) -> bool {
        let group = &mut self.groups[number];
        let grows = group.allowed < group.limit;
        if grows {
            group.allowed += 1;
            self.refresh(number);
        }
        grows
    }

    /// Tells whether a further test may begin.
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    fn resume(&mut self, now: Instant) {
        let (over, paused) = std::mem::take(&mut self.paused)
            .into_iter()
            .partition(|number| self.groups[*number].paused_until.is_none_or(|at| at <= now));
        self.paused = paused;
        let over: Vec<usize> = over;
        for number in over {
            self.groups[number].paused_until = None;
            self.refresh(number);
        }
    }

    fn refresh(&mut self, number: usize) {
        let group = &self.groups[number];
        let Some(next) = group.waiting.front() else {
            return;
        };
        if group.paused_until.is_none() && group.n_running < group.allowed {
            self.ready.insert(*next, number);
        } else {
            self.ready.remove(next);
        }
    }
}

impl Group {
    fn new(limit: usize) -> Self {
        Self {
            waiting: VecDeque::new(),
            limit,
            allowed: limit,
            n_running: 0,
            n_sending: 0,
            paused_until: None,
        }
    }
}

/// What tells groups apart: their names, else the targets themselves.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Group(&'a str),
    Target(&'a str),
    Place(&'a str, u32),
}

fn key(target: &Target) -> Key<'_> {
    match (&target.group, &target.name) {
        (Some(group), _) => Key::Group(group),
        (None, Some(name)) => Key::Target(name),
        (None, None) => Key::Place(&target.place.file, target.place.start),
    }
}
