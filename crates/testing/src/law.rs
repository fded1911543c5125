//! The central law: *odds = roll over every sequence of faces.*
//!
//! An odometer turns the shipped roller through all sequences of faces. What it collects, a table of
//! values with their exact chances, the faults with theirs, and the chance of runs that were cut because
//! they wanted more throws than allowed, must agree with the odds of the same program:
//!
//! * a program that ends: the tables are equal, moments included, and so is the table of each field;
//! * an endless one: each chance of the odds lies between what was collected and that plus what was cut;
//! * one with evidence: sequences that do not count are left out, and the rest is divided by its chance;
//! * one that can fail: the odds are a failure, at a place where rolls fail too, with their chance.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use astragal::faces::Odometer;
use astragal::{Answer, Budget, Engine, Program, Rational, Span, Type, Value};
use astragal_odds::Failure;
use astragal_prob::Meter;
use astragal_program::fault::Fault;

/// How far the odometer turns.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The most throws of one run; tried in this order until the runs suffice.
    pub depths: &'static [usize],
    /// The most runs.
    pub runs: usize,
    /// The most outcomes of the odds that are compared one by one.
    pub steps: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { depths: &[20, 9, 7, 5, 4, 3], runs: 12_000, steps: 100_000_000 }
    }
}

/// What the rolls over all sequences come to.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Values with their chances.
    pub values: BTreeMap<Value, Rational>,
    /// Faults by place, calls and code, with their chances.
    pub faults: BTreeMap<Fall, Rational>,
    /// The chance of runs that were cut.
    pub cut: Rational,
    /// The chance of runs in which the evidence did not hold. Everything else is given that it did.
    pub rejected: Rational,
}

impl Collected {
    /// Of the runs that count, the chances. What was cut may or may not count, so that the chance of a value
    /// lies between its own part and that with everything cut, of all that may count.
    fn given_evidence(mut self) -> Collected {
        let counts = Rational::ONE - &self.rejected;
        if !counts.is_zero() {
            self.values.values_mut().for_each(|chance| *chance = &*chance / &counts);
            self.faults.values_mut().for_each(|chance| *chance = &*chance / &counts);
            self.cut = &self.cut / &counts;
        }
        self
    }
}

/// Source, start, end.
pub type Place = (u32, u32, u32);

/// Where a roll fails: the place, the code, and the calls that led there, innermost first.
pub type Fall = (Place, &'static str, Vec<Place>);

fn place(span: Span) -> Place {
    (span.source.0, span.start, span.end)
}

fn fall(fault: &Fault) -> Fall {
    (place(fault.span), fault.kind.code(), fault.calls.iter().map(|call| place(*call)).collect())
}

/// How a program kept the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All sequences were seen and the tables are equal.
    Exactly,
    /// Some runs were cut; everything lies within the bounds.
    WithinBounds,
    /// The odds fail where rolls fail, with the same chance.
    Failing,
    /// The odds were not known or over budget: nothing to compare.
    Unknown,
    /// There are too many sequences even for the smallest depth.
    TooLarge,
}

/// Checks the law for a program's text. The error says what broke.
pub fn law(engine: &Engine, text: &str, reach: &Reach) -> Result<Kept, String> {
    let program = engine.compile(text).map_err(|errors| format!("does not compile:\n{errors}"))?;
    law_of(&program, reach)
}

/// Checks the law for a program.
pub fn law_of(program: &Program, reach: &Reach) -> Result<Kept, String> {
    let budget = Budget::default().with_steps(reach.steps);
    let odds = program.try_odds(&budget);
    if let Err(failure) = &odds
        && is_unknown(failure)
    {
        return Ok(Kept::Unknown);
    }
    let Some(collected) =
        reach.depths.iter().find_map(|depth| collect(program, *depth, reach.runs))
    else {
        return Ok(Kept::TooLarge);
    };
    well_typed(&collected)?;
    match odds {
        Err(failure) => failing(&collected, &failure),
        Ok(_) if !collected.faults.is_empty() => {
            Err(format!("the odds are fine, but rolls fail: {}", list_faults(&collected)))
        }
        Ok(odds) => {
            let tables = split(program, &collected.values);
            for (answer, table) in odds.results.iter().zip(&tables) {
                evidence(answer, &collected)?;
                compare(answer, table, &collected.cut)?;
            }
            fields(program, &collected, &budget)?;
            Ok(if collected.cut.is_zero() { Kept::Exactly } else { Kept::WithinBounds })
        }
    }
}

