//! Labels: what each contributes to the result.
//!
//! `2d6[fire]*2 + d4[cold]` on 3, 4, 1 is 15: fire contributes 14, cold 1. A number carries its labels'
//! contributions through sums and multiples; a comparison or another bend ends them, and the last
//! contribution that was known is reported unless the result carries another.

use std::rc::Rc;
use std::sync::Arc;

use astragal_program::core::{Expr, Kind, Reading};
use astragal_value::{Number, OpError, Value};

use super::datum::Datum;
use super::{At, Eval, Interpreter};
use crate::explanation::Aside;
use crate::recorder::Behind;
use crate::steps::Labels;

/// What each label contributes to a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares(Rc<Vec<(Arc<str>, Number)>>);

impl Shares {
    pub(super) fn zero(labels: &[Arc<str>]) -> Shares {
        Shares(Rc::new(labels.iter().map(|label| (label.clone(), Number::ZERO)).collect()))
    }

    pub(super) fn one(label: Arc<str>, number: Number) -> Shares {
        Shares(Rc::new(vec![(label, number)]))
    }

    pub(super) fn add(&mut self, label: &Arc<str>, number: &Number) -> Result<(), OpError> {
        let shares = Rc::make_mut(&mut self.0);
        match shares.iter_mut().find(|(known, _)| known == label) {
            Some((_, sum)) => *sum = sum.add(number)?,
            None => shares.push((label.clone(), number.clone())),
        }
        Ok(())
    }

    pub(super) fn plus(&self, other: &Shares) -> Result<Shares, OpError> {
        let mut sum = self.clone();
        for (label, number) in other.0.iter() {
            sum.add(label, number)?;
        }
        Ok(sum)
    }

    pub(super) fn times(&self, by: &Number) -> Result<Shares, OpError> {
        let scaled = self.0.iter().map(|(label, n)| Ok((label.clone(), n.multiply(by)?)));
        Ok(Shares(Rc::new(scaled.collect::<Result<_, OpError>>()?)))
    }

    /// The label that alone makes up the whole number: what is made of the number is made of it.
    pub(super) fn whole_of(&self, number: &Number) -> Option<Arc<str>> {
        match self.0.as_slice() {
            [(label, share)] if share == number => Some(label.clone()),
            _ => None,
        }
    }

    pub(super) fn listed(&self) -> Labels {
        self.0.as_slice().into()
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter().map(|(label, _)| label)
    }
}

impl Aside {
    /// The last known contribution of every label, in the order of their first appearance.
    pub(super) fn know(&mut self, shares: &Shares) {
        for (label, number) in shares.0.iter() {
            match self.labels.iter_mut().find(|(known, _)| known == label) {
                Some((_, last)) => *last = number.clone(),
                None => self.labels.push((label.clone(), number.clone())),
            }
        }
    }

    /// Remembers that the label appeared, in case nothing of it reaches the result.
    fn meet(&mut self, label: &Arc<str>) {
        if !self.labels.iter().any(|(known, _)| known == label) {
            self.labels.push((label.clone(), Number::ZERO));
        }
    }
}

impl<'a> Interpreter<'a> {
    pub(super) fn labelled(&mut self, label: &'a Arc<str>, value: &'a Expr) -> Eval {
        self.recorder.aside().meet(label);
        let first = self.recorder.dice().next();
        let datum = match &value.kind {
            Kind::Read { pool, reading: Reading::Total } => self.label_dice(label, pool)?,
            _ => self.eval(value)?,
        };
        self.recorder.label(Behind::Total(first, self.recorder.dice().next()), label);
        match datum.settle().at(value.span)? {
            Datum::Value(Value::Number(number)) => {
                Ok(Datum::Labelled(number.clone(), Shares::one(label.clone(), number)))
            }
            Datum::Labelled(number, mut shares) => {
                shares.add(label, &number).at(value.span)?;
                Ok(Datum::Labelled(number, shares))
            }
            other @ (Datum::Value(_) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_)) => {
                Ok(other)
            }
        }
    }

    /// Puts the label on the dice of a pool, which may lie on the table already.
    fn label_dice(&mut self, label: &Arc<str>, pool: &'a Expr) -> Eval {
        let datum = self.eval(pool)?;
        if let Datum::Pool(pool) = &datum {
            for die in pool.dice.list(self.recorder.dice()).iter() {
                self.recorder.label(die.behind, label);
            }
        }
        Ok(datum)
    }
}
