//! The law: the odds of a program are its rolls over every sequence of faces.
//!
//! What is tried must be small, or one program takes as long as a thousand others: a program that does much work in
//! a few rolls is left out before its sequences are gone through.
#![no_main]

use astragal::faces::Seeded;
use astragal::{Engine, Program, RollLimits};
use astragal_testing::law::{Reach, law_of};
use libfuzzer_sys::fuzz_target;

/// What one roll may cost, and how many are looked at.
const DICE: u64 = 12;
const STEPS: u64 = 400;
const LOOKS: u64 = 6;

fuzz_target!(|text: &str| {
    let Ok(program) = Engine::new().compile(text) else { return };
    let reach = Reach { runs: 2_000, steps: 200_000, ..Reach::default() };
    if is_small(&program)
        && let Err(broken) = law_of(&program, &reach)
    {
        panic!("{text}\n{broken}");
    }
});

fn is_small(program: &Program) -> bool {
    let limits = RollLimits::default().with_dice(DICE).with_steps(STEPS).with_attempts(20);
    (0..LOOKS).all(|look| match program.roll_within(&mut Seeded::new(0, look), &limits) {
        Ok(_) => true,
        Err(told) => !told.is_over_budget(),
    })
}
