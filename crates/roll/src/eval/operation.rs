//! Pure operations, carrying along what labels contribute.

use astragal_program::core::{Expr, Op};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value, apply, apply_to_words};
use dashu_base::BitTest;

use super::datum::{Datum, size};
use super::label::Shares;
use super::word::Found;
use super::{At, Eval, Interpreter};

impl<'a> Interpreter<'a> {
    pub(super) fn operation(&mut self, span: Span, op: Op, operands: &'a [Expr]) -> Eval<Found> {
        if let [a, b] = operands {
            let a = self.operand(a)?;
            let b = self.operand(b)?;
            if let (Found::Whole(a), Found::Whole(b)) = (&a, &b)
                && let Some(word) = apply_to_words(op, *a, *b)
            {
                self.meter.step(span)?;
                return Ok(word.into());
            }
            return self.of_data(span, op, &[a.into(), b.into()]).map(Found::from);
        }
        let mut data = Vec::with_capacity(operands.len());
        for operand in operands {
            data.push(self.settled(operand)?);
        }
        self.of_data(span, op, &data).map(Found::from)
    }

    /// What [`Interpreter::word`] gives; a number that stands there as such needs no call.
    #[inline]
    fn operand(&mut self, expr: &'a Expr) -> Eval<Found> {
        match self.known(expr) {
            Some(whole) => Ok(Found::Whole(whole)),
            None => self.word(expr),
        }
    }

    fn value_of(&mut self, span: Span, op: Op, values: &[Value]) -> Eval<Value> {
        if let (Op::Append | Op::Sort | Op::Reverse, [Value::List(items), ..]) = (op, values) {
            self.meter.items(items.len(), span)?;
        }
        if let Op::Equal | Op::NotEqual | Op::Join = op {
            // Lists of lists share their items, but are compared and told item by item.
            let items = values.iter().map(|value| size(value, self.meter.most_steps()));
            self.meter.items(items.fold(0, usize::saturating_add), span)?;
        }
        let value = apply(op, values).at(span)?;
        self.meter.items(cost(op, &value), span)?;
        Ok(value)
    }

    fn of_data(&mut self, span: Span, op: Op, data: &[Datum]) -> Eval {
        let values: Vec<Value> =
            data.iter().map(Datum::to_value).collect::<Result<_, _>>().at(span)?;
        let value = self.value_of(span, op, &values)?;
        if data.iter().all(|datum| matches!(datum, Datum::Value(_))) {
            return Ok(Datum::Value(value));
        }
        match (carried(op, data, &value).at(span)?, value) {
            (Some(datum), _) => Ok(datum),
            (None, value) => {
                for datum in data {
                    self.plain(datum.clone()).at(span)?;
                }
                Ok(Datum::Value(value))
            }
        }
    }
}

/// What a result costs beyond one step: a range by its items, a text by its length, a number beyond a
/// word by the time that its fraction takes to reduce.
fn cost(op: Op, value: &Value) -> usize {
    match (op, value) {
        (Op::Range, Value::List(items)) => items.len(),
        (Op::Join, Value::Text(text)) => text.len() / 16,
        (_, Value::Number(number)) if number.to_i64().is_none() => {
            let fraction = number.to_rational();
            let words = (fraction.numerator().bit_len() + fraction.denominator().bit_len()) / 64;
            words + words * words / 256
        }
        _ => 0,
    }
}

/// The result with what labels contribute to it; none where contributions end.
fn carried(op: Op, data: &[Datum], value: &Value) -> Result<Option<Datum>, OpError> {
    match (op, data) {
        (Op::At, [Datum::List(items), index]) => return Ok(item(items, index)),
        (Op::Append, [list, item]) => return append(list, item).map(Some),
        (Op::Sort, [Datum::List(items)]) => return sorted(items).map(Some),
        (Op::Reverse, [Datum::List(items)]) => {
            return Ok(Some(Datum::List(items.iter().rev().cloned().collect())));
        }
        _ => {}
    }
    let Value::Number(result) = value else { return Ok(None) };
    let shares = match (op, data) {
        (Op::Add, [a, b]) => Some(shares(a).plus(&shares(b))?),
        (Op::Subtract, [a, b]) => Some(shares(a).plus(&shares(b).times(&minus_one())?)?),
        (Op::Negate, [a]) => Some(shares(a).times(&minus_one())?),
        (Op::Multiply, [a, Datum::Value(Value::Number(by))])
        | (Op::Multiply, [Datum::Value(Value::Number(by)), a]) => Some(shares(a).times(by)?),
        (Op::Divide, [a, Datum::Value(Value::Number(by))]) => {
            Some(shares(a).times(&Number::ONE.divide(by)?)?)
        }
        (Op::Abs, [Datum::Labelled(number, shares)]) => {
            let sign = if number.is_negative() { minus_one() } else { Number::ONE };
            Some(shares.times(&sign)?)
        }
        (Op::Floor | Op::Ceil | Op::Round, [Datum::Labelled(number, shares)])
        | (Op::FloorDivide, [Datum::Labelled(number, shares), Datum::Value(_)]) => {
            shares.whole_of(number).map(|label| Shares::one(label, result.clone()))
        }
        (Op::Min | Op::Max, operands) => Some(chosen(operands, result)?),
        _ => None,
    };
    Ok(shares.map(|shares| Datum::Labelled(result.clone(), shares)))
}

fn minus_one() -> Number {
    Number::from(-1)
}

fn shares(datum: &Datum) -> Shares {
    match datum {
        Datum::Labelled(_, shares) => shares.clone(),
        Datum::Value(_) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => Shares::default(),
    }
}

/// The contributions of the operand that was chosen; those of the others are zero.
fn chosen(operands: &[Datum], result: &Number) -> Result<Shares, OpError> {
    let mut all = Shares::default();
    for operand in operands {
        all = all.plus(&shares(operand).times(&Number::ZERO)?)?;
    }
    let number = |datum: &Datum| match datum {
        Datum::Labelled(number, _) => Some(number.clone()),
        Datum::Value(value) => value.as_number().cloned(),
        Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => None,
    };
    let winner = operands.iter().find(|operand| number(operand).as_ref() == Some(result));
    winner.map_or(Ok(all.clone()), |winner| all.plus(&shares(winner)))
}

fn item(items: &[Datum], index: &Datum) -> Option<Datum> {
    let index = index.to_value().ok()?.as_number()?.to_i64()?;
    items.get(usize::try_from(index).ok()?.checked_sub(1)?).cloned()
}

fn sorted(items: &[Datum]) -> Result<Datum, OpError> {
    let keyed = items.iter().map(|item| Ok((item.to_value()?, item.clone())));
    let mut keyed: Vec<(Value, Datum)> = keyed.collect::<Result<_, OpError>>()?;
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Datum::List(keyed.into_iter().map(|(_, item)| item).collect()))
}

fn append(list: &Datum, item: &Datum) -> Result<Datum, OpError> {
    let mut items: Vec<Datum> = match list {
        Datum::List(items) => items.to_vec(),
        Datum::Value(Value::List(items)) => items.iter().cloned().map(Datum::Value).collect(),
        Datum::Value(_) | Datum::Labelled(..) | Datum::Record(..) | Datum::Pool(_) => {
            return Err(OpError::Mismatch);
        }
    };
    items.push(item.clone());
    Ok(Datum::List(items.into()))
}
