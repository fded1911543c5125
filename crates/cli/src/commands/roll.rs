//! `astragal roll`: one roll, explained.

use std::ops::Range;

use astragal::faces::{Faces, Scripted, Seeded};
use astragal::render::{Detail, View, ansi, markdown, plain};
use astragal::{Budget, Meter, OverBudget, Program, RollLimits, json};
use astragal_syntax::span::Span;
use serde_json::Value as Json;

use crate::arguments::{Roll, Throwing};
use crate::choosing::Said;
use crate::input;
use crate::prospects::{prospect, verdict};
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Roll, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program_within(&arguments.source, arguments.throwing.steps, terminal)?;
    let source = Origin::of(&arguments.throwing)?;
    let limits = limits(&arguments.throwing);
    let (together, times) = (Together::of(&arguments.throwing), arguments.times.unwrap_or(1));
    let mut rolls = String::new();
    let (mut last, mut threw) = (None, false);
    let first = arguments.roll.map_or(0, |number| number - 1);
    let end = first.saturating_add(times);
    for number in first..end {
        let Some(roll) = rolled(&program, &arguments.throwing, &source, number, &limits, terminal)?
        else {
            return Ok(());
        };
        let text = match terminal.json {
            true => source.json(&program, &roll, number).to_string(),
            false => told(&program, &roll, arguments.throwing.full, terminal),
        };
        let paid = together.pay_for(&roll, &text);
        threw |= !roll.dice.is_empty();
        if terminal.json {
            // As text: a million of them would be large as data.
            rolls.push_str(if number == first { "" } else { "," });
            rolls.push_str(&text);
        } else {
            if arguments.times.is_none() {
                verdict(&program, &roll.value, terminal)
                    .iter()
                    .for_each(|line| terminal.say_folded(line));
            }
            terminal.say_folded(&text);
            last = Some(roll.into_value());
        }
        if number + 1 < end {
            paid.map_err(|refusal| together.refuse(refusal, number + 1 - first, times))?;
        }
    }
    // What came up differs from roll to roll; the chance of success does not.
    let told = last.is_some();
    let only = last.filter(|_| arguments.times.is_none_or(|times| times == 1));
    let line = told.then(|| prospect(&program, only.as_ref(), terminal)).flatten();
    if let Some(line) = line {
        terminal.say(&line);
    }
    match arguments.times {
        Some(_) if terminal.json => terminal.out(&format!("{{\"format\":1,\"rolls\":[{rolls}]}}")),
        None if terminal.json => terminal.out(&rolls),
        _ if threw => source.tell_how_to_replay(first..end, terminal),
        _ => {}
    }
    Ok(())
}

/// A roll; none if somebody is to choose and does not.
pub(crate) fn rolled(
    program: &Program,
    throwing: &Throwing,
    source: &Origin,
    number: u64,
    limits: &RollLimits,
    terminal: &Terminal,
) -> Result<Option<astragal::Roll>, Stop> {
    if throwing.choices.is_some() && !program.decides() {
        return Err(Stop::Usage("nobody chooses in this program: leave out `--choices`".into()));
    }
    let said = Said::by_hand(throwing, program, terminal, &mut |player| {
        let limits = limits.clone().with_player(player);
        Ok(Some(program.roll_within(&mut *source.faces(number), &limits).map(drop)))
    })?;
    let Some(said) = said else { return Ok(None) };
    Ok(Some(said.roll(program, &mut *source.faces(number), limits, terminal)?))
}

/// A roll in words.
pub(crate) fn told(
    program: &Program,
    roll: &astragal::Roll,
    full: bool,
    terminal: &Terminal,
) -> String {
    told_as(program.text(), program, roll, full, terminal)
}

/// The same for a program that the user knows under another text: without what was put before it.
pub(crate) fn told_as(
    expression: &str,
    program: &Program,
    roll: &astragal::Roll,
    full: bool,
    terminal: &Terminal,
) -> String {
    let sources = program.hints().sources();
    let source = |span: Span| Some(sources.slice(span).to_owned());
    let detail = if full { Detail::Full } else { Detail::Glance };
    let view = View { expression, source: &source, detail };
    match (terminal.markdown, terminal.colour) {
        (true, _) => markdown(roll, &view),
        (false, true) => ansi(roll, &view),
        (false, false) => plain(roll, &view),
    }
}

