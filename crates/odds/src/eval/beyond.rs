//! What may still come of a loop that is given up: whatever is carried stays within bounds that no round leaves.
//!
//! ```text
//! repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1
//! ```
//!
//! A loop that never comes back to where it was is followed until it has ended almost surely. With `times` at 4096 all
//! that is still to come is more than that, so that the chances of everything below are exact: what is left goes on as
//! a phantom ([`crate::phantom`]) with a range for each number.
//!
//! The ranges are found by running a round on them ([`Reach`]) until no round widens them; one that grows is taken to be
//! endless at once. They say where the loop may end, but not that it does. That is certain if some throw ends it whatever
//! is carried within the ranges: then each round ends it with at least the chance of that throw.

use astragal_prob::{Law, Meter, Rational};
use astragal_program::core::LocalId;

use super::Machine;
use super::hoisted::{Limits, Standing};
use crate::code::{FARTHEST, Program, Reach, Runner, Store, Word};
use crate::plan::Repeat;
use crate::state::{State, States, Sym, VarLaw};
use crate::ways;

/// What is known of each carried value; none if no round looks at it.
type Carried = Vec<Option<Reach>>;

/// The round of a loop as code, with the values of its throws.
struct Round {
    program: Program,
    runner: Runner,
    store: Store,
    throws: Vec<(u32, Vec<Word>)>,
}

impl<'p> Machine<'p> {
    /// One end that stands for all that these states may come to; none if too little is known of that.
    pub(super) fn beyond(
        &mut self,
        repeat: &'p Repeat,
        start: &State,
        going: &States,
    ) -> Option<(Vec<Sym>, Vec<VarLaw>)> {
        if !start.laws.is_empty() || !self.meter.may(ways::BEYOND) {
            return None;
        }
        let mut round = self.round_of(repeat, start)?;
        let mut carried = hull(repeat, going)?;
        for _ in 0..ways::ROUNDS_OF_BOUNDS {
            let after = round.run(&carried, &[], self.meter)?;
            let wider = carried.iter().zip(&after).map(|(known, more)| match known {
                Some(known) => widened(known, more).map(Some),
                None => Some(None),
            });
            let wider: Carried = wider.collect::<Option<_>>()?;
            if wider == carried {
                return self.ended(repeat, &mut round, &carried, after);
            }
            carried = wider;
        }
        None
    }

    /// The round, if its throws are the same whatever is carried.
    fn round_of(&mut self, repeat: &'p Repeat, start: &State) -> Option<Round> {
        let values = self.variables_of(&repeat.round, &start.locals)?;
        let mut store = Store::new();
        let limits = Limits::ROUNDS;
        let Standing { program, mut runner, throws: thrown, .. } =
            self.told_apart(&repeat.round, &values, &repeat.state, limits, &mut store)?;
        let mut throws = Vec::new();
        for throw in thrown {
            if !throw.thrown.keys.is_empty() {
                return None;
            }
            let values = throw.variables(None, &mut runner, &mut store)?;
            let column = self.column(&throw.thrown, &values, Limits::ROUND, &mut store)?;
            if column.is_open() || column.answers.is_some() {
                return None;
            }
            throws.push((throw.thrown.slot, column.words));
        }
        Some(Round { program, runner, store, throws })
    }

    /// The end with these values, if there is one.
    fn ended(
        &mut self,
        repeat: &Repeat,
        round: &mut Round,
        carried: &[Option<Reach>],
        mut after: Vec<Reach>,
    ) -> Option<(Vec<Sym>, Vec<VarLaw>)> {
        after.pop()?;
        round.may_end(carried, self.meter)?;
        let mut state = State::default();
        let mut fields = Vec::with_capacity(after.len());
        for (reach, asked) in after.iter().zip(&repeat.asked) {
            fields.push(match reach {
                _ if !asked => Sym::Gone,
                Reach::Word(word) => Sym::from_value(&round.store.value(*word)),
                Reach::Range(from, to) | Reach::Moved(from, to, _) => {
                    state.number(law_between(*from, *to, self.meter)?)
                }
                Reach::Either | Reach::Row(_) | Reach::Record(_) => return None,
            });
        }
        self.meter.took(ways::BEYOND);
        Some((fields, state.laws))
    }
}

