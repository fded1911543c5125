//! The central law: *odds = roll over every sequence of faces.*
//!
//! All sequences of faces are gone through twice: by the plain evaluator ([`crate::enumerate`]), and by the
//! shipped roller. What the two collect, a table of values with their exact chances, the faults with theirs,
//! and the chance of what was cut, must be the same, and agree with the odds of the same program:
//!
//! * a program that ends: the tables are equal, moments included, and so is the table of each field;
//! * an endless one: each chance of the odds lies between what was collected and that plus what was cut;
//! * one with evidence: sequences that do not count are left out, and the rest is divided by its chance;
//! * one that can fail: the odds are a failure, at a place where rolls fail too, with their chance;
//! * one that may never end: rolls that are seen to go on for ever are part of the chance of that;
//! * one with choices: rolls play by the policy of the odds, and no other list of decisions does better; what each
//!   `maximise` is worth is the same;
//! * the notices of the odds are the notes that are made in every sequence.

mod against;
mod answer;

use astragal::{Budget, Engine, Odds, Program, Rational, Type, Value};
use astragal_odds::Failure;

use crate::enumerate::{Bounds, Plays, Seen, Stop, enumerate, gather};

/// How far sequences of faces are followed, and how much work the odds may take.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The most runs.
    pub runs: usize,
    /// The steps of work for the odds.
    pub steps: u64,
    /// The same with ways closed.
    pub steps_otherwise: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { runs: 12_000, steps: 100_000_000, steps_otherwise: 10_000_000 }
    }
}

/// How a program kept the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// All sequences were seen and the tables are equal.
    Exactly,
    /// Some runs were cut; everything lies within the bounds.
    WithinBounds,
    /// The odds fail where rolls fail, with the same chance.
    Failing,
    /// The odds were not known or over budget: nothing to compare.
    Unknown,
    /// Hardly anything could be followed to its end.
    TooLarge,
}

/// Checks the law for a program's text. The error says what broke.
pub fn law(engine: &Engine, text: &str, reach: &Reach) -> Result<Kept, String> {
    let program = engine.compile(text).map_err(|errors| format!("does not compile:\n{errors}"))?;
    law_of(&program, reach)
}

/// Checks the law for a program.
pub fn law_of(program: &Program, reach: &Reach) -> Result<Kept, String> {
    let (seen, plays) = seen_twice(program, reach.runs)?;
    let budget = Budget::default().with_steps(reach.steps);
    let how = odds_against(program, &seen, &budget)?;
    if !plays.is_empty() && how == Kept::Exactly {
        against::worth(&plays, &program.try_odds(&budget).map_err(|_| "it had odds before")?)?;
    }
    Ok(how)
}

/// What a program comes to, by the plain evaluator and by the roller, which must agree; and what its plays are worth,
/// plainly.
pub fn seen_twice(program: &Program, runs: usize) -> Result<(Seen, Plays), String> {
    let inputs: Vec<_> = program.inputs().map(|input| input.value.cloned()).collect();
    let follow = |bounds: &Bounds| enumerate(program.core(), &inputs, bounds);
    let all = Bounds { throws: 40, rarest: Rational::ZERO, runs };
    let likely = Bounds {
        rarest: Rational::from_parts(2.into(), (runs as u64).max(2).into()),
        ..all.clone()
    };
    let (bounds, (plain, plays)) = match follow(&all) {
        both if both.0.complete => (all, both),
        _ => {
            let both = follow(&likely);
            (likely, both)
        }
    };
    against::well_typed(&plain)?;
    let rolled = rolled(program, &bounds);
    against::same(&plain, &rolled)
        .map_err(|broken| format!("the plain evaluator and the roller differ:\n{broken}"))?;
    // A play with too many decisions to go through them all can still be rolled, as the odds play it. What those before it
    // are worth is not all then.
    let (seen, plays) = if plain.cut.is_one() { (rolled, Plays::new()) } else { (plain, plays) };
    Ok((seen.given_evidence(), plays))
}

/// What the roller comes to over the same sequences.
fn rolled(program: &Program, bounds: &Bounds) -> Seen {
    gather(bounds, |tape| match program.value(tape) {
        _ if tape.cut => Err(Stop::Cut),
        Ok(value) => Ok((value, None)),
        Err(fault) if fault.kind.code() == "evidence-never-held" => Err(Stop::Rejected),
        Err(fault) if fault.kind.is_over_budget() => Err(Stop::Cut),
        Err(fault) => Err(Stop::Fault(fault)),
    })
}

/// The odds of the program, and of each field alone, against what was seen.
pub fn odds_against(program: &Program, seen: &Seen, budget: &Budget) -> Result<Kept, String> {
    match program.try_odds(budget) {
        Err(failure) if is_unknown(&failure) => Ok(Kept::Unknown),
        Err(failure) => against::failing(seen, &failure),
        Ok(odds) => {
            let seen = against::going_on(seen, &odds)?;
            against::whole(&seen, &odds)?;
            fields(program, &seen, budget)?;
            Ok(how(&seen))
        }
    }
}

/// Whether more budget, or more mathematics, would have been needed.
pub fn is_unknown(failure: &Failure) -> bool {
    let kind = &failure.fault.kind;
    kind.is_over_budget() || kind.code() == "not-known"
}

fn how(seen: &Seen) -> Kept {
    if seen.cut.is_zero() {
        Kept::Exactly
    } else if seen.cut > Rational::from_parts(9.into(), 10u8.into()) && seen.values.len() < 2 {
        Kept::TooLarge
    } else {
        Kept::WithinBounds
    }
}

/// Whether the odds leave a part open that is worth mentioning: what was given up, or never listed.
pub fn is_vague(odds: &Odds) -> bool {
    let little = Rational::from_parts(1.into(), 1_000_000u32.into());
    odds.results.iter().any(|answer| &answer.rest - &answer.never > little)
}

/// The odds of a single field are computed from less of the program: they must agree too.
fn fields(program: &Program, seen: &Seen, budget: &Budget) -> Result<(), String> {
    let results: Vec<_> = program.results().collect();
    let [(None, Type::Record(record))] = results.as_slice() else { return Ok(()) };
    for (index, (name, _)) in record.fields.iter().enumerate() {
        let Ok(odds) = program.odds_of(&[&**name], budget) else {
            return Err(format!("field `{name}` alone fails"));
        };
        let table = against::marginal(&seen.values, index);
        answer::compare(odds.only(), &table, &seen.cut)
            .map_err(|broken| format!("field `{name}` alone: {broken}"))?;
    }
    Ok(())
}

/// Values with their chances.
pub(crate) type Table = std::collections::BTreeMap<Value, Rational>;