/// How much a roll may cost. More steps allow more dice too.
pub(crate) fn limits(throwing: &Throwing) -> RollLimits {
    let usual = RollLimits::default();
    let steps = throwing.steps.unwrap_or(usual.steps);
    let times = (steps / usual.steps).max(1);
    RollLimits::default().with_steps(steps).with_dice(usual.dice.saturating_mul(times))
}

/// The budget of all rolls of one command: each may be cheap, and there may be millions.
struct Together {
    meter: Meter,
    steps: u64,
}

impl Together {
    fn of(throwing: &Throwing) -> Together {
        let usual = Budget::default();
        let steps = throwing.steps.unwrap_or(usual.steps);
        let meter = Meter::new(steps).with_memory(usual.memory).with_guard(&astragal::guard());
        Together { meter, steps }
    }

    /// Pays for a roll and for what is told of it. What a program does without dice and words is left to the guard.
    fn pay_for(&self, roll: &astragal::Roll, text: &str) -> Result<(), OverBudget> {
        const ROLL: u64 = 200;
        const DIE: u64 = 20;
        self.meter.charge(ROLL + DIE * roll.dice.len() as u64 + text.len() as u64)
    }

    fn refuse(&self, refusal: OverBudget, rolled: u64, times: u64) -> Stop {
        let allowed = match refusal {
            OverBudget::Memory => "the memory".to_owned(),
            _ => format!("the {} steps of work", self.steps),
        };
        Stop::Costly(format!(
            "{rolled} of {times} rolls took {allowed} that they are allowed together: `--steps N` allows more work"
        ))
    }
}

/// Where faces come from.
pub(crate) enum Origin {
    /// The user chose a seed.
    Seed(u64),
    /// Chance; the seed is told afterwards.
    Chance(u64),
    /// The user chose the faces.
    Faces(Scripted),
}

impl Origin {
    pub(crate) fn of(throwing: &Throwing) -> Result<Origin, Stop> {
        match (throwing.seed, &throwing.faces) {
            (Some(seed), _) => Ok(Origin::Seed(seed)),
            (None, Some(faces)) => Ok(Origin::Faces(Scripted::read(faces))),
            (None, None) => Origin::chance(),
        }
    }

    /// A fresh seed. It has 53 bits, so that it survives JSON in every language.
    pub(crate) fn chance() -> Result<Origin, Stop> {
        let word = getrandom::u64().map_err(|error| {
            Stop::Usage(format!("this machine gives no random numbers ({error}): use --seed"))
        })?;
        Ok(Origin::Chance(word >> 11))
    }

    /// The faces of the roll with this number, from 0.
    pub(crate) fn faces(&self, number: u64) -> Box<dyn Faces> {
        match self {
            Origin::Seed(seed) | Origin::Chance(seed) => Box::new(Seeded::new(*seed, number)),
            Origin::Faces(faces) => Box::new(faces.clone()),
        }
    }

    pub(crate) fn seed(&self) -> Option<u64> {
        match self {
            Origin::Seed(seed) | Origin::Chance(seed) => Some(*seed),
            Origin::Faces(_) => None,
        }
    }

    /// A roll as data, with the number under which it is replayed; people count from 1.
    pub(crate) fn json(&self, program: &Program, roll: &astragal::Roll, number: u64) -> Json {
        let mut object = json::roll(program, roll, self.seed());
        object["number"] = self.seed().map(|_| number + 1).into();
        object
    }

    /// Says how the rolls of these numbers come up again.
    pub(crate) fn tell_how_to_replay(&self, numbers: Range<u64>, terminal: &Terminal) {
        let (first, last) = (numbers.start + 1, numbers.end);
        let told = match self {
            Origin::Faces(_) => return,
            Origin::Chance(seed) if last <= 1 => format!("the same again: --seed {seed}"),
            Origin::Chance(seed) => {
                format!("the same again: --seed {seed}; one of them: --seed {seed} --roll N")
            }
            Origin::Seed(seed) if first >= last => format!("seed {seed}, roll {first}"),
            Origin::Seed(seed) => {
                format!("seed {seed}, rolls {first} to {last}; one of them: --seed {seed} --roll N")
            }
        };
        terminal.tell(&terminal.wrapped(&format!("({told})")).join("\n"));
    }
}
