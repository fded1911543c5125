//! The ways through the odds, each with its switch, and the limits by which they are chosen.
//!
//! The general route is the one of [`crate::eval`]: states, taken through the plan form by form. Everything else here
//! is a shortcut that answers the same question sooner, or gives up and leaves it to the general route. The request's
//! [`Meter`](astragal_prob::Meter) says which ways may be taken and remembers which were.

use astragal_prob::Rational;
use astragal_prob::ways as below;
use astragal_prob::ways::Way;

astragal_prob::ways! { OWN from below::NEXT;
    DIRECT = "direct": "dice and their sums where nothing is named, read straight off the core form";
    ALL_FIELDS = "all fields": "one run for all fields of a result, where that takes few states";
    HOISTED = "hoisted": "small rounds and functions as code that wants its throws one after the other";
    AS_CODE = "as code": "programs that go through lists of throws, as code for all that these may show";
    ASKED_DICE = "asked dice": "dice that are bound, as one throw that answers all that is asked of it";
    DEALS = "deals": "hands dealt from one bag, walked together";
    SIDE_BY_SIDE = "side by side": "dice that a walk goes over side by side, as one throw that answers all that is asked of them";
    ON_VALUES = "on values": "what needs no dice, done to all values of one variable at once";
    ONE_BY_ONE = "one by one": "what reads several undecided numbers more than once, one of them known after the other";
    JOINT_READINGS = "joint readings": "all that is read off bound dice as one variable";
    MARGIN = "margin": "two numbers that are only compared with each other are one number";
    SORTED = "sorted": "a list of independent numbers, sorted as the hands of a pool";
    MEETING = "meeting": "states that differ in one number become one state with a mixed law";
    COUNTERS = "counters": "what a round of a loop only adds to travels as a generating function";
    USED_UP = "used up": "loops over a count that is used up, as an equation";
    EQUATIONS = "equations": "functions that call themselves, as an equation";
    THROWS = "throws": "what a round throws, told from what it does with it";
    LOOP_AND_REST = "loop and rest": "ends of a loop told apart only by what follows it";
    CUT_ROUNDS = "cut rounds": "rounds cut at their throws, so that what they have led to meets on the way";
    BEYOND = "beyond": "loops that are given up, told to come to nothing below a bound or above it";
    MOMENTS = "moments": "mean and variance of loops that multiply what they carry, by linear equations";
    STEPS_AS_CODE = "steps as code": "the steps of a walk as code on words";
    APART = "apart": "walks with a number that is only added to, or kept if highest, set apart";
    SEVERAL_APART = "several apart": "walks over many dice with several numbers that are only added to, set apart as one";
    EXPLOSIONS = "explosions": "walks over dice that explode, told apart by how often they do";
    SCORES = "scores": "games whose places are without the numbers that only count";
    HORIZON = "horizon": "plays whose numbers have no end, proven to be a straight line beyond a horizon";
    LETTERS = "letters": "endless throws in a play, followed beyond all that is listed of them";
}

/// What is thrown as one: a throw with more values than this is left to the states, which can keep it undecided.
pub(crate) const MOST_VALUES: usize = 2_000;
/// Numbers that a function tries one by one: more are better left undecided.
pub(crate) const FEW_NUMBERS: usize = 24;
/// The same of values that are no numbers, and have to be decided sooner or later.
pub(crate) const FEW_VALUES: usize = 64;
/// More results than this, if they are no numbers, are one variable instead of a state each.
pub(crate) const FEW_RESULTS: usize = 32;
/// So many undecided numbers become known one by one; of fewer one is decided.
pub(crate) const SEVERAL_NUMBERS: usize = 3;
/// Combinations of values, or ends of a walk, that are tried one by one.
pub(crate) const MOST_PATHS: usize = 20_000;
/// The same for hands dealt together: the general route would decide them card by card.
pub(crate) const MOST_DEALS: usize = 200_000;
/// From so many dice on, several numbers of a walk are set apart: that takes two or three walks instead of one.
pub(crate) const MANY_DICE: u64 = 12;
/// Rows of weights for several numbers as one may be mostly zeros up to this length.
pub(crate) const LONGEST_ROW: i64 = 1 << 14;
/// A shorter range of values is tried value by value instead of as a whole.
pub(crate) const SHORTEST_RANGE: usize = 10;
/// So many values of an endless throw are listed at first; twice as many each time they do not suffice.
pub(crate) const FIRST_LISTED: i64 = 16;

