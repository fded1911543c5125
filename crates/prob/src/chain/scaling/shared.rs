//! Numbers that move together, as sums of numbers that do not.
//!
//! With the covariances C = L·D·Lᵀ, L being one on its diagonal and zero above it, the numbers are L·v with numbers v that
//! have the variances D and do not move together. That is as good as independent where nothing is asked but means and
//! variances of sums.

use crate::form::{Form, Var};
use crate::law::{Law, Moment};
use crate::number::Rational;

/// Forms with these moments, and the laws of their variables. A number with an infinite variance stands alone. What a number is
/// a multiple of is known of it where it is a variable by itself.
pub(super) fn in_common(
    moments: &[(Moment, Moment)],
    multiples: &[Option<Rational>],
    covariance: impl Fn(usize, usize) -> Option<Rational>,
) -> (Vec<Form>, Vec<Law>) {
    let mut forms: Vec<Form> = Vec::new();
    let mut laws: Vec<Law> = Vec::new();
    // The variance and the mean of each variable; what has none takes no part.
    let mut known: Vec<Option<(Rational, Rational)>> = Vec::new();
    for (at, (mean, variance)) in moments.iter().enumerate() {
        let own = Form::variable(Var(laws.len() as u32));
        let (Moment::Exactly(mean), Moment::Exactly(variance)) = (mean, variance) else {
            laws.push(Law::with_moments(mean.clone(), Moment::Infinite, multiples[at].clone()));
            known.push(None);
            forms.push(own);
            continue;
        };
        let (mut form, mut left, mut rest) = (own, variance.clone(), mean.clone());
        for (var, parts) in known.iter().enumerate() {
            let Some((spread, mean)) = parts.as_ref().filter(|(spread, _)| !spread.is_zero())
            else {
                continue;
            };
            let with = together(at, var, &forms, &known, &covariance);
            let factor = with / spread;
            left -= &factor * &factor * spread;
            rest -= &factor * mean;
            form = form.plus(&Form::variable(Var(var as u32)).scaled(&factor));
        }
        let multiple = multiples[at].clone().filter(|_| form.terms.len() == 1);
        let (mean, variance) = (Moment::Exactly(rest.clone()), Moment::Exactly(left.clone()));
        laws.push(Law::with_moments(mean, variance, multiple));
        known.push(Some((left, rest)));
        forms.push(form);
    }
    (forms, laws)
}

/// How a number moves together with the variable of an earlier one, which is that one without those before it.
fn together(
    at: usize,
    var: usize,
    forms: &[Form],
    known: &[Option<(Rational, Rational)>],
    covariance: &impl Fn(usize, usize) -> Option<Rational>,
) -> Rational {
    let mut with = covariance(at, var).unwrap_or(Rational::ZERO);
    for earlier in 0..var {
        let factor = forms[var].coefficient(Var(earlier as u32));
        if let (Some(factor), Some(_)) = (factor, &known[earlier]) {
            with -= factor * together(at, earlier, forms, known, covariance);
        }
    }
    with
}
