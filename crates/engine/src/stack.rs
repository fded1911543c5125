//! Room for nested programs.
//!
//! Programs may nest as deep as the parser and the checker allow, and each level costs stack in every pass. A
//! request runs on the caller's stack if what its program can need is left there, and otherwise on one that is
//! large enough for the deepest program. So a small program costs no new stack, and no program overflows
//! one, whatever thread calls. Rolling needs no room from here: it looks for itself at each step.

/// What the deepest program needs in any pass.
const DEEPEST: usize = 48 << 20;
const GROWN: usize = 64 << 20;

/// What the deepest text needs to be read and checked. Without optimisation the frames are much larger.
const TEXT: usize = if cfg!(debug_assertions) { DEEPEST } else { 3 << 19 };

/// What a program needs for its odds: besides a level for each form inside another.
const ODDS: usize = 512 << 10;
const LEVEL: usize = if cfg!(debug_assertions) { 128 << 10 } else { 32 << 10 };

/// What it takes to go through a program without doing much on the way, as to copy it or to take it down.
const WALK: usize = 2 << 10;
/// Forms stand inside each other no deeper than that: the checker limits both chains and nesting.
const HIGHEST: usize = 2000;
/// Any stack has room for programs that are no higher.
const LOW: usize = 30;

/// Reads or checks a text with enough stack.
pub(crate) fn for_text<T>(request: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(TEXT, GROWN, request)
}

/// Computes the odds of a program with enough stack; so many of its forms stand inside each other.
pub(crate) fn for_odds<T>(depth: usize, request: impl FnOnce() -> T) -> T {
    let needed = depth.saturating_mul(LEVEL).saturating_add(ODDS).min(DEEPEST);
    stacker::maybe_grow(needed, GROWN, request)
}

/// Goes through a program with enough stack.
pub(crate) fn for_walk<T>(depth: usize, request: impl FnOnce() -> T) -> T {
    if is_low(depth) {
        return request();
    }
    stacker::maybe_grow(depth.min(HIGHEST) * WALK, HIGHEST * WALK, request)
}

/// Whether any stack has room for a program that is so deep.
pub(crate) fn is_low(depth: usize) -> bool {
    depth < LOW
}
