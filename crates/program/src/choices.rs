//! Who decides where: the choices of a program, and whether each stands where somebody can make it.
//!
//! ```text
//! fn again(first) = choose "keep" => first; "throw again" => d20 end
//! maximise again(d20)                  the choice is open in `again`, and made for this `maximise`
//! ```
//!
//! A choice is *open* in an expression if no `maximise` in it encloses the choice, also where it stands in a function that
//! is called. Functions may have open choices, a program may not. This is judged on the core language, when all
//! functions are written: only then is it known what is called.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use rustc_hash::FxHashMap;

use crate::core::{Expr, Function, FunctionId, Kind};
use crate::errors;

/// A choice, and where it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    /// The word `choose` or `oppose`.
    pub(crate) choice: Span,
    /// The same, or the call through which it is met.
    pub(crate) at: Span,
}

/// What is to be known of an expression, with the functions that it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The first open choice in it.
    pub(crate) choice: Option<Met>,
    /// The first evidence in it that belongs to the same `maximise`.
    pub(crate) given: Option<Span>,
    /// A choice or a `maximise` is in it.
    pub(crate) play: bool,
    /// Dice are thrown in it.
    pub(crate) throws: bool,
}

impl Facts {
    fn and(self, other: Facts) -> Facts {
        Facts {
            choice: self.choice.or(other.choice),
            given: self.given.or(other.given),
            play: self.play || other.play,
            throws: self.throws || other.throws,
        }
    }
}

/// What is known of each function.
#[derive(Debug, Default)]
pub(crate) struct Decisions(FxHashMap<FunctionId, Facts>);

