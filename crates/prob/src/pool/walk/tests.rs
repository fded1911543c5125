//! Walks against their slow twin: every hand of every pool, walked face by face.
//!
//! The carried state is the whole history, so that nothing a step could look at goes unnoticed.

use super::*;
use crate::number;
use crate::pool::brute::tables;
use crate::pool::order::binomials;
use crate::pool::{Die, End, Source};
use proptest::prelude::*;
use std::collections::BTreeMap;

type History = Vec<(Rational, Vec<u64>)>;

/// Steps as a function of the state, the face and the counts; every face is of its own kind.
struct Told<F> {
    faces: Vec<Rational>,
    step: F,
    hardly_meet: bool,
}

impl<F: FnMut(usize, &Rational, &[u64]) -> usize> Steps for Told<F> {
    type Error = ();

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.faces = faces.to_vec();
        (0..faces.len()).collect()
    }

    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, ()> {
        Ok((self.step)(state, &self.faces[face], counts))
    }

    fn hardly_meet(&self) -> bool {
        self.hardly_meet
    }
}

fn walked(
    pools: &[Pool],
    way: &Way,
    hardly_meet: bool,
    step: impl FnMut(usize, &Rational, &[u64]) -> usize,
) -> Vec<(usize, Rational)> {
    let mut steps = Told { faces: Vec::new(), step, hardly_meet };
    let ends = walk(pools, way, &mut steps, &Meter::unlimited()).unwrap();
    let total = ends.total.clone();
    let chance = |weight: Natural| number::ratio(weight, total.clone());
    ends.weights.into_iter().map(|(state, weight)| (state, chance(weight))).collect()
}

fn fast(pools: &[Pool], way: &Way, hardly_meet: bool) -> BTreeMap<History, Rational> {
    let mut histories: Vec<History> = vec![Vec::new()];
    let ends = walked(pools, way, hardly_meet, |from, face, counts| {
        let mut longer = histories[from].clone();
        longer.push((face.clone(), counts.to_vec()));
        histories.push(longer);
        histories.len() - 1
    });
    let mut chances = BTreeMap::new();
    for (state, chance) in ends {
        *chances.entry(histories[state].clone()).or_insert(Rational::ZERO) += chance;
    }
    chances
}

fn slow(pools: &[Pool], way: &Way) -> BTreeMap<History, Rational> {
    let mut hands: Vec<(BTreeMap<Rational, Vec<u64>>, Rational)> =
        vec![(BTreeMap::new(), Rational::ONE)];
    for (number, pool) in pools.iter().enumerate() {
        let (tables, rest) = tables(pool, 12);
        assert!(rest.is_zero());
        let mut next = Vec::new();
        for (hand, chance) in &hands {
            for (table, part) in &tables {
                let mut hand = hand.clone();
                for die in table {
                    let counts = hand.entry(die.shown.clone()).or_default();
                    counts.resize(pools.len(), 0);
                    counts[number] += 1;
                }
                next.push((hand, chance * part));
            }
        }
        hands = next;
    }
    let mut chances = BTreeMap::new();
    for (hand, chance) in hands {
        let told = |counts: Vec<u64>| {
            let told = counts.into_iter().zip(&way.counts);
            told.map(|(count, looked)| if *looked { count } else { count.min(1) }).collect()
        };
        let mut history: History =
            hand.into_iter().map(|(face, counts)| (face, told(counts))).collect();
        if way.down {
            history.reverse();
        }
        *chances.entry(history).or_insert(Rational::ZERO) += chance;
    }
    chances
}

fn die(weights: &[u64]) -> Source {
    let faces = weights.iter().enumerate().map(|(at, weight)| (Rational::from(at + 1), *weight));
    Source::Die(Die::new(faces.collect::<Vec<_>>()).unwrap())
}

fn any_pool() -> impl Strategy<Value = Pool> {
    let group = (1u64..3, proptest::collection::vec(1u64..4, 1..4))
        .prop_map(|(count, weights)| (count, die(&weights)));
    let end = prop_oneof![Just(End::Highest), Just(End::Lowest), Just(End::Middle)];
    let stage = (any::<bool>(), end, 0u64..3).prop_map(|(keep, end, count)| match keep {
        true => Stage::Keep(end, count),
        false => Stage::Drop(end, count),
    });
    let stages = proptest::collection::vec(stage, 0..2);
    let thrown = (proptest::collection::vec(group, 1..3), stages.clone())
        .prop_map(|(groups, stages)| Pool { groups, stages });
    let drawn = (0u64..4, proptest::collection::vec(1u64..4, 1..4), stages).prop_map(
        |(count, copies, stages)| {
            let count = count.min(copies.iter().sum());
            let faces = copies.iter().enumerate();
            let bag = faces.map(|(at, copies)| (Rational::from(at + 1), Natural::from(*copies)));
            let stages = [Stage::Drawn].into_iter().chain(stages).collect();
            Pool { groups: vec![(count, Source::Die(Die::bag(bag).unwrap()))], stages }
        },
    );
    prop_oneof![2 => thrown, 1 => drawn]
}

