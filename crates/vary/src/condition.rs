//! A question about an outcome: `>= 15`, `< 4`, `success`, `!= failure`.
//!
//! Without a sign it is equality. Numbers are compared by their law, so that endless rolls are answered
//! exactly; the variants of an enumeration are in the order of their declaration.

use astragal::{Answer, Comparison, Meter, Rational, Value};
use astragal_show::rows::shown;

use crate::Refusal;
use crate::target::number;

/// A comparison with something.
#[derive(Clone, Debug)]
pub struct Condition {
    comparison: Comparison,
    with: String,
}

/// The signs, longer ones first.
const SIGNS: [(&str, Comparison); 9] = [
    (">=", Comparison::AtLeast),
    ("≥", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("≤", Comparison::AtMost),
    ("!=", Comparison::NotEqual),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
];

impl Condition {
    /// `>= 15`, `success`.
    pub fn parse(text: &str) -> Result<Condition, Refusal> {
        let text = text.trim();
        let signed = SIGNS.iter().find_map(|(sign, is)| Some((*is, text.strip_prefix(sign)?)));
        let (comparison, with) = signed.unwrap_or((Comparison::Equal, text));
        if with.trim().is_empty() {
            let wrong = format!("`{text}` is no condition: write `>= 15`, `< 4` or `success`");
            return Err(Refusal::Asked(wrong));
        }
        Ok(Condition { comparison, with: with.trim().to_owned() })
    }

    /// The same of one field of a record, where the bare name of a field asks for its yes.
    pub fn of_field(&self, field: &str) -> Condition {
        match self.comparison {
            Comparison::Equal if self.with == field => Condition::yes(),
            _ => self.clone(),
        }
    }

    /// A yes.
    pub fn yes() -> Condition {
        Condition { comparison: Comparison::Equal, with: "yes".into() }
    }

    /// `>= 15`, `success`
    pub fn words(&self) -> String {
        match self.sign() {
            "=" => self.with.clone(),
            sign => format!("{sign} {}", self.with),
        }
    }

    fn sign(&self) -> &'static str {
        match self.comparison {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }

    /// The exact chance that an outcome is so.
    pub fn chance(&self, answer: &Answer) -> Result<Rational, Refusal> {
        if !answer.lost.is_zero() {
            let why = "the odds are known only within bounds: no condition can be answered exactly";
            return Err(Refusal::Asked(why.into()));
        }
        match &answer.law {
            Some(law) => {
                let with = number(&self.with).ok_or_else(|| self.not_a("number"))?;
                let meter = Meter::new(u64::MAX);
                let chance = law.compare(self.comparison, &with, &meter);
                let chance = chance.map_err(|_| self.not_a("small number"))?;
                Ok(chance * (Rational::ONE - &answer.never))
            }
            None => self.chance_of_others(answer),
        }
    }

    fn chance_of_others(&self, answer: &Answer) -> Result<Rational, Refusal> {
        let Some(with) = self.value(answer) else {
            if let Some(field) = self.field_with(answer) {
                let wrong = format!(
                    "`{}` is no whole record, but a value of its field `{field}`",
                    self.with
                );
                return Err(Refusal::Asked(format!("{wrong}: add `--field {field}`")));
            }
            // What never comes up has the chance 0, unless it cannot even be written.
            let known = answer.outcomes.values().iter().map(shown).collect::<Vec<_>>();
            let known = known.iter().take(12).cloned().collect::<Vec<_>>().join(", ");
            let wrong = format!("`{}` is none of the outcomes: {known}", self.with);
            return Err(Refusal::Asked(wrong));
        };
        let holds = |value: &&(Value, Rational)| self.comparison.holds(&value.0, &with);
        let chances = answer.outcomes.iter().filter(holds);
        Ok(chances.fold(Rational::ZERO, |sum, (_, chance)| sum + chance))
    }

    /// The field of a record that has what was written among its values.
    fn field_with(&self, answer: &Answer) -> Option<String> {
        answer.outcomes.values().iter().find_map(|value| {
            let Value::Record(shape, fields) = value else { return None };
            let is_it = |field: &&Value| match field {
                Value::Variant(one) => one.of.variants.iter().any(|name| **name == *self.with),
                other => shown(other) == self.with.trim_matches('"'),
            };
            let at = fields.iter().position(|field| is_it(&field))?;
            shape.fields.get(at).map(ToString::to_string)
        })
    }

    /// The value that was written, of the type of the outcomes.
    fn value(&self, answer: &Answer) -> Option<Value> {
        let first = answer.outcomes.values().first()?;
        match (first, self.with.as_str()) {
            (Value::Bool(_), "yes" | "true") => Some(Value::Bool(true)),
            (Value::Bool(_), "no" | "false") => Some(Value::Bool(false)),
            (Value::Variant(one), name) => {
                let index = one.of.variants.iter().position(|variant| &**variant == name)?;
                let mut variant = one.clone();
                variant.index = u32::try_from(index).ok()?;
                Some(Value::Variant(variant))
            }
            (_, text) => {
                let mut known = answer.outcomes.values().iter();
                known.find(|value| shown(value) == text.trim_matches('"')).cloned()
            }
        }
    }

    fn not_a(&self, what: &str) -> Refusal {
        let (words, with) = (self.words(), &self.with);
        Refusal::Asked(format!("`{words}` cannot be asked of numbers: `{with}` is not a {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        Condition::parse(text).map_or_else(|_| "wrong".into(), |condition| condition.words())
    }

    #[test]
    fn conditions_are_signs_and_values() {
        assert_eq!(words(">=15"), ">= 15");
        assert_eq!(words(" = success "), "success");
        assert_eq!(words("!= 3"), "!= 3");
        assert_eq!(words(">="), "wrong");
        assert_eq!(words(""), "wrong");
    }
}
