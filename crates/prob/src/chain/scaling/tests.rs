//! A stress die by hand; loops that are unrolled, against all their paths; and loops against themselves, unrolled far.

use super::*;
use crate::form::Var;
use crate::law::tests::*;

fn carried() -> Vec<Law> {
    vec![Law::carried(0)]
}

fn times(factor: i64) -> Form {
    Form::variable(Var(0)).scaled(&whole(factor))
}

/// One number is multiplied by `factor` with so many chances in a hundred, and else the loop ends with it.
fn again(chance: i64, factor: i64) -> Scaling {
    let again = fraction(chance, 100);
    let turn = |to, chance, factor| {
        let (numbers, laws) = (vec![times(factor)], carried());
        Turn { from: 0, to, chance, numbers, laws }
    };
    let rest = Rational::ONE - &again;
    let turns = vec![turn(Place::Node(0), again, factor), turn(Place::End(0), rest, 1)];
    Scaling { first: vec![whole(1)], nodes: 1, ends: 1, turns }
}

fn moments_of(scaling: &Scaling) -> Option<(Moment, Moment)> {
    let ends = scaling.ends(&Meter::unlimited()).expect("cheap")?;
    let (_, forms, laws) = ends.into_iter().flatten().next()?;
    let law = |var: Var| laws.get(var.0 as usize);
    Some(forms.first()?.law(law, &Meter::unlimited()).expect("a sum").moments())
}

#[test]
fn a_number_that_doubles_on_a_one() {
    let Some((mean, variance)) = moments_of(&again(10, 2)) else { panic!() };
    // M = 9/10 + 2/10 · M, and S = 9/10 + 4/10 · S.
    assert_eq!(mean, Moment::Exactly(fraction(9, 8)));
    assert_eq!(variance, Moment::Exactly(fraction(3, 2) - fraction(81, 64)));
}

#[test]
fn what_grows_too_fast_is_infinite() {
    // 4/25 · 2² is below one; 1/4 · 2² is not, and 1/2 · 2 is not either.
    assert!(matches!(moments_of(&again(16, 2)), Some((Moment::Exactly(_), Moment::Exactly(_)))));
    assert!(matches!(moments_of(&again(25, 2)), Some((Moment::Exactly(_), Moment::Infinite))));
    assert_eq!(moments_of(&again(50, 2)), Some((Moment::Infinite, Moment::Infinite)));
    assert_eq!(moments_of(&again(60, 2)), Some((Moment::Infinite, Moment::Infinite)));
    // With signs that change, the sums need not converge, and nothing is told.
    assert_eq!(moments_of(&again(60, -2)), None);
    assert_eq!(moments_of(&again(25, -2)), None);
    let Some((mean, _)) = moments_of(&again(20, -2)) else { panic!() };
    assert_eq!(mean, Moment::Exactly(fraction(4, 7)));
    // It never ends.
    assert_eq!(moments_of(&again(100, 0)), None);
}

/// Loops of two nodes with two carried numbers, by a tape.
struct Tape(u64);

impl Tape {
    fn next(&mut self, below: u64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % below).expect("small")
    }

    /// A multiple of both numbers, and a die times something.
    fn form(&mut self, least: i64) -> Form {
        let mut form = Form::constant(whole(self.next(3) + least));
        for var in 0..3 {
            form = form.plus(&Form::variable(Var(var)).scaled(&whole(self.next(3) + least)));
        }
        form
    }

    fn scaling(&mut self, least: i64, ends: &Rational) -> Scaling {
        let mut turns = Vec::new();
        for from in 0..2 {
            let again = (Rational::ONE - ends) / whole(3);
            let ways = [
                (Place::End(from), ends.clone()),
                (Place::Node(0), again.clone()),
                (Place::Node(1), again * whole(2)),
            ];
            for (to, chance) in ways {
                let numbers = vec![self.form(least), self.form(least)];
                let laws = vec![Law::carried(0), Law::carried(1), d(2)];
                turns.push(Turn { from, to, chance, numbers, laws });
            }
        }
        Scaling { first: vec![whole(1), whole(self.next(3) + least)], nodes: 2, ends: 2, turns }
    }
}

/// The same loop for so many rounds, after which it ends where it is.
fn unrolled(scaling: &Scaling, rounds: usize) -> Scaling {
    let mut turns = Vec::new();
    for round in 0..rounds {
        for turn in &scaling.turns {
            let to = match turn.to {
                Place::Node(node) if round + 1 == rounds => Place::End(node),
                Place::Node(node) => Place::Node(2 * (round + 1) + node),
                end => end,
            };
            let (numbers, laws) = (turn.numbers.clone(), turn.laws.clone());
            turns.push(Turn {
                from: 2 * round + turn.from,
                to,
                chance: turn.chance.clone(),
                numbers,
                laws,
            });
        }
    }
    Scaling { first: scaling.first.clone(), nodes: 2 * rounds, ends: 2, turns }
}

