//! The same answer by every way: the bench's problems and the golden tables, with each way that they take closed in
//! turn, and with all of them closed. Random programs are asked so too, in `random.rs`.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use std::collections::BTreeMap;

use astragal::Engine;
use astragal_testing::golden;
use astragal_testing::ways::{agree, names};

/// Few enough that a program which needs a way gives up soon without it.
const STEPS: u64 = 1_000_000;

fn by_every_way(programs: impl Iterator<Item = String>) {
    let engine = Engine::new();
    let mut taken = BTreeMap::<&str, u64>::new();
    let (mut compared, mut too_long) = (0, 0);
    let mut broken = Vec::new();
    for text in programs {
        let Ok(program) = engine.compile(&text) else { continue };
        match agree(&program, STEPS) {
            Ok(agreed) => {
                names(agreed.taken).into_iter().for_each(|way| *taken.entry(way).or_default() += 1);
                compared += agreed.compared;
                too_long += agreed.too_long;
            }
            Err(said) => broken.push(format!("{text}\n{said}")),
        }
    }
    println!("{compared} answers with ways closed, {too_long} took too long\n{taken:?}");
    assert!(broken.is_empty(), "{} differ:\n{}", broken.len(), broken.join("\n\n"));
    assert!(taken.len() > 8, "hardly any way was taken: {taken:?}");
    assert!(compared > too_long, "most of what is asked should be affordable");
}

#[test]
fn the_problems_of_the_bench_have_one_answer() {
    let text = include_str!("../../../bench/programs.dice");
    let sections = text.split("\n## ").skip(1);
    by_every_way(sections.filter_map(|section| Some(section.split_once('\n')?.1.to_owned())));
}

/// One case of nine; their number has no part in common with the order of the tables.
#[test]
fn the_golden_tables_have_one_answer() {
    by_every_way(golden::asks().into_iter().step_by(9));
}

/// Plays without end: in their dice, in their numbers, and in both. Without these ways the value is an interval, or too much.
#[test]
fn plays_without_end_have_one_answer() {
    let mut taken = BTreeMap::<&str, u64>::new();
    let mut compared = 0;
    for text in [
        r#"maximise do let a = d6!; choose "keep" => a; "again" => d6! end end"#,
        r#"maximise do let a = d4! - d3!; choose "keep" => a; "again" => d4! - d3! end end"#,
        r#"maximise do let a = d6!; choose "keep" => a >= 9; "again" => d6! >= 9 end end"#,
        r#"maximise do let a = d6!; choose "half" => a // 2; "again" => d6! // 2 end end"#,
        r#"fn turn(points) = choose
             "hold" => points
             "throw" => do let die = d6!; if die = 1 then 0 else turn(points + die) end
           end
           maximise turn(0)"#,
        r#"fn turn(points) = choose
             "hold" => points
             "throw" => do let die = d4; if die = 1 then points / 2 else turn(points + die) end
           end
           maximise turn(0)"#,
    ] {
        let program = Engine::new().compile(text).expect("it is a program");
        let agreed = agree(&program, 200_000_000).unwrap_or_else(|said| panic!("{text}\n{said}"));
        names(agreed.taken).into_iter().for_each(|way| *taken.entry(way).or_default() += 1);
        compared += agreed.compared;
    }
    println!("{compared} answers with ways closed\n{taken:?}");
    assert!(taken.get("letters").is_some_and(|plays| *plays >= 5), "{taken:?}");
    assert!(taken.get("horizon").is_some_and(|plays| *plays >= 2), "{taken:?}");
}
