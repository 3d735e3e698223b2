//! `extends`: names of blocks to the blocks, in the order in which they apply.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::check::Level;
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;

use crate::parse::{AssertSpec, Found, Slot};

/// How long a chain of blocks that extend one another may be.
const MAX_CHAIN: usize = 64;

/// The named blocks of a config.
#[derive(Debug, Default)]
pub(super) struct NamedBlocks<'a> {
    blocks: BTreeMap<&'a str, &'a AssertSpec>,
    /// Tells whether the config could not be read, so that any name may be right.
    is_open: bool,
}

impl<'a> NamedBlocks<'a> {
    /// Takes the blocks of a config and reports names that they do not have and circles that they form.
    pub(super) fn new(assertions: &'a [(Text, AssertSpec)], found: &mut Found) -> Self {
        let named = Self {
            blocks: assertions
                .iter()
                .map(|(name, spec)| (name.text.as_str(), spec))
                .collect(),
            is_open: false,
        };
        let mut done = BTreeSet::new();
        for (name, spec) in assertions {
            let mut visit = Visit {
                named: &named,
                done: &mut done,
                chain: vec![&name.text],
                order: Vec::new(),
                found,
            };
            visit.block(&name.text, spec);
        }
        named
    }

    /// Returns the blocks of a config that could not be read.
    pub(super) fn unknown() -> Self {
        Self {
            blocks: BTreeMap::new(),
            is_open: true,
        }
    }

    /// Returns the blocks that `spec` extends, each of them once and after those that it extends itself.
    pub(super) fn resolve(
        &self,
        spec: &'a AssertSpec,
        level: Level,
        found: &mut Found,
    ) -> Vec<(&'a str, &'a AssertSpec)> {
        // What is wrong inside the named blocks was reported when they were taken.
        let mut silent = Found::new();
        let mut done = BTreeSet::new();
        let mut visit = Visit {
            named: self,
            done: &mut done,
            chain: Vec::new(),
            order: Vec::new(),
            found: &mut silent,
        };
        visit.names(spec);
        let order = visit.order;
        for name in &spec.extends {
            if !self.blocks.contains_key(name.text.as_str()) {
                self.report_unknown(name, found);
            }
        }
        if level == Level::Target {
            let errors = order
                .iter()
                .filter(|(_, block)| matches!(block.error, Slot::Set(_)));
            for ((name, _), at) in errors.zip(spec.extends.first()) {
                let message = format!("the block `{name}` demands an error, which a target cannot");
                found.push(
                    Diagnostic::error(&at.place, message)
                        .hint("extend it in a test or a turn instead"),
                );
            }
        }
        order
    }

    fn report_unknown(&self, name: &Text, found: &mut Found) {
        if self.is_open {
            return;
        }
        let message = format!("unknown assertion block `{}`", name.text);
        let diagnostic = Diagnostic::error(&name.place, message);
        let names = self.blocks.keys().copied();
        found.push(match did_you_mean(&name.text, names) {
            Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
            None => diagnostic.hint("named blocks are written under `assertions` in the config"),
        });
    }
}

/// A walk along `extends`.
struct Visit<'v, 'a> {
    named: &'v NamedBlocks<'a>,
    /// Blocks that were walked through.
    done: &'v mut BTreeSet<&'a str>,
    /// How the walk came here.
    chain: Vec<&'a str>,
    order: Vec<(&'a str, &'a AssertSpec)>,
    found: &'v mut Found,
}

impl<'a> Visit<'_, 'a> {
    fn block(&mut self, name: &'a str, spec: &'a AssertSpec) {
        if !self.done.insert(name) {
            return;
        }
        self.names(spec);
        self.order.push((name, spec));
    }

    fn names(&mut self, spec: &'a AssertSpec) {
        for name in &spec.extends {
            let Some((known, block)) = self.named.blocks.get_key_value(name.text.as_str()) else {
                self.named.report_unknown(name, self.found);
                continue;
            };
            let start = self.chain.iter().position(|link| link == known);
            if let Some(start) = start {
                let circle = self.chain.iter().skip(start).chain([known]);
                let circle: Vec<_> = circle.copied().collect();
                let message = "assertion blocks extend one another in a circle";
                let label = circle.join(" -> ");
                self.found
                    .push(Diagnostic::error(&name.place, message).label(label));
                continue;
            }
            if self.chain.len() >= MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} blocks extend one another");
                self.found.push(Diagnostic::error(&name.place, message));
                continue;
            }
            self.chain.push(known);
            self.block(known, block);
            self.chain.pop();
        }
    }
}
