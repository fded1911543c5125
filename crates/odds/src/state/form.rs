//! A number that is not decided yet: `3 + 2·X − Y` over independent random numbers.

use astragal_prob::Rational;

/// Which random variable of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Var(pub(crate) u32);

/// A constant and multiples of variables. The terms are sorted and none is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    pub(crate) constant: Rational,
    pub(crate) terms: Vec<(Var, Rational)>,
}

impl Form {
    pub(crate) fn constant(constant: Rational) -> Form {
        Form { constant, terms: Vec::new() }
    }

    pub(crate) fn variable(var: Var) -> Form {
        Form { constant: Rational::ZERO, terms: vec![(var, Rational::ONE)] }
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|(var, _)| *var)
    }

    /// The coefficient of a variable.
    pub(crate) fn coefficient(&self, var: Var) -> Option<&Rational> {
        let at = self.terms.binary_search_by_key(&var, |(var, _)| *var).ok()?;
        self.terms.get(at).map(|(_, factor)| factor)
    }

    pub(crate) fn scaled(&self, factor: &Rational) -> Form {
        if factor.is_zero() {
            return Form::constant(Rational::ZERO);
        }
        let terms = self.terms.iter().map(|(var, f)| (*var, f * factor)).collect();
        Form { constant: &self.constant * factor, terms }
    }

    pub(crate) fn plus(&self, other: &Form) -> Form {
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

    pub(crate) fn minus(&self, other: &Form) -> Form {
        self.plus(&other.scaled(&-Rational::ONE))
    }

    /// The form with a variable replaced by another form.
    pub(crate) fn with(&self, var: Var, replacement: &Form) -> Form {
        let Some(factor) = self.coefficient(var) else { return self.clone() };
        let rest = Form {
            constant: self.constant.clone(),
            terms: self.terms.iter().filter(|(v, _)| *v != var).cloned().collect(),
        };
        rest.plus(&replacement.scaled(factor))
    }

    /// The form with its variables renamed.
    pub(crate) fn renamed(&self, name: impl Fn(Var) -> Var) -> Form {
        let mut terms: Vec<_> = self.terms.iter().map(|(v, f)| (name(*v), f.clone())).collect();
        terms.sort_by_key(|(var, _)| *var);
        Form { constant: self.constant.clone(), terms }
    }
}
