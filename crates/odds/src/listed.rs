//! The outcomes of finite states, one by one.
//!
//! `[6d6kh1, 6d6kh1, 6d6kh1]` ends in one state with three independent variables and has 216 outcomes. What
//! differs from outcome to outcome are three numbers and a weight, so a state is made a template once and
//! filled in for each choice of its variables. Weights are whole numbers over one denominator for
//! all states: nothing is reduced until somebody asks for a chance ([`Outcomes`]).
//!
//! Where each variable stands at one place of one result, as here, no two choices have the same outcome, and they come
//! in order. Such outcomes are a [`Product`]: their weights are known, their values are spelled out when they
//! are asked for.

use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

use astragal_prob::{Meter, Natural, Rational};
use astragal_program::fault::FaultKind;
use astragal_value::{Number, RecordShape, Value};
use dashu_base::Gcd;

use crate::failure::over_budget;
use crate::outcomes::Outcomes;
use crate::state::{Form, State, States, Sym, Var};

/// The outcomes, and the chance of all of them together. None if a variable is endless, if there are far
/// more choices than outcomes allowed, or if a state holds something that is not decided.
pub(crate) fn listed(
    states: &States,
    most: usize,
    meter: &Meter,
) -> Result<Option<(Outcomes, Rational)>, FaultKind> {
    let mut ends = Vec::with_capacity(states.list.len());
    let mut common = Natural::ONE;
    let mut size: usize = 0;
    for (state, weight) in &states.list {
        let Some(end) = End::of(state, weight) else { return Ok(None) };
        size = size.saturating_add(end.choices());
        common = common_multiple(common, &end.denominator);
        ends.push(end);
    }
    if size > most.saturating_mul(4) {
        return Ok(None);
    }
    let leaves = ends.first().map_or(1, |end| 1 + end.variables.len() as u64);
    meter.charge((size as u64).saturating_mul(2 + leaves)).map_err(over_budget)?;
    if let [end] = ends.as_slice()
        && end.template.is_ascending(&mut 0, end.variables.len())
    {
        let product = Product::of(ends.swap_remove(0));
        let chance = Rational::from_parts(product.sum().into(), common.clone());
        return Ok(Some((Outcomes::of_product(product, common), chance)));
    }
    let mut lines = Lines { list: Vec::with_capacity(size), exact: Cell::new(true) };
    for end in &ends {
        let scale = &common / &end.denominator;
        let weight = &end.numerator * scale;
        lines.fill(end, &mut Vec::with_capacity(end.variables.len()), weight);
    }
    if !lines.exact.get() {
        return Ok(None);
    }
    let (values, weights) = lines.sorted();
    let sum = weights.iter().fold(Natural::ZERO, |sum, weight| sum + weight);
    let chance = if sum == common {
        Rational::ONE
    } else {
        Rational::from(sum) / Rational::from(common.clone())
    };
    Ok(Some((Outcomes::weighted(values, weights, common), chance)))
}

fn common_multiple(known: Natural, other: &Natural) -> Natural {
    if known == *other || other.is_one() {
        return known;
    }
    if known.is_one() {
        return other.clone();
    }
    let shared = (&known).gcd(other);
    if shared == *other { known } else { known * (other / shared) }
}

/// The outcomes of independent variables, each at one place of the result.
#[derive(Debug)]
pub(crate) struct Product {
    end: End,
    weights: Vec<Natural>,
}

impl Product {
    fn of(end: End) -> Product {
        let mut weights = vec![end.numerator.clone()];
        for values in &end.variables {
            let mut longer = Vec::with_capacity(weights.len() * values.len());
            for weight in &weights {
                longer.extend(values.iter().map(|(_, times)| weight * times));
            }
            weights = longer;
        }
        Product { end, weights }
    }

    /// The weight of all.
    fn sum(&self) -> Natural {
        let sums = self
            .end
            .variables
            .iter()
            .map(|values| values.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight));
        sums.fold(self.end.numerator.clone(), |product, sum| product * sum)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The weights, in the order of the values.
    pub(crate) fn weights(&self) -> &[Natural] {
        &self.weights
    }

    /// The values in ascending order.
    pub(crate) fn values(&self) -> Vec<Value> {
        let mut values = Vec::with_capacity(self.len());
        self.end.each(&mut Vec::new(), &mut |chosen| {
            values.push(self.end.template.fill(chosen, &Cell::new(true)));
        });
        values
    }
}

/// A state at the end: its result with the variables left open, and its weight.
#[derive(Debug)]
struct End {
    template: Template,
    /// For each variable its values with their weights.
    variables: Vec<Vec<(Number, Natural)>>,
    numerator: Natural,
    denominator: Natural,
}

/// A value with open places.
#[derive(Debug)]
enum Template {
    Fixed(Value),
    /// A constant and multiples of variables, by their place.
    Open(Number, Vec<(usize, Number)>),
    /// A number for each value of the variable at a place.
    Single(usize, Vec<Number>),
    List(Vec<Template>),
    Record(Arc<RecordShape>, Vec<Template>),
}

impl End {
    fn of(state: &State, weight: &Rational) -> Option<End> {
        let result = state.stack.last()?;
        let mut order: Vec<Var> = Vec::new();
        let mut template = template(result, &mut order)?;
        let mut denominator = weight.denominator().clone();
        let mut variables = Vec::with_capacity(order.len());
        for var in order {
            let table = state.law(var)?.as_table()?;
            denominator *= table.total();
            let number = |(value, weight): (Rational, &Natural)| (value.into(), weight.clone());
            variables.push(table.outcomes().map(number).collect());
        }
        template.tabulate(&variables);
        let numerator = Natural::try_from(weight.numerator().clone()).ok()?;
        Some(End { template, variables, numerator, denominator })
    }

