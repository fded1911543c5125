//! The same answer by every way: the bench's problems and some random programs, with each way that they take closed in
//! turn, and with all of them closed.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use std::collections::BTreeMap;

use astragal::Engine;
use astragal_testing::random::{Stream, program};
use astragal_testing::ways::{agree, names};

/// Few enough that a program which needs a way gives up soon without it.
const STEPS: u64 = 1_000_000;

fn by_every_way(programs: impl Iterator<Item = String>) {
    let engine = Engine::new();
    let mut taken = BTreeMap::<&str, u64>::new();
    let mut broken = Vec::new();
    for text in programs {
        let Ok(program) = engine.compile(&text) else { continue };
        match agree(&program, STEPS) {
            Ok(ways) => names(ways).into_iter().for_each(|way| *taken.entry(way).or_default() += 1),
            Err(said) => broken.push(format!("{text}\n{said}")),
        }
    }
    println!("{taken:?}");
    assert!(broken.is_empty(), "{} differ:\n{}", broken.len(), broken.join("\n\n"));
    assert!(taken.len() > 8, "hardly any way was taken: {taken:?}");
}

#[test]
fn the_problems_of_the_bench_have_one_answer() {
    let text = include_str!("../../../bench/programs.dice");
    let sections = text.split("\n## ").skip(1);
    by_every_way(sections.filter_map(|section| Some(section.split_once('\n')?.1.to_owned())));
}

#[test]
fn random_programs_have_one_answer() {
    let tape = |number: u64| Stream(7_000_003 + number * 0x5851_F42D).tape();
    by_every_way((0..300).map(|number| program(&tape(number))));
}
