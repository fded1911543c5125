//! Hands dealt from one bag, walked together.
//!
//! ```text
//! let mine = 5d{1..13: 4} drawn
//! let theirs = 5d{1..13: 4} drawn without mine
//! ```
//!
//! Hand by hand there are 4 · 10¹² deals. But of a face that lies in the bag `m` times, `a` go to the first
//! hand, `b` to the second and so on in `C(m, a)·C(m − a, b)·…` ways, whatever came before. So one walk over the
//! faces deals all hands.
//!
//! It is walked for several *sides* at once: a hand, or hands that are looked at together, as the two cards of a
//! player with those on the table. Each side has a state of its own, and what it becomes at a face depends on
//! that state and its dice alone. So that is asked once for each state of a side, not for each combination, and
//! passing a face is adding up rows of a table: how many dice each hand still wants says how many each side has
//! got, and for each such case there is a block with a place for each combination of states.

use super::super::order::binomials;
use super::super::{Die, PoolError};
use super::WalkError;
use super::weight::Weight;
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

/// What the steps of a walk over hands do.
pub trait SideSteps {
    /// Why a step has no answer.
    type Error;

    /// The state of a side after a state, the face (by its place in the walk), and how many of its dice show
    /// it, which is at least one. The first state of each side is 0.
    fn step(
        &mut self,
        side: usize,
        state: usize,
        face: usize,
        count: u64,
    ) -> Result<usize, Self::Error>;
}

/// How deals end.
#[derive(Clone, Debug)]
pub struct Deals {
    /// A state for each side, each combination once, with weights that are not zero.
    pub weights: Vec<(Vec<usize>, Natural)>,
    /// The sum.
    pub total: Natural,
}

/// A table with more places than this is not kept.
const MOST_PLACES: usize = 1 << 22;

/// The weights of the states after hands of so many dice are dealt from a bag, going up its faces or down. Each
/// side is made of some of the hands, by their numbers.
pub fn deal<S: SideSteps + ?Sized>(
    bag: &Die,
    hands: &[u64],
    sides: &[Vec<usize>],
    down: bool,
    steps: &mut S,
    meter: &Meter,
) -> Result<Deals, WalkError<S::Error>> {
    let held = u32::try_from(bag.total()).map_err(|_| OverBudget::Steps)?;
    let dice = hands.iter().fold(0u64, |sum, dice| sum.saturating_add(*dice));
    if dice > u64::from(held) {
        return Err(WalkError::Pool(PoolError::EmptyBag));
    }
    let mut copies: Vec<usize> = bag
        .faces()
        .iter()
        .map(|(_, copies)| usize::try_from(copies).map_err(|_| OverBudget::Steps))
        .collect::<Result<_, _>>()?;
    if down {
        copies.reverse();
    }
    meter.charge_product(dice as usize + copies.len(), dice as usize, held as usize)?;
    let total = all_deals(u64::from(held), hands);
    let hands: Vec<usize> = hands.iter().map(|dice| *dice as usize).collect();
    let bits = total.bit_len();
    let cases = hands.iter().fold(1usize, |cases, dice| cases.saturating_mul(dice + 1));
    let dealing = Dealing { copies, hands, sides, cases, bits, steps, meter };
    // Each kind of weight is code of its own, and a browser has to load it.
    let weights = match bits {
        ..=64 if cfg!(not(target_family = "wasm")) => dealing.all::<u64>()?,
        ..=128 => dealing.all::<u128>()?,
        _ => dealing.all::<Natural>()?,
    };
    Ok(Deals { weights, total })
}

/// In how many ways hands of so many dice are dealt.
fn all_deals(held: u64, hands: &[u64]) -> Natural {
    let mut left = held;
    hands.iter().fold(Natural::ONE, |all, dice| {
        let ways = binomials(left, *dice as usize + 1).last().unwrap_or_default();
        left -= dice;
        all * ways
    })
}

/// The states of a side, listed for each number of dice that it has got.
#[derive(Clone)]
struct Stands {
    by_dice: Vec<Vec<usize>>,
}

