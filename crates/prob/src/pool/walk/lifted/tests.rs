//! Walks with a number set apart against their slow twin: the same walk with the number as part of the state.

use super::super::{Lift, LiftedSteps, Steps, Way, walk, walk_lifted};
use crate::meter::Meter;
use crate::number::{Natural, Rational};
use crate::pool::{Die, End, Pool, Source, Stage};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A step: from what is carried, the face and the counts to what is carried then and what is added or offered.
type Act = fn(i64, i64, &[u64]) -> (i64, i64);

#[derive(Clone, Copy, Debug)]
struct Case {
    act: Act,
    lift: Lift,
    sees_faces: bool,
    /// Whether what is carried counts at the end, and whether steps can be asked for at once.
    asked: bool,
    at_once: bool,
}

/// Carried values as states, with the number apart or in them.
struct Twin {
    case: Case,
    faces: Vec<i64>,
    states: Vec<(i64, i64)>,
}

impl Twin {
    fn of(case: Case) -> Twin {
        Twin { case, faces: Vec::new(), states: vec![(0, 0)] }
    }

    fn told(&mut self, faces: &[Rational]) -> Vec<usize> {
        let number = |face: &Rational| i64::try_from(face.numerator()).unwrap();
        self.faces = faces.iter().map(number).collect();
        let kind = |at: usize| if self.case.sees_faces { at } else { 0 };
        (0..faces.len()).map(kind).collect()
    }

    fn number(&mut self, state: (i64, i64)) -> usize {
        let known = self.states.iter().position(|known| *known == state);
        known.unwrap_or_else(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    fn acted(&self, state: usize, face: usize, counts: &[u64]) -> (i64, i64) {
        let face = if self.case.sees_faces { self.faces[face] } else { 0 };
        (self.case.act)(self.states[state].0, face, counts)
    }

    fn all(&self, state: usize, face: usize, tellings: &[usize]) -> Vec<(i64, i64)> {
        let mut all = Vec::new();
        for telling in 0..tellings.iter().product::<usize>() {
            let mut rest = telling;
            let mut counts: Vec<u64> = tellings
                .iter()
                .rev()
                .map(|size| {
                    let count = rest % size;
                    rest /= size;
                    count as u64
                })
                .collect();
            counts.reverse();
            all.push(self.acted(state, face, &counts));
        }
        all
    }
}

impl Steps for Twin {
    type Error = ();

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.told(faces)
    }

    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, ()> {
        let (core, by) = self.acted(state, face, counts);
        let number = self.states[state].1;
        let number = match self.case.lift {
            Lift::Sum => number + by,
            Lift::Highest => number.max(by),
        };
        Ok(self.number((core, number)))
    }
}

struct Lifted(Twin);

impl LiftedSteps for Lifted {
    type Error = ();

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.0.told(faces)
    }

    fn first(&self) -> Option<i64> {
        Some(0)
    }

    fn step(
        &mut self,
        state: usize,
        face: usize,
        counts: &[u64],
    ) -> Result<Option<(usize, i64)>, ()> {
        let (core, by) = self.0.acted(state, face, counts);
        Ok(Some((self.0.number((core, 0)), by)))
    }

    fn all_steps(
        &mut self,
        state: usize,
        face: usize,
        tellings: &[usize],
    ) -> Result<Option<Vec<(usize, i64)>>, ()> {
        if !self.0.case.at_once {
            return Ok(None);
        }
        let all = self.0.all(state, face, tellings).into_iter();
        Ok(Some(all.map(|(core, by)| (self.0.number((core, 0)), by)).collect()))
    }

    fn end(&mut self, state: usize) -> usize {
        if self.0.case.asked { state } else { 0 }
    }
}

type Weights = BTreeMap<(i64, i64), Natural>;

fn slow(pools: &[Pool], way: &Way, case: Case) -> (Weights, Natural) {
    let mut steps = Twin::of(case);
    let ends = walk(pools, way, &mut steps, &Meter::unlimited()).unwrap();
    let mut weights = Weights::new();
    for (state, weight) in ends.weights {
        let (core, number) = steps.states[state];
        let core = if case.asked { core } else { 0 };
        *weights.entry((core, number)).or_default() += weight;
    }
    (weights, ends.total)
}

fn fast(pools: &[Pool], way: &Way, case: Case) -> (Weights, Natural) {
    let mut steps = Lifted(Twin::of(case));
    let ends = walk_lifted(pools, way, case.lift, &mut steps, &Meter::unlimited());
    let ends = ends.unwrap().unwrap();
    let mut weights = Weights::new();
    for (state, number, weight) in ends.weights {
        let core = if case.asked { steps.0.states[state].0 } else { 0 };
        assert!(weights.insert((core, number), weight).is_none());
    }
    (weights, ends.total)
}

fn die(weights: &[u64]) -> Source {
    let faces = weights.iter().enumerate().map(|(at, weight)| (Rational::from(at + 1), *weight));
    Source::Die(Die::new(faces.collect::<Vec<_>>()).unwrap())
}

fn dice(count: u64, sides: usize) -> Pool {
    Pool { groups: vec![(count, die(&vec![1; sides]))], stages: Vec::new() }
}

