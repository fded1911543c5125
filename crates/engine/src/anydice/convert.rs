//! AnyDice programs in our language, and the proof that both say the same.
//!
//! There are several ways to say a program. Each is checked and its exact laws are compared with those of the program, output
//! by output; the first that agrees is shown. The odds of our language may be dear where AnyDice's are cheap, so the whole
//! conversion has one budget: each way gets a part of what is left, then the one that got furthest goes on from there with all
//! of the rest. Where that ends early, the message names the output at which it did.

use std::cmp::Reverse;

use astragal_anydice::{Naming, Ours, Output, Outputs, Program as Theirs, Recursion};
use astragal_odds::{Answer, Budget};
use astragal_prob::{Guard, Meter};
use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::{SourceId, Span};

use super::{as_program, run};
use crate::diagnostics::Diagnostics;
use crate::engine::Engine;
use crate::program::{Odds, Program};

/// A conversion is worth this part of a budget: it is asked for beside the odds, by somebody who waits.
const SHARE: u64 = 3;
/// Each way to say a program may cost one part in so many of what is left.
const PART: u64 = 4;
/// About what it takes to read and check a letter of a program.
const STEPS_OF_A_LETTER: u64 = 100;

/// The ways to say a program, the most natural first.
const SAYINGS: [(Recursion, Naming); 4] = [
    (Recursion::AsIs, Naming::Long),
    (Recursion::AsIs, Naming::All),
    (Recursion::Unrolled, Naming::Long),
    (Recursion::Unrolled, Naming::All),
];

impl Engine {
    /// An AnyDice program in our language, if an idiom is known for all of it *and* the exact laws of both agree, output
    /// by output.
    pub fn convert_anydice(
        &self,
        text: &str,
        name: &str,
        budget: &Budget,
    ) -> Result<String, Diagnostics> {
        let text = &*as_program(text);
        let told = |error: Box<Diagnostic>| Diagnostics::of_text(vec![*error], name, text);
        let program = astragal_anydice::parse(text).map_err(told)?;
        let budget = share(budget);
        let meter = budget.meter();
        let theirs = run(&program, &budget, &meter).map_err(told)?;
        let whole = Span::new(SourceId(0), 0, text.len());
        let comparison = Comparison { engine: self, theirs, budget, meter, whole };
        let ours = comparison.said(&program).map_err(told)?;
        Ok(self.layout(&ours.text(), name)?.trim_end().to_owned())
    }
}

/// What a conversion may cost: the time that a part of the steps would take, or that part of them where there is no clock.
fn share(budget: &Budget) -> Budget {
    let whole = budget.clone();
    match budget.guard.clone() {
        Some(clock) => {
            whole.with_guard(Guard::new(move |steps, memory| clock.begin(steps / SHARE, memory)))
        }
        None => whole.with_steps(budget.steps / SHARE),
    }
}

/// What comes of a program that was said in our language, held against the laws of the other.
enum Said {
    TheSame,
    /// An output means something else.
    SomethingElse(usize),
    /// An output costs too much.
    TooMuch(usize),
    /// It is more than a program may hold.
    TooLong,
    /// It is not understood.
    Nothing,
}

impl Said {
    /// The same of this output.
    fn at(self, output: usize) -> Said {
        match self {
            Said::SomethingElse(_) => Said::SomethingElse(output),
            Said::TooMuch(_) => Said::TooMuch(output),
            other => other,
        }
    }
}

/// A program that ran, and what is left to find its like.
struct Comparison<'e> {
    engine: &'e Engine,
    theirs: Outputs,
    budget: Budget,
    meter: Meter,
    whole: Span,
}

