//! A limit for the whole pool, read without looking at hands.
//!
//! `8d6 ro<=2 up to 3 in all lowest first`: at most three dice are thrown again, the lowest first. What
//! the dice add up to needs no hands, only how many throws are left:
//!
//! * In throw order, one die after the other: each is thrown, takes what it needs of the throws that are
//!   left, and adds its worth. The state is (left, total). That all dice are thrown before the first is
//!   thrown again changes nothing, because throws are independent.
//! * By what they show, one value after the other: of the `r` dice that show this value or a later one,
//!   `c` show it with a binomial chance; they are equal, so they take their turns in throw order. The
//!   state is (dice to come, left, total).
//!
//! A single rank is a question about counts: the n-th highest is at least `v` if at least n dice show `v`
//! or more. Whatever else is read needs the dice themselves ([`tables`](super::tables)).

use super::marks::Worth;
use super::order::binomials;
use super::piece::{Group, Piece, Setup, Shown, face_fires, split_fired};
use super::stops::shown_values;
use super::{Condition, Die, Order, PoolError, Reading, Stage, Style, Trigger};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Rational};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The law of a reading of dice with a limit in all, if it needs no hands. `settled` are the dice before
/// the stages `tail`, each still one die; `stages` are all, from the dice as first thrown in `setup`.
pub(crate) fn read_limited(
    setup: &Setup,
    settled: &Setup,
    stages: &[Stage],
    tail: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Option<Law>, PoolError> {
    let [Stage::InAll { act, most, first }, clamps @ ..] = tail else { return Ok(None) };
    if !clamps.iter().all(|stage| matches!(stage, Stage::AtLeast(_) | Stage::AtMost(_))) {
        return Ok(None);
    }
    let add_up = |reading: &Reading| {
        let worth = Worth::of(reading, settled, &[]);
        let limit = Limit { setup: settled, act, most: *most, first: *first, clamps, worth, meter };
        limit.total()
    };
    let count_law = |op, value: &Rational| {
        add_up(&Reading::Marks(vec![(Condition { op, value: value.clone() }, 1)]))
    };
    let (nth, op) = match reading {
        Reading::Sum | Reading::Marks(_) => return add_up(reading).map(Some),
        Reading::NthHighest(nth) => (*nth, Comparison::AtLeast),
        Reading::NthLowest(nth) => (*nth, Comparison::AtMost),
        Reading::Median => return Ok(None),
    };
    let mut values = shown_values(setup, stages, meter)?;
    if op == Comparison::AtLeast {
        values.reverse();
    }
    // From the end that is asked for, the chance that the rank is reached by this value.
    let mut outcomes = Vec::new();
    let mut before = Rational::ZERO;
    for value in values {
        let enough = Rational::from(nth);
        let reached = count_law(op, &value)?.compare(Comparison::AtLeast, &enough, meter)?;
        if reached > before {
            outcomes.push((value, &reached - &before));
        }
        before = reached;
    }
    if nth == 0 || before != Rational::ONE {
        return Err(PoolError::TooFewDice);
    }
    Law::from_chances(outcomes).map(Some).ok_or(PoolError::TooFewDice)
}

/// The chances of (throws left, total).
type Spread = FxHashMap<(u64, Rational), Rational>;

/// The dice of each group that are still to have their turn, throws left, and total.
type State = (Vec<u64>, u64, Rational);

/// What a die can come to: its worth, the throws it takes, and the chance.
type Fates = Vec<(Rational, u64, Rational)>;

struct Limit<'a> {
    setup: &'a Setup,
    act: &'a Stage,
    most: u64,
    first: Order,
    clamps: &'a [Stage],
    worth: Worth<'a>,
    meter: &'a Meter,
}

