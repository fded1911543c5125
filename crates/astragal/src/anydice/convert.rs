//! AnyDice programs in our language, and the proof that both say the same.
//!
//! There are several ways to say a program. Each is compiled and its exact laws are compared with those of the program, output
//! by output; the first that agrees is shown. The odds of our language may be dear where AnyDice's are cheap, so the whole
//! conversion has one budget: first each way gets a part of it, then the first of those that were only too dear gets the rest,
//! one output after the other. Where that ends early, the message names the output at which it did.

use astragal_anydice::{Naming, Ours, Output, Outputs, Program as Theirs, Recursion};
use astragal_odds::{Answer, Budget};
use astragal_prob::{Meter, OverBudget};
use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::{SourceId, Span};

use super::{as_program, run};
use crate::diagnostics::Diagnostics;
use crate::engine::Engine;
use crate::program::Odds;

/// A conversion is not worth more than this part of a budget: it is asked for beside the odds, by somebody who waits.
const SHARE: u64 = 3;
/// Each way to say a program may cost this part of that at first.
const LITTLE: u64 = 8;
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
        let budget = budget.clone().with_steps(budget.steps / SHARE);
        let meter = budget.meter();
        let theirs = run(&program, &budget, &meter).map_err(told)?;
        let whole = Span::new(SourceId(0), 0, text.len());
        let comparison = Comparison { engine: self, theirs, budget, meter, whole };
        let ours = comparison.said(&program).map_err(told)?;
        Ok(self.layout(&ours.text(), name)?.trim_end().to_owned())
    }
}

/// What comes of a program that was said in our language, held against the laws of the other.
enum Said {
    TheSame,
    /// An output, if it is known which, means something else.
    SomethingElse(Option<usize>),
    /// An output, if it is known which, costs too much.
    TooMuch(Option<usize>),
    /// It is more than a program may hold.
    TooLong,
    /// It is not understood.
    Nothing,
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
        let little = self.meter.left() / LITTLE;
        let (mut refusal, mut costly) = (None, None);
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
            match self.all_at_once(&ours, little) {
                Said::TheSame => return Ok(ours),
                Said::TooMuch(_) => costly = costly.or_else(|| Some(ours.clone())),
                how => _ = refusal.get_or_insert_with(|| self.differs(&how)),
            }
            tried.push(ours);
        }
        let Some(ours) = costly else {
            return Err(refusal.unwrap_or_else(|| self.differs(&Said::Nothing)));
        };
        // What is only dear is worth all that is left, once.
        match self.one_by_one(&ours) {
            Said::TheSame => Ok(ours),
            how => Err(self.differs(&how)),
        }
    }

    fn all_at_once(&self, ours: &Ours, steps: u64) -> Said {
        let odds = match self.odds(&ours.text(), steps) {
            Ok(odds) => odds,
            Err(how) => return how,
        };
        let different = (0..self.theirs.list.len()).find(|at| {
            !odds.results.get(*at).is_some_and(|ours| same(&self.theirs.list[*at], ours))
        });
        different.map_or(Said::TheSame, |at| Said::SomethingElse(Some(at)))
    }

    fn one_by_one(&self, ours: &Ours) -> Said {
        for (at, theirs) in self.theirs.list.iter().enumerate() {
            match self.odds(&ours.only(at), self.meter.left()) {
                Ok(odds) if same(theirs, odds.only()) => {}
                Ok(_) | Err(Said::SomethingElse(_)) => return Said::SomethingElse(Some(at)),
                Err(Said::TooMuch(_)) => return Said::TooMuch(Some(at)),
                Err(how) => return how,
            }
        }
        Said::TheSame
    }

    /// The odds of a program of ours, which are paid for whether they become known or not.
    fn odds(&self, ours: &str, steps: u64) -> Result<Odds, Said> {
        let too_much = |_: OverBudget| Said::TooMuch(None);
        self.meter.charge(STEPS_OF_A_LETTER * ours.len() as u64).map_err(too_much)?;
        let unread =
            |wrong: Diagnostics| if is_costly(&wrong) { Said::TooLong } else { Said::Nothing };
        let compiled = self.engine.compile(ours).map_err(unread)?;
        let steps = steps.min(self.meter.left());
        match compiled.odds(&self.budget.clone().with_steps(steps)) {
            Ok(odds) => {
                self.meter.charge(odds.used.min(steps)).map_err(too_much)?;
                Ok(odds)
            }
            Err(wrong) if is_costly(&wrong) => {
                self.meter.charge(steps).map_err(too_much)?;
                Err(Said::TooMuch(None))
            }
            Err(_) => Err(Said::SomethingElse(None)),
        }
    }

    /// What could be said in our language is not the same, or not known to be.
    fn differs(&self, how: &Said) -> Box<Diagnostic> {
        let (Said::SomethingElse(at) | Said::TooMuch(at)) = how else {
            let how = if matches!(how, Said::TooLong) { "too long" } else { "not understood" };
            let message = format!("what the known idioms say for this program is {how} here");
            return refused("no-counterpart", self.whole, message);
        };
        let output = at.and_then(|at| self.theirs.list.get(at));
        let span = output.map_or(self.whole, |output| output.span);
        let what = output.map_or_else(|| "this program".into(), |it| format!("`{}`", it.name));
        match how {
            Said::TooMuch(_) => {
                let with = "could not be compared in time with what the known idioms say for it";
                refused("not-compared", span, format!("{what} {with}"))
            }
            _ => {
                let message =
                    format!("what the known idioms say for {what} means something else here");
                refused("no-counterpart", span, message)
            }
        }
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
