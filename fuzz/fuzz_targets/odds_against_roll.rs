//! The law: the odds of a program are its rolls over every sequence of faces.
#![no_main]

use astragal::Engine;
use astragal_testing::law::{Reach, law_of};
use libfuzzer_sys::fuzz_target;

/// Small, so that many programs are tried.
const REACH: Reach = Reach { depths: &[12, 4], runs: 5_000, steps: 200_000 };

fuzz_target!(|text: &str| {
    if let Ok(program) = Engine::new().compile(text) {
        if let Err(broken) = law_of(&program, &REACH) {
            panic!("{text}\n{broken}");
        }
    }
});
