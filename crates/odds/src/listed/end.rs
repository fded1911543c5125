//! A last state, and the values that its variables may have.

use std::convert::Infallible;
use std::sync::Arc;

use astragal_prob::{Bound, Meter, Natural, OverBudget, Rational};
use astragal_value::{Number, Value};
use dashu_base::Gcd;

use super::bounds::{may_hold, places, ranges};
use crate::state::{Form, State, Sym, Var};
use crate::ways::WINDOW;

/// A state at the end: its result with the variables left open, and its weight.
#[derive(Debug)]
pub(crate) struct End {
    result: Sym,
    /// The numbers of the result by their places, as far as they are open.
    numbers: Vec<Option<Open>>,
    /// For each variable its values with their weights.
    variables: Vec<Vec<(Number, Natural)>>,
    pub(super) numerator: Natural,
    pub(super) denominator: Natural,
}

/// A number that depends on variables, by their places.
#[derive(Debug)]
enum Open {
    /// On one: a number for each of its values. The variable is within its range, so these are within their bounds.
    Single(usize, Vec<Number>),
    /// A constant and multiples, and the bounds of such a number.
    Sum(Number, Vec<(usize, Number)>, Bound),
}

impl End {
    /// None if nothing of it is within the bounds, or if it holds something that is not decided. Where a variable
    /// cannot be cut by bounds, the chance that is given up is added to `lost`.
    pub(super) fn of(
        state: &State,
        weight: &Rational,
        bounds: &[Bound],
        lost: &mut Rational,
        meter: &Meter,
    ) -> Result<Option<End>, OverBudget> {
        let Some(result) = state.stack.last() else { return Ok(None) };
        let mut decided = true;
        result.leaves(&mut |leaf| decided &= !matches!(leaf, Sym::Pool(_) | Sym::Drawn(_)));
        let numbers = places(result);
        if !decided || !numbers.iter().zip(bounds).all(|(number, bound)| may_hold(bound, number)) {
            return Ok(None);
        }
        let ranges = match bounds.iter().all(Bound::is_open) {
            true => Vec::new(),
            false => ranges(state, &numbers, bounds, meter)?,
        };
        let open = Bound::default();
        let mut order: Vec<Var> = Vec::new();
        let mut variables = Vec::new();
        let mut totals = Natural::ONE;
        for var in numbers.iter().filter_map(|sym| sym.open_form()).flat_map(Form::variables) {
            if order.contains(&var) {
                continue;
            }
            let Some(law) = state.law(var) else { return Ok(None) };
            let range = ranges.get(var.0 as usize).unwrap_or(&open);
            let (cut, rest) = law.cut(range, WINDOW, meter)?;
            *lost += weight * rest;
            totals *= cut.total;
            let number = |(value, weight): (Rational, Natural)| (Number::from(value), weight);
            variables.push(cut.outcomes.into_iter().map(number).collect());
            order.push(var);
        }
        let open = |(at, sym): (usize, &&Sym)| {
            let bound = bounds.get(at).cloned().unwrap_or_default();
            Some(Open::of(sym.open_form()?, &order, &variables, bound))
        };
        let numbers = numbers.iter().enumerate().map(open).collect();
        let Ok(numerator) = Natural::try_from(weight.numerator().clone()) else { return Ok(None) };
        // The weights of a law that was split from another one hold a factor of its chance.
        let common = (&numerator).gcd(&totals);
        let denominator = weight.denominator() * (totals / &common);
        let numerator = numerator / common;
        let result = result.clone();
        Ok(Some(End { result, numbers, variables, numerator, denominator }))
    }

    /// What one choice costs.
    pub(super) fn cost(&self) -> u64 {
        8 + 3 * self.variables.len() as u64 + 2 * self.numbers.len() as u64
    }

    pub(crate) fn choices(&self) -> usize {
        self.variables.iter().fold(1, |size, values| size.saturating_mul(values.len()))
    }

    /// Whether each variable stands at one place, so that no two choices have the same outcome, and greater values
    /// of it make a greater number.
    pub(super) fn is_ascending(&self) -> bool {
        let mut open = self.numbers.iter().flatten();
        let ascending = |open: &Open| match open {
            Open::Single(_, numbers) => numbers.is_sorted_by(|a, b| a < b),
            Open::Sum(..) => false,
        };
        open.clone().count() == self.variables.len() && open.all(ascending)
    }

