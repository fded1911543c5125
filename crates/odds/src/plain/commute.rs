//! Whether steps commute.
//!
//! ```text
//! (sizes, face, count) => if count >= 2 then reverse(sort(append(sizes, count))) else sizes
//! ```
//!
//! With 3 dice and then 2, or with 2 dice and then 3: the sizes are the same. Code says so if what it does to the
//! carried value is one of a family of functions that commute with each other, and which of them it is depends on
//! everything else only:
//!
//! * `x ↦ sort(append(x, a))`: after two of them there is the sorted list of the same items, whichever came first.
//!   The same holds for `reverse(sort(append(x, a)))`, but not for the two mixed;
//! * `x ↦ x`, which commutes with everything;
//! * what chooses among functions of one family: an `if`, a `let`, and a fold that takes one after the other.
//!
//! Functions of numbers that commute (`x + a`, `max(x, a)`) are not looked for: where numbers are carried, walking
//! face by face is as good (see [`astragal_prob::pool::Steps::commute`]).

use astragal_value::Op;

use super::code::Code;

/// A family of functions that commute with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Same,
    Rising,
    Falling,
}

impl Family {
    /// The family that has both.
    fn and(self, other: Family) -> Option<Family> {
        match (self, other) {
            (Family::Same, family) | (family, Family::Same) => Some(family),
            (one, other) => (one == other).then_some(one),
        }
    }
}

impl Code {
    /// Whether this code, as a function of a variable, commutes with itself whatever the values of the others.
    pub(crate) fn commutes(&self, carry: u32) -> bool {
        self.family(carry).is_some()
    }

    fn family(&self, carry: u32) -> Option<Family> {
        match self {
            Code::Local(slot) if *slot == carry => Some(Family::Same),
            Code::Operation(Op::Sort, operands) => {
                let [Code::Binary(Op::Append, parts)] = operands.as_slice() else { return None };
                parts.1.is_free_of(carry).then_some(())?;
                parts.0.family(carry)?.and(Family::Rising)
            }
            Code::Operation(Op::Reverse, operands) => {
                let [Code::Operation(Op::Sort, operands)] = operands.as_slice() else {
                    return None;
                };
                let [Code::Binary(Op::Append, parts)] = operands.as_slice() else { return None };
                parts.1.is_free_of(carry).then_some(())?;
                parts.0.family(carry)?.and(Family::Falling)
            }
            Code::If(parts) => {
                parts.0.is_free_of(carry).then_some(())?;
                parts.1.family(carry)?.and(parts.2.family(carry)?)
            }
            Code::Let(_, parts) => {
                parts.0.is_free_of(carry).then_some(())?;
                parts.1.family(carry)
            }
            Code::Fold(fold) => {
                fold.list.is_free_of(carry).then_some(())?;
                fold.body.is_free_of(carry).then_some(())?;
                fold.first.family(carry)?.and(fold.body.family(fold.carry)?)
            }
            _ => None,
        }
    }

    /// Whether what it makes of a number of dice is one round more than what it makes of one die less: a fold over
    /// `from..count` in which nothing else reads the count.
    pub(crate) fn goes_on_by(&self, count: u32) -> bool {
        let Code::Fold(fold) = self else { return false };
        let Code::Binary(Op::Range, ends) = &fold.list else { return false };
        let up_to = matches!(ends.1, Code::Local(slot) if slot == count);
        up_to && [&ends.0, &fold.first, &fold.body].iter().all(|part| part.is_free_of(count))
    }
}
