//! Questions: is `3·X − Y + 2` at least 0?
//!
//! What is decided depends on who else still needs the variables:
//!
//! 1. Nobody: only the chance of the answer matters. It is exact for finite and endless numbers, also
//!    for the difference of two endless ones.
//! 2. One variable, needed elsewhere: its law is split in two at the boundary.
//! 3. Several variables that the rest of the state mentions only in the same combination (a margin that
//!    is both compared and reported): the combination becomes one variable, and then as in 2.
//! 4. Several variables of which one is needed elsewhere: its law is split in two by how it compares with the others.
//! 5. Otherwise a variable is decided, a finite one if there is any, and the question asked again. An
//!    endless one is decided as far as it is listed; beyond, the chance of each answer is known, but not how the
//!    variables hang together then, and outcomes that come from there are not listed.

use std::rc::Rc;

use astragal_prob::{Comparison, Law, OverBudget, Rational};
use astragal_syntax::span::Span;
use astragal_value::Op;

use super::Machine;
use super::decide::{Done, Turn};
use crate::failure::{Failure, too_much};
use crate::state::{Form, Shared, State, Sym, Var, VarLaw};
use crate::ways;

/// The part of a law where a comparison holds, with its chance, and the other part.
pub(super) type Parts = [(Rational, Option<Shared<Law>>); 2];

/// Which part of a law was asked for.
pub(super) type PartsKey = (Shared<Law>, Comparison, Rational);

/// How does the form compare with zero?
pub(super) struct Question {
    pub(super) form: Form,
    pub(super) comparison: Comparison,
}

pub(crate) fn comparison(op: Op) -> Option<Comparison> {
    Some(match op {
        Op::Equal => Comparison::Equal,
        Op::NotEqual => Comparison::NotEqual,
        Op::Less => Comparison::Less,
        Op::AtMost => Comparison::AtMost,
        Op::Greater => Comparison::Greater,
        Op::AtLeast => Comparison::AtLeast,
        _ => return None,
    })
}