    /// The weight of all choices together.
    pub(super) fn weight(&self) -> Natural {
        let sum = |values: &Vec<(Number, Natural)>| {
            values.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight)
        };
        self.variables.iter().fold(self.numerator.clone(), |all, values| all * sum(values))
    }

    /// The outcomes of all choices with their weights, in ascending order if it is so.
    pub(crate) fn outcomes(&self) -> Vec<(Value, Natural)> {
        let mut outcomes = Vec::with_capacity(self.choices());
        let _: Result<(), Infallible> = self.each(self.numerator.clone(), &mut |value, weight| {
            outcomes.extend(value.map(|value| (value, weight)));
            Ok(())
        });
        outcomes
    }

    /// Goes through all choices of the variables, the last of which changes fastest: what each comes to, unless a
    /// number is out of its bounds.
    pub(super) fn each<E>(
        &self,
        weight: Natural,
        take: &mut impl FnMut(Option<Value>, Natural) -> Result<(), E>,
    ) -> Result<(), E> {
        self.choose(&mut Vec::with_capacity(self.variables.len()), weight, take)
    }

    fn choose<'a, E>(
        &'a self,
        chosen: &mut Vec<(usize, &'a Number)>,
        weight: Natural,
        take: &mut impl FnMut(Option<Value>, Natural) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(values) = self.variables.get(chosen.len()) else {
            return take(self.fill(chosen), weight);
        };
        for (at, (value, times)) in values.iter().enumerate() {
            chosen.push((at, value));
            self.choose(chosen, &weight * times, take)?;
            chosen.pop();
        }
        Ok(())
    }

    /// The value for one choice of the variables; none if a number is out of its bounds.
    fn fill(&self, chosen: &[(usize, &Number)]) -> Option<Value> {
        self.filled(&self.result, &mut self.numbers.iter(), chosen)
    }

    fn filled(
        &self,
        sym: &Sym,
        numbers: &mut std::slice::Iter<'_, Option<Open>>,
        chosen: &[(usize, &Number)],
    ) -> Option<Value> {
        let mut all = |items: &[Sym]| {
            items.iter().map(|item| self.filled(item, numbers, chosen)).collect::<Option<_>>()
        };
        match sym {
            Sym::List(items) => Some(Value::List(all(items)?)),
            Sym::Record(shape, fields) => Some(Value::Record(Arc::clone(shape), all(fields)?)),
            number if number.is_number() => match numbers.next()? {
                Some(open) => open.fill(chosen).map(Value::Number),
                None => number.to_value(),
            },
            other => other.to_value(),
        }
    }
}

impl Open {
    fn of(form: &Form, order: &[Var], variables: &[Vec<(Number, Natural)>], bound: Bound) -> Open {
        let constant = Number::from(form.constant.clone());
        let terms = form.terms.iter().map(|(var, factor)| {
            let place = order.iter().position(|known| known == var).unwrap_or(0);
            (place, Number::from(factor.clone()))
        });
        let terms: Vec<(usize, Number)> = terms.collect();
        let [(place, factor)] = terms.as_slice() else { return Open::Sum(constant, terms, bound) };
        let number = |(value, _): &(Number, Natural)| sum(&constant, [(factor, value)]);
        Open::Single(*place, variables[*place].iter().map(number).collect())
    }

    fn fill(&self, chosen: &[(usize, &Number)]) -> Option<Number> {
        match self {
            Open::Single(place, numbers) => Some(numbers[chosen[*place].0].clone()),
            Open::Sum(constant, terms, bound) => {
                let terms = terms.iter().map(|(place, factor)| (factor, chosen[*place].1));
                let number = sum(constant, terms);
                (bound.is_open() || bound.holds(&number.to_rational())).then_some(number)
            }
        }
    }
}

/// A constant and multiples.
fn sum<'a>(constant: &Number, terms: impl IntoIterator<Item = (&'a Number, &'a Number)>) -> Number {
    let add = |sum: Number, (factor, value): (&Number, &Number)| sum.plus(&factor.times(value));
    terms.into_iter().fold(constant.clone(), add)
}
