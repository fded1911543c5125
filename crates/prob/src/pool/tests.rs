//! Known truths about pools, and random pools against the slow twin.

use super::brute::{read_table, tables};
use super::*;
use crate::law::tests::{fraction, whole};
use crate::number::Natural;
use crate::{Comparison, Meter};
use Comparison::{AtLeast, AtMost, Equal, Greater};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn die(sides: u64) -> Die {
    Die::fair(sides, &Meter::unlimited()).unwrap().unwrap()
}

fn pool(groups: &[(u64, u64)], stages: &[Stage]) -> Pool {
    let groups = groups.iter().map(|&(count, sides)| (count, Source::Die(die(sides)))).collect();
    Pool { groups, stages: stages.to_vec() }
}

fn when(op: Comparison, value: i64) -> Condition {
    Condition { op, value: whole(value) }
}

fn explode(style: Style) -> Stage {
    Stage::Explode { trigger: Trigger::Highest, style, limit: None }
}

fn explode_when(op: Comparison, value: i64, style: Style) -> Stage {
    Stage::Explode { trigger: Trigger::When(when(op, value)), style, limit: None }
}

fn law(pool: &Pool, reading: &Reading) -> Law {
    read(pool, reading, &Meter::unlimited()).unwrap()
}

fn sum(pool: &Pool) -> Law {
    law(pool, &Reading::Sum)
}

fn chance(law: &Law, op: Comparison, value: i64) -> Rational {
    law.compare(op, &whole(value), &Meter::unlimited()).unwrap()
}

/// Every chance of the law lies between that of the twin and that plus what the twin cut off.
fn agrees(pool: &Pool, reading: &Reading, depth: usize) {
    let (tables, rest) = tables(pool, depth);
    let mut slow: BTreeMap<Rational, Rational> = BTreeMap::new();
    for (table, chance) in tables {
        let Some(value) = read_table(&table, reading) else { return };
        *slow.entry(value).or_default() += chance;
    }
    let fast = match read(pool, reading, &Meter::unlimited()) {
        Err(PoolError::NoClosedForm) => return,
        law => law.unwrap_or_else(|error| panic!("{error:?} for {pool:?} {reading:?}")),
    };
    if rest.is_zero() {
        assert_eq!(
            fast.as_table().map(|table| table.count()),
            Some(slow.len()),
            "{pool:?} {reading:?}"
        );
    }
    for (value, least) in slow {
        let exact = fast.chance(&value, &Meter::unlimited()).unwrap();
        assert!(
            exact >= least && exact <= &least + &rest,
            "{exact} for {least} at {value}: {pool:?} {reading:?}"
        );
    }
}

#[test]
fn keep_highest() {
    let law = sum(&pool(&[(4, 6)], &[Stage::Keep(End::Highest, 3)]));
    assert_eq!(law.mean(), fraction(15869, 1296));
    assert_eq!(chance(&law, Equal, 18), fraction(7, 432));
}

#[test]
fn exploding_dice() {
    let again = sum(&pool(&[(1, 6)], &[explode(Style::Separate)]));
    assert_eq!(again.mean(), fraction(21, 5));
    assert_eq!(chance(&again, AtLeast, 12), fraction(1, 36));
    assert_eq!(again, sum(&pool(&[(1, 6)], &[explode(Style::Compound)])));
    assert_eq!(sum(&pool(&[(1, 6)], &[explode(Style::Penetrate)])).mean(), whole(4));
    let ten = sum(&pool(&[(10, 6)], &[explode(Style::Separate)]));
    let tail = chance(&ten, Greater, 210);
    assert_eq!((tail * fraction(1_000_000_000_000_000_000, 1)).floor(), 168.into());
}

#[test]
fn counted_dice() {
    let marks = Reading::Marks(vec![(when(AtLeast, 8), 1)]);
    let twenty = law(&pool(&[(20, 10)], &[explode(Style::Separate)]), &marks);
    assert_eq!(twenty.mean(), fraction(20, 3));
    let eight = law(&pool(&[(8, 10)], &[explode(Style::Separate)]), &marks);
    assert_eq!(chance(&eight, AtLeast, 5), fraction(11_919_235_767, 100_000_000_000));
}

