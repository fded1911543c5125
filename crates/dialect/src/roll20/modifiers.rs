//! What is written behind dice or a group.
//!
//! ```text
//! modifiers = { ( "!!" | "!p" | "!" ) [ point ] | ( "ro" | "r" ) point
//!             | ( "kh" | "kl" | "k" | "dh" | "dl" | "d" ) [ digits ] | comparing point | "f" point
//!             | "cs" point | "cf" point | "sa" | "sd" | "s" | "m" }
//! point     = [ "<" | ">" | "=" ] digits
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, End, ExplodeStyle, SuffixKind};

use crate::build::whole;
use crate::faces::Test;
use crate::reader::{Read, Reader};

const WORDS: &[&str] = &[
    "!!", "!p", "!", "ro", "r", "kh", "kl", "k", "dh", "dl", "d", "cs", "cf", "sa", "sd", "s",
    "mt", "m", "f",
];

/// Everything of one kind together, in written order.
#[derive(Default)]
pub(super) struct Modifiers {
    pub(super) explosions: Vec<(ExplodeStyle, Option<Test>, Span)>,
    pub(super) rerolls: Vec<(Test, Span)>,
    pub(super) rerolls_once: Vec<(Test, Span)>,
    pub(super) keeps: Vec<(SuffixKind, Span)>,
    pub(super) successes: Vec<(Test, Span)>,
    pub(super) failures: Vec<(Test, Span)>,
    pub(super) sort: Option<(SuffixKind, Span)>,
}

impl Modifiers {
    pub(super) fn read(reader: &mut Reader) -> Read<Modifiers> {
        let mut found = Modifiers::default();
        while found.one(reader)? {}
        Ok(found)
    }

    /// The first modifier that throws dice.
    pub(super) fn throws(&self) -> Option<Span> {
        let explosions = self.explosions.iter().map(|(_, _, place)| *place);
        let rerolls = self.rerolls.iter().chain(&self.rerolls_once).map(|(_, place)| *place);
        explosions.chain(rerolls).next()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.throws().is_none()
            && self.keeps.is_empty()
            && self.successes.is_empty()
            && self.failures.is_empty()
            && self.sort.is_none()
    }

    /// Reads one modifier; whether there was one.
    fn one(&mut self, reader: &mut Reader) -> Read<bool> {
        let start = reader.scan.at();
        if matches!(reader.scan.peek(), Some('<' | '>' | '=')) {
            let Some(test) = point(reader) else { return Ok(false) };
            self.successes.push((test, reader.scan.since(start)));
            return Ok(true);
        }
        let Some(word) = reader.scan.eat_longest(WORDS) else { return Ok(false) };
        match word {
            "!!" => self.explode(reader, ExplodeStyle::Compound, start),
            "!p" => self.explode(reader, ExplodeStyle::Penetrate, start),
            "!" => self.explode(reader, ExplodeStyle::Separate, start),
            "r" => self.rerolls.push(compared(reader, start)?),
            "ro" => self.rerolls_once.push(compared(reader, start)?),
            "f" => self.failures.push(compared(reader, start)?),
            "kh" | "k" => self.keep(reader, |n| SuffixKind::Keep(End::Highest, n), start),
            "kl" => self.keep(reader, |n| SuffixKind::Keep(End::Lowest, n), start),
            "dh" => self.keep(reader, |n| SuffixKind::Drop(End::Highest, n), start),
            "dl" | "d" => self.keep(reader, |n| SuffixKind::Drop(End::Lowest, n), start),
            "sd" => self.sort = Some((SuffixKind::Descending, reader.scan.since(start))),
            "s" | "sa" => self.sort = Some((SuffixKind::Ascending, reader.scan.since(start))),
            "cs" | "cf" => mark(reader, start)?,
            _ => matching(reader, word, start)?,
        }
        Ok(true)
    }

    fn explode(&mut self, reader: &mut Reader, style: ExplodeStyle, start: usize) {
        let trigger = point(reader);
        self.explosions.push((style, trigger, reader.scan.since(start)));
    }

    fn keep(
        &mut self,
        reader: &mut Reader,
        kind: impl Fn(Option<Box<astragal_syntax::tree::Expr>>) -> SuffixKind,
        start: usize,
    ) {
        let digits = reader.scan.digits();
        let count = digits.map_or(1, |digits| digits.parse().unwrap_or(i64::MAX));
        let span = reader.scan.since(start);
        self.keeps.push((kind(Some(Box::new(whole(count, span)))), span));
    }
}

/// A compare point, if one is ahead.
fn point(reader: &mut Reader) -> Option<Test> {
    let start = reader.scan.at();
    let sign = reader.scan.eat_longest(&["<", ">", "="]);
    let negative = sign.is_some() && reader.scan.eat("-");
    let value = reader.scan.digits().and_then(|digits| digits.parse::<i64>().ok());
    let Some(value) = value else {
        reader.scan.back_to(start);
        return None;
    };
    let comparison = match sign {
        Some("<") => Comparison::AtMost,
        Some(">") => Comparison::AtLeast,
        _ => Comparison::Equal,
    };
    Some(Test::new(comparison, if negative { -value } else { value }))
}

/// A compare point that must be there.
fn compared(reader: &mut Reader, start: usize) -> Read<(Test, Span)> {
    match point(reader) {
        Some(test) => Ok((test, reader.scan.since(start))),
        None => Err(reader.expected("a number, as in `r1` or `r<2`,")),
    }
}

/// `cs>19`, `cf<2`: colours in the chat.
fn mark(reader: &mut Reader, start: usize) -> Read<()> {
    compared(reader, start)?;
    let span = reader.scan.since(start);
    let written = reader.at(span);
    reader.notice(
        span,
        format!("`{written}` only colours dice in Roll20 and was left out: the total is the same"),
    );
    Ok(())
}

/// `m` shows matching dice, `mt` counts them.
fn matching(reader: &mut Reader, word: &str, start: usize) -> Read<()> {
    reader.scan.digits();
    point(reader);
    let span = reader.scan.since(start);
    if word == "m" {
        reader.notice(
            span,
            "`m` only shows matching dice in Roll20 and was left out: the total is the same",
        );
        return Ok(());
    }
    Err(reader.unsaid(
        span,
        "counts how many faces show on several dice",
        "count one face at a time, such as `5d6 cs=6`",
    ))
}
