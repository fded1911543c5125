//! What depends on several undecided variables and needs no dice, worked out for all their values at once.
//!
//! ```text
//! let a = 5d10kh1; let b = 4d12kh1; let c = 6d8kh1
//! if a > b and a > c then 1 else if b > a and b > c then 2 else 3
//! ```
//!
//! Question by question, each answer would split the laws of two of the three numbers, and a state would be
//! copied for each part. But all three together have 960 values, and nothing else needs them: so the expression
//! is run as code for each of these. Of the variable with the most values ranges are tried first, for mostly only
//! a comparison looks at it ([`crate::plain::Reach`]). Where there are too many values the states do better:
//! they can leave numbers undecided.

use std::sync::Arc;

use astragal_prob::{Natural, Rational};
use astragal_value::{Number, Value};

use super::{Live, Machine, forget};
use crate::failure::Failure;
use crate::plain::{Kept, Program, Reach, Runner, Store, Sums, Word, compile};
use crate::plan::{Kind, Node};
use crate::state::{State, Sym, Values, Var, VarLaw};

/// More combinations of values than this are left to the states,
const MOST: usize = 20_000;
/// and more than this if all of them are numbers, which the states can leave undecided.
const MOST_OF_NUMBERS: usize = 2_000;

/// A range of fewer values is not tried.
const SHORTEST: usize = 16;

/// An undecided variable: where its values go, and the values with their weights.
struct Column {
    slot: usize,
    words: Vec<Word>,
    weights: Vec<Natural>,
    /// The values as numbers in ascending order, if they all are.
    numbers: Vec<i64>,
    /// The weights before each value, added up.
    sums: Vec<Natural>,
}

/// An expression as code, and what has come of it so far.
struct Work<'a> {
    program: &'a Program,
    columns: &'a [Column],
    store: Store,
    runner: Runner,
    sums: Sums,
    /// How many ranges were tried, and in how many all values were alike.
    ranges: (u32, u32),
    /// The steps of the budget that folds took.
    folded: u64,
}

impl<'p> Machine<'p> {
    /// The law of an expression without dice in several variables that nothing else needs.
    pub(super) fn on_several(
        &self,
        node: &'p Node,
        state: &State,
        live: &Live,
    ) -> Result<Option<Values>, Failure> {
        if is_simple(node) || !node.is_still() {
            return Ok(None);
        }
        let Some((found, size)) = undecided(node, state) else { return Ok(None) };
        let mut after = state.clone();
        forget(&mut after, live);
        if after.mentions(&found.iter().map(|(_, var)| *var).collect::<Vec<_>>()) {
            return Ok(None);
        }
        let mut store = Store::new();
        let locals: Vec<_> = node.free.iter().collect();
        let variables: Vec<_> = locals.iter().map(|local| (*local, Kept::No)).collect();
        let Some(program) = compile(node, &variables, self.plan, &mut store) else {
            return Ok(None);
        };
        let cost = 4 + program.code.size();
        self.pay(cost.saturating_mul(size as u64), node.span)?;
        let mut runner = Runner::new(program.slots);
        let mut columns = Vec::with_capacity(found.len());
        let mut total = Natural::ONE;
        for (slot, local) in locals.iter().enumerate() {
            let Some(sym) = state.locals.get(local.0 as usize) else { return Ok(None) };
            if let Some(value) = sym.to_value() {
                runner.set(slot, store.word(&value));
                continue;
            }
            let Some((column, own)) = column_of(slot, sym, state, &mut store) else {
                return Ok(None);
            };
            total *= own;
            columns.push(column);
        }
        columns.sort_by_key(|column| (!column.numbers.is_empty(), column.words.len()));
        let mut work = Work {
            program: &program,
            columns: &columns,
            store,
            runner,
            sums: Sums::default(),
            ranges: (0, 0),
            folded: 0,
        };
        let done = work.each(0, &Natural::ONE);
        self.pay(work.folded, node.span)?;
        Ok(done.map(|()| Values::new(Arc::new(work.store), work.sums.list, total)))
    }
}

/// Sums, comparisons and lists are done on the laws themselves.
fn is_simple(node: &Node) -> bool {
    match &node.kind {
        Kind::If { .. } | Kind::Let { .. } | Kind::Call { .. } | Kind::Enter { .. } => false,
        Kind::Operation { operands, .. }
        | Kind::List(operands)
        | Kind::Record { fields: operands, .. } => operands.iter().all(is_simple),
        _ => true,
    }
}

