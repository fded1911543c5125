//! Values that may hold undecided numbers and dice.

use std::sync::Arc;

use astragal_prob::pool::{Condition, Stage};
use astragal_value::{Number, RecordShape, Value};

use super::{Form, Var};

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

    /// The form of a number that is undecided.
    pub(crate) fn open_form(&self) -> Option<&Form> {
        match self {
            Sym::Number(form) => Some(form),
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

    /// Whether it is a finished value.
    pub(crate) fn is_decided(&self) -> bool {
        match self {
            Sym::List(items) | Sym::Record(_, items) => items.iter().all(Sym::is_decided),
            leaf => matches!(leaf, Sym::Value(_)),
        }
    }

    /// Calls `see` with each part that is no list and no record, in order.
    pub(crate) fn leaves<'a>(&'a self, see: &mut impl FnMut(&'a Sym)) {
        match self {
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter().for_each(|item| item.leaves(see));
            }
            leaf => see(leaf),
        }
    }

    pub(crate) fn leaves_mut<'a>(&'a mut self, see: &mut impl FnMut(&'a mut Sym)) {
        match self {
            Sym::List(items) | Sym::Record(_, items) => {
                items.iter_mut().for_each(|item| item.leaves_mut(see));
            }
            leaf => see(leaf),
        }
    }

    /// Calls `see` with each variable in it, in order.
    pub(crate) fn visit(&self, see: &mut impl FnMut(Var)) {
        self.leaves(&mut |leaf| match leaf {
            Sym::Number(form) => form.variables().for_each(&mut *see),
            Sym::Pool(PoolRef { var, .. }) | Sym::Drawn(var) => see(*var),
            Sym::Gone | Sym::Value(_) | Sym::List(_) | Sym::Record(..) => {}
        });
    }

    /// Replaces each undecided number.
    pub(crate) fn map_forms(&mut self, change: &impl Fn(&Form) -> Form) {
        self.leaves_mut(&mut |leaf| {
            if let Sym::Number(form) = leaf {
                *leaf = Sym::number(change(form));
            }
        });
    }

    /// Puts a value in place of a variable that stands for a whole value.
    pub(crate) fn draw(&mut self, var: Var, value: &Value) {
        self.leaves_mut(&mut |leaf| {
            if matches!(leaf, Sym::Drawn(drawn) if *drawn == var) {
                *leaf = Sym::from_value(value);
            }
        });
    }

    /// Renames its variables.
    pub(crate) fn rename(&mut self, name: &impl Fn(Var) -> Var) {
        self.leaves_mut(&mut |leaf| match leaf {
            Sym::Number(form) => *form = form.renamed(name),
            Sym::Pool(PoolRef { var, .. }) | Sym::Drawn(var) => *var = name(*var),
            Sym::Gone | Sym::Value(_) | Sym::List(_) | Sym::Record(..) => {}
        });
    }
}
