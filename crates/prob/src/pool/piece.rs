//! Dice on the table, inside the algorithms.
//!
//! A [`Piece`] is one die in one definite state. Only a compound die, or a total that is endless,
//! can show infinitely many values; it is then one piece that shows a law.

use std::borrow::Cow;

use super::{Condition, Die, Pool, PoolError, Source, Stage, Trigger};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use dashu_base::BitTest;

/// A die on the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Piece {
    /// Which die of the [`Setup`] it can be thrown again with.
    pub(crate) origin: Option<usize>,
    pub(crate) thrown: Rational,
    pub(crate) shown: Shown,
}

/// What a die shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shown {
    Number(Rational),
    Endless(Law),
}

impl Piece {
    /// A fresh die.
    pub(crate) fn fresh(origin: usize, face: &Rational) -> Piece {
        let shown = Shown::Number(face.clone());
        Piece { origin: Some(origin), thrown: face.clone(), shown }
    }

    /// The law of what it shows.
    pub(crate) fn law(&self) -> Law {
        match &self.shown {
            Shown::Number(value) => Law::constant(value.clone()),
            Shown::Endless(law) => law.clone(),
        }
    }
}

/// The same die showing the law `law`: a piece for each value, or one piece if it is endless.
pub(crate) fn showing(
    piece: &Piece,
    law: &Law,
    meter: &Meter,
) -> Result<Vec<(Piece, Rational)>, OverBudget> {
    let Law::Finite(table) = law else {
        let shown = Shown::Endless(law.clone());
        return Ok(vec![(Piece { shown, ..piece.clone() }, Rational::ONE)]);
    };
    let bits = table.total().bit_len();
    let outcomes = table.outcomes().map(|(value, weight)| {
        // Short fractions are paid for with the rest.
        if bits > 64 {
            meter.charge_fractions(1, bits)?;
        }
        let shown = Shown::Number(value);
        Ok((Piece { shown, ..piece.clone() }, table.chance_of(weight)))
    });
    outcomes.collect()
}

/// A number of equal dice: what each may be, with its chances.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Group {
    pub(crate) count: u64,
    pub(crate) pieces: Vec<(Piece, Rational)>,
}

/// A pool laid out: groups of pieces as first thrown, and the dice to throw again with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) dice: Vec<Die>,
    pub(crate) groups: Vec<Group>,
}

impl Setup {
    pub(crate) fn of(pool: &Pool, meter: &Meter) -> Result<Setup, PoolError> {
        let mut setup = Setup { dice: Vec::new(), groups: Vec::new() };
        for (count, source) in pool.groups.iter().filter(|(count, _)| *count > 0) {
            setup.add(*count, source, meter)?;
        }
        Ok(setup)
    }

    fn add(&mut self, count: u64, source: &Source, meter: &Meter) -> Result<(), PoolError> {
        match source {
            Source::Die(die) => {
                meter.charge(die.faces().len() as u64)?;
                let origin = self.origin(die);
                let throw = |(face, chance)| (Piece::fresh(origin, face), chance);
                self.groups.push(Group { count, pieces: die.chances().map(throw).collect() });
            }
            Source::Total(law) => {
                meter.charge(law.size() as u64)?;
                let shown = Shown::Number(Rational::ZERO);
                let blank = Piece { origin: None, thrown: Rational::ZERO, shown };
                self.groups.push(Group { count, pieces: showing(&blank, law, meter)? });
            }
            Source::Fixed(dice, again) => {
                meter.charge_product(dice.len(), 1, 0)?;
                let origin = again.as_ref().map(|die| self.origin(die));
                for die in dice {
                    let shown = Shown::Number(die.shown.clone());
                    let piece = Piece { origin, thrown: die.thrown.clone(), shown };
                    self.groups.push(Group { count, pieces: vec![(piece, Rational::ONE)] });
                }
            }
        }
        Ok(())
    }

    fn origin(&mut self, die: &Die) -> usize {
        self.dice.iter().position(|known| known == die).unwrap_or_else(|| {
            self.dice.push(die.clone());
            self.dice.len() - 1
        })
    }

