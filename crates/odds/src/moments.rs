//! How the numbers of one record move together: exact means and covariances.
//!
//! They are not read off the listed outcomes but off the states, where a number is a linear form over
//! independent variables: within a state the covariance of `X + Y` and `X − 2·Z` is the variance of `X`,
//! and across states the law of total covariance adds that of the means. So they are exact for endless
//! records too.

use std::sync::Arc;

use astragal_prob::{Meter, OverBudget, Rational, Spreads};
use astragal_program::types::Type;
use astragal_value::Value;

use crate::state::{Form, State, States, Sym};

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
    let mut sums = Sums::of(size);
    for (state, weight) in &states.list {
        let Some(result) = state.stack.last() else { return Ok(None) };
        let known = match state.top_values() {
            None => {
                meter.charge((size * size) as u64 * 20)?;
                sums.add_case(state, result, weight, ty, meter)?
            }
            // The record is undecided as a whole, and the only one.
            Some(values) => {
                let mut cases = values.outcomes().map(|(value, weight)| {
                    meter.charge((size * size) as u64 * 10)?;
                    let (result, weight) = (Sym::from_value(&value), Rational::from(weight));
                    sums.add_case(state, &result, &weight, ty, meter)
                });
                cases.try_fold(true, |all, known| Ok(all && known?))?
            }
        };
        if !known {
            return Ok(None);
        }
    }
    Ok(Some(sums.moments(fields)))
}

/// Sums over all that may happen.
struct Sums {
    total: Rational,
    means: Vec<Rational>,
    /// Of the product of each two; those where the first comes first.
    products: Vec<Vec<Rational>>,
}

impl Sums {
    fn of(size: usize) -> Sums {
        let zeros = vec![Rational::ZERO; size];
        Sums { total: Rational::ZERO, products: vec![zeros.clone(); size], means: zeros }
    }

    /// Adds what happens with this weight; whether all numbers are there.
    fn add_case(
        &mut self,
        state: &State,
        result: &Sym,
        weight: &Rational,
        ty: &Type,
        meter: &Meter,
    ) -> Result<bool, OverBudget> {
        let mut forms = Vec::with_capacity(self.means.len());
        if leaves(result, ty, &mut forms).is_none() {
            return Ok(false);
        }
        let known = spreads(state, &forms, meter)?;
        let means: Vec<Rational> = forms.iter().map(|form| form.mean(&known)).collect();
        for a in 0..means.len() {
            let weighted = weight * &means[a];
            for b in a..means.len() {
                self.products[a][b] += &weighted * &means[b];
                if let Some(covariance) = forms[a].covariance(&forms[b], &known) {
                    self.products[a][b] += weight * covariance;
                }
            }
            self.means[a] += weighted;
        }
        self.total += weight;
        Ok(true)
    }

    fn moments(self, fields: Vec<Vec<Arc<str>>>) -> Moments {
        let means: Vec<Rational> = self.means.iter().map(|mean| mean / &self.total).collect();
        let covariance = |a: usize, b: usize| {
            &self.products[a.min(b)][a.max(b)] / &self.total - &means[a] * &means[b]
        };
        let row = |a: usize| (0..fields.len()).map(|b| covariance(a, b)).collect();
        let covariances = (0..fields.len()).map(row).collect();
        Moments { fields, means, covariances }
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
fn spreads(state: &State, forms: &[Form], meter: &Meter) -> Result<Spreads, OverBudget> {
    let mut known = Spreads::new();
    for var in forms.iter().flat_map(Form::variables) {
        if let (false, Some(law)) = (known.contains_key(&var), state.law(var)) {
            meter.charge(law.support_size().unwrap_or(64) as u64)?;
            known.insert(var, law.mean_and_variance());
        }
    }
    Ok(known)
}