impl Stands {
    /// The places that a block has for this side.
    fn size(&self) -> usize {
        self.by_dice.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// What the states of a side lead to at a face.
struct Turn {
    /// For so many dice before, and so many of this face, where each state lies in the next list.
    leads: Vec<Vec<Vec<u32>>>,
    next: Stands,
}

struct Dealing<'a, S: ?Sized> {
    /// How many of each face lie in the bag, in the order of the walk.
    copies: Vec<usize>,
    /// How many dice each hand gets.
    hands: Vec<usize>,
    sides: &'a [Vec<usize>],
    /// The cases of how many dice each hand still wants.
    cases: usize,
    /// Of the largest weight.
    bits: usize,
    steps: &'a mut S,
    meter: &'a Meter,
}

type Weights<S> = Result<Vec<(Vec<usize>, Natural)>, WalkError<<S as SideSteps>::Error>>;

impl<S: SideSteps + ?Sized> Dealing<'_, S> {
    fn all<W: Weight>(mut self) -> Weights<S> {
        let sizes = self.sides.iter().map(|side| side.iter().map(|hand| self.hands[*hand]).sum());
        let mut stands: Vec<Stands> = sizes.map(first_stands).collect();
        let mut table = vec![W::zero(); self.places(stands.iter())?];
        // At first each hand wants all its dice.
        table[self.cases - 1] = W::of(&Natural::ONE);
        let mut beyond: usize = self.copies.iter().sum();
        for face in 0..self.copies.len() {
            beyond -= self.copies[face];
            let turns = (0..stands.len()).map(|side| self.turn(side, &stands[side], face, beyond));
            let turns: Vec<Turn> = turns.collect::<Result<_, _>>()?;
            let places = self.places(turns.iter().map(|turn| &turn.next))?;
            let mut next = vec![W::zero(); places];
            let mut crossing = Crossing {
                hands: &self.hands,
                sides: self.sides,
                copies: self.copies[face],
                beyond,
                ways: self.ways(face)?,
                stands: &stands,
                turns: &turns,
                bits: self.bits,
                meter: self.meter,
                table: &table,
                next: &mut next,
            };
            crossing.all(self.cases)?;
            table = next;
            stands = turns.into_iter().map(|turn| turn.next).collect();
        }
        // In the end no hand wants any: the first block.
        let last: Vec<&[usize]> =
            stands.iter().map(|side| side.by_dice.last().map_or(&[][..], Vec::as_slice)).collect();
        let mut weights = Vec::new();
        each_place(&stands, |at, place| {
            let states = at.iter().zip(&last).map(|(at, states)| states.get(*at).copied());
            if let Some(states) = states.collect::<Option<Vec<_>>>()
                && !table[place].is_zero()
            {
                weights.push((states, table[place].natural()));
            }
        });
        Ok(weights)
    }

    /// How many places a table has, which are paid for.
    fn places<'s>(&self, sides: impl Iterator<Item = &'s Stands>) -> Result<usize, OverBudget> {
        let places = sides.map(Stands::size).fold(self.cases, usize::saturating_mul);
        if places > MOST_PLACES {
            return Err(OverBudget::Steps);
        }
        self.meter.charge_rows(places, 1, self.bits)?;
        Ok(places)
    }

    /// What the states of a side come to at a face.
    fn turn(
        &mut self,
        side: usize,
        stands: &Stands,
        face: usize,
        beyond: usize,
    ) -> Result<Turn, WalkError<S::Error>> {
        let size = stands.by_dice.len() - 1;
        let copies = self.copies[face];
        let mut next = Stands { by_dice: vec![Vec::new(); size + 1] };
        let mut known: Vec<FxHashMap<usize, u32>> = vec![FxHashMap::default(); size + 1];
        let mut leads = Vec::with_capacity(size + 1);
        for (dice, states) in stands.by_dice.iter().enumerate() {
            let most = copies.min(size - dice);
            self.meter.charge_product(states.len() + 1, (most + 1).saturating_mul(4), 0)?;
            let mut by_count = vec![Vec::new(); most + 1];
            // What is left must be able to come.
            for count in (size - dice).saturating_sub(beyond)..=most {
                for state in states {
                    let state = match count {
                        0 => *state,
                        _ => {
                            let next = self.steps.step(side, *state, face, count as u64);
                            next.map_err(WalkError::Step)?
                        }
                    };
                    let list = &mut next.by_dice[dice + count];
                    let lead = known[dice + count].entry(state).or_insert_with(|| {
                        list.push(state);
                        list.len() as u32 - 1
                    });
                    by_count[count].push(*lead);
                }
            }
            leads.push(by_count);
        }
        Ok(Turn { leads, next })
    }

    /// For each number of dice of a face that are dealt already, in how many ways a hand gets 0, 1, 2… of the
    /// others.
    fn ways<W: Weight>(&self, face: usize) -> Result<Vec<Vec<W>>, OverBudget> {
        let copies = self.copies[face];
        let most = self.hands.iter().sum::<usize>().min(copies);
        let longest = self.hands.iter().max().copied().unwrap_or(0);
        self.meter.charge_product(most + 1, longest + 1, self.bits)?;
        let row = |taken: usize| {
            binomials((copies - taken) as u64, longest + 1).map(|ways| W::of(&ways)).collect()
        };
        Ok((0..=most).map(row).collect())
    }
}