/// Runs of a function as code: what is only added up is better left undecided,
pub(crate) const RUNS_OF_A_CALL: u32 = 2_000;
/// of the round of a loop, whose next state must be decided anyway,
pub(crate) const RUNS_OF_A_ROUND: u32 = 30_000;
/// and of what is done with hands dealt together.
pub(crate) const RUNS_OF_A_DEAL: u32 = 300_000;
/// A whole program may be run as code for all throws with this part of the budget that is left.
pub(crate) const SHARE_OF_CODE: u64 = 4;

/// A loop with more nodes than this is taken for endless,
pub(crate) const MOST_NODES: usize = 40_000;
/// or, where its rounds are run by states, which cost ten times as much,
pub(crate) const MOST_NODES_OF_STATES: usize = MOST_NODES / 10;
/// and one with more steps between nodes is left to the states.
pub(crate) const MOST_STEPS: usize = 10 * MOST_NODES;

/// A number that is carried through a loop and has more bits than this is taken to grow for ever.
pub(crate) const MOST_BITS: usize = 512;
/// With fewer paths than this a round is not cut at its throws;
pub(crate) const FEW_PATHS: usize = 64;
/// from the first node, whose paths may meet nothing, with fewer than this.
pub(crate) const FEW_AT_FIRST: usize = 4096;

/// So many numbers that a loop carries may stay undecided while their moments are looked for.
pub(crate) const MOST_SCALED: usize = 5;

/// One run for all fields is for so few states,
pub(crate) const FEW_STATES: usize = 128;
/// and may take this part of the budget.
pub(crate) const SHARE_OF_ATTEMPT: u64 = 16;
/// Notices may take this part of the budget that is left,
pub(crate) const SHARE_OF_NOTICES: u64 = 16;
/// and beside a small answer so many steps.
pub(crate) const LEAST_STEPS_OF_NOTICES: u64 = 20_000_000;
/// What was worked out and may be asked for again is kept up to so many bytes.
pub(crate) const MOST_KEPT: u64 = 64 << 20;
/// So many readings are looked through for an equal one.
pub(crate) const READINGS_AT_HAND: usize = 8;
/// What is learned of one variable bounds the next; each round goes one variable further.
pub(crate) const ROUNDS_OF_BOUNDS: usize = 4;

/// Code is written out to so many nodes,
pub(crate) const LARGEST_CODE: usize = 4_000;
/// and so deep.
pub(crate) const DEEPEST_CODE: usize = 200;

/// What takes more steps than that is worth remembering, although nothing is thrown.
pub(crate) const LONG_FOLD: u64 = 200;
/// So many answers about parts of a game are kept: of a large one most are asked for once.
pub(crate) const MOST_TOLD: usize = 50_000;

/// How deep expressions may nest, calls included. A browser's stack is small and does not grow; elsewhere it grows
/// where recursion needs more than the room that a request begins with.
pub(crate) const DEEPEST_FORMS: usize = if cfg!(target_family = "wasm") { 500 } else { 20_000 };
/// So many calls of itself on one path of a function are put into an equation. Its memory grows with their square.
pub(crate) const MOST_UNKNOWNS: u32 = 200;
/// So often what calls itself is explored with what is known of it so far,
pub(crate) const MOST_GUESSES: u32 = 1_000;
/// with chances of so many bits.
pub(crate) const BITS_OF_A_GUESS: usize = 128;
/// How deep calls may nest, but for those that are too unlikely to matter.
pub(crate) const DEEPEST_CALLS: usize = 300;

/// So many calls of functions inside themselves, with what their callers remember, are followed however unlikely they
/// are: what ends by its arguments has fewer.
pub(crate) const FOLLOWED_HOWEVER_UNLIKELY: u32 = 4_000;

/// Where an endless variable has to be cut, what is given up is below one in so many.
pub(crate) const WINDOW: u64 = 1_000_000_000_000;

/// What is less likely is given up.
pub(crate) fn sliver() -> Rational {
    Rational::ONE / Rational::from(WINDOW)
}

/// Every way there is, of this crate and of the one below.
pub fn every() -> impl Iterator<Item = Way> {
    below::EVERY.iter().chain(OWN).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_prob::ways::Ways;

    #[test]
    fn every_way_has_a_place_and_a_name_of_its_own() {
        let mut seen = Ways::NONE;
        let mut names = Vec::new();
        for way in every() {
            assert!(!seen.has(way), "{} has the place of another", way.name);
            seen = seen.with(way);
            names.push(way.name);
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "two ways have one name");
    }
}
