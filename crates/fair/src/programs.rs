//! From a request and a key to dice and outcome.
//!
//! A roll at a table must come out the same for everyone, at any time. So limits are counted and not timed, a program is rolled once from
//! its text (never by the shortcut for programs that are rolled again), reads no file but the table's rules, and asks for no odds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use astragal::faces::{Faces, Scripted};
use astragal::{
    Asked, Diagnostics, Engine, Fault, FaultKind, Files, PRELUDE, Program, Roll, RollLimits,
    SYSTEMS, Told,
};

use crate::bytes::Hash;
use crate::formulas::hashed;
use crate::judge::Wanted;
use crate::line::{Dice, How, Limits, Outcome};
use crate::throws::Throws;

/// The most bytes of an outcome.
const LONGEST: usize = 4_096;
/// So many programs are kept, for they are rolled again and again.
const KEPT: usize = 512;
/// What the table's rules are called, as a file.
const RULES: &str = "rules.dice";

/// The hash of the prelude and the systems that are built in.
pub fn library() -> Hash {
    let mut all = Vec::new();
    for (name, text) in [("prelude", PRELUDE)].iter().chain(SYSTEMS) {
        for part in [name, text] {
            all.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
            all.extend(part.as_bytes());
        }
    }
    hashed(b"astragal library v1\0", &[&all])
}

/// Rules, text and inputs of a program.
type Known = (Option<Arc<str>>, String, Vec<(String, String)>);

/// Rolls what is asked for at a table, and remembers the programs.
#[derive(Default)]
pub struct Programs {
    /// None where the program cannot be checked.
    kept: HashMap<Known, Option<Box<Program>>>,
}

/// What was remembered is only a saving of time.
impl Clone for Programs {
    fn clone(&self) -> Programs {
        Programs::default()
    }
}

impl std::fmt::Debug for Programs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} programs", self.kept.len())
    }
}

impl Programs {
    /// The dice and the outcome of a roll.
    pub fn roll(&mut self, wanted: &Wanted<'_>, key: [u8; 32]) -> (Dice, Outcome) {
        let mut throws = Throws::new(key, wanted.limits.throws);
        let mut outcome = self.outcome(wanted, &mut throws);
        if throws.is_too_large() {
            outcome = Outcome(How::Fails, "die-too-large".into());
        }
        (throws.into_dice(), outcome)
    }

    /// What typed faces come to.
    pub fn typed(&mut self, wanted: &Wanted<'_>, faces: &str) -> Outcome {
        self.outcome(wanted, &mut Scripted::read(faces))
    }

    /// The program of a roll, and the roll with all that happened to its dice; none if it comes to no value.
    pub fn again(&mut self, wanted: &Wanted<'_>, key: [u8; 32]) -> Option<(Program, Roll)> {
        let mut throws = Throws::new(key, wanted.limits.throws);
        let program = self.program(wanted)?;
        let roll = program.roll_within(&mut throws, &limits(wanted)).ok()?;
        (!throws.is_too_large()).then_some((program, roll))
    }

    /// The same for typed faces.
    pub fn again_typed(&mut self, wanted: &Wanted<'_>, faces: &str) -> Option<(Program, Roll)> {
        let program = self.program(wanted)?;
        let roll = program.roll_within(&mut Scripted::read(faces), &limits(wanted)).ok()?;
        Some((program, roll))
    }

    fn outcome(&mut self, wanted: &Wanted<'_>, faces: &mut dyn Faces) -> Outcome {
        let Some(program) = self.program(wanted) else {
            return Outcome(How::Refused, "program".into());
        };
        match program.roll_within(faces, &limits(wanted)) {
            Ok(roll) => Outcome(How::Value, cut(roll.value.to_string())),
            Err(why) => {
                let code = why.list().first().map_or("unknown", |first| first.code);
                Outcome(How::Fails, code.to_owned())
            }
        }
    }

