//! What a sweep says about one point: the chance of a yes, a mean, the chance of each variant.

use astragal::{Answer, Budget, Program, Rational, Type, Value};

use crate::commands::odds::fields;
use crate::condition::Condition;
use crate::decimal::percent;
use crate::decimal::{root, short};
use crate::rows::shown;
use crate::stop::Stop;

/// One number with its title.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) title: String,
    pub(crate) value: Rational,
    /// A chance, not a mean.
    pub(crate) chance: bool,
    /// Rounded for reading; a deviation has no fraction.
    pub(crate) rounded: bool,
}

impl Column {
    fn chance(title: String, value: Rational) -> Column {
        Column { title, value, chance: true, rounded: false }
    }

    /// For reading.
    pub(crate) fn text(&self) -> String {
        if self.chance { percent(&self.value) } else { short(&self.value, 4) }
    }
}

/// All columns of a program at its inputs.
pub(crate) fn columns(
    program: &Program,
    field: &[String],
    conditions: &[Condition],
    budget: &Budget,
) -> Result<Vec<Column>, Stop> {
    let single = match program.results().collect::<Vec<_>>().as_slice() {
        [(None, ty)] if field.is_empty() => fields(ty),
        _ => vec![field.to_vec()],
    };
    let mut columns = Vec::new();
    for path in &single {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        for answer in program.odds_of(&names, budget)?.results {
            let name = answer.name.as_deref().map(str::to_owned);
            let title = if single.len() > 1 { Some(path.join(".")) } else { name };
            columns.extend(of_answer(&answer, title.as_deref(), conditions)?);
        }
    }
    Ok(columns)
}

fn of_answer(
    answer: &Answer,
    title: Option<&str>,
    conditions: &[Condition],
) -> Result<Vec<Column>, Stop> {
    let titled =
        |what: &str| title.map_or_else(|| what.to_owned(), |title| format!("{title} {what}"));
    let mut columns = match &answer.ty {
        Type::Bool => {
            let yes = answer.chance(&Value::Bool(true));
            vec![Column::chance(title.unwrap_or("chance").to_owned(), yes)]
        }
        Type::Enum(of) => {
            let chance = |name: &str| {
                let found = answer.outcomes.iter().find(|(value, _)| shown(value) == name);
                found.map_or(Rational::ZERO, |(_, chance)| chance.clone())
            };
            let column = |name: &str| Column::chance(titled(name), chance(name));
            of.variants.iter().map(|variant| column(variant)).collect()
        }
        _ => match (answer.mean(), answer.variance()) {
            (Some(mean), Some(variance)) => moments(&titled, mean, &variance, title.is_none()),
            _ => answer
                .outcomes
                .iter()
                .map(|(value, chance)| Column::chance(titled(&shown(value)), chance.clone()))
                .collect(),
        },
    };
    for condition in conditions {
        // Of a record's fields only the numbers, or only the outcome, may fit the condition.
        match condition.chance(answer) {
            Ok(chance) => columns.push(Column::chance(titled(&condition.words()), chance)),
            Err(_) if title.is_some() => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(columns)
}

fn moments(
    titled: &dyn Fn(&str) -> String,
    mean: Rational,
    variance: &Rational,
    both: bool,
) -> Vec<Column> {
    let number =
        |what, value, rounded| Column { title: titled(what), value, chance: false, rounded };
    let mut columns = vec![number("mean", mean, false)];
    if both {
        columns.push(number("deviation", root(variance, 4), true));
    }
    columns
}
