//! The golden tables: exact answers for the five systems, each computed without this project.
//!
//! A case that can be asked in the language carries `ask`, a program, and `as`, what of it is compared:
//! `chance` (of true), `mean`, `variance`, `value` (certain), `min`, `max`. Every comparison is exact.

use std::fmt;
use std::time::{Duration, Instant};

use astragal::{Answer, Budget, Engine, Rational, Value};
use serde_json::Value as Json;

/// The tables: system and text.
pub const TABLES: [(&str, &str); 5] = [
    ("stormchaser", include_str!("../golden/stormchaser.json")),
    ("srd", include_str!("../golden/d20basics.json")),
    ("cofd", include_str!("../golden/cofd.json")),
    ("crucible", include_str!("../golden/crucible.json")),
    ("kaiser", include_str!("../golden/kaiser.json")),
];

/// Cases whose `ask` does not ask what the case says, and what is asked instead.
///
/// `cd.class.condition` counts the Conditions of six successes but asks whether they are a failure.
const SLIPS: [(&str, &str); 1] = [("cd.class.condition", "cofd.outcome(6) == exceptional_success")];

/// What came of a system's cases.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The system.
    pub system: String,
    /// How many cases were asked.
    pub asked: usize,
    /// How many cannot be asked as one expression: the spec pages hold those.
    pub unasked: usize,
    /// Those that came out wrong.
    pub wrong: Vec<Wrong>,
    /// The slowest case and its time.
    pub slowest: (Duration, String),
    /// The time of all.
    pub time: Duration,
}

/// A case that came out wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Its id.
    pub id: String,
    /// The program.
    pub ask: String,
    /// What the table says.
    pub expected: String,
    /// What the project says.
    pub got: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { system, asked, unasked, wrong, slowest, time } = self;
        let (slow, which) = slowest;
        write!(f, "{system}: {asked} asked, {unasked} not, {} wrong, {time:.1?}", wrong.len())?;
        write!(f, " (slowest {slow:.1?}: {which})")?;
        for Wrong { id, ask, expected, got } in wrong {
            write!(f, "\n  {id}: {ask}\n    expected {expected}, got {got}")?;
        }
        Ok(())
    }
}

/// Runs all cases of a system. Panics if the system or the shape of its table is unknown.
pub fn run_goldens(system: &str) -> Report {
    let table = TABLES.iter().find(|(name, _)| *name == system);
    let Some((_, text)) = table else { panic!("no golden table for `{system}`") };
    let cases: Vec<Json> = match serde_json::from_str(text) {
        Ok(cases) => cases,
        Err(error) => panic!("the table of {system}: {error}"),
    };
    let engine = Engine::new();
    let began = Instant::now();
    let mut report = Report { system: system.to_owned(), ..Report::default() };
    for case in &cases {
        run_case(&engine, case, &mut report);
    }
    report.time = began.elapsed();
    report
}

/// The programs of all tables.
pub fn asks() -> Vec<String> {
    let cases = TABLES.iter().flat_map(|(_, text)| {
        serde_json::from_str::<Vec<Json>>(text).unwrap_or_default().into_iter()
    });
    cases.filter_map(|case| Some(case.get("ask")?.as_str()?.to_owned())).collect()
}

fn run_case(engine: &Engine, case: &Json, report: &mut Report) {
    let field = |name: &str| case.get(name).and_then(Json::as_str);
    let (Some(id), Some(answer)) = (field("id"), field("answer_of_ask").or(field("answer"))) else {
        panic!("a case without id or answer: {case}")
    };
    let (Some(ask), Some(how)) = (field("ask"), field("as")) else {
        report.unasked += 1;
        return;
    };
    let ask = SLIPS.iter().find(|(slip, _)| *slip == id).map_or(ask, |(_, instead)| instead);
    let began = Instant::now();
    let expected = crate::checks::fraction(answer);
    let got = evaluate(engine, ask, how);
    report.asked += 1;
    report.slowest = report.slowest.clone().max((began.elapsed(), id.to_owned()));
    if got.as_ref() != Ok(&expected) {
        let got = got.map_or_else(|words| words, |number| number.to_string());
        let (id, ask) = (id.to_owned(), format!("{how} of {ask}"));
        report.wrong.push(Wrong { id, ask, expected: expected.to_string(), got });
    }
}

fn evaluate(engine: &Engine, ask: &str, how: &str) -> Result<Rational, String> {
    let program = engine.compile(ask).map_err(|errors| errors.to_string())?;
    let odds = program.odds(&Budget::default()).map_err(|errors| errors.to_string())?;
    let answer = odds.only();
    if !answer.lost.is_zero() {
        return Err(format!("not exact: {} was given up", answer.lost));
    }
    match how {
        "chance" => Ok(answer.chance(&Value::Bool(true))),
        "mean" => answer.mean().ok_or_else(|| "no mean".into()),
        "variance" => answer.variance().ok_or_else(|| "no variance".into()),
        "value" => certain(answer),
        "min" => end(answer.outcomes.first()),
        "max" if answer.rest.is_zero() => end(answer.outcomes.last()),
        _ => Err(format!("`{how}` has no meaning here")),
    }
}

/// The only outcome, as a number; yes is 1.
fn certain(answer: &Answer) -> Result<Rational, String> {
    match answer.outcomes.as_slice() {
        [only] => end(Some(only)),
        several => Err(format!("{} outcomes", several.len())),
    }
}

fn end(outcome: Option<&(Value, Rational)>) -> Result<Rational, String> {
    match outcome {
        Some((Value::Number(number), _)) => Ok(number.to_rational()),
        Some((Value::Bool(yes), _)) => Ok(Rational::from(u8::from(*yes))),
        Some((other, _)) => Err(format!("`{other}` is not a number")),
        None => Err("no outcome".into()),
    }
}