    /// The program, as if it were new: nothing is left of an earlier roll.
    fn program(&mut self, wanted: &Wanted<'_>) -> Option<Program> {
        let key = (wanted.rules.cloned(), wanted.text.to_owned(), wanted.inputs.to_vec());
        if self.kept.len() >= KEPT && !self.kept.contains_key(&key) {
            self.kept.clear();
        }
        let program = self.kept.entry(key).or_insert_with(|| compiled(wanted).map(Box::new));
        program.as_deref().cloned()
    }
}

fn limits(wanted: &Wanted<'_>) -> RollLimits {
    let Limits { throws, steps, .. } = *wanted.limits;
    let limits = RollLimits::USUAL.with_dice(throws).with_steps(steps).with_attempts(throws);
    limits.with_odds(no_odds)
}

/// Who rolls at a table is told no odds: how many steps they take is no part of the language.
fn no_odds(asked: Asked<'_>) -> Result<Told, Fault> {
    Err(FaultKind::NotKnown.at(asked.span))
}

/// The table's rules, and no other file.
struct House(Arc<str>);

impl Files for House {
    fn read(&self, path: &str) -> Result<String, String> {
        if path == RULES { Ok(self.0.to_string()) } else { Err("a table reads no files".into()) }
    }
}

fn compiled(wanted: &Wanted<'_>) -> Option<Program> {
    checked(wanted).ok().filter(|program| !program.decides())
}

/// A program as a table takes it, or what is wrong with it. One in which somebody decides is refused there all the same.
pub fn checked(wanted: &Wanted<'_>) -> Result<Program, Diagnostics> {
    let engine = engine(wanted.rules);
    let mut program = engine.compile(wanted.text).or_else(|wrong| {
        let declared = undeclared(&wrong, wanted.inputs);
        if declared.is_empty() {
            return Err(wrong);
        }
        engine.with_inputs(&declared).compile(wanted.text)
    })?;
    for (name, value) in wanted.inputs {
        program.set(name, value)?;
    }
    Ok(program)
}

/// Of some numbers with names, those that a program names: a device writes them into its request, for the house knows of no characters.
pub fn named(
    text: &str,
    rules: Option<&Arc<str>>,
    numbers: &[(String, String)],
) -> Vec<(String, String)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: HashSet<&str> = text.split(|c| !is_part(c)).collect();
    let mentioned = numbers.iter().filter(|(name, _)| words.contains(name.as_str()));
    let mentioned: Vec<(String, String)> = mentioned.cloned().collect();
    let engine = engine(rules);
    let program = engine
        .compile(text)
        .or_else(|wrong| engine.clone().with_inputs(&undeclared(&wrong, &mentioned)).compile(text));
    let Ok(program) = program else { return Vec::new() };
    let declares = |name: &str| program.inputs().any(|input| input.name == name);
    mentioned.into_iter().filter(|(name, _)| declares(name)).collect()
}

fn engine(rules: Option<&Arc<str>>) -> Engine {
    match rules {
        Some(rules) => Engine::new().with_files(House(Arc::clone(rules))).with_house(RULES),
        None => Engine::new(),
    }
}

/// Declarations of inputs that the program names without declaring them.
fn undeclared(wrong: &Diagnostics, inputs: &[(String, String)]) -> String {
    let unknown = |name: &str| {
        let message = format!("unknown name `{name}`");
        wrong.list().iter().any(|found| found.code == "unknown-name" && found.message == message)
    };
    let missing = inputs.iter().filter(|(name, value)| unknown(name) && is_literal(value));
    missing.map(|(name, value)| format!("param {name} = {value}\n")).collect()
}

/// A number or a yes or no: `7`, `-1`, `0.5`, `1/2`, `true`.
fn is_literal(value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    let parts = unsigned.split_once('.').or_else(|| unsigned.split_once('/'));
    let number = parts.map_or_else(|| digits(unsigned), |(a, b)| digits(a) && digits(b));
    number || value == "true" || value == "false"
}

