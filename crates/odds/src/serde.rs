//! Answers as serde writes them: the fields of `docs/schema/odds.json`, each chance as an exact fraction in text, with the
//! nearest double beside it.

use astragal_prob::Rational;
use astragal_value::Value;
use serde_core::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

use crate::answer::Answer;

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mean, variance) = (self.mean(), self.variance());
        let mut told = serializer.serialize_struct("Answer", 12)?;
        told.serialize_field("name", &self.name.as_deref())?;
        told.serialize_field("field", &Texts(&self.field))?;
        told.serialize_field("type", &self.ty.to_string())?;
        told.serialize_field("outcomes", &Listed(self))?;
        told.serialize_field("rest", &Fraction(&self.rest))?;
        told.serialize_field("lost", &Fraction(&self.lost))?;
        told.serialize_field("never", &Fraction(&self.never))?;
        let (no_mean, no_variance) = self.infinite();
        told.serialize_field("mean", &moment(mean.as_ref(), no_mean))?;
        told.serialize_field("variance", &moment(variance.as_ref(), no_variance))?;
        told.serialize_field("evidence", &self.evidence.as_ref().map(Fraction))?;
        let decimals = Decimals { answer: self, mean: mean.as_ref(), variance: variance.as_ref() };
        told.serialize_field("decimals", &decimals)?;
        told.serialize_field("notices", &Texts(&self.notices))?;
        told.end()
    }
}

/// A mean or a variance, as text; the word for one that is more than any number.
fn moment(known: Option<&Rational>, infinite: bool) -> Option<String> {
    known.map(Rational::to_string).or_else(|| infinite.then(|| "infinite".into()))
}

/// An exact fraction, as text.
struct Fraction<'a>(&'a Rational);

impl Serialize for Fraction<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// The double that is nearest to a fraction.
fn decimal(value: &Rational) -> f64 {
    value.to_f64().value()
}

struct Texts<'a, T>(&'a [T]);

impl<T: AsRef<str>> Serialize for Texts<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(AsRef::as_ref))
    }
}

/// The outcomes of an answer.
struct Listed<'a>(&'a Answer);

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.outcomes.len()))?;
        for (value, chance) in self.0.outcomes.iter() {
            sequence.serialize_element(&Outcome { value, chance })?;
        }
        sequence.end()
    }
}

struct Outcome<'a> {
    value: &'a Value,
    chance: &'a Rational,
}

impl Serialize for Outcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Outcome", 3)?;
        told.serialize_field("value", self.value)?;
        told.serialize_field("chance", &Fraction(self.chance))?;
        told.serialize_field("decimal", &decimal(self.chance))?;
        told.end()
    }
}

/// What stands beside the outcomes, as doubles.
struct Decimals<'a> {
    answer: &'a Answer,
    mean: Option<&'a Rational>,
    variance: Option<&'a Rational>,
}

impl Serialize for Decimals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Decimals", 4)?;
        told.serialize_field("rest", &decimal(&self.answer.rest))?;
        told.serialize_field("mean", &self.mean.map(decimal))?;
        told.serialize_field("variance", &self.variance.map(decimal))?;
        told.serialize_field("evidence", &self.answer.evidence.as_ref().map(decimal))?;
        told.end()
    }
}