fn is_unknown(failure: &Failure) -> bool {
    let kind = &failure.fault.kind;
    kind.is_over_budget() || kind.code() == "not-known"
}

/// Rolls every sequence of at most so many faces; none if that takes too many runs.
pub fn collect(program: &Program, depth: usize, runs: usize) -> Option<Collected> {
    let mut odometer = Odometer::new(depth);
    let mut collected = Collected::default();
    for _ in 0..runs {
        let rolled = program.value(&mut odometer);
        let chance = odometer.chance();
        match rolled {
            _ if odometer.was_cut() => collected.cut += chance,
            Err(fault) if fault.kind.code() == "evidence-never-held" => {
                collected.rejected += chance;
            }
            Ok(value) => *collected.values.entry(value).or_default() += chance,
            Err(fault) => {
                *collected.faults.entry(fall(&fault)).or_default() += chance;
            }
        }
        if !odometer.advance() {
            return Some(collected.given_evidence());
        }
    }
    None
}

/// A program that checks does not meet a type error while it runs.
fn well_typed(collected: &Collected) -> Result<(), String> {
    match collected.faults.keys().find(|(_, code, _)| matches!(*code, "mismatch" | "not-a-number"))
    {
        Some((place, code, _)) => Err(format!("a checked program met `{code}` at {place:?}")),
        None => Ok(()),
    }
}

fn list_faults(collected: &Collected) -> String {
    let faults = collected.faults.iter();
    let lines = faults.map(|((place, code, calls), chance)| {
        format!("{code} at {place:?} through {calls:?} with {chance}")
    });
    lines.collect::<Vec<_>>().join(", ")
}

/// The odds fail: so must rolls, there and as often, by those calls or by any.
fn failing(collected: &Collected, failure: &Failure) -> Result<Kept, String> {
    let wanted = fall(&failure.fault);
    if wanted.1 == "impossible-evidence" {
        return match collected.values.is_empty() && collected.faults.is_empty() {
            true => Ok(Kept::Failing),
            false => Err("the odds say that the evidence never holds, but rolls end".into()),
        };
    }
    let by_calls = collected.faults.get(&wanted).cloned().unwrap_or_default();
    let there =
        collected.faults.iter().filter(|(known, _)| (known.0, known.1) == (wanted.0, wanted.1));
    let in_all = there.fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
    let fits = |seen: &Rational| {
        let most = seen + &collected.cut;
        *seen <= failure.chance && failure.chance <= most && !most.is_zero()
    };
    if fits(&by_calls) || fits(&in_all) {
        return Ok(Kept::Failing);
    }
    let (at, code, calls) = wanted;
    let (chance, faults, cut) = (&failure.chance, list_faults(collected), &collected.cut);
    Err(format!(
        "the odds fail with {code} at {at:?} through {calls:?} with chance {chance}, \
         the rolls with: {faults} (cut {cut})"
    ))
}

/// The odds know how likely the evidence is, within the bounds of what was cut.
fn evidence(answer: &Answer, collected: &Collected) -> Result<(), String> {
    let most = Rational::ONE - &collected.rejected;
    let least = &most * (Rational::ONE - &collected.cut);
    match (&answer.evidence, answer.evidence_at_most()) {
        (Some(from), Some(to)) if *from <= most && least <= to && *from <= to => Ok(()),
        (None, _) if collected.rejected.is_zero() => Ok(()),
        (known, _) => Err(format!("the evidence is {known:?}, rolls say {least} to {most}")),
    }
}

/// The table of each result: a program with several yields a record of them.
fn split(program: &Program, values: &BTreeMap<Value, Rational>) -> Vec<BTreeMap<Value, Rational>> {
    let results: Vec<_> = program.results().collect();
    if let [(None, _)] = results.as_slice() {
        return vec![values.clone()];
    }
    (0..results.len()).map(|index| marginal(values, index)).collect()
}

