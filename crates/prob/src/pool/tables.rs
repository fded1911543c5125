//! A limit for the whole pool, with the dice themselves as the state.
//!
//! `4d6 ro<=2 up to 2 in all kh3` keeps dice after some of them were thrown again, so the hands have to be
//! known. In throw order a hand grows die by die, each with its throws, together with how many are left:
//! hands stay multisets. By what they show, every hand knows whose turn it is.

use super::limited::chain_bits;
use super::piece::{Piece, Setup, face_fires};
use super::states::{NEW_STATE, State, States, Token, fires};
use super::{Condition, Order, PoolError, Stage, Style, Trigger};
use crate::growing::Growing;
use crate::meter::Meter;
use crate::number::{self, Natural, Rational};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What a die becomes, the dice it adds, the throws that takes, and the chance.
struct Fate {
    die: u32,
    extras: State,
    used: u64,
    chance: Rational,
}

/// A hand in the making: the dice in their places, the extra dice, the throws left.
type Hand = (State, State, u64);

impl States {
    /// Lays dice out in throw order, each with its throws of a limit in all. The order is not kept.
    pub(crate) fn thrown_within(
        settled: &Setup,
        act: &Stage,
        most: u64,
        meter: &Meter,
    ) -> Result<States, PoolError> {
        let mut states = States::known(Default::default(), FxHashMap::default());
        let mut hands: FxHashMap<(State, u64), Rational> = FxHashMap::default();
        hands.insert((State::new(), most), Rational::ONE);
        for group in &settled.groups {
            let mut known: FxHashMap<u64, Vec<Fate>> = FxHashMap::default();
            for _ in 0..group.count {
                let mut next: FxHashMap<(State, u64), Rational> = FxHashMap::default();
                for ((hand, left), chance) in hands {
                    let fates = match known.entry(left) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(place) => {
                            let pieces = &group.pieces;
                            place.insert(states.group_fates(settled, act, pieces, left, meter)?)
                        }
                    };
                    meter.charge_product(fates.len(), NEW_STATE + hand.len(), 0)?;
                    next.make_room(fates.len(), meter)?;
                    for fate in fates {
                        let mut hand = hand.clone();
                        hand.push(fate.die);
                        hand.extend_from_slice(&fate.extras);
                        hand.sort_unstable();
                        *next.entry((hand, left - fate.used)).or_default() +=
                            &chance * &fate.chance;
                    }
                }
                hands = next;
            }
        }
        let parts = hands.into_iter().map(|((hand, _), chance)| (hand, chance));
        states.weights = weights(parts, meter)?;
        Ok(states)
    }

    fn group_fates(
        &mut self,
        setup: &Setup,
        act: &Stage,
        pieces: &[(Piece, Rational)],
        left: u64,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let mut all = Vec::new();
        for (piece, chance) in pieces {
            let number = self.names.number(Token::of(piece)?);
            for fate in self.fates_within(setup, act, number, left, meter)? {
                all.push(Fate { chance: fate.chance * chance, ..fate });
            }
        }
        Ok(all)
    }

    /// Acts a stage with a limit in all out on every hand.
    pub(crate) fn within(
        mut self,
        setup: &Setup,
        (act, most, first): (&Stage, u64, Order),
        meter: &Meter,
    ) -> Result<States, PoolError> {
        let total = self.total();
        let mut known: FxHashMap<(u32, u64), Vec<Fate>> = FxHashMap::default();
        let mut parts: Vec<(State, Rational)> = Vec::new();
        for (state, weight) in std::mem::take(&mut self.weights) {
            let mut turns: Vec<usize> = (0..state.len()).collect();
            let shown = |place: &usize| self.names.token(state[*place]).shown.clone();
            match first {
                Order::Thrown => {}
                Order::Lowest => turns.sort_by_key(shown),
                Order::Highest => turns.sort_by_key(|place| std::cmp::Reverse(shown(place))),
            }
            let chance = number::ratio(weight, total.clone());
            let mut hands: FxHashMap<Hand, Rational> = FxHashMap::default();
            hands.insert((state.clone(), State::new(), most), chance);
            for place in turns {
                let mut next: FxHashMap<Hand, Rational> = FxHashMap::default();
                for ((hand, extras, left), chance) in hands {
                    let key = (hand[place], left);
                    let fates = match known.entry(key) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(place) => {
                            place.insert(self.fates_within(setup, act, key.0, left, meter)?)
                        }
                    };
                    meter.charge_product(fates.len(), NEW_STATE + hand.len(), 0)?;
                    next.make_room(fates.len(), meter)?;
                    for fate in fates {
                        let (mut hand, mut extras) = (hand.clone(), extras.clone());
                        hand[place] = fate.die;
                        extras.extend_from_slice(&fate.extras);
                        let hand = (hand, extras, left - fate.used);
                        *next.entry(hand).or_default() += &chance * &fate.chance;
                    }
                }
                hands = next;
            }
            for ((mut hand, extras, _), chance) in hands {
                hand.extend(extras);
                if !self.is_ordered() {
                    hand.sort_unstable();
                }
                meter.charge(HAND)?;
                parts.make_room(1, meter)?;
                parts.push((hand, chance));
            }
        }
        self.weights = weights(parts.into_iter(), meter)?;
        Ok(self)
    }

    /// What one die can become with so many throws left.
    fn fates_within(
        &mut self,
        setup: &Setup,
        act: &Stage,
        number: u32,
        left: u64,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let token = self.names.token(number).clone();
        let stays =
            || vec![Fate { die: number, extras: State::new(), used: 0, chance: Rational::ONE }];
        match act {
            _ if left == 0 => Ok(stays()),
            Stage::Reroll { when, once } if when.holds(&token.shown) => {
                self.rerolled_within(setup, &token, when, if *once { 1 } else { left }, meter)
            }
            Stage::Explode { trigger, style, limit } if fires(setup, trigger, &token)? => {
                let rounds = limit.unwrap_or(left).min(left);
                self.exploded_within(setup, number, (trigger, *style), rounds, meter)
            }
            _ => Ok(stays()),
        }
    }

    fn rerolled_within(
        &mut self,
        setup: &Setup,
        token: &Token,
        when: &Condition,
        rounds: u64,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let (origin, die) = setup.die_of(&token.piece())?;
        let mut fates = Vec::new();
        let mut going = Rational::ONE;
        for used in 1..=rounds {
            meter.charge_product(die.faces().len(), NEW_STATE, chain_bits(die, used))?;
            let mut again = Rational::ZERO;
            for (face, chance) in die.chances() {
                if used < rounds && when.holds(face) {
                    again += chance;
                    continue;
                }
                let die = self.names.number(Token::of(&Piece::fresh(origin, face))?);
                fates.push(Fate { die, extras: State::new(), used, chance: &going * chance });
            }
            going *= again;
            if going.is_zero() {
                break;
            }
        }
        Ok(fates)
    }

    fn exploded_within(
        &mut self,
        setup: &Setup,
        number: u32,
        (trigger, style): (&Trigger, Style),
        rounds: u64,
        meter: &Meter,
    ) -> Result<Vec<Fate>, PoolError> {
        let token = self.names.token(number).clone();
        let (origin, die) = setup.die_of(&token.piece())?;
        let less = Rational::from(u8::from(style == Style::Penetrate));
        let mut going = vec![(State::new(), Rational::ONE)];
        let mut chains = Vec::new();
        for used in 1..=rounds {
            let size = die.faces().len().saturating_mul(NEW_STATE);
            meter.charge_product(going.len(), size, chain_bits(die, used))?;
            let mut next = Vec::new();
            for (extras, part) in going {
                for (face, chance) in die.chances() {
                    let fresh =
                        Token { shown: face - &less, thrown: face.clone(), origin: Some(origin) };
                    let mut longer = extras.clone();
                    longer.push(self.names.number(fresh));
                    let again = used < rounds && face_fires(trigger, die, face);
                    let target = if again { &mut next } else { &mut chains };
                    target.push((longer, &part * chance));
                }
            }
            going = next;
            if going.is_empty() {
                break;
            }
        }
        chains.extend(going);
        let fate = |(extras, chance): (State, Rational)| {
            let used = extras.len() as u64;
            let (die, extras) = self.with_extras(number, style, extras);
            Fate { die, extras, used, chance }
        };
        Ok(chains.into_iter().map(fate).collect())
    }
}

/// What it takes to look at a hand.
const HAND: u64 = 20;

/// Chances over a common denominator.
fn weights(
    parts: impl Iterator<Item = (State, Rational)>,
    meter: &Meter,
) -> Result<FxHashMap<State, Natural>, PoolError> {
    let mut chances: FxHashMap<State, Rational> = FxHashMap::default();
    for (state, chance) in parts {
        meter.charge(HAND)?;
        chances.make_room(1, meter)?;
        *chances.entry(state).or_default() += chance;
    }
    let mut common = Natural::ONE;
    for chance in chances.values() {
        meter.charge(HAND)?;
        common = number::lcm(&common, chance.denominator());
    }
    let mut weights = FxHashMap::default();
    for (state, chance) in chances {
        meter.charge(HAND)?;
        weights.make_room(1, meter)?;
        let factor = &common / chance.denominator();
        weights.insert(state, number::magnitude(chance.numerator().clone()) * factor);
    }
    Ok(weights)
}
