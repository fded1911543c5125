//! Places are held against all ways in which dice can fall, and against their mean and variance.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use astragal::faces::Scripted;
use astragal::{Budget, Engine, Program, Rational, Value};
use astragal_luck::{Law, Part, Place, Why};

fn program(text: &str) -> Program {
    Engine::new().compile(text).unwrap()
}

fn law(text: &str) -> Result<Law, Why> {
    Law::of(&program(text), &Budget::default()).map(|(law, _)| law)
}

fn ratio(top: i64, bottom: u64) -> Rational {
    Rational::from(top) / Rational::from(bottom)
}

fn place(law: &Law, value: i64) -> Place {
    Place::of(law, &Value::whole(value)).unwrap()
}

/// All results of some dice, each as likely as each other.
fn all(text: &str, sides: &[u32]) -> Vec<Value> {
    let program = program(text);
    let mut faces = vec![1; sides.len()];
    let mut found = Vec::new();
    loop {
        let script: Vec<String> = faces.iter().map(ToString::to_string).collect();
        let rolled = program.roll(&mut Scripted::read(&script.join(","))).unwrap();
        found.push(rolled.value.clone());
        let Some(at) = (0..sides.len()).rev().find(|at| faces[*at] < sides[*at]) else {
            return found;
        };
        faces[at] += 1;
        faces[at + 1..].fill(1);
    }
}

/// What counts of a value, and what is less or the same by counting.
fn counted(values: &[Value], value: &Value, part: &Part) -> (u64, u64) {
    let own = part.of_value(value).unwrap();
    let count = |holds: &dyn Fn(&Value) -> bool| {
        values.iter().filter(|other| holds(part.of_value(other).unwrap())).count() as u64
    };
    (count(&|other| other < own), count(&|other| other == own))
}

#[test]
fn places_are_those_of_enumeration() {
    let cases: &[(&str, &[u32])] = &[
        ("d20", &[20]),
        ("2d6 + 3", &[6, 6]),
        ("4d6kh3", &[6, 6, 6, 6]),
        ("d20 + 5 >= 15", &[20]),
        ("5d4 cs>=3", &[4, 4, 4, 4, 4]),
        ("-2d6", &[6, 6]),
        ("d6 / 4", &[6]),
        ("let d = d20; {die: d, total: d // 3, success: d > 7}", &[20]),
        ("let d = d6; {outcome: \"x\", hit: d >= 5, damage: d}", &[6]),
    ];
    for (text, sides) in cases {
        let (values, law) = (all(text, sides), law(text).unwrap());
        let total = values.len() as u64;
        let (mut mean, mut square) = (Rational::ZERO, Rational::ZERO);
        for value in &values {
            let place = Place::of(&law, value).unwrap();
            let (less, same) = counted(&values, value, &law.part);
            let by_hand = (Rational::from(less) + ratio(same as i64, 2)) / Rational::from(total);
            assert_eq!(place.place.exact(), Some(&by_hand), "{text}: {value}");
            assert_eq!(place.at_most.exact(), Some(&ratio((less + same) as i64, total)), "{text}");
            assert_eq!(place.at_least.exact(), Some(&ratio((total - less) as i64, total)));
            mean += &by_hand;
            square += by_hand.pow(2);
        }
        let (mean, square) = (mean / Rational::from(total), square / Rational::from(total));
        assert_eq!(mean, ratio(1, 2), "{text}");
        let variance = square - ratio(1, 4);
        assert_eq!(law.variance().exact(), Some(&variance), "{text}");
    }
}

#[test]
fn what_counts_of_a_record() {
    let of = |text: &str| Part::of(&program(text)).map(|part| part.field().map(ToOwned::to_owned));
    let field = |name: &str| Ok(Some(name.to_owned()));
    assert_eq!(of("stormchaser.check(15)"), field("total"));
    assert_eq!(of("cofd.action(5)"), field("successes"));
    assert_eq!(of("kaiser.opposed({skill: 8}, {skill: 5})"), field("degree"));
    assert_eq!(of("cofd.attempts(5, 3)"), field("success"));
    assert_eq!(of("3d6"), Ok(None));
    assert_eq!(of("cofd.outcome(3)"), Err(Why::NoNumber));
    assert_eq!(of("[d6, d6]"), Err(Why::NoNumber));
    assert_eq!(of("show \"a\" = d6; show \"b\" = d8"), Err(Why::Several));
}

#[test]
fn endless_laws_are_exact_where_a_law_is_known() {
    let law = law("d6!").unwrap();
    // 7 is the least of the chains that went on once: a sixth of them goes on, and a sixth of these shows 1.
    let seven = place(&law, 7);
    assert_eq!(seven.at_least.exact(), Some(&ratio(1, 6)));
    assert_eq!(seven.place.exact(), Some(&(ratio(5, 6) + ratio(1, 72))));
    // Far beyond the list it is exact too.
    let far = place(&law, 6 * 40 + 1);
    assert_eq!(far.at_least.exact(), Some(&ratio(1, 6).pow(40)));
    // The sum of cubes is 5/216 + 5/216³ + … = 5/215.
    let variance = (Rational::ONE - ratio(5, 215)) / Rational::from(12u8);
    let known = law.variance();
    assert!(known.from <= variance && variance <= known.to);
    assert!(&known.to - &known.from < ratio(1, 1_000_000_000), "{known:?}");
}

#[test]
fn what_was_given_up_lies_between() {
    // The mean of places is ½ whatever it is: bounds hold it.
    let text = "let n = d6!; n * n // 7";
    let law = law(text).unwrap();
    let low = place(&law, 0);
    assert!(low.place.from <= low.place.to);
    assert!(&low.place.to - &low.place.from < ratio(1, 1_000_000), "{low:?}");
    assert!(low.at_most.from <= low.at_most.to && low.at_least.to >= ratio(99, 100));
}

#[test]
fn what_has_no_place_says_why() {
    assert_eq!(law("7").err(), Some(Why::Certain));
    assert_eq!(law("d6 - d6 >= -5").err(), Some(Why::Certain));
    assert_eq!(law("1 / (d6 - 1)").err(), Some(Why::NoOdds));
    let dear = program("times(60, 10d100!kh3) kh20");
    let told = Law::of(&dear, &Budget::of_steps(1_000)).map(drop);
    assert_eq!(told.err(), Some(Why::TooMuch));
}
