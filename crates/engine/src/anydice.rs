//! AnyDice programs as programs.
//!
//! An AnyDice program is run once, within a budget, when it is compiled: what it outputs are laws. From then on it is a
//! program like any other: its odds are those laws, and a roll throws one die by each of them. What it is in our language
//! is a matter of its own (`convert`).

mod convert;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_anydice::{Output, Outputs};
use astragal_odds::{Answer, Budget};
use astragal_prob::{Meter, Natural, Table};
use astragal_program::core::{self, Expr, Function, Kind, Outcome};
use astragal_program::fault::{Fault, FaultKind};
use astragal_program::types::Type;
use astragal_roll::faces::{DieFaces, Faces};
use astragal_syntax::diagnostic::{Diagnostic, Edit};
use astragal_syntax::span::{SourceId, Span};
use astragal_value::{Number, RecordShape, Value};
use dashu_base::BitTest;

use crate::diagnostics::Diagnostics;
use crate::engine::Engine;
use crate::program::{Odds, Program};

/// Whether a text is plainly an AnyDice program, right or wrong, and not one of ours.
pub fn is_anydice(text: &str) -> bool {
    astragal_anydice::is_program(text)
}

/// Whether a text begins as AnyDice programs do and is not whole: it outputs nothing yet, or something in it is open.
pub fn is_unfinished_anydice(text: &str) -> bool {
    astragal_anydice::is_unfinished(text)
}

impl Engine {
    /// Errors about a text that is AnyDice's, with what it is in our language, if that can be said.
    pub(crate) fn with_translation(&self, text: &str, wrong: Diagnostics) -> Diagnostics {
        let foreign = |d: &Diagnostic| d.code == "anydice" && d.labels.len() == 1;
        let mut list = wrong.list().to_vec();
        if !list.iter().any(foreign) && is_anydice(text) {
            let span = Span::new(SourceId(0), 0, text.trim_end().len());
            list.push(astragal_syntax::anydice(span));
        }
        let Some(at) = list.iter().position(foreign) else { return wrong };
        list.swap(0, at);
        list.truncate(1);
        let budget = Budget::default().with_steps(TRANSLATING);
        if let Ok(ours) = self.convert_anydice(text, "", &budget) {
            let span = Span::new(list[0].labels[0].span.source, 0, text.trim_end().len());
            list[0].help.insert(0, format!("write `{}`", ours.lines().last().unwrap_or_default()));
            list[0].edits = vec![Edit { span, replacement: ours }];
        }
        Diagnostics::new(list, wrong.sources().clone())
    }
}

/// A single expression stands for a program that outputs it.
fn as_program(text: &str) -> Cow<'_, str> {
    let output = || Cow::Owned(format!("output {text}"));
    match astragal_anydice::parse(text) {
        Ok(_) => Cow::Borrowed(text),
        Err(_) if astragal_anydice::parse(&output()).is_ok() => output(),
        Err(_) => Cow::Borrowed(text),
    }
}

/// Steps of work for an edit that nobody asked for.
const TRANSLATING: u64 = 2_000_000;

/// What an AnyDice program came to.
#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    pub(crate) odds: Odds,
    span: Span,
}

impl Engine {
    /// Reads and runs an AnyDice program, within a budget. What it outputs are the results of the program, in order;
    /// where AnyDice is surprising, or would differ, the program's [hints](Program::hints) say so.
    ///
    /// ```
    /// use astragal::{Budget, Engine};
    ///
    /// let text = "output [highest 3 of 4d6] named \"a score\"";
    /// let program = Engine::new().compile_anydice(text, "old.txt", &Budget::default()).unwrap();
    /// let odds = program.odds(&Budget::default()).unwrap();
    /// assert_eq!(odds.only().mean().unwrap().to_string(), "15869/1296");
    /// ```
    pub fn compile_anydice(
        &self,
        text: &str,
        name: &str,
        budget: &Budget,
    ) -> Result<Program, Diagnostics> {
        let text = &*as_program(text);
        let told = |list: Vec<Diagnostic>| Diagnostics::of_text(list, name, text);
        let wrong = |error: Box<Diagnostic>| told(vec![*error]);
        let program = astragal_anydice::parse(text).map_err(wrong)?;
        let meter = budget.meter();
        let outputs = run(&program, budget, &meter).map_err(wrong)?;
        let span = Span::new(SourceId(0), 0, text.len());
        let answer = |output: Output| Answer::of_law(output.name, output.law, output.lost);
        let answers = outputs.list.into_iter().map(answer);
        let odds = Odds {
            results: answers.collect(),
            plays: Vec::new(),
            used: meter.used(),
            ways: meter.taken(),
        };
        let foreign = Foreign { odds, span };
        let core = foreign.core(&[]);
        Ok(Program::foreign(Box::new(core), told(outputs.notices), foreign))
    }
}

