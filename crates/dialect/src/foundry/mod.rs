//! Foundry Virtual Tabletop: `/roll 4d6r<2kh3[fire] + @str # Fireball`.
//!
//! Comparisons mean what they say (`<3` is less than 3), `r` and `xo` act once, `rr` and `x` again and again,
//! and modifiers act from left to right, as ours do. Still, two things differ. Foundry's dice keep the face
//! they were thrown with: `min2` changes what a die is worth, not what later modifiers look at. And a count
//! may stand anywhere: what follows still keeps or drops dice by their faces.
//!
//! So keeps and clamps are written where they stand, a count is moved to the end (which changes nothing, as
//! it looks at each die alone) and takes the place of clamps before it. `modifiers` reads what is written,
//! `state` holds what has become of the dice, `throwing` and `counting` are the modifiers.

mod counting;
mod modifiers;
mod state;
mod throwing;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Sides};

use crate::build::{node, paren};
use crate::math::expression;
use crate::reader::{Read, Reader};
use crate::term::one_total;

use modifiers::{COINS, DICE, FATE, Modifier, POOLS};
use state::State;

/// The commands that may stand before a roll.
const COMMANDS: &[&str] = &[
    "/roll",
    "/r",
    "/publicroll",
    "/pr",
    "/gmroll",
    "/gmr",
    "/blindroll",
    "/broll",
    "/br",
    "/selfroll",
    "/sr",
];

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    reader.scan.eat_longest(COMMANDS);
    let read = expression(reader)?;
    reader.scan.blanks();
    if !reader.scan.rest().is_empty() && !reader.scan.sees("#") {
        return Err(reader.expected("an operator, a modifier or the end"));
    }
    Ok(match read.kind {
        ExprKind::Paren(inner) => *inner,
        _ => read,
    })
}

/// Dice with the modifiers behind them.
pub(crate) fn apply(reader: &mut Reader, dice: Expr) -> Read<Expr> {
    let known = match &dice.kind {
        ExprKind::Dice { sides: Sides::Fate, .. } => FATE,
        ExprKind::Dice { sides: Sides::Faces(_), .. } => COINS,
        _ => DICE,
    };
    run(reader, dice, known)
}

/// A pool: each member is one result, also a single one.
pub(crate) fn apply_to_group(reader: &mut Reader, members: Vec<Expr>, span: Span) -> Read<Expr> {
    let modified = reader.scan.peek().is_some_and(|c| c.is_ascii_alphabetic());
    let pool = match <[Expr; 1]>::try_from(members) {
        Ok([member]) if !modified => return Ok(paren(member)),
        Ok([member]) => one_total(member),
        Err(members) => node(ExprKind::Group(members), span),
    };
    run(reader, pool, POOLS)
}

fn run(reader: &mut Reader, pool: Expr, known: &'static [&'static str]) -> Read<Expr> {
    let mut state = State::new(pool);
    for modifier in Modifier::read_all(reader, known)? {
        one(reader, &mut state, &modifier)?;
    }
    Ok(state.finish())
}

fn one(reader: &mut Reader, state: &mut State, modifier: &Modifier) -> Read<()> {
    match modifier.command {
        "r" | "rr" => throwing::reroll(reader, state, modifier),
        "x" | "xo" => throwing::explode(reader, state, modifier),
        "k" | "kh" | "kl" | "d" | "dh" | "dl" => throwing::keep_or_drop(reader, state, modifier),
        "min" | "max" => throwing::clamp(reader, state, modifier),
        "cs" | "cf" => counting::count(reader, state, modifier),
        "even" | "odd" => counting::parity(reader, state, modifier),
        "df" => counting::deduct(reader, state, modifier),
        "ms" => counting::margin(reader, state, modifier),
        "sf" => Err(reader.unsaid(
            modifier.span,
            "subtracts the faces of the dice that fail",
            "`cf=1` takes one off for each; or list the faces as they count: `d{-1, 2, 3}`",
        )),
        _ => Err(reader.unsaid(modifier.span, "calls the side of a coin", "")),
    }
}
