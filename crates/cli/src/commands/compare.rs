//! `astragal compare`: several rolls in one chart, and how often one beats another.

use astragal::{Answer, Meter, Type, json};
use astragal_show::decimal::percent;
use astragal_show::export::grid::Grid;
use astragal_show::export::outcomes::outcomes;
use astragal_show::said::said_exactly;
use astragal_show::svg::{Look, drawing};
use astragal_vary::{Duel, TooCostly, alike, data, duels, name_of};

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
            answers.push((name_of(&program, &answer), answer));
        }
    }
    alike(&answers)?;
    tell_of_fields(&answers, terminal);
    let duels = duels(&answers, &Meter::new(question.steps()))
        .map_err(|TooCostly(what)| Stop::Costly(format!("{what}: `--steps N` allows more work")))?;
    if terminal.json {
        terminal.say_json(&data::compare(objects, &duels));
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
