//! The law on random programs, and on those that broke it once.
//!
//! `cargo xtask law` does the same for as many programs as one likes, and makes those smaller that break.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use astragal::Engine;
use astragal::faces::Seeded;
use astragal_testing::grow::{Stream, program};
use astragal_testing::law::{Kept, Reach};
use astragal_testing::trial::{Series, Trial, kept_broken};

const SEED: u64 = 20_261_118;
const PROGRAMS: u64 = 1_000;
const PLAYS: u64 = 500;
const REACH: Reach = Reach { runs: 3_000, steps: 20_000_000, steps_otherwise: 2_000_000 };

/// Ways that these programs need not take: the problems of the bench and the golden tables do, in `ways.rs`, and the
/// corners of `corners.rs`.
const BY_OTHERS: &[&str] = &["ratio", "sizes", "margin", "cut rounds", "as code"];

#[test]
fn random_programs_keep_the_law() {
    let engine = Engine::new();
    let mut trial = Trial::default();
    for number in 0..PROGRAMS {
        trial.take(&engine, Series::Programs, SEED, number, &REACH);
    }
    for number in 0..PLAYS {
        trial.take(&engine, Series::Plays, SEED, number, &REACH);
    }
    println!("{}\n{trial}", trial.reached);
    assert!(trial.broken.is_empty(), "seed {SEED}: {:#?} break the law", trial.broken);
    let missing = trial.reached.missing();
    assert!(missing.is_empty(), "never reached: {missing:?}");
    let missing = trial.reached.missing_ways();
    let never: Vec<_> = missing.iter().filter(|way| !BY_OTHERS.contains(way)).collect();
    assert!(never.is_empty(), "never taken: {never:?}");
    let exactly = trial.kept.get(&Kept::Exactly).copied().unwrap_or(0);
    assert!(exactly * 2 >= PROGRAMS, "most programs should be small: {trial}");
    assert!(trial.refused * 12 < PROGRAMS, "nearly all programs should check: {trial}");
}

#[test]
fn what_broke_the_law_once_keeps_it() {
    let broken = kept_broken(&Engine::new(), &Reach::default());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// From its second roll on, a program is rolled by flat code if it is plain.
#[test]
fn random_programs_roll_the_same_again() {
    let engine = Engine::new();
    for number in 0..300 {
        let text = program(&Stream::of(SEED, number).tape());
        let Ok(rolled_often) = engine.compile(&text) else { continue };
        for roll in 0..8 {
            let rolled_once = engine.compile(&text).expect("it was compiled before");
            let told = |program: &astragal::Program| match program.roll(&mut Seeded::new(1, roll)) {
                Ok(rolled) => astragal::json::roll(program, &rolled, None).to_string(),
                Err(fault) => fault.to_string(),
            };
            assert_eq!(told(&rolled_often), told(&rolled_once), "{text}");
        }
    }
}
