//! Expressions that read several undecided numbers, each of them more than once.
//!
//! ```text
//! let rolls = map(1..6, x => 4d6kh3); [max(rolls), min(rolls), sum(rolls)]
//! ```
//!
//! Deciding the numbers makes a state for each throw of all six. But no more is left of the first three than their
//! highest, their lowest and their sum. So one number after the other becomes known, and what is left of the expression
//! is written so that equal rests are the same ([`astragal_code::Open`]). Where nothing else needs the numbers, all of it
//! is one variable, undecided as a whole.
//!
//! Of numbers that are read once only the laws are known sooner, and two numbers are as soon decided: those are left to
//! the general way, and so is what has too many rests.

use std::sync::Arc;

use astragal_prob::{Law, Meter, Natural, Rational, Sums};
use astragal_program::core::LocalId;

use super::{Live, Machine};
use crate::code::{Id, Kept, Next, Open, Runner, Store, Weave, Word, compile_answered};
use crate::failure::{Failure, too_much};
use crate::plan::Node;
use crate::state::{State, Sym, Values, Var, VarLaw};
use crate::ways;

/// A variable that becomes known: its values with weights.
type Column = Vec<(Word, Natural)>;

impl<'p> Machine<'p> {
    /// The law of an expression without dice in several variables that nothing else needs.
    pub(super) fn one_by_one(
        &mut self,
        node: &'p Node,
        state: &State,
        live: &Live,
    ) -> Result<Option<Values>, Failure> {
        if self.not_one_by_one.contains(&node.id) {
            return Ok(None);
        }
        let Some(vars) = alone_in(node, state, live) else { return Ok(None) };
        let attempt = self.meter.part(ways::SHARE_OF_ATTEMPT);
        let found = self.left_one_by_one(node, state, &vars, &attempt);
        self.meter.join(&attempt).map_err(too_much(node.span))?;
        if found.is_none() {
            self.not_one_by_one.insert(node.id);
        }
        Ok(found)
    }

    fn left_one_by_one(
        &self,
        node: &'p Node,
        state: &State,
        vars: &[Var],
        meter: &Meter,
    ) -> Option<Values> {
        const LOOKED_AT: u64 = 4;
        let mut store = Store::new();
        let columns: Vec<Column> =
            vars.iter().map(|var| column_of(state, *var, &mut store)).collect::<Option<_>>()?;
        let (mut open, root) = self.woven(node, state, (vars, &columns), &mut store)?;
        meter.charge(LOOKED_AT * open.work).ok()?;
        if !open.shares(root) {
            return None;
        }
        let (mut left, mut total) = (vec![(root, Natural::ONE)], Natural::ONE);
        let mut rent = meter.rent();
        for (var, column) in (0u32..).zip(&columns) {
            let mut next = Next::of(&open, var);
            let mut sums: Sums<Id> = Sums::default();
            for (word, times) in column {
                let before = next.work();
                next.set(*word);
                for (id, weight) in &left {
                    sums.add(next.left_of(*id, &mut store)?, weight * times);
                }
                let work = next.work() - before + 4 * left.len() as u64;
                meter.charge(LOOKED_AT * work).ok()?;
                rent.grow(open.bytes() + next.bytes() + store.bytes(), meter).ok()?;
                (sums.list.len() <= ways::MOST_PATHS).then_some(())?;
            }
            total *= column.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
            left = sums.list;
            open = next.into_open();
        }
        let words = left.into_iter().map(|(id, weight)| Some((open.as_word(id)?, weight)));
        let words = words.collect::<Option<Vec<_>>>()?;
        Some(Values::new(Arc::new(store), words, total))
    }

