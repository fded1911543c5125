//! What is written behind dice or a group.
//!
//! ```text
//! modifiers = { ( "!!p" | "!!" | "!p" | "!" ) [ point ] | point [ "f" point ] | ( "ro" | "r" | "uo" | "u" ) [ point ]
//!             | ( "kh" | "kl" | "k" | "dh" | "dl" | "d" ) digits | ( "cs" | "cf" ) [ point ] | "sa" | "sd" | "s"
//!             | ( "min" | "max" ) number }
//! point     = ( "=" | "!=" | "<>" | "<" | ">" | "<=" | ">=" ) number
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, SuffixKind};

use crate::faces::Test;
use crate::reader::{Read, Reader};

const WORDS: &[&str] = &[
    "!!p", "!!", "!p", "!", "ro", "r", "uo", "u", "kh", "kl", "k", "dh", "dl", "d", "cs", "cf",
    "sa", "sd", "s", "min", "max",
];

/// What only acts on dice.
const FOR_DICE: &[&str] = &["!!p", "!!", "!p", "!", "ro", "r", "uo", "u", "cs", "cf", "min", "max"];

/// One modifier of a kind, with its place.
pub(super) type Given<T> = Option<(T, Span)>;

/// Of each kind the last.
#[derive(Default)]
pub(super) struct Modifiers {
    pub(super) min: Given<i64>,
    pub(super) max: Given<i64>,
    /// As written, and on which faces.
    pub(super) explosion: Given<(&'static str, Option<Test>)>,
    /// Whether only once, and on which faces.
    pub(super) reroll: Given<(bool, Option<Test>)>,
    /// Whether it is a plain `u`.
    pub(super) unique: Given<bool>,
    pub(super) ends: Ends,
    /// For, and against.
    pub(super) target: Given<(Test, Option<Test>)>,
    pub(super) sort: Given<SuffixKind>,
}

/// How many are kept or dropped from each end.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) keep_highest: Given<i64>,
    pub(super) keep_lowest: Given<i64>,
    pub(super) drop_lowest: Given<i64>,
    pub(super) drop_highest: Given<i64>,
}

impl Ends {
    pub(super) fn all(&self) -> impl Iterator<Item = (i64, Span)> {
        [self.keep_highest, self.keep_lowest, self.drop_lowest, self.drop_highest]
            .into_iter()
            .flatten()
    }
}

impl Modifiers {
    pub(super) fn read(reader: &mut Reader, group: bool) -> Read<Modifiers> {
        let mut found = Modifiers::default();
        while found.one(reader, group)? {}
        Ok(found)
    }

    /// Reads one modifier; whether there was one.
    fn one(&mut self, reader: &mut Reader, group: bool) -> Read<bool> {
        let start = reader.scan.at();
        if matches!(reader.scan.peek(), Some('<' | '>' | '=')) {
            let plus = needed(reader)?;
            let minus = if reader.scan.eat("f") { Some(needed(reader)?) } else { None };
            set(reader, &mut self.target, (plus, minus), start);
            return Ok(true);
        }
        let Some(word) = reader.scan.eat_longest(WORDS) else { return Ok(false) };
        if group && FOR_DICE.contains(&word) {
            let message = format!("`{word}` acts on dice, not on a group");
            return Err(reader.wrong(reader.scan.since(start), message));
        }
        match word {
            "r" | "ro" => {
                let test = point(reader)?;
                set(reader, &mut self.reroll, (word == "ro", test), start);
            }
            "u" | "uo" => {
                let plain = point(reader)?.is_none() && word == "u";
                set(reader, &mut self.unique, plain, start);
            }
            "kh" | "k" => amount(reader, &mut self.ends.keep_highest, start)?,
            "kl" => amount(reader, &mut self.ends.keep_lowest, start)?,
            "dl" | "d" => amount(reader, &mut self.ends.drop_lowest, start)?,
            "dh" => amount(reader, &mut self.ends.drop_highest, start)?,
            "cs" | "cf" => mark(reader, start)?,
            "sd" => set(reader, &mut self.sort, SuffixKind::Descending, start),
            "s" | "sa" => set(reader, &mut self.sort, SuffixKind::Ascending, start),
            "min" => bound(reader, &mut self.min, start)?,
            "max" => bound(reader, &mut self.max, start)?,
            _ => {
                let test = point(reader)?;
                set(reader, &mut self.explosion, (word, test), start);
            }
        }
        Ok(true)
    }
}

