//! What it comes to if the same is taken always, also where numbers have no end.
//!
//! ```text
//! a turn of Pig in which somebody always throws:   V(t) = 1/6 · 0 + 1/6 V(t + 2) + … + 1/6 V(t + 6)
//! ```
//!
//! Beyond the horizon the best play was proven for every number, and no other option was followed. One that is taken always comes
//! back to the same choice with another number, or ends. If the number only grows by what does not depend on it, the worth is a
//! straight line in it, whose equations are solved: play ends with certainty, and what it may be worth grows no faster than it ends.

use astragal_odds::Failure;
use astragal_odds::known::Held;
use astragal_prob::{Meter, Rational};
use astragal_program::core::Goal;
use astragal_program::points::{PointId, Step};
use rustc_hash::FxHashMap;

use super::Loss;
use crate::explore::Aim;
use crate::far::Horizon;
use crate::game::{Game, slot};
use crate::letters::{Affine, Ahead, Found, Letter, Path, Range, Reader, Sides, Sym};
use crate::tree::{Place, PlaceId};
use crate::worth::{Row, solve};

/// How far the number is beyond the horizon.
const T: Letter = 0;
/// So many different cases may be met.
const MOST_CASES: usize = 200;

type Case = Box<[Held]>;

/// What it is worth beyond the horizon to take the same always: a straight line for each case.
pub(super) struct Always {
    number: usize,
    from: Rational,
    lines: FxHashMap<Case, Affine>,
}

impl Always {
    /// What a place is worth, if it lies beyond.
    pub(super) fn worth(&self, game: &Game<'_>, place: &Place) -> Option<Rational> {
        let case = others(&place.values, self.number);
        let astragal_value::Value::Number(number) = game.value(*place.values.get(self.number)?)
        else {
            return None;
        };
        let beyond = number.to_rational() - &self.from;
        let line = self.lines.get(&case).filter(|_| beyond >= Rational::ZERO)?;
        line.with(T, &Affine::constant(beyond)).as_constant().cloned()
    }
}

fn others(values: &[Held], number: usize) -> Case {
    let all = values.iter().enumerate().filter(|(at, _)| *at != number);
    all.map(|(_, held)| *held).collect()
}

/// Who follows a game in which the same is taken always.
struct Follower<'g, 'p, 'k> {
    game: &'g mut Game<'p>,
    aim: (usize, &'k [Held]),
    horizon: &'g Horizon,
    letters: Letter,
    /// Where play comes back to the choice: in which case, and with which number.
    again: Vec<(Case, Affine)>,
}

impl<'p> Reader<'p> for Follower<'_, 'p, '_> {
    fn game(&mut self) -> &mut Game<'p> {
        self.game
    }

    fn aim(&self) -> Aim<'_> {
        Some(self.aim)
    }

    fn sides(&mut self, number: &Range) -> Sides {
        number.sides()
    }

    fn settled(&mut self, path: &Path<'p>) -> Found<Ahead> {
        let point = self.game.point(path.graph, path.point);
        if !matches!(point.step, Step::Choose { .. } | Step::Pick { .. }) {
            return Ok(None);
        }
        let is_here = (path.graph, path.point) == (self.horizon.graph, self.horizon.point);
        let mut case = Vec::new();
        let mut number = None;
        for (at, local) in point.needed.iter().enumerate() {
            match &path.variables[slot(*local)] {
                Sym::Number(range) if at == self.horizon.number => number = range.exact().cloned(),
                Sym::Held(held) if at != self.horizon.number => case.push(*held),
                _ => return Ok(Some(Ahead::Unknown)),
            }
        }
        let Some(number) = number.filter(|_| is_here && path.calls.is_empty()) else {
            return Ok(Some(Ahead::Unknown));
        };
        self.again.push((case.into(), number));
        Ok(Some(Ahead::Place(self.again.len() as PlaceId - 1)))
    }

    fn letter(&mut self) -> Letter {
        self.letters += 1;
        self.letters
    }

    fn only(&self, _: &Path<'p>) -> Option<u32> {
        None
    }

    fn is_strict(&self) -> bool {
        true
    }
}

/// What lies ahead: a line, and with which chance play comes back where.
struct Flat {
    line: Affine,
    again: Vec<(Case, Affine, Rational)>,
}

impl Follower<'_, '_, '_> {
    fn flat(&self, ahead: &Ahead) -> Option<Flat> {
        let nothing = || Affine::constant(Rational::ZERO);
        match ahead {
            Ahead::Worth(range) => Some(Flat { line: range.exact()?.clone(), again: Vec::new() }),
            Ahead::Place(number) => {
                let (case, number) = self.again.get(*number as usize)?.clone();
                Some(Flat { line: nothing(), again: vec![(case, number, Rational::ONE)] })
            }
            Ahead::Mean(parts) => {
                let mut all = Flat { line: nothing(), again: Vec::new() };
                for (part, chance) in parts {
                    let part = self.flat(part)?;
                    all.line = all.line.plus(&part.line.times(chance));
                    let again = part.again.into_iter();
                    all.again.extend(again.map(|(case, number, own)| (case, number, own * chance)));
                }
                Some(all)
            }
            Ahead::Beyond { letter, ahead, mean } => {
                let mean = Affine::constant(mean.clone());
                let Flat { line, again } = self.flat(ahead)?;
                let again = again.into_iter();
                let again =
                    again.map(|(case, number, own)| (case, number.with(*letter, &mean), own));
                Some(Flat { line: line.with(*letter, &mean), again: again.collect() })
            }
            Ahead::Best { .. } | Ahead::Either(_) | Ahead::Unknown => None,
        }
    }
}

