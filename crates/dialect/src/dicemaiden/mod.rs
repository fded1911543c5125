//! Dice Maiden: `/roll (Attack) 4d6 e6 k3 + 2 ! a comment`.
//!
//! Modifiers may be glued to dice or stand behind blanks. They act in stages, whatever their order: advantage, then
//! explosions and rerolls, then keep and drop, then the sum and what is reckoned with it, or the count. Thresholds take
//! their number in (`e5` explodes on 5 and more, once; `r2` rerolls 2 and less, once; with `i` before them again and
//! again). It reckons strictly from left to right in whole numbers: `2d6 + 3 * 2` doubles the sum. What is reckoned
//! before a count changes each die, what is reckoned behind it changes the count.
//!
//! `line` reads a roll, `modifiers` what stands behind dice, `stages` says what happens to dice, `reckoning` the rest.

mod line;
mod modifiers;
mod reckoning;
mod stages;

use astragal_syntax::tree::Expr;

use crate::math::unwrapped;
use crate::reader::{Read, Reader};

use line::Line;

/// The commands that may stand before a roll.
const COMMANDS: &[&str] = &["/roll ", "/r "];

/// What only changes how a roll is shown.
const FLAGS: &[&str] = &["p", "s", "nr", "ul"];

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    reader.scan.eat_longest(COMMANDS);
    if let Some(at) = reader.scan.rest().find(';') {
        let at = reader.scan.at() + at;
        let place = reader.scan.span(at, at + 1);
        return Err(reader.unsaid(place, "separates several rolls", "convert them one by one"));
    }
    flags(reader);
    label(reader);
    set(reader)?;
    let line = Line::read(reader)?;
    comment(reader)?;
    Ok(unwrapped(reckoning::reckon(reader, line)?))
}

fn flags(reader: &mut Reader) {
    loop {
        reader.scan.blanks();
        let start = reader.scan.at();
        let word = reader.scan.take_while(char::is_alphabetic);
        let flag = FLAGS.iter().any(|flag| flag.eq_ignore_ascii_case(word));
        if !flag || !reader.scan.rest().starts_with(char::is_whitespace) {
            reader.scan.back_to(start);
            return;
        }
        let message = format!("`{word}` only changes what Dice Maiden shows and was left out");
        reader.notice(reader.scan.since(start), message);
    }
}

/// `(Attack)`
fn label(reader: &mut Reader) {
    let start = reader.scan.at();
    if !reader.scan.eat("(") {
        return;
    }
    let text = reader.scan.take_while(|c| c != ')');
    if reader.scan.eat(")") {
        let message = format!("`{}` is a label in Dice Maiden and was left out", text.trim());
        reader.notice(reader.scan.since(start), message);
    } else {
        reader.scan.back_to(start);
    }
}

/// `6 4d6`: a number with a blank behind it, and no operator after that.
fn set(reader: &mut Reader) -> Read<()> {
    reader.scan.blanks();
    let start = reader.scan.at();
    let number = reader.scan.digits();
    let place = reader.scan.since(start);
    let spaced = reader.scan.rest().starts_with(char::is_whitespace);
    reader.scan.blanks();
    let rest = reader.scan.rest();
    let advantage = rest.strip_prefix(['+', '-']).is_some_and(|rest| rest.starts_with(['d', 'D']));
    let reckons = rest.starts_with(['+', '-', '*', '/']) && !advantage;
    let (Some(number), true, false) = (number, spaced, reckons || rest.is_empty()) else {
        reader.scan.back_to(start);
        return Ok(());
    };
    let meaning = format!("rolls the rest {number} times, each by itself");
    let nearest = format!("convert the rest alone, and roll it with `--times {number}`");
    Err(reader.unsaid(place, &meaning, &nearest))
}

/// What stands behind the first `!`.
fn comment(reader: &mut Reader) -> Read<()> {
    reader.scan.blanks();
    let rest = reader.scan.rest().trim_end();
    if rest.is_empty() {
        return Ok(());
    }
    if !rest.starts_with('!') {
        return Err(reader.expected("an operator, a modifier or the end"));
    }
    let start = reader.scan.at();
    let span = reader.scan.span(start, start + rest.len());
    reader.notice(span, format!("`{rest}` is a comment in Dice Maiden and was left out"));
    Ok(())
}
