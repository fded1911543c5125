//! Values that may hold undecided numbers and dice.

use std::sync::Arc;

use astragal_prob::pool::{Condition, Stage};
use astragal_value::{Number, RecordShape, Value};

use super::form::{Form, Var};

/// A value in a state. Lists and records are always spread out, so that each number in them is a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sym {
    /// Not needed any more, or never asked for.
    Gone,
    /// A decided number, truth, text, variant or none.
    Value(Value),
    /// A number that depends on variables.
    Number(Form),
    /// A list.
    List(Vec<Sym>),
    /// A record.
    Record(Arc<RecordShape>, Vec<Sym>),
    /// Dice.
    Pool(PoolRef),
    /// Anything but a number, undecided as a whole.
    Drawn(Var),
}

impl Sym {
    /// About how many values it holds: the items of a list are taken to be like its last.
    pub(crate) fn breadth(&self) -> usize {
        match self {
            Sym::Gone | Sym::Number(_) | Sym::Pool(_) | Sym::Drawn(_) => 1,
            Sym::Value(value) => breadth(value),
            Sym::List(items) | Sym::Record(_, items) => {
                let last = items.last().map_or(0, Sym::breadth);
                1 + last.saturating_mul(items.len())
            }
        }
    }
}

fn breadth(value: &Value) -> usize {
    match value {
        Value::Text(text) => 1 + text.len() / 16,
        Value::List(items) | Value::Record(_, items) => {
            let last = items.last().map_or(0, breadth);
            1 + last.saturating_mul(items.len())
        }
        _ => 1,
    }
}

/// Dice on the table, and what is done to them for this use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PoolRef {
    /// The dice.
    pub(crate) var: Var,
    /// Suffixes since they were bound.
    pub(crate) later: Vec<Stage>,
    /// Marks for (+1) and against (−1); none: the pool is worth its sum.
    pub(crate) marks: Vec<(Condition, i8)>,
}

impl Sym {
    pub(crate) fn truth(truth: bool) -> Sym {
        Sym::Value(Value::Bool(truth))
    }

    /// A number, decided if the form has no variables.
    pub(crate) fn number(form: Form) -> Sym {
        if form.terms.is_empty() {
            Sym::Value(Value::Number(Number::from(form.constant)))
        } else {
            Sym::Number(form)
        }
    }

    /// The number as a form; none if it is not a number.
    pub(crate) fn as_form(&self) -> Option<Form> {
        match self {
            Sym::Value(Value::Number(n)) => Some(Form::constant(n.to_rational())),
            Sym::Number(form) => Some(form.clone()),
            _ => None,
        }
    }

    /// Spreads a finished value out.
    pub(crate) fn from_value(value: &Value) -> Sym {
        match value {
            Value::List(items) => Sym::List(items.iter().map(Sym::from_value).collect()),
            Value::Record(shape, fields) => {
                Sym::Record(Arc::clone(shape), fields.iter().map(Sym::from_value).collect())
            }
            single => Sym::Value(single.clone()),
        }
    }

    /// The finished value, if all of it is decided. What nobody asked for reads as none.
    pub(crate) fn to_value(&self) -> Option<Value> {
        Some(match self {
            Sym::Gone => Value::None,
            Sym::Value(value) => value.clone(),
            Sym::Number(_) | Sym::Pool(_) | Sym::Drawn(_) => return None,
            Sym::List(items) => {
                Value::List(items.iter().map(Sym::to_value).collect::<Option<_>>()?)
            }
            Sym::Record(shape, fields) => Value::Record(
                Arc::clone(shape),
                fields.iter().map(Sym::to_value).collect::<Option<_>>()?,
            ),
        })
    }

    /// Whether it is a number, decided or not.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Sym::Number(_) | Sym::Value(Value::Number(_)))
    }

    /// Whether each undecided number in it is a multiple of one variable, and a constant.
    pub(crate) fn has_single_terms(&self) -> bool {
        match self {
            Sym::Gone | Sym::Value(_) | Sym::Pool(_) | Sym::Drawn(_) => true,
            Sym::Number(form) => form.terms.len() < 2,
            Sym::List(items) | Sym::Record(_, items) => items.iter().all(Sym::has_single_terms),
        }
    }

    /// Whether it is a finished value.
    pub(crate) fn is_decided(&self) -> bool {
        match self {
            Sym::Value(_) => true,
            Sym::Gone | Sym::Number(_) | Sym::Pool(_) | Sym::Drawn(_) => false,
            Sym::List(items) | Sym::Record(_, items) => items.iter().all(Sym::is_decided),
        }
    }

    /// Calls `see` with each variable in it, in order.
    pub(crate) fn visit(&self, see: &mut impl FnMut(Var)) {
        match self {
            Sym::Gone | Sym::Value(_) => {}
            Sym::Number(form) => form.variables().for_each(see),
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter().for_each(|item| item.visit(see));
            }
            Sym::Pool(pool) => see(pool.var),
            Sym::Drawn(var) => see(*var),
        }
    }

    /// Replaces each undecided number.
    pub(crate) fn map_forms(&mut self, change: &impl Fn(&Form) -> Form) {
        match self {
            Sym::Gone | Sym::Value(_) | Sym::Pool(_) | Sym::Drawn(_) => {}
            Sym::Number(form) => *self = Sym::number(change(form)),
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter_mut().for_each(|item| item.map_forms(change));
            }
        }
    }

    /// Puts a value in place of a variable that stands for a whole value.
    pub(crate) fn draw(&mut self, var: Var, value: &Value) {
        match self {
            Sym::Drawn(drawn) if *drawn == var => *self = Sym::from_value(value),
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter_mut().for_each(|item| item.draw(var, value));
            }
            Sym::Gone | Sym::Value(_) | Sym::Number(_) | Sym::Pool(_) | Sym::Drawn(_) => {}
        }
    }

    /// Renames its variables.
    pub(crate) fn rename(&mut self, name: &impl Fn(Var) -> Var) {
        match self {
            Sym::Gone | Sym::Value(_) => {}
            Sym::Number(form) => *form = form.renamed(name),
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter_mut().for_each(|item| item.rename(name));
            }
            Sym::Pool(pool) => pool.var = name(pool.var),
            Sym::Drawn(var) => *var = name(*var),
        }
    }

    /// Calls `see` with each number in it, decided or not.
    pub(crate) fn numbers<'a>(&'a mut self, see: &mut impl FnMut(&'a mut Sym)) {
        match self {
            Sym::Gone | Sym::Pool(_) | Sym::Drawn(_) => {}
            Sym::Number(_) | Sym::Value(Value::Number(_)) => see(self),
            Sym::Value(_) => {}
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter_mut().for_each(|item| item.numbers(see));
            }
        }
    }
}