impl Round {
    /// What is carried after a round from this, and whether that is the end; with some of the throws made.
    fn run(
        &mut self,
        carried: &[Option<Reach>],
        made: &[Word],
        meter: &Meter,
    ) -> Option<Vec<Reach>> {
        meter.charge(24 + 4 * self.program.code.size()).ok()?;
        let mut open: Vec<(u32, Reach)> = Vec::new();
        let thrown = self.throws.iter().enumerate().map(|(at, (slot, words))| {
            let known = made.get(at).map_or_else(|| any_of(words), |word| Some(Reach::Word(*word)));
            Some((*slot, known?))
        });
        let thrown: Vec<(u32, Reach)> = thrown.collect::<Option<_>>()?;
        let carried =
            (0u32..).zip(carried).filter_map(|(slot, known)| Some((slot, known.clone()?)));
        for (slot, reach) in carried.chain(thrown) {
            match reach {
                Reach::Word(word) => self.runner.set(slot as usize, word),
                reach => open.push((slot, reach)),
            }
        }
        self.runner.begin();
        let Round { program, runner, store, .. } = self;
        match runner.reach_with(&program.code, &program.terms, open, store)? {
            Reach::Record(fields) => Some(fields),
            Reach::Word(record) => {
                Some(store.fields(record)?.iter().copied().map(Reach::Word).collect())
            }
            Reach::Range(..) | Reach::Moved(..) | Reach::Either | Reach::Row(_) => None,
        }
    }

    /// Whether some throw ends the loop whatever is carried.
    fn may_end(&mut self, carried: &[Option<Reach>], meter: &Meter) -> Option<()> {
        let mut made = vec![0; self.throws.len()];
        for _ in 0..ways::RUNS_OF_A_CALL {
            let words: Vec<Word> =
                self.throws.iter().zip(&made).map(|((_, words), at)| words[*at]).collect();
            let until = self.run(carried, &words, meter)?.pop()?;
            if until.word().and_then(Word::as_bool) == Some(true) {
                return Some(());
            }
            // The next combination.
            let place = (0..made.len()).find(|at| made[*at] + 1 < self.throws[*at].1.len())?;
            made[place] += 1;
            made[..place].fill(0);
        }
        None
    }
}

/// All that a throw may show: numbers, or truths.
fn any_of(words: &[Word]) -> Option<Reach> {
    let numbers: Option<Vec<i64>> = words.iter().map(|word| word.as_number()).collect();
    match numbers {
        Some(numbers) => Some(Reach::range(*numbers.iter().min()?, *numbers.iter().max()?)),
        None => words.iter().all(|word| word.as_bool().is_some()).then_some(Reach::Either),
    }
}

/// What is carried in one of these states.
fn hull(repeat: &Repeat, going: &States) -> Option<Carried> {
    let read = |local: &&LocalId| repeat.round.free.contains(**local);
    let range = |local: &LocalId| {
        let mut range: Option<(i64, i64)> = None;
        for (state, _) in &going.list {
            let value = state.locals.get(local.0 as usize)?.to_value()?;
            let number = value.as_number()?.to_i64().filter(|number| number.abs() < FARTHEST)?;
            let (from, to) = range.unwrap_or((number, number));
            range = Some((from.min(number), to.max(number)));
        }
        range.map(|(from, to)| Reach::range(from, to))
    };
    let known = |local| Some(local).filter(read).map_or(Some(None), |local| range(local).map(Some));
    repeat.state.iter().map(known).collect()
}

/// A range that holds another too; endless where it had to grow.
fn widened(known: &Reach, more: &Reach) -> Option<Reach> {
    let ((a, b), (c, d)) = (known.ends()?, more.ends()?);
    let from = if c < a { -FARTHEST } else { a };
    Some(Reach::range(from, if d > b { FARTHEST } else { b }))
}

/// A law of whole numbers that may be anything from here to there.
fn law_between(from: i64, to: i64, meter: &Meter) -> Option<Law> {
    let some = |from: i64, law: Law| law.sum(&Law::constant(Rational::from(from)), meter).ok();
    let sides = to.checked_sub(from)?.checked_add(1)?;
    if sides <= ways::MOST_VALUES as i64 {
        return some(from - 1, Law::uniform(sides.unsigned_abs(), meter).ok()?);
    }
    let half = Rational::ONE / Rational::from(2u8);
    let upward = Law::geometric(&half, meter).ok()?;
    match (from > -FARTHEST, to < FARTHEST) {
        (true, _) => some(from, upward),
        (false, true) => some(to, upward.negate(meter).ok()?),
        (false, false) => Law::anything(meter).ok(),
    }
}
