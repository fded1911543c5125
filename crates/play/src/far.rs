//! Games in which a number can grow without end.
//!
//! ```text
//! a turn of Pig: hold, and have what was thrown; or throw again, and lose it all on a 1
//! ```
//!
//! With 20 points or more it is best to hold, whatever comes: throwing leads to `5/6 t + 20/6` points in the mean, which is
//! no more than `t` for every `t >= 20`. To know that, nobody has to look at all of these places. One of them is looked at in which
//! the number is a letter `t`: what holds for it holds for all numbers beyond some horizon, which is found on the way.
//!
//! The claim is that beyond the horizon the game is ended at once, and is worth a straight line in `t`. It is proven by showing that
//! no other option is better if the claim holds for the places that it leads to. For a play that ends with certainty
//! that is enough as long as the line is on the side of 0 that the player wants: what is still to come then cannot be
//! worth more than the line says (it is a supermartingale that is never negative).

use astragal_odds::Failure;
use astragal_odds::known::Held;
use astragal_odds::ways::HORIZON;
use astragal_prob::Rational;
use astragal_program::core::{Goal, LocalId, Who};
use astragal_program::points::{GraphId, PointId, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;

use crate::explore::Aim;
use crate::game::{Game, slot};
use crate::letters::{Affine, Ahead, Found, Letter, Path, Range, Reader, Sides, Sym, truth};
use crate::scores::Score;
use crate::tree::{NOBODY, Node, Place, Tree};

/// So many places may be found before somebody asks whether there is an end to them.
pub(crate) const SUSPICIOUS: usize = 2_000;

/// A number that has so many values at one choice may grow without end.
const MANY_VALUES: usize = 12;

/// So many different cases may lie beyond the horizon.
const MOST_CASES: usize = 500;

/// The number that grows.
const T: Letter = 0;

/// Beyond it, everything is known.
#[derive(Debug)]
pub(crate) struct Horizon {
    pub(crate) graph: GraphId,
    pub(crate) point: PointId,
    /// The place of the number among what is needed there.
    pub(crate) number: usize,
    pub(crate) from: i64,
    /// What is taken beyond it, by what else is known.
    taken: FxHashMap<Box<[Held]>, u32>,
}

impl Horizon {
    /// What is taken where the number is a letter, if that lies beyond; the place of the number among what is needed.
    pub(crate) fn taken_with(&self, game: &Game<'_>, path: &Path<'_>) -> Option<u32> {
        if (path.graph, path.point) != (self.graph, self.point) || !path.calls.is_empty() {
            return None;
        }
        let mut case = Vec::new();
        for (at, local) in game.point(path.graph, path.point).needed.iter().enumerate() {
            match &path.variables[slot(*local)] {
                Sym::Number(range) if at == self.number => {
                    let from = Affine::constant(Rational::from(self.from));
                    range.low.minus(&from).is_never_negative().then_some(())?;
                }
                Sym::Held(held) if at != self.number => case.push(*held),
                _ => return None,
            }
        }
        self.taken.get(case.as_slice()).copied()
    }

    /// What is taken at a place, if that lies beyond.
    pub(crate) fn taken(&self, place: &Place) -> Option<u32> {
        let here = (place.graph, place.point, place.waiting) == (self.graph, self.point, NOBODY);
        let Held::Value(word) = place.values.get(self.number).filter(|_| here)? else {
            return None;
        };
        word.as_number().filter(|number| *number >= self.from)?;
        self.taken.get(&others(&place.values, self.number)).copied()
    }
}

/// What is known besides a number.
fn others(values: &[Held], number: usize) -> Box<[Held]> {
    let all = values.iter().enumerate().filter(|(at, _)| *at != number);
    all.map(|(_, held)| *held).collect()
}

impl Game<'_> {
    /// Looks for a number that grows without end, and for a horizon beyond which everything is known.
    pub(crate) fn horizon(
        &mut self,
        tree: &Tree,
        aim: Aim<'_>,
    ) -> Result<Option<Horizon>, Failure> {
        let Some((best, known)) = aim.filter(|_| self.meter.may(HORIZON)) else { return Ok(None) };
        for (graph, point, number) in candidates(self, tree) {
            let goal = self.plays.bests[best].goal;
            let mut proof = Proof {
                game: self,
                aim: (best, known),
                goal,
                at: (graph, point, number),
                from: Rational::ZERO,
                claims: FxHashMap::default(),
                waiting: Vec::new(),
                scores: Rc::clone(&tree.scores),
                is_ending: false,
                letters: T,
            };
            let places =
                tree.places.iter().filter(|place| (place.graph, place.point) == (graph, point));
            let first: FxHashSet<Box<[Held]>> = places
                .filter(|place| place.waiting == NOBODY)
                .map(|place| others(&place.values, number))
                .collect();
            if let Some(found) = proof.all(first)? {
                self.meter.took(HORIZON);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// Choices with a number of many values, those with the most first.
fn candidates(game: &Game<'_>, tree: &Tree) -> Vec<(GraphId, PointId, usize)> {
    let mut values: FxHashMap<(u32, u32, usize), FxHashSet<i64>> = FxHashMap::default();
    for (place, node) in tree.places.iter().zip(&tree.nodes) {
        if place.waiting != NOBODY || place.graph.0 == u32::MAX || matches!(node, Node::End(..)) {
            continue;
        }
        let Step::Choose { who: Who::Player, .. } = &game.point(place.graph, place.point).step
        else {
            continue;
        };
        for (at, held) in place.values.iter().enumerate() {
            if let Held::Value(word) = held
                && let Some(number) = word.as_number()
            {
                values.entry((place.graph.0, place.point.0, at)).or_default().insert(number);
            }
        }
    }
    let mut found: Vec<_> = values.into_iter().map(|(key, values)| (values.len(), key)).collect();
    found.retain(|(count, _)| *count >= MANY_VALUES);
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, (graph, point, at))| (GraphId(graph), PointId(point), at)).collect()
}

/// A proof under way. What it needs may turn out not to hold, or not to be known: then there is none.
pub(crate) struct Proof<'g, 'p, 'k> {
    pub(crate) game: &'g mut Game<'p>,
    pub(crate) aim: (usize, &'k [Held]),
    goal: Goal,
    /// The choice, and the place of the number among what is needed there.
    at: (GraphId, PointId, usize),
    /// Everything so far holds from this number on.
    pub(crate) from: Rational,
    /// What a place beyond the horizon is claimed to be worth, and what is taken there; none where it is not shown yet.
    claims: FxHashMap<Box<[Held]>, (Affine, u32)>,
    /// What is still to be shown.
    waiting: Vec<Box<[Held]>>,
    /// The numbers that only count: places are without them.
    scores: Rc<Vec<Score>>,
    /// Whether nothing may be chosen on the way.
    is_ending: bool,
    /// How many letters there are besides the number that grows.
    letters: Letter,
}

impl<'p> Reader<'p> for Proof<'_, 'p, '_> {
    fn game(&mut self) -> &mut Game<'p> {
        self.game
    }

    fn aim(&self) -> Aim<'_> {
        Some(self.aim)
    }

    /// What holds in the long run; from now on everything is looked at only where it does.
    fn sides(&mut self, number: &Range) -> Sides {
        let exact = number.exact().cloned();
        let Some(sign) = exact.and_then(|line| self.sign(&line, true)) else {
            return number.sides();
        };
        let is = |side| sign == side;
        Sides { below: is(Ordering::Less), at: is(Ordering::Equal), above: is(Ordering::Greater) }
    }

    fn settled(&mut self, path: &Path<'p>) -> Found<Ahead> {
        let step = &self.game.point(path.graph, path.point).step;
        if !matches!(step, Step::Choose { .. } | Step::Pick { .. }) {
            return Ok(None);
        }
        let is_opponents = matches!(
            step,
            Step::Choose { who: Who::Opponent, .. } | Step::Pick { who: Who::Opponent, .. }
        );
        if self.is_ending || is_opponents {
            return Ok(Some(Ahead::Unknown));
        }
        if !path.calls.is_empty() || !matches!(step, Step::Choose { .. }) {
            return Ok(None);
        }
        let claimed = self.claimed(path.graph, path.point, &path.variables)?;
        Ok(claimed.map(|line| Ahead::Worth(Range::exactly(line))))
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

impl<'p> Proof<'_, 'p, '_> {
    fn all(&mut self, first: FxHashSet<Box<[Held]>>) -> Result<Option<Horizon>, Failure> {
        for case in first {
            if self.claim(&case)?.is_none() {
                return Ok(None);
            }
        }
        while let Some(case) = self.waiting.pop() {
            if self.claims.len() > MOST_CASES || !self.shown(&case)? {
                return Ok(None);
            }
        }
        let Some(from) = whole_from(&self.from) else { return Ok(None) };
        let taken = self.claims.drain().map(|(case, (_, taken))| (case, taken)).collect();
        let (graph, point, number) = self.at;
        Ok(Some(Horizon { graph, point, number, from, taken }))
    }

    /// What a place is claimed to be worth.
    fn claim(&mut self, case: &[Held]) -> Result<Option<Affine>, Failure> {
        if let Some((line, _)) = self.claims.get(case) {
            return Ok(Some(line.clone()));
        }
        let mut best: Option<(Affine, u32)> = None;
        for (arm, next) in self.open_arms(case)?.unwrap_or_default() {
            let variables = self.variables(case);
            let Some(line) = self.worth(next, variables, true)? else { continue };
            if let Some((known, _)) = &best
                && self.beats(known, &line, false) == Some(true)
            {
                continue;
            }
            best = Some((line, arm));
        }
        let Some((line, arm)) = best else { return Ok(None) };
        // It is on the side of 0 that the player wants.
        let zero = Affine::constant(Rational::ZERO);
        if self.beats(&line, &zero, false) != Some(true) {
            return Ok(None);
        }
        self.claims.insert(case.into(), (line.clone(), arm));
        self.waiting.push(case.into());
        Ok(Some(line))
    }

    /// Whether no other option is better than what is claimed.
    fn shown(&mut self, case: &[Held]) -> Result<bool, Failure> {
        let Some((line, taken)) = self.claims.get(case).cloned() else { return Ok(false) };
        let Some(arms) = self.open_arms(case)? else { return Ok(false) };
        for (arm, next) in arms.into_iter().filter(|(arm, _)| *arm != taken) {
            let variables = self.variables(case);
            let Some(other) = self.worth(next, variables, false)? else {
                return Ok(false);
            };
            // Of equal options the first one written is taken.
            if self.beats(&line, &other, arm < taken) != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What a game is worth from an arm on, if what is claimed holds; perhaps only if nothing more is chosen.
    fn worth(&mut self, next: PointId, variables: Vec<Sym>, is_ending: bool) -> Found<Affine> {
        self.is_ending = is_ending;
        let ahead = Path::new(self.at.0, next, variables).follow(self)?;
        Ok(self.line(ahead))
    }

    /// What lies ahead as one line, if it is one; only the player's own choices are made.
    fn line(&mut self, ahead: Ahead) -> Option<Affine> {
        match ahead {
            Ahead::Worth(range) => range.exact().cloned(),
            Ahead::Best { who: Who::Player, options, .. } => {
                let mut best: Option<Affine> = None;
                for (_, option) in options {
                    let line = self.line(option)?;
                    best = Some(match best {
                        Some(known) if self.beats(&known, &line, false)? => known,
                        _ => line,
                    });
                }
                best
            }
            Ahead::Mean(parts) => {
                let mut mean = Affine::constant(Rational::ZERO);
                for (part, chance) in parts {
                    mean = mean.plus(&self.line(part)?.times(&chance));
                }
                Some(mean)
            }
            Ahead::Beyond { letter, ahead, mean } => {
                Some(self.line(*ahead)?.with(letter, &Affine::constant(mean)))
            }
            Ahead::Best { who: Who::Opponent, .. }
            | Ahead::Place(_)
            | Ahead::Either(_)
            | Ahead::Unknown => None,
        }
    }

    /// Whether one line is better than another in the long run, or as good if that is enough. From now on everything is looked
    /// at only where that is so.
    pub(crate) fn beats(&mut self, a: &Affine, b: &Affine, strictly: bool) -> Option<bool> {
        let difference = match self.goal {
            Goal::Most => a.minus(b),
            Goal::Least => b.minus(a),
        };
        Some(match self.sign(&difference, strictly)? {
            Ordering::Less => false,
            Ordering::Equal => !strictly,
            Ordering::Greater => true,
        })
    }

    /// On which side of 0 a line is in the long run; strictly, or 0 where it begins to be so. None if that depends on another letter,
    /// of which nothing is known but that it is never negative.
    pub(crate) fn sign(&mut self, line: &Affine, strictly: bool) -> Option<Ordering> {
        if let Some(constant) = line.as_constant() {
            return Some(constant.cmp(&Rational::ZERO));
        }
        let others = line.with(T, &Affine::constant(Rational::ZERO));
        let slope = line.share_of(T);
        if slope.is_zero() {
            let minus = -Rational::ONE;
            let is_below = others.times(&minus).is_positive();
            return match others.is_positive() {
                true => Some(Ordering::Greater),
                false => is_below.then_some(Ordering::Less),
            };
        }
        if !others.leans(slope.cmp(&Rational::ZERO)) {
            return None;
        }
        let crosses = -line.at_zero() / &slope;
        let next = if strictly { Rational::from(crosses.floor()) + Rational::ONE } else { crosses };
        if next > self.from {
            self.from = next;
        }
        Some(slope.cmp(&Rational::ZERO))
    }

    /// The claim for a place that is come to, if it is one beyond the horizon: the number is at least `t` there.
    pub(crate) fn claimed(
        &mut self,
        graph: GraphId,
        point: PointId,
        variables: &[Sym],
    ) -> Result<Option<Affine>, Failure> {
        if (graph, point) != (self.at.0, self.at.1) {
            return Ok(None);
        }
        let needed = &self.game.point(graph, point).needed;
        let mut case = Vec::with_capacity(needed.len());
        let mut number = None;
        for (at, local) in needed.iter().enumerate() {
            match &variables[slot(*local)] {
                Sym::Number(range) if at == self.at.2 => number = range.exact().cloned(),
                Sym::Held(held) if at != self.at.2 => case.push(*held),
                _ => return Ok(None),
            }
        }
        let Some(number) = number else { return Ok(None) };
        if self.sign(&number.minus(&Affine::letter(T)), false).is_none_or(Ordering::is_lt) {
            return Ok(None);
        }
        let moved = match self.without_scores(&mut case) {
            Some(worth) => Affine::constant(worth),
            None => return Ok(None),
        };
        let line = self.claim(&case)?;
        Ok(line.map(|line| line.with(T, &number).plus(&moved)))
    }

    /// What is known besides the number, without what only counts; what that is worth.
    fn without_scores(&mut self, case: &mut [Held]) -> Option<Rational> {
        let function = self.game.graph(self.at.0).function;
        let needed = &self.game.point(self.at.0, self.at.1).needed;
        let others = needed.iter().enumerate().filter(|(at, _)| *at != self.at.2);
        let others: Vec<LocalId> = others.map(|(_, local)| *local).collect();
        let mut all = Rational::ZERO;
        for score in self.scores.iter() {
            let mut by: Option<Rational> = None;
            for (local, held) in others.iter().zip(case.iter_mut()) {
                let value = self.game.value(*held);
                let Some(found) = score.found_at((function, *local), &value) else { continue };
                let by = by.get_or_insert(found);
                *held = self.game.held_less(score, (function, *local), *held, by);
            }
            all += by.unwrap_or(Rational::ZERO) * &score.slope;
        }
        Some(all)
    }

    fn variables(&self, case: &[Held]) -> Vec<Sym> {
        let needed = &self.game.point(self.at.0, self.at.1).needed;
        let nothing = self.game.nothing();
        let mut variables: Vec<Sym> = nothing.into_iter().map(Sym::Held).collect();
        let mut case = case.iter();
        for (at, local) in needed.iter().enumerate() {
            variables[slot(*local)] = if at == self.at.2 {
                Sym::Number(Range::exactly(Affine::letter(T)))
            } else {
                case.next()
                    .map_or(Sym::Number(Range::exactly(Affine::letter(T))), |held| Sym::Held(*held))
            };
        }
        variables
    }

    /// The arms that are open beyond the horizon; none if that is not the same everywhere.
    fn open_arms(&mut self, case: &[Held]) -> Result<Option<Vec<(u32, PointId)>>, Failure> {
        let (graph, point, _) = self.at;
        let Step::Choose { arms, .. } = &self.game.point(graph, point).step else {
            return Ok(None);
        };
        let variables = self.variables(case);
        let mut open = Vec::new();
        for (arm, number) in arms.iter().zip(0..) {
            let is_open = match &arm.open {
                None => Some(true),
                Some(condition) => truth(self, condition, &variables)?,
            };
            match is_open {
                Some(true) => open.push((number, arm.next)),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(open))
    }
}

/// The least whole number from a fraction on.
fn whole_from(from: &Rational) -> Option<i64> {
    let up = from.ceil();
    i64::try_from(up).ok()
}
