//! How long answers take. Every answer is asserted before it is timed.
//!
//! ```console
//! $ cargo run --release -p astragal-bench
//! ```
//!
//! Times are the best of several runs on whatever machine this is: compare them within one run only.
#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use std::time::{Duration, Instant};

use astragal::{Budget, Engine, Program};

/// A question and what must come out.
struct Problem {
    name: &'static str,
    program: &'static str,
    answer: Answer,
}

enum Answer {
    Mean(&'static str),
    Yes(&'static str),
}

use Answer::{Mean, Yes};

const fn problem(name: &'static str, program: &'static str, answer: Answer) -> Problem {
    Problem { name, program, answer }
}

const PROBLEMS: &[Problem] = &[
    problem("drop the lowest", "4d6kh3", Mean("15869/1296")),
    problem("a hundred dice", "100d6", Mean("350")),
    problem("a thousand dice", "1000d6", Mean("3500")),
    problem("keep half of a hundred", "100d6kh50 >= 0", Yes("1")),
    problem("ten exploding dice", "10d6!", Mean("42")),
    problem("two of three endless dice", "3d10!!kh2", Mean("15290/999")),
    problem("opposed explosions", "5d6! > 5d6!", Yes("215634365309/450375078125")),
    problem("random number of dice", "(d4)d6", Mean("35/4")),
    problem(
        "a pool of darkness",
        "cofd.action(30, again: 8, rote: true).outcome == failure",
        Yes(
            "508021860739623365322188197652216501772434524836001/1000000000000000000000000000000000000000000000000000000000000",
        ),
    ),
    problem("teamwork", "cofd.teamwork(3, [2]).successes >= 1", Yes("86511/120125")),
    problem("contested", "cofd.contested(5, 5).outcome == tie", Yes("1759834930351/7368586534375")),
    problem(
        "opposed skills",
        "kaiser.opposed({skill: 5}, {skill: 5}, tie: \"attack\").outcome == attacker",
        Yes("1305527/2939328"),
    ),
    problem("boons and banes", "crucible.roll(boons: 3, banes: 5)", Mean("19/2")),
    problem(
        "lucky",
        "stormchaser.check(10, minus: 5, lucky: true).success",
        Yes("23030293/640000000"),
    ),
];

const RUNS: usize = 5;

fn main() {
    let engine = Engine::new();
    println!("{:<28}{:>12}{:>12}", "", "compile", "odds");
    for problem in PROBLEMS {
        let (compiled, program) = best(|| engine.compile(problem.program));
        let program = match program {
            Ok(program) => program,
            Err(found) => panic!("{}: {found}", problem.name),
        };
        check(problem, &program);
        let (known, _) = best(|| program.odds(&Budget::default()));
        println!("{:<28}{:>12}{:>12}", problem.name, show(compiled), show(known));
    }
}

fn check(problem: &Problem, program: &Program) {
    let odds = match program.odds(&Budget::default()) {
        Ok(odds) => odds,
        Err(found) => panic!("{}: {found}", problem.name),
    };
    let answer = odds.only();
    let (wanted, got) = match problem.answer {
        Mean(mean) => (mean, answer.mean().map(|mean| mean.to_string())),
        Yes(chance) => (chance, Some(answer.chance(&astragal::Value::Bool(true)).to_string())),
    };
    assert_eq!(Some(wanted.to_owned()), got, "{}", problem.name);
}

fn best<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut run = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed(), result)
    };
    let first = run();
    (1..RUNS).map(|_| run()).fold(first, |best, next| if next.0 < best.0 { next } else { best })
}

fn show(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1000.0)
}
