//! The ways through the odds, each with its switch, and the limits by which they are chosen.
//!
//! The general route is the one of [`crate::eval`]: states, taken through the plan form by form. Everything else here
//! is a shortcut that answers the same question sooner, or gives up and leaves it to the general route. The request's
//! [`Meter`](astragal_prob::Meter) says which ways may be taken and remembers which were.

use astragal_prob::ways as below;
use astragal_prob::ways::Way;

astragal_prob::ways! { OWN from below::NEXT;
    DIRECT = "direct": "programs that name no variable, read straight off their core form";
    ALL_FIELDS = "all fields": "one run for all fields of a result, where that takes few states";
    HOISTED = "hoisted": "small rounds and functions as code that wants its throws one after the other";
    ASKED_DICE = "asked dice": "dice that are bound, as one throw that answers all that is asked of it";
    DEALS = "deals": "hands dealt from one bag, walked together";
    ON_VALUES = "on values": "what needs no dice, done to all values of one variable at once";
    WHOLE_IN = "whole in": "an operation with constants on a value that is undecided as a whole";
    JOINT_READINGS = "joint readings": "several numbers read off one pool with their joint law";
    ON_JOINT = "on joint": "what follows joint readings, run as code for each of their values";
    MARGIN = "margin": "two numbers that are only compared with each other are one number";
    COLLAPSE = "collapse": "variables that are mentioned in one combination only are one variable";
    SORTED = "sorted": "a list of independent numbers, sorted by insertion";
    MEETING = "meeting": "states that differ in one number become one state with a mixed law";
    COUNTERS = "counters": "what a round of a loop only adds to travels as a generating function";
    USED_UP = "used up": "loops over a count that is used up, as an equation";
    EQUATIONS = "equations": "functions that call themselves, as an equation";
    THROWS = "throws": "what a round throws, told from what it does with it";
    ROUNDS = "rounds": "a round of a loop as one throw";
    LOOP_AND_REST = "loop and rest": "ends of a loop told apart only by what follows it";
    CHAIN = "chain": "the graph of a loop solved on whole numbers";
    RECURRENCES = "recurrences": "how often a loop goes round, by the recurrence that its first chances obey";
    CUT_ROUNDS = "cut rounds": "rounds cut at their throws, so that what they have led to meets on the way";
    STEPS_AS_CODE = "steps as code": "the steps of a walk as code on words";
    APART = "apart": "walks with a number that is only added to, or kept if highest, set apart";
    EXPLOSIONS = "explosions": "walks over dice that explode, told apart by how often they do";
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
