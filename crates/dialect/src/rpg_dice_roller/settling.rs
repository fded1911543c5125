//! Modifiers in the order in which they act.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, ExplodeLimit, ExplodeStyle, Expr, ExprKind, SuffixKind};

use super::ends::{Size, keep_and_drop};
use super::modifiers::Modifiers;
use super::terms::how_many;
use crate::build::{count_against, count_for, node, paren, suffixed, whole};
use crate::faces::{Test, faces_of, overlap};
use crate::loose::{is_pool, loose};
use crate::reader::{Read, Reader};
use crate::term::one_total;
use crate::throwing::{Explosion, explode, reroll, reroll_once};

/// Dice with their modifiers.
pub(super) fn settle(reader: &Reader, dice: Expr, modifiers: Modifiers) -> Read<Expr> {
    let faces = faces_of(&dice);
    let one_sided = faces.as_ref().is_some_and(|faces| faces.len() == 1);
    let count = how_many(&dice);
    let mut pool = clamped(dice, &modifiers);
    for place in again(&modifiers) {
        if one_sided {
            return Err(reader.wrong(place, "a die with one side cannot be thrown otherwise"));
        }
    }
    let mut grows = false;
    if let Some(((word, trigger), place)) = modifiers.explosion {
        let style = style(reader, word, place, &modifiers)?;
        grows = style != ExplodeStyle::Compound;
        pool = exploded(reader, pool, style, trigger, place, faces.as_deref(), &modifiers)?;
    }
    if let Some(((once, test), place)) = modifiers.reroll {
        let Some(test) = test.or(end_of(faces.as_deref(), false)) else {
            return Err(sides_needed(reader, place));
        };
        pool = match once {
            true => reroll_once(pool, test, place),
            false => reroll(reader, pool, test, faces.as_deref(), place)?,
        };
    }
    if let Some((plain, place)) = modifiers.unique {
        let enough = faces.as_ref().zip(count).is_some_and(|(faces, count)| {
            i64::try_from(faces.len()).is_ok_and(|faces| count <= faces)
        });
        if !plain || grows || !enough {
            return Err(not_unique(reader, place, plain));
        }
        pool = suffixed(pool, SuffixKind::Unique, place);
    }
    pool = keep_and_drop(reader, pool, &modifiers.ends, Size { least: count, grows })?;
    counted_and_sorted(reader, pool, modifiers)
}

/// The places of what throws again.
fn again(modifiers: &Modifiers) -> impl Iterator<Item = Span> {
    let explosion = modifiers.explosion.map(|(_, place)| place);
    let reroll = modifiers.reroll.map(|(_, place)| place);
    let unique = modifiers.unique.map(|(_, place)| place);
    explosion.into_iter().chain(reroll).chain(unique)
}

fn clamped(mut pool: Expr, modifiers: &Modifiers) -> Expr {
    if let Some((bound, place)) = modifiers.min {
        pool = suffixed(pool, SuffixKind::AtLeast(Box::new(whole(bound, place))), place);
    }
    if let Some((bound, place)) = modifiers.max {
        pool = suffixed(pool, SuffixKind::AtMost(Box::new(whole(bound, place))), place);
    }
    pool
}

/// `!!p` adds to its die what is one less each; the sum is that of `!p`, the dice are not.
fn style(reader: &Reader, word: &str, place: Span, modifiers: &Modifiers) -> Read<ExplodeStyle> {
    match word {
        "!" => Ok(ExplodeStyle::Separate),
        "!!" => Ok(ExplodeStyle::Compound),
        "!p" => Ok(ExplodeStyle::Penetrate),
        _ => {
            let looked_at = modifiers.reroll.is_some()
                || modifiers.unique.is_some()
                || modifiers.target.is_some()
                || modifiers.ends.all().next().is_some();
            if looked_at {
                let meaning = "adds the extra dice, one less each, to their die";
                return Err(reader.unsaid(place, meaning, "`!p` leaves them dice of their own"));
            }
            Ok(ExplodeStyle::Penetrate)
        }
    }
}

fn exploded(
    reader: &Reader,
    pool: Expr,
    style: ExplodeStyle,
    trigger: Option<Test>,
    place: Span,
    faces: Option<&[i64]>,
    modifiers: &Modifiers,
) -> Read<Expr> {
    let bounded = modifiers.min.is_some() || modifiers.max.is_some();
    let trigger = match trigger {
        // A bare `!` looks at the face as thrown here, at what bounds made of it there.
        None if bounded => match end_of(faces, true) {
            None => return Err(sides_needed(reader, place)),
            highest => highest,
        },
        given => given,
    };
    let limit = ExplodeLimit::Endless;
    explode(reader, pool, Explosion { style, trigger, limit, place }, faces)
}

