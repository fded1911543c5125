//! Writes the explanation while the roll goes on, or nothing at all.
//!
//! Every method is a no-op when the recorder is off, so that the evaluator need not ask. A pool that
//! is read twice is recorded as two steps that share dice: each step says what became of the dice in
//! that use, and a die as a whole counts as dropped only if no use holds it.

use std::sync::Arc;

use astragal_program::core::Branch;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::explanation::{Base, DieId, DieRecord, Fates, PoolDie, Step, StepKind};
use crate::faces::DieFaces;

/// The most steps that are recorded.
const MOST_STEPS: usize = 20_000;

/// A place in the list of steps; [`StepId::NOWHERE`] when nothing is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepId(usize);

impl StepId {
    pub(crate) const NOWHERE: StepId = StepId(usize::MAX);
}

/// The dice behind one die of a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behind {
    /// Itself.
    Die(DieId),
    /// It shows a total: all dice thrown for it, from the first up to and without the second.
    Total(DieId, DieId),
}

#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) on: bool,
    pub(crate) dice: Vec<DieRecord>,
    pub(crate) steps: Vec<Step>,
    pub(crate) shortened: bool,
    /// How many later uses hold each die, minus how many drop it.
    holds: Vec<i32>,
    depth: u32,
}

impl Recorder {
    pub(crate) fn new(on: bool) -> Recorder {
        Recorder { on, ..Recorder::default() }
    }

    /// The number of the next die.
    pub(crate) fn next_die(&self) -> DieId {
        self.dice.len() as DieId
    }

