//! A last state as a template with open places, and the values that its variables may have.

use std::sync::Arc;

use astragal_prob::{Law, Meter, Natural, OverBudget, Rational, Weighted};
use astragal_value::{Number, RecordShape, Value};
use dashu_base::Gcd;

use super::bounds::{Bound, places, ranges};
use crate::state::{Form, State, Sym, Var};
use crate::ways::WINDOW;

/// A state at the end: its result with the variables left open, and its weight.
#[derive(Debug)]
pub(super) struct End {
    pub(super) template: Template,
    /// For each variable its values with their weights.
    pub(super) variables: Vec<Vec<(Number, Natural)>>,
    pub(super) numerator: Natural,
    pub(super) denominator: Natural,
}

/// A value with open places.
#[derive(Debug)]
pub(super) enum Template {
    Fixed(Value),
    /// A constant and multiples of variables, by their place, and the bounds of such a number.
    Open(Number, Vec<(usize, Number)>, Option<Bound>),
    /// A number for each value of the variable at a place.
    Single(usize, Vec<Number>),
    List(Vec<Template>),
    Record(Arc<RecordShape>, Vec<Template>),
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
        let mut making = Making { order: Vec::new(), place: 0, bounds };
        let Some(mut template) = making.template(result) else { return Ok(None) };
        let ranges = match bounds.iter().all(Bound::is_open) {
            true => Vec::new(),
            false => ranges(state, &places(result), bounds, meter)?,
        };
        let mut totals = Natural::ONE;
        let mut variables = Vec::with_capacity(making.order.len());
        for var in making.order {
            let Some(law) = state.law(var) else { return Ok(None) };
            let range = ranges.get(var.0 as usize);
            let (cut, rest) = cut(law, range.unwrap_or(&Bound::default()), meter)?;
            *lost += weight * rest;
            totals *= cut.total;
            let number = |(value, weight): (Rational, Natural)| (Number::from(value), weight);
            variables.push(cut.outcomes.into_iter().map(number).collect());
        }
        template.tabulate(&variables);
        let Ok(numerator) = Natural::try_from(weight.numerator().clone()) else { return Ok(None) };
        // The weights of a law that was split from another one hold a factor of its chance.
        let common = (&numerator).gcd(&totals);
        let denominator = weight.denominator() * (totals / &common);
        Ok(Some(End { template, variables, numerator: numerator / common, denominator }))
    }

    /// Goes through all choices of the variables, the last of which changes fastest.
    pub(super) fn each<'a>(
        &'a self,
        chosen: &mut Vec<(usize, &'a Number)>,
        take: &mut impl FnMut(&[(usize, &'a Number)]),
    ) {
        let Some(values) = self.variables.get(chosen.len()) else { return take(chosen) };
        for (at, (value, _)) in values.iter().enumerate() {
            chosen.push((at, value));
            self.each(chosen, take);
            chosen.pop();
        }
    }

    /// What one choice costs.
    pub(super) fn cost(&self) -> u64 {
        3 + self.variables.len() as u64
    }

    pub(super) fn choices(&self) -> usize {
        self.variables.iter().fold(1, |size, values| size.saturating_mul(values.len()))
    }
}

/// The values of a variable within its range, and the chance of those that had to be given up.
fn cut(
    law: &Law,
    range: &Bound,
    meter: &Meter,
) -> Result<(Weighted<Rational>, Rational), OverBudget> {
    let (low, high) = (range.low.as_ref(), range.high.as_ref());
    if !law.is_endless() || (low.is_some() && high.is_some()) {
        return Ok((law.within(low, high, meter)?, Rational::ZERO));
    }
    let sliver = Rational::ONE / Rational::from(WINDOW);
    let listing = law.listing(&sliver, None, meter)?;
    let first = listing.outcomes.first().map(|(value, _)| value);
    let last = listing.outcomes.last().map(|(value, _)| value);
    Ok((law.within(low.or(first), high.or(last), meter)?, listing.rest))
}

/// A template in the making.
struct Making<'a> {
    /// The variables by their places.
    order: Vec<Var>,
    /// How many numbers came before.
    place: usize,
    bounds: &'a [Bound],
}

impl Making<'_> {
    /// The bounds of the number that comes next.
    fn bound(&mut self) -> Option<Bound> {
        let bound = self.bounds.get(self.place).filter(|bound| !bound.is_open());
        self.place += 1;
        bound.cloned()
    }

    fn template(&mut self, sym: &Sym) -> Option<Template> {
        Some(match sym {
            Sym::Gone => Template::Fixed(Value::None),
            Sym::Value(Value::Number(number)) => {
                if self.bound().is_some_and(|bound| !bound.holds(&number.to_rational())) {
                    return None;
                }
                Template::Fixed(Value::Number(number.clone()))
            }
            Sym::Value(value) => Template::Fixed(value.clone()),
            Sym::Pool(_) | Sym::Drawn(_) => return None,
            Sym::Number(form) => self.open(form),
            Sym::List(_) | Sym::Record(..) if self.bounds.is_empty() && sym.is_decided() => {
                Template::Fixed(sym.to_value()?)
            }
            Sym::List(items) => Template::List(self.parts(items)?),
            Sym::Record(shape, fields) => Template::Record(Arc::clone(shape), self.parts(fields)?),
        })
    }

    fn parts(&mut self, items: &[Sym]) -> Option<Vec<Template>> {
        items.iter().map(|item| self.template(item)).collect()
    }

    fn open(&mut self, form: &Form) -> Template {
        let bound = self.bound();
        let mut terms = Vec::with_capacity(form.terms.len());
        for (var, factor) in &form.terms {
            let place = self.order.iter().position(|known| known == var).unwrap_or_else(|| {
                self.order.push(*var);
                self.order.len() - 1
            });
            terms.push((place, Number::from(factor.clone())));
        }
        Template::Open(Number::from(form.constant.clone()), terms, bound)
    }
}