/// At most so many bytes, whole characters.
fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolled(text: &str, inputs: &[(&str, &str)], rules: Option<&str>) -> (Dice, Outcome) {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let inputs: Vec<(String, String)> = inputs.iter().map(own).collect();
        let rules = rules.map(Arc::from);
        let limits = &Limits::USUAL;
        let wanted = Wanted { text, inputs: &inputs, rules: rules.as_ref(), limits };
        let mut programs = Programs::default();
        let first = programs.roll(&wanted, [9; 32]);
        assert_eq!(programs.roll(&wanted, [9; 32]), first, "again");
        assert_eq!(programs.roll(&wanted, [9; 32]), first, "a third time");
        first
    }

    #[test]
    fn a_roll_is_dice_and_an_outcome() {
        let (dice, outcome) = rolled("2d6 + d20 + ac", &[("ac", "100")], None);
        assert_eq!((dice.len(), dice[0].len(), dice[1].len()), (2, 3, 2));
        let sum = dice[0][1] + dice[0][2] + dice[1][1] + 100;
        assert_eq!(outcome, Outcome(How::Value, sum.to_string()));
    }

    #[test]
    fn every_program_has_an_outcome() {
        let of = |text: &str| rolled(text, &[], None).1;
        let fails = |code: &str| Outcome(How::Fails, code.into());
        let refused = Outcome(How::Refused, "program".into());
        assert_eq!(of("2d6 +"), refused);
        assert_eq!(of("d20 + ac"), refused);
        assert_eq!(of("use \"x.dice\"; d6"), refused);
        assert_eq!(of("choose \"a\" => d6; \"b\" => 3 end"), refused);
        assert_eq!(of("2000d6"), fails("over-budget"));
        assert_eq!(of("d9007199254740992"), fails("die-too-large"));
        assert_eq!(of("d6 + mean(d6)"), fails("not-known"));
        assert_eq!(rolled("d6", &[("ac", "3")], None).1, refused, "an input that it has not");
        assert_eq!(rolled("d6 + ac", &[("ac", "d6")], None).1, refused);
        assert_eq!(of("d9007199254740991").0, How::Value);
    }

    #[test]
    fn rules_of_the_table_are_known() {
        let rules = "fn hit(ac) = d20 + 5 >= ac";
        assert_eq!(rolled("hit(1)", &[], Some(rules)).1, Outcome(How::Value, "yes".into()));
        assert_eq!(rolled("hit(1)", &[], Some("fn hit(")).1.0, How::Refused);
    }

    #[test]
    fn a_program_names_numbers() {
        let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let numbers = [own("str", "4"), own("dex", "2"), own("ac", "15"), own("d6", "1")];
        let of =
            |text: &str, rules: Option<&str>| named(text, rules.map(Arc::from).as_ref(), &numbers);
        assert_eq!(of("d20 + str", None), [own("str", "4")]);
        assert_eq!(of("param ac = 10; d20 + dex >= ac", None), [own("dex", "2"), own("ac", "15")]);
        assert_eq!(of("let str = 3; d6 + str", None), [], "it is the program's own");
        assert_eq!(of("hit(ac)", Some("fn hit(ac) = d20 >= ac")), [own("ac", "15")]);
        assert_eq!(of("d20 + strong", None), []);
    }

    #[test]
    fn weights_are_sides() {
        let (dice, outcome) = rolled("d{1: 3, 2: 1}", &[], None);
        let face = if dice[0][1] <= 3 { "1" } else { "2" };
        assert_eq!((dice[0][0], outcome.1.as_str()), (4, face));
    }

    #[test]
    fn a_long_value_is_cut() {
        let cut = cut("é".repeat(3000));
        assert_eq!((cut.len(), cut.chars().last()), (4096 + 3, Some('…')));
    }
}