    /// The expression over the open variables.
    fn woven(
        &self,
        node: &'p Node,
        state: &State,
        (vars, columns): (&[Var], &[Column]),
        store: &mut Store,
    ) -> Option<(Open, Id)> {
        let variables: Vec<_> = node.free.iter().map(|local| (local, Kept::No)).collect();
        let answered = &self.bound.answered;
        let program = compile_answered(node, &variables, answered, self.plan, store)?;
        let terms = Runner::new(program.slots).work_out(&program.terms, store);
        let ranges = columns.iter().map(|column| {
            let numbers = || column.iter().map(|(word, _)| word.as_number());
            Some((numbers().min()??, numbers().try_fold(i64::MIN, |most, n| Some(most.max(n?)))?))
        });
        let mut weave = Weave::new(Open::new(ranges.collect()), program.slots, terms);
        for (slot, local) in node.free.iter().enumerate() {
            let value = written(state.locals.get(local.0 as usize)?, vars, &mut weave, store)?;
            weave.set(slot, value);
        }
        weave.woven(&program.code, store)
    }
}

/// The undecided variables that an expression reads, in order, if they are several, and nothing else needs them.
fn alone_in(node: &Node, state: &State, live: &Live) -> Option<Vec<Var>> {
    if state.laws.len() < ways::SEVERAL_NUMBERS {
        return None;
    }
    let mut vars: Vec<Var> = Vec::new();
    for local in node.free.iter() {
        state.locals.get(local.0 as usize)?.visit(&mut |var| {
            if !vars.contains(&var) {
                vars.push(var);
            }
        });
    }
    let size = |var: &Var| match state.laws.get(var.0 as usize)? {
        VarLaw::Number(law) => law.as_table().map(|table| table.count()),
        VarLaw::Values(values) => Some(values.count()),
        VarLaw::Dice(_) => None,
    };
    let all = vars.iter().try_fold(1usize, |all, var| Some(all.saturating_mul(size(var)?)))?;
    if vars.len() < ways::SEVERAL_NUMBERS || all <= ways::FEW_NUMBERS {
        return None;
    }
    let locals = (0u32..).map(LocalId).zip(&state.locals);
    let kept = locals.filter(|(local, _)| live.0.contains(*local)).map(|(_, sym)| sym);
    let mut needed = state.phantom;
    kept.chain(&state.stack).chain(state.frames.iter().flatten()).for_each(|sym| {
        sym.visit(&mut |var| needed |= vars.contains(&var));
    });
    (!needed).then_some(vars)
}

/// The values of a variable with their weights.
fn column_of(state: &State, var: Var, store: &mut Store) -> Option<Column> {
    match state.laws.get(var.0 as usize)? {
        VarLaw::Number(law) => {
            let table = Law::as_table(law)?;
            let value = |(value, weight): (Rational, &Natural)| {
                let number = astragal_value::Value::Number(value.into());
                (store.word(&number), weight.clone())
            };
            Some(table.outcomes().map(value).collect())
        }
        VarLaw::Values(values) => {
            Some(values.outcomes().map(|(value, weight)| (store.word(&value), weight)).collect())
        }
        VarLaw::Dice(_) => None,
    }
}

/// A value over the open variables.
fn written(sym: &Sym, vars: &[Var], weave: &mut Weave, store: &mut Store) -> Option<Id> {
    let place = |var: &Var| vars.iter().position(|known| known == var).map(|at| at as u32);
    match sym {
        Sym::Gone => weave.constant(Word::NONE),
        Sym::Value(value) => {
            let word = store.word(value);
            weave.constant(word)
        }
        Sym::Drawn(var) => weave.expressions().open(place(var)?),
        Sym::Number(form) => {
            let mut terms = Vec::with_capacity(form.terms.len());
            for (var, times) in &form.terms {
                terms.push((weave.expressions().open(place(var)?)?, whole(times)?));
            }
            match terms.as_slice() {
                [(only, 1)] if form.constant.is_zero() => Some(*only),
                _ => weave.expressions().sum(terms, whole(&form.constant)?),
            }
        }
        Sym::List(items) => {
            let items = items.iter().map(|item| written(item, vars, weave, store));
            let items = items.collect::<Option<_>>()?;
            weave.expressions().list(items, store)
        }
        Sym::Record(shape, fields) => {
            let fields = fields.iter().map(|field| written(field, vars, weave, store));
            let fields = fields.collect::<Option<_>>()?;
            let shape = store.shape(shape);
            weave.expressions().record(shape, fields, store)
        }
        Sym::Pool(_) => None,
    }
}

fn whole(number: &Rational) -> Option<i64> {
    astragal_value::Number::from(number.clone()).to_i64()
}
