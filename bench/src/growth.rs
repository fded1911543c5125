//! How cost grows: time against n, as a picture for the book.

use std::time::Duration;

use astragal::Engine;

use crate::plot::{self, Line};
use crate::solve::{answer, patient};
use crate::{measure, place};

/// A question that grows with a number.
struct Growing {
    name: &'static str,
    /// The program for n.
    program: fn(u32) -> String,
    /// Where it ends, unless time ends it.
    most: u32,
}

const GROWING: &[Growing] = &[
    Growing { name: "sums: n d6", program: |n| format!("{n}d6"), most: 8192 },
    Growing {
        name: "keeps: n d6 keep highest n/2",
        program: |n| format!("{n}d6kh{}", n.div_ceil(2)),
        most: 1024,
    },
    Growing {
        name: "sets: largest_set(n d10)",
        program: |n| format!("largest_set({n}d10)"),
        // Beyond 640 dice it is walked face by face, which takes minutes.
        most: 512,
    },
    Growing { name: "loops: Risk, n against n", program: attrition, most: 256 },
];

/// Two sides fight until one is gone.
fn attrition(n: u32) -> String {
    format!(
        "let last = repeat with a = {n}, d = {n}
           let fight = versus((min(3, a))d6, (min(2, d))d6)
           next a = a - fight.losses - fight.ties, d = d - fight.wins
         until a == 0 or d == 0
         last.a - last.d"
    )
}

/// A line ends at the first question that takes longer.
const ENOUGH: f64 = 2.0;

/// Measures, prints, and draws `growth.svg`.
pub fn draw() {
    let engine = Engine::new();
    let lines: Vec<Line> = GROWING.iter().map(|growing| line(&engine, growing)).collect();
    std::fs::write(place::book("images/growth.svg"), plot::svg(&lines))
        .expect("the picture can be written");
}

fn line(engine: &Engine, growing: &Growing) -> Line {
    let mut points = Vec::new();
    let mut n = 1;
    while n <= growing.most {
        let program = (growing.program)(n);
        let budget = patient();
        let within = Duration::from_millis(100);
        let (seconds, answered) = measure::best(within, || answer(engine, &program, &budget));
        if let Err(found) = answered {
            panic!("{program}: {found}");
        }
        println!("{}\t{n}\t{seconds:.6}", growing.name);
        points.push((f64::from(n), seconds));
        if seconds > ENOUGH {
            break;
        }
        n *= 2;
    }
    Line { name: growing.name, points }
}
