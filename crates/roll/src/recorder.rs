//! Writes the explanation while the roll goes on, or nothing at all.
//!
//! Every method is a no-op when the recorder is off, so that the evaluator need not ask; only the faces
//! of the dice are kept then. A pool that is read twice is recorded as two steps that share dice: each
//! step says what became of the dice in that use, and a die as a whole counts as dropped only if no use
//! holds it.

use std::sync::Arc;

use astragal_program::core::Branch;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::dice::Dice;
use crate::explanation::{Aside, DieId, Fates, Record};
use crate::faces::DieFaces;
use crate::lying::Lying;
use crate::steps::{Base, Labels, PoolDice, PoolDie, Said, Step, StepKind, Suffixes, Worth};

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

pub(crate) struct Recorder<'r> {
    pub(crate) on: bool,
    record: &'r mut Record,
    depth: u32,
}

impl<'r> Recorder<'r> {
    pub(crate) fn new(record: &'r mut Record, on: bool) -> Recorder<'r> {
        Recorder { on, record, depth: 0 }
    }

    /// Forgets what was recorded but for the attempts that failed.
    pub(crate) fn start_over(&mut self) {
        let again = self.record.aside.take().map(|aside| aside.again).unwrap_or_default();
        let aside = Some(Box::new(Aside { again, ..Aside::default() }));
        *self.record = Record { aside, ..Record::default() };
        self.depth = 0;
    }

    /// The dice on the table. The evaluator reads their faces here, so they are kept in any case.
    #[inline]
    pub(crate) fn dice(&self) -> &Dice {
        &self.record.dice
    }

    #[inline]
    pub(crate) fn dice_mut(&mut self) -> &mut Dice {
        &mut self.record.dice
    }

    /// Labels, notes, failed attempts, names of results.
    pub(crate) fn aside(&mut self) -> &mut Aside {
        self.record.aside.get_or_insert_default()
    }

    /// What the program came to, to be written where it stays.
    #[inline]
    pub(crate) fn value(&mut self) -> &mut Value {
        &mut self.record.value
    }

    /// What follows is inside the last step.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    #[inline(never)]
    pub(crate) fn step(&mut self, span: Span, kind: impl FnOnce() -> StepKind) -> StepId {
        self.push(span, kind)
    }

    /// Writes a step, where it is called. It is large, and the usual one, the first, is written where it
    /// stays: to put it together elsewhere and copy it would cost more than all the rest of it.
    #[inline(always)]
    fn push(&mut self, span: Span, kind: impl FnOnce() -> StepKind) -> StepId {
        if !self.on {
            return StepId::NOWHERE;
        }
        let depth = self.depth;
        let first = &mut self.record.steps.first;
        if first.is_none() {
            *first = Some(Step { depth, span, kind: kind() });
            return StepId(0);
        }
        self.push_after(span, kind)
    }

    fn push_after(&mut self, span: Span, kind: impl FnOnce() -> StepKind) -> StepId {
        let number = self.record.steps.len();
        if number == MOST_STEPS {
            self.aside().shortened = true;
            return StepId::NOWHERE;
        }
        self.record.steps.rest.push(Step { depth: self.depth, span, kind: kind() });
        StepId(number)
    }

    pub(crate) fn named(&mut self, span: Span, name: &Arc<str>, value: Value, pool: StepId) {
        self.labelled(span, name, value, pool, None);
    }

    pub(crate) fn labelled(
        &mut self,
        span: Span,
        name: &Arc<str>,
        value: Value,
        pool: StepId,
        labels: Option<Labels>,
    ) {
        let pool = (pool != StepId::NOWHERE).then_some(pool.0);
        self.step(span, || StepKind::Named { name: name.clone(), value, pool, labels });
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
        if let Some(Step { kind: StepKind::Call { result, .. }, .. }) =
            self.record.steps.get_mut(call.0)
        {
            *result = value();
        }
    }

    /// A pool of the last dice, from this one on.
    #[inline(always)]
    pub(crate) fn pool(
        &mut self,
        span: Span,
        kind: DieFaces,
        first: DieId,
        total: Worth,
    ) -> StepId {
        let count = self.record.dice.next() - first;
        let base = || Base::Dice { count: count.into(), kind };
        self.pool_of(span, base, PoolDice::Thrown { first, count }, total)
    }

    /// A pool of dice that lie on the table, after all that was done to them.
    #[inline(always)]
    pub(crate) fn pool_with(
        &mut self,
        span: Span,
        kind: &DieFaces,
        count: u64,
        lying: &Lying,
        total: i64,
    ) -> StepId {
        let dice = PoolDice::Thrown { first: lying.first, count: lying.count };
        let base = || Base::Dice { count, kind: kind.clone() };
        self.pool_of(span, base, dice, Worth::Whole(total))
    }

    /// The suffixes of a pool, to be written where they stay.
    #[inline]
    pub(crate) fn suffixes(&mut self, pool: StepId) -> Option<&mut Suffixes> {
        match &mut self.record.steps.get_mut(pool.0)?.kind {
            StepKind::Pool { suffixes, .. } => Some(suffixes),
            _ => None,
        }
    }

    /// A pool whose dice lie on the table, or are totals.
    #[inline(never)]
    pub(crate) fn group(&mut self, span: Span, base: impl FnOnce() -> Base) -> StepId {
        self.pool_of(span, base, PoolDice::Each(Vec::new()), Worth::Whole(0))
    }

    #[inline(always)]
    fn pool_of(
        &mut self,
        span: Span,
        base: impl FnOnce() -> Base,
        dice: PoolDice,
        total: Worth,
    ) -> StepId {
        self.push(span, || StepKind::Pool {
            base: base(),
            suffixes: Suffixes::None,
            dice,
            total,
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
        self.group(span, || Base::Again { name, pool: pool.0 })
    }

    /// The last die was thrown for this pool, after the others; returns its place there.
    pub(crate) fn thrown(&mut self, pool: StepId) -> u32 {
        let id = self.record.dice.next() - 1;
        let Some(Step { kind: StepKind::Pool { dice, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
        else {
            return 0;
        };
        let place = dice.len() as u32;
        match dice {
            PoolDice::Thrown { first, count } if *first + *count == id => *count += 1,
            // Other dice were thrown in between.
            PoolDice::Thrown { .. } | PoolDice::Each(_) => {
                listed(dice, &self.record.dice).push(PoolDie::thrown(&self.record.dice, id));
            }
        }
        place
    }

    /// A pool that alone has its dice has so many of them now.
    pub(crate) fn holds_so_many(&mut self, pool: StepId, now: u32) {
        if let Some(Step { kind: StepKind::Pool { dice, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
            && let PoolDice::Thrown { count, .. } = dice
        {
            *count = now;
        }
    }

    /// A die comes from another.
    pub(crate) fn comes_from(&mut self, id: DieId, from: Option<DieId>) {
        if let Some(from) = from
            && self.on
        {
            self.record.dice.come_from(id, from);
        }
    }

    /// A die that lies on the table, or a total, joins a pool; returns its place there.
    pub(crate) fn joins(&mut self, pool: StepId, behind: Behind, shows: &Number) -> u32 {
        let die = match behind {
            Behind::Die(id) => Some(id),
            Behind::Total(..) => None,
        };
        match self.pool_dice(pool) {
            Some(dice) => {
                let shows = Value::Number(shows.clone());
                dice.push(PoolDie { die, shows, fates: Fates::default() });
                dice.len() as u32 - 1
            }
            None => 0,
        }
    }

    /// The pool uses these dice once more.
    pub(crate) fn holds(&mut self, behind: Behind) {
        if self.on {
            ids(behind).for_each(|id| self.record.dice.hold(id, 1));
        }
    }

    pub(crate) fn drops(&mut self, pool: StepId, place: u32, behind: Behind) {
        match self.own(pool, place) {
            Some(id) => self.record.dice.own_fates_mut(id).dropped = true,
            None if self.on => {
                if let Some(die) = self.pool_die(pool, place) {
                    die.fates.dropped = true;
                }
                ids(behind).for_each(|id| self.record.dice.drop(id));
            }
            None => {}
        }
    }

    /// Sets a fate of a die, both for the pool and for the die itself.
    pub(crate) fn fate(
        &mut self,
        pool: StepId,
        place: u32,
        behind: Behind,
        change: impl Fn(&mut Fates),
    ) {
        match self.own(pool, place) {
            Some(id) => change(self.record.dice.own_fates_mut(id)),
            None if self.on => {
                if let Some(die) = self.pool_die(pool, place) {
                    change(&mut die.fates);
                }
                if let Behind::Die(id) = behind {
                    change(self.record.dice.later_fates_mut(id));
                }
            }
            None => {}
        }
    }

    /// A die shows something else now.
    pub(crate) fn shows(&mut self, pool: StepId, place: u32, behind: Behind, value: &Number) {
        match self.own(pool, place) {
            Some(id) => self.record.dice.show(id, true, value),
            None if self.on => {
                if let Some(die) = self.pool_die(pool, place) {
                    die.shows = Value::Number(value.clone());
                }
                if let Behind::Die(id) = behind {
                    self.record.dice.show(id, false, value);
                }
            }
            None => {}
        }
    }

    /// One more throw was added to a die.
    pub(crate) fn compounds(&mut self, behind: Behind, face: &Number) {
        if let Behind::Die(id) = behind
            && self.on
        {
            self.record.dice.compound(id, Value::Number(face.clone()));
        }
    }

    pub(crate) fn label(&mut self, behind: Behind, label: &Arc<str>) {
        if self.on {
            ids(behind).for_each(|id| self.record.dice.label(id, label));
        }
    }

    /// A pool after a suffix, and what it is worth now.
    pub(crate) fn suffixed(&mut self, pool: StepId, said: Said, worth: Worth) {
        if let Some(Step { kind: StepKind::Pool { suffixes, total, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
        {
            suffixes.push(said);
            *total = worth;
        }
    }

    /// A pool is worth this now.
    pub(crate) fn total(&mut self, pool: StepId, worth: Worth) {
        if let Some(Step { kind: StepKind::Pool { total, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
        {
            *total = worth;
        }
    }

    /// A pool's dice are shown by a larger pool.
    pub(crate) fn merges(&mut self, pool: StepId) {
        if let Some(Step { kind: StepKind::Pool { merged, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
        {
            *merged = true;
        }
    }

    /// Shows the dice of a pool in the order of what they show.
    pub(crate) fn sort(&mut self, pool: StepId, descending: bool) -> Vec<u32> {
        let Some(Step { kind: StepKind::Pool { dice, sorted, .. }, .. }) =
            self.record.steps.get_mut(pool.0)
        else {
            return Vec::new();
        };
        *sorted = true;
        let dice = listed(dice, &self.record.dice);
        let mut places: Vec<usize> = (0..dice.len()).collect();
        places.sort_by(|&a, &b| {
            let order = dice[a].shows.cmp(&dice[b].shows);
            if descending { order.reverse() } else { order }
        });
        *dice = places.iter().map(|&place| dice[place].clone()).collect();
        let mut moved = vec![0; places.len()];
        for (now, before) in places.into_iter().enumerate() {
            moved[before] = now as u32;
        }
        moved
    }

    /// The die at a place of a pool that alone has its dice.
    fn own(&self, pool: StepId, place: u32) -> Option<DieId> {
        match self.record.steps.get(pool.0)?.kind {
            StepKind::Pool { dice: PoolDice::Thrown { first, .. }, .. } => Some(first + place),
            _ => None,
        }
    }

    fn pool_die(&mut self, pool: StepId, place: u32) -> Option<&mut PoolDie> {
        self.pool_dice(pool)?.get_mut(place as usize)
    }

    fn pool_dice(&mut self, pool: StepId) -> Option<&mut Vec<PoolDie>> {
        match self.record.steps.get_mut(pool.0) {
            Some(Step { kind: StepKind::Pool { dice, .. }, .. }) => {
                Some(listed(dice, &self.record.dice))
            }
            _ => None,
        }
    }
}

/// The dice of a pool one by one, from now on.
fn listed<'p>(pool: &'p mut PoolDice, dice: &Dice) -> &'p mut Vec<PoolDie> {
    if let PoolDice::Thrown { first, count } = *pool {
        *pool =
            PoolDice::Each((first..first + count).map(|id| PoolDie::thrown(dice, id)).collect());
    }
    match pool {
        PoolDice::Each(dice) => dice,
        PoolDice::Thrown { .. } => unreachable!("made a list above"),
    }
}

fn ids(behind: Behind) -> std::ops::Range<DieId> {
    match behind {
        Behind::Die(id) => id..id + 1,
        Behind::Total(from, to) => from..to,
    }
}