#[test]
fn a_group_of_totals_keeps_the_best_total() {
    let meter = Meter::unlimited();
    let d20 = Law::uniform(20, &meter).unwrap();
    let groups = vec![
        (1, Source::Total(d20.times(2, &meter).unwrap())),
        (1, Source::Total(Law::uniform(12, &meter).unwrap())),
    ];
    let best = Pool { groups, stages: vec![Stage::Keep(End::Highest, 1)] };
    assert_eq!(sum(&best).mean(), fraction(20303, 960));
    let exploding = Pool { stages: vec![explode(Style::Separate)], ..best };
    assert_eq!(read(&exploding, &Reading::Sum, &meter), Err(PoolError::CannotThrow));
}

#[test]
fn plain_and_compound_dice_add_up() {
    let meter = Meter::unlimited();
    let plain = sum(&pool(&[(2, 6)], &[]));
    let compound = sum(&pool(&[(3, 8)], &[explode(Style::Compound)]));
    let both = plain.sum(&compound, &meter).unwrap();
    assert_eq!(both.mean(), whole(7) + whole(3) * fraction(36, 7));
}

#[test]
fn keeping_from_a_pool_that_grows() {
    let keep = |style, stage| pool(&[(3, 4)], &[explode(style), stage]);
    for style in [Style::Separate, Style::Penetrate] {
        agrees(&keep(style, Stage::Keep(End::Highest, 2)), &Reading::Sum, 7);
        agrees(&keep(style, Stage::Keep(End::Lowest, 4)), &Reading::Sum, 7);
        agrees(&keep(style, Stage::Drop(End::Lowest, 2)), &Reading::Sum, 7);
        agrees(&keep(style, Stage::Drop(End::Highest, 4)), &Reading::Sum, 7);
    }
    let law = sum(&pool(&[(4, 6)], &[explode(Style::Separate), Stage::Keep(End::Highest, 3)]));
    assert_eq!(law.highest(), Some(whole(18)));
    let dropped = sum(&pool(&[(4, 6)], &[explode(Style::Separate), Stage::Drop(End::Lowest, 1)]));
    assert!(dropped.is_endless());
}

#[test]
fn what_never_stops_is_refused() {
    let refused = |pool: &Pool| read(pool, &Reading::Sum, &Meter::unlimited());
    let every = pool(&[(1, 6)], &[explode_when(AtLeast, 1, Style::Separate)]);
    assert_eq!(refused(&every), Err(PoolError::NeverStops(Endlessness::EveryFaceExplodes)));
    let reroll = pool(&[(1, 6)], &[Stage::Reroll { when: when(AtMost, 6), once: false }]);
    assert_eq!(refused(&reroll), Err(PoolError::NeverStops(Endlessness::EveryFaceRerolls)));
    let many = pool(&[(20, 10)], &[Stage::Unique]);
    assert_eq!(refused(&many), Err(PoolError::NeverStops(Endlessness::MoreDiceThanFaces)));
    // A clamp can make the trigger unreachable, or only reachable by fresh dice.
    let safe =
        pool(&[(1, 6)], &[Stage::AtMost(whole(0)), explode_when(AtLeast, 1, Style::Separate)]);
    assert_eq!(refused(&safe).map(|law| law.mean()), Ok(whole(0)));
}

#[test]
fn keeping_compound_dice() {
    let law = sum(&pool(&[(3, 10)], &[explode(Style::Compound), Stage::Keep(End::Highest, 2)]));
    assert_eq!(law.mean(), fraction(15290, 999));
    assert_eq!(law.variance(), fraction(42_739_312, 998_001));
    for stages in
        [Stage::Keep(End::Highest, 2), Stage::Drop(End::Lowest, 2), Stage::Keep(End::Lowest, 1)]
    {
        agrees(&pool(&[(3, 3)], &[explode(Style::Compound), stages.clone()]), &Reading::Sum, 9);
        let low = explode_when(Equal, 2, Style::Compound);
        agrees(&pool(&[(3, 4)], &[low.clone(), stages.clone()]), &Reading::Sum, 7);
        agrees(&pool(&[(3, 3)], &[low, Stage::AtLeast(whole(2)), stages]), &Reading::Sum, 8);
    }
    agrees(&pool(&[(3, 3)], &[explode(Style::Compound)]), &Reading::Median, 9);
}