impl<'p> Game<'p> {
    /// What it is worth beyond the horizon to take one arm always, from these places on; or why that is nothing that can be told.
    pub(super) fn always(
        &mut self,
        aim: (usize, &[Held]),
        horizon: &Horizon,
        next: PointId,
        places: &[Place],
        goal: Goal,
        meter: &Meter,
    ) -> Result<Result<Always, Loss>, Failure> {
        let from = Rational::from(horizon.from);
        let needed = &self.point(horizon.graph, horizon.point).needed;
        let mut cases: Vec<Case> = Vec::new();
        let add = |case: Case, cases: &mut Vec<Case>| {
            if !cases.contains(&case) {
                cases.push(case);
            }
        };
        places.iter().for_each(|place| add(others(&place.values, horizon.number), &mut cases));
        let mut found: Vec<Flat> = Vec::new();
        let mut follower = Follower { game: self, aim, horizon, letters: T, again: Vec::new() };
        while found.len() < cases.len() {
            if cases.len() > MOST_CASES {
                return Ok(Err(Loss::Unknown));
            }
            let mut variables: Vec<Sym> =
                follower.game.nothing().into_iter().map(Sym::Held).collect();
            let mut case = cases[found.len()].iter();
            for (at, local) in needed.iter().enumerate() {
                let number = Affine::constant(from.clone()).plus(&Affine::letter(T));
                let number = Sym::Number(Range::exactly(number));
                let held = (at != horizon.number).then(|| case.next()).flatten();
                variables[slot(*local)] = held.map_or(number, |held| Sym::Held(*held));
            }
            follower.again.clear();
            let ahead = Path::new(horizon.graph, next, variables).follow(&mut follower)?;
            let Some(flat) = follower.flat(&ahead) else { return Ok(Err(Loss::Unknown)) };
            flat.again.iter().for_each(|(case, ..)| add(case.clone(), &mut cases));
            found.push(flat);
        }
        Ok(Equations { cases: &cases, found: &found, from: &from }.solved(horizon, goal, meter))
    }
}

/// An equation for each case: `V(t) = line(t) + Σ w V(α t + k)`.
struct Equations<'e> {
    cases: &'e [Case],
    found: &'e [Flat],
    from: &'e Rational,
}

impl Equations<'_> {
    fn solved(&self, horizon: &Horizon, goal: Goal, meter: &Meter) -> Result<Always, Loss> {
        let beyond = Affine::constant(self.from.clone());
        let all = || self.found.iter().flat_map(|flat| &flat.again);
        if !all().all(|(_, number, _)| number.minus(&beyond).is_never_negative()) {
            return Err(Loss::Unknown);
        }
        // With the chance of each way back, and how often the number is taken there.
        let chance = |(_, _, chance): &(Case, Affine, Rational)| chance.clone();
        let growth = |again: &(Case, Affine, Rational)| again.1.share_of(T) * &again.2;
        let one = |_: &Flat| Rational::ONE;
        if !self.solve(&one, &chance, meter)?.is_some_and(|all| all.iter().all(is_positive)) {
            return Err(Loss::Endless);
        }
        let slope = |flat: &Flat| flat.line.share_of(T);
        let slopes = match self.found.iter().all(|flat| slope(flat).is_zero()) {
            true => vec![Rational::ZERO; self.found.len()],
            false => {
                let grows = self.solve(&one, &growth, meter)?;
                if !grows.is_some_and(|all| all.iter().all(is_positive)) {
                    let is_bad = |flat: &Flat| match goal {
                        Goal::Most => slope(flat) <= Rational::ZERO,
                        Goal::Least => slope(flat) >= Rational::ZERO,
                    };
                    let all_bad = self.found.iter().all(is_bad);
                    return Err(if all_bad { Loss::Infinite } else { Loss::Unknown });
                }
                self.solve(&slope, &growth, meter)?.ok_or(Loss::Unknown)?
            }
        };
        let constant = |flat: &Flat| {
            let again = flat.again.iter().map(|(case, number, chance)| {
                (number.at_zero() - self.from) * &slopes[self.place(case)] * chance
            });
            again.fold(flat.line.at_zero().clone(), |sum, part| sum + part)
        };
        let constants = self.solve(&constant, &chance, meter)?.ok_or(Loss::Unknown)?;
        let line = |(slope, at_zero): (&Rational, Rational)| {
            Affine::letter(T).times(slope).plus(&Affine::constant(at_zero))
        };
        let lines = slopes.iter().zip(constants).map(line);
        let lines = self.cases.iter().cloned().zip(lines).collect();
        Ok(Always { number: horizon.number, from: self.from.clone(), lines })
    }

    fn place(&self, case: &Case) -> usize {
        self.cases.iter().position(|known| known == case).unwrap_or_default()
    }

    fn solve(
        &self,
        constant: &dyn Fn(&Flat) -> Rational,
        share: &dyn Fn(&(Case, Affine, Rational)) -> Rational,
        meter: &Meter,
    ) -> Result<Option<Vec<Rational>>, Loss> {
        let row = |flat: &Flat| {
            let mut row = Row::default();
            row.constant = constant(flat);
            flat.again.iter().for_each(|again| row.add(self.place(&again.0), share(again)));
            row
        };
        solve(self.found.iter().map(row).collect(), meter).map_err(|_| Loss::Unknown)
    }
}

fn is_positive(number: &Rational) -> bool {
    *number > Rational::ZERO
}
