//! Modifiers that throw, drop or change dice.

use astragal_syntax::tree::{End, ExplodeLimit, ExplodeStyle, SuffixKind};

use super::modifiers::Modifier;
use super::state::State;
use crate::build::{condition, whole};
use crate::reader::{Read, Reader};
use crate::throwing::{Explosion, explosion_suffix};

/// `r`, `r1`, `r<3` once; `rr` until none matches. Without a condition, ones.
pub(super) fn reroll(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    may_throw(reader, state, modifier)?;
    let once = modifier.command == "r";
    if let Some(limit) = modifier.limit()
        && !(once && limit >= 1 && state.is_single())
    {
        return Err(reader.unsaid(
            modifier.span,
            &format!("rerolls at most {limit} of the dice together"),
            "here each die is rerolled by itself: `ro=1` once, `rr=1` until it differs",
        ));
    }
    looks_at_faces(reader, state, modifier)?;
    let test = modifier.test(1);
    let condition = condition(test.comparison, test.value, modifier.span);
    state.add(SuffixKind::Reroll { once, condition }, modifier.span);
    Ok(())
}

/// `x`, `x10`, `x>5`, `x3<5`; `xo` once. Without a condition, on the highest face.
pub(super) fn explode(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    may_throw(reader, state, modifier)?;
    let once = modifier.command == "xo";
    let mut limit = if once { ExplodeLimit::Once } else { ExplodeLimit::Endless };
    if let Some(most) = modifier.limit() {
        if !state.is_single() || most < 1 {
            return Err(reader.unsaid(
                modifier.span,
                &format!("at most {most} explosions of all the dice together"),
                "here a limit holds for each die: `! up to 3`",
            ));
        }
        if !once {
            limit = ExplodeLimit::UpTo(Box::new(whole(most, modifier.span)));
        }
    }
    let mut trigger = None;
    if modifier.has_test() {
        looks_at_faces(reader, state, modifier)?;
        let Some(highest) = modifier.target.or(modifier.number).or(state.sides()) else {
            return Err(reader.expected("a number to compare with"));
        };
        trigger = Some(modifier.test(highest));
    }
    let style = ExplodeStyle::Separate;
    let explosion = Explosion { style, trigger, limit, place: modifier.span };
    state.add(explosion_suffix(reader, explosion, state.faces().as_deref())?, modifier.span);
    Ok(())
}

/// `k3`, `kh`, `dl2`
pub(super) fn keep_or_drop(
    reader: &mut Reader,
    state: &mut State,
    modifier: &Modifier,
) -> Read<()> {
    if modifier.comparison.is_some() {
        let message = format!("`{}` takes a number of dice", modifier.command);
        return Err(reader.wrong(modifier.span, message));
    }
    // A zero is read as absent there.
    let number = modifier.number.filter(|number| *number > 0).unwrap_or(1);
    let count = Some(Box::new(whole(number, modifier.span)));
    let kind = match modifier.command {
        "kl" => SuffixKind::Keep(End::Lowest, count),
        "dh" => SuffixKind::Drop(End::Highest, count),
        "d" | "dl" => SuffixKind::Drop(End::Lowest, count),
        _ => SuffixKind::Keep(End::Highest, count),
    };
    state.add(kind, modifier.span);
    Ok(())
}

/// `min2`, `max5`
pub(super) fn clamp(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    let (Some(bound), None) = (modifier.number, modifier.comparison) else {
        let message = format!("`{}` takes a number, as in `min2`", modifier.command);
        return Err(reader.wrong(modifier.span, message));
    };
    if let Some(count) = &state.count {
        return Err(reader.unsaid(
            modifier.span,
            &format!("changes dice that `{}` has counted already", count.command),
            "write it before the count; a count looks at the faces as thrown",
        ));
    }
    if state.clamp().is_some() && !fits(reader, state, modifier) {
        return Err(reader.unsaid(
            modifier.span,
            "a second bound looks at the faces as thrown, not at what the first made of them",
            "write one bound, or `min` and `max` that do not cross",
        ));
    }
    let bound = Box::new(whole(bound, modifier.span));
    let kind = match modifier.command {
        "min" => SuffixKind::AtLeast(bound),
        _ => SuffixKind::AtMost(bound),
    };
    state.add(kind, modifier.span);
    Ok(())
}

/// Whether one bound of each kind stands there, and they do not cross.
fn fits(reader: &Reader, state: &State, modifier: &Modifier) -> bool {
    let Some(first) = state.clamp() else { return true };
    if state.clamps() > 1 {
        return false;
    }
    let written = reader.at(first).to_ascii_lowercase();
    let (name, digits) = written.split_at(written.len().min(3));
    let (Ok(bound), Some(new)) = (digits.parse::<i64>(), modifier.number) else { return false };
    match (name, modifier.command) {
        ("min", "max") => bound <= new,
        ("max", "min") => new <= bound,
        _ => false,
    }
}

/// Extra dice would be added up where the others are counted.
fn may_throw(reader: &Reader, state: &State, modifier: &Modifier) -> Read<()> {
    match &state.count {
        None => Ok(()),
        Some(count) => Err(reader.unsaid(
            modifier.span,
            &format!("dice thrown after `{}` are not counted but added up", count.command),
            "write the count last",
        )),
    }
}

/// Conditions look at the face as thrown; ours look at what a die shows.
fn looks_at_faces(reader: &Reader, state: &State, modifier: &Modifier) -> Read<()> {
    match state.clamp() {
        None => Ok(()),
        Some(_) => Err(reader.unsaid(
            modifier.span,
            "looks at the faces as thrown, before `min` or `max`, and its dice escape them",
            "write `min` and `max` behind it to hold for all dice",
        )),
    }
}
