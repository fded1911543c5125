//! `astragal odds`: the exact chance of every outcome.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal::{Answer, Budget, Odds, Program, Rational, Type, Value, json};

use crate::arguments::{self, Asking};
use crate::condition::Condition;
use crate::correlations;
use crate::export::outcomes::{by_field, outcomes};
use crate::input;
use crate::report::{Telling, report, report_together};
use crate::stop::Stop;
use crate::svg;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &arguments::Odds, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program(&arguments.source, terminal)?;
    let question = Question::of(&arguments.asking, arguments.steps, arguments.full)?;
    if terminal.json {
        let odds = question.whole(&program)?;
        let mut object = json::odds(&program, &odds);
        if !question.telling.conditions.is_empty() {
            object["asked"] = question.asked(&odds)?;
        }
        if arguments.correlations {
            object["covariances"] = correlations::data(odds.only())?;
        }
        terminal.say_json(&object);
        return Ok(());
    }
    if arguments.csv.csv || arguments.picture.svg.is_some() {
        let tables = question.tables(&program)?;
        let answers: Vec<(String, &Answer)> =
            tables.iter().map(|table| (table.title.clone(), &table.answer)).collect();
        if arguments.csv.csv {
            let side_by_side = tables.len() == 1 || Table::are_alike(&tables);
            let grid = if side_by_side { outcomes } else { by_field };
            terminal.out(&grid(&answers, question.telling.view).csv());
        }
        let drawn = svg::write(&arguments.picture, program.text(), &answers, &question.telling)?;
        svg::tell(&arguments.picture, &drawn, terminal);
        if arguments.csv.csv || svg::is_to_standard_output(&arguments.picture) {
            return Ok(());
        }
    }
    question.answer(&program, None, terminal)?;
    if arguments.correlations {
        let odds = question.whole(&program)?;
        terminal.say(&format!("\n{}", correlations::lines(odds.only(), terminal)?));
    }
    Ok(())
}

/// What is asked of a program.
#[derive(Clone)]
pub(crate) struct Question {
    budget: Budget,
    until: Option<Rational>,
    field: Vec<String>,
    joint: bool,
    pub(crate) telling: Telling,
}

impl Question {
    pub(crate) fn of(asking: &Asking, steps: Option<u64>, full: bool) -> Result<Question, Stop> {
        let conditions = asking.chance.iter().map(|text| Condition::parse(text));
        let conditions = conditions.collect::<Result<_, _>>()?;
        Ok(Question {
            budget: budget(steps),
            until: asking.until.as_deref().map(until).transpose()?,
            field: field_path(asking.field.as_deref()),
            joint: asking.joint,
            telling: Telling { view: asking.view, conditions, full },
        })
    }

    /// How much it may cost.
    pub(crate) fn steps(&self) -> u64 {
        self.budget.steps
    }

    /// Whole results, or the one field that was asked for.
    pub(crate) fn whole(&self, program: &Program) -> Result<Odds, Stop> {
        self.of_field(program, &self.field)
    }

    fn of_field(&self, program: &Program, field: &[String]) -> Result<Odds, Stop> {
        let path: Vec<&str> = field.iter().map(String::as_str).collect();
        Ok(program.odds_of_until(&path, &self.budget, self.until.clone())?)
    }

    /// The conditions and their chances, as data.
    fn asked(&self, odds: &Odds) -> Result<serde_json::Value, Stop> {
        let mut asked = Vec::new();
        for answer in &odds.results {
            for condition in &self.telling.conditions {
                let chance = condition.chance(answer)?.to_string();
                asked.push(serde_json::json!({ "condition": condition.words(), "chance": chance }));
            }
        }
        Ok(asked.into())
    }

    /// The same, to be stopped from another thread.
    pub(crate) fn stopped_by(mut self, flag: Arc<AtomicBool>) -> Question {
        self.budget.cancel = Some(flag);
        self
    }

    /// Says the odds; where a roll is given, its outcome is marked.
    pub(crate) fn answer(
        &self,
        program: &Program,
        rolled: Option<&Value>,
        terminal: &Terminal,
    ) -> Result<(), Stop> {
        let (text, notices) = self.told(program, rolled, terminal)?;
        terminal.say(&text);
        for notice in notices {
            terminal.tell(&format!("notice: {notice}"));
        }
        Ok(())
    }

    /// The odds in words, and their notices.
    pub(crate) fn told(
        &self,
        program: &Program,
        rolled: Option<&Value>,
        terminal: &Terminal,
    ) -> Result<(String, Vec<String>), Stop> {
        let tables = self.tables(program)?;
        let told = match tables.as_slice() {
            several if several.len() > 1 && Table::are_alike(several) => {
                let answers: Vec<(&str, &Answer)> =
                    several.iter().map(|table| (table.title.as_str(), &table.answer)).collect();
                report_together(&answers, None, &self.telling, terminal)?
            }
            tables => {
                self.check_conditions(tables)?;
                let reports = tables.iter().map(|table| self.one(table, rolled, terminal));
                reports.collect::<Result<Vec<_>, _>>()?.join("\n\n")
            }
        };
        let notices = tables.first().map(|table| table.answer.notices.as_slice());
        let notices = notices.unwrap_or_default().iter().map(ToString::to_string).collect();
        Ok((told, notices))
    }