/// The counts alone, without their faces: every face is of one kind.
fn counts_alone(pools: &[Pool], way: &Way) -> BTreeMap<Vec<Vec<u64>>, Rational> {
    struct Alike(Vec<Vec<Vec<u64>>>);
    impl Steps for Alike {
        type Error = ();

        fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
            vec![0; faces.len()]
        }

        fn step(&mut self, state: usize, _: usize, counts: &[u64]) -> Result<usize, ()> {
            let mut longer = self.0[state].clone();
            longer.push(counts.to_vec());
            self.0.push(longer);
            Ok(self.0.len() - 1)
        }
    }
    let mut steps = Alike(vec![Vec::new()]);
    let ends = walk(pools, way, &mut steps, &Meter::unlimited()).unwrap();
    let mut chances = BTreeMap::new();
    let total = ends.total.clone();
    for (state, weight) in ends.weights {
        let chance = number::ratio(weight, total.clone());
        *chances.entry(steps.0[state].clone()).or_insert(Rational::ZERO) += chance;
    }
    chances
}

fn even_pool() -> impl Strategy<Value = Pool> {
    let drawn = (0u64..4, 1u64..4).prop_map(|(count, copies)| {
        let bag = (1..4u64).map(|face| (Rational::from(face), Natural::from(copies)));
        let count = count.min(3 * copies);
        Pool {
            groups: vec![(count, Source::Die(Die::bag(bag).unwrap()))],
            stages: vec![Stage::Drawn],
        }
    });
    prop_oneof![even_thrown(), drawn]
}

