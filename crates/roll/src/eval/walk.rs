//! Going through the faces that dice show, with a carried value.

use std::collections::BTreeMap;

use astragal_program::core::{Expr, LocalId};
use astragal_value::{Number, Value};

use super::datum::Datum;
use super::variable::fixed;
use super::{Eval, Interpreter};

/// The variables of a step.
pub(super) struct Met<'a> {
    pub(super) carry: LocalId,
    pub(super) face: LocalId,
    pub(super) counts: &'a [LocalId],
}

impl<'a> Interpreter<'a> {
    pub(super) fn walk(
        &mut self,
        pools: &'a [Expr],
        down: bool,
        first: &'a Expr,
        met: &Met<'_>,
        body: &'a Expr,
    ) -> Eval {
        let mut faces: BTreeMap<Number, Vec<i64>> = BTreeMap::new();
        for (number, pool) in pools.iter().enumerate() {
            let thrown = self.pool(pool)?;
            self.meter.items(thrown.dice.len(), pool.span)?;
            for die in thrown.dice.list(self.recorder.dice()).iter() {
                let counts = faces.entry(die.shows.clone());
                counts.or_insert_with(|| vec![0; pools.len()])[number] += 1;
            }
        }
        let mut carried = self.eval(first)?;
        let mut steps: Vec<(Number, Vec<i64>)> = faces.into_iter().collect();
        if down {
            steps.reverse();
        }
        // The dice are shown; the arithmetic of each step would only bury them.
        let record = std::mem::replace(&mut self.recorder.on, false);
        for (face, counts) in steps {
            self.set(met.carry, fixed(carried, None));
            self.set(met.face, Datum::Value(Value::Number(face)));
            for (local, count) in met.counts.iter().zip(counts) {
                self.set(*local, Datum::Value(Value::Number(count.into())));
            }
            carried = self.eval(body)?;
        }
        self.recorder.on = record;
        Ok(carried)
    }
}