    fn one(&self, table: &Table, rolled: Option<&Value>, to: &Terminal) -> Result<String, Stop> {
        let rolled = rolled.and_then(|value| at(value, &table.path));
        let title = (!table.title.is_empty()).then_some(table.title.as_str());
        let telling = Telling { conditions: self.conditions_for(table), ..self.telling.clone() };
        report(&table.answer, title, rolled, &telling, to)
    }

    /// The conditions that can be asked of a table.
    fn conditions_for(&self, table: &Table) -> Vec<Condition> {
        let conditions = self.telling.conditions.iter();
        let own = conditions.map(|condition| condition.of_field(&table.title));
        own.filter(|condition| condition.chance(&table.answer).is_ok()).collect()
    }

    /// Of a record's fields, each condition must fit one; else the first says why it does not.
    fn check_conditions(&self, tables: &[Table]) -> Result<(), Stop> {
        for condition in &self.telling.conditions {
            let chance = |table: &Table| condition.of_field(&table.title).chance(&table.answer);
            if !tables.iter().any(|table| chance(table).is_ok()) {
                tables.iter().try_for_each(|table| chance(table).map(|_| ()))?;
            }
        }
        Ok(())
    }

    /// One table a result; of a single record, one table a field.
    pub(crate) fn tables(&self, program: &Program) -> Result<Vec<Table>, Stop> {
        let single = match program.results().collect::<Vec<_>>().as_slice() {
            [(None, ty)] => fields(ty),
            _ => Vec::new(),
        };
        if self.joint || !self.field.is_empty() || single.len() < 2 {
            let answers = self.whole(program)?.results.into_iter();
            return Ok(answers.map(|answer| Table::whole(answer, &self.field)).collect());
        }
        let mut tables = Vec::new();
        for path in single {
            let title = path.join(".");
            let answer = self.of_field(program, &path)?.only().clone();
            tables.push(Table { title, path, answer, shown: false });
        }
        Ok(tables)
    }
}

/// How much odds may cost. More steps allow more states and outcomes too.
pub(crate) fn budget(steps: Option<u64>) -> Budget {
    let usual = Budget::default();
    let steps = steps.unwrap_or(usual.steps);
    let times = usize::try_from(steps / usual.steps).unwrap_or(usize::MAX).max(1);
    Budget {
        steps,
        states: usual.states.saturating_mul(times),
        outcomes: usual.outcomes.saturating_mul(times),
        cancel: None,
    }
}

/// An answer, what to call it, and where it stands in a roll's value.
pub(crate) struct Table {
    pub(crate) title: String,
    path: Vec<String>,
    pub(crate) answer: Answer,
    /// It is a result of its own, named by `show`.
    shown: bool,
}

impl Table {
    fn whole(answer: Answer, field: &[String]) -> Table {
        let name: Option<String> = answer.name.as_deref().map(str::to_owned);
        let path: Vec<String> = name.into_iter().chain(field.iter().cloned()).collect();
        Table { title: path.join("."), path, shown: answer.name.is_some(), answer }
    }

    /// Whether these are results of the same type, to be shown side by side.
    fn are_alike(tables: &[Table]) -> bool {
        tables.iter().all(|table| table.shown && table.answer.ty == tables[0].answer.ty)
    }
}

/// `attacker.total` as names.
pub(crate) fn field_path(field: Option<&str>) -> Vec<String> {
    field.into_iter().flat_map(|path| path.split('.')).map(|name| name.trim().to_owned()).collect()
}

/// The paths to all fields of a record within records; one empty path for anything else.
pub(crate) fn fields(ty: &Type) -> Vec<Vec<String>> {
    let Type::Record(record) = ty else { return vec![Vec::new()] };
    let mut paths = Vec::new();
    for (name, inner) in &record.fields {
        for mut path in fields(inner) {
            path.insert(0, name.to_string());
            paths.push(path);
        }
    }
    paths
}

/// The part of a value that a path leads to.
fn at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Record(shape, fields) => {
            let at = shape.fields.iter().position(|field| **field == **name)?;
            fields.get(at)
        }
        _ => None,
    })
}

fn until(text: &str) -> Result<Rational, Stop> {
    let wrong = || Stop::Usage(format!("`--until {text}` is not a whole number"));
    text.trim().parse::<i64>().map(Rational::from).map_err(|_| wrong())
}
