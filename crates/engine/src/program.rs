//! A checked program and its two readings.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use astragal_odds::{Answer, Budget, Failure, Question, odds};
use astragal_play::{Advice, Policy, odds as played};
use astragal_prob::Rational;
use astragal_prob::ways::Ways;
use astragal_program::fault::{Costly, Fault, FaultKind};
use astragal_program::types::Type;
use astragal_program::{Source, Sources, core};
use astragal_roll::faces::Faces;
use astragal_roll::render::{Detail, View, plain};
use astragal_roll::{Flat, Limits, Player, Roll, roll, roll_so_far, value};
use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_value::{Number, Value, Variant};

use crate::anydice::Foreign;
use crate::bill;
use crate::diagnostics::Diagnostics;
use crate::measured::known;
use crate::playing::BestPlay;
use crate::said::Said;
use crate::stack::{for_odds, for_walk, is_low};

/// A checked program. `Send + Sync`; the same program can be rolled and computed from many threads.
///
/// ```
/// use astragal::faces::Seeded;
/// use astragal::{Budget, Engine, Value};
///
/// let mut program = Engine::new().compile("param dc = 15; d20 + 5 >= dc")?;
/// program.set("dc", "12")?;
/// let roll = program.roll(&mut Seeded::new(7, 0))?;
/// assert!(roll.value.as_bool().is_some());
/// let odds = program.odds(&Budget::default())?;
/// assert_eq!(odds.only().chance(&Value::Bool(true)).to_string(), "7/10");
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct Program {
    core: Box<core::Program>,
    notes: Diagnostics,
    inputs: Vec<Option<Value>>,
    again: Again,
    /// Of an AnyDice program: what it came to.
    foreign: Option<Arc<Foreign>>,
}

/// What a program that is rolled again and again is rolled by. To make it takes longer than a roll, so that a
/// program that is rolled once, from its text, does without.
#[derive(Debug, Default)]
struct Again {
    rolled: AtomicBool,
    flat: OnceLock<Option<Box<Flat>>>,
    /// Who decides where somebody does.
    best: OnceLock<Arc<BestPlay>>,
}

impl Again {
    /// From the second roll on, if the program is plain.
    #[inline]
    fn flat(&self, program: &core::Program) -> Option<&Flat> {
        match self.flat.get() {
            Some(flat) => flat.as_deref(),
            None => self.prepare(program),
        }
    }

    #[cold]
    fn prepare(&self, program: &core::Program) -> Option<&Flat> {
        if !self.rolled.load(Ordering::Relaxed) {
            self.rolled.store(true, Ordering::Relaxed);
            return None;
        }
        self.flat.get_or_init(|| Flat::of(program).map(Box::new)).as_deref()
    }
}

/// The limits of a roll for which none are given.
static USUAL: Limits = Limits::USUAL.with_odds(known);
/// The same, without a second attempt where evidence does not hold.
static ONCE: Limits = Limits::USUAL.with_attempts(1).with_odds(known);
/// A play is worked out for all that may be known before it, each as large as this allows.
const STEPS_OF_PLAYS: u64 = Limits::USUAL.steps / 8;

impl Clone for Program {
    fn clone(&self) -> Program {
        let core = for_walk(self.core.depth, || self.core.clone());
        let (notes, inputs) = (self.notes.clone(), self.inputs.clone());
        Program { core, notes, inputs, again: Again::default(), foreign: self.foreign.clone() }
    }
}

/// A deep program is taken down with enough stack, wherever it ends.
impl Drop for Program {
    fn drop(&mut self) {
        if is_low(self.core.depth) {
            return;
        }
        let core::Program { main, functions, .. } = &mut *self.core;
        let nothing = core::Expr { kind: core::Kind::Constant(Value::None), span: main.span };
        let body = std::mem::replace(&mut main.body, nothing);
        let functions = std::mem::take(functions);
        for_walk(self.core.depth, || drop((body, functions)));
    }
}

/// An input of a program, declared by `param`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    pub ty: &'a Type,
    /// Its `##` lines.
    pub doc: Option<&'a str>,
    /// The value that the host has set, if any.
    pub value: Option<&'a Value>,
}