/// One state, before any die.
fn first_stands(size: usize) -> Stands {
    let mut by_dice = vec![Vec::new(); size + 1];
    by_dice[0].push(0);
    Stands { by_dice }
}

/// One face of the walk.
struct Crossing<'a, W> {
    hands: &'a [usize],
    sides: &'a [Vec<usize>],
    copies: usize,
    /// How many dice lie in the bag beyond this face.
    beyond: usize,
    ways: Vec<Vec<W>>,
    stands: &'a [Stands],
    turns: &'a [Turn],
    bits: usize,
    meter: &'a Meter,
    table: &'a [W],
    next: &'a mut [W],
}

/// How far a face is dealt.
struct Dealt<'a, W> {
    /// How many dice of this face.
    taken: usize,
    /// How many more dice the hands so far still want, beyond this face.
    wanted: usize,
    weight: &'a W,
}

impl<W: Weight> Crossing<'_, W> {
    /// Goes through all cases of how many dice each hand still wants.
    fn all(&mut self, cases: usize) -> Result<(), OverBudget> {
        let one = W::of(&Natural::ONE);
        for case in 0..cases {
            let mut rest = case;
            let mut wants = vec![0; self.hands.len()];
            for (wants, dice) in wants.iter_mut().zip(self.hands).rev() {
                *wants = rest % (dice + 1);
                rest /= dice + 1;
            }
            if wants.iter().sum::<usize>() <= self.copies + self.beyond {
                let mut gets = Vec::with_capacity(wants.len());
                let dealt = Dealt { taken: 0, wanted: 0, weight: &one };
                self.choose(case, &wants, &mut gets, &dealt)?;
            }
        }
        Ok(())
    }

    /// Chooses how many of the dice that show the face each hand gets, one hand after the other. The hands so
    /// far must not be left wanting more than is beyond: then all the others can be dealt too, and no weight
    /// is larger than that of all deals.
    fn choose(
        &mut self,
        case: usize,
        wants: &[usize],
        gets: &mut Vec<usize>,
        dealt: &Dealt<'_, W>,
    ) -> Result<(), OverBudget> {
        let Some(want) = wants.get(gets.len()) else {
            return self.block(case, wants, gets, dealt.weight);
        };
        let wanted = dealt.wanted + want;
        let most = (*want).min(self.copies - dealt.taken);
        for count in wanted.saturating_sub(self.beyond)..=most {
            let weight = dealt.weight.times(&self.ways[dealt.taken][count]);
            let (taken, wanted) = (dealt.taken + count, wanted - count);
            gets.push(count);
            self.choose(case, wants, gets, &Dealt { taken, wanted, weight: &weight })?;
            gets.pop();
        }
        Ok(())
    }

    /// Adds the block of a case, so many times, to where it leads if the hands get these dice.
    fn block(
        &mut self,
        case: usize,
        wants: &[usize],
        gets: &[usize],
        weight: &W,
    ) -> Result<(), OverBudget> {
        let mut leads: Vec<&[u32]> = Vec::with_capacity(self.sides.len());
        let mut work = 1usize;
        for (side, turn) in self.sides.iter().zip(self.turns) {
            let before = side.iter().map(|hand| self.hands[*hand] - wants[*hand]).sum::<usize>();
            let count = side.iter().map(|hand| gets[*hand]).sum::<usize>();
            let row = turn.leads[before][count].as_slice();
            work = work.saturating_mul(row.len());
            leads.push(row);
        }
        // A product of machine words takes much less than a step.
        self.meter.charge_product(work / 8 + 1, 1, self.bits)?;
        let after = wants.iter().zip(gets).zip(self.hands);
        let to = after.fold(0, |case, ((want, got), dice)| case * (dice + 1) + want - got);
        self.add(0, case, to, &leads, weight);
        Ok(())
    }

    /// Adds places from one side on.
    fn add(&mut self, side: usize, from: usize, to: usize, leads: &[&[u32]], weight: &W) {
        let Some(row) = leads.get(side) else {
            return self.next[to].add(&self.table[from].times(weight));
        };
        let (from, to) = (from * self.stands[side].size(), to * self.turns[side].next.size());
        if side + 1 < leads.len() {
            for (at, lead) in row.iter().enumerate() {
                self.add(side + 1, from + at, to + *lead as usize, leads, weight);
            }
            return;
        }
        for (place, lead) in self.table[from..].iter().zip(*row) {
            if !place.is_zero() {
                self.next[to + *lead as usize].add(&place.times(weight));
            }
        }
    }
}

