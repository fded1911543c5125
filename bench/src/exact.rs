//! The table of exact answers, beside icepool's.

use std::fmt::Write;

use crate::Options;
use crate::icepool::{Asked, Icepool};
use crate::problems::{self, Problem};
use crate::solve::{Solved, solve};
use crate::table::{Table, time, times};

/// Icepool's time, as far as there is one.
enum Peer {
    Measured(f64),
    /// Not measured here: the seconds of record.
    Record(f64),
    /// Its answer is another one.
    Differs,
    Silent,
    /// It could not say it.
    Failed(String),
}

/// The table of every problem, of those that icepool does not finish, and of those without a cap.
pub fn table(options: &Options) -> String {
    let icepool = options.icepool.then(Icepool::install);
    let mut text = match &icepool {
        Some(Ok(icepool)) => format!("beside {}\n\n", icepool.version),
        Some(Err(why)) => {
            format!("icepool cannot be asked, its times are of record (*): {why}\n\n")
        }
        None => "icepool is not asked, its times are of record (*)\n\n".to_owned(),
    };
    let icepool = icepool.and_then(Result::ok);
    let mut tally = Tally::default();
    let mut finished = Table::new(["", "ours", "icepool", "ratio", "MiB", ""]).with_words();
    let mut unfinished = Table::new(["", "ours", "MiB", ""]).with_words();
    for problem in problems::all().iter().filter(|problem| options.wants(&problem.id)) {
        let solved = checked(problem);
        let peer = peer(icepool.as_ref(), problem);
        tally.add(problem, &solved, &peer);
        let ours = ours(&solved);
        let (id, statement) = (problem.id.clone(), short(&problem.statement));
        match &peer {
            Peer::Silent => unfinished.row([id, ours, memory(&solved), statement]),
            Peer::Differs => {
                finished.row([id, ours, "differs".into(), "–".into(), memory(&solved), statement]);
            }
            Peer::Failed(why) => {
                eprintln!("icepool, {id}: {why}");
                finished.row([id, ours, "fails".into(), "–".into(), memory(&solved), statement]);
            }
            Peer::Measured(seconds) | Peer::Record(seconds) => {
                let mark = if matches!(peer, Peer::Record(_)) { "*" } else { "" };
                let theirs = format!("{}{mark}", time(*seconds));
                let ratio =
                    solved.as_ref().map_or("–".into(), |solved| times(seconds / solved.seconds));
                finished.row([id, ours, theirs, ratio, memory(&solved), statement]);
            }
        }
    }
    let _ =
        write!(text, "{finished}\n{tally}\nnot finished by icepool within a minute:\n{unfinished}");
    if options.only.is_empty() {
        let _ = write!(text, "\nthe capped problems without the cap, exactly:\n{}", uncapped());
    }
    text
}

/// Our answer, which must be the right one.
fn checked(problem: &Problem) -> Result<Solved, String> {
    let solved = solve(&problem.id)?;
    let right = solved.digest.as_deref() == Some(&problem.sha256);
    assert!(right, "{}: another answer than {}", problem.id, problem.sha256);
    Ok(solved)
}

fn peer(icepool: Option<&Icepool>, problem: &Problem) -> Peer {
    let Some(icepool) = icepool else {
        return problem.record.map_or(Peer::Silent, Peer::Record);
    };
    match icepool.ask(problem) {
        Asked::Answered(seconds) => Peer::Measured(seconds),
        Asked::Silent => Peer::Silent,
        Asked::Differs => Peer::Differs,
        Asked::Failed(why) => Peer::Failed(why),
    }
}

fn ours(solved: &Result<Solved, String>) -> String {
    solved.as_ref().map_or_else(|_| "none".to_owned(), |solved| time(solved.seconds))
}

fn memory(solved: &Result<Solved, String>) -> String {
    let memory = solved.as_ref().ok().and_then(|solved| solved.memory);
    memory.map_or("–".into(), |memory| format!("{memory:.0}"))
}

fn short(statement: &str) -> String {
    const MOST: usize = 52;
    match statement.char_indices().nth(MOST) {
        None => statement.to_owned(),
        Some((at, _)) => format!("{}…", statement[..at].trim_end()),
    }
}

/// What all rows together say.
#[derive(Default)]
struct Tally {
    asked: usize,
    expressible: usize,
    answered: usize,
    /// The problems without an answer, and why.
    failures: Vec<String>,
    /// The ratios of the problems of the list that both have answered.
    ratios: Vec<(f64, String)>,
}

impl Tally {
    fn add(&mut self, problem: &Problem, solved: &Result<Solved, String>, peer: &Peer) {
        if !problem.listed {
            return;
        }
        self.asked += 1;
        self.expressible += usize::from(problems::program(&problem.id).is_some());
        let solved = match solved {
            Ok(solved) => solved,
            Err(why) => return self.failures.push(format!("{}: {why}", problem.id)),
        };
        self.answered += 1;
        if let Peer::Measured(seconds) | Peer::Record(seconds) = peer {
            self.ratios.push((seconds / solved.seconds, problem.id.clone()));
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { asked, expressible, answered, failures, ratios } = self;
        writeln!(f, "{expressible} of {asked} expressible, {answered} answered")?;
        failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))?;
        if ratios.is_empty() {
            return Ok(());
        }
        let logs: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
        let mean = (logs / ratios.len() as f64).exp();
        writeln!(f, "geometric mean of {} ratios: {}", ratios.len(), times(mean))?;
        let slower = ratios.iter().filter(|(ratio, _)| *ratio < 1.0);
        let slower: Vec<&str> = slower.map(|(_, id)| id.as_str()).collect();
        match slower.as_slice() {
            [] => writeln!(f, "none slower than icepool"),
            ids => writeln!(f, "slower than icepool: {}", ids.join(", ")),
        }
    }
}

/// The same questions without a cap on extra rolls, which only we can answer.
fn uncapped() -> Table {
    let mut table = Table::new(["", "ours", "mean", "exactly"]).with_words();
    for name in problems::uncapped() {
        let id = name.trim_end_matches(" uncapped").to_owned();
        let solved = solve(name);
        let ours = ours(&solved);
        let (about, mean) = match solved {
            Err(_) => ("–".into(), "–".into()),
            Ok(solved) => (
                solved.about.map_or("–".into(), |about| format!("{about:.6}")),
                solved.mean.map_or("only between bounds".into(), exactly),
            ),
        };
        table.row([id, ours, about, mean]);
    }
    table
}

fn exactly(fraction: String) -> String {
    match fraction.len() {
        0..=44 => fraction,
        _ => {
            format!("a fraction of {} digits", fraction.bytes().filter(u8::is_ascii_digit).count())
        }
    }
}
