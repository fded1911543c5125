//! Modifiers that count dice instead of adding them up.
//!
//! A count looks at the faces as thrown, and the last one holds: `cs>=8cf=1` counts ones and nothing else.
//! (`cf` counts up, unlike ours, which counts against.) `df` makes failures count −1.

use super::modifiers::Modifier;
use super::state::{Count, State};
use crate::faces::Test;
use crate::reader::{Read, Reader};
use astragal_syntax::tree::Comparison;

/// Even or odd faces are counted one by one, up to so many.
const MOST_SINGLE_FACES: usize = 20;

/// `cs`, `cs>=8`, `cf`, `cf=1`
pub(super) fn count(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    only_one_number(reader, modifier)?;
    let default = match modifier.command {
        "cf" => Some(1),
        _ => state.sides(),
    };
    let given = modifier.target.or(modifier.number);
    let Some(value) = given.or(default) else {
        return Err(reader.expected("a number to compare with"));
    };
    let plus = vec![modifier.test(value)];
    replace(
        reader,
        state,
        Count { command: modifier.command, plus, minus: vec![], span: modifier.span },
    );
    Ok(())
}

/// `even`, `odd`
pub(super) fn parity(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    let rest = i64::from(modifier.command == "odd");
    let Some(faces) = state.faces().filter(|faces| faces.len() <= MOST_SINGLE_FACES) else {
        return Err(reader.unsaid(
            modifier.span,
            &format!("counts the dice that show {} faces", modifier.command),
            "for dice with up to 20 faces they are counted one by one: `cs=2cs=4cs=6`",
        ));
    };
    let chosen = faces.into_iter().filter(|face| face % 2 == rest);
    let plus = chosen.map(|face| Test::new(Comparison::Equal, face)).collect();
    replace(
        reader,
        state,
        Count { command: modifier.command, plus, minus: vec![], span: modifier.span },
    );
    Ok(())
}

/// The last count holds.
fn replace(reader: &mut Reader, state: &mut State, count: Count) {
    if let Some(before) = &state.count {
        let message = format!(
            "in Foundry the last count holds: `{}` was left out, only `{}` counts",
            reader.at(before.span),
            reader.at(count.span)
        );
        reader.notice(before.span, message);
    }
    state.count_by(count);
}

/// `df=1` behind `cs>=8`; `df` alone: all that are no successes.
pub(super) fn deduct(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    only_one_number(reader, modifier)?;
    let faces = state.faces();
    let Some(count) = state.count.as_mut().filter(|count| count.minus.is_empty()) else {
        return Err(reader.unsaid(
            modifier.span,
            "dice that fail are worth −1, the others their faces",
            "count successes first, as in `cs>=8df=1`; or list what the faces are worth: `d{-1, 2, 3}`",
        ));
    };
    let Some(faces) = faces else {
        let meaning = "takes one off for each failure";
        return Err(reader.unsaid(modifier.span, meaning, "write the sides as a number"));
    };
    let given = modifier.has_test().then(|| modifier.test(1));
    match (count.command, given) {
        // What `cf` found are the failures.
        ("cf", None) => count.minus = std::mem::take(&mut count.plus),
        ("cs", None) => count.minus = count.plus.iter().map(|test| test.opposite()).collect(),
        (_, None) => {
            let others = faces.iter().filter(|face| !count.plus.iter().any(|t| t.holds(**face)));
            count.minus = others.map(|face| Test::new(Comparison::Equal, *face)).collect();
        }
        (command, Some(test)) => {
            let both = |face: &i64| test.holds(*face) && count.plus.iter().any(|t| t.holds(*face));
            if command == "cf" || faces.iter().any(both) {
                return Err(reader.unsaid(
                    modifier.span,
                    "a die that is counted and fails as well is worth −1",
                    "here such a die is worth 1 − 1 = 0: write conditions that exclude each other",
                ));
            }
            count.minus = vec![test];
        }
    }
    Ok(())
}

/// `ms>12`: how far the total is above 12; `ms<12`: how far below.
pub(super) fn margin(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    only_one_number(reader, modifier)?;
    let lower = match modifier.comparison {
        None | Some(Comparison::Greater | Comparison::AtLeast) => false,
        Some(Comparison::Less | Comparison::AtMost) => true,
        Some(_) => {
            let message = "a margin is written `ms>12` or `ms<12`";
            return Err(reader.wrong(modifier.span, message));
        }
    };
    let Some(target) = modifier.target.or(modifier.number).or(state.sides()) else {
        return Err(reader.expected("a number to compare with"));
    };
    if state.margin.is_some() {
        return Err(reader.wrong(modifier.span, "there is a margin already"));
    }
    state.margin = Some((target, lower));
    Ok(())
}

/// These take no limit: `cs3>5` is nothing.
fn only_one_number(reader: &Reader, modifier: &Modifier) -> Read<()> {
    match modifier.limit() {
        None => Ok(()),
        Some(_) => {
            let message = format!("`{}` takes one comparison", modifier.command);
            Err(reader.wrong(modifier.span, message))
        }
    }
}