    /// What follows is inside the last step.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(crate) fn step(&mut self, span: Span, kind: impl FnOnce() -> StepKind) -> StepId {
        if !self.on {
            return StepId::NOWHERE;
        }
        if self.steps.len() == MOST_STEPS {
            self.shortened = true;
            return StepId::NOWHERE;
        }
        self.steps.push(Step { depth: self.depth, span, kind: kind() });
        StepId(self.steps.len() - 1)
    }

    pub(crate) fn named(&mut self, span: Span, name: &Arc<str>, value: Value, pool: StepId) {
        let pool = (pool != StepId::NOWHERE).then_some(pool.0);
        self.step(span, || StepKind::Named { name: name.clone(), value, pool });
    }

    pub(crate) fn branch(&mut self, span: Span, origin: Branch, condition: Span, held: bool) {
        let worth_a_word = match origin {
            Branch::If => true,
            Branch::Arm => held,
            Branch::Logic => false,
        };
        if worth_a_word {
            self.step(span, || StepKind::Branch { origin, condition, held });
        }
    }

    pub(crate) fn result(&mut self, call: StepId, value: impl FnOnce() -> Value) {
        if let Some(Step { kind: StepKind::Call { result, .. }, .. }) = self.steps.get_mut(call.0) {
            *result = value();
        }
    }

    pub(crate) fn pool(&mut self, span: Span, base: impl FnOnce() -> Base) -> StepId {
        self.step(span, || StepKind::Pool {
            base: base(),
            suffixes: Vec::new(),
            dice: Vec::new(),
            total: Value::whole(0),
            merged: false,
            sorted: false,
        })
    }

    /// Dice that lie on the table are used once more.
    pub(crate) fn pool_again(
        &mut self,
        span: Span,
        name: Option<Arc<str>>,
        pool: StepId,
    ) -> StepId {
        if pool == StepId::NOWHERE {
            return StepId::NOWHERE;
        }
        self.pool(span, || Base::Again { name, pool: pool.0 })
    }

    /// A die was thrown.
    pub(crate) fn thrown(&mut self, die: &DieFaces, face: u64, from: Option<DieId>) -> DieId {
        let id = self.next_die();
        if self.on {
            let name = match self.dice.last() {
                Some(last) if last.sides == die.total() && *last.name == *die.name() => {
                    last.name.clone()
                }
                _ => die.name(),
            };
            let value = die.value(face);
            self.dice.push(DieRecord {
                id,
                name,
                sides: die.total(),
                face: value.clone(),
                value,
                throws: Vec::new(),
                fates: Fates::default(),
                from,
                label: None,
            });
            self.holds.push(0);
        }
        id
    }

    /// A die joins a pool; returns its place there.
    pub(crate) fn joins(&mut self, pool: StepId, behind: Behind, shows: Value) -> usize {
        let die = match behind {
            Behind::Die(id) => Some(id),
            Behind::Total(..) => None,
        };
        match self.pool_dice(pool) {
            Some(dice) => {
                dice.push(PoolDie { die, shows, fates: Fates::default() });
                dice.len() - 1
            }
            None => 0,
        }
    }

    /// The pool uses these dice once more.
    pub(crate) fn holds(&mut self, behind: Behind) {
        for id in ids(behind) {
            if let Some(holds) = self.holds.get_mut(id) {
                *holds += 1;
            }
        }
    }

    pub(crate) fn drops(&mut self, pool: StepId, place: usize, behind: Behind) {
        self.fate(pool, place, Behind::Total(0, 0), |fates| fates.dropped = true);
        for id in ids(behind) {
            if let Some(die) = self.dice.get_mut(id) {
                die.fates.dropped |= !die.fates.rerolled;
                self.holds[id] -= 1;
            }
        }
    }

    /// Sets a fate of a die, both for the pool and for the die itself.
    pub(crate) fn fate(
        &mut self,
        pool: StepId,
        place: usize,
        behind: Behind,
        change: impl Fn(&mut Fates),
    ) {
        if let Some(die) = self.pool_dice(pool).and_then(|dice| dice.get_mut(place)) {
            change(&mut die.fates);
        }
        if let Behind::Die(id) = behind
            && let Some(die) = self.dice.get_mut(id as usize)
        {
            change(&mut die.fates);
        }
    }

    /// A die shows something else now.
    pub(crate) fn shows(&mut self, pool: StepId, place: usize, behind: Behind, value: &Number) {
        if let Some(die) = self.pool_dice(pool).and_then(|dice| dice.get_mut(place)) {
            die.shows = Value::Number(value.clone());
        }
        if let Behind::Die(id) = behind
            && let Some(die) = self.dice.get_mut(id as usize)
        {
            die.value = Value::Number(value.clone());
        }
    }

    /// One more throw was added to a die.
    pub(crate) fn compounds(&mut self, behind: Behind, face: Value) {
        if let Behind::Die(id) = behind
            && let Some(die) = self.dice.get_mut(id as usize)
        {
            if die.throws.is_empty() {
                die.throws.push(die.face.clone());
            }
            die.throws.push(face);
        }
    }

    pub(crate) fn label(&mut self, behind: Behind, label: &Arc<str>) {
        for id in ids(behind) {
            if let Some(die) = self.dice.get_mut(id) {
                die.label.get_or_insert_with(|| label.clone());
            }
        }
    }

    /// A pool after a suffix.
    pub(crate) fn suffixed(&mut self, pool: StepId, words: &Arc<str>) {
        if let Some(Step { kind: StepKind::Pool { suffixes, .. }, .. }) = self.steps.get_mut(pool.0)
        {
            suffixes.push(words.clone());
        }
    }

    /// A pool is worth this now.
    pub(crate) fn total(&mut self, pool: StepId, value: impl FnOnce() -> Value) {
        if let Some(Step { kind: StepKind::Pool { total, .. }, .. }) = self.steps.get_mut(pool.0) {
            *total = value();
        }
    }

    /// A pool's dice are shown by a larger pool.
    pub(crate) fn merges(&mut self, pool: StepId) {
        if let Some(Step { kind: StepKind::Pool { merged, .. }, .. }) = self.steps.get_mut(pool.0) {
            *merged = true;
        }
    }

    /// Shows the dice of a pool in the order of what they show.
    pub(crate) fn sort(&mut self, pool: StepId, descending: bool) -> Vec<usize> {
        let Some(Step { kind: StepKind::Pool { dice, sorted, .. }, .. }) =
            self.steps.get_mut(pool.0)
        else {
            return Vec::new();
        };
        *sorted = true;
        let mut places: Vec<usize> = (0..dice.len()).collect();
        places.sort_by(|&a, &b| {
            let order = dice[a].shows.cmp(&dice[b].shows);
            if descending { order.reverse() } else { order }
        });
        *dice = places.iter().map(|&place| dice[place].clone()).collect();
        let mut moved = vec![0; places.len()];
        for (now, before) in places.into_iter().enumerate() {
            moved[before] = now;
        }
        moved
    }

    /// The dice with their last fates.
    pub(crate) fn finish(mut self) -> (Vec<DieRecord>, Vec<Step>, bool) {
        for (die, holds) in self.dice.iter_mut().zip(self.holds) {
            die.fates.dropped &= holds <= 0;
        }
        (self.dice, self.steps, self.shortened)
    }

    fn pool_dice(&mut self, pool: StepId) -> Option<&mut Vec<PoolDie>> {
        match self.steps.get_mut(pool.0) {
            Some(Step { kind: StepKind::Pool { dice, .. }, .. }) => Some(dice),
            _ => None,
        }
    }
}

fn ids(behind: Behind) -> std::ops::Range<usize> {
    match behind {
        Behind::Die(id) => id as usize..id as usize + 1,
        Behind::Total(from, to) => from as usize..to as usize,
    }
}