impl Decisions {
    /// Of these functions. They may call each other, so each is looked at until nothing new is found.
    pub(crate) fn of<'a>(
        functions: impl Iterator<Item = (FunctionId, &'a Function)> + Clone,
    ) -> Decisions {
        let mut decisions = Decisions::default();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (id, function) in functions.clone() {
                let facts = decisions.facts(&function.body);
                changed |= decisions.0.insert(id, facts).unwrap_or_default() != facts;
            }
        }
        decisions
    }

    /// The first choice in an expression, or in what it calls, that no `maximise` in it encloses.
    pub(crate) fn open_choice(&self, expr: &Expr) -> Option<Met> {
        self.facts(expr).choice
    }

    /// Whether an expression, or what it calls, holds a choice or a `maximise`.
    pub(crate) fn holds_play(&self, expr: &Expr) -> bool {
        self.facts(expr).play
    }

    /// What is known of an expression.
    pub(crate) fn facts(&self, expr: &Expr) -> Facts {
        let inside = |parts: Vec<&Expr>| {
            parts.into_iter().fold(Facts::default(), |all, part| all.and(self.facts(part)))
        };
        let parts = inside(expr.children());
        match &expr.kind {
            Kind::Choose { .. } | Kind::Pick { .. } => {
                let choice = word(expr.span);
                let own = Met { choice, at: choice };
                Facts { choice: Some(own), play: true, ..parts }
            }
            Kind::Best(_) => Facts { choice: None, given: None, play: true, ..parts },
            // Nothing is thrown to know it.
            Kind::Measure { .. } => Facts { play: parts.play, ..Facts::default() },
            Kind::Given { .. } => Facts { given: Some(expr.span), ..parts },
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } => {
                Facts { throws: true, ..parts }
            }
            Kind::Call { function, .. } => parts.and(self.called(*function, expr.span)),
            Kind::Enter { .. } => {
                let seen = |met: Met| Met { at: seen_from(expr.span, met.at), ..met };
                Facts { choice: parts.choice.map(seen), ..parts }
            }
            Kind::Constant(_)
            | Kind::Local(_)
            | Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Fold { .. }
            | Kind::Walk { .. }
            | Kind::Repeat { .. }
            | Kind::Require { .. }
            | Kind::Note { .. }
            | Kind::Labelled { .. }
            | Kind::Input { .. }
            | Kind::Drawn { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Suffixed { .. }
            | Kind::Read { .. } => parts,
        }
    }

    /// What a call adds to what is known.
    fn called(&self, function: FunctionId, span: Span) -> Facts {
        let facts = self.0.get(&function).copied().unwrap_or_default();
        Facts { choice: facts.choice.map(|met| Met { at: span, ..met }), ..facts }
    }

    /// Choices of an expression that cannot be made where they stand, and what is thrown where nothing may be.
    pub(crate) fn misplaced(&self, expr: &Expr) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.holds_play(expr) {
            self.places(expr, &mut found);
            self.evidence(expr, None, &mut found);
        }
        found
    }

    /// Goes through all places in an expression.
    fn places(&self, expr: &Expr, found: &mut Vec<Diagnostic>) {
        let said = found.len();
        match &expr.kind {
            Kind::Choose { arms, .. } => {
                arms.iter().filter_map(|arm| arm.open.as_ref()).for_each(|open| {
                    self.refuse(open, errors::open_decides, errors::open_throws, found);
                });
            }
            Kind::Best(best) => best.aim.iter().for_each(|aim| {
                self.refuse(&aim.number, errors::aim_decides, errors::aim_throws, found);
            }),
            Kind::Measure { of, .. } => {
                let met = self.open_choice(of);
                found.extend(met.map(|met| errors::choice_measured(met, of.span)));
            }
            // Done again and again: what is decided there could not be told apart.
            Kind::Walk { body, .. } => self.refuse_play(body, errors::Spot::Walk, found),
            Kind::Times { count, each } => {
                self.refuse_choice([&**count], errors::Spot::Times, found);
                self.refuse_play(each, errors::Spot::Times, found);
            }
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } => {
                self.refuse_choice(expr.children(), errors::Spot::Dice, found);
            }
            Kind::Drawn { .. } => self.refuse_choice(expr.children(), errors::Spot::Bag, found),
            Kind::Gather(members) | Kind::Merge(members) => {
                self.refuse_choice(members, errors::Spot::Group, found);
            }
            Kind::Suffixed { .. } => {
                self.refuse_choice(expr.children(), errors::Spot::Suffix, found);
            }
            Kind::Input { default, .. } => self.refuse_play(default, errors::Spot::Input, found),
            Kind::Constant(_)
            | Kind::Local(_)
            | Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. }
            | Kind::Repeat { .. }
            | Kind::Require { .. }
            | Kind::Given { .. }
            | Kind::Note { .. }
            | Kind::Labelled { .. }
            | Kind::Pick { .. }
            | Kind::Read { .. } => {}
        }
        if found.len() == said {
            expr.children().into_iter().for_each(|part| self.places(part, found));
        }
    }

    /// Each `maximise` of an expression in which nobody chooses.
    pub(crate) fn idle(&self, expr: &Expr, found: &mut Vec<Diagnostic>) {
        if let Kind::Best(best) = &expr.kind
            && self.open_choice(&best.value).is_none()
        {
            found.push(errors::nothing_chosen(expr.span, best.goal));
        }
        expr.children().into_iter().for_each(|part| self.idle(part, found));
    }

    /// Where nothing may be thrown or decided.
    fn refuse(
        &self,
        expr: &Expr,
        decides: fn(Span) -> Diagnostic,
        throws: fn(Span) -> Diagnostic,
        found: &mut Vec<Diagnostic>,
    ) {
        let facts = self.facts(expr);
        if facts.play {
            found.push(decides(facts.choice.map_or(expr.span, |met| met.at)));
        } else if facts.throws {
            found.push(throws(expr.span));
        }
    }

    /// Where no open choice may stand.
    fn refuse_choice<'a>(
        &self,
        parts: impl IntoIterator<Item = &'a Expr>,
        spot: errors::Spot,
        found: &mut Vec<Diagnostic>,
    ) {
        let met = parts.into_iter().find_map(|part| self.open_choice(part));
        found.extend(met.map(|met| errors::choice_here(met, spot)));
    }

    /// Where not even a `maximise` may stand.
    fn refuse_play(&self, part: &Expr, spot: errors::Spot, found: &mut Vec<Diagnostic>) {
        let facts = self.facts(part);
        if let Some(met) = facts.choice {
            found.push(errors::choice_here(met, spot));
        } else if facts.play {
            found.push(errors::play_here(part.span, spot));
        }
    }

    /// Goes through an expression in the order of evaluation, and reports evidence behind a choice. Says what was
    /// perhaps chosen when it is done.
    fn evidence(
        &self,
        expr: &Expr,
        chosen: Option<Met>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Met> {
        let mut in_order = |parts: &[&Expr], chosen| {
            parts.iter().fold(chosen, |chosen, part| self.evidence(part, chosen, found))
        };
        match &expr.kind {
            Kind::Given { condition, body } => {
                let chosen = in_order(&[condition], chosen);
                found.extend(chosen.map(|met| errors::given_after_choice(expr.span, met)));
                // Once is enough.
                self.evidence(body, None, found).or(chosen)
            }
            Kind::If { condition, then, otherwise, .. } => {
                let chosen = in_order(&[condition], chosen);
                let after = in_order(&[then], chosen);
                in_order(&[otherwise], chosen).or(after)
            }
            Kind::Choose { arms, .. } => {
                let own = self.open_choice(expr).or(chosen);
                arms.iter().for_each(|arm| _ = in_order(&[&arm.value], own));
                own
            }
            Kind::Pick { list, .. } => in_order(&[list], chosen).or(self.open_choice(expr)),
            Kind::Best(best) => {
                in_order(&[&best.value], None);
                chosen
            }
            // The next round comes after this one.
            Kind::Fold { list, first, body, .. } => {
                let before = in_order(&[list, first], chosen);
                in_order(&[body], before.or(self.open_choice(body)))
            }
            Kind::Repeat { first, round, .. } => {
                let before = first.iter().fold(chosen, |chosen, part| in_order(&[part], chosen));
                in_order(&[round], before.or(self.open_choice(round)))
            }
            Kind::Call { function, arguments } => {
                let chosen =
                    arguments.iter().fold(chosen, |chosen, part| in_order(&[part], chosen));
                let called = self.called(*function, expr.span);
                if let (Some(met), Some(_)) = (chosen, called.given) {
                    found.push(errors::given_after_choice(expr.span, met));
                }
                chosen.or(called.choice)
            }
            _ => in_order(&expr.children(), chosen),
        }
    }
}

/// The word that a choice begins with.
fn word(choice: Span) -> Span {
    let length = "choose".len() as u32;
    Span { end: choice.end.min(choice.start + length), ..choice }
}

/// A place in the body of a copied call, as it is seen where the call stands: what the caller wrote itself is there.
fn seen_from(call: Span, at: Span) -> Span {
    let inside = call.source == at.source && call.start <= at.start && at.end <= call.end;
    if inside { at } else { call }
}
