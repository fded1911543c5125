//! The second phase: keep or drop, then count, then sort.

use astragal_syntax::tree::Expr;

use super::modifiers::Modifiers;
use crate::build::{count_against, count_for, suffixed};
use crate::reader::{Read, Reader};

pub(super) fn settle(reader: &Reader, mut pool: Expr, modifiers: Modifiers) -> Read<Expr> {
    if let [_, (_, again), ..] = modifiers.keeps.as_slice() {
        return Err(reader.unsaid(
            *again,
            "a second keep or drop of the same dice, which Roll20 does not describe",
            "here several act one after the other: `4d6kh3dl1` keeps the best two of four",
        ));
    }
    if let [_, (_, again), ..] = modifiers.successes.as_slice() {
        let meaning = "a second count of the same dice, which Roll20 does not describe";
        return Err(reader.unsaid(*again, meaning, "here several add up: `5d6 cs=1 cs=6`"));
    }
    if let ([], [(_, place), ..]) = (modifiers.successes.as_slice(), modifiers.failures.as_slice())
    {
        return Err(reader.unsaid(
            *place,
            "failures are subtracted from successes, and none are counted",
            "write what counts first, as in `>5f1`; `cf=1` alone counts below zero here",
        ));
    }
    for (kind, place) in modifiers.keeps {
        pool = suffixed(pool, kind, place);
    }
    for (test, place) in modifiers.successes {
        pool = count_for(pool, test, place);
    }
    for (test, place) in modifiers.failures {
        pool = count_against(pool, test, place);
    }
    if let Some((kind, place)) = modifiers.sort {
        pool = suffixed(pool, kind, place);
    }
    Ok(pool)
}