impl Limit<'_> {
    fn total(&self) -> Result<Law, PoolError> {
        let totals = match self.first {
            Order::Thrown => self.in_throw_order()?,
            Order::Lowest | Order::Highest => self.by_value()?,
        };
        let mut outcomes: Vec<(Rational, Rational)> = totals.into_iter().collect();
        outcomes.sort();
        Law::from_chances(outcomes).ok_or(PoolError::TooFewDice)
    }

    fn in_throw_order(&self) -> Result<FxHashMap<Rational, Rational>, PoolError> {
        let mut spread: Spread =
            [((self.most, Rational::ZERO), Rational::ONE)].into_iter().collect();
        for group in &self.setup.groups {
            let mut fates = FxHashMap::default();
            for _ in 0..group.count {
                spread = self.one_more(&spread, &group.pieces, &mut fates)?;
            }
        }
        let mut totals = FxHashMap::default();
        for ((_, total), chance) in spread {
            *totals.entry(total).or_default() += chance;
        }
        Ok(totals)
    }

    /// One more die that is one of these pieces.
    fn one_more(
        &self,
        spread: &Spread,
        pieces: &[(Piece, Rational)],
        known: &mut FxHashMap<u64, Fates>,
    ) -> Result<Spread, PoolError> {
        let mut next = Spread::default();
        for ((left, total), chance) in spread {
            if !known.contains_key(left) {
                known.insert(*left, self.fates_of(pieces, *left)?);
            }
            let fates = &known[left];
            self.meter.charge_fractions(fates.len(), chance.denominator().bit_len())?;
            for (worth, used, part) in fates {
                *next.entry((left - used, total + worth)).or_default() += chance * part;
            }
        }
        Ok(next)
    }

    fn by_value(&self) -> Result<FxHashMap<Rational, Rational>, PoolError> {
        let counts: Vec<u64> = self.setup.groups.iter().map(|group| group.count).collect();
        let mut to_come = vec![Rational::ONE; counts.len()];
        let start = ((counts, self.most, Rational::ZERO), Rational::ONE);
        let mut states: FxHashMap<State, Rational> = [start].into_iter().collect();
        for (group, mut pieces) in self.turns()? {
            let mass = pieces.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
            let share = number::quotient(&mass, &to_come[group]);
            to_come[group] = &to_come[group] - &mass;
            pieces.iter_mut().for_each(|(_, chance)| *chance = number::quotient(chance, &mass));
            let mut turn = Turn { pieces, fates: FxHashMap::default(), runs: FxHashMap::default() };
            let mut next = FxHashMap::default();
            let mut rent = self.meter.rent();
            let size = (2 * size_of::<State>() + 8 * to_come.len()) as u64;
            for ((counts, left, total), chance) in states {
                let dice = usize::try_from(counts[group]).map_err(|_| OverBudget::Steps)?;
                let ways = shares(counts[group], dice, &share, self.meter)?;
                turn.run(self, left, dice)?;
                for (shown, part) in ways.into_iter().enumerate().filter(|(_, p)| !p.is_zero()) {
                    let run = &turn.runs[&left][shown];
                    let bits = chance.denominator().bit_len() + part.denominator().bit_len();
                    self.meter.charge_fractions(2 * run.len(), bits)?;
                    rent.grow((next.len() + run.len()) as u64 * size, self.meter)?;
                    for ((left, more), way) in run {
                        let mut counts = counts.clone();
                        counts[group] -= shown as u64;
                        let weight = &chance * &part * way;
                        *next.entry((counts, *left, &total + more)).or_default() += weight;
                    }
                }
            }
            states = next;
        }
        let mut totals = FxHashMap::default();
        for ((_, _, total), chance) in states {
            *totals.entry(total).or_default() += chance;
        }
        Ok(totals)
    }

    /// The values in the order of their turns, and for each the groups in throw order.
    #[expect(clippy::type_complexity, reason = "a list of parts of groups, made once")]
    fn turns(&self) -> Result<Vec<(usize, Vec<(Piece, Rational)>)>, PoolError> {
        let mut turns: BTreeMap<(Rational, usize), Vec<(Piece, Rational)>> = BTreeMap::new();
        for (number, Group { pieces, .. }) in self.setup.groups.iter().enumerate() {
            for (piece, chance) in pieces {
                let shown = number_of(piece)?.clone();
                turns.entry((shown, number)).or_default().push((piece.clone(), chance.clone()));
            }
        }
        let mut turns: Vec<_> = turns.into_iter().collect();
        if self.first == Order::Highest {
            turns.sort_by(|((a, first), _), ((b, second), _)| b.cmp(a).then(first.cmp(second)));
        }
        Ok(turns.into_iter().map(|((_, group), pieces)| (group, pieces)).collect())
    }

    fn fates_of(&self, pieces: &[(Piece, Rational)], left: u64) -> Result<Fates, PoolError> {
        let mut all: FxHashMap<(Rational, u64), Rational> = FxHashMap::default();
        for (piece, chance) in pieces {
            for (worth, used, part) in self.fates(piece, left)? {
                *all.entry((worth, used)).or_default() += chance * part;
            }
        }
        Ok(all.into_iter().map(|((worth, used), chance)| (worth, used, chance)).collect())
    }

    /// What one die can come to with so many throws left.
    fn fates(&self, piece: &Piece, left: u64) -> Result<Fates, PoolError> {
        let shown = number_of(piece)?;
        let stays = vec![(self.value(shown), 0, Rational::ONE)];
        match self.act {
            _ if left == 0 => Ok(stays),
            Stage::Reroll { when, .. } if !when.holds(shown) => Ok(stays),
            Stage::Reroll { when, once } => {
                let (_, die) = self.setup.die_of(piece)?;
                self.rerolled(die, when, if *once { 1 } else { left })
            }
            Stage::Explode { trigger, style, limit } => {
                let (_, die) = self.setup.die_of(piece)?;
                match split_fired(piece, trigger, die, self.meter)? {
                    [None, _] => Ok(stays),
                    _ => {
                        let rounds = limit.unwrap_or(left).min(left);
                        self.exploded(shown, die, trigger, *style, rounds)
                    }
                }
            }
            _ => Err(PoolError::NoClosedForm),
        }
    }

    fn rerolled(&self, die: &Die, when: &Condition, rounds: u64) -> Result<Fates, PoolError> {
        let mut fates = Fates::new();
        let mut going = Rational::ONE;
        for used in 1..=rounds {
            self.meter.charge_fractions(die.faces().len(), chain_bits(die, used))?;
            let mut again = Rational::ZERO;
            for (face, chance) in die.chances() {
                if used < rounds && when.holds(face) {
                    again += chance;
                } else {
                    fates.push((self.value(face), used, &going * chance));
                }
            }
            going *= again;
            if going.is_zero() {
                break;
            }
        }
        Ok(fates)
    }

    fn exploded(
        &self,
        shown: &Rational,
        die: &Die,
        trigger: &Trigger,
        style: Style,
        rounds: u64,
    ) -> Result<Fates, PoolError> {
        if rounds == 0 {
            return Ok(vec![(self.value(shown), 0, Rational::ONE)]);
        }
        // A compound die is worth what it shows in the end; others are worth something each.
        let compound = style == Style::Compound;
        let less = Rational::from(u8::from(style == Style::Penetrate));
        let first = if compound { shown.clone() } else { self.value(shown) };
        let mut going: FxHashMap<Rational, Rational> =
            [(first, Rational::ONE)].into_iter().collect();
        let mut fates = Fates::new();
        for used in 1..=rounds {
            let steps = going.len().saturating_mul(die.faces().len());
            self.meter.charge_fractions(steps, chain_bits(die, used))?;
            let mut next: FxHashMap<Rational, Rational> = FxHashMap::default();
            for (total, part) in going {
                for (face, chance) in die.chances() {
                    let more = if compound { face.clone() } else { self.value(&(face - &less)) };
                    let (total, chance) = (&total + more, &part * chance);
                    if used < rounds && face_fires(trigger, die, face) {
                        *next.entry(total).or_default() += chance;
                    } else {
                        let worth = if compound { self.value(&total) } else { total };
                        fates.push((worth, used, chance));
                    }
                }
            }
            going = next;
            if going.is_empty() {
                break;
            }
        }
        Ok(fates)
    }

    /// What a die that shows this is worth in the end.
    fn value(&self, shown: &Rational) -> Rational {
        let clamped = self.clamps.iter().fold(shown.clone(), |shown, clamp| match clamp {
            Stage::AtLeast(bound) => shown.max(bound.clone()),
            Stage::AtMost(bound) => shown.min(bound.clone()),
            _ => shown,
        });
        self.worth.value(&clamped)
    }
}

