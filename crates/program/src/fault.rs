//! What can go wrong while a checked program runs.
//!
//! A roll meets a fault on one path, the odds on any path of positive chance; both report the same
//! data: what, where, and through which calls. Words are chosen at the edge, in
//! [`Fault::to_diagnostic`].

use std::sync::Arc;

use astragal_syntax::diagnostic::{Diagnostic, Label, Severity};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use crate::sources::Sources;

/// A fault, its place, and the calls that led there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
    /// The places of the calls around it, innermost first.
    pub calls: Vec<Span>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// `1 / 0`, `at([1], 2)`, `9^9^9^9`
    Operation(OpError),
    /// `require` said no: its words.
    Refused(Arc<str>),
    /// `given 1 > 2; d6`: the evidence has chance zero.
    ImpossibleEvidence,
    /// A roll was thrown so often without the evidence holding.
    EvidenceNeverHeld(u64),
    /// `(0 - 1)d6`, `(1/2)d6`, `4d6kh(1/2)`: a count that is negative or not whole.
    BadCount(Number),
    /// `d0`, `d(1/2)`: sides that are below 1 or not whole.
    BadSides(Number),
    /// `d{1: 0}`: a weight that is not a positive whole number.
    BadWeight(Number),
    /// `nth_highest(2d6, 3)`: which die, and how many there are.
    NoSuchDie(Number, usize),
    /// `median(0d6)`
    NoDice,
    /// `53d52 drawn`: how many are to be drawn, and how many there are.
    EmptyBag(u64, u64),
    /// `5d52 drawn without [53]`: a face that is not in the bag, or not so often.
    NotInBag(Value),
    /// A choice of which no arm is open, or an empty list to pick from.
    NothingToChoose,
    /// A play that need not come to an end, so that it has no value.
    EndlessPlay,
    /// Nobody said what is chosen here.
    NobodyChooses,
    /// What somebody wanted to take is not there: it, and what is.
    NoSuchArm(Arc<str>, Vec<Arc<str>>),
    /// `percentile(2d6, 120)`, `percentile(d6!, 100)`: there is no such percentile.
    BadPercent(Number),
    /// `d6!>=1`, `d6 rr<=6`, `7d6u`: it can never stop.
    NeverStops(NeverStops),
    /// A function calls itself too often: its name.
    TooDeep(Arc<str>),
    /// The request's budget is used up by this part.
    OverBudget(Costly),
    /// No exact answer is known for this use of an endless value.
    NotKnown,
    /// The request was cancelled.
    Cancelled,
    /// A scripted face that the die lacks: the face and the die's name.
    NoSuchFace(Value, Arc<str>),
    /// More dice were thrown than faces were given.
    FacesRanDry,
    /// So many given faces were not thrown.
    FacesLeftOver(usize),
}

/// A process that cannot stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NeverStops {
    /// Every face explodes.
    Explode,
    /// Every face is rerolled.
    Reroll,
    /// More dice than different faces.
    Unique,
    /// A `repeat` whose end has chance zero.
    Repeat,
}

/// What was too costly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Costly {
    /// Too many dice to throw.
    Dice,
    /// Too much work.
    Work,
    /// Too much time, though not too much work as it is counted.
    Time,
    /// Too much memory.
    Memory,
    /// Too many states to keep apart.
    States,
    /// Too many outcomes to list.
    Outcomes,
}

impl From<OpError> for FaultKind {
    fn from(error: OpError) -> Self {
        FaultKind::Operation(error)
    }
}