/// The highest or lowest face.
fn end_of(faces: Option<&[i64]>, highest: bool) -> Option<Test> {
    let faces = faces?;
    let face = if highest { faces.last() } else { faces.first() };
    face.map(|face| Test::new(Comparison::Equal, *face))
}

fn sides_needed(reader: &Reader, place: Span) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    let meaning = "looks at the highest or lowest face";
    reader.unsaid(place, meaning, "write the sides as a number of at most 100, or the comparison")
}

fn not_unique(
    reader: &Reader,
    place: Span,
    plain: bool,
) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    let meaning = match plain {
        false => "rerolls equal dice once, or only some of them",
        true => "gives up after 1000 throws where there may be more dice than faces",
    };
    reader.unsaid(place, meaning, "`u` rerolls until all dice differ: `3d6u`")
}

/// A group with its modifiers: several totals, or one.
pub(super) fn settle_group(
    reader: &mut Reader,
    members: Vec<Expr>,
    modifiers: Modifiers,
    span: Span,
) -> Read<Expr> {
    if let Some((_, place)) = &modifiers.sort
        && !members.iter().all(is_pool)
    {
        let meaning = "sorts what stands inside the group, numbers and signs too";
        return Err(reader.unsaid(*place, meaning, "leave it out: the total is the same"));
    }
    match <[Expr; 1]>::try_from(members) {
        Ok([member]) => one_member(reader, member, modifiers, span),
        Err(members) => {
            let least = i64::try_from(members.len()).ok();
            let group = node(ExprKind::Group(members), span);
            let size = Size { least, grows: false };
            let group = keep_and_drop(reader, group, &modifiers.ends, size)?;
            counted_and_sorted(reader, group, modifiers)
        }
    }
}

/// Keep and drop act on the dice of a single member, a count on its total.
fn one_member(reader: &mut Reader, member: Expr, modifiers: Modifiers, span: Span) -> Read<Expr> {
    let mut member = member;
    if let Some((_, place)) = modifiers.ends.all().next() {
        if has_kept(&member) {
            let meaning = "looks at all dice of the group, also at those that were dropped in it";
            return Err(reader.unsaid(place, meaning, "keep or drop either inside or behind it"));
        }
        let size = size_of(&member);
        let pool = loose(reader, member, span)?;
        member = keep_and_drop(reader, pool, &modifiers.ends, size)?;
    }
    let settled = match modifiers.target.is_some() {
        true => one_total(member),
        false if is_pool(&member) => member,
        false => paren(member),
    };
    counted_and_sorted(reader, settled, modifiers)
}

fn has_kept(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Suffixed { pool, suffix } => {
            matches!(suffix.kind, SuffixKind::Keep(..) | SuffixKind::Drop(..)) || has_kept(pool)
        }
        ExprKind::Binary(_, left, right) => has_kept(left) || has_kept(right),
        ExprKind::Labelled { value: inner, .. } | ExprKind::Paren(inner) => has_kept(inner),
        _ => false,
    }
}

/// How many dice the terms of a sum have together.
fn size_of(expr: &Expr) -> Size {
    match &expr.kind {
        ExprKind::Binary(_, left, right) => {
            let (left, right) = (size_of(left), size_of(right));
            let least = left.least.zip(right.least).and_then(|(a, b)| a.checked_add(b));
            Size { least, grows: left.grows || right.grows }
        }
        ExprKind::Labelled { value: inner, .. } => size_of(inner),
        ExprKind::Suffixed { pool, suffix } => {
            let grows = matches!(
                suffix.kind,
                SuffixKind::Explode { style: ExplodeStyle::Separate | ExplodeStyle::Penetrate, .. }
            );
            let size = size_of(pool);
            Size { grows: size.grows || grows, ..size }
        }
        _ => Size { least: how_many(expr), grows: false },
    }
}

fn counted_and_sorted(reader: &Reader, mut pool: Expr, modifiers: Modifiers) -> Read<Expr> {
    if let Some(((plus, minus), place)) = modifiers.target {
        pool = count_for(pool, plus, place);
        if let Some(minus) = minus {
            if overlap(plus, minus) {
                return Err(reader.unsaid(
                    place,
                    "a die that is a success is no failure",
                    "here such a die counts 1 − 1 = 0: write conditions that exclude each other",
                ));
            }
            pool = count_against(pool, minus, place);
        }
    }
    if let Some((kind, place)) = modifiers.sort {
        pool = suffixed(pool, kind, place);
    }
    Ok(pool)
}
