//! Room for nested programs.
//!
//! Programs may nest as deep as the parser allows, and each level costs stack in every pass. A request
//! therefore runs on a stack that is large enough for the deepest program, whatever thread calls.

const NEEDED: usize = 48 << 20;
const GROWN: usize = 64 << 20;

/// Runs a request with enough stack.
pub(crate) fn with_room<T>(request: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(NEEDED, GROWN, request)
}
