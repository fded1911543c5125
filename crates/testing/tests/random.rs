//! The law on random programs.
//!
//! `ASTRAGAL_LAW_PROGRAMS` says how many, `ASTRAGAL_LAW_SEED` where to begin.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use std::collections::BTreeMap;

use astragal::Engine;
use astragal::faces::Seeded;
use astragal_testing::law::{Reach, law};
use astragal_testing::random::{Stream, program, shrink};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_programs_keep_the_law() {
    let count = setting("ASTRAGAL_LAW_PROGRAMS", 300);
    let seed = setting("ASTRAGAL_LAW_SEED", 20_240_229);
    let most = setting("ASTRAGAL_LAW_SHOWN", 5);
    let engine = Engine::new();
    let reach = Reach { runs: 6_000, steps: 3_000_000, ..Reach::default() };
    let mut kept = BTreeMap::<String, u64>::new();
    let mut broken = Vec::new();
    for number in 0..count {
        let tape = Stream(seed.wrapping_add(number.wrapping_mul(0x5851_F42D))).tape();
        match law(&engine, &program(&tape), &reach) {
            Ok(how) => *kept.entry(format!("{how:?}")).or_default() += 1,
            Err(_) => {
                let tape = shrink(&tape, |text| law(&engine, text, &reach).is_err());
                let text = program(&tape);
                let said = law(&engine, &text, &reach).err().unwrap_or_default();
                println!("--- program {number} of seed {seed}, shrunk:\n{text}\n{said}");
                broken.push(number);
                if broken.len() as u64 >= most {
                    break;
                }
            }
        }
    }
    println!("{kept:?}");
    assert!(broken.is_empty(), "seed {seed}: programs {broken:?} break the law");
    let compared = kept.get("Exactly").copied().unwrap_or(0);
    assert!(compared * 3 >= count, "most programs should be small: {kept:?}");
}

/// From its second roll on, a program is rolled by flat code if it is plain.
#[test]
fn random_programs_roll_the_same_again() {
    let count = setting("ASTRAGAL_LAW_PROGRAMS", 300);
    let seed = setting("ASTRAGAL_LAW_SEED", 20_240_229);
    let engine = Engine::new();
    for number in 0..count {
        let tape = Stream(seed.wrapping_add(number.wrapping_mul(0x5851_F42D))).tape();
        let text = program(&tape);
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
