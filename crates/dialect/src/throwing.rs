//! Rerolls and explosions, as they are written here whichever tool they come from.
//!
//! Conditions of one modifier add up in other tools (`r2r4`, `rr1rr3`): where they join into one, that is
//! written, and dice that are rerolled until none holds can also be written with the faces that are left.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{ExplodeLimit, ExplodeStyle, Expr, ExprKind, SuffixKind};

use crate::build::{condition, custom, suffixed};
use crate::faces::{Test, any_of, as_trigger, faces_of};
use crate::reader::{Read, Reader};

/// An explosion as it is read.
pub(crate) struct Explosion {
    pub(crate) style: ExplodeStyle,
    /// On which faces; the highest as thrown if absent.
    pub(crate) trigger: Option<Test>,
    pub(crate) limit: ExplodeLimit,
    pub(crate) place: Span,
}

pub(crate) fn explode(
    reader: &Reader,
    pool: Expr,
    explosion: Explosion,
    faces: Option<&[i64]>,
) -> Read<Expr> {
    let place = explosion.place;
    Ok(suffixed(pool, explosion_suffix(reader, explosion, faces)?, place))
}

/// `!`, `!>=5`; `faces` are what the dice may show, if that is known.
pub(crate) fn explosion_suffix(
    reader: &Reader,
    explosion: Explosion,
    faces: Option<&[i64]>,
) -> Read<SuffixKind> {
    let Explosion { style, trigger, limit, place } = explosion;
    let mut written = None;
    if let Some(test) = trigger {
        let all = faces.is_some_and(|faces| faces.iter().all(|face| test.holds(*face)));
        if all && matches!(limit, ExplodeLimit::Endless) {
            return Err(never_ends(reader, place, "explodes"));
        }
        let Some(test) = as_trigger(test, faces) else {
            let meaning = "explodes on faces that no single `!>=` or `!<=` names";
            return Err(reader.unsaid(
                place,
                meaning,
                "explosions are written `!5`, `!>=5`, `!<=2`",
            ));
        };
        written = Some(condition(test.comparison, test.value, place));
    }
    Ok(SuffixKind::Explode { style, trigger: written, limit })
}

/// What has no end is an error, or cut off at some number that nobody means.
fn never_ends(
    reader: &Reader,
    place: Span,
    does: &str,
) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    reader.wrong(place, format!("every face {does}: the roll never ends"))
}

/// One test for several that add up, if there is one.
pub(crate) fn joined(tests: &[Test], faces: Option<&[i64]>) -> Option<Test> {
    match tests {
        [only] => Some(*only),
        several => any_of(several, faces?),
    }
}

/// `ro<=2`
pub(crate) fn reroll_once(pool: Expr, test: Test, place: Span) -> Expr {
    again(pool, true, test, place)
}

/// `rr<=2`: until the condition fails. `faces` are what a fresh die shows, if that is known.
pub(crate) fn reroll(
    reader: &Reader,
    pool: Expr,
    test: Test,
    faces: Option<&[i64]>,
    place: Span,
) -> Read<Expr> {
    if faces.is_some_and(|faces| faces.iter().all(|face| test.holds(*face))) {
        return Err(never_ends(reader, place, "is rerolled"));
    }
    Ok(again(pool, false, test, place))
}

fn again(pool: Expr, once: bool, test: Test, place: Span) -> Expr {
    let condition = condition(test.comparison, test.value, place);
    suffixed(pool, SuffixKind::Reroll { once, condition }, place)
}

/// Until none of several conditions holds; with `extra`, the dice that explosions add as well. Also whether
/// faces were cut off the die.
pub(crate) fn reroll_any(
    reader: &mut Reader,
    dice: Expr,
    tests: &[Test],
    extra: bool,
    place: Span,
) -> Read<(Expr, bool)> {
    let faces = faces_of(&dice);
    if let ([only], false) = (tests, extra) {
        return Ok((reroll(reader, dice, *only, faces.as_deref(), place)?, false));
    }
    let Some(faces) = faces else {
        let meaning = "every die thrown is rerolled while one of several conditions holds";
        return Err(reader.unsaid(place, meaning, "write the sides as a number of at most 100"));
    };
    let left: Vec<i64> =
        faces.iter().copied().filter(|face| !tests.iter().any(|test| test.holds(*face))).collect();
    if left.is_empty() {
        return Err(never_ends(reader, place, "is rerolled"));
    }
    if !extra && let Some(joined) = any_of(tests, &faces) {
        return Ok((again(dice, false, joined, place), false));
    }
    let why = if extra { "the extra dice too" } else { "whichever comes" };
    let tool = reader.dialect;
    reader.notice(
        place,
        format!("{tool} rerolls every die thrown, {why}: written as a die with the faces left"),
    );
    let ExprKind::Dice { count, .. } = dice.kind else { return Ok((dice, false)) };
    let kind = ExprKind::Dice { count, sides: custom(&left, dice.span) };
    Ok((Expr { kind, span: dice.span }, true))
}
