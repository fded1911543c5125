//! Doing to all values of an undecided variable at once what needs no dice.
//!
//! ```text
//! let best = best_set(20d10); [best.size, best.face]
//! ```
//!
//! `best` is one variable with a hundred values. The list depends on nothing else that is undecided, and
//! nothing else depends on `best`, so the list is one variable too, and its law is worked out value by value
//! without any states. Where that does not hold, the variable is decided where it is read.

use astragal_prob::Rational;

use super::{Live, Machine, Outcome, forget};
use crate::code::{Kept, Runner, Store, compile_answered};
use crate::failure::Failure;
use crate::plan::{Kind, Node};
use crate::state::{State, States, Sym, Values, Var, VarLaw};
use crate::ways;

/// What it costs to take up a value and to add up what comes of it, in steps of the budget.
const VALUE: u64 = 10;

impl<'p> Machine<'p> {
    /// Runs an expression and decides its value if that is undecided as a whole: what is made of it is not
    /// plain.
    pub(crate) fn run(&mut self, node: &'p Node, states: States, live: &Live) -> Outcome {
        let states = self.run_open(node, states, live)?;
        let drawn = |(state, _): &(State, _)| matches!(state.stack.last(), Some(Sym::Drawn(_)));
        if states.list.iter().any(drawn) {
            return self.decided(states, 1, node.span);
        }
        Ok(states)
    }

    /// Takes the states for which an expression could be done on all values at once, and does it.
    #[inline(never)]
    pub(super) fn run_on_values(
        &mut self,
        node: &'p Node,
        states: &mut States,
        live: &Live,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let mut done = Vec::new();
        let is_leaf = matches!(node.kind, Kind::Local(_) | Kind::Constant(_) | Kind::Nothing);
        if is_leaf || !states.list.iter().any(|(state, _)| may_be_plain(state)) {
            return Ok(done);
        }
        for (mut state, weight) in std::mem::take(&mut states.list) {
            let meter = self.meter;
            let mut found = meter.by(ways::ON_VALUES, || self.on_values(node, &state, live))?;
            if found.is_none() {
                found = meter.by(ways::ONE_BY_ONE, || self.one_by_one(node, &state, live))?;
            }
            match found {
                Some(values) => {
                    forget(&mut state, live);
                    let value = state.draw(values.into());
                    state.stack.push(value);
                    done.push((state, weight));
                }
                None => states.list.push((state, weight)),
            }
        }
        Ok(done)
    }

    /// The law of an expression without dice in one variable that nothing else needs.
    fn on_values(
        &self,
        node: &'p Node,
        state: &State,
        live: &Live,
    ) -> Result<Option<Values>, Failure> {
        let Some(var) = only_drawn(node, state) else { return Ok(None) };
        let mut after = state.clone();
        forget(&mut after, live);
        if after.mentions(&[var]) {
            return Ok(None);
        }
        let Some(values) = state.values(var) else { return Ok(None) };
        let mut store = Store::clone(values.store());
        let variables: Vec<_> = node.free.iter().map(|local| (local, Kept::No)).collect();
        let answered = &self.bound.answered;
        let program = compile_answered(node, &variables, answered, self.plan, &mut store);
        let Some(program) = program else { return Ok(None) };
        let mut runner = Runner::new(program.slots);
        let mut drawn = Vec::new();
        for (slot, local) in node.free.iter().enumerate() {
            match state.locals[local.0 as usize].to_value() {
                Some(value) => runner.set(slot, store.word(&value)),
                None => drawn.push(slot),
            }
        }
        let mut paid = Ok(());
        let mapped = values.map_in(store, |word, store| {
            let folded = std::mem::take(&mut runner.folded);
            paid = self.pay(VALUE + program.code.size() + folded, node.span);
            paid.as_ref().ok()?;
            drawn.iter().for_each(|slot| runner.set(*slot, word));
            runner.begin();
            runner.run(&program.code, store)
        });
        paid.map(|()| mapped)
    }
}

/// The only undecided variable that an expression reads, if it is a whole value.
fn only_drawn(node: &Node, state: &State) -> Option<Var> {
    let mut only = None;
    for local in node.free.iter() {
        match state.locals.get(local.0 as usize)? {
            Sym::Drawn(var) if only.is_none_or(|only| only == *var) => only = Some(*var),
            sym if sym.is_decided() => {}
            _ => return None,
        }
    }
    only
}

/// Whether a state has a variable that is undecided as a whole, or several numbers that are undecided.
fn may_be_plain(state: &State) -> bool {
    state.laws.len() >= ways::SEVERAL_NUMBERS
        || state.laws.iter().any(|law| matches!(law, VarLaw::Values(_)))
}
