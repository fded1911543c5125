//! The luck of whole logs: struck, typed, hidden and revealed rolls, each seat and all.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use astragal::Rational;
use astragal_fair::line::{Dice, Limits};
use astragal_fair::simulate::evening;
use astragal_fair::{Bytes, Checker, Programs, Wanted};
use astragal_luck::{Evening, Known, Luck, Roll, Why};

fn known(log: &str) -> (Known, Checker) {
    let (mut checker, mut evening) = (Checker::new(), Evening::default());
    for line in log.lines() {
        let taken = checker.line(line).unwrap();
        evening.take(&checker, &taken);
    }
    let mut luck = Luck::new(checker.limits().unwrap());
    (evening.known(&mut luck, &checker), checker)
}

#[test]
fn an_evening_is_counted_as_the_checker_counts_it() {
    for seed in 1..6 {
        let (known, checker) = known(&evening(seed).log());
        let report = checker.so_far();
        let of =
            |why: Why| known.others.iter().filter(|(_, _, other)| *other == why).count() as u64;
        let rolls: u64 = known.seats.values().map(|tally| tally.rolls).sum();
        assert_eq!(known.all.rolls, rolls);
        assert!(rolls > 0);
        let all = report.total(astragal_fair::SeatReport::rolls);
        let typed = report.total(|seat| seat.typed);
        assert_eq!(
            rolls + known.others.len() as u64,
            all + typed,
            "each roll counts or says why not"
        );
        assert_eq!(of(Why::Struck), report.total(|seat| seat.struck));
        assert!(of(Why::Typed) <= typed);
        let sum = known.seats.values().fold(Rational::ZERO, |sum, tally| sum + &tally.sum.from);
        assert_eq!(known.all.sum.from, sum);
        assert_eq!(known.all.expected(), Rational::from(rolls) / Rational::from(2u8));
    }
}

fn roll(text: &str, key: u8) -> Roll {
    Roll {
        line: u64::from(key),
        seat: 0,
        text: text.into(),
        inputs: Vec::new(),
        rules: None,
        key: Bytes([key; 32]),
        value: None,
    }
}

#[test]
fn a_roll_stands_where_its_dice_say() {
    let mut luck = Luck::new(Limits::USUAL);
    for key in 0..30 {
        let limits = &Limits::USUAL;
        let wanted = Wanted { text: "d20", inputs: &[], rules: None, limits };
        let (dice, _): (Dice, _) = Programs::default().roll(&wanted, [key; 32]);
        let face = dice[0][1];
        let weighed = luck.weigh(&roll("d20", key)).unwrap();
        assert_eq!(weighed.value, face.to_string());
        let place = Rational::from(2 * face - 1) / Rational::from(40u8);
        assert_eq!(weighed.place.place.exact(), Some(&place));
    }
}

#[test]
fn the_best_and_the_worst_are_told() {
    let mut luck = Luck::new(Limits::USUAL);
    let mut known = Known::default();
    let mut least = Rational::ONE;
    for key in 0..40 {
        let weighed = luck.weigh(&roll("3d6", key)).unwrap();
        least = least.min(weighed.place.at_least.to.clone());
        known.take(&weighed);
    }
    let luckiest = known.all.luckiest.unwrap();
    assert_eq!(luckiest.chance.exact(), Some(&least));
    assert_eq!(luckiest.text, "3d6");
    assert!(known.all.unluckiest.unwrap().chance.to < Rational::ONE / Rational::from(2u8));
    // Forty rolls of 3d6: the variance of a place is forty times (1 − Σp³)/12, with Σ of the cubes of 1, 3, 6, 10, 15, 21, 25, 27 and again.
    let ways = [1u64, 3, 6, 10, 15, 21, 25, 27];
    let cubes: u64 = ways.iter().map(|ways| 2 * ways.pow(3)).sum();
    let variance = (Rational::ONE - Rational::from(cubes) / Rational::from(216u64.pow(3)))
        * Rational::from(40u8)
        / Rational::from(12u8);
    assert_eq!(known.all.variance.exact(), Some(&variance));
}

#[test]
fn rolls_without_a_place_say_why() {
    let mut luck = Luck::new(Limits::USUAL);
    let mut why = |roll: &Roll| luck.weigh(roll).err();
    assert_eq!(why(&roll("2d6 +", 1)), Some(Why::NoResult));
    assert_eq!(why(&roll("2000d6", 1)), Some(Why::NoResult));
    assert_eq!(why(&roll("[d6, d6]", 1)), Some(Why::NoNumber));
    assert_eq!(why(&roll("5", 1)), Some(Why::Certain));
    let other = Roll { value: Some("21".into()), ..roll("d20", 1) };
    assert_eq!(why(&other), Some(Why::OtherRules));
    let with = |text: &str, inputs: &[(&str, &str)], rules: Option<&str>| {
        let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
        let inputs = inputs.iter().map(own).collect();
        Roll { inputs, rules: rules.map(Into::into), ..roll(text, 3) }
    };
    assert_eq!(why(&with("d20 + str", &[("str", "4")], None)), None);
    assert_eq!(why(&with("hit(3)", &[], Some("fn hit(n) = n + d6"))), None);
}
