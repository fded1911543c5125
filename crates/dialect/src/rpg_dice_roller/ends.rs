//! Keep and drop, which all look at all dice.
//!
//! `4d6kh3dl1` drops the lowest die twice, which is once; here one acts after the other. Where the number of dice is
//! known, it is told how many go from each end: `4d6kh3kl1` loses one below and three above, which is all of them.
//! And a number greater than that of the dice makes the tool drop others than it says.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{End, Expr};

use super::modifiers::Ends;
use crate::build::{drop, keep};
use crate::reader::{Read, Reader};

/// How many dice lie on the table.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// At least so many, if it can be told.
    pub(super) least: Option<i64>,
    /// Explosions may have added some.
    pub(super) grows: bool,
}

pub(super) fn keep_and_drop(reader: &Reader, pool: Expr, ends: &Ends, size: Size) -> Read<Expr> {
    let Some(place) = ends.all().map(|(_, place)| place).reduce(Span::to) else { return Ok(pool) };
    for (count, span) in ends.keep_highest.into_iter().chain(ends.drop_highest) {
        if size.least.is_none_or(|least| count > least) {
            return Err(reader.unsaid(
                span,
                "with fewer dice than that, other dice are dropped than it says",
                "write a number of dice, and keep or drop at most as many",
            ));
        }
    }
    let one_by_one = matches!(
        (ends.keep_highest, ends.keep_lowest, ends.drop_lowest, ends.drop_highest),
        (Some(_), None, None, _) | (None, Some(_), _, None) | (None, None, ..)
    );
    if one_by_one {
        return Ok(in_turn(pool, ends));
    }
    let (Some(count), false) = (size.least, size.grows) else {
        return Err(reader.unsaid(
            place,
            "each looks at all dice, also at those that the other has dropped",
            "here one acts after the other: write the one that drops more",
        ));
    };
    let gone = |kept: Option<(i64, Span)>, dropped: Option<(i64, Span)>| {
        let by_keep = kept.map_or(0, |(kept, _)| (count - kept).max(0));
        by_keep.max(dropped.map_or(0, |(dropped, _)| dropped.min(count)))
    };
    let below = gone(ends.keep_highest, ends.drop_lowest);
    let above = gone(ends.keep_lowest, ends.drop_highest);
    let pool = if below > 0 { drop(pool, End::Lowest, below, place) } else { pool };
    Ok(if above > 0 { drop(pool, End::Highest, above, place) } else { pool })
}

/// One after the other, where that is the same.
fn in_turn(mut pool: Expr, ends: &Ends) -> Expr {
    if let Some((count, place)) = ends.keep_highest {
        pool = keep(pool, End::Highest, count, place);
    }
    if let Some((count, place)) = ends.keep_lowest {
        pool = keep(pool, End::Lowest, count, place);
    }
    if let Some((count, place)) = ends.drop_lowest {
        pool = drop(pool, End::Lowest, count, place);
    }
    if let Some((count, place)) = ends.drop_highest {
        pool = drop(pool, End::Highest, count, place);
    }
    pool
}