/// The exact distributions of a program's results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Odds {
    /// One answer a result, in the order of the program.
    pub results: Vec<Answer>,
    /// How it is played, where somebody decides: one for each `maximise`, and for each of the cases known before it.
    pub plays: Vec<Policy>,
    /// The steps of work that it took to know them.
    pub used: u64,
    /// The shortcuts that were taken, for tests that close them one by one.
    pub ways: Ways,
}

impl Odds {
    /// The same; every roll begins with these notes.
    fn noting(mut self, foreseen: &[Arc<str>]) -> Odds {
        for answer in &mut self.results {
            answer.notices.splice(0..0, foreseen.iter().cloned());
        }
        self
    }

    /// The answer of a program with one result (the first, if there are several).
    pub fn only(&self) -> &Answer {
        &self.results[0]
    }

    /// The exact chance that the only result is at least this number; none if it is no number, or not known exactly.
    ///
    /// ```
    /// use astragal::{Budget, Engine, Rational};
    ///
    /// let odds = Engine::new().compile("3d6")?.odds(&Budget::default())?;
    /// assert_eq!(odds.at_least(15), Some(Rational::from_parts(5.into(), 54u8.into())));
    /// assert_eq!(odds.at_most(4), Some(Rational::from_parts(1.into(), 54u8.into())));
    /// assert_eq!(odds.percentile(90).unwrap().to_string(), "14");
    /// # Ok::<(), astragal::Diagnostics>(())
    /// ```
    pub fn at_least(&self, number: impl Into<Rational>) -> Option<Rational> {
        self.only().at_least(number)
    }

    /// The exact chance that the only result is at most this number, as [`Odds::at_least`].
    pub fn at_most(&self, number: impl Into<Rational>) -> Option<Rational> {
        self.only().at_most(number)
    }

    /// The least number that the only result does not exceed with so many percent.
    pub fn percentile(&self, percent: impl Into<Rational>) -> Option<Rational> {
        self.only().percentile(percent)
    }
}

impl Program {
    pub(crate) fn new(core: Box<core::Program>, notes: Diagnostics) -> Program {
        let inputs = vec![None; core.inputs.len()];
        Program { core, notes, inputs, again: Again::default(), foreign: None }
    }

    /// A program whose odds are known.
    pub(crate) fn foreign(core: Box<core::Program>, notes: Diagnostics, odds: Foreign) -> Program {
        let mut program = Program::new(core, notes);
        program.foreign = Some(Arc::new(odds));
        program
    }

    /// The text it was compiled from.
    pub fn text(&self) -> &str {
        self.notes.sources().get(Sources::PROGRAM).map_or("", |source| &source.text)
    }

    /// The core language that both readings are of: for tests of the law.
    #[doc(hidden)]
    pub fn core(&self) -> &core::Program {
        &self.core
    }

    /// The types of its results, with the names after `show`.
    pub fn results(&self) -> impl Iterator<Item = (Option<&str>, &Type)> {
        self.core.results.iter().map(|result| (result.name.as_deref(), &result.ty))
    }

    /// Hints: the program runs, but perhaps means something else.
    pub fn hints(&self) -> &Diagnostics {
        &self.notes
    }

