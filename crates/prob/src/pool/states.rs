//! Every state of the table, one stage after another.
//!
//! Some stages look at all dice and later ones throw again: `4d6 kh3 !` explodes the dice that were
//! kept. Then the table itself is the state, a list of dice with integer weights, and equal states
//! merge. Usually the order of the dice does not matter and a state is a sorted multiset: `10d6`
//! has 3003 of them instead of 6¹⁰ sequences, and their weights come out multinomial by adding one
//! die after the other. The order must be kept only where throw order decides something: for
//! `unique`, or when a keep has to choose between dice that show the same but differ in a way that
//! a later stage can see (`2d6 max5 kh1 !`: which of the two fives was a six?).

use super::piece::{Piece, Setup, Shown, face_fires};
use super::stops::reached;
use super::{Endlessness, Order, PoolError, Stage, Style, Trigger};
use crate::growing::Growing;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A die on the table in one definite state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Token {
    pub(crate) shown: Rational,
    pub(crate) thrown: Rational,
    pub(crate) origin: Option<usize>,
}

impl Token {
    pub(crate) fn of(piece: &Piece) -> Result<Token, PoolError> {
        match &piece.shown {
            Shown::Number(value) => {
                let (shown, thrown) = (value.clone(), piece.thrown.clone());
                Ok(Token { shown, thrown, origin: piece.origin })
            }
            Shown::Endless(_) => Err(PoolError::NoClosedForm),
        }
    }

    pub(crate) fn piece(&self) -> Piece {
        let shown = Shown::Number(self.shown.clone());
        Piece { origin: self.origin, thrown: self.thrown.clone(), shown }
    }
}

/// Numbers for tokens, in order of appearance.
#[derive(Default)]
pub(crate) struct Names {
    tokens: Vec<Token>,
    numbers: FxHashMap<Token, u32>,
}