/// The table of one field of records.
fn marginal(values: &BTreeMap<Value, Rational>, index: usize) -> BTreeMap<Value, Rational> {
    let mut table = BTreeMap::<Value, Rational>::new();
    for (value, chance) in values {
        if let Value::Record(_, fields) = value
            && let Some(field) = fields.get(index)
        {
            *table.entry(field.clone()).or_default() += chance;
        }
    }
    table
}

/// The odds of a single field are computed from less of the program: they must agree too.
fn fields(program: &Program, collected: &Collected, budget: &Budget) -> Result<(), String> {
    let results: Vec<_> = program.results().collect();
    let [(None, Type::Record(record))] = results.as_slice() else { return Ok(()) };
    for (index, (name, _)) in record.fields.iter().enumerate() {
        let odds = program.odds_of(&[&**name], budget);
        let odds = odds.map_err(|errors| format!("field `{name}` alone fails:\n{errors}"))?;
        let table = marginal(&collected.values, index);
        compare(odds.only(), &table, &collected.cut)
            .map_err(|broken| format!("field `{name}` alone: {broken}"))?;
    }
    Ok(())
}

/// Odds against collected rolls.
fn compare(
    answer: &Answer,
    table: &BTreeMap<Value, Rational>,
    cut: &Rational,
) -> Result<(), String> {
    sane(answer)?;
    let mut broken = String::new();
    for (value, seen) in table {
        let (from, to) = chance(answer, value);
        if *seen > to || from > seen + cut {
            let _ = writeln!(broken, "  {value}: rolls {seen} (cut {cut}), odds {from} to {to}");
        }
    }
    for (value, chance) in &answer.outcomes {
        if !table.contains_key(value) && chance > cut {
            let _ = writeln!(broken, "  {value}: rolls never (cut {cut}), odds {chance}");
        }
    }
    if !broken.is_empty() {
        return Err(format!("the chances differ:\n{broken}"));
    }
    if cut.is_zero() { moments(answer, table) } else { Ok(()) }
}

/// The chance of a value, as the ends of an interval.
fn chance(answer: &Answer, value: &Value) -> (Rational, Rational) {
    let listed = answer.outcomes.binary_search_by(|(known, _)| known.cmp(value));
    if let Ok(at) = listed {
        let chance = answer.outcomes[at].1.clone();
        let to = &chance + &answer.lost;
        return (chance, to);
    }
    if let (Some(law), Some(number)) = (answer.exact_law(), value.as_number())
        && let Ok(chance) = law.chance(&number.to_rational(), &Meter::unlimited())
    {
        return (chance.clone(), chance);
    }
    (Rational::ZERO, answer.rest.clone())
}

/// What every answer promises.
fn sane(answer: &Answer) -> Result<(), String> {
    let sum = answer.outcomes.iter().fold(answer.rest.clone(), |sum, (_, chance)| sum + chance);
    if sum != Rational::ONE {
        return Err(format!("the chances and the rest sum to {sum}"));
    }
    if answer.rest < answer.lost || answer.lost < Rational::ZERO {
        return Err(format!("the rest {} does not hold the lost {}", answer.rest, answer.lost));
    }
    if answer.outcomes.windows(2).any(|two| two[0].0 >= two[1].0) {
        return Err("the outcomes are not in ascending order".into());
    }
    if answer.outcomes.iter().any(|(_, chance)| *chance <= Rational::ZERO) {
        return Err("an outcome is listed that never happens".into());
    }
    Ok(())
}

/// The moments of a finite table.
fn moments(answer: &Answer, table: &BTreeMap<Value, Rational>) -> Result<(), String> {
    if !answer.rest.is_zero() {
        return Err(format!("all sequences end, but the rest is {}", answer.rest));
    }
    let numbers: Option<Vec<_>> = table
        .iter()
        .map(|(value, chance)| Some((value.as_number()?.to_rational(), chance)))
        .collect();
    let (Some(numbers), Some(mean), Some(variance)) = (numbers, answer.mean(), answer.variance())
    else {
        return Ok(());
    };
    let first = numbers.iter().fold(Rational::ZERO, |sum, (n, chance)| sum + n * *chance);
    let second = numbers.iter().fold(Rational::ZERO, |sum, (n, chance)| sum + n * n * *chance);
    let spread = second - &first * &first;
    if mean != first || variance != spread {
        return Err(format!(
            "mean {mean} and variance {variance}, the rolls say {first} and {spread}"
        ));
    }
    Ok(())
}