/// Goes through the places of a block: for each side which of its states it is.
fn each_place(stands: &[Stands], mut visit: impl FnMut(&[usize], usize)) {
    let mut at = vec![0; stands.len()];
    for place in 0..stands.iter().map(Stands::size).product() {
        visit(&at, place);
        for (at, stands) in at.iter_mut().zip(stands).rev() {
            *at += 1;
            if *at < stands.size() {
                break;
            }
            *at = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Rational;
    use crate::pool::order::binomials;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// What each side shows: for each face that it has, how many dice.
    type Shown = Vec<Vec<(usize, u64)>>;

    /// Carries the whole history of each side, so that nothing a step could look at goes unnoticed.
    #[derive(Default)]
    struct Histories {
        known: Vec<Vec<(usize, u64)>>,
    }

    impl SideSteps for Histories {
        type Error = ();

        fn step(&mut self, _: usize, state: usize, face: usize, count: u64) -> Result<usize, ()> {
            let mut history = self.known[state].clone();
            history.push((face, count));
            let known = self.known.iter().position(|known| *known == history);
            Ok(known.unwrap_or_else(|| {
                self.known.push(history);
                self.known.len() - 1
            }))
        }
    }

    fn bag(copies: &[u64]) -> Die {
        let faces = copies.iter().enumerate();
        let faces = faces.map(|(face, copies)| (Rational::from(face), Natural::from(*copies)));
        Die::bag(faces).expect("a bag holds something")
    }

    fn dealt(
        copies: &[u64],
        hands: &[u64],
        sides: &[Vec<usize>],
        down: bool,
    ) -> (BTreeMap<Shown, Natural>, Natural) {
        let mut steps = Histories { known: vec![Vec::new()] };
        let deals = deal(&bag(copies), hands, sides, down, &mut steps, &Meter::unlimited())
            .expect("there is enough in the bag");
        let ends = deals.weights.into_iter().map(|(states, weight)| {
            (states.into_iter().map(|state| steps.known[state].clone()).collect(), weight)
        });
        (ends.collect(), deals.total)
    }

    /// The slow twin: every die by itself goes to a hand or stays in the bag.
    fn one_by_one(
        copies: &[u64],
        hands: &[u64],
        sides: &[Vec<usize>],
        down: bool,
    ) -> BTreeMap<Shown, Natural> {
        let mut copies = copies.to_vec();
        if down {
            copies.reverse();
        }
        let dice = |(face, copies): (usize, &u64)| std::iter::repeat_n(face, *copies as usize);
        let all: Vec<usize> = copies.iter().enumerate().flat_map(dice).collect();
        let mut deals = BTreeMap::new();
        let owners = hands.len() + 1;
        for number in 0..owners.pow(all.len() as u32) {
            let mut shown: Shown = vec![Vec::new(); sides.len()];
            let mut wants = hands.to_vec();
            let mut number = number;
            for face in &all {
                let owner = number % owners;
                number /= owners;
                let Some(want) = wants.get_mut(owner) else { continue };
                *want = want.wrapping_sub(1);
                for (_, shown) in sides.iter().zip(&mut shown).filter(|(s, _)| s.contains(&owner)) {
                    match shown.last_mut() {
                        Some((last, count)) if last == face => *count += 1,
                        _ => shown.push((*face, 1)),
                    }
                }
            }
            if wants.iter().all(|want| *want == 0) {
                *deals.entry(shown).or_default() += Natural::ONE;
            }
        }
        deals
    }

    #[test]
    fn two_pairs_are_dealt_from_two_of_each() {
        let sides = [vec![0], vec![1]];
        let (deals, total) = dealt(&[2, 2, 2], &[2, 2], &sides, false);
        assert_eq!(total, Natural::from(90u8));
        assert_eq!(deals[&vec![vec![(0, 2)], vec![(1, 1), (2, 1)]]], Natural::from(4u8));
        assert_eq!(deals, one_by_one(&[2, 2, 2], &[2, 2], &sides, false));
    }

    #[test]
    fn large_bags_are_dealt_in_large_numbers() {
        for copies in [20u64, 40, 200] {
            let (deals, total) =
                dealt(&[copies, copies, 2 * copies], &[9, 8], &[vec![0], vec![1]], true);
            let choose = |n: u64, k: usize| binomials(n, k + 1).last().unwrap_or_default();
            assert_eq!(total, choose(4 * copies, 9) * choose(4 * copies - 9, 8));
            assert_eq!(deals.values().fold(Natural::ZERO, |sum, weight| sum + weight), total);
            let alike = choose(2 * copies, 9) * choose(2 * copies - 9, 8);
            assert_eq!(deals[&vec![vec![(0, 9)], vec![(0, 8)]]], alike);
        }
    }

    #[test]
    fn nobody_deals_more_than_there_is() {
        let mut steps = Histories { known: vec![Vec::new()] };
        let refused = deal(&bag(&[2, 1]), &[2, 2], &[], false, &mut steps, &Meter::unlimited());
        assert!(matches!(refused, Err(WalkError::Pool(PoolError::EmptyBag))));
        let sides = [vec![0], vec![1]];
        let refused = deal(&bag(&[9, 9, 9]), &[9, 9], &sides, false, &mut steps, &Meter::new(300));
        assert!(matches!(refused, Err(WalkError::Pool(PoolError::OverBudget(_)))));
    }

    proptest! {
        #[test]
        fn hands_are_dealt_as_one_by_one(
            copies in proptest::collection::vec(1u64..4, 1..4),
            hands in proptest::collection::vec(0u64..4, 0..4),
            masks in proptest::collection::vec(1usize..8, 0..3),
            down: bool,
        ) {
            let held = copies.iter().sum::<u64>();
            prop_assume!(hands.iter().sum::<u64>() <= held);
            prop_assume!((hands.len() as u64 + 1).pow(held as u32) <= 70_000);
            let side = |mask: usize| (0..hands.len()).filter(|h| mask >> h & 1 == 1).collect();
            let sides: Vec<Vec<usize>> = masks.into_iter().map(side).collect();
            let (deals, total) = dealt(&copies, &hands, &sides, down);
            let sum = deals.values().fold(Natural::ZERO, |sum, weight| sum + weight);
            prop_assert_eq!(sum, total);
            prop_assert_eq!(deals, one_by_one(&copies, &hands, &sides, down));
        }
    }
}
