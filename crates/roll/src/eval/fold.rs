//! Going through a list with a carried value.

use astragal_program::core::{Expr, LocalId};
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::variable::fixed;
use super::{At, Eval, Interpreter};

impl<'a> Interpreter<'a> {
    pub(super) fn fold(
        &mut self,
        list: &'a Expr,
        first: &'a Expr,
        carry: LocalId,
        item: LocalId,
        body: &'a Expr,
    ) -> Eval {
        let items: Vec<Datum> = match self.eval(list)? {
            Datum::Value(Value::List(items)) => items.iter().cloned().map(Datum::Value).collect(),
            Datum::List(items) => items.to_vec(),
            Datum::Value(_) | Datum::Labelled(..) | Datum::Record(..) | Datum::Pool(_) => {
                return Err(OpError::Mismatch).at(list.span);
            }
        };
        let mut carried = self.eval(first)?;
        for datum in items {
            self.set(carry, fixed(carried, None));
            self.set(item, datum);
            carried = self.eval(body)?;
        }
        Ok(carried)
    }
}
