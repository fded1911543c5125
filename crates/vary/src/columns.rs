//! What a program says at one point: the chance of a yes, a mean, the chance of each variant.

use astragal::{Answer, Budget, Program, Rational, Type, Value};
use astragal_show::decimal::percent;
use astragal_show::decimal::{root, short};
use astragal_show::rows::shown;
use astragal_show::tables::title;

use crate::{Condition, Refusal};

/// One number with its title.
#[derive(Clone, Debug)]
pub struct Column {
    /// What it is: `chance`, `total mean`, `>= 15`.
    pub title: String,
    /// Exactly.
    pub value: Rational,
    /// A chance, not a mean.
    pub chance: bool,
    /// Rounded for reading; a deviation has no fraction.
    pub rounded: bool,
    /// The chance of a condition.
    pub asked: bool,
}

impl Column {
    fn chance(title: String, value: Rational) -> Column {
        Column { title, value, chance: true, rounded: false, asked: false }
    }

    /// For reading.
    pub fn text(&self) -> String {
        if self.chance { percent(&self.value) } else { short(&self.value, 4) }
    }
}

/// What a program says, and what that cost.
#[derive(Clone, Debug)]
pub struct Point {
    /// In the order of its results.
    pub columns: Vec<Column>,
    /// The steps that were used.
    pub used: u64,
}

/// All columns of a program at its inputs.
pub fn columns(
    program: &Program,
    field: &[String],
    conditions: &[Condition],
    budget: &Budget,
) -> Result<Point, Refusal> {
    let names: Vec<&str> = field.iter().map(String::as_str).collect();
    let single = matches!(program.results().collect::<Vec<_>>().as_slice(), [(None, _)]);
    let odds = match single && field.is_empty() {
        true => program.odds_apart(budget, None)?,
        false => program.odds_of(&names, budget)?,
    };
    let apart = odds.results.len() > 1 && single;
    let mut columns = Vec::new();
    for answer in &odds.results {
        let title =
            if apart { Some(title(answer)) } else { answer.name.as_deref().map(str::to_owned) };
        columns.extend(of_answer(answer, title.as_deref(), conditions)?);
    }
    Ok(Point { columns, used: odds.used })
}

fn of_answer(
    answer: &Answer,
    title: Option<&str>,
    conditions: &[Condition],
) -> Result<Vec<Column>, Refusal> {
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
            Ok(chance) => {
                let column = Column::chance(titled(&condition.words()), chance);
                columns.push(Column { asked: true, ..column });
            }
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
    let number = |what, value, rounded| Column {
        title: titled(what),
        value,
        chance: false,
        rounded,
        asked: false,
    };
    let mut columns = vec![number("mean", mean, false)];
    if both {
        columns.push(number("deviation", root(variance, 4), true));
    }
    columns
}
