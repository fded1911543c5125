//! A round cut at its throws.
//!
//! ```text
//! next b = max(0, b - swing(5, 15)), a = if b == 0 then a else max(0, a - swing(4, 16))
//! ```
//!
//! From each node there are as many paths as both throws have values, multiplied. But what is left to do after the
//! first of them depends only on `a` and the new `b`: what is left is a node of its own, the same one for every path on
//! which the same is left ([`crate::plain`]), and throws add up instead.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use astragal_prob::Natural;

use super::sums::times;
use super::{Here, Rounds, Stop};
use crate::eval::Machine;
use crate::eval::chained::cast::Cast;
use crate::plain::Code;
use crate::ways;
use astragal_prob::chain::To;

/// What is left of a round.
pub(super) struct Rest {
    /// The throw that is made next.
    pub(super) next: usize,
    /// What is done with the throws, with holes for those that are still to be made.
    pub(super) code: Code,
    /// For each throw what it depends on.
    pub(super) keys: Vec<Vec<Code>>,
    /// For each throw the variables that it reads, as they were on the first path that led here: on others they may
    /// differ, but not in what the throw depends on.
    pub(super) reads: Vec<Vec<Code>>,
}

impl PartialEq for Rest {
    fn eq(&self, other: &Rest) -> bool {
        (self.next, &self.code, &self.keys) == (other.next, &other.code, &other.keys)
    }
}

impl Eq for Rest {}

impl Hash for Rest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.next, &self.code, &self.keys).hash(state);
    }
}

impl<'p> Rounds<'p> {
    /// Whether a round is cut after a throw that is not its last.
    pub(super) fn is_cut_after(&self, at: usize, cast: &Cast) -> bool {
        let later = self.throws[at + 1..].iter().map(|throw| throw.size);
        let paths = later.fold(cast.words.len(), usize::saturating_mul);
        let few = if self.nodes.len() == 1 { ways::FEW_AT_FIRST } else { ways::FEW_PATHS };
        self.cuts && paths >= few
    }

    /// Makes a throw and leads on to what is left then.
    pub(super) fn cut(
        &mut self,
        machine: &Machine<'p>,
        at: usize,
        cast: &Cast,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        machine.meter.took(ways::CUT_ROUNDS);
        let total = times(total, &cast.total);
        let holes: Vec<u32> =
            (at + 1..self.throws.len()).map(|later| (self.first_hole + later) as u32).collect();
        for (word, part) in cast.words.iter().zip(&cast.weights) {
            self.pay(machine)?;
            self.runner.set(self.first_hole + at, *word);
            let rest = self.rest_after(at, &holes);
            let target = self.within(rest);
            self.sums.add(target, times(weight, part), &total);
        }
        Ok(())
    }

    /// What is left of the round in hand when a throw is made. Throws to come are made even where nothing depends on
    /// them: they may fail.
    fn rest_after(&mut self, at: usize, holes: &[u32]) -> Rest {
        let Rounds { rest, runner, store, throws, .. } = self;
        let mut left = |code: &Code| runner.residue(code, holes, store);
        let mut of_throws = |codes: &[Vec<Code>]| {
            let codes = codes.iter().enumerate().map(|(throw, codes)| {
                let is_needed = throw > at && throws[throw].only.is_none();
                if is_needed { codes.iter().map(&mut left).collect() } else { Vec::new() }
            });
            codes.collect::<Vec<Vec<Code>>>()
        };
        let (keys, reads) = (of_throws(&rest.keys), of_throws(&rest.reads));
        Rest { next: at + 1, code: left(&rest.code), keys, reads }
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
