//! The other dice rollers, timed as we are: the best of five batches of about 20 ms, in seconds of CPU.
//!
//! Prints a line a tool and program: the name, the program as we write it, the seconds of parsing and rolling,
//! and those of rolling what was parsed before; `-` where the tool cannot. Each tool draws from a fast generator
//! that is seeded once; all three always make a record of the dice.

use std::hint::black_box;

use cpu_time::ProcessTime;

/// A program in our words and in those of each tool; none where the tool cannot say it.
struct Said {
    ours: &'static str,
    caith: Option<&'static str>,
    tyche: Option<&'static str>,
    xdy: Option<&'static str>,
}

const PROGRAMS: &[Said] = &[
    Said { ours: "1d20+5", caith: Some("1d20+5"), tyche: Some("1d20+5"), xdy: Some("1D20+5") },
    Said {
        ours: "4d6kh3",
        caith: Some("4d6 K3"),
        tyche: Some("4d6kh3"),
        xdy: Some("4D6 drop lowest 1"),
    },
    Said { ours: "10d10!cs>=8", caith: Some("10d10 ie10 t8"), tyche: None, xdy: None },
    Said {
        ours: "1000d6",
        caith: Some("1000d6"),
        // It counts dice in a byte.
        tyche: Some("250d6+250d6+250d6+250d6"),
        xdy: Some("1000D6"),
    },
];

fn main() {
    for said in PROGRAMS {
        caith(said);
        tyche(said);
        xdy(said);
    }
}

fn caith(said: &Said) {
    use rand_caith::{SeedableRng, rngs::SmallRng};
    let mut random = SmallRng::seed_from_u64(1);
    let whole = said.caith.map(|text| {
        each(|| {
            let roller = caith::Roller::new(black_box(text)).expect("caith takes any text");
            black_box(roller.roll_with(&mut random).expect("caith reads it"));
        })
    });
    // It keeps the text and parses it with each roll.
    print("caith", said, whole, None);
}

fn tyche(said: &Said) {
    use tyche::{Expr, dice::roller::FastRand};
    let mut random = FastRand::with_seed(1);
    let read = |text: &str| black_box(text).parse::<Expr>().expect("tyche reads it");
    let whole = said.tyche.map(|text| {
        each(|| {
            let program = read(text);
            let rolled = program.eval(&mut random).expect("tyche rolls it");
            black_box(rolled.calc().expect("tyche adds it"));
        })
    });
    let prepared = said.tyche.map(|text| {
        let program = read(text);
        each(|| {
            let rolled = program.eval(&mut random).expect("tyche rolls it");
            black_box(rolled.calc().expect("tyche adds it"));
        })
    });
    print("tyche", said, whole, prepared);
}

fn xdy(said: &Said) {
    use rand::{SeedableRng, rngs::SmallRng};
    let mut random = SmallRng::seed_from_u64(1);
    let whole = said.xdy.map(|text| {
        each(|| {
            let rolled = xdy::evaluate(black_box(text), vec![], vec![], &mut random);
            black_box(rolled.expect("xdy rolls it"));
        })
    });
    let prepared = said.xdy.map(|text| {
        let mut program = xdy::Evaluator::new(xdy::compile(text).expect("xdy reads it"));
        each(|| {
            black_box(program.evaluate(vec![], &mut random).expect("xdy rolls it"));
        })
    });
    print("xdy", said, whole, prepared);
}

fn print(tool: &str, said: &Said, whole: Option<f64>, prepared: Option<f64>) {
    let seconds = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:e}"));
    println!("{tool}\t{}\t{}\t{}", said.ours, seconds(whole), seconds(prepared));
}

fn each(mut work: impl FnMut()) -> f64 {
    let mut batch = |runs: u64| {
        let start = ProcessTime::now();
        (0..runs).for_each(|_| work());
        start.elapsed().as_secs_f64()
    };
    let mut runs = 1;
    while batch(runs) < 0.02 {
        runs *= 2;
    }
    (0..5).map(|_| batch(runs) / runs as f64).fold(f64::INFINITY, f64::min)
}