#[test]
fn fair_dice_that_differ() {
    let three = sum(&pool(&[(3, 6)], &[Stage::Unique]));
    let weights: Vec<u64> =
        three.as_table().unwrap().outcomes().map(|(_, w)| u64::try_from(w).unwrap()).collect();
    assert_eq!(three.lowest(), Some(whole(6)));
    assert_eq!(weights, [1, 1, 2, 3, 3, 3, 3, 2, 1, 1]);
    agrees(&pool(&[(3, 5)], &[Stage::Unique, Stage::Keep(End::Middle, 1)]), &Reading::Sum, 9);
}

#[test]
fn stages_that_throw_after_a_keep() {
    let keep = Stage::Keep(End::Highest, 3);
    let law = sum(&pool(&[(4, 6)], &[keep.clone(), explode(Style::Separate)]));
    let plain = sum(&pool(&[(4, 6)], &[keep]));
    // Each kept six adds a d6!, and 4d6kh3 keeps this many sixes on average.
    let sixes: Rational = (1..=3)
        .map(|n| {
            whole(n)
                * if n < 3 { fraction([0, 500, 150][n as usize], 1296) } else { fraction(21, 1296) }
        })
        .fold(whole(0), |a, b| a + b);
    assert_eq!(law.mean(), plain.mean() + sixes * fraction(21, 5));
}

#[test]
fn many_different_dice() {
    let dice: Vec<(u64, Source)> = (0..14u64)
        .map(|k| {
            (
                1,
                Source::Die(
                    Die::new((1..=10).map(|f| (whole(f), 1 + (f as u64 * (k + 3)) % 7))).unwrap(),
                ),
            )
        })
        .collect();
    let pool = Pool { groups: dice, stages: vec![Stage::Keep(End::Highest, 7)] };
    let high = sum(&pool);
    let low = sum(&Pool { stages: vec![Stage::Drop(End::Highest, 7)], ..pool.clone() });
    let all = sum(&Pool { stages: Vec::new(), ..pool });
    assert_eq!(high.mean() + low.mean(), all.mean());
}

fn in_all(act: Stage, most: u64, first: Order) -> Stage {
    Stage::InAll { act: Box::new(act), most, first }
}

/// Every order, act and reading of a limit in all, on dice that are equal, mixed, clamped before and after.
#[test]
fn limits_in_all_agree_with_the_slow_twin() {
    let low = || when(AtMost, 2);
    let acts = [
        Stage::Reroll { when: low(), once: true },
        Stage::Reroll { when: low(), once: false },
        explode(Style::Separate),
        explode_when(AtLeast, 2, Style::Separate),
        explode_when(AtLeast, 2, Style::Compound),
        Stage::Explode { trigger: Trigger::When(low()), style: Style::Penetrate, limit: Some(1) },
    ];
    let readings = [
        Reading::Sum,
        Reading::Marks(vec![(when(AtLeast, 3), 1), (when(Equal, 1), -1)]),
        Reading::NthHighest(1),
        Reading::NthHighest(2),
        Reading::NthLowest(1),
        Reading::NthLowest(3),
        Reading::Median,
    ];
    let tails: [&[Stage]; 4] = [
        &[],
        &[Stage::AtLeast(whole(2)), Stage::AtMost(whole(3))],
        &[Stage::Keep(End::Highest, 2)],
        &[Stage::Drop(End::Lowest, 1)],
    ];
    for act in &acts {
        for first in [Order::Thrown, Order::Lowest, Order::Highest] {
            for tail in tails {
                for (groups, head) in [
                    (&[(3, 3)][..], None),
                    (&[(2, 3), (1, 2)][..], None),
                    (&[(3, 3)][..], Some(Stage::AtMost(whole(2)))),
                ] {
                    let limited = in_all(act.clone(), 2, first);
                    let stages = head.into_iter().chain([limited]).chain(tail.to_vec());
                    let pool = pool(groups, &stages.collect::<Vec<_>>());
                    readings.iter().for_each(|reading| {
                        if read(&pool, reading, &Meter::unlimited()) != Err(PoolError::TooFewDice) {
                            agrees(&pool, reading, 9);
                        }
                    });
                    tables_agree(&pool, 9);
                }
            }
        }
    }
}