/// The undecided variables that an expression reads, each in one place, with the number of combinations of their
/// values; none if there are fewer than two, or one of them is something else.
fn undecided(node: &Node, state: &State) -> Option<(Vec<(usize, Var)>, usize)> {
    let mut found: Vec<(usize, Var)> = Vec::new();
    let (mut size, mut most) = (1usize, MOST_OF_NUMBERS);
    for local in node.free.iter() {
        let at = local.0 as usize;
        let var = match state.locals.get(at)? {
            Sym::Drawn(var) => *var,
            Sym::Number(form) if form.terms.len() == 1 => form.terms[0].0,
            sym if sym.is_decided() => continue,
            _ => return None,
        };
        if found.iter().any(|(_, known)| *known == var) {
            return None;
        }
        let count = match state.laws.get(var.0 as usize)? {
            VarLaw::Number(law) => law.as_table()?.count(),
            VarLaw::Values(values) => {
                most = MOST;
                values.count()
            }
            VarLaw::Dice(_) => return None,
        };
        size = size.checked_mul(count).filter(|size| *size <= MOST)?;
        found.push((at, var));
    }
    (found.len() > 1 && size <= most).then_some((found, size))
}

/// The values of a variable, and the sum of their weights.
fn column_of(
    slot: usize,
    sym: &Sym,
    state: &State,
    store: &mut Store,
) -> Option<(Column, Natural)> {
    let mut list: Vec<(Word, Natural)> = Vec::new();
    let total = match sym {
        Sym::Drawn(var) => {
            let values = state.values(*var)?;
            list.extend(values.outcomes().map(|(value, weight)| (store.word(&value), weight)));
            values.total().clone()
        }
        Sym::Number(form) => {
            let [(var, factor)] = form.terms.as_slice() else { return None };
            let VarLaw::Number(law) = state.laws.get(var.0 as usize)? else { return None };
            let table = law.as_table()?;
            let plain = *factor == Rational::ONE && form.constant.is_zero();
            for (value, weight) in table.outcomes() {
                let value = if plain { value } else { value * factor + &form.constant };
                let value = Value::Number(Number::from(value));
                list.push((store.word(&value), weight.clone()));
            }
            table.total().clone()
        }
        _ => return None,
    };
    let is_whole = list.iter().all(|(word, _)| word.as_number().is_some());
    if is_whole {
        list.sort_by_key(|(word, _)| word.as_number());
    }
    let (words, weights): (Vec<Word>, Vec<Natural>) = list.into_iter().unzip();
    let (mut numbers, mut sums) = (Vec::new(), Vec::new());
    if is_whole {
        numbers.extend(words.iter().filter_map(|word| word.as_number()));
        let mut sum = Natural::ZERO;
        for weight in &weights {
            sums.push(sum.clone());
            sum += weight;
        }
        sums.push(sum);
    }
    Some((Column { slot, words, weights, numbers, sums }, total))
}

impl Work<'_> {
    /// Tries all values of the columns from this one on. None if the expression is not plain for some of them.
    fn each(&mut self, at: usize, weight: &Natural) -> Option<()> {
        let columns = self.columns;
        let column = columns.get(at)?;
        if at + 1 == columns.len() {
            let all = column.words.len();
            if column.numbers.is_empty() {
                return self.one_by_one(column, 0, all, weight);
            }
            return self.in_ranges(column, 0, all, weight);
        }
        for (word, part) in column.words.iter().zip(&column.weights) {
            self.runner.set(column.slot, *word);
            self.each(at + 1, &(weight * part))?;
        }
        Some(())
    }

    /// Tries the values of the last column from one place to another, as few ranges of them as may be.
    fn in_ranges(
        &mut self,
        column: &Column,
        from: usize,
        to: usize,
        weight: &Natural,
    ) -> Option<()> {
        let (tried, alike) = self.ranges;
        if to - from < SHORTEST || tried > 64 && alike * 8 < tried {
            return self.one_by_one(column, from, to, weight);
        }
        self.ranges.0 += 1;
        let range = Reach::Moved(column.numbers[from], column.numbers[to - 1], 0);
        let reach = self.runner.reach(&self.program.code, column.slot, range, &mut self.store);
        if let Some(Reach::Word(word)) = reach {
            self.ranges.1 += 1;
            self.folded += std::mem::take(&mut self.runner.folded);
            let sum = &column.sums[to] - &column.sums[from];
            self.sums.add(word, weight * sum);
            return Some(());
        }
        let middle = from.midpoint(to);
        self.in_ranges(column, from, middle, weight)?;
        self.in_ranges(column, middle, to, weight)
    }

    fn one_by_one(
        &mut self,
        column: &Column,
        from: usize,
        to: usize,
        weight: &Natural,
    ) -> Option<()> {
        for at in from..to {
            self.runner.set(column.slot, column.words[at]);
            self.runner.begin();
            let value = self.runner.run(&self.program.code, &mut self.store)?;
            self.folded += self.runner.folded;
            self.sums.add(value, weight * &column.weights[at]);
        }
        Some(())
    }
}
