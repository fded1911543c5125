//! A person decides: a roll stops at a choice, asks, and is thrown again from the same dice with one choice more.
//!
//! ```text
//! first: 7
//!   1  keep
//!   2  throw again
//! which? (`?` tells what they are worth) 1
//! keep: 7; best is throw again: 10.5
//! ```

use std::sync::Arc;

use astragal::faces::Faces;
use astragal::{Diagnostics, Met, Player, Program, Roll, RollLimits, Script, Stop as Halt};
use astragal_assist::call::which;

use crate::arguments::Throwing;
use crate::commands::play::ask::Asker;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// One attempt to roll with somebody who decides; none if it was interrupted.
type Attempt<'a> = dyn FnMut(Arc<dyn Player>) -> Result<Option<Result<(), Diagnostics>>, Stop> + 'a;

/// What a person takes, choice by choice, after what is said already; none if nobody answers any more.
fn chosen(
    program: &Program,
    said: Vec<Arc<str>>,
    asker: &Asker<'_>,
    attempt: &mut Attempt<'_>,
) -> Result<Option<Vec<Arc<str>>>, Stop> {
    let mut said = said;
    loop {
        let halt = Arc::new(Halt::advised_by(program.best_player()));
        let script = Script::new(said.iter().cloned(), Arc::clone(&halt) as _);
        let Some(rolled) = attempt(Arc::new(script))? else { return Ok(None) };
        let stopped = rolled.is_err_and(|wrong| is_met(&wrong));
        // Whatever else is wrong is told when it is rolled to the end.
        let Some(met) = halt.met().filter(|_| stopped) else { return Ok(Some(said)) };
        let Some(taken) = answer(&met, asker) else { return Ok(None) };
        said.push(met.options[taken].clone());
    }
}

/// What is taken in a roll, choice by choice; best play goes on where it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said(Option<Vec<Arc<str>>>);

impl Said {
    /// What a person takes, or took before; none if nobody answers any more.
    pub(crate) fn by_hand(
        throwing: &Throwing,
        program: &Program,
        terminal: &Terminal,
        attempt: &mut Attempt<'_>,
    ) -> Result<Option<Said>, Stop> {
        if !program.decides() || !(throwing.ask || throwing.choices.is_some()) {
            return Ok(Some(Said(None)));
        }
        let said = throwing.choices.as_deref().map(listed).unwrap_or_default();
        if !throwing.ask {
            return Ok(Some(Said(Some(said))));
        }
        let said = chosen(program, said, &Asker::new(terminal), attempt)?;
        Ok(said.map(|said| Said(Some(said))))
    }

    /// The limits of one roll of a program in which this is taken.
    pub(crate) fn within(&self, limits: &RollLimits, program: &Program) -> RollLimits {
        match self.script(program) {
            Some(script) => limits.clone().with_player(script),
            None => limits.clone(),
        }
    }

    /// One roll in which this is taken. What was not asked for is told: it was meant for another roll.
    pub(crate) fn roll(
        &self,
        program: &Program,
        faces: &mut dyn Faces,
        limits: &RollLimits,
        terminal: &Terminal,
    ) -> Result<Roll, Diagnostics> {
        let Some(script) = self.script(program) else { return program.roll_within(faces, limits) };
        let limits = limits.clone().with_player(Arc::clone(&script) as _);
        let roll = program.roll_within(faces, &limits)?;
        match script.left() {
            0 => {}
            1 => terminal.tell("(the last choice was not asked for)"),
            left => terminal.tell(&format!("(the last {left} choices were not asked for)")),
        }
        Ok(roll)
    }

    fn script(&self, program: &Program) -> Option<Arc<Script>> {
        let said = self.0.as_ref()?;
        Some(Arc::new(Script::new(said.iter().cloned(), program.best_player())))
    }
}

fn is_met(wrong: &Diagnostics) -> bool {
    wrong.list().iter().any(|wrong| wrong.code == "nobody-chooses")
}