#[test]
fn limits_in_all_of_many_dice() {
    let reroll = Stage::Reroll { when: when(AtMost, 3), once: true };
    let meter = Meter::new(50_000_000);
    let lowest = pool(&[(40, 6)], &[in_all(reroll.clone(), 5, Order::Lowest)]);
    let lowest = read(&lowest, &Reading::Sum, &meter).unwrap();
    let thrown = pool(&[(40, 6)], &[in_all(reroll.clone(), 5, Order::Thrown)]);
    let thrown = read(&thrown, &Reading::Sum, &meter).unwrap();
    assert!(lowest.mean() > thrown.mean());
    // A limit that no throw reaches is none.
    let all = pool(&[(6, 6)], &[in_all(reroll.clone(), 6, Order::Highest)]);
    assert_eq!(sum(&all), sum(&pool(&[(6, 6)], &[reroll])));
}

/// The distribution of tables against the slow twin, where throws are finite.
fn tables_agree(pool: &Pool, depth: usize) {
    let (slow, rest) = tables(pool, depth);
    let fast = match dice(pool, &Meter::unlimited()) {
        Err(PoolError::NoClosedForm | PoolError::NeverStops(_)) => return,
        fast => fast.unwrap_or_else(|error| panic!("{error:?} for {pool:?}")),
    };
    for (table, least) in slow {
        let exact = fast.chance(&table);
        assert!(
            exact >= least && exact <= &least + &rest,
            "{exact} for {least} of {table:?}: {pool:?}"
        );
    }
}

fn any_condition() -> impl Strategy<Value = Condition> {
    (0usize..6, 0i64..5).prop_map(|(op, value)| {
        use Comparison::*;
        when([Equal, NotEqual, Less, AtMost, Greater, AtLeast][op], value)
    })
}

fn any_end() -> impl Strategy<Value = End> {
    prop_oneof![Just(End::Highest), Just(End::Lowest), Just(End::Middle)]
}

fn any_stage() -> impl Strategy<Value = Stage> {
    let order = prop_oneof![Just(Order::Thrown), Just(Order::Lowest), Just(Order::Highest)];
    let limited = (any_throw(), 0u64..4, order).prop_map(|(act, most, first)| Stage::InAll {
        act: Box::new(act),
        most,
        first,
    });
    prop_oneof![
        4 => any_plain_stage(),
        1 => limited,
    ]
}

fn any_throw() -> impl Strategy<Value = Stage> {
    let trigger = prop_oneof![Just(Trigger::Highest), any_condition().prop_map(Trigger::When)];
    let style = prop_oneof![Just(Style::Separate), Just(Style::Compound), Just(Style::Penetrate)];
    let limit = prop_oneof![Just(None), (0u64..3).prop_map(Some)];
    prop_oneof![
        (any_condition(), any::<bool>()).prop_map(|(when, once)| Stage::Reroll { when, once }),
        (trigger, style, limit).prop_map(|(trigger, style, limit)| Stage::Explode {
            trigger,
            style,
            limit
        }),
    ]
}

fn any_plain_stage() -> impl Strategy<Value = Stage> {
    prop_oneof![
        2 => any_throw(),
        5 => any_other_stage(),
    ]
}

fn any_other_stage() -> impl Strategy<Value = Stage> {
    prop_oneof![
        (0i64..4).prop_map(|bound| Stage::AtLeast(whole(bound))),
        (1i64..5).prop_map(|bound| Stage::AtMost(whole(bound))),
        (any_end(), 0u64..4).prop_map(|(end, count)| Stage::Keep(end, count)),
        (any_end(), 0u64..3).prop_map(|(end, count)| Stage::Drop(end, count)),
        Just(Stage::Unique),
    ]
}

fn any_reading() -> impl Strategy<Value = Reading> {
    prop_oneof![
        Just(Reading::Sum),
        prop::collection::vec((any_condition(), prop_oneof![Just(1i8), Just(-1i8)]), 1..3)
            .prop_map(Reading::Marks),
        (1u64..3).prop_map(Reading::NthHighest),
        (1u64..3).prop_map(Reading::NthLowest),
        Just(Reading::Median),
    ]
}

fn any_die() -> impl Strategy<Value = Die> {
    prop_oneof![
        (1u64..4).prop_map(die),
        prop::collection::vec((-1i64..4, 1u64..3), 1..4)
            .prop_map(|faces| Die::new(faces.into_iter().map(|(f, w)| (whole(f), w))).unwrap()),
    ]
}