impl FaultKind {
    /// The fault at a place, with no calls around it yet.
    pub fn at(self, span: Span) -> Fault {
        Fault { kind: self, span, calls: Vec::new() }
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            FaultKind::Operation(error) => operation_code(error),
            FaultKind::Refused(_) => "refused",
            FaultKind::ImpossibleEvidence => "impossible-evidence",
            FaultKind::EvidenceNeverHeld(_) => "evidence-never-held",
            FaultKind::BadCount(_) => "bad-count",
            FaultKind::BadSides(_) => "bad-sides",
            FaultKind::BadWeight(_) => "bad-weight",
            FaultKind::NoSuchDie(..) => "no-such-die",
            FaultKind::NoDice => "no-dice",
            FaultKind::EmptyBag(..) => "empty-bag",
            FaultKind::NotInBag(_) => "not-in-bag",
            FaultKind::NothingToChoose => "nothing-to-choose",
            FaultKind::EndlessPlay => "endless-play",
            FaultKind::NobodyChooses => "nobody-chooses",
            FaultKind::NoSuchArm(..) => "no-such-arm",
            FaultKind::BadPercent(_) => "bad-percent",
            FaultKind::NeverStops(_) => "never-stops",
            FaultKind::TooDeep(_) => "too-deep",
            FaultKind::OverBudget(_) => "over-budget",
            FaultKind::NotKnown => "not-known",
            FaultKind::Cancelled => "cancelled",
            FaultKind::NoSuchFace(..) => "no-such-face",
            FaultKind::FacesRanDry => "faces-ran-dry",
            FaultKind::FacesLeftOver(_) => "faces-left-over",
        }
    }

    /// Whether more budget would help.
    pub fn is_over_budget(&self) -> bool {
        matches!(
            self,
            FaultKind::OverBudget(_)
                | FaultKind::EvidenceNeverHeld(_)
                | FaultKind::TooDeep(_)
                | FaultKind::Cancelled
                | FaultKind::Operation(
                    OpError::TooLarge | OpError::RangeTooLong | OpError::TextTooLong
                )
        )
    }
}

fn operation_code(error: &OpError) -> &'static str {
    match error {
        OpError::DivisionByZero => "division-by-zero",
        OpError::ExponentNotWhole => "exponent-not-whole",
        OpError::TooLarge => "number-too-large",
        OpError::NotANumber => "not-a-number",
        OpError::OutOfRange(..) => "out-of-range",
        OpError::RangeNotWhole => "range-not-whole",
        OpError::RangeTooLong => "range-too-long",
        OpError::TextTooLong => "text-too-long",
        OpError::NearMiss(..) => "near-miss",
        OpError::Mismatch => "mismatch",
    }
}

impl Fault {
    /// Notes that the fault happened inside a call at this place.
    pub fn called_from(mut self, span: Span) -> Fault {
        self.calls.push(span);
        self
    }

    /// The calls between the user's line and the fault, outermost first, each place once; of a long chain
    /// only its ends.
    fn calls_between(&self) -> Vec<Span> {
        const SHOWN: usize = 2;
        let mut between: Vec<Span> = Vec::new();
        for span in self.calls.iter().rev().skip(1) {
            if !between.contains(span) {
                between.push(*span);
            }
        }
        if between.len() > 2 * SHOWN {
            between.drain(SHOWN..between.len() - SHOWN);
        }
        between
    }

