//! Which die to reroll: the policy of the system file is the best one, shown by trying the others.
//!
//! Stormchaser lets a player throw one die of the pool again. The file takes up the lowest die. Here every
//! other die is tried, and not rerolling at all: no choice succeeds more often.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use astragal::{Budget, Engine, Rational, Value};

fn chance(program: &str) -> Rational {
    let compiled = Engine::new().compile(program).unwrap();
    compiled.odds(&Budget::default()).unwrap().only().chance(&Value::Bool(true))
}

/// The chance to reach `target` if, on a miss, the die of this rank from the bottom is thrown again.
fn with_choice(dice: u64, highest: bool, target: u64, rank: u64) -> Rational {
    let (keep, best) = if highest { ("kh1", "max") } else { ("kl1", "min") };
    let others = (1..=dice).filter(|other| *other != rank);
    let faces: Vec<String> = others.map(|other| format!("nth_lowest(dice, {other})")).collect();
    let faces = faces.into_iter().chain(["d20".into()]).collect::<Vec<_>>().join(", ");
    chance(&format!(
        "let dice = {dice}d20; if (dice {keep}) >= {target} then true else {best}({faces}) >= {target}"
    ))
}

fn without_reroll(dice: u64, highest: bool, target: u64) -> Rational {
    let keep = if highest { "kh1" } else { "kl1" };
    chance(&format!("({dice}d20 {keep}) >= {target}"))
}

/// The pools in question: how many dice are thrown, whether the highest counts, and how to ask for them.
fn pools() -> impl Iterator<Item = (u64, bool, String)> {
    let high = (1..=3).map(|dice| (dice, true, format!("plus: {}", dice - 1)));
    let low = (2..=3).map(|dice| (dice, false, format!("minus: {}", dice - 1)));
    high.chain(low)
}

#[test]
fn taking_up_the_lowest_die_is_the_best_use_of_a_reroll() {
    for (dice, highest, pool) in pools() {
        for target in [2, 8, 15, 20] {
            let ours =
                chance(&format!("stormchaser.check({target}, {pool}, reroll: true).success"));
            for rank in 1..=dice {
                let theirs = with_choice(dice, highest, target, rank);
                assert!(theirs <= ours, "{dice} dice, target {target}: die {rank} is better");
                assert!(rank != 1 || theirs == ours, "the lowest die is what the file takes up");
            }
            assert!(without_reroll(dice, highest, target) <= ours);
        }
    }
}

#[test]
fn throwing_a_one_again_never_hurts() {
    for (dice, highest, pool) in pools() {
        for target in [2, 8, 15, 20] {
            let lucky =
                chance(&format!("stormchaser.check({target}, {pool}, lucky: true).success"));
            assert!(without_reroll(dice, highest, target) <= lucky);
        }
    }
}
