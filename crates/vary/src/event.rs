//! What `solve` wants the chance or the mean of.

use astragal::{Answer, Program, Rational, Type};

use crate::{Condition, Refusal};

/// What has the chance; without a condition, what has the mean.
#[derive(Clone, Debug)]
pub struct Event {
    field: Vec<String>,
    condition: Option<Condition>,
}

impl Event {
    /// The mean, if that is asked for; else the condition `that`, or the success of a yes or no, or of a record.
    pub fn of(
        program: &Program,
        field: Vec<String>,
        mean: bool,
        that: Option<&str>,
    ) -> Result<Event, Refusal> {
        let result = program.results().next().map(|(_, ty)| ty);
        let asked = result.and_then(|ty| part(ty, &field));
        if mean {
            return match asked {
                Some(Type::Number | Type::Pool(_)) => Ok(Event { field, condition: None }),
                other => Err(Refusal::Asked(format!(
                    "the result is a {}, and only a number has a mean: choose a field with `--field NAME`",
                    other.map_or_else(String::new, ToString::to_string)
                ))),
            };
        }
        if let Some(text) = that {
            return Ok(Event { field, condition: Some(Condition::parse(text)?) });
        }
        let condition = Some(Condition::yes());
        match asked {
            Some(Type::Bool) => Ok(Event { field, condition }),
            Some(record @ Type::Record(_)) if part(record, &["success".into()]).is_some() => {
                let field = field.into_iter().chain(["success".into()]).collect();
                Ok(Event { field, condition })
            }
            other => Err(Refusal::Asked(format!(
                "the result is a {}, not a yes or no: say what has the chance, such as \
                 `--that '>= 15' --chance 65%`, ask for its mean with `--mean 12`, or choose a field with `--field NAME`",
                other.map_or_else(String::new, ToString::to_string)
            ))),
        }
    }

    /// The names of the field that it is about.
    pub fn path(&self) -> Vec<&str> {
        self.field.iter().map(String::as_str).collect()
    }

    /// Its chance or mean.
    pub fn measured(&self, answer: &Answer) -> Result<Rational, Refusal> {
        match &self.condition {
            Some(condition) => Ok(condition.chance(answer)?),
            None => answer.mean().ok_or_else(|| {
                Refusal::Asked("the mean is not known exactly: see `astragal odds`".into())
            }),
        }
    }
}

/// The type of a field of a record.
fn part<'t>(ty: &'t Type, path: &[String]) -> Option<&'t Type> {
    path.iter().try_fold(ty, |ty, name| match ty {
        Type::Record(record) => {
            let field = record.fields.iter().find(|(known, _)| **known == **name);
            field.map(|(_, inner)| inner)
        }
        _ => None,
    })
}
