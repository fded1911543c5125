//! `astragal EXPR`: a roll, and its odds beside it.

use astragal::json;
use serde_json::json as object;

use super::odds::Question;
use super::roll::{Origin, limits, rolled, told};
use crate::arguments::Both;
use crate::input;
use crate::prospects::verdict;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Both, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program_within(&arguments.source, arguments.throwing.steps, terminal)?;
    let throwing = &arguments.throwing;
    let question = Question::of(&arguments.asking, throwing.steps, throwing.full)?;
    let source = Origin::of(throwing)?;
    let rolled = rolled(&program, throwing, &source, 0, &limits(throwing), terminal)?;
    let Some(roll) = rolled else { return Ok(()) };
    if terminal.json {
        let odds = question.whole(&program)?;
        question.check_length(&odds.results)?;
        let odds = json::odds(&program, &odds);
        let roll = source.json(&program, &roll, 0);
        terminal.say_json(&object!({ "format": 1, "roll": roll, "odds": odds }));
        return Ok(());
    }
    verdict(&program, &roll.value, terminal).iter().for_each(|line| terminal.say_folded(line));
    terminal.say_folded(&format!("{}\n\n", told(&program, &roll, throwing.full, terminal)));
    if !roll.dice.is_empty() {
        source.tell_how_to_replay(0..1, terminal);
    }
    question.answer(&program, Some(&roll.value), terminal)
}