impl Template {
    /// Works out numbers with one variable for each of its values, once and for all. The variable is within its
    /// range, so these are within their bounds.
    fn tabulate(&mut self, variables: &[Vec<(Number, Natural)>]) {
        match self {
            Template::Fixed(_) | Template::Single(..) => {}
            Template::List(items) | Template::Record(_, items) => {
                items.iter_mut().for_each(|item| item.tabulate(variables));
            }
            Template::Open(constant, terms, _) => {
                let [(place, factor)] = terms.as_slice() else { return };
                let number = |(value, _): &(Number, Natural)| sum(constant, [(factor, value)]);
                *self = Template::Single(*place, variables[*place].iter().map(number).collect());
            }
        }
    }

    /// Whether the variables from `next` to before `count` stand here once each, in their order, and greater
    /// values of each make a greater number.
    pub(super) fn is_ascending(&self, next: &mut usize, count: usize) -> bool {
        fn from(template: &Template, next: &mut usize) -> bool {
            match template {
                Template::Fixed(_) => true,
                Template::Open(..) => false,
                Template::Single(place, numbers) => {
                    let in_turn = *place == *next && numbers.is_sorted_by(|a, b| a < b);
                    *next += 1;
                    in_turn
                }
                Template::List(items) | Template::Record(_, items) => {
                    items.iter().all(|item| from(item, next))
                }
            }
        }
        from(self, next) && *next == count
    }

    /// The value for one choice of the variables; none if a number is out of its bounds.
    pub(super) fn fill(&self, chosen: &[(usize, &Number)]) -> Option<Value> {
        Some(match self {
            Template::Fixed(value) => value.clone(),
            Template::Single(place, numbers) => Value::Number(numbers[chosen[*place].0].clone()),
            Template::Open(constant, terms, bound) => {
                let terms = terms.iter().map(|(place, factor)| (factor, chosen[*place].1));
                let number = sum(constant, terms);
                if bound.as_ref().is_some_and(|bound| !bound.holds(&number.to_rational())) {
                    return None;
                }
                Value::Number(number)
            }
            Template::List(items) => {
                Value::List(items.iter().map(|item| item.fill(chosen)).collect::<Option<_>>()?)
            }
            Template::Record(shape, fields) => {
                let fields = fields.iter().map(|field| field.fill(chosen));
                Value::Record(Arc::clone(shape), fields.collect::<Option<_>>()?)
            }
        })
    }
}

/// A constant and multiples. Numbers have a size that programs keep to; what an outcome is does not depend on it.
fn sum<'a>(
    constant: &Number,
    terms: impl IntoIterator<Item = (&'a Number, &'a Number)> + Clone,
) -> Number {
    let quick = terms.clone().into_iter().try_fold(constant.clone(), |sum, (factor, value)| {
        factor.multiply(value).and_then(|term| sum.add(&term))
    });
    quick.unwrap_or_else(|_| {
        let exact = terms.into_iter().fold(constant.to_rational(), |sum, (factor, value)| {
            sum + factor.to_rational() * value.to_rational()
        });
        Number::from(exact)
    })
}