impl Names {
    pub(crate) fn number(&mut self, token: Token) -> u32 {
        if let Some(&number) = self.numbers.get(&token) {
            return number;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(token.clone());
        self.numbers.insert(token, number);
        number
    }

    pub(crate) fn token(&self, number: u32) -> &Token {
        &self.tokens[number as usize]
    }
}

pub(crate) type State = Vec<u32>;

/// What a new state costs: it is an allocation and a place in a hash table.
pub(crate) const NEW_STATE: usize = 40;

/// What a state of so many dice takes, with a weight of so many bits.
fn bits_of_state(dice: usize, weight: usize) -> usize {
    8 * size_of::<(State, Natural)>() + 512 + 32 * dice + weight
}

/// How many tables there are of so many equal dice with so many faces.
fn tables_of(dice: u64, faces: u64) -> u64 {
    let mut tables: u128 = 1;
    for at in 1..=dice.min(faces.saturating_sub(1)) {
        tables = tables * u128::from(dice.max(faces - 1) + at) / u128::from(at);
        if tables > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    tables as u64
}

/// The dice on the table with weights, over the sum of all weights.
pub(crate) struct States {
    pub(crate) names: Names,
    pub(crate) weights: FxHashMap<State, Natural>,
    ordered: bool,
}

impl States {
    /// Lays out dice that each stay one die so far.
    pub(crate) fn thrown(setup: &Setup, ordered: bool, meter: &Meter) -> Result<States, PoolError> {
        let mut states = States { names: Names::default(), weights: FxHashMap::default(), ordered };
        states.weights.insert(State::new(), Natural::ONE);
        let mut groups: Vec<(Vec<(u32, Natural)>, u64)> = Vec::new();
        for group in &setup.groups {
            let faces = states.numbered(&group.pieces)?;
            match groups.iter_mut().find(|(known, _)| !ordered && *known == faces) {
                Some((_, count)) => *count += group.count,
                None => groups.push((faces, group.count)),
            }
        }
        for (at, (faces, count)) in groups.iter().enumerate() {
            if at == 0 && !ordered {
                states.lay(faces, *count, meter)?;
                continue;
            }
            for _ in 0..*count {
                states.append(faces, meter)?;
            }
        }
        Ok(states)
    }

    /// Lays equal dice on an empty table where their order does not matter: each table once, in order of its faces.
    /// With each die more the weight grows by that of its face, by how many dice there are now, and is divided
    /// by how many of them show this face.
    fn lay(
        &mut self,
        faces: &[(u32, Natural)],
        count: u64,
        meter: &Meter,
    ) -> Result<(), PoolError> {
        let mut merged: BTreeMap<u32, Natural> = BTreeMap::new();
        for (face, weight) in faces {
            *merged.entry(*face).or_default() += weight;
        }
        let faces: Vec<(u32, Natural)> = merged.into_iter().collect();
        let total = faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        let tables = tables_of(count, faces.len() as u64);
        let (count, tables) = usize::try_from(count)
            .ok()
            .zip(usize::try_from(tables).ok())
            .ok_or(OverBudget::Steps)?;
        let bits = total.bit_len().saturating_mul(count);
        let price = (NEW_STATE as u64 + count as u64).saturating_mul(1 + bits as u64 / 64);
        meter.afford(price.saturating_mul(tables as u64))?;
        meter.room_for_rows(tables, bits_of_state(count, bits))?;
        self.weights.clear();
        self.weights.reserve(tables);
        let (mut dice, mut runs) = (vec![0; count], vec![1usize; count]);
        let (mut weights, mut changed) = (vec![Natural::ONE; count + 1], 0);
        loop {
            meter.charge(price)?;
            for at in changed..count {
                let again = at > 0 && dice[at] == dice[at - 1];
                runs[at] = if again { runs[at - 1] + 1 } else { 1 };
                weights[at + 1] = &weights[at] * &faces[dice[at]].1 * (at + 1) / runs[at];
            }
            let state = dice.iter().map(|face| faces[*face].0).collect();
            self.weights.insert(state, weights[count].clone());
            let Some(last) = dice.iter().rposition(|face| face + 1 < faces.len()) else { break };
            let next = dice[last] + 1;
            dice[last..].fill(next);
            changed = last;
        }
        Ok(())
    }

    /// States that are known already.
    pub(crate) fn known(names: Names, weights: FxHashMap<State, Natural>) -> States {
        States { names, weights, ordered: false }
    }

    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered
    }

    fn numbered(&mut self, pieces: &[(Piece, Rational)]) -> Result<Vec<(u32, Natural)>, PoolError> {
        let total =
            pieces.iter().fold(Natural::ONE, |total, (_, c)| number::lcm(&total, c.denominator()));
        let mut faces = Vec::with_capacity(pieces.len());
        for (piece, chance) in pieces {
            let weight = number::magnitude(chance.numerator().clone());
            let number = self.names.number(Token::of(piece)?);
            faces.push((number, weight * (&total / chance.denominator())));
        }
        Ok(faces)
    }

    /// Adds one die to every state.
    fn append(&mut self, faces: &[(u32, Natural)], meter: &Meter) -> Result<(), PoolError> {
        let mut next: FxHashMap<State, Natural> = FxHashMap::default();
        for (state, weight) in &self.weights {
            let size = state.len() + 1;
            meter.charge_product(faces.len(), NEW_STATE + size, weight.bit_len())?;
            let entry = bits_of_state(size, weight.bit_len());
            meter.room_for_rows(self.weights.len() + next.len(), entry)?;
            next.make_room(faces.len(), meter)?;
            for (face, factor) in faces {
                let mut longer = state.clone();
                longer.push(*face);
                if !self.ordered {
                    longer.sort_unstable();
                }
                *next.entry(longer).or_default() += weight * factor;
            }
        }
        self.weights = next;
        Ok(())
    }

    /// Acts one stage out.
    pub(crate) fn after(
        self,
        setup: &Setup,
        stage: &Stage,
        meter: &Meter,
    ) -> Result<States, PoolError> {
        match stage {
            Stage::Keep(..) | Stage::Drop(..) => self.cut(stage, meter),
            Stage::Unique => match self.made_unique(setup, meter)? {
                (states, stuck) if stuck.is_zero() => Ok(states),
                _ => Err(PoolError::NeverStops(Endlessness::MoreDiceThanFaces)),
            },
            Stage::Drawn => Err(PoolError::CannotThrow),
            Stage::InAll { act, most, first } => self.within(setup, (act, *most, *first), meter),
            _ => self.each_die(setup, stage, meter),
        }
    }

    fn cut(mut self, stage: &Stage, meter: &Meter) -> Result<States, PoolError> {
        let mut next = FxHashMap::default();
        for (state, weight) in std::mem::take(&mut self.weights) {
            meter.charge_product(1, 4 + state.len(), 0)?;
            let mut order: Vec<usize> = (0..state.len()).collect();
            order.sort_by_key(|&place| (&self.names.token(state[place]).shown, place));
            let ranks = super::order::Ranks::all(state.len() as u64).after(stage);
            let mut kept: Vec<usize> = order
                .iter()
                .enumerate()
                .filter(|(rank, _)| ranks.within(*rank as u64, *rank as u64 + 1) == 1)
                .map(|(_, place)| *place)
                .collect();
            kept.sort_unstable();
            let state: State = kept.into_iter().map(|place| state[place]).collect();
            *next.entry(state).or_default() += weight;
        }
        self.weights = next;
        Ok(self)
    }

    /// Goes through the dice in throw order; each becomes one of several dice and may add others.
    fn each_die(
        mut self,
        setup: &Setup,
        stage: &Stage,
        meter: &Meter,
    ) -> Result<States, PoolError> {
        let mut fates: FxHashMap<u32, Vec<Fate>> = FxHashMap::default();
        let mut next: FxHashMap<State, Natural> = FxHashMap::default();
        let mut denominators: FxHashMap<usize, Natural> = FxHashMap::default();
        let states = std::mem::take(&mut self.weights);
        for number in states.keys().flatten() {
            if !fates.contains_key(number) {
                let fate = self.fates(setup, stage, *number, meter)?;
                fates.insert(*number, fate);
            }
        }
        let common = fates
            .values()
            .flatten()
            .fold(Natural::ONE, |common, fate| number::lcm(&common, fate.chance.denominator()));
        let longest = states.keys().map(Vec::len).max().unwrap_or(0);
        for (state, weight) in states {
            let spare = longest - state.len();
            let factor = denominators.entry(spare).or_insert_with(|| common.pow(spare));
            let mut partial = vec![(State::new(), State::new(), weight * &*factor)];
            for die in &state {
                partial = extended(partial, &fates[die], &common, meter)?;
            }
            next.make_room(partial.len(), meter)?;
            for (mut table, extras, weight) in partial {
                table.extend(extras);
                if !self.ordered {
                    table.sort_unstable();
                }
                *next.entry(table).or_default() += weight;
            }
        }
        self.weights = next;
        Ok(self)
    }

    /// What one die can become in a stage.
    fn fates(
        &mut self,
        setup: &Setup,
        stage: &Stage,
        number: u32,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let token = self.names.token(number).clone();
        match stage {
            Stage::AtLeast(bound) => {
                Ok(self.reshown(&token, token.shown.clone().max(bound.clone())))
            }
            Stage::AtMost(bound) => {
                Ok(self.reshown(&token, token.shown.clone().min(bound.clone())))
            }
            Stage::Reroll { when, once } if when.holds(&token.shown) => {
                self.fresh(setup, &token, |face| *once || !when.holds(face))
            }
            Stage::Explode { trigger, style, limit } if fires(setup, trigger, &token)? => {
                self.exploded(setup, number, trigger, *style, *limit, meter)
            }
            _ => Ok(vec![Fate { die: number, extras: State::new(), chance: Rational::ONE }]),
        }
    }

    fn reshown(&mut self, token: &Token, shown: Rational) -> Vec<Fate> {
        let die = self.names.number(Token { shown, ..token.clone() });
        vec![Fate { die, extras: State::new(), chance: Rational::ONE }]
    }

    /// A fresh die with one of the allowed faces.
    fn fresh(
        &mut self,
        setup: &Setup,
        token: &Token,
        allowed: impl Fn(&Rational) -> bool,
    ) -> Result<Vec<Fate>, PoolError> {
        let (origin, die) = setup.die_of(&token.piece())?;
        let faces: Vec<_> = die.chances().filter(|(face, _)| allowed(face)).collect();
        let mass = faces.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        let mut fates = Vec::with_capacity(faces.len());
        for (face, chance) in faces {
            let token = Token::of(&Piece::fresh(origin, face))?;
            let chance = number::quotient(&chance, &mass);
            fates.push(Fate { die: self.names.number(token), extras: State::new(), chance });
        }
        Ok(fates)
    }

    fn exploded(
        &mut self,
        setup: &Setup,
        number: u32,
        trigger: &Trigger,
        style: Style,
        limit: Option<u64>,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let token = self.names.token(number).clone();
        let (origin, die) = setup.die_of(&token.piece())?;
        // A chain without end is a state without end.
        let limit = limit.ok_or(PoolError::NoClosedForm)?;
        let mut growing = vec![(State::new(), Rational::ONE)];
        let mut fates = Vec::new();
        for round in 0..limit {
            // Every chain is copied for every face, and grows with the rounds.
            let length = usize::try_from(round).unwrap_or(usize::MAX).saturating_add(8);
            meter.charge_product(growing.len(), die.faces().len().saturating_mul(length), 0)?;
            let mut next = Vec::new();
            for (extras, chance) in growing {
                for (face, part) in die.chances() {
                    let less = Rational::from(u8::from(style == Style::Penetrate));
                    let fresh =
                        Token { shown: face - less, thrown: face.clone(), origin: Some(origin) };
                    let mut longer = extras.clone();
                    longer.push(self.names.number(fresh));
                    let again = face_fires(trigger, die, face) && round + 1 < limit;
                    let target = if again { &mut next } else { &mut fates };
                    target.push((longer, &chance * part));
                }
            }
            growing = next;
            if growing.is_empty() {
                break;
            }
        }
        fates.extend(growing);
        Ok(fates
            .into_iter()
            .map(|(extras, chance)| self.fate(number, style, extras, chance))
            .collect())
    }

    /// A die with its extra dice, which a compound die swallows.
    fn fate(&mut self, number: u32, style: Style, extras: State, chance: Rational) -> Fate {
        let (die, extras) = self.with_extras(number, style, extras);
        Fate { die, extras, chance }
    }

    /// The die, and the extra dice that it does not swallow.
    pub(crate) fn with_extras(&mut self, number: u32, style: Style, extras: State) -> (u32, State) {
        if style != Style::Compound {
            return (number, extras);
        }
        let token = self.names.token(number).clone();
        let shown = extras
            .iter()
            .fold(token.shown.clone(), |sum, extra| sum + &self.names.token(*extra).shown);
        (self.names.number(Token { shown, ..token }), State::new())
    }

    /// Each die is thrown again until it differs from all before it. Beside it the chance that a die cannot, because
    /// those before it show all its faces.
    pub(crate) fn made_unique(
        mut self,
        setup: &Setup,
        meter: &Meter,
    ) -> Result<(States, Rational), PoolError> {
        let mut next: FxHashMap<State, Natural> = FxHashMap::default();
        let mut parts: Vec<(State, Rational)> = Vec::new();
        let (total, mut stuck) = (self.total(), Rational::ZERO);
        for (state, weight) in std::mem::take(&mut self.weights) {
            let mut partial = vec![(State::new(), number::ratio(weight, total.clone()))];
            for die in state {
                partial = self.one_more_unique(setup, partial, die, &mut stuck, meter)?;
            }
            parts.extend(partial);
        }
        let common = parts
            .iter()
            .fold(Natural::ONE, |common, (_, chance)| number::lcm(&common, chance.denominator()));
        for (state, chance) in parts {
            let weight = number::magnitude(chance.numerator().clone());
            *next.entry(state).or_default() += weight * (&common / chance.denominator());
        }
        self.weights = next;
        Ok((self, stuck))
    }

    fn one_more_unique(
        &mut self,
        setup: &Setup,
        partial: Vec<(State, Rational)>,
        die: u32,
        stuck: &mut Rational,
        meter: &Meter,
    ) -> Result<Vec<(State, Rational)>, PoolError> {
        let mut next: FxHashMap<State, Rational> = FxHashMap::default();
        let token = self.names.token(die).clone();
        for (mut state, chance) in partial {
            meter.charge_product(1, 4 + state.len(), 0)?;
            let taken: Vec<Rational> =
                state.iter().map(|&number| self.names.token(number).shown.clone()).collect();
            if !taken.contains(&token.shown) {
                state.push(die);
                *next.entry(state).or_default() += chance;
                continue;
            }
            let fates = self.fresh(setup, &token, |face| !taken.contains(face))?;
            if fates.is_empty() {
                *stuck += chance;
                continue;
            }
            meter.charge_product(fates.len(), NEW_STATE + state.len(), 0)?;
            for fate in fates {
                let mut longer = state.clone();
                longer.push(fate.die);
                *next.entry(longer).or_default() += &chance * fate.chance;
            }
        }
        Ok(next.into_iter().collect())
    }

    pub(crate) fn total(&self) -> Natural {
        self.weights.values().fold(Natural::ZERO, |sum, weight| sum + weight)
    }
}

/// What a die can become: itself or another, and the dice it adds.
struct Fate {
    die: u32,
    extras: State,
    chance: Rational,
}

type Partial = Vec<(State, State, Natural)>;

/// Every partial table with one more die dealt with.
fn extended(
    partial: Partial,
    fates: &[Fate],
    common: &Natural,
    meter: &Meter,
) -> Result<Partial, OverBudget> {
    let mut next: FxHashMap<(State, State), Natural> = FxHashMap::default();
    for (table, extras, weight) in partial {
        meter.charge_product(fates.len(), NEW_STATE + table.len(), weight.bit_len())?;
        for fate in fates {
            let (mut table, mut extras) = (table.clone(), extras.clone());
            table.push(fate.die);
            extras.extend_from_slice(&fate.extras);
            let factor = number::magnitude(fate.chance.numerator().clone());
            let factor = factor * (common / fate.chance.denominator());
            *next.entry((table, extras)).or_default() += &weight * factor;
        }
    }
    Ok(next.into_iter().map(|((table, extras), weight)| (table, extras, weight)).collect())
}

pub(crate) fn fires(setup: &Setup, trigger: &Trigger, token: &Token) -> Result<bool, PoolError> {
    let (_, die) = setup.die_of(&token.piece())?;
    Ok(match trigger {
        Trigger::Highest => die.highest() == Some(&token.thrown),
        Trigger::When(condition) => condition.holds(&token.shown),
    })
}

/// Whether a stage throws dice.
pub(crate) fn throws(stage: &Stage) -> bool {
    matches!(
        stage,
        Stage::Reroll { .. } | Stage::Explode { .. } | Stage::InAll { .. } | Stage::Unique
    )
}

/// Whether the order of the dice can matter to the stages from a place on.
pub(crate) fn order_matters(
    setup: &Setup,
    stages: &[Stage],
    from: usize,
    look_at_thrown: bool,
    meter: &Meter,
) -> Result<bool, PoolError> {
    for (place, stage) in stages.iter().enumerate().skip(from) {
        match stage {
            Stage::Unique | Stage::InAll { first: Order::Thrown, .. } => return Ok(true),
            Stage::InAll { .. } if has_twins(setup, &stages[..place], meter)? => return Ok(true),
            Stage::Keep(..) | Stage::Drop(..)
                if (look_at_thrown || stages[place..].iter().any(throws))
                    && has_twins(setup, &stages[..place], meter)? =>
            {
                return Ok(true);
            }
            _ => {}
        }
    }
    Ok(false)
}

/// Whether two dice can show the same and yet differ.
fn has_twins(setup: &Setup, stages: &[Stage], meter: &Meter) -> Result<bool, PoolError> {
    let mut seen: FxHashMap<Rational, Token> = FxHashMap::default();
    for piece in reached(setup, stages, meter)? {
        let Ok(token) = Token::of(&piece) else { continue };
        if seen.insert(token.shown.clone(), token.clone()).is_some_and(|other| other != token) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_dice_are_laid_out_as_one_after_the_other() {
        let meter = Meter::unlimited();
        let weights = [(4, 2u8), (1, 3), (7, 1), (1, 2)];
        let faces = weights.map(|(face, weight)| (face, Natural::from(weight)));
        for count in 0..6 {
            let start = || {
                let weights = [(State::new(), Natural::ONE)].into_iter().collect();
                States::known(Names::default(), weights)
            };
            let (mut together, mut single) = (start(), start());
            together.lay(&faces, count, &meter).unwrap();
            for _ in 0..count {
                single.append(&faces, &meter).unwrap();
            }
            assert_eq!(together.weights, single.weights);
            assert_eq!(tables_of(count, 3), together.weights.len() as u64);
        }
        assert_eq!(tables_of(6, 100), 1_609_344_100);
        assert_eq!(tables_of(1 << 40, 1 << 40), u64::MAX);
    }
}
