//! How long answers take, beside other tools. Every answer is asserted before its time counts.
//!
//! ```console
//! $ cargo run --profile ship -p astragal-bench              # all tables
//! $ cargo run --profile ship -p astragal-bench -- exact --only A01,C05 --no-icepool
//! $ cargo run --profile ship -p astragal-bench -- count     # instructions against their ceilings
//! $ cargo run --profile ship -p astragal-bench -- book      # all tables and the picture, into the book
//! ```
//!
//! Times are seconds of CPU, the best of several runs, on whatever machine this is: compare them within one
//! run only. What must not depend on the machine is counted in instructions instead ([`count`]).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints tables")]

mod book;
mod budget;
mod corners;
mod count;
mod digest;
mod exact;
mod growth;
mod icepool;
mod measure;
mod place;
mod plot;
mod problems;
mod rolls;
mod solve;
mod systems;
mod table;
mod worth;

/// Large tables come and go: this allocator keeps their pages, where the system's hands them back and asks again.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::process::ExitCode;

/// What the command line says.
struct Options {
    only: Vec<String>,
    icepool: bool,
    update: bool,
    /// Steps that are allowed instead of the usual ones.
    steps: Option<u64>,
    /// What belongs to the command: the name of a problem.
    rest: Vec<String>,
}

impl Options {
    fn read(words: impl Iterator<Item = String>) -> Options {
        let mut options = Options {
            only: Vec::new(),
            icepool: true,
            update: false,
            steps: None,
            rest: Vec::new(),
        };
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--no-icepool" => options.icepool = false,
                "--update" => options.update = true,
                "--steps" => options.steps = words.next().and_then(|steps| steps.parse().ok()),
                "--only" => {
                    let names = words.next().unwrap_or_default();
                    options.only = names.split(',').map(str::to_owned).collect();
                }
                _ => options.rest.push(word),
            }
        }
        options
    }

    /// Whether a problem is asked for.
    fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == id)
    }
}

const USAGE: &str = "\
usage: astragal-bench [COMMAND] [--only A01,C05] [--no-icepool] [--steps 40000000]

  exact     exact answers, beside icepool
  systems   the five rule systems
  corners   loops that count, rounds with several throws
  rolls     rolls, beside caith, tyche and xdy
  count     instructions against bench/instructions.json (--update sets new ceilings)
  budget    steps, CPU time and memory of every problem, and of those that are hard; or of the programs in a FILE;
            with --steps for so many steps, as what a step costs can be seen of fewer than are usual
  gap NAME  where the longest time began and ended in which a problem did not ask whether it is cancelled; or one of a FILE
  worth     what each way is worth: how much longer each problem takes without it
  growth    how cost grows, as book/src/images/growth.svg
  book      everything, into book/src/speed.md

Without a command: exact, systems, corners and rolls.";

fn main() -> ExitCode {
    let options = Options::read(std::env::args().skip(1));
    let rest: Vec<&str> = options.rest.iter().map(String::as_str).collect();
    match rest.as_slice() {
        [] => {
            print!("{}", exact::table(&options));
            print!("\n{}", systems::table());
            print!("\n{}", corners::table());
            print!("\n{}", rolls::table());
        }
        ["exact"] => print!("{}", exact::table(&options)),
        ["systems"] => print!("{}", systems::table()),
        ["corners"] => print!("{}", corners::table()),
        ["rolls"] => print!("{}", rolls::table()),
        ["count"] => return count::compare(&options),
        ["budget"] => print!("{}", budget::table(&options, None)),
        ["budget", file] => print!("{}", budget::table(&options, Some(file))),
        ["worth"] => print!("{}", worth::table(&options)),
        ["growth"] => growth::draw(),
        ["book"] => book::rewrite(&options),
        // What the commands above start as processes of their own.
        ["solve", id] => solve::print(id),
        ["cost", id] => budget::print(&options, id, None),
        ["cost", id, file] => budget::print(&options, id, Some(file)),
        ["gap", id] => budget::gap(&options, id, None),
        ["gap", id, file] => budget::gap(&options, id, Some(file)),
        ["call", id] => count::call(id),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
