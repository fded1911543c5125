//! The law of what counts in a result.
//!
//! A number counts as it is, a yes as more than a no. Of a record counts its field `total`, or else the first that is a number or a yes or no: what a
//! player looks at first. More is luckier; in a game where little is good, the luck is to be read the other way round.

use std::sync::Arc;

use astragal::{Answer, Budget, Program, Rational, Type, Value};

use crate::between::Between;
use crate::why::Why;

/// What of a result counts: all of it, or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part(Option<Arc<str>>);

impl Part {
    /// Of the results of a program.
    pub fn of(program: &Program) -> Result<Part, Why> {
        let mut results = program.results();
        match (results.next(), results.next()) {
            (Some((_, ty)), None) => Part::of_type(ty),
            (_, Some(_)) => Err(Why::Several),
            (None, None) => Err(Why::NoNumber),
        }
    }

    fn of_type(ty: &Type) -> Result<Part, Why> {
        if has_order(ty) {
            return Ok(Part(None));
        }
        let Type::Record(record) = ty else { return Err(Why::NoNumber) };
        let mut ordered = record.fields.iter().filter(|(_, ty)| has_order(ty));
        let total = ordered.clone().find(|(name, _)| &**name == "total");
        let field = total.or_else(|| ordered.next()).ok_or(Why::NoNumber)?;
        Ok(Part(Some(Arc::clone(&field.0))))
    }

    /// The name of the field, if it is one.
    pub fn field(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// This part of a result.
    pub fn of_value<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        match (&self.0, value) {
            (None, value) => Some(value),
            (Some(name), Value::Record(shape, fields)) => {
                fields.get(shape.fields.iter().position(|field| field == name)?)
            }
            (Some(_), _) => None,
        }
    }
}

fn has_order(ty: &Type) -> bool {
    matches!(ty, Type::Number | Type::Bool | Type::Pool(_))
}

/// As a number: a yes is 1, a no is 0.
pub(crate) fn ranked(value: &Value) -> Option<Rational> {
    match (value.as_number(), value.as_bool()) {
        (Some(number), _) => Some(number.to_rational()),
        (None, yes) => yes.map(|yes| Rational::from(u8::from(yes))),
    }
}

/// The chances of what counts.
#[derive(Clone, Debug)]
pub struct Law {
    /// Which part of the result it is of.
    pub part: Part,
    /// Values in rising order with at least their chances.
    listed: Vec<(Rational, Rational)>,
    /// The chance of everything else.
    rest: Rational,
    /// For a number of which nothing was given up: what its list does not hold.
    whole: Option<Box<Answer>>,
    /// The variance of a place.
    variance: Between,
}

impl Law {
    /// Of a program, and the steps that it took to know it.
    pub fn of(program: &Program, budget: &Budget) -> Result<(Law, u64), Why> {
        let part = Part::of(program)?;
        let path: Vec<&str> = part.field().into_iter().collect();
        let odds = program
            .odds_of(&path, budget)
            .map_err(|wrong| if wrong.is_over_budget() { Why::TooMuch } else { Why::NoOdds })?;
        let used = odds.used;
        let answer = odds.results.into_iter().next().ok_or(Why::NoOdds)?;
        Law::of_answer(part, answer).map(|law| (law, used))
    }

    fn of_answer(part: Part, answer: Answer) -> Result<Law, Why> {
        if !answer.never.is_zero() || answer.missing.is_some() {
            return Err(Why::NoOdds);
        }
        let ranked = |(value, chance): &(Value, Rational)| Some((ranked(value)?, chance.clone()));
        let listed: Option<Vec<(Rational, Rational)>> =
            answer.outcomes.iter().map(ranked).collect();
        let listed = listed.ok_or(Why::NoNumber)?;
        let rest = answer.rest.clone();
        if listed.len() < 2 && rest.is_zero() {
            return Err(Why::Certain);
        }
        let variance = variance(&listed, &rest);
        let exact = !rest.is_zero() && answer.exact_law().is_some();
        Ok(Law { part, listed, rest, whole: exact.then(|| Box::new(answer)), variance })
    }

    /// The variance of a place in it: `(1 − Σp³)/12`.
    pub fn variance(&self) -> &Between {
        &self.variance
    }

    /// The chance of less than a number, and of more.
    pub(crate) fn beside(&self, number: &Rational) -> (Between, Between) {
        let whole = self.whole.as_ref();
        let at =
            |chance: Option<Rational>| chance.map(|other| Between::exactly(Rational::ONE - other));
        let less = at(whole.and_then(|answer| answer.at_least(number.clone())));
        let more = at(whole.and_then(|answer| answer.at_most(number.clone())));
        let sum = |holds: &dyn Fn(&Rational) -> bool| {
            let chances = self.listed.iter().filter(|(value, _)| holds(value));
            let chance = chances.fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
            Between::and_up_to(chance, &self.rest)
        };
        (
            less.unwrap_or_else(|| sum(&|value| value < number)),
            more.unwrap_or_else(|| sum(&|value| value > number)),
        )
    }

    /// The chance of what is not listed.
    pub(crate) fn rest(&self) -> &Rational {
        &self.rest
    }
}

/// `(1 − Σp³)/12`. What is not listed adds to the sum the most where all of it belongs to the likeliest value, for cubes grow ever faster.
fn variance(listed: &[(Rational, Rational)], rest: &Rational) -> Between {
    let cube = |chance: &Rational| chance.pow(3);
    let cubes = listed.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + cube(chance));
    let most = listed.iter().map(|(_, chance)| chance).max().cloned().unwrap_or(Rational::ZERO);
    let more = cube(&(&most + rest)) - cube(&most);
    let of = |cubes: Rational| (Rational::ONE - cubes) / Rational::from(12u8);
    Between { from: of(&cubes + more), to: of(cubes) }
}