/// The last of its kind holds.
fn set<T>(reader: &mut Reader, given: &mut Given<T>, value: T, start: usize) {
    let span = reader.scan.since(start);
    if let Some((_, before)) = given.replace((value, span)) {
        let message = format!(
            "in rpg-dice-roller the last of its kind holds: `{}` was left out for `{}`",
            reader.at(before),
            reader.at(span)
        );
        reader.notice(before, message);
    }
}

fn amount(reader: &mut Reader, given: &mut Given<i64>, start: usize) -> Read<()> {
    match reader.scan.digits() {
        Some(digits) if !digits.starts_with('0') => {
            let count = digits.parse().unwrap_or(i64::MAX);
            set(reader, given, count, start);
            Ok(())
        }
        _ => Err(reader.expected("a number of dice, as in `kh1`,")),
    }
}

fn bound(reader: &mut Reader, given: &mut Given<i64>, start: usize) -> Read<()> {
    let Some((value, fraction)) = value(reader)? else {
        return Err(reader.expected("a number, as in `min2`,"));
    };
    if fraction {
        let span = reader.scan.since(start);
        return Err(reader.unsaid(span, "a bound between two faces", "bounds are whole numbers"));
    }
    set(reader, given, value, start);
    Ok(())
}

/// `cs>19`, `cf<2`: signs behind the numbers.
fn mark(reader: &mut Reader, start: usize) -> Read<()> {
    point(reader)?;
    let span = reader.scan.since(start);
    let written = reader.at(span);
    let message = format!(
        "`{written}` only marks dice in rpg-dice-roller and was left out: the total is the same"
    );
    reader.notice(span, message);
    Ok(())
}

fn needed(reader: &mut Reader) -> Read<Test> {
    point(reader)?.ok_or_else(|| reader.expected("a comparison, as in `>=5`,"))
}

/// A compare point, if one is ahead.
fn point(reader: &mut Reader) -> Read<Option<Test>> {
    let start = reader.scan.at();
    let Some(sign) = reader.scan.eat_longest(&["!=", "<=", ">=", "=", "<>", ">", "<"]) else {
        return Ok(None);
    };
    let Some((value, fraction)) = value(reader)? else {
        // `2d6!=` with nothing behind it is no comparison.
        reader.scan.back_to(start);
        return Ok(None);
    };
    let comparison = match (sign, fraction) {
        ("<" | "<=", true) => Comparison::AtMost,
        (">" | ">=", true) => Comparison::Greater,
        ("<", false) => Comparison::Less,
        ("<=", false) => Comparison::AtMost,
        (">", false) => Comparison::Greater,
        (">=", false) => Comparison::AtLeast,
        ("=", false) => Comparison::Equal,
        ("!=" | "<>", false) => Comparison::NotEqual,
        _ => {
            let span = reader.scan.since(start);
            return Err(reader.wrong(span, "no die shows a fraction"));
        }
    };
    Ok(Some(Test::new(comparison, value)))
}

/// A number: the whole one at or below it, and whether there is more.
fn value(reader: &mut Reader) -> Read<Option<(i64, bool)>> {
    let start = reader.scan.at();
    let negative = reader.scan.eat("-");
    let Some(digits) = reader.scan.digits() else {
        reader.scan.back_to(start);
        return Ok(None);
    };
    let mut fraction = false;
    if reader.scan.eat(".") {
        let Some(behind) = reader.scan.digits() else { return Err(reader.expected("digits")) };
        fraction = behind.bytes().any(|digit| digit != b'0');
    }
    let Ok(value) = digits.parse::<i64>() else {
        return Err(reader.wrong(reader.scan.since(start), "the number is too large"));
    };
    let value = if negative { -value } else { value };
    Ok(Some((if negative && fraction { value - 1 } else { value }, fraction)))
}
