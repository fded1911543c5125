//! `astragal compare`: several rolls in one chart, and how often one beats another.

use astragal::{Answer, Comparison, Law, Meter, Rational, Type, json};
use astragal_show::decimal::percent;
use astragal_show::export::grid::Grid;
use astragal_show::export::outcomes::outcomes;
use astragal_show::said::said_exactly;
use astragal_show::svg::{Look, drawing};
use serde_json::{Value as Json, json as object};

use super::odds::Question;
use crate::arguments::{Compare, Source};
use crate::input;
use crate::report::report_together;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Compare, terminal: &Terminal) -> Result<(), Stop> {
    arguments.picture.is_wanted()?;
    let question = Question::of(&arguments.asking, arguments.steps, arguments.full)?;
    let question = question.watched_from(terminal);
    let mut answers: Vec<(String, Answer)> = Vec::new();
    let mut objects = Vec::new();
    for source in sources(arguments) {
        let program = input::program_within(&source, arguments.steps, terminal)?;
        let odds = question.whole(&program)?;
        if terminal.json {
            question.check_length(&odds.results)?;
            objects.push(json::odds(&program, &odds));
        }
        for answer in odds.results {
            // The only output of an AnyDice program is known by its text.
            let named = answer
                .name
                .as_deref()
                .filter(|name| answer.missing.is_none() || *name != "output 1");
            let shown = named.map(str::to_owned);
            let text = program.text().lines().next_back().unwrap_or_default();
            answers.push((shown.unwrap_or_else(|| text.trim().to_owned()), answer));
        }
    }
    if answers.len() < 2 {
        let how = "write two expressions, such as `astragal compare '2d20kh1' 'd20 + 5'`";
        return Err(Stop::Usage(format!("there is nothing to compare with: {how}")));
    }
    check_alike(&answers)?;
    tell_of_fields(&answers, terminal);
    let duels = duels(&answers, &Meter::new(question.steps()))?;
    if terminal.json {
        let duels: Vec<Json> = duels.iter().map(Duel::json).collect();
        terminal.say_json(&object!({ "format": 1, "programs": objects, "duels": duels }));
        return Ok(());
    }
    let named: Vec<(String, &Answer)> = answers.iter().map(|(n, a)| (n.clone(), a)).collect();
    let title = answers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" or ");
    let view = question.telling.view;
    let draw = |title: &str, look: &Look| drawing(title, &named, view, look);
    arguments.picture.write(&title, terminal, draw)?;
    if arguments.csv.csv {
        terminal.out(&outcomes(&named, question.telling.view).csv());
    } else if !arguments.picture.is_to_standard_output() {
        let mut text = report_together(&named, None, &question.telling, terminal)?;
        text += &told(&duels, terminal);
        terminal.say(&text);
    }
    Ok(())
}

/// The programs, each with the same system and inputs.
fn sources(arguments: &Compare) -> Vec<Source> {
    let first = &arguments.source;
    let alone = first.expression.is_some() || first.file.is_some();
    let own = alone.then(|| first.clone());
    let others = arguments.with.iter().map(|text| {
        let expression = Some(text.clone());
        Source { expression, file: None, ..first.clone() }
    });
    own.into_iter().chain(others).collect()
}

/// Records are compared whole, which is seldom what is meant.
fn tell_of_fields(answers: &[(String, Answer)], terminal: &Terminal) {
    if let Some((_, Answer { ty: Type::Record(record), .. })) = answers.first() {
        let names: Vec<&str> = record.fields.iter().map(|(name, _)| &**name).collect();
        let first = names.first().copied().unwrap_or("name");
        terminal.tell(&format!(
            "hint: whole records are compared; `--field {first}` compares one field of {}\n",
            names.join(", ")
        ));
    }
}

fn check_alike(answers: &[(String, Answer)]) -> Result<(), Stop> {
    let (first, one) = &answers[0];
    match answers.iter().find(|(_, answer)| answer.ty != one.ty) {
        None => Ok(()),
        Some((other, answer)) => Err(Stop::Usage(format!(
            "`{first}` is a {} and `{other}` is a {}: they cannot be compared; `--field NAME` \
             chooses a part of a result",
            one.ty, answer.ty
        ))),
    }
}

/// Two rolls against each other.
struct Duel<'a> {
    names: [&'a str; 2],
    /// The first is higher, they are equal, the second is higher.
    chances: [Rational; 3],
}

impl Duel<'_> {
    fn json(&self) -> Json {
        let [first, second] = self.names;
        let [higher, equal, lower] = self.chances.each_ref().map(ToString::to_string);
        let decimals = self.chances.each_ref().map(json::decimal);
        object!({
            "first": first, "second": second,
            "first_higher": higher, "equal": equal, "second_higher": lower,
            "decimals": {
                "first_higher": decimals[0], "equal": decimals[1], "second_higher": decimals[2],
            },
        })
    }
}

/// Each pair of numbers against each other, thrown independently.
fn duels<'a>(answers: &'a [(String, Answer)], meter: &Meter) -> Result<Vec<Duel<'a>>, Stop> {
    let mut duels = Vec::new();
    for (at, (first, one)) in answers.iter().enumerate() {
        for (second, other) in &answers[at + 1..] {
            let (Some(one), Some(other)) = (one.exact_law(), other.exact_law()) else { continue };
            let chance = |comparison| {
                Law::independent_compare(comparison, one, other, meter).map_err(|_| {
                    let what = format!("comparing `{first}` with `{second}` costs too much");
                    Stop::Costly(format!("{what}: `--steps N` allows more work"))
                })
            };
            let (higher, equal) = (chance(Comparison::Greater)?, chance(Comparison::Equal)?);
            let lower = Rational::ONE - &higher - &equal;
            duels.push(Duel { names: [first, second], chances: [higher, equal, lower] });
        }
    }
    Ok(duels)
}

/// Two rolls in words, more in a table.
fn told(duels: &[Duel<'_>], terminal: &Terminal) -> String {
    let mut grid = Grid::default();
    match duels {
        [] => return String::new(),
        [duel] => {
            let [first, second] = duel.names;
            let events = [
                format!("{first} is higher"),
                "they are equal".into(),
                format!("{second} is higher"),
            ];
            grid.texts(if terminal.markdown { "thrown against each other" } else { "" });
            grid.texts(if terminal.markdown { "chance" } else { "" });
            for (event, chance) in events.into_iter().zip(&duel.chances) {
                grid.row(vec![event, said_exactly(chance)]);
            }
        }
        several => {
            ["first", "second"].iter().for_each(|head| grid.texts(*head));
            grid.known_by(2);
            let heads = ["first higher", "equal", "second higher"];
            heads.iter().for_each(|head| grid.numbers(*head));
            for duel in several {
                let names = duel.names.iter().map(|name| (*name).to_owned());
                grid.row(names.chain(duel.chances.iter().map(percent)).collect());
            }
        }
    }
    format!("\n\n{}", terminal.table(&grid).join("\n"))
}
