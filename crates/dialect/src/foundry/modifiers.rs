//! What is written behind dice or a pool.
//!
//! ```text
//! modifiers = { letters [ arguments ] }
//! arguments = [ digits ] [ "=" | "<" | "<=" | ">" | ">=" ] [ digits ]
//! ```
//!
//! Letters that are no known word are split into the longest that are (`xkh` is `x`, `kh`). Foundry loses the
//! numbers behind such a run, which no one can have meant: it is refused.

use astragal_syntax::span::Span;
use astragal_syntax::tree::Comparison;

use crate::faces::Test;
use crate::reader::{Read, Reader};

/// What dice with numbers take.
pub(super) const DICE: &[&str] = &[
    "r", "rr", "x", "xo", "k", "kh", "kl", "d", "dh", "dl", "min", "max", "even", "odd", "cs",
    "cf", "df", "sf", "ms",
];

/// What Fate dice take.
pub(super) const FATE: &[&str] = &["r", "rr", "k", "kh", "kl", "d", "dh", "dl"];

/// What coins take.
pub(super) const COINS: &[&str] = &["c"];

/// What `{…}` takes.
pub(super) const POOLS: &[&str] = &["k", "kh", "kl", "d", "dh", "dl", "cs", "cf"];

/// One modifier: `x3<5` has a limit of 3 and the condition `<5`.
pub(super) struct Modifier {
    pub(super) command: &'static str,
    /// Digits before a comparison, or alone.
    pub(super) number: Option<i64>,
    pub(super) comparison: Option<Comparison>,
    /// Digits behind a comparison.
    pub(super) target: Option<i64>,
    pub(super) span: Span,
}

impl Modifier {
    pub(super) fn read_all(
        reader: &mut Reader,
        known: &'static [&'static str],
    ) -> Read<Vec<Modifier>> {
        let mut found = Vec::new();
        while reader.scan.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            Modifier::read(reader, known, &mut found)?;
        }
        Ok(found)
    }

    /// A run of letters with its arguments.
    fn read(
        reader: &mut Reader,
        known: &'static [&'static str],
        found: &mut Vec<Modifier>,
    ) -> Read<()> {
        let start = reader.scan.at();
        let letters = reader.scan.take_while(|c| c.is_ascii_alphabetic());
        let end = reader.scan.at();
        let commands = split(&letters.to_ascii_lowercase(), known);
        let Some((last, before)) = commands.as_deref().and_then(<[_]>::split_last) else {
            return Err(unknown(reader, reader.scan.since(start), known));
        };
        for command in before {
            found.push(Modifier::bare(command, reader.scan.span(start, end)));
        }
        let mut modifier = Modifier::bare(last, reader.scan.since(start));
        modifier.arguments(reader)?;
        modifier.span = reader.scan.since(start);
        if !before.is_empty() && modifier.span.end as usize > end {
            let message = format!("Foundry loses what stands behind `{letters}`");
            let help = "put the modifier with a number first, or write the numbers of all of them";
            return Err(Box::new(reader.wrong(modifier.span, message).help(help)));
        }
        found.push(modifier);
        Ok(())
    }

    fn bare(command: &'static str, span: Span) -> Modifier {
        Modifier { command, number: None, comparison: None, target: None, span }
    }

    fn arguments(&mut self, reader: &mut Reader) -> Read<()> {
        self.number = number(reader)?;
        let at = reader.scan.at();
        self.comparison = match reader.scan.take_while(|c| matches!(c, '<' | '>' | '=')) {
            "" => return Ok(()),
            "=" => Some(Comparison::Equal),
            "<" => Some(Comparison::Less),
            "<=" => Some(Comparison::AtMost),
            ">" => Some(Comparison::Greater),
            ">=" => Some(Comparison::AtLeast),
            other => {
                let message = format!("`{other}` is no comparison in Foundry");
                return Err(reader.wrong(reader.scan.since(at), message));
            }
        };
        self.target = number(reader)?;
        Ok(())
    }

    /// The limit in front of a condition: the 3 of `x3<5`.
    pub(super) fn limit(&self) -> Option<i64> {
        self.number.filter(|_| self.comparison.is_some())
    }

    /// Whether it says which dice.
    pub(super) fn has_test(&self) -> bool {
        self.number.is_some() || self.comparison.is_some()
    }

    /// Which dice; a number alone means equality, nothing means `otherwise`.
    pub(super) fn test(&self, otherwise: i64) -> Test {
        let value = match self.comparison {
            Some(_) => self.target,
            None => self.number,
        };
        Test::new(self.comparison.unwrap_or(Comparison::Equal), value.unwrap_or(otherwise))
    }
}

fn number(reader: &mut Reader) -> Read<Option<i64>> {
    let start = reader.scan.at();
    let Some(digits) = reader.scan.digits() else { return Ok(None) };
    let too_large = |_| reader.wrong(reader.scan.since(start), "the number is too large");
    digits.parse().map(Some).map_err(too_large)
}

/// The known words that a run of letters is made of, the longest first.
fn split(letters: &str, known: &'static [&'static str]) -> Option<Vec<&'static str>> {
    if let Some(whole) = known.iter().find(|word| **word == letters) {
        return Some(vec![whole]);
    }
    let mut words = Vec::new();
    let mut rest = letters;
    while !rest.is_empty() {
        let fits = known.iter().filter(|word| rest.starts_with(**word));
        let word = *fits.max_by_key(|word| word.len())?;
        words.push(word);
        rest = &rest[word.len()..];
    }
    Some(words)
}

fn unknown(
    reader: &Reader,
    span: Span,
    known: &[&str],
) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    let message = format!("Foundry has no modifier `{}` for these dice", reader.at(span));
    Box::new(reader.wrong(span, message).help(format!("it knows {}", known.join(", "))))
}
