//! How the numbers of one record move together: exact means and covariances.
//!
//! They are not read off the listed outcomes but off the states, where a number is a linear form over
//! independent variables: within a state the covariance of `X + Y` and `X − 2·Z` is the variance of `X`,
//! and across states the law of total covariance adds that of the means. So they are exact for endless
//! records too.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_prob::{Meter, OverBudget, Rational};
use astragal_program::types::Type;
use astragal_value::Value;

use crate::state::{Form, State, States, Sym, Values, Var};

/// The means and covariances of the numbers and truths (1 and 0) in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moments {
    /// The names from the outside in, for each field.
    pub fields: Vec<Vec<Arc<str>>>,
    /// The mean of each.
    pub means: Vec<Rational>,
    /// The covariance of each with each.
    pub covariances: Vec<Vec<Rational>>,
}

impl Moments {
    /// Which field has this name, such as `attacker.total`.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|path| path.join(".") == name)
    }
}

/// The moments of the record on top of each stack; none if it is no record of at least two numbers.
pub(crate) fn moments(
    states: &States,
    ty: &Type,
    meter: &Meter,
) -> Result<Option<Moments>, OverBudget> {
    let mut fields = Vec::new();
    paths(ty, &mut Vec::new(), &mut fields);
    let size = fields.len();
    if size < 2 || states.list.is_empty() {
        return Ok(None);
    }
    if let [(state, _)] = states.list.as_slice()
        && let Some(values) = state.top_values()
    {
        meter.charge((size * size * values.count()) as u64)?;
        return Ok(of_values(values, ty, fields));
    }
    let mass = states.mass();
    let mut means = vec![Rational::ZERO; size];
    let mut products = vec![vec![Rational::ZERO; size]; size];
    for (state, weight) in &states.list {
        meter.charge((size * size) as u64 * 4)?;
        let Some(forms) = forms(state, ty) else { return Ok(None) };
        let known = variances(state, &forms, meter)?;
        let chance = weight / &mass;
        let own: Vec<Rational> = forms.iter().map(|form| mean(form, &known)).collect();
        for a in 0..size {
            means[a] += &chance * &own[a];
            for b in 0..size {
                let product = &own[a] * &own[b] + covariance(&forms[a], &forms[b], &known);
                products[a][b] += &chance * product;
            }
        }
    }
    for (a, row) in products.iter_mut().enumerate() {
        for (b, product) in row.iter_mut().enumerate() {
            *product -= &means[a] * &means[b];
        }
    }
    Ok(Some(Moments { fields, means, covariances: products }))
}

/// The moments of a record that is undecided as a whole.
fn of_values(values: &Values, ty: &Type, fields: Vec<Vec<Arc<str>>>) -> Option<Moments> {
    let size = fields.len();
    let mut means = vec![Rational::ZERO; size];
    let mut products = vec![vec![Rational::ZERO; size]; size];
    let mut found = Vec::with_capacity(size);
    for (value, weight) in values.outcomes() {
        found.clear();
        numbers(&value, ty, &mut found)?;
        let weight = Rational::from(weight);
        for a in 0..size {
            let weighted = &weight * &found[a];
            for b in a..size {
                products[a][b] += &weighted * &found[b];
            }
            means[a] += weighted;
        }
    }
    let total = Rational::from(values.total().clone());
    means.iter_mut().for_each(|mean| *mean /= &total);
    let covariance =
        |a: usize, b: usize| &products[a.min(b)][a.max(b)] / &total - &means[a] * &means[b];
    let row = |a: usize| (0..size).map(|b| covariance(a, b)).collect();
    Some(Moments { covariances: (0..size).map(row).collect(), fields, means })
}

/// The numbers and truths of a finished record; none if one is missing.
fn numbers(value: &Value, ty: &Type, found: &mut Vec<Rational>) -> Option<()> {
    match (value, ty) {
        (Value::Record(_, values), Type::Record(record)) => {
            let mut parts = values.iter().zip(&record.fields);
            parts.try_for_each(|(value, (_, ty))| numbers(value, ty, found))
        }
        (Value::Bool(truth), Type::Bool) => {
            found.push(Rational::from(u8::from(*truth)));
            Some(())
        }
        (Value::Number(n), Type::Number) => {
            found.push(n.to_rational());
            Some(())
        }
        (_, Type::Number | Type::Bool | Type::Record(_)) => None,
        _ => Some(()),
    }
}

/// The paths to the numbers and truths of a record.
fn paths(ty: &Type, path: &mut Vec<Arc<str>>, found: &mut Vec<Vec<Arc<str>>>) {
    match ty {
        Type::Record(record) => record.fields.iter().for_each(|(name, ty)| {
            path.push(Arc::clone(name));
            paths(ty, path, found);
            path.pop();
        }),
        Type::Number | Type::Bool if !path.is_empty() => found.push(path.clone()),
        _ => {}
    }
}

/// The numbers at those paths; none if one is missing.
fn forms(state: &State, ty: &Type) -> Option<Vec<Form>> {
    let mut found = Vec::new();
    leaves(state.stack.last()?, ty, &mut found)?;
    Some(found)
}

fn leaves(value: &Sym, ty: &Type, found: &mut Vec<Form>) -> Option<()> {
    match (value, ty) {
        (Sym::Record(_, values), Type::Record(record)) => {
            let mut parts = values.iter().zip(&record.fields);
            parts.try_for_each(|(value, (_, ty))| leaves(value, ty, found))
        }
        (Sym::Value(Value::Bool(truth)), Type::Bool) => {
            found.push(Form::constant(Rational::from(u8::from(*truth))));
            Some(())
        }
        (value, Type::Number) => {
            found.push(value.as_form()?);
            Some(())
        }
        (_, Type::Bool | Type::Record(_)) => None,
        _ => Some(()),
    }
}

/// The mean and the variance of each variable.
type Known = BTreeMap<Var, (Rational, Rational)>;

fn variances(state: &State, forms: &[Form], meter: &Meter) -> Result<Known, OverBudget> {
    let mut known = Known::new();
    for var in forms.iter().flat_map(Form::variables) {
        if let (false, Some(law)) = (known.contains_key(&var), state.law(var)) {
            meter.charge(law.support_size().unwrap_or(64) as u64)?;
            known.insert(var, law.mean_and_variance());
        }
    }
    Ok(known)
}

fn mean(form: &Form, known: &Known) -> Rational {
    form.terms.iter().fold(form.constant.clone(), |sum, (var, factor)| match known.get(var) {
        Some((mean, _)) => sum + mean * factor,
        None => sum,
    })
}

/// Variables are independent, so only those in common count.
fn covariance(a: &Form, b: &Form, known: &Known) -> Rational {
    let mut sum = Rational::ZERO;
    for (var, factor) in &a.terms {
        let other = b.terms.iter().find(|(other, _)| other == var);
        if let (Some((_, other)), Some((_, variance))) = (other, known.get(var)) {
            sum += variance * factor * other;
        }
    }
    sum
}
