//! A round cut at its throws.
//!
//! ```text
//! next b = max(0, b - swing(5, 15)), a = if b == 0 then a else max(0, a - swing(4, 16))
//! ```
//!
//! From each node there are as many paths as both throws have values, multiplied. But what is left to do after the
//! first of them depends only on `a` and the new `b`: what is left is a node of its own, the same one for every path on
//! which the same is left ([`crate::code`]), and throws add up instead.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use astragal_prob::Natural;
use astragal_prob::chain::To;

use super::{Here, Rounds, Stop};
use crate::code::{Code, Runner, Store};
use crate::eval::Machine;
use crate::eval::hoisted::{Column, Needs, Throw, times};
use crate::ways;

/// What is left of a round.
pub(super) struct Rest {
    pub(super) code: Code,
    /// A throw that is made in any case, by its slot.
    pub(super) first: Option<u32>,
    /// The throws that are still to be made, if they are wanted.
    pub(super) left: Vec<usize>,
    /// What these need, where that is not what they always need. What they read is as it was on the first path that led
    /// here: on others it may differ, but not in what the throw depends on.
    needs: Option<Vec<Needs>>,
}

impl PartialEq for Rest {
    fn eq(&self, other: &Rest) -> bool {
        self.code == other.code && self.keys().eq(other.keys())
    }
}

impl Eq for Rest {}

impl Hash for Rest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code.hash(state);
        self.keys().for_each(|keys| keys.hash(state));
    }
}

impl Rest {
    /// A whole round.
    pub(super) fn whole(code: Code, throws: &[Throw<'_>]) -> Rest {
        let left = (0..throws.len()).collect();
        Rest { first: code.first_throw(), code, left, needs: None }
    }

    /// What is left of it, with what is thrown by now.
    fn now(&self, throws: &[Throw<'_>], runner: &mut Runner, store: &mut Store) -> Rest {
        let code = runner.residue(&self.code, &[], store);
        let open = code.bound();
        let mut needs = vec![Needs::default(); throws.len()];
        let mut left = Vec::new();
        let mut waiting = code.throws();
        while let Some(slot) = waiting.pop() {
            let at = throws.iter().position(|throw| throw.thrown.slot == slot);
            let Some(at) = at.filter(|at| !left.contains(at)) else { continue };
            left.push(at);
            let mut now = |code: &Code| runner.residue(code, &open, store);
            needs[at] = match self.needs(at) {
                Some(needs) => Needs {
                    keys: needs.keys.iter().map(&mut now).collect(),
                    reads: needs.reads.iter().map(&mut now).collect(),
                },
                None => Needs {
                    keys: throws[at].thrown.keys.iter().map(&mut now).collect(),
                    reads: throws[at].thrown.reads.iter().map(|(_, code)| now(code)).collect(),
                },
            };
            waiting.extend(needs[at].keys.iter().flat_map(Code::throws));
        }
        left.sort_unstable();
        Rest { first: code.first_throw(), code, left, needs: Some(needs) }
    }

    pub(super) fn needs(&self, at: usize) -> Option<&Needs> {
        self.needs.as_ref().and_then(|needs| needs.get(at))
    }

    fn keys(&self) -> impl Iterator<Item = &Vec<Code>> {
        self.needs.iter().flatten().map(|needs| &needs.keys)
    }
}

impl<'p> Rounds<'p> {
    /// Whether a round is cut after a throw that is not its last.
    pub(super) fn is_cut_after(&self, column: &Column, later: &[usize]) -> bool {
        let sizes = later.iter().map(|at| self.known[*at].size);
        let paths = sizes.fold(column.words.len(), usize::saturating_mul);
        let few = if self.nodes.len() == 1 { ways::FEW_AT_FIRST } else { ways::FEW_PATHS };
        self.cuts && paths >= few
    }

    /// Makes a throw and leads on to what is left then.
    pub(super) fn cut(
        &mut self,
        machine: &Machine<'p>,
        slot: u32,
        column: &Column,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        machine.meter.took(ways::CUT_ROUNDS);
        let total = times(total, &column.total);
        for (word, part) in column.words.iter().zip(&column.weights) {
            self.pay(machine)?;
            self.runner.set(slot as usize, *word);
            let rest = self.rest.now(&self.throws, &mut self.runner, &mut self.store);
            let target = match rest.code {
                Code::Word(record) => self.target(record).ok_or(Stop::Not)?,
                _ => self.within(rest),
            };
            self.sums.add(target, times(weight, part), &total);
        }
        Ok(())
    }

    fn within(&mut self, rest: Rest) -> u32 {
        if let Some(known) = self.rests.get(&rest) {
            return *known;
        }
        let rest = Rc::new(rest);
        let target = self.targeted(To::Node(self.nodes.len()), 0);
        self.nodes.push(Here::Within(Rc::clone(&rest)));
        self.rests.insert(rest, target);
        target
    }
}