/// How long the chance of a chain of throws becomes; all of them are kept.
pub(crate) fn chain_bits(die: &Die, throws: u64) -> usize {
    let throws = usize::try_from(throws).unwrap_or(usize::MAX);
    throws.saturating_mul(4 * die.total().bit_len())
}

/// The dice that show one value.
struct Turn {
    pieces: Vec<(Piece, Rational)>,
    fates: FxHashMap<u64, Fates>,
    /// By how many throws are left: what 0, 1, 2, … of them come to.
    runs: FxHashMap<u64, Vec<Spread>>,
}

impl Turn {
    /// Makes sure that it is known what up to so many dice come to.
    fn run(&mut self, limit: &Limit<'_>, left: u64, dice: usize) -> Result<(), PoolError> {
        let run = self.runs.entry(left).or_insert_with(|| {
            vec![[((left, Rational::ZERO), Rational::ONE)].into_iter().collect()]
        });
        while run.len() <= dice {
            let Some(last) = run.last() else { break };
            let next = limit.one_more(last, &self.pieces, &mut self.fates)?;
            run.push(next);
        }
        Ok(())
    }
}

/// The chances that 0, 1, 2, … of so many dice show a value.
fn shares(
    count: u64,
    dice: usize,
    share: &Rational,
    meter: &Meter,
) -> Result<Vec<Rational>, PoolError> {
    let bits = dice.saturating_mul(share.denominator().bit_len());
    meter.charge_fractions(dice + 1, bits)?;
    let others = Rational::ONE - share;
    let power = |base: &Rational, times: usize| {
        if times == 0 {
            Rational::ONE
        } else {
            base.pow(isize::try_from(times).unwrap_or(isize::MAX))
        }
    };
    let ways = binomials(count, dice + 1).enumerate();
    let chance =
        |(shown, ways)| Rational::from(ways) * power(share, shown) * power(&others, dice - shown);
    Ok(ways.map(chance).collect())
}

fn number_of(piece: &Piece) -> Result<&Rational, PoolError> {
    match &piece.shown {
        Shown::Number(value) => Ok(value),
        Shown::Endless(_) => Err(PoolError::NoClosedForm),
    }
}