impl Machine<'_> {
    pub(super) fn compare(
        &mut self,
        question: &Question,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let Question { form, comparison } = question;
        if form.terms.is_empty() {
            return turn.push(state, Sym::truth(comparison.holds(&form.constant, &Rational::ZERO)));
        }
        let vars: Vec<Var> = form.variables().collect();
        if !state.mentions(&vars) {
            return self.answer(question, &state, turn);
        }
        if let [(var, factor)] = form.terms.as_slice() {
            let boundary = -&form.constant / factor;
            let comparison =
                if *factor < Rational::ZERO { comparison.mirrored() } else { *comparison };
            let Some(law) = state.law(*var).cloned() else { return Ok(()) };
            let parts = self.parted(law, comparison, boundary).map_err(too_much(turn.span))?;
            return part_by(&parts, *var, &state, turn);
        }
        if let Some(form) = self.collapsed(form, &mut state, turn.span)? {
            let question = Question { form, comparison: *comparison };
            return self.compare(&question, state, turn);
        }
        if let Some((var, parts)) = self.beside(question, &state, turn.span)? {
            return part_by(&parts, var, &state, turn);
        }
        self.compare_decided(question, self.cheapest(&vars, &state), state, turn)
    }

    /// Decides a variable and asks again in each case. Beyond the list of an endless one only the chance of each answer
    /// is known: what lies there goes on as phantoms.
    fn compare_decided(
        &mut self,
        question: &Question,
        var: Var,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let endless = state.law(var).is_some_and(|law| law.is_endless());
        if endless && state.phantom {
            return either(&state, turn);
        }
        let asked = |state: &mut State| {
            let form = state.stack.pop().and_then(|sym| sym.as_form());
            let form = form.unwrap_or_else(|| Form::constant(Rational::ZERO));
            Question { form, comparison: question.comparison }
        };
        state.stack.push(Sym::Number(question.form.clone()));
        let parts = if endless {
            self.split_listed(&state, var, turn, |machine, mut state, turn| {
                let question = asked(&mut state);
                match machine.chance_of(&question, &state) {
                    Err(OverBudget::NotKnown) => either(&state, turn),
                    yes => {
                        let yes = yes.map_err(too_much(turn.span))?;
                        let no = Rational::ONE - &yes;
                        turn.answer(&state, yes, no)
                    }
                }
            })?
        } else {
            self.split(&state, var, turn)?
        };
        for (mut state, weight) in parts {
            self.pay_for_case(turn)?;
            let question = asked(&mut state);
            self.compare(&question, state, &mut turn.with(&weight))?;
        }
        Ok(())
    }

    /// Where one endless variable of several is needed elsewhere: it, and the parts of its law by how it compares
    /// with the others.
    fn beside(
        &mut self,
        question: &Question,
        state: &State,
        span: Span,
    ) -> Result<Option<(Var, Parts)>, Failure> {
        let Question { form, comparison } = question;
        let (needed, others) = form.parted(|var, _| state.mentions(&[var]));
        let [(var, factor)] = needed.terms.as_slice() else { return Ok(None) };
        let Some(law) = state.law(*var).filter(|law| law.is_endless()) else { return Ok(None) };
        let others = others.scaled(&(-Rational::ONE / factor));
        let comparison = if *factor < Rational::ZERO { comparison.mirrored() } else { *comparison };
        let sides = state
            .law_of(&others, self.meter)
            .and_then(|others| law.split_against(comparison, &others, self.meter));
        match sides {
            Err(OverBudget::NotKnown) => Ok(None),
            sides => {
                let sides = sides.map_err(too_much(span))?;
                Ok(Some((*var, sides.map(|(chance, law)| (chance, law.map(Shared::new))))))
            }
        }
    }

    /// One state for each listed value of an endless variable that is still needed. What lies beyond the list is a
    /// phantom on each side, with which something else is done.
    pub(super) fn split_listed(
        &mut self,
        state: &State,
        var: Var,
        turn: &mut Turn<'_>,
        mut beyond: impl FnMut(&Self, State, &mut Turn<'_>) -> Done,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let refuse = too_much(turn.span);
        self.worth_deciding(state, var, turn.span)?;
        let Some(law) = state.law(var).cloned() else { return Ok(Vec::new()) };
        let listing = self.listing(state, var).map_err(refuse)?;
        for (chance, tail) in law.tails(&listing, self.meter).map_err(refuse)? {
            let mut state = state.clone();
            restrict(&mut state, var, &Shared::new(tail));
            state.phantom = true;
            let weight = turn.weight * chance;
            beyond(self, state, &mut turn.with(&weight))?;
        }
        let parts = state.decide(var, &listing, self.meter).map_err(refuse)?;
        Ok(parts.into_iter().map(|(state, chance)| (state, turn.weight * chance)).collect())
    }

    fn chance_of(&self, question: &Question, state: &State) -> Result<Rational, OverBudget> {
        let law = state.law_of(&question.form, self.meter)?;
        law.compare(question.comparison, &Rational::ZERO, self.meter)
    }

    /// Nobody needs the variables any more: yes and no with their chances.
    fn answer(&self, question: &Question, state: &State, turn: &mut Turn<'_>) -> Done {
        let (yes, lost) = match self.chance_of(question, state) {
            Err(OverBudget::NotKnown) => self.answer_within(question, state),
            yes => yes.map(|yes| (yes, Rational::ZERO)),
        }
        .map_err(too_much(turn.span))?;
        let no = Rational::ONE - &yes - &lost;
        turn.after.aside.lost += turn.weight * lost;
        turn.answer(state, yes, no)
    }

    /// The chance of a yes where the difference of two endless numbers has no closed form, and the chance
    /// that is given up: what is subtracted is taken value by value, as far as it is listed.
    fn answer_within(
        &self,
        question: &Question,
        state: &State,
    ) -> Result<(Rational, Rational), OverBudget> {
        let (taken, added) = question.form.parted(|_, factor| *factor < Rational::ZERO);
        let added = state.law_of(&added, self.meter)?;
        let taken = state.law_of(&taken.scaled(&-Rational::ONE), self.meter)?;
        let listing = taken.listing(&ways::sliver(), None, self.meter)?;
        let mut yes = Rational::ZERO;
        for (value, chance) in &listing.outcomes {
            yes += chance * added.compare(question.comparison, value, self.meter)?;
        }
        Ok((yes, listing.rest))
    }

    /// Both parts of a law. The rounds of a loop split the same law at few boundaries.
    fn parted(
        &mut self,
        law: Shared<Law>,
        comparison: Comparison,
        boundary: Rational,
    ) -> Result<Rc<Parts>, OverBudget> {
        let key = (law, comparison, boundary);
        if let Some(known) = self.parts.get(&key) {
            return Ok(Rc::clone(known));
        }
        let parts = key.0.split(comparison, &key.2, self.meter)?;
        let parts = Rc::new(parts.map(|(chance, law)| (chance, law.map(Shared::new))));
        if self.keeps(2 * key.0.bytes()) {
            self.parts.insert(key, Rc::clone(&parts));
        }
        Ok(parts)
    }

    /// Where the state needs several of the variables, and only in multiples of the combination that is asked about: the
    /// form with one variable in their place.
    fn collapsed(
        &self,
        form: &Form,
        state: &mut State,
        span: Span,
    ) -> Result<Option<Form>, Failure> {
        let (needed, rest) = form.parted(|var, _| state.mentions(&[var]));
        if needed.terms.len() < 2 || !state.collapse(&needed, self.meter).map_err(too_much(span))? {
            return Ok(None);
        }
        let new = Var(state.laws.len() as u32 - 1);
        Ok(Some(rest.plus(&Form::variable(new))))
    }

    /// The variable that is decided first: a finite one with few values, or one that something else needs.
    pub(super) fn cheapest(&self, vars: &[Var], state: &State) -> Var {
        let cost = |var: &Var| {
            let values = state.law(*var).and_then(|law| law.support_size());
            (values.unwrap_or(usize::MAX), !state.mentions(&[*var]))
        };
        vars.iter().copied().min_by_key(cost).unwrap_or(Var(0))
    }
}

/// Goes on with both answers; how likely each of them is, is not known.
fn either(state: &State, turn: &mut Turn<'_>) -> Done {
    for truth in [true, false] {
        let state = State { loose: true, ..state.clone() };
        turn.push(state, Sym::truth(truth))?;
    }
    Ok(())
}

/// Goes on with each answer, the variable having the law that belongs to it.
fn part_by(parts: &Parts, var: Var, state: &State, turn: &mut Turn<'_>) -> Done {
    for (truth, (chance, law)) in [true, false].into_iter().zip(parts) {
        let Some(law) = law else { continue };
        let mut state = state.clone();
        restrict(&mut state, var, law);
        let weight = turn.weight * chance;
        turn.with(&weight).push(state, Sym::truth(truth))?;
    }
    Ok(())
}

/// Gives a variable another law; a constant replaces it.
fn restrict(state: &mut State, var: Var, law: &Shared<Law>) {
    match law.as_constant() {
        Some(value) => state.substitute(var, &Form::constant(value.clone())),
        None => state.set_law(var, VarLaw::Number(law.clone())),
    }
}