impl Comparison<'_> {
    /// The first way to say a program that says the same.
    fn said(&self, program: &Theirs) -> Result<Ours, Box<Diagnostic>> {
        let names: Vec<&str> = self.theirs.list.iter().map(|output| &*output.name).collect();
        let (mut refusal, mut furthest) = (None, None);
        let mut tried: Vec<Ours> = Vec::new();
        for (recursion, naming) in SAYINGS {
            let ours =
                astragal_anydice::in_astragal(program, &names, recursion, naming, &self.meter);
            let ours = match ours {
                Ok(ours) if tried.contains(&ours) => continue,
                Ok(ours) => ours,
                Err(error) => {
                    refusal.get_or_insert(error);
                    continue;
                }
            };
            match self.compared(&ours, 0, self.meter.left() / PART) {
                Said::TheSame => return Ok(ours),
                Said::TooMuch(at) => furthest = furthest.max(Some((at, Reverse(tried.len())))),
                how => _ = refusal.get_or_insert_with(|| self.differs(&how)),
            }
            tried.push(ours);
        }
        let Some((at, Reverse(way))) = furthest else {
            return Err(refusal.unwrap_or_else(|| self.differs(&Said::Nothing)));
        };
        // What is only dear is worth all that is left, once.
        match self.compared(&tried[way], at, self.meter.left()) {
            Said::TheSame => Ok(tried.swap_remove(way)),
            how => Err(self.differs(&how)),
        }
    }

    /// Compares the outputs from one of them on, within so many steps.
    fn compared(&self, ours: &Ours, first: usize, steps: u64) -> Said {
        let reserve = self.meter.left() - steps;
        if let Err(how) = self.checked(&ours.text()) {
            return how.at(first);
        }
        for (at, theirs) in self.theirs.list.iter().enumerate().skip(first) {
            match self.odds(&ours.only(at), reserve) {
                Ok(odds) if same(theirs, odds.only()) => {}
                Ok(_) => return Said::SomethingElse(at),
                Err(how) => return how.at(at),
            }
        }
        Said::TheSame
    }

    /// A program of ours, which is paid for by its length.
    fn checked(&self, ours: &str) -> Result<Program, Said> {
        let price = STEPS_OF_A_LETTER * ours.len() as u64;
        self.meter.charge(price).map_err(|_| Said::TooMuch(0))?;
        let unread =
            |wrong: Diagnostics| if is_costly(&wrong) { Said::TooLong } else { Said::Nothing };
        self.engine.compile(ours).map_err(unread)
    }

    /// The odds of a program of ours, which are paid for whether they become known or not. A reserve of steps is left.
    fn odds(&self, ours: &str, reserve: u64) -> Result<Odds, Said> {
        let compiled = self.checked(ours)?;
        let steps = self.meter.left().saturating_sub(reserve);
        let odds = compiled.odds(&self.budget.clone().with_steps(steps));
        let used = odds.as_ref().map_or(steps, |odds| odds.used.min(steps));
        self.meter.charge(used).map_err(|_| Said::TooMuch(0))?;
        odds.map_err(
            |wrong| if is_costly(&wrong) { Said::TooMuch(0) } else { Said::SomethingElse(0) },
        )
    }

    /// What could be said in our language is not the same, or not known to be.
    fn differs(&self, how: &Said) -> Box<Diagnostic> {
        let (Said::SomethingElse(at) | Said::TooMuch(at)) = how else {
            let how = if matches!(how, Said::TooLong) { "too long" } else { "not understood" };
            let message = format!("what the known idioms say for this program is {how} here");
            return refused("no-counterpart", self.whole, message);
        };
        let Some(output) = self.theirs.list.get(*at) else { return self.differs(&Said::Nothing) };
        let (name, span) = (&output.name, output.span);
        let known = "what the known idioms say for";
        if let Said::TooMuch(_) = how {
            let message = format!("`{name}` could not be compared in time with {known} it");
            return refused("not-compared", span, message);
        }
        refused("no-counterpart", span, format!("{known} `{name}` means something else here"))
    }
}

fn is_costly(wrong: &Diagnostics) -> bool {
    wrong.list().iter().any(|one| one.severity == Severity::OverBudget)
}

fn refused(code: &'static str, span: Span, message: String) -> Box<Diagnostic> {
    let help = "the program runs as it is: `astragal odds --from anydice`";
    Box::new(Diagnostic::error(code, span, message).help(help))
}

/// Whether an output of theirs and an answer of ours have the same exact law.
fn same(theirs: &Output, ours: &Answer) -> bool {
    theirs.lost.is_zero() && theirs.law.is_some() && theirs.law.as_ref() == ours.exact_law()
}