    /// Its inputs.
    pub fn inputs(&self) -> impl Iterator<Item = Input<'_>> {
        self.core.inputs.iter().zip(&self.inputs).map(|(input, value)| Input {
            name: &input.name,
            ty: &input.ty,
            doc: input.doc.as_deref(),
            value: value.as_ref(),
        })
    }

    /// Sets an input from text: a number (`7`, `-1`, `1/2`, `0.5`), `true`, a variant's name, or a text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Diagnostics> {
        let known = self.core.inputs.iter().position(|input| &*input.name == name);
        let Some(index) = known else { return Err(self.no_such_input(name)) };
        match read_value(value, &self.core.inputs[index].ty) {
            Some(value) => {
                self.inputs[index] = Some(value);
                Ok(())
            }
            None => Err(self.bad_input(index, value)),
        }
    }

    /// Rolls it once, with the default limits.
    pub fn roll(&self, faces: &mut dyn Faces) -> Result<Roll, Diagnostics> {
        self.roll_within(faces, &USUAL)
    }

    /// Rolls it once.
    pub fn roll_within(&self, faces: &mut dyn Faces, limits: &Limits) -> Result<Roll, Diagnostics> {
        if let Some(foreign) = &self.foreign {
            let thrown = foreign.thrown(faces).map_err(|fault| self.report(&fault))?;
            let rolled = roll(&thrown, &self.inputs, faces, limits);
            return rolled.map_err(|fault| self.report_roll(&fault, limits));
        }
        let rolled = match self.again.flat(&self.core) {
            Some(flat) => flat.roll(&self.core, &self.inputs, faces, limits),
            None if self.core.plays.is_some() && limits.player.is_none() => {
                let limits = limits.clone().with_odds(known).with_player(self.best_player());
                roll(&self.core, &self.inputs, faces, &limits)
            }
            None if limits.odds.is_none() => {
                roll(&self.core, &self.inputs, faces, &limits.clone().with_odds(known))
            }
            None => roll(&self.core, &self.inputs, faces, limits),
        };
        rolled.map_err(|fault| self.report_roll(&fault, limits))
    }

    /// Whether somebody decides in it.
    pub fn decides(&self) -> bool {
        self.core.plays.is_some()
    }

    /// Rolls it once, as far as it goes: what happened, and why it went no further. For a person who decides: at a choice
    /// that nobody makes a roll stops, and what was thrown before it lies on the table.
    pub fn roll_so_far(
        &self,
        faces: &mut dyn Faces,
        limits: &Limits,
    ) -> (Roll, Option<Diagnostics>) {
        let limits = limits.clone().with_odds(known);
        let (roll, stopped) = roll_so_far(&self.core, &self.inputs, faces, &limits);
        (roll, stopped.map(|fault| self.report_roll(&fault, &limits)))
    }

    /// Who plays it as is best, and remembers what was worked out.
    pub fn best_player(&self) -> Arc<dyn Player> {
        Arc::clone(self.again.best.get_or_init(Arc::default)) as _
    }

    /// A fault of a roll in words, with the limit that it passed.
    fn report_roll(&self, fault: &Fault, limits: &Limits) -> Diagnostics {
        let allowed = match fault.kind {
            FaultKind::OverBudget(Costly::Dice) => format!("{} dice", limits.dice),
            FaultKind::OverBudget(Costly::Work) => format!("{} steps of work", limits.steps),
            _ => return self.report(fault),
        };
        self.notes.with(self.in_words(fault).help(format!("{allowed} are allowed in a roll")))
    }

    /// A roll of this program in words, a line a step.
    ///
    /// ```
    /// use astragal::{Engine, faces::Scripted};
    ///
    /// let program = Engine::new().compile("4d6kh3")?;
    /// let roll = program.roll(&mut Scripted::whole(&[3, 6, 2, 5]))?;
    /// assert_eq!(program.explain(&roll), "4d6 keep highest 3: 3 6 (2) 5 = 14");
    /// # Ok::<(), astragal::Diagnostics>(())
    /// ```
    pub fn explain(&self, roll: &Roll) -> String {
        let source = |span| Some(self.notes.sources().slice(span).to_owned());
        let view = View { expression: self.text(), source: &source, detail: Detail::Glance };
        plain(roll, &view)
    }

    /// Rolls it once for its value alone, and gives a fault as data: for tests of the law. It is not thrown
    /// again where evidence does not hold; that is a fault here.
    pub fn value(&self, faces: &mut dyn Faces) -> Result<Value, Fault> {
        if let Some(foreign) = &self.foreign {
            let thrown = foreign.thrown(faces).map_err(|fault| *fault)?;
            return value(&thrown, &self.inputs, faces, &ONCE);
        }
        match self.again.flat(&self.core) {
            Some(flat) => flat.value(&self.core, &self.inputs, faces, &ONCE),
            None if self.core.plays.is_some() => value(
                &self.core,
                &self.inputs,
                faces,
                &ONCE.clone().with_steps(STEPS_OF_PLAYS).with_player(self.best_player()),
            ),
            None => value(&self.core, &self.inputs, faces, &ONCE),
        }
    }

    /// The exact distribution of each result.
    pub fn odds(&self, budget: &Budget) -> Result<Odds, Diagnostics> {
        self.odds_until(budget, None)
    }

    /// The exact distribution of each result, endless ones listed at least up to a number.
    pub fn odds_until(
        &self,
        budget: &Budget,
        until: Option<Rational>,
    ) -> Result<Odds, Diagnostics> {
        self.odds_of_until(&[], budget, until)
    }

    /// The exact distribution of one field of the result, by the names of the fields from the outside
    /// in: what only the other fields need is not computed.
    pub fn odds_of(&self, path: &[&str], budget: &Budget) -> Result<Odds, Diagnostics> {
        self.odds_of_until(path, budget, None)
    }

    /// As [`Program::odds_of`], endless ones listed at least up to a number.
    pub fn odds_of_until(
        &self,
        path: &[&str],
        budget: &Budget,
        until: Option<Rational>,
    ) -> Result<Odds, Diagnostics> {
        let field = self.field_path(path)?;
        self.told(Question { field, until, ..Question::default() }, budget)
    }

    /// The exact distributions of each field of each result that is a record, one by one, and of the
    /// other results; endless ones listed at least up to a number.
    pub fn odds_apart(
        &self,
        budget: &Budget,
        until: Option<Rational>,
    ) -> Result<Odds, Diagnostics> {
        self.told(Question { apart: true, until, ..Question::default() }, budget)
    }

    fn told(&self, question: Question, budget: &Budget) -> Result<Odds, Diagnostics> {
        self.ask(question, budget).map_err(|failure| self.report_failure(&failure))
    }

    /// The exact distribution of each result, or the failure as data: for tests of the law.
    pub fn try_odds(&self, budget: &Budget) -> Result<Odds, Failure> {
        self.ask(Question::default(), budget)
    }

    fn ask(&self, question: Question, budget: &Budget) -> Result<Odds, Failure> {
        if let Some(foreign) = &self.foreign {
            return Ok(foreign.odds.clone());
        }
        let Said { foreseen, perhaps } =
            for_walk(self.core.depth, || Said::by(&self.core, &self.inputs, self.best_player()));
        let question = Question { inputs: self.inputs.clone(), said: perhaps, ..question };
        if self.core.plays.is_some() {
            let played = for_odds(self.core.depth, || played(&self.core, &question, budget))?;
            let (results, used, ways) = (played.answers, played.used, played.ways);
            let mut plays = played.policies;
            let text = |span| self.notes.sources().slice(span).to_owned();
            plays.iter_mut().for_each(|policy| policy.name_by(text));
            return Ok(Odds { results, plays, used, ways }.noting(&foreseen));
        }
        let known = for_odds(self.core.depth, || odds(&self.core, &question, budget))?;
        let (results, used, ways) = (known.answers, known.used, known.ways);
        Ok(Odds { results, plays: Vec::new(), used, ways }.noting(&foreseen))
    }

    /// What there is to choose: `keep or throw again`, `from 0..5`.
    pub fn choice_in_words(&self, advice: &Advice) -> String {
        const LONGEST: usize = 60;
        if !advice.arms.is_empty() {
            return advice.arms.join(" or ");
        }
        let text = self.notes.sources().slice(advice.span);
        let list = text.split_once("from").map_or("", |(_, list)| list.trim());
        let fits = list.lines().count() == 1 && list.chars().count() <= LONGEST;
        if fits { format!("from {list}") } else { "from a list".into() }
    }

    fn field_path(&self, path: &[&str]) -> Result<Vec<usize>, Diagnostics> {
        let mut ty = self.core.results.first().map(|result| &result.ty);
        let mut field = Vec::new();
        for name in path {
            let Some(Type::Record(record)) = ty else { return Err(self.no_such_field(name)) };
            let at = record.fields.iter().position(|(known, _)| &**known == *name);
            let Some(at) = at else { return Err(self.no_such_field(name)) };
            field.push(at);
            ty = Some(&record.fields[at].1);
        }
        Ok(field)
    }

    /// A fault in words, with the texts it refers to.
    pub fn report(&self, fault: &Fault) -> Diagnostics {
        self.notes.with(self.in_words(fault))
    }

    fn in_words(&self, fault: &Fault) -> Diagnostic {
        if let Some(instead) = fault.instead_of_text(self.text()) {
            return instead;
        }
        // What was used up where the host's inputs are read is the program's to answer for.
        let of_host = |source: &Source| &*source.name == "inputs";
        let source = self.notes.sources().get(fault.span.source);
        if fault.kind.is_over_budget() && source.is_some_and(of_host) {
            let mut fault = fault.clone();
            fault.span = self.core.main.body.span;
            return fault.to_diagnostic();
        }
        fault.to_diagnostic()
    }

    fn report_failure(&self, failure: &Failure) -> Diagnostics {
        let mut diagnostic = self.in_words(&failure.fault);
        if diagnostic.severity == Severity::Error && failure.chance < Rational::ONE {
            let how = if failure.lost.is_zero() { "chance" } else { "a chance of at least" };
            diagnostic = diagnostic.help(format!("this happens with {how} {}", failure.chance));
        }
        let play = failure.bill.as_ref().and_then(|bill| Some((bill.places?, bill.waiting)));
        if let Some((places, waiting)) = play {
            diagnostic.help = vec![bill::of_play(places, waiting)];
        } else if let Some(instead) = bill::instead(&self.core, failure) {
            diagnostic.help = vec![instead.into()];
        }
        if let Some(bill) = bill::in_words(failure) {
            diagnostic = diagnostic.help(bill);
        }
        self.notes.with(diagnostic)
    }

    fn no_such_field(&self, name: &str) -> Diagnostics {
        self.usage("unknown-field", format!("the result has no field `{name}`"))
    }

    fn no_such_input(&self, name: &str) -> Diagnostics {
        let known: Vec<&str> = self.core.inputs.iter().map(|input| &*input.name).collect();
        let mut diagnostic = usage("unknown-input", format!("the program has no input `{name}`"));
        if let Some(near) = astragal_syntax::suggest(name, known.iter().copied()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if known.is_empty() {
            diagnostic = diagnostic.help(format!("declare it in the program: `param {name} = 7`"));
        } else {
            diagnostic = diagnostic.help(format!("its inputs are {}", known.join(", ")));
        }
        self.notes.with(diagnostic)
    }

    fn bad_input(&self, index: usize, value: &str) -> Diagnostics {
        let input = &self.core.inputs[index];
        let message = format!("the input `{}` is a {}, not `{value}`", input.name, input.ty);
        let mut diagnostic = usage("bad-input", message);
        if let Type::Enum(of) = &input.ty {
            let variants = of.variants.join(", ");
            diagnostic = diagnostic.help(format!("it is one of {variants}"));
        }
        self.notes.with(diagnostic)
    }

    fn usage(&self, code: &'static str, message: String) -> Diagnostics {
        self.notes.with(usage(code, message))
    }
}

fn usage(code: &'static str, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, None, message)
}

/// A value of a type, from text.
fn read_value(text: &str, ty: &Type) -> Option<Value> {
    let text = text.trim();
    Some(match ty {
        Type::Number => Value::Number(read_number(text)?),
        Type::Bool => Value::Bool(match text {
            "true" | "yes" => true,
            "false" | "no" => false,
            _ => return None,
        }),
        Type::Text => Value::text(text),
        Type::Enum(of) => {
            let index = of.variants.iter().position(|variant| &**variant == text)?;
            Value::Variant(Variant { of: of.clone(), index: u32::try_from(index).ok()? })
        }
        Type::Optional(inner) if text != "none" => read_value(text, inner)?,
        Type::Optional(_) => Value::None,
        _ => return None,
    })
}

fn read_number(text: &str) -> Option<Number> {
    let (text, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = match text.split_once('/') {
        Some((top, bottom)) if digits(top) && digits(bottom) => {
            Number::parse(top).ok()?.divide(&Number::parse(bottom).ok()?).ok()?
        }
        None if digits(text) && !text.is_empty() => Number::parse(text).ok()?,
        _ => return None,
    };
    Some(if negative { number.negate() } else { number })
}