/// Runs a program; its outputs have no more outcomes than the budget allows.
fn run(
    program: &astragal_anydice::Program,
    budget: &Budget,
    meter: &Meter,
) -> Result<Outputs, Box<Diagnostic>> {
    let outputs = astragal_anydice::run(program, meter)?;
    let rows =
        |output: &Output| output.law.as_ref().and_then(|law| law.support_size()).unwrap_or(0);
    let rows: usize = outputs.list.iter().map(rows).sum();
    match outputs.list.last() {
        Some(last) if rows > budget.outcomes => {
            Err(Box::new(too_many(rows, budget.outcomes, last.span)))
        }
        _ => Ok(outputs),
    }
}

fn too_many(rows: usize, most: usize, span: Span) -> Diagnostic {
    use astragal_syntax::diagnostic::Severity;
    let message = format!("these outputs have {rows} outcomes, and {most} are allowed");
    let told = Diagnostic::new(Severity::OverBudget, "over-budget", Some(span), message);
    told.help("output less, or raise the budget")
}

impl Foreign {
    /// The program in which these numbers came up.
    fn core(&self, thrown: &[Value]) -> core::Program {
        let names = self.odds.results.iter().map(|answer| answer.name.clone().unwrap_or_default());
        let fields = told_apart(names);
        let outcome = |name: &Arc<str>| Outcome { name: Some(name.clone()), ty: Type::Number };
        let results = fields.iter().map(outcome).collect();
        let values: Vec<Value> =
            (0..fields.len()).map(|at| thrown.get(at).cloned().unwrap_or(Value::None)).collect();
        let record = Value::Record(Arc::new(RecordShape { fields }), values.into());
        let body = Expr { kind: Kind::Constant(record), span: self.span };
        let (name, span) = ("main".into(), self.span);
        let main = Function { name, parameters: 0, locals: Vec::new(), body, span };
        core::Program {
            functions: Vec::new(),
            main,
            results,
            inputs: Vec::new(),
            depth: 1,
            plays: None,
        }
    }

    /// A roll: each output is thrown by its law. What shows nothing is none.
    pub(crate) fn thrown(&self, faces: &mut dyn Faces) -> Result<core::Program, Box<Fault>> {
        let mut thrown = Vec::with_capacity(self.odds.results.len());
        for answer in &self.odds.results {
            let value = face(answer, faces).map_err(|kind| Box::new(kind.at(self.span)))?;
            thrown.push(value.unwrap_or(Value::None));
        }
        Ok(self.core(&thrown))
    }
}

/// Names of which none is there twice: `d6`, `d6 (2)`.
fn told_apart(names: impl Iterator<Item = Arc<str>>) -> Vec<Arc<str>> {
    let mut seen: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let apart = |name: Arc<str>| {
        let times = seen.entry(Arc::clone(&name)).or_default();
        *times += 1;
        if *times == 1 { name } else { format!("{name} ({times})").into() }
    };
    names.map(apart).collect()
}

/// One outcome by its exact chance; none where it is lost, or where there is none.
fn face(answer: &Answer, faces: &mut dyn Faces) -> Result<Option<Value>, FaultKind> {
    let Some(table) = answer.law.as_ref().and_then(|law| law.as_table()) else { return Ok(None) };
    if let Some(missing) = answer.missing.as_ref().filter(|missing| !missing.is_zero()) {
        let at = below(missing.denominator(), faces)?;
        if at < Natural::try_from(missing.numerator().clone()).unwrap_or_default() {
            return Ok(None);
        }
    }
    if let Some(die) = die_of(table) {
        let at = faces.throw(&die?)?;
        let value = table.outcomes().nth(usize::try_from(at).unwrap_or(0));
        return Ok(value.map(|(value, _)| Value::Number(Number::from(value))));
    }
    let mut at = below(table.total(), faces)?;
    for (value, weight) in table.outcomes() {
        if at < *weight {
            return Ok(Some(Value::Number(Number::from(value))));
        }
        at -= weight;
    }
    Ok(None)
}

/// A die with this table, if its weights are small.
fn die_of(table: &Table) -> Option<Result<DieFaces, FaultKind>> {
    u64::try_from(table.total()).ok()?;
    let small =
        |(value, weight)| Some((Value::Number(Number::from(value)), u64::try_from(weight).ok()?));
    let faces: Option<Vec<(Value, u64)>> = table.outcomes().map(small).collect();
    faces.map(DieFaces::listed)
}

/// A natural number below another, each with the same chance: digit by digit, and again if it is not below.
fn below(total: &Natural, faces: &mut dyn Faces) -> Result<Natural, FaultKind> {
    const DIGIT: usize = 32;
    let most = total - Natural::ONE;
    let digits = most.bit_len().div_ceil(DIGIT);
    let spare = digits * DIGIT - most.bit_len();
    let die = DieFaces::sides(1 << DIGIT);
    loop {
        let mut number = Natural::ZERO;
        for _ in 0..digits {
            number = (number << DIGIT) + Natural::from(faces.throw(&die)?);
        }
        let number = number >> spare;
        if number < *total {
            return Ok(number);
        }
    }
}
