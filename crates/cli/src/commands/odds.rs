//! `astragal odds`: the exact chance of every outcome.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal::{Answer, Budget, Odds, Program, Rational, Value, json};
use astragal_show::policy;
use astragal_show::svg::{Look, drawing};
use astragal_show::tables::{are_alike, odds, overlap, spreadsheet, title, titled};
use astragal_show::wrapped;
use astragal_vary::{Condition, data};

use crate::arguments::{self, Asking};
use crate::correlations;
use crate::input;
use crate::progress::watcher;
use crate::repl::work;
use crate::report::{Telling, report, report_together};
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &arguments::Odds, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program_within(&arguments.source, arguments.steps, terminal)?;
    let question = Question::of(&arguments.asking, arguments.steps, arguments.full)?;
    let question = question.watched_from(terminal).with_policy(arguments.policy);
    if terminal.json {
        let odds = question.whole(&program)?;
        question.check_length(&odds.results)?;
        let mut object = json::odds(&program, &odds);
        if !question.telling.conditions.is_empty() {
            object["asked"] = data::asked(&odds, &question.telling.conditions)?;
        }
        if arguments.correlations {
            object["covariances"] = correlations::data(first(&odds)?)?;
        }
        terminal.say_json(&object);
        return Ok(());
    }
    if arguments.csv.csv || arguments.picture.is_wanted()? {
        let answers = question.answers(&program)?;
        if arguments.csv.csv {
            question.check_length(&answers)?;
            terminal.out(&spreadsheet(&answers, question.telling.view).csv());
        }
        let (titled, view) = (titled(&answers), question.telling.view);
        let draw = |title: &str, look: &Look| drawing(title, &titled, view, look);
        arguments.picture.write(program.text(), terminal, draw)?;
        if arguments.csv.csv || arguments.picture.is_to_standard_output() {
            return Ok(());
        }
    }
    question.answer(&program, None, terminal)?;
    if arguments.correlations {
        let odds = question.whole(&program)?;
        terminal.say(&format!("\n{}", correlations::lines(first(&odds)?, terminal)?));
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
    /// Every case of every choice is listed.
    policy: bool,
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
            policy: false,
            telling: Telling { view: asking.view.into(), conditions, full, ..Telling::default() },
        })
    }

    /// The same, with every case of every choice.
    pub(crate) fn with_policy(mut self, policy: bool) -> Question {
        self.policy = policy;
        self
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

    /// Refuses to write exact chances that would fill hundreds of megabytes, or to list all that have so many digits.
    pub(crate) fn check_length(&self, answers: &[Answer]) -> Result<(), Stop> {
        const DIGITS: u64 = 100_000_000;
        let usual = Budget::default().steps;
        let most = DIGITS.saturating_mul((self.budget.steps / usual).max(1));
        let digits = answers.iter().map(data::digits).fold(0, u64::saturating_add);
        if digits <= most {
            return Ok(());
        }
        let millions = digits / 1_000_000;
        Err(Stop::Costly(format!(
            "the exact chances have {millions} million digits in all: leave out `--json`, `--csv` or `--full`, ask \
             for less, such as `--chance '>= 20'`, or `--steps N` allows more"
        )))
    }

    /// The same, to be stopped from another thread.
    pub(crate) fn stopped_by(mut self, flag: Arc<AtomicBool>) -> Question {
        self.budget.cancel = Some(flag);
        self
    }

    /// The same, with a line that tells how far it is.
    pub(crate) fn watched_from(mut self, terminal: &Terminal) -> Question {
        self.budget.watcher = watcher(terminal);
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
        let odds = self.odds(program)?;
        let answers = odds.results.as_slice();
        if self.telling.full {
            self.check_length(answers)?;
        }
        let bounded_play = odds.plays.iter().any(|policy| policy.within.is_some());
        let telling = Telling { bounded_play, ..self.telling.clone() };
        let told = match answers {
            several if several.len() > 1 && self.side_by_side(several) => {
                report_together(&titled(several), None, &telling, terminal)?
            }
            answers => {
                self.check_conditions(answers)?;
                self.one_by_one(answers, rolled, &telling, terminal)?.join("\n\n")
            }
        };
        let notices = answers.first().map(|answer| answer.notices.as_slice());
        let notices = notices.unwrap_or_default().iter().map(ToString::to_string).collect();
        Ok((told + &self.played(program, &odds, terminal), notices))
    }

    /// How it is played, where somebody decides.
    fn played(&self, program: &Program, odds: &Odds, terminal: &Terminal) -> String {
        let mut told = String::new();
        let lines = policy::lines(program, odds);
        if !lines.is_empty() {
            let lines = lines.iter().flat_map(|line| played_line(line, terminal));
            told += &format!("\n\n{}", lines.collect::<Vec<_>>().join("\n"));
        }
        if self.policy {
            for (head, grid) in policy::tables(program, odds) {
                told += &format!("\n\n{head}\n");
                told += if terminal.markdown { "\n" } else { "" };
                told += &terminal.table(&grid).join("\n");
            }
        }
        told
    }

    /// Whether all outcomes that are to be listed fit into one table.
    fn side_by_side(&self, answers: &[Answer]) -> bool {
        are_alike(answers) && (!self.telling.full || overlap(answers))
    }

    /// Each answer under its name; what is said of several in the same words is said once.
    fn one_by_one(
        &self,
        answers: &[Answer],
        rolled: Option<&Value>,
        telling: &Telling,
        to: &Terminal,
    ) -> Result<Vec<String>, Stop> {
        let mut told: Vec<(&Answer, Vec<String>, String)> = Vec::new();
        for answer in answers {
            let words = self.one((answer, None), rolled, telling, to)?;
            match told.iter_mut().find(|(_, _, known)| answers.len() > 1 && *known == words) {
                Some((_, titles, _)) => titles.push(title(answer)),
                None => told.push((answer, vec![title(answer)], words)),
            }
        }
        let named = told.into_iter().map(|(answer, titles, words)| {
            let title = titles.join(", ");
            if title.is_empty() {
                Ok(words)
            } else {
                self.one((answer, Some(&title)), rolled, telling, to)
            }
        });
        named.collect()
    }

    fn one(
        &self,
        (answer, title): (&Answer, Option<&str>),
        rolled: Option<&Value>,
        telling: &Telling,
        to: &Terminal,
    ) -> Result<String, Stop> {
        let rolled = rolled.and_then(|value| at(value, answer));
        let telling = Telling { conditions: self.conditions_for(answer), ..telling.clone() };
        report(answer, title, rolled, &telling, to)
    }

    /// The conditions that can be asked of an answer.
    fn conditions_for(&self, answer: &Answer) -> Vec<Condition> {
        let conditions = self.telling.conditions.iter();
        let own = conditions.map(|condition| condition.of_field(&title(answer)));
        own.filter(|condition| condition.chance(answer).is_ok()).collect()
    }

    /// Of a record's fields, each condition must fit one; else the first says why it does not.
    fn check_conditions(&self, answers: &[Answer]) -> Result<(), Stop> {
        for condition in &self.telling.conditions {
            let chance = |answer: &Answer| condition.of_field(&title(answer)).chance(answer);
            if !answers.iter().any(|answer| chance(answer).is_ok()) {
                answers.iter().try_for_each(|answer| chance(answer).map(|_| ()))?;
            }
        }
        Ok(())
    }

    /// One answer a result; of a single record, one answer a field.
    pub(crate) fn answers(&self, program: &Program) -> Result<Vec<Answer>, Stop> {
        Ok(self.odds(program)?.results)
    }

    fn odds(&self, program: &Program) -> Result<Odds, Stop> {
        if self.joint || !self.field.is_empty() {
            return self.whole(program);
        }
        Ok(odds(program, &self.budget, self.until.clone())?)
    }
}