    /// Goes through all choices of the variables, the last of which changes fastest.
    fn each<'a>(
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

    fn choices(&self) -> usize {
        self.variables.iter().fold(1, |size, values| size.saturating_mul(values.len()))
    }
}

fn template(sym: &Sym, order: &mut Vec<Var>) -> Option<Template> {
    Some(match sym {
        Sym::Gone => Template::Fixed(Value::None),
        Sym::Value(value) => Template::Fixed(value.clone()),
        Sym::Pool(_) | Sym::Drawn(_) => return None,
        Sym::Number(form) => open(form, order),
        Sym::List(_) | Sym::Record(..) if sym.is_decided() => Template::Fixed(sym.to_value()?),
        Sym::List(items) => Template::List(parts(items, order)?),
        Sym::Record(shape, fields) => Template::Record(Arc::clone(shape), parts(fields, order)?),
    })
}

fn parts(items: &[Sym], order: &mut Vec<Var>) -> Option<Vec<Template>> {
    items.iter().map(|item| template(item, order)).collect()
}

fn open(form: &Form, order: &mut Vec<Var>) -> Template {
    let mut terms = Vec::with_capacity(form.terms.len());
    for (var, factor) in &form.terms {
        let place = order.iter().position(|known| known == var).unwrap_or_else(|| {
            order.push(*var);
            order.len() - 1
        });
        terms.push((place, Number::from(factor.clone())));
    }
    Template::Open(Number::from(form.constant.clone()), terms)
}

impl Template {
    /// Works out numbers with one variable for each of its values, once and for all.
    fn tabulate(&mut self, variables: &[Vec<(Number, Natural)>]) {
        match self {
            Template::Fixed(_) | Template::Single(..) => {}
            Template::List(items) | Template::Record(_, items) => {
                items.iter_mut().for_each(|item| item.tabulate(variables));
            }
            Template::Open(constant, terms) => {
                let [(place, factor)] = terms.as_slice() else { return };
                let number = |(value, _): &(Number, Natural)| {
                    factor.multiply(value).and_then(|term| constant.add(&term)).ok()
                };
                let numbers = variables[*place].iter().map(number).collect::<Option<Vec<_>>>();
                if let Some(numbers) = numbers {
                    *self = Template::Single(*place, numbers);
                }
            }
        }
    }

    /// Whether the variables from `next` to before `count` stand here once each, in their order, and greater
    /// values of each make a greater number.
    fn is_ascending(&self, next: &mut usize, count: usize) -> bool {
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

    /// The value for one choice of the variables. Where a number becomes too long, `exact` is cleared.
    fn fill(&self, chosen: &[(usize, &Number)], exact: &Cell<bool>) -> Value {
        match self {
            Template::Fixed(value) => value.clone(),
            Template::Single(place, numbers) => Value::Number(numbers[chosen[*place].0].clone()),
            Template::Open(constant, terms) => {
                let mut sum = constant.clone();
                for (place, factor) in terms {
                    let term = factor.multiply(chosen[*place].1).and_then(|term| sum.add(&term));
                    sum = term.unwrap_or_else(|_| {
                        exact.set(false);
                        Number::ZERO
                    });
                }
                Value::Number(sum)
            }
            Template::List(items) => {
                Value::List(items.iter().map(|item| item.fill(chosen, exact)).collect())
            }
            Template::Record(shape, fields) => {
                let fields = fields.iter().map(|field| field.fill(chosen, exact)).collect();
                Value::Record(Arc::clone(shape), fields)
            }
        }
    }
}

struct Lines {
    list: Vec<(Value, Natural)>,
    /// Whether no number became too long.
    exact: Cell<bool>,
}

impl Lines {
    /// Chooses variable after variable.
    fn fill<'a>(&mut self, end: &'a End, chosen: &mut Vec<(usize, &'a Number)>, weight: Natural) {
        let Some(values) = end.variables.get(chosen.len()) else {
            self.list.push((end.template.fill(chosen, &self.exact), weight));
            return;
        };
        for (at, (value, times)) in values.iter().enumerate() {
            chosen.push((at, value));
            self.fill(end, chosen, &weight * times);
            chosen.pop();
        }
    }

    /// In ascending order, equal outcomes in one.
    fn sorted(self) -> (Vec<Value>, Vec<Natural>) {
        let mut list = self.list;
        if list.is_sorted_by(|(a, _), (b, _)| order(a, b) == Ordering::Less) {
            return list.into_iter().unzip();
        }
        list.sort_by(|(a, _), (b, _)| order(a, b));
        let mut values: Vec<Value> = Vec::with_capacity(list.len());
        let mut weights: Vec<Natural> = Vec::with_capacity(list.len());
        for (value, weight) in list {
            match (values.last(), weights.last_mut()) {
                (Some(last), Some(sum)) if *last == value => *sum += weight,
                _ => {
                    values.push(value);
                    weights.push(weight);
                }
            }
        }
        (values, weights)
    }
}

/// The order of values; that of records of one shape without looking at its names.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Record(one, a), Value::Record(other, b)) if Arc::ptr_eq(one, other) => all(a, b),
        (Value::List(a), Value::List(b)) => all(a, b),
        _ => a.cmp(b),
    }
}

fn all(a: &[Value], b: &[Value]) -> Ordering {
    let parts = a.iter().zip(b).map(|(a, b)| order(a, b));
    parts.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}