fn any_pool() -> impl Strategy<Value = Pool> {
    let weights = prop_oneof![
        proptest::collection::vec(1u64..4, 1..5),
        (1usize..7).prop_map(|sides| vec![1; sides]),
    ];
    let group = (0u64..6, weights).prop_map(|(count, weights)| (count, die(&weights)));
    let stages = prop_oneof![
        Just(Vec::new()),
        Just(vec![Stage::Keep(End::Highest, 2)]),
        Just(vec![Stage::Drop(End::Middle, 1)]),
    ];
    (proptest::collection::vec(group, 1..3), stages)
        .prop_map(|(groups, stages)| Pool { groups, stages })
}

fn any_case() -> impl Strategy<Value = Case> {
    let acts: Vec<Act> = vec![
        // No state at all, one that counts, one that remembers the face, and a number that goes down.
        |_, face, counts| (0, face + counts[0] as i64),
        |core, face, counts| {
            let all = counts.iter().sum::<u64>() as i64;
            ((core + all) % 3, if core == 1 { face * all } else { core })
        },
        |core, face, counts| (face, if face == core + 1 { 3 } else { -(counts[0] as i64) }),
        |core, _, counts| (core ^ 1, counts[0] as i64 - 2),
    ];
    let lift = prop_oneof![Just(Lift::Sum), Just(Lift::Highest)];
    let act = proptest::sample::select(acts);
    (act, lift, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(act, lift, sees_faces, asked, at_once)| Case { act, lift, sees_faces, asked, at_once },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_number_apart_is_the_number_in_the_state(
        pools in proptest::collection::vec(any_pool(), 1..3),
        down: bool,
        looks: (bool, bool),
        case in any_case(),
    ) {
        let counts = [looks.0, looks.1][..pools.len()].to_vec();
        let way = Way { down, counts };
        prop_assert_eq!(fast(&pools, &way, case), slow(&pools, &way, case));
    }
}

/// How many of the first side are higher, pair by pair.
fn versus(ahead: i64, _: i64, counts: &[u64]) -> (i64, i64) {
    let (mine, theirs) = (counts[0] as i64, counts[1] as i64);
    (ahead + mine - theirs, ahead.clamp(0, theirs))
}

/// How many are as high as the other: ahead it is by the dice of the other side, behind by one's own.
fn ties(ahead: i64, _: i64, counts: &[u64]) -> (i64, i64) {
    let (mine, theirs) = (counts[0] as i64, counts[1] as i64);
    (ahead + mine - theirs, ((ahead + mine).min(theirs) - ahead.max(0)).max(0))
}

#[test]
fn pools_one_after_the_other_meet_the_same_pairs() {
    let acts: [Act; 2] = [versus, ties];
    for (mine, theirs, sides) in [(5, 5, 4), (7, 4, 6), (3, 9, 3), (20, 20, 3)] {
        for (act, at_once) in acts.into_iter().flat_map(|act| [(act, false), (act, true)]) {
            let case = Case { act, lift: Lift::Sum, sees_faces: false, asked: true, at_once };
            let pools = [dice(mine, sides), dice(theirs, sides)];
            let way = Way { down: true, counts: vec![true, true] };
            assert_eq!(fast(&pools, &way, case), slow(&pools, &way, case));
        }
    }
}

#[test]
fn sets_by_their_sizes_offer_the_same() {
    let acts: [Act; 3] = [
        |_, _, counts| (0, counts[0] as i64),
        |_, _, counts| (0, 5 - counts[0] as i64),
        |_, _, counts| (0, counts[0] as i64 % 3 * 4 - 2),
    ];
    for act in acts {
        let case = Case { act, lift: Lift::Highest, sees_faces: false, asked: true, at_once: true };
        let way = Way { down: false, counts: vec![true] };
        for (count, weights) in
            [(1, vec![1; 4]), (9, vec![2; 4]), (4, vec![1; 9]), (70, vec![1; 3])]
        {
            let pool = Pool { groups: vec![(count, die(&weights))], stages: Vec::new() };
            let pool = std::slice::from_ref(&pool);
            assert_eq!(fast(pool, &way, case), slow(pool, &way, case));
        }
    }
}

#[test]
fn the_longest_straight_may_have_its_length_apart() {
    // The longest straight: a face of two digits and how long the straight is that ends there.
    let act: Act = |core, face, _| {
        let (last, length) = (core / 100, core % 100);
        let length = if length > 0 && last + 1 == face { length + 1 } else { 1 };
        (face * 100 + length, length)
    };
    for asked in [false, true] {
        for counts in [false, true] {
            let case = Case { act, lift: Lift::Highest, sees_faces: true, asked, at_once: true };
            let way = Way { down: false, counts: vec![counts] };
            assert_eq!(fast(&[dice(9, 12)], &way, case), slow(&[dice(9, 12)], &way, case));
        }
    }
}

#[test]
fn numbers_far_apart_are_refused_and_work_is_paid() {
    let act: Act = |_, face, counts| (0, face * 1_000_000 + counts[0] as i64);
    let case = Case { act, lift: Lift::Sum, sees_faces: true, asked: true, at_once: false };
    let way = Way { down: false, counts: vec![true] };
    let mut steps = Lifted(Twin::of(case));
    let ends = walk_lifted(&[dice(4, 6)], &way, Lift::Sum, &mut steps, &Meter::unlimited());
    assert!(ends.unwrap().is_none());
    let mut steps = Lifted(Twin::of(Case { act: |_, face, _| (0, face), ..case }));
    let ends = walk_lifted(&[dice(60, 60)], &way, Lift::Sum, &mut steps, &Meter::new(100_000));
    assert!(ends.is_err());
}
