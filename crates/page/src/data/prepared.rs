//! A program that is read once and asked often.

use astragal::faces::{DieFaces, Faces, Seeded};
use astragal::{Budget, Diagnostics, FaultKind, Program, RollLimits, Type, Value, json as shapes};
use astragal_show::decimal::float;
use astragal_vary::{Condition, data, undeclared};
use serde_json::Value as Json;

use super::Refused;
use crate::Host;
use crate::odds::until;
use crate::request::Request;
use crate::roll::thrower;
use crate::source::{Source, budget};

/// The work that `check` spends on trying a program out: a moment.
const A_MOMENT: u64 = 20_000_000;
/// The most digits of exact chances that are written: tens of megabytes.
const MOST_DIGITS: u64 = 20_000_000;
/// The most rolls of one sample, and the most dice of all of them.
const MOST_ROLLS: usize = 10_000_000;
const MOST_DICE: u64 = 1_000_000_000;

/// A checked program with its inputs set.
pub struct Prepared(Program);

impl Prepared {
    /// Reads a program: `text`, `files`, `inputs`, as every request has them. A refusal is an answer like those of `data`.
    pub fn read(request: &str, host: &Host) -> Result<Prepared, String> {
        let prepared = Request::read(request)
            .map_err(Refused::Asked)
            .and_then(|request| Prepared::of(&request, host));
        prepared.map_err(|refused| refused.told().to_string())
    }

    /// Answers `odds`, `roll` or `check` of it.
    pub fn answer(&self, request: &str, host: &Host) -> String {
        let told = Request::read(request)
            .map_err(Refused::Asked)
            .and_then(|request| self.told(&request, host));
        told.unwrap_or_else(|refused| refused.told()).to_string()
    }

    /// Inputs that a program names without declaring them are declared by being set, as on the command line.
    pub(super) fn of(request: &Request, host: &Host) -> Result<Prepared, Refused> {
        let (source, budget) = (Source::of(request)?, budget(request, host)?);
        let settings = || source.inputs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let read = source.program(&budget).or_else(|wrong| {
            let declared = undeclared(&wrong, settings());
            match declared.is_empty() {
                true => Err(wrong),
                false => source.engine.clone().with_inputs(&declared).compile(&source.text),
            }
        });
        let mut program = read?;
        for (name, value) in settings() {
            program.set(name, value)?;
        }
        Ok(Prepared(program))
    }

    pub(super) fn told(&self, request: &Request, host: &Host) -> Result<Json, Refused> {
        match request.text("of")? {
            "odds" => self.odds(request, host),
            "roll" => self.roll(request, host),
            "check" => self.checked().map(|hints| shapes::diagnostics(&hints)),
            other => Err(Refused::Asked(format!("a program has no `{other}`"))),
        }
    }

    fn odds(&self, request: &Request, host: &Host) -> Result<Json, Refused> {
        let (budget, until) = (budget(request, host)?, until(request)?);
        let field = field(request)?;
        let path: Vec<&str> = field.iter().map(String::as_str).collect();
        let odds = self.0.odds_of_until(&path, &budget, until)?;
        check_length(&odds.results)?;
        let mut told = shapes::odds(&self.0, &odds);
        if let Some(conditions) = request.optional_list("chance")? {
            let conditions = conditions.iter().map(|text| Condition::parse(text));
            told["asked"] = data::asked(&odds, &conditions.collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(told)
    }

    fn roll(&self, request: &Request, host: &Host) -> Result<Json, Refused> {
        let (mut faces, seed) = thrower(request, host)?;
        let number = request.optional_number("number")?.unwrap_or(1).max(1);
        if let (Some(seed), 2..) = (seed, number) {
            faces = Box::new(Seeded::new(seed, number - 1));
        }
        let roll = self.0.roll_within(&mut *faces, &RollLimits::default())?;
        let mut told = shapes::roll(&self.0, &roll, seed);
        told["number"] = seed.map(|_| number).into();
        Ok(told)
    }

    /// Hints. Types that fit are not all: where its odds are soon known, a program that can fail is told so.
    pub(super) fn checked(&self) -> Result<Diagnostics, Refused> {
        match self.0.odds(&Budget::default().with_steps(A_MOMENT)) {
            Err(wrong) if !wrong.is_over_budget() => Err(wrong.into()),
            _ => Ok(self.0.hints().clone()),
        }
    }

    /// Rolls it many times for its value alone, all from one stream of faces: numbers, or 1 and 0 for yes and no.
    pub fn sample(&self, count: usize, seed: Option<u64>, host: &Host) -> Result<Vec<f64>, String> {
        let seed = seed.or_else(host.seed).ok_or("this place gives no random numbers");
        let values = seed.map_err(|wrong| Refused::Asked(wrong.into()));
        let values = values.and_then(|seed| self.values(count, seed));
        values.map_err(|refused| refused.told().to_string())
    }

    fn values(&self, count: usize, seed: u64) -> Result<Vec<f64>, Refused> {
        let results: Vec<_> = self.0.results().collect();
        let [(_, Type::Number | Type::Pool(_) | Type::Bool)] = results.as_slice() else {
            return Err(Refused::Asked(
                "only one number, or a yes or no, is rolled into an array".into(),
            ));
        };
        if count > MOST_ROLLS {
            return Err(Refused::Costly(format!("at most {MOST_ROLLS} rolls are made at once")));
        }
        let mut faces = Counted { faces: Seeded::new(seed, 0), dice: 0 };
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(self.value(&mut faces)?);
            if faces.dice > MOST_DICE {
                let rolled = values.len();
                let told = format!(
                    "{rolled} of {count} rolls threw {MOST_DICE} dice, which is all that one sample may"
                );
                return Err(Refused::Costly(told));
            }
        }
        Ok(values)
    }

    fn value(&self, faces: &mut Counted) -> Result<f64, Refused> {
        let value = match self.0.value(faces) {
            Ok(value) => value,
            // What is given may not hold, and is thrown again; anything else is told.
            Err(_) => self.0.roll(faces)?.into_value(),
        };
        Ok(match &value {
            Value::Bool(yes) => f64::from(u8::from(*yes)),
            value => value.as_number().map_or(f64::NAN, |number| match number.to_i64() {
                Some(whole) => whole as f64,
                None => float(&number.to_rational()),
            }),
        })
    }
}

/// Faces from a seed, counted.
struct Counted {
    faces: Seeded,
    dice: u64,
}

impl Faces for Counted {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        self.dice += 1;
        self.faces.throw(die)
    }

    fn throw_all(&mut self, die: &DieFaces, faces: &mut [u64]) -> Result<(), FaultKind> {
        self.dice += faces.len() as u64;
        self.faces.throw_all(die, faces)
    }
}

/// `attacker.total` as names.
pub(super) fn field(request: &Request) -> Result<Vec<String>, String> {
    let path = request.optional_text("field")?;
    Ok(path
        .into_iter()
        .flat_map(|path| path.split('.'))
        .map(|name| name.trim().to_owned())
        .collect())
}

/// Refuses to write exact chances that would fill the module's memory.
pub(super) fn check_length(answers: &[astragal::Answer]) -> Result<(), Refused> {
    let digits = answers.iter().map(data::digits).fold(0, u64::saturating_add);
    match digits <= MOST_DIGITS {
        true => Ok(()),
        false => {
            let millions = digits / 1_000_000;
            Err(Refused::Costly(format!(
                "the exact chances have {millions} million digits in all: ask for less, such as `{{chance: ['>= 20']}}` of a smaller program"
            )))
        }
    }
}