fn even_thrown() -> impl Strategy<Value = Pool> {
    (0u64..4, any::<bool>()).prop_map(|(count, keep)| Pool {
        groups: vec![(count, die(&[1; 3]))],
        stages: if keep { vec![Stage::Keep(End::Highest, 2)] } else { Vec::new() },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_walk_that_sees_no_faces_meets_the_same_counts(
        pools in proptest::collection::vec(prop_oneof![even_pool(), any_pool()], 1..3),
        down: bool,
        looks: (bool, bool),
    ) {
        let counts = [looks.0, looks.1][..pools.len()].to_vec();
        let way = Way { down, counts };
        let mut expected = BTreeMap::new();
        for (history, chance) in slow(&pools, &way) {
            let counts = history.into_iter().map(|(_, counts)| counts).collect::<Vec<_>>();
            *expected.entry(counts).or_insert(Rational::ZERO) += chance;
        }
        prop_assert_eq!(counts_alone(&pools, &way), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_walk_meets_what_every_hand_shows(
        pools in proptest::collection::vec(any_pool(), 1..3),
        down: bool,
        looks: (bool, bool),
    ) {
        let counts = [looks.0, looks.1][..pools.len()].to_vec();
        let way = Way { down, counts };
        let expected = slow(&pools, &way);
        prop_assert_eq!(fast(&pools, &way, false), expected.clone());
        prop_assert_eq!(fast(&pools, &way, true), expected);
    }
}

#[test]
fn dice_that_differ_are_drawn_without_replacement() {
    // Of 2d3 that differ, the sum: every pair of faces is equally likely.
    for down in [false, true] {
        let pool = Pool { groups: vec![(2, die(&[1; 3]))], stages: vec![Stage::Unique] };
        let way = Way { down, counts: vec![true] };
        let histories = fast(&[pool], &way, false);
        assert_eq!(histories.len(), 3);
        let third = number::ratio(1, Natural::from(3u8));
        assert!(histories.values().all(|chance| *chance == third), "{histories:?}");
    }
}

#[test]
fn a_deck_of_ranks_is_passed_rank_by_rank() {
    // Of 5 cards of 3 ranks with 4 suits each: how many are of each rank.
    let pool = Pool { groups: vec![(5, die(&[1; 12]))], stages: vec![Stage::Unique] };
    struct Ranks(Vec<[u64; 3]>);
    impl Steps for Ranks {
        type Error = ();

        fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
            (0..faces.len()).map(|face| face / 4).collect()
        }

        fn step(&mut self, state: usize, face: usize, _: &[u64]) -> Result<usize, ()> {
            let mut next = self.0[state];
            next[face / 4] += 1;
            let known = self.0.iter().position(|known| *known == next);
            Ok(known.unwrap_or_else(|| {
                self.0.push(next);
                self.0.len() - 1
            }))
        }
    }
    for (down, counts) in [(false, true), (true, true), (false, false)] {
        let mut steps = Ranks(vec![[0; 3]]);
        let way = Way { down, counts: vec![counts] };
        let ends =
            walk(std::slice::from_ref(&pool), &way, &mut steps, &Meter::unlimited()).unwrap();
        assert_eq!(ends.total, Natural::from(792u32));
        let sum = ends.weights.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        assert_eq!(sum, ends.total);
        for (state, weight) in ends.weights {
            let suits = |of: u64| binomials(4, of as usize + 1).last().unwrap();
            let ways = steps.0[state].iter().fold(Natural::ONE, |ways, of| ways * suits(*of));
            assert_eq!(weight, ways, "{:?}", steps.0[state]);
        }
    }
}

#[test]
fn large_totals_need_wide_weights_and_agree() {
    // The number of dice that show a 6 or more, of 40d10 (133 bits), 90d10 (299 bits) and 170d10 (565 bits).
    for count in [40u64, 90, 170] {
        let pool = Pool { groups: vec![(count, die(&[1; 10]))], stages: Vec::new() };
        let six = Rational::from(6);
        let way = Way { down: false, counts: vec![true] };
        let ends = walked(&[pool], &way, false, |from, face, counts| {
            if *face >= six { from + counts[0] as usize } else { from }
        });
        let all = Natural::ONE << count as usize;
        for (hits, chance) in ends {
            let choose = binomials(count, hits + 1).last().unwrap();
            assert_eq!(chance, number::ratio(choose, all.clone()));
        }
    }
}

/// Steps that keep the counts in order: no matter which comes first.
struct Partitions {
    counts: Vec<Vec<u64>>,
    commute: bool,
    /// Counts below this are forgotten.
    least: u64,
}

impl Steps for Partitions {
    type Error = ();

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        vec![0; faces.len()]
    }

    fn step(&mut self, state: usize, _: usize, counts: &[u64]) -> Result<usize, ()> {
        let mut next = self.counts[state].clone();
        next.extend(counts.iter().filter(|count| **count >= self.least));
        next.sort_unstable();
        let known = self.counts.iter().position(|known| *known == next);
        Ok(known.unwrap_or_else(|| {
            self.counts.push(next);
            self.counts.len() - 1
        }))
    }

    fn commute(&self) -> bool {
        self.commute
    }
}

#[test]
fn by_sizes_of_sets_the_same_comes_out_as_by_faces() {
    // Fair dice of weight 1 and 2, few and many dice and faces, totals of one word and of more than two.
    let cases =
        [(0, 3, 1, 0), (1, 4, 1, 0), (5, 2, 1, 0), (6, 6, 2, 2), (3, 12, 1, 0), (9, 5, 1, 3)];
    for (count, faces, weight, least) in cases.into_iter().chain([(14, 150, 1, 0), (30, 7, 3, 4)]) {
        let pool = Pool { groups: vec![(count, die(&vec![weight; faces]))], stages: Vec::new() };
        let way = Way { down: false, counts: vec![true] };
        let found = |commute: bool| {
            let mut steps = Partitions { counts: vec![Vec::new()], commute, least };
            let pools = std::slice::from_ref(&pool);
            let ends = walk(pools, &way, &mut steps, &Meter::unlimited()).unwrap();
            let total = ends.total.clone();
            let weights = ends
                .weights
                .into_iter()
                .map(|(state, weight)| (steps.counts[state].clone(), weight));
            (weights.collect::<BTreeMap<_, _>>(), total)
        };
        let (fast, total) = found(true);
        assert_eq!((&fast, &total), (&found(false).0, &total), "{count} dice");
        let sum = fast.values().fold(Natural::ZERO, |sum, weight| sum + weight);
        assert_eq!(sum, total);
    }
}

#[test]
fn states_that_meet_after_all_are_followed_in_the_general_way() {
    let pool = Pool { groups: vec![(4, die(&[1, 2, 3]))], stages: Vec::new() };
    let way = Way { down: false, counts: vec![true] };
    let sums = |hardly_meet: bool| {
        let mut known = vec![0u64];
        let mut ends =
            walked(std::slice::from_ref(&pool), &way, hardly_meet, |from, face, counts| {
                let face = u64::try_from(face.numerator().clone()).unwrap();
                let sum = known[from] + face * counts[0];
                known.iter().position(|known| *known == sum).unwrap_or_else(|| {
                    known.push(sum);
                    known.len() - 1
                })
            });
        ends.sort();
        ends.into_iter().map(|(state, chance)| (known[state], chance)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(sums(true), sums(false));
}
