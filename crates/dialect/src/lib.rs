//! Notation pasted from other tools, said in our own.
//!
//! `4d6r<2` rerolls twos and ones until there are none in Roll20, and ones alone, once, in Foundry. A
//! dialect reads a text exactly as its tool does and gives our spelling of that meaning, or says which
//! part has none and what comes nearest:
//!
//! ```
//! use astragal_dialect::{Dialect, convert};
//! assert_eq!(convert("4d6r<2", Dialect::Roll20).unwrap(), "4d6rr<=2");
//! assert_eq!(convert("4d6r<2", Dialect::Foundry).unwrap(), "4d6ro<2");
//! assert!(convert("5d6mt", Dialect::Roll20).is_err());
//! ```
//!
//! Each dialect builds our own tree, which the printer of the syntax crate prints; what is given back is
//! read once more, so that it always parses. `math`, `throwing` and `loose` are what the tools share; each has
//! a folder for what it does with the modifiers behind dice. AnyDice has a crate of its own, which runs its programs.

mod avrae;
mod build;
mod dicemaiden;
mod faces;
mod foundry;
mod loose;
mod math;
mod reader;
mod roll20;
mod rpg_dice_roller;
mod scan;
mod term;
mod throwing;

use std::fmt;

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::Expr;
use astragal_syntax::{Limits, parse, print_expr};

use reader::Reader;

/// Longer texts are no dice notation.
const MOST_BYTES: usize = 10_000;

/// Another tool's way to write dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Roll20's chat.
    Roll20,
    /// Foundry Virtual Tabletop.
    Foundry,
    /// Avrae, the bot for Discord, and its library d20.
    Avrae,
    /// The library rpg-dice-roller.
    RpgDiceRoller,
    /// Dice Maiden, the bot for Discord.
    DiceMaiden,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 5] = [
        Dialect::Roll20,
        Dialect::Foundry,
        Dialect::Avrae,
        Dialect::RpgDiceRoller,
        Dialect::DiceMaiden,
    ];

    /// As options name it: `roll20`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Roll20 => "roll20",
            Dialect::Foundry => "foundry",
            Dialect::Avrae => "avrae",
            Dialect::RpgDiceRoller => "rpg-dice-roller",
            Dialect::DiceMaiden => "dicemaiden",
        }
    }

    /// Whether `D20` is no die there.
    fn minds_case(self) -> bool {
        matches!(self, Dialect::Avrae | Dialect::RpgDiceRoller)
    }

    /// The dialect of this name, in any case.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Roll20 => "Roll20",
            Dialect::Foundry => "Foundry",
            Dialect::Avrae => "Avrae",
            Dialect::RpgDiceRoller => "rpg-dice-roller",
            Dialect::DiceMaiden => "Dice Maiden",
        })
    }
}

/// A text in our notation, and what the reader should know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The expression; it parses without errors.
    pub astragal: String,
    /// What was left out because it never changes a total; places are in the original text.
    pub notices: Vec<Diagnostic>,
}

/// Our spelling of another tool's expression.
pub fn convert(text: &str, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    convert_noted(text, dialect).map(|converted| converted.astragal)
}

/// As [`convert`], with notices about what was left out.
pub fn convert_noted(text: &str, dialect: Dialect) -> Result<Converted, Vec<Diagnostic>> {
    let (text, advantage) = match dialect {
        Dialect::Avrae => avrae::advantage(text),
        _ => (text.into(), None),
    };
    let text = text.as_ref();
    let mut reader = Reader::new(text, dialect);
    reader.advantage = advantage;
    if text.len() > MOST_BYTES {
        let whole = reader.scan.span(0, text.len());
        let message = format!("the text is longer than {MOST_BYTES} bytes");
        return Err(vec![Diagnostic::error("dialect-too-long", whole, message)]);
    }
    let read = match dialect {
        Dialect::Roll20 => roll20::whole(&mut reader),
        Dialect::Foundry => foundry::whole(&mut reader),
        Dialect::Avrae => avrae::whole(&mut reader),
        Dialect::RpgDiceRoller => rpg_dice_roller::whole(&mut reader),
        Dialect::DiceMaiden => dicemaiden::whole(&mut reader),
    };
    let expr = read.map_err(|found| vec![*found])?;
    let astragal = print_expr(&expr);
    match misread(&astragal) {
        None => Ok(Converted { astragal, notices: reader.notices }),
        Some(why) => Err(vec![unsayable(&reader, &expr, &why)]),
    }
}

/// The first error of our own parser, if there is one.
fn misread(ours: &str) -> Option<Diagnostic> {
    let parsed = parse(ours, SourceId(0), &Limits::default());
    parsed.diagnostics.into_iter().find(|d| d.severity <= Severity::OverBudget)
}

/// What was read is more than our own notation takes: too deep, too many operators.
fn unsayable(reader: &Reader, expr: &Expr, why: &Diagnostic) -> Diagnostic {
    let message = format!("this cannot be written as one expression: {}", why.message);
    let place = if expr.span.end as usize <= reader.scan.text().len() {
        expr.span
    } else {
        reader.scan.span(0, reader.scan.text().len())
    };
    Diagnostic::error("dialect-too-deep", place, message).help("convert its parts one by one")
}