/// Chance, means and second moments at an end, over all paths.
type Totals = (Rational, [Rational; 2], [Rational; 3]);

fn all_paths(
    scaling: &Scaling,
    node: usize,
    chance: &Rational,
    at: &[Rational],
    found: &mut [Totals; 2],
) {
    for turn in scaling.turns.iter().filter(|turn| turn.from == node) {
        for die in [1, 2] {
            let chance = chance * &turn.chance / whole(2);
            let value = |form: &Form| {
                let terms = form.terms.iter().map(|(var, factor)| match var.0 {
                    2 => factor * whole(die),
                    var => factor * &at[var as usize],
                });
                terms.fold(form.constant.clone(), |sum, term| sum + term)
            };
            let after: Vec<Rational> = turn.numbers.iter().map(value).collect();
            match turn.to {
                Place::Node(node) => all_paths(scaling, node, &chance, &after, found),
                Place::End(end) => {
                    let (mass, first, second) = &mut found[end];
                    *mass += &chance;
                    for (at, number) in after.iter().enumerate() {
                        first[at] += &chance * number;
                    }
                    let (x, y) = (&after[0], &after[1]);
                    for (at, product) in [x * x, x * y, y * y].into_iter().enumerate() {
                        second[at] += &chance * product;
                    }
                }
            }
        }
    }
}

/// The moments of x, y and of x + 3y at each end.
fn told(scaling: &Scaling) -> Vec<[(Moment, Moment); 3]> {
    let ends = scaling.ends(&Meter::unlimited()).expect("cheap").expect("it is known");
    let end = |(_, forms, laws): End| {
        let both = forms[0].plus(&forms[1].scaled(&whole(3)));
        [forms[0].clone(), forms[1].clone(), both].map(|form| {
            let law = form.law(|var| laws.get(var.0 as usize), &Meter::unlimited());
            law.expect("a sum").moments()
        })
    };
    ends.into_iter().flatten().map(end).collect()
}

#[test]
fn loops_of_few_rounds_are_what_all_their_paths_come_to() {
    let mut tape = Tape(5);
    for turn in 0..24 {
        let scaling =
            unrolled(&tape.scaling(if turn % 2 == 0 { 0 } else { -1 }, &fraction(9, 10)), 3);
        let zero = || Rational::ZERO;
        let nothing = || (zero(), [zero(), zero()], [zero(), zero(), zero()]);
        let mut found = [nothing(), nothing()];
        all_paths(&scaling, 0, &Rational::ONE, &scaling.first, &mut found);
        let expected =
            found.iter().filter(|(mass, ..)| !mass.is_zero()).map(|(mass, first, second)| {
                let (x, y) = (&first[0] / mass, &first[1] / mass);
                let [xx, xy, yy] = second.clone().map(|sum| sum / mass);
                let both = &xx + whole(6) * xy + whole(9) * &yy;
                let mean = &x + whole(3) * &y;
                let pair = |mean: Rational, second: Rational| {
                    let variance = second - &mean * &mean;
                    (Moment::Exactly(mean), Moment::Exactly(variance))
                };
                [pair(x, xx), pair(y, yy), pair(mean, both)]
            });
        assert_eq!(told(&scaling), expected.collect::<Vec<_>>(), "{turn}");
    }
}

#[test]
fn loops_without_end_are_what_long_ones_come_near_to() {
    let mut tape = Tape(11);
    let (near, mut finite) = (fraction(1, 1_000_000), 0);
    for _ in 0..24 {
        let scaling = tape.scaling(0, &fraction(9, 10));
        let (long, endless) = (told(&unrolled(&scaling, 120)), told(&scaling));
        for (long, endless) in long.iter().flatten().zip(endless.iter().flatten()) {
            for (long, endless) in [(&long.0, &endless.0), (&long.1, &endless.1)] {
                let Moment::Exactly(long) = long else { panic!("it ends") };
                let Moment::Exactly(value) = endless else { panic!("it converges") };
                finite += 1;
                assert!(
                    (long - value) <= near && (value - long) <= &near * (value + whole(1)),
                    "{long} {value}"
                );
            }
        }
    }
    assert!(finite > 20, "{finite}");
}
