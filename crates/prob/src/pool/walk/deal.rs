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
//! got, and for each such case there is a block with a place for each combination of states. With three hands and more
//! nearly all places would be empty (the points of four bridge hands are 40 together); then only those that are
//! reached are kept ([`table`]).

use super::super::order::binomials;
use super::super::{Die, PoolError};
use super::WalkError;
use super::weight::Weight;
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::ways;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;
use table::Table;

mod table;

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

/// With more cases than this, or more places, only those that are reached are kept.
const MOST_CASES: usize = 1 << 10;
const MOST_PLACES: u64 = 1 << 21;

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
    let mut dealing = Dealing { copies, hands, sides, cases, bits, steps, meter };
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
type Walked<S> = Result<Option<Vec<(Vec<usize>, Natural)>>, WalkError<<S as SideSteps>::Error>>;

impl<S: SideSteps + ?Sized> Dealing<'_, S> {
    fn all<W: Weight>(&mut self) -> Weights<S> {
        let meter = self.meter;
        if self.cases <= MOST_CASES
            && let Some(weights) = meter.by(ways::FULL_DEALS, || self.walked::<W>(true))?
        {
            return Ok(weights);
        }
        Ok(self.walked::<W>(false)?.unwrap_or_default())
    }

    /// The walk, with all places or only those that are reached; none if there are too many for that.
    fn walked<W: Weight>(&mut self, full: bool) -> Walked<S> {
        let sizes = self.sides.iter().map(|side| side.iter().map(|hand| self.hands[*hand]).sum());
        let mut stands: Vec<Stands> = sizes.map(first_stands).collect();
        let Some(mut table) = self.table(full, stands.iter())? else { return Ok(None) };
        // At first each hand wants all its dice.
        *table.at(self.cases - 1, 0) = W::of(&Natural::ONE);
        let mut beyond: usize = self.copies.iter().sum();
        for face in 0..self.copies.len() {
            beyond -= self.copies[face];
            let turns = (0..stands.len()).map(|side| self.turn(side, &stands[side], face, beyond));
            let turns: Vec<Turn> = turns.collect::<Result<_, _>>()?;
            let nexts = turns.iter().map(|turn| &turn.next);
            let Some(mut next) = self.table(full, nexts)? else { return Ok(None) };
            let mut crossing = Crossing {
                hands: &self.hands,
                sides: self.sides,
                copies: self.copies[face],
                beyond,
                ways: self.ways(face)?,
                sizes: stands.iter().map(Stands::size).collect(),
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
        let sizes: Vec<usize> = stands.iter().map(Stands::size).collect();
        let states = |places: &[usize]| {
            let states = places.iter().zip(&last).map(|(at, states)| states.get(*at).copied());
            states.collect::<Option<Vec<usize>>>()
        };
        let mut weights = Vec::new();
        table.each(0, &sizes, |places, weight| {
            weights.extend(states(places).map(|states| (states, weight.natural())));
        });
        Ok(Some(weights))
    }

    /// A table, which is paid for; none if it would have too many places.
    fn table<'s, W: Weight>(
        &self,
        full: bool,
        sides: impl Iterator<Item = &'s Stands>,
    ) -> Result<Option<Table<W>>, OverBudget> {
        let block = sides.map(|side| side.size() as u64).try_fold(1u64, u64::checked_mul);
        let block = block.ok_or(OverBudget::Steps)?;
        if !full {
            self.meter.charge(self.cases as u64)?;
            return Ok(Some(Table::sparse(self.cases)));
        }
        let places = block.saturating_mul(self.cases as u64);
        if places > MOST_PLACES {
            return Ok(None);
        }
        self.meter.charge_rows(places as usize, 1, self.bits)?;
        Ok(Some(Table::full(self.cases, block as usize)))
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
    /// The places that a block has for each side.
    sizes: Vec<usize>,
    turns: &'a [Turn],
    bits: usize,
    meter: &'a Meter,
    table: &'a Table<W>,
    next: &'a mut Table<W>,
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
        for case in (0..cases).filter(|case| !self.table.is_empty(*case)) {
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
        for (side, turn) in self.sides.iter().zip(self.turns) {
            let before = side.iter().map(|hand| self.hands[*hand] - wants[*hand]).sum::<usize>();
            let count = side.iter().map(|hand| gets[*hand]).sum::<usize>();
            leads.push(turn.leads[before][count].as_slice());
        }
        let work = self.table.work(case, &leads);
        self.meter.charge_product(work, 1, self.bits)?;
        let after = wants.iter().zip(gets).zip(self.hands);
        let to = after.fold(0, |case, ((want, got), dice)| case * (dice + 1) + want - got);
        let sizes: Vec<usize> = self.turns.iter().map(|turn| turn.next.size()).collect();
        self.next.add((to, &sizes), self.table, (case, &self.sizes), &leads, weight);
        if self.next.is_too_large() { Err(OverBudget::Steps) } else { Ok(()) }
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

    #[test]
    fn the_places_that_are_reached_are_all_that_count() {
        let (copies, hands, sides) = ([3, 2, 3], [2, 1, 2, 1], [vec![0, 1], vec![2], vec![3]]);
        let mut steps = Histories { known: vec![Vec::new()] };
        let meter = Meter::unlimited();
        let mut dealing = Dealing {
            copies: copies.to_vec(),
            hands: hands.to_vec(),
            sides: &sides,
            cases: 36,
            bits: 64,
            steps: &mut steps,
            meter: &meter,
        };
        let [full, sparse] = [true, false].map(|full| {
            let mut weights = dealing.walked::<u64>(full).unwrap().unwrap();
            weights.sort();
            weights
        });
        assert_eq!(full, sparse);
        assert_eq!(full.iter().map(|(_, w)| w).sum::<Natural>(), all_deals(8, &[2, 1, 2, 1]));
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