    /// The die that a piece is thrown again with.
    pub(crate) fn die_of(&self, piece: &Piece) -> Result<(usize, &Die), PoolError> {
        let origin = piece.origin.ok_or(PoolError::CannotThrow)?;
        self.dice.get(origin).map(|die| (origin, die)).ok_or(PoolError::CannotThrow)
    }

    /// The number of dice as first thrown.
    pub(crate) fn count(&self) -> u64 {
        self.groups.iter().fold(0u64, |sum, group| sum.saturating_add(group.count))
    }
}

/// Whether a fresh die that shows `face` fires.
pub(crate) fn face_fires(trigger: &Trigger, die: &Die, face: &Rational) -> bool {
    match trigger {
        Trigger::Highest => die.highest() == Some(face),
        Trigger::When(condition) => condition.holds(face),
    }
}

/// The part of a piece that fulfils a condition, and the part that does not.
pub(crate) type Halves = [Option<(Piece, Rational)>; 2];

pub(crate) fn split(piece: &Piece, when: &Condition, meter: &Meter) -> Result<Halves, PoolError> {
    let whole = Some((piece.clone(), Rational::ONE));
    match &piece.shown {
        Shown::Number(value) if when.holds(value) => Ok([whole, None]),
        Shown::Number(_) => Ok([None, whole]),
        Shown::Endless(law) => {
            let sides = law.split(when.op, &when.value, meter)?;
            Ok(sides.map(|(chance, law)| {
                // A finite side would have to be many pieces; as a law it serves as well.
                let shown = Shown::Endless(law?);
                Some((Piece { shown, ..piece.clone() }, chance))
            }))
        }
    }
}

/// The part of a piece that a trigger fires on, and the part it does not.
pub(crate) fn split_fired(
    piece: &Piece,
    trigger: &Trigger,
    die: &Die,
    meter: &Meter,
) -> Result<Halves, PoolError> {
    match trigger {
        Trigger::When(condition) => split(piece, condition, meter),
        Trigger::Highest => {
            let whole = Some((piece.clone(), Rational::ONE));
            let fires = die.highest() == Some(&piece.thrown);
            Ok(if fires { [whole, None] } else { [None, whole] })
        }
    }
}

/// The stages that act on each die alone, and the others from the first that does not.
pub(crate) fn head_and_tail(stages: &[Stage]) -> (&[Stage], &[Stage]) {
    let together = |stage: &Stage| match stage {
        Stage::InAll { .. } | Stage::Unique | Stage::Drawn | Stage::Keep(..) | Stage::Drop(..) => {
            true
        }
        Stage::Reroll { .. } | Stage::Explode { .. } | Stage::AtLeast(_) | Stage::AtMost(_) => {
            false
        }
    };
    stages.split_at(stages.iter().position(together).unwrap_or(stages.len()))
}

/// The stages that do anything at all.
pub(crate) fn telling(stages: &[Stage]) -> Cow<'_, [Stage]> {
    let tells = |stage: &&Stage| !matches!(stage, Stage::Drop(_, 0));
    if stages.iter().all(|stage| tells(&stage)) {
        return Cow::Borrowed(stages);
    }
    stages.iter().filter(tells).cloned().collect()
}

/// The same stages where only the faces that show matter: behind the last that throws, clamps come before keeps, since
/// they leave the order of dice as it is.
pub(crate) fn clamps_first(stages: &[Stage]) -> Cow<'_, [Stage]> {
    let clamps = |stage: &Stage| matches!(stage, Stage::AtLeast(_) | Stage::AtMost(_));
    let keeps = |stage: &Stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..));
    let quiet = stages.iter().rposition(|stage| !clamps(stage) && !keeps(stage));
    let (before, quiet) = stages.split_at(quiet.map_or(0, |last| last + 1));
    if quiet.is_sorted_by_key(keeps) {
        return Cow::Borrowed(stages);
    }
    let quiet = quiet.iter().filter(|s| clamps(s)).chain(quiet.iter().filter(|s| keeps(s)));
    before.iter().chain(quiet).cloned().collect()
}