/// A line of how it is played: in Markdown a list, else broken where the terminal ends, what belongs to a choice under it.
fn played_line(line: &str, terminal: &Terminal) -> Vec<String> {
    match line.strip_prefix("  ") {
        _ if terminal.markdown && line.starts_with("best play") => {
            vec![line.to_owned(), String::new()]
        }
        Some(line) if terminal.markdown => vec![format!("  * {line}")],
        None if terminal.markdown => vec![format!("* {line}")],
        Some(line) => {
            let narrower = terminal.wrapping.saturating_sub(2).max(20);
            wrapped(line, narrower).iter().map(|line| format!("  {line}")).collect()
        }
        None => terminal.wrapped(line),
    }
}

/// The first result: an AnyDice program may have none.
pub(crate) fn first(odds: &Odds) -> Result<&Answer, Stop> {
    odds.results.first().ok_or_else(|| Stop::Usage("this program has no results".into()))
}

/// How much odds may cost.
pub(crate) fn budget(steps: Option<u64>) -> Budget {
    let budget = steps.map_or_else(Budget::default, Budget::of_steps).with_guard(astragal::guard());
    match work::flag() {
        Some(flag) => budget.with_cancel(flag),
        None => budget,
    }
}

/// `attacker.total` as names.
pub(crate) fn field_path(field: Option<&str>) -> Vec<String> {
    field.into_iter().flat_map(|path| path.split('.')).map(|name| name.trim().to_owned()).collect()
}

/// The part of a roll's value that an answer speaks of.
fn at<'v>(value: &'v Value, answer: &Answer) -> Option<&'v Value> {
    answer.name.iter().chain(&answer.field).try_fold(value, |value, name| match value {
        Value::Record(shape, fields) => {
            fields.get(shape.fields.iter().position(|field| field == name)?)
        }
        _ => None,
    })
}

fn until(text: &str) -> Result<Rational, Stop> {
    let wrong = || Stop::Usage(format!("`--until {text}` is not a whole number"));
    text.trim().parse::<i64>().map(Rational::from).map_err(|_| wrong())
}
