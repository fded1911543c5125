//! A number that is not decided yet: `3 + 2·X − Y` over independent random numbers.
//!
//! Sums and multiples of such numbers are such numbers, and nothing is worked out for them. Their law, their mean and
//! how two of them move together are known from those of the variables.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;

/// Which of some random variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A constant and multiples of variables. The terms are sorted and none is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// What is added to the terms.
    pub constant: Rational,
    /// Variables with their factors.
    pub terms: Vec<(Var, Rational)>,
}

impl Form {
    /// A number that is certain.
    #[inline]
    pub fn constant(constant: Rational) -> Form {
        Form { constant, terms: Vec::new() }
    }

    /// A variable as it is.
    #[inline]
    pub fn variable(var: Var) -> Form {
        Form { constant: Rational::ZERO, terms: vec![(var, Rational::ONE)] }
    }

    /// Its variables in order.
    #[inline]
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|(var, _)| *var)
    }

    /// The coefficient of a variable.
    #[inline]
    pub fn coefficient(&self, var: Var) -> Option<&Rational> {
        let at = self.terms.binary_search_by_key(&var, |(var, _)| *var).ok()?;
        self.terms.get(at).map(|(_, factor)| factor)
    }

    /// A multiple of it.
    #[inline]
    #[must_use]
    pub fn scaled(&self, factor: &Rational) -> Form {
        if factor.is_zero() {
            return Form::constant(Rational::ZERO);
        }
        let terms = self.terms.iter().map(|(var, f)| (*var, f * factor)).collect();
        Form { constant: &self.constant * factor, terms }
    }

    /// The sum.
    #[inline]
    #[must_use]
    pub fn plus(&self, other: &Form) -> Form {
        let mut terms = self.terms.clone();
        for (var, factor) in &other.terms {
            match terms.binary_search_by_key(var, |(var, _)| *var) {
                Ok(at) => terms[at].1 += factor,
                Err(at) => terms.insert(at, (*var, factor.clone())),
            }
        }
        terms.retain(|(_, factor)| !factor.is_zero());
        Form { constant: &self.constant + &other.constant, terms }
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Form) -> Form {
        self.plus(&other.scaled(&-Rational::ONE))
    }

    /// The form with a variable replaced by another form.
    #[inline]
    #[must_use]
    pub fn with(&self, var: Var, replacement: &Form) -> Form {
        let Some(factor) = self.coefficient(var) else { return self.clone() };
        let rest = Form {
            constant: self.constant.clone(),
            terms: self.terms.iter().filter(|(v, _)| *v != var).cloned().collect(),
        };
        rest.plus(&replacement.scaled(factor))
    }

    /// The form with its variables renamed.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(Var) -> Var) -> Form {
        let mut terms: Vec<_> = self.terms.iter().map(|(v, f)| (name(*v), f.clone())).collect();
        terms.sort_by_key(|(var, _)| *var);
        Form { constant: self.constant.clone(), terms }
    }

    /// The terms of which something holds, and apart from them all the rest with the constant.
    pub fn parted(&self, holds: impl Fn(Var, &Rational) -> bool) -> (Form, Form) {
        let (terms, others) = self.terms.iter().cloned().partition(|(var, f)| holds(*var, f));
        let rest = Form { constant: self.constant.clone(), terms: others };
        (Form { constant: Rational::ZERO, terms }, rest)
    }

    /// Whether another one has none of its variables, or all of them as a multiple of it.
    pub fn is_whole_in(&self, other: &Form) -> bool {
        if !other.variables().any(|var| self.coefficient(var).is_some()) {
            return true;
        }
        let Some((first, factor)) = self.terms.first() else { return true };
        let Some(theirs) = other.coefficient(*first) else { return false };
        let ratio = theirs / factor;
        self.terms.iter().all(|(var, f)| other.coefficient(*var) == Some(&(f * &ratio)))
    }

    /// Its law, by the laws of its variables; those without one do not count.
    pub fn law<L: Deref<Target = Law>>(
        &self,
        law: impl Fn(Var) -> Option<L>,
        meter: &Meter,
    ) -> Result<Law, OverBudget> {
        if let [(var, factor)] = self.terms.as_slice()
            && let Some(law) = law(*var)
        {
            return law.affine(factor, &self.constant, meter);
        }
        let mut sum = Law::constant(self.constant.clone());
        for (var, factor) in &self.terms {
            if let Some(term) = law(*var) {
                sum = sum.sum(&term.affine(factor, &Rational::ZERO, meter)?, meter)?;
            }
        }
        Ok(sum)
    }

    /// Its mean, by those of its variables.
    pub fn mean(&self, known: &Spreads) -> Rational {
        self.terms.iter().fold(self.constant.clone(), |sum, (var, factor)| match known.get(var) {
            Some((mean, _)) => sum + mean * factor,
            None => sum,
        })
    }

    /// How it moves with another one. Variables are independent, so only those in common count; none if there are
    /// none.
    pub fn covariance(&self, other: &Form, known: &Spreads) -> Option<Rational> {
        let shared = self.terms.iter().filter_map(|(var, factor)| {
            let (theirs, (_, variance)) = (other.coefficient(*var)?, known.get(var)?);
            Some(variance * factor * theirs)
        });
        shared.reduce(|sum, part| sum + part)
    }
}

/// The mean and the variance of each variable.
pub type Spreads = BTreeMap<Var, (Rational, Rational)>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::{d, fraction, whole};

    fn form(constant: i64, terms: &[(u32, i64)]) -> Form {
        let terms = terms.iter().map(|(var, factor)| (Var(*var), whole(*factor)));
        Form { constant: whole(constant), terms: terms.collect() }
    }

    #[test]
    fn terms_that_cancel_are_gone() {
        let sum = form(1, &[(0, 2), (1, 1)]).plus(&form(2, &[(0, -2), (2, 5)]));
        assert_eq!(sum, form(3, &[(1, 1), (2, 5)]));
        assert_eq!(sum.with(Var(2), &form(1, &[(1, 1)])), form(8, &[(1, 6)]));
        assert_eq!(sum.parted(|_, f| *f > whole(2)), (form(0, &[(2, 5)]), form(3, &[(1, 1)])));
    }

    #[test]
    fn a_combination_is_whole_where_it_stands_in_multiples() {
        let difference = form(0, &[(0, 1), (1, -1)]);
        assert!(difference.is_whole_in(&form(7, &[(0, -3), (1, 3), (2, 1)])));
        assert!(difference.is_whole_in(&form(7, &[(2, 1)])));
        assert!(!difference.is_whole_in(&form(0, &[(0, 1), (1, 1)])));
        assert!(!difference.is_whole_in(&form(0, &[(1, 1)])));
    }

    #[test]
    fn laws_and_moments_come_from_the_variables() {
        let dice = [d(6), d(4)];
        let both = form(1, &[(0, 1), (1, -2)]);
        let law = both.law(|var| dice.get(var.0 as usize), &Meter::unlimited()).unwrap();
        assert_eq!((law.lowest(), law.highest()), (Some(whole(-6)), Some(whole(5))));
        let spread = |(at, law): (usize, &Law)| (Var(at as u32), law.mean_and_variance());
        let known: Spreads = dice.iter().enumerate().map(spread).collect();
        assert_eq!(both.mean(&known), law.mean());
        assert_eq!(both.covariance(&both, &known), Some(law.variance()));
        assert_eq!(both.covariance(&form(0, &[(0, 1)]), &known), Some(fraction(35, 12)));
        assert_eq!(both.covariance(&form(0, &[(2, 1)]), &known), None);
    }
}
