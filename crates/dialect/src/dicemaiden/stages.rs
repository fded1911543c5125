//! What happens to dice: advantage, then throws in written order, then keep and drop.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, End, ExplodeLimit, ExplodeStyle, Expr, Sides};

use super::line::{MOST_DICE, Thrown};
use super::modifiers::{Ends, Throw};
use crate::build::{dice, drop, keep};
use crate::faces::{Test, faces_of};
use crate::reader::{Read, Reader};
use crate::throwing::{Explosion, explode, reroll, reroll_once};

/// The dice that are left on the table. `counted` if they are counted and not added.
pub(super) fn stage(reader: &mut Reader, thrown: &Thrown, counted: bool) -> Read<Expr> {
    let modifiers = &thrown.modifiers;
    let Some(sides) = thrown.sides else { return fate(reader, thrown) };
    let surplus = modifiers.advantage.abs();
    if thrown.count + surplus > MOST_DICE {
        let message = format!("Dice Maiden rolls at most {MOST_DICE} dice, those of advantage too");
        return Err(reader.wrong(thrown.span, message));
    }
    let sides = Sides::Number(sides.to_string().into());
    let mut pool = dice(thrown.count + surplus, sides, thrown.span);
    let faces = faces_of(&pool);
    if surplus > 0 {
        let end = if modifiers.advantage > 0 { End::Lowest } else { End::Highest };
        pool = drop(pool, end, surplus, thrown.span);
    }
    let mut grows = false;
    for (throw, place) in &modifiers.throws {
        let place = *place;
        pool = match throw {
            Throw::Reroll { once: true, test } => reroll_once(pool, *test, place),
            Throw::Reroll { once: false, test } => {
                reroll(reader, pool, *test, faces.as_deref(), place)?
            }
            Throw::Explode { once, from } => {
                grows = true;
                let trigger = from.map(|from| Test::new(Comparison::AtLeast, from));
                let limit = if *once { ExplodeLimit::Once } else { ExplodeLimit::Endless };
                let style = ExplodeStyle::Separate;
                let explosion = Explosion { style, trigger, limit, place };
                explode(reader, pool, explosion, faces.as_deref())?
            }
            Throw::Implode if counted => {
                let message = "imploding dice are never counted: this was left out";
                reader.notice(place, message);
                pool
            }
            Throw::Implode => {
                return Err(reader.unsaid(
                    place,
                    "takes off another die for each that shows as little",
                    "for one die: `(do let first = d10; if first = 1 then first - d10 else first end)`",
                ));
            }
        };
    }
    ends(reader, pool, &modifiers.ends, Left { count: thrown.count, grows })
}

/// How many dice there are: so many, or more if they may have exploded.
struct Left {
    count: i64,
    grows: bool,
}

fn ends(reader: &Reader, mut pool: Expr, ends: &[(Ends, Span)], mut left: Left) -> Read<Expr> {
    for (kind, place) in ends {
        let place = *place;
        pool = match kind {
            Ends::Keep(end, count) => {
                left = match *count <= left.count {
                    true => Left { count: *count, grows: false },
                    false => left,
                };
                keep(pool, *end, *count, place)
            }
            Ends::DropLowest(count) if *count < left.count => {
                left.count -= count;
                drop(pool, End::Lowest, *count, place)
            }
            Ends::DropLowest(_) if left.grows => {
                return Err(reader.unsaid(
                    place,
                    "always leaves one die, however many there are",
                    "drop fewer dice than are thrown, or keep the best: `kh1`",
                ));
            }
            // The last die is not dropped, unless there is only one.
            Ends::DropLowest(_) if left.count > 1 => {
                left.count = 1;
                keep(pool, End::Highest, 1, place)
            }
            Ends::DropLowest(count) => {
                left.count = 0;
                drop(pool, End::Lowest, *count, place)
            }
        };
    }
    Ok(pool)
}

/// `4df`: dice from 1 to 3 that become −1, 0 and +1 at the end.
fn fate(reader: &Reader, thrown: &Thrown) -> Read<Expr> {
    let modifiers = &thrown.modifiers;
    let other = modifiers.throws.first().map(|(_, place)| *place);
    let other = other.or(modifiers.counts.first().map(|(_, place)| *place));
    if let Some(place) = other.or((modifiers.advantage != 0).then_some(thrown.span)) {
        return Err(reader.unsaid(
            place,
            "looks at Fate dice as dice from 1 to 3",
            "`4dF` shows -1, 0 and 1 here: write the numbers accordingly",
        ));
    }
    let pool = dice(thrown.count, Sides::Fate, thrown.span);
    ends(reader, pool, &modifiers.ends, Left { count: thrown.count, grows: false })
}