    /// In words. The user's own line comes first: a refusal is shown at the outermost call, where the
    /// user wrote the argument; the place in the system's file and the calls between follow.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let severity =
            if self.kind.is_over_budget() { Severity::OverBudget } else { Severity::Error };
        let main = self.calls.last().copied().unwrap_or(self.span);
        let diagnostic =
            Diagnostic::new(severity, self.kind.code(), Some(main), self.kind.message());
        let mut diagnostic = diagnostic;
        if !self.calls.is_empty() {
            for span in self.calls_between().into_iter().filter(|span| *span != self.span) {
                diagnostic = diagnostic.also(span, "called from here");
            }
            if self.span != main {
                diagnostic = diagnostic.also(self.span, "here");
            }
        }
        match self.kind.help() {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

impl Fault {
    /// What to write instead of a text that stands in the program, if the fault is about it. Where it is met in the
    /// library is nobody's concern.
    pub fn instead_of_text(&self, program: &str) -> Option<Diagnostic> {
        let FaultKind::Operation(OpError::NearMiss(given, meant)) = &self.kind else { return None };
        let written = format!("\"{given}\"");
        let places: Vec<Span> = program
            .match_indices(&written)
            .map(|(start, _)| Span::new(Sources::PROGRAM, start, start + written.len()))
            .collect();
        let mut diagnostic = self.to_diagnostic();
        diagnostic.labels.retain(|label| label.span.source == Sources::PROGRAM);
        if let Some(call) = diagnostic.labels.first_mut()
            && call.text.is_empty()
        {
            call.text = "in this call".into();
        }
        diagnostic.labels.insert(0, Label { span: *places.first()?, text: String::new() });
        diagnostic.help = vec![format!("did you mean `{meant}`?")];
        let edit =
            |diagnostic: Diagnostic, place: Span| diagnostic.edit(place, format!("\"{meant}\""));
        Some(places.into_iter().fold(diagnostic, edit))
    }
}

impl FaultKind {
    fn message(&self) -> String {
        match self {
            FaultKind::Operation(error) => operation_message(error),
            FaultKind::Refused(words) => words.to_string(),
            FaultKind::ImpossibleEvidence => "this evidence can never hold".into(),
            FaultKind::EvidenceNeverHeld(1) => "the evidence did not hold".into(),
            FaultKind::EvidenceNeverHeld(n) => format!("the evidence never held in {n} throws"),
            FaultKind::BadCount(n) => format!("a count of `{n}` is not a whole number from 0 up"),
            FaultKind::BadSides(n) => format!("a die cannot have `{n}` sides"),
            FaultKind::BadWeight(n) => {
                format!("a face cannot have the weight `{n}`: it counts equal faces")
            }
            FaultKind::NoSuchDie(n, count) => {
                format!("there is no die number `{n}` in a pool of {count}")
            }
            FaultKind::NoDice => "a pool without dice has no middle".into(),
            FaultKind::EmptyBag(wanted, held) => {
                format!("{wanted} cannot be drawn from a bag that holds {held}")
            }
            FaultKind::NotInBag(face) => {
                format!("there is no `{face}` left in the bag to take out")
            }
            FaultKind::NothingToChoose => "there is nothing to choose from here".into(),
            FaultKind::EndlessPlay => {
                "this play need not come to an end, so it has no value".into()
            }
            FaultKind::NobodyChooses => "nobody says what is chosen here".into(),
            FaultKind::NoSuchArm(taken, there) => {
                let there: Vec<&str> = there.iter().map(|label| &**label).collect();
                format!("`{taken}` cannot be taken here; there is: {}", there.join(", "))
            }
            FaultKind::BadPercent(percent) => format!("there is no percentile `{percent}` of this"),
            FaultKind::NeverStops(what) => never_stops(*what).into(),
            FaultKind::TooDeep(name) => format!("`{name}` calls itself too often"),
            FaultKind::OverBudget(part) => over_budget(*part).into(),
            FaultKind::NotKnown => {
                "no exact answer is known for this use of dice that can go on for ever".into()
            }
            FaultKind::Cancelled => "the computation was stopped".into(),
            FaultKind::NoSuchFace(face, die) => format!("`{die}` has no face `{face}`"),
            FaultKind::FacesRanDry => {
                "this die was thrown after the given faces had run out".into()
            }
            FaultKind::FacesLeftOver(1) => "one of the given faces was not thrown".into(),
            FaultKind::FacesLeftOver(n) => format!("{n} of the given faces were not thrown"),
        }
    }

    fn help(&self) -> Option<&'static str> {
        Some(match self {
            FaultKind::Operation(OpError::OutOfRange(..)) => "items are counted from 1",
            FaultKind::Operation(OpError::NearMiss(..)) => {
                "write the known word, or one that is not so near to it"
            }
            FaultKind::Operation(OpError::DivisionByZero) => {
                "divide by what cannot be 0, or ask first: `if n == 0 then 0 else x / n`"
            }
            FaultKind::ImpossibleEvidence => {
                "ask for something that can happen: what is `given` has chance 0"
            }
            FaultKind::EvidenceNeverHeld(_) => {
                "its odds say how likely it is; raise the budget, or ask for something more likely"
            }
            FaultKind::BadCount(_) => "clamp it, as in `(max(0, n))d6`",
            FaultKind::BadSides(_) => "a die has 1 side or more, as in `d6`",
            FaultKind::EmptyBag(..) => {
                "draw fewer, or put in more: the weight of a face says how many there are"
            }
            FaultKind::NotInBag(_) => "`without` names what comes from the same bag",
            FaultKind::NothingToChoose => {
                "leave one arm open always, without an `if`, or pick from a list that has always an item"
            }
            FaultKind::EndlessPlay => {
                "count the rounds and end after some, or say in `by` what counts"
            }
            FaultKind::BadPercent(_) => {
                "ask for one from 0 to 100; what can go on for ever has no highest value, so no percentile 100"
            }
            FaultKind::NeverStops(NeverStops::Explode) => {
                "leave at least one face that does not explode, or set a limit: `! up to 3`"
            }
            FaultKind::NeverStops(NeverStops::Reroll) => {
                "leave at least one face that stays, or reroll once: `ro<=2`"
            }
            FaultKind::NeverStops(NeverStops::Unique) => {
                "throw fewer dice, or dice with more faces"
            }
            FaultKind::NeverStops(NeverStops::Repeat) => "make sure that `until` can come true",
            FaultKind::TooDeep(_) => {
                "make sure that the recursion ends, or carry state with `repeat`"
            }
            FaultKind::OverBudget(part) => cheaper(*part),
            FaultKind::NotKnown => "set a limit, as in `! up to 10`",
            FaultKind::FacesRanDry => "give one face for each die, in the order they are thrown",
            FaultKind::FacesLeftOver(_) => "give exactly the faces that are thrown",
            _ => return None,
        })
    }
}

fn operation_message(error: &OpError) -> String {
    match error {
        OpError::DivisionByZero => "division by zero".into(),
        OpError::ExponentNotWhole => "an exponent must be a whole number".into(),
        OpError::TooLarge => "this number has more digits than can be handled".into(),
        OpError::NotANumber => "this is not a number".into(),
        OpError::OutOfRange(index, length) => {
            format!("there is no item `{index}` in a list of {length}")
        }
        OpError::RangeNotWhole => "the ends of a range must be whole numbers".into(),
        OpError::RangeTooLong => "this range is too long".into(),
        OpError::TextTooLong => "this text is too long".into(),
        OpError::NearMiss(given, meant) => {
            format!("`{given}` is no word that is known here, but near to `{meant}`")
        }
        OpError::Mismatch => "these values do not fit this operation".into(),
    }
}

fn never_stops(what: NeverStops) -> &'static str {
    match what {
        NeverStops::Explode => "every face explodes, so this never stops",
        NeverStops::Reroll => "every face is rerolled, so this never stops",
        NeverStops::Unique => {
            "a die has no face left that the others do not show, so this never stops"
        }
        NeverStops::Repeat => "this `repeat` never ends",
    }
}

/// What to write instead.
fn cheaper(part: Costly) -> &'static str {
    match part {
        Costly::Dice => "throw fewer dice, or raise the budget",
        Costly::Work | Costly::Time => {
            "ask for less: one field, a sum or a count instead of the dice themselves, fewer dice; or \
             raise the budget"
        }
        Costly::Memory => {
            "ask for less: one field, a sum or a count, fewer dice or smaller numbers; or raise the \
             budget"
        }
        Costly::States => {
            "too much is still needed at once: bind a sum or a count instead of the dice, and \
             decide what you can before the next throw; or raise the budget"
        }
        Costly::Outcomes => {
            "ask for part of it: one field, a sum, a count, or the chance of what matters; or raise \
             the budget"
        }
    }
}

fn over_budget(part: Costly) -> &'static str {
    match part {
        Costly::Dice => "this throws more dice than the budget allows",
        Costly::Work => "this takes more work than the budget allows",
        Costly::Time => "this takes longer than the budget allows",
        Costly::Memory => "this takes more memory than the budget allows",
        Costly::States => "this has more different states than the budget allows",
        Costly::Outcomes => "this has more outcomes than the budget allows",
    }
}