/// Asks until there is an answer. An opponent answers for himself, if it is known what is best for him.
fn answer(met: &Met, asker: &Asker<'_>) -> Option<usize> {
    let known: Vec<String> =
        met.known.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    if !known.is_empty() {
        asker.say(&known.join(", "));
    }
    if let Some(best) = met.best.filter(|_| met.opponent) {
        asker.say(&format!("the opponent takes {}", worth(met, best)));
        return Some(best);
    }
    for (at, option) in met.options.iter().enumerate() {
        asker.say(&format!("{:3}  {option}", at + 1));
    }
    let whose = if met.opponent { "which, for the opponent?" } else { "which?" };
    let names: Vec<&str> = met.options.iter().map(|option| &**option).collect();
    loop {
        let answer = asker.ask(&format!("{whose} (`?` tells what they are worth) "))?;
        if answer == "?" {
            asker.say(&worths(met));
            continue;
        }
        match chosen_by(&answer, &names) {
            Ok(taken) => {
                asker.say(&verdict(met, taken));
                return Some(taken);
            }
            Err(reason) => asker.say(&reason),
        }
    }
}

/// By its number or its name. A name comes first: an item of a list may be a number.
fn chosen_by(answer: &str, names: &[&str]) -> Result<usize, String> {
    let same = |name: &&str| name.to_lowercase() == answer.to_lowercase();
    match names.iter().position(same) {
        Some(at) => Ok(at),
        None => which(answer, names),
    }
}

fn worth(met: &Met, option: usize) -> String {
    let worth = met.worth.as_ref().and_then(|worth| worth.get(option));
    let worth = worth.map(|worth| format!(": {}", worth.worth(met.is_chance)));
    format!("{}{}", met.options[option], worth.unwrap_or_default())
}

fn worths(met: &Met) -> String {
    if met.worth.is_none() {
        return "what they are worth is not known".into();
    }
    let all: Vec<String> = (0..met.options.len()).map(|option| worth(met, option)).collect();
    all.join(", ")
}

/// What is said after a choice.
fn verdict(met: &Met, taken: usize) -> String {
    let worths = met.worth.as_ref();
    let is_as_good = |best| worths.is_some_and(|worths| worths.get(taken) == worths.get(best));
    match met.best {
        Some(best) if best == taken || is_as_good(best) => {
            format!("{}, which is best", worth(met, taken))
        }
        Some(best) => format!("{}; best is {}", worth(met, taken), worth(met, best)),
        None => worth(met, taken),
    }
}

/// What is said in one text: `throw again,keep`. Commas within brackets or quotes belong to what is said.
fn listed(text: &str) -> Vec<Arc<str>> {
    let (mut said, mut one) = (Vec::new(), String::new());
    let (mut depth, mut quoted) = (0u32, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if depth == 0 && !quoted => said.push(std::mem::take(&mut one)),
            c => {
                depth = match c {
                    '[' | '{' | '(' if !quoted => depth + 1,
                    ']' | '}' | ')' if !quoted => depth.saturating_sub(1),
                    _ => depth,
                };
                one.push(c);
            }
        }
    }
    said.push(one);
    said.iter().map(|one| one.trim().into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_listed_with_commas_between_them() {
        let list = |text: &str| listed(text).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(list("throw again,keep"), ["throw again", "keep"]);
        assert_eq!(list("[6, 5], [],\"a, b\""), ["[6, 5]", "[]", "a, b"]);
    }

    #[test]
    fn names_come_before_numbers() {
        assert_eq!(chosen_by("3", &["3", "2", "1"]), Ok(0));
        assert_eq!(chosen_by("2", &["keep", "throw again"]), Ok(1));
        assert_eq!(chosen_by("Throw Again", &["keep", "throw again"]), Ok(1));
        assert!(chosen_by("4", &["keep", "throw again"]).is_err());
    }
}
