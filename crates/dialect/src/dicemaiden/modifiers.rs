//! What stands behind dice.
//!
//! ```text
//! modifier = ( "adv" | "dis" | "r" | "ir" | "rg" | "irg" | "k" | "kl" | "km" | "d" | "t" | "tl" | "f" ) digits
//!          | ( "e" | "ie" | "i" | "b" ) [ digits ] | "c" | ( "t" | "tl" ) digits "ds" [ digits ]
//! ```

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, End};

use crate::faces::Test;
use crate::reader::{Read, Reader};

const WORDS: &[&str] = &[
    "irg", "adv", "dis", "ie", "ir", "km", "kl", "tl", "rg", "i", "k", "d", "r", "t", "f", "e",
    "b", "c",
];

/// Shorthands of single games, as modifiers or in place of dice.
const GAMES: &[&str] = &[
    "a5e", "age", "alien", "aliens", "attack", "bnw", "cd", "cod", "codr", "conan", "cpd", "cpr",
    "cs", "dd", "dheart", "dheartgm", "dndstats", "ed", "ess", "essd", "esss", "ex", "fitd",
    "fudge", "gb", "gbs", "hs", "hsh", "hsk", "hsn", "lf", "mm", "mnm", "ms", "ol", "plot", "save",
    "sil", "skill", "snm", "sp", "sr", "sw", "tdh", "tdhc", "vtm", "wfrp", "wh", "wit", "wng",
    "wod", "ww", "wwc", "yz",
];

/// What throws dice anew.
pub(super) enum Throw {
    /// Once, or again and again; on so much and more.
    Explode { once: bool, from: Option<i64> },
    /// Once, or until none passes.
    Reroll { once: bool, test: Test },
    /// A die taken off for each low one.
    Implode,
}

/// What keeps or drops dice.
pub(super) enum Ends {
    Keep(End, i64),
    DropLowest(i64),
}

/// What is counted.
pub(super) enum Count {
    /// Each success once.
    For(Test),
    /// Each of the second a second time.
    Twice(Test, Test),
    Against(Test),
    /// Told beside the result.
    Botches,
}

/// Everything of one stage together, in written order.
#[derive(Default)]
pub(super) struct Modifiers {
    /// How many more dice are thrown, and as many of the lowest dropped; below zero, of the highest.
    pub(super) advantage: i64,
    pub(super) throws: Vec<(Throw, Span)>,
    pub(super) ends: Vec<(Ends, Span)>,
    pub(super) counts: Vec<(Count, Span)>,
}

impl Modifiers {
    pub(super) fn is_empty(&self) -> bool {
        self.advantage == 0
            && self.throws.is_empty()
            && self.ends.is_empty()
            && self.counts.is_empty()
    }

    /// Reads one; `spaced` if a blank stands before it.
    pub(super) fn one(&mut self, reader: &mut Reader, spaced: bool) -> Read<()> {
        let start = reader.scan.at();
        if of_a_game(reader.at(reader.scan.here())) {
            return Err(refuse_word(reader, "a modifier"));
        }
        let Some(word) = reader.scan.eat_longest(WORDS) else {
            return Err(refuse_word(reader, "a modifier"));
        };
        let digits = reader.scan.digits().map(str::parse::<i64>);
        let number = match digits {
            None => None,
            Some(Ok(number)) if (1..=1_000_000).contains(&number) => Some(number),
            // Failures may be counted from zero.
            Some(Ok(0)) if matches!(word, "f" | "b" | "adv" | "dis") => Some(0),
            Some(_) => {
                let message = format!("`{word}` takes a number above 0");
                return Err(reader.wrong(reader.scan.since(start), message));
            }
        };
        if matches!(word, "t" | "tl") && spaced && reader.scan.eat("ds") {
            return self.twice(reader, word, number, start);
        }
        let needs = !matches!(word, "e" | "ie" | "i" | "b" | "c");
        if needs && number.is_none() {
            return Err(reader.expected(&format!("a number behind `{word}`")));
        }
        let place = reader.scan.since(start);
        if word == "c" {
            return Err(reader.unsaid(
                place,
                "tens cancel failures, one each",
                "count both apart: `5d10 cs>=8 cf=1`",
            ));
        }
        self.take(word, number, place);
        Ok(())
    }

    fn take(&mut self, word: &str, number: Option<i64>, place: Span) {
        let value = number.unwrap_or(1);
        let at_most = Test::new(Comparison::AtMost, value);
        let at_least = Test::new(Comparison::AtLeast, value);
        match word {
            "adv" => self.advantage += value,
            "dis" => self.advantage -= value,
            "e" | "ie" => {
                let once = word == "e";
                self.throws.push((Throw::Explode { once, from: number }, place));
            }
            "i" => self.throws.push((Throw::Implode, place)),
            "r" | "ir" => {
                self.throws.push((Throw::Reroll { once: word == "r", test: at_most }, place));
            }
            "rg" | "irg" => {
                self.throws.push((Throw::Reroll { once: word == "rg", test: at_least }, place));
            }
            "k" => self.ends.push((Ends::Keep(End::Highest, value), place)),
            "kl" => self.ends.push((Ends::Keep(End::Lowest, value), place)),
            "km" => self.ends.push((Ends::Keep(End::Middle, value), place)),
            "d" => self.ends.push((Ends::DropLowest(value), place)),
            "t" => self.counts.push((Count::For(at_least), place)),
            "tl" => self.counts.push((Count::For(at_most), place)),
            "f" => self.counts.push((Count::Against(at_most), place)),
            _ => self.counts.push((Count::Botches, place)),
        }
    }

    /// `t7ds10`, `tl6ds5`, `t7ds`
    fn twice(
        &mut self,
        reader: &mut Reader,
        word: &str,
        number: Option<i64>,
        start: usize,
    ) -> Read<()> {
        let Some(target) = number else { return Err(reader.expected("a number behind `t`")) };
        let double = reader.scan.digits().map_or(Some(target), |digits| digits.parse().ok());
        let place = reader.scan.since(start);
        let fits = |double: &i64| match word {
            "t" => *double >= target,
            _ => (1..=target).contains(double),
        };
        let Some(double) = double.filter(fits) else {
            let message = "what counts double must count at all";
            return Err(reader.wrong(place, message));
        };
        if reader.scan.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
            return Err(reader.expected("a blank"));
        }
        let comparison = match word {
            "t" => Comparison::AtLeast,
            _ => Comparison::AtMost,
        };
        let test = |value| Test::new(comparison, value);
        self.counts.push((Count::Twice(test(target), test(double)), place));
        Ok(())
    }
}

/// A word that is neither dice nor a modifier, or one of a single game.
pub(super) fn refuse_word(reader: &Reader, what: &str) -> Box<Diagnostic> {
    let here = reader.scan.here();
    if !of_a_game(reader.at(here)) {
        return reader.expected(what);
    }
    reader.unsaid(
        here,
        "a shorthand of one game",
        "write the dice it stands for: `4cod` is `4d10 t8 ie10`",
    )
}

/// Whether a word such as `4cod8` is a shorthand.
fn of_a_game(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let letters = letters.split(|c: char| c.is_ascii_digit()).next().unwrap_or("");
    GAMES.contains(&letters) || word == "dh"
}