fn any_bag() -> impl Strategy<Value = Die> {
    prop::collection::vec((-2i64..5, 1u64..4), 1..5).prop_map(|faces| {
        Die::bag(faces.into_iter().map(|(face, copies)| (whole(face), copies.into()))).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_draws_agree_with_the_slow_twin(
        bag in any_bag(),
        count in 0u64..5,
        stages in prop::collection::vec(any_other_stage(), 0..3),
        reading in any_reading(),
        halves: bool,
    ) {
        let stages = stages.into_iter().filter(|stage| *stage != Stage::Unique);
        let stages: Vec<Stage> = [Stage::Drawn].into_iter().chain(stages).collect();
        let bag = match halves {
            true => {
                let half = |(face, copies): &(Rational, _)| (face / whole(2), Natural::clone(copies));
                Die::bag(bag.faces().iter().map(half)).unwrap()
            }
            false => bag,
        };
        let enough = Natural::from(count) <= *bag.total();
        let pool = Pool { groups: vec![(count, Source::Die(bag))], stages };
        match read(&pool, &reading, &Meter::unlimited()) {
            Err(PoolError::EmptyBag) => prop_assert!(!enough),
            Err(PoolError::TooFewDice) => {}
            _ => {
                agrees(&pool, &reading, 5);
                draws_agree(&pool);
            }
        }
    }
}

/// Clamped dice count as drawn with what they show.
fn draws_agree(pool: &Pool) {
    let (slow, _) = tables(pool, 5);
    let mut shown: BTreeMap<Vec<Rational>, Rational> = BTreeMap::new();
    for (table, chance) in slow {
        *shown.entry(table.into_iter().map(|die| die.shown).collect()).or_default() += chance;
    }
    let fast = dice(pool, &Meter::unlimited()).unwrap();
    let fast = fast.map(|table| table.iter().map(|die| die.shown.clone()).collect::<Vec<_>>());
    let fast: BTreeMap<_, _> =
        fast.chances().map(|(table, chance)| (table.clone(), chance)).collect();
    assert_eq!(fast, shown, "{pool:?}");
}

#[test]
fn hands_of_cards() {
    let cards = |ranks: i64, copies: u64| {
        let faces = (1..=ranks).map(|rank| (whole(rank), Natural::from(copies)));
        Source::Die(Die::bag(faces).unwrap())
    };
    let drawn = |count: u64, of: Source, stages: &[Stage]| Pool {
        groups: vec![(count, of)],
        stages: [Stage::Drawn].into_iter().chain(stages.iter().cloned()).collect(),
    };
    // All four aces among thirteen cards: C(48, 9) of C(52, 13).
    let aces = Reading::Marks(vec![(when(Equal, 13), 1)]);
    let four = law(&drawn(13, cards(13, 4), &[]), &aces);
    assert_eq!(chance(&four, Equal, 4), fraction(11, 4165));
    // The whole bag has one sum; the hands of 300 tokens need more than machine words.
    assert_eq!(sum(&drawn(52, cards(13, 4), &[])), Law::constant(whole(364)));
    let many = sum(&drawn(60, cards(3, 100), &[]));
    assert_eq!((many.mean(), many.variance()), (whole(120), fraction(9600, 299)));
    let best = sum(&drawn(60, cards(3, 100), &[Stage::Keep(End::Highest, 1)]));
    assert_eq!(best.mean() - whole(2), chance(&best, Equal, 3) - chance(&best, Equal, 1));
    assert_eq!(
        read(&drawn(53, cards(13, 4), &[]), &aces, &Meter::unlimited()),
        Err(PoolError::EmptyBag)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn random_pools_agree_with_the_slow_twin(
        groups in prop::collection::vec((1u64..3, any_die()), 1..3),
        stages in prop::collection::vec(any_stage(), 0..4),
        reading in any_reading(),
    ) {
        let groups = groups.into_iter().map(|(count, die)| (count, Source::Die(die))).collect();
        let pool = Pool { groups, stages };
        if never_stops(&pool).is_none() {
            let depth = 7;
            match read(&pool, &reading, &Meter::unlimited()) {
                Err(PoolError::TooFewDice | PoolError::NeverStops(_)) => {}
                _ => agrees(&pool, &reading, depth),
            }
            tables_agree(&pool, depth);
        }
    }
}
