//! The first phase: rerolls and explosions.
//!
//! Every die that is thrown is rerolled while any `r` matches, the extra dice of explosions too. Our `rr`
//! does that with one condition: `4d6r<2` is `4d6rr<=2`, `4d6r1r2` as well. Where the conditions do not join
//! into one, or dice explode besides, the die is written with the faces that can remain: `2d8r1r3` is
//! `2d{2, 4, 5, 6, 7, 8}`. A die that is thrown until it shows one of those shows each equally often, so
//! the odds are the same.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, ExplodeLimit, Expr};

use super::modifiers::Modifiers;
use crate::faces::{Test, faces_of};
use crate::reader::{Read, Reader};
use crate::throwing::{Explosion, explode, joined, reroll_any};

pub(super) fn roll(reader: &mut Reader, dice: Expr, modifiers: &Modifiers) -> Read<Expr> {
    if let [_, (_, _, again), ..] = modifiers.explosions.as_slice() {
        let meaning = "a second explosion of the same dice, which Roll20 does not describe";
        return Err(reader.unsaid(*again, meaning, "write one of them"));
    }
    let explosion = modifiers.explosions.first();
    let faces = faces_of(&dice);
    let highest = faces.as_ref().and_then(|faces| faces.last().copied());
    let mut cut = false;
    let mut pool = dice;
    if !modifiers.rerolls_once.is_empty() {
        pool = reroll_once(reader, pool, modifiers)?;
    } else if !modifiers.rerolls.is_empty() {
        (pool, cut) = reroll(reader, pool, modifiers)?;
    }
    let Some((style, trigger, place)) = explosion else { return Ok(pool) };
    let trigger = match trigger {
        // The highest face of the die as it was, even if it is rerolled away.
        None if cut => highest.map(|highest| Test::new(Comparison::Equal, highest)),
        other => *other,
    };
    let faces = if cut { faces_of(&pool) } else { faces };
    let limit = ExplodeLimit::Endless;
    let explosion = Explosion { style: *style, trigger, limit, place: *place };
    explode(reader, pool, explosion, faces.as_deref())
}

/// Until none matches. Also whether faces were cut off the die.
fn reroll(reader: &mut Reader, dice: Expr, modifiers: &Modifiers) -> Read<(Expr, bool)> {
    let tests: Vec<Test> = modifiers.rerolls.iter().map(|(test, _)| *test).collect();
    let place = whole_place(&modifiers.rerolls);
    reroll_any(reader, dice, &tests, !modifiers.explosions.is_empty(), place)
}

/// At most once a die.
fn reroll_once(reader: &mut Reader, dice: Expr, modifiers: &Modifiers) -> Read<Expr> {
    let once = &modifiers.rerolls_once;
    let place = whole_place(once);
    if let Some((_, both)) = modifiers.rerolls.first() {
        let meaning = "`r` and `ro` on the same dice, an order Roll20 does not describe";
        return Err(reader.unsaid(*both, meaning, "write one of them"));
    }
    if let Some((_, _, explosion)) = modifiers.explosions.first() {
        return Err(reader.unsaid(
            *explosion,
            "with `ro`, every extra die is rerolled once as well",
            "`ro<=2!` rerolls the first throws only, `!ro<=2` all dice after they have exploded",
        ));
    }
    let tests: Vec<Test> = once.iter().map(|(test, _)| *test).collect();
    match joined(&tests, faces_of(&dice).as_deref()) {
        Some(test) => Ok(crate::throwing::reroll_once(dice, test, place)),
        None => Err(reader.unsaid(
            place,
            "each die is rerolled once if any of these conditions holds",
            "one condition can be said: `ro<=2`",
        )),
    }
}

/// From the first to the last of them.
fn whole_place(tests: &[(Test, Span)]) -> Span {
    tests.iter().map(|(_, place)| *place).reduce(Span::to).unwrap_or(Span::new(
        astragal_syntax::span::SourceId(0),
        0,
        0,
    ))
}
