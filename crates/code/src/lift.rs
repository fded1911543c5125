//! Which part of a carried value a step never looks at.
//!
//! ```text
//! (s, face, m, t) => {ahead: s.ahead + m - t, wins: s.wins + clamp(s.ahead, 0, t)}
//! ```
//!
//! `wins` is only added to, whatever happens: it can be set apart from the rest of the carried value
//! ([`astragal_prob::pool::walk_lifted`]). So can a number of which only the highest or the lowest is kept. What
//! a step does to it is seen by running it with a number that changes nothing in its place: with 0 a sum is
//! what is added, with a very low number the highest is what is offered.
//!
//! ```text
//! (best, face, count) => if count >= best.size then {size: count, face: face} else best
//! ```
//!
//! Here a whole record is kept, the one with the highest `size` and of these the last. That is the highest of
//! numbers too, if a size and a place in the walk are taken as one number.
//!
//! ```text
//! (sizes, face, count) => if count >= 2 then reverse(sort(append(sizes, count))) else sizes
//! ```
//!
//! With 3 dice and then 2, or with 2 dice and then 3: the sizes are the same, since a list that is only appended to and
//! sorted is the sorted list of the same items, whichever came first. Steps that do nothing else commute; not those that
//! sort in both directions.

use astragal_value::Op;

use crate::fold::{Choice, Domain};
use crate::tree::{Code, Fold};
use astragal_value::Word;

/// A part of the carried value that can be set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The field of the carried record; none: all of it.
    pub field: Option<usize>,
    /// What is done to it.
    pub manner: Manner,
}

/// What steps do to it, by what does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// They add to it.
    Sum,
    /// They keep the highest,
    Highest,
    /// or the lowest.
    Lowest,
    /// The whole record is kept whose field is the highest, or the lowest; of equals the last, or the first.
    Best {
        /// Whether it is the highest.
        highest: bool,
        /// Whether it is the last of equals.
        last: bool,
    },
    /// They append to it and sort it, upwards. Such a part is never set apart.
    Rising,
    /// The same, downwards.
    Falling,
}

impl Manner {
    /// The number that changes nothing. Every number of a word lies between those of the last two.
    pub fn nothing(self) -> i64 {
        match self {
            Manner::Sum | Manner::Rising | Manner::Falling => 0,
            Manner::Highest | Manner::Best { highest: true, .. } => i64::MIN / 2,
            Manner::Lowest | Manner::Best { highest: false, .. } => i64::MAX / 2,
        }
    }
}

impl Code {
    /// Whether this code, as a function of a variable, commutes with itself whatever the values of the others. Functions
    /// of numbers that commute are not looked for: where numbers are carried, walking face by face is as good.
    pub fn commutes(&self, carry: u32) -> bool {
        let manners = [Manner::Rising, Manner::Falling];
        manners.into_iter().any(|manner| is_apart(self, carry, Part { field: None, manner }))
    }
}

/// Whether it comes to the same in whichever order code changes a variable, whatever the values of the others: it only
/// adds to it, keeps its highest or lowest, or sorts it, or does so to each of its fields.
pub fn in_any_order(code: &Code, carry: u32) -> bool {
    let may_be = |field, manners: &[Manner]| {
        manners.iter().any(|manner| is_apart(code, carry, Part { field, manner: *manner }))
    };
    let numbers = [Manner::Sum, Manner::Highest, Manner::Lowest];
    match record_length(code) {
        _ if code.commutes(carry) => true,
        _ if makes_lists(code) => false,
        None => may_be(None, &numbers),
        Some(fields) => {
            (0..fields).all(|field| is_unasked(code, carry, field) || may_be(Some(field), &numbers))
        }
    }
}

/// Whether nobody asks for a field: it is always none, and not looked at.
fn is_unasked(code: &Code, carry: u32, field: usize) -> bool {
    let looks = |part: &Code| match part {
        Code::Field(record, at) => {
            *at as usize == field && matches!(**record, Code::Local(slot) if slot == carry)
        }
        _ => false,
    };
    is_constant(code, field) && !code.any(&mut |part| looks(part))
}

/// Whether a field of the record that code ends with is always none.
fn is_constant(code: &Code, field: usize) -> bool {
    match code {
        Code::Let(_, parts) => is_constant(&parts.1, field),
        Code::If(parts) => is_constant(&parts.1, field) && is_constant(&parts.2, field),
        Code::Record(_, fields) => matches!(fields.get(field), Some(Code::Word(Word::NONE))),
        _ => false,
    }
}

/// The part of the carried value, which is in the given slot, that can be set apart. Sums come first, as
/// they have more values than extremes have; of several the last.
pub fn part(code: &Code, carry: u32) -> Option<Part> {
    if makes_lists(code) {
        return None;
    }
    let fields = record_length(code);
    let best = [(true, true), (true, false), (false, true), (false, false)]
        .map(|(highest, last)| Manner::Best { highest, last });
    let manners = [Manner::Sum, Manner::Highest, Manner::Lowest].into_iter().chain(best);
    manners.into_iter().find_map(|manner| {
        let all = std::iter::once(None).filter(|_| fields.is_none());
        let each = all.chain((0..fields.unwrap_or(0)).rev().map(Some));
        let mut parts = each.map(|field| Part { field, manner });
        parts.find(|part| is_apart(code, carry, *part))
    })
}

/// The fields of the carried record that steps only add to. Nothing looks at any of them, so all can be set apart.
pub fn sums(code: &Code, carry: u32) -> Vec<usize> {
    let fields = if makes_lists(code) { 0 } else { record_length(code).unwrap_or(0) };
    let sum =
        |field: &usize| is_apart(code, carry, Part { field: Some(*field), manner: Manner::Sum });
    (0..fields).filter(sum).collect()
}

/// How many fields the record has that code ends with.
fn record_length(code: &Code) -> Option<usize> {
    match code {
        Code::Let(_, parts) => record_length(&parts.1),
        Code::If(parts) => record_length(&parts.1).or_else(|| record_length(&parts.2)),
        Code::Record(_, fields) => Some(fields.len()),
        _ => None,
    }
}

/// Whether lists are made: then there are many carried values, and few of them differ in one number only.
fn makes_lists(code: &Code) -> bool {
    code.any(&mut |part| {
        matches!(part, Code::List(_) | Code::Fold(_) | Code::Binary(Op::Append, _))
    })
}

fn is_apart(code: &Code, carry: u32, part: Part) -> bool {
    let whole = if part.field.is_some() { Role::Whole } else { Role::Part };
    let mut roles = Roles { part, known: vec![(carry, whole)] };
    // What is not plain needs the carried value as it is.
    roles.of(code, &mut ()) == Some(whole)
}

/// What an expression is to the part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It does not depend on it.
    Free,
    /// It is the part, changed in the one manner by what does not depend on it.
    Part,
    /// It is a record of which one field is the part and no other depends on it.
    Whole,
}

struct Roles {
    part: Part,
    /// Slots that are not free.
    known: Vec<(u32, Role)>,
}

impl Roles {
    /// None: it depends on the part in another way.
    fn of_two(&self, op: Op, roles: (Role, Role)) -> Option<Role> {
        match (roles, op, self.part.manner) {
            ((Role::Free, Role::Free), ..) => Some(Role::Free),
            ((Role::Part, Role::Free), Op::Add | Op::Subtract, Manner::Sum)
            | ((Role::Free, Role::Part), Op::Add, Manner::Sum)
            | ((Role::Part, Role::Free) | (Role::Free, Role::Part), Op::Max, Manner::Highest)
            | ((Role::Part, Role::Free) | (Role::Free, Role::Part), Op::Min, Manner::Lowest) => {
                Some(Role::Part)
            }
            _ => None,
        }
    }

    /// `sort(append(part, item))`, or `reverse` of that.
    fn sorting(&mut self, op: Op, operands: &[Code]) -> Option<Role> {
        let list = match (op, operands, self.part.manner) {
            (Op::Sort, [list], Manner::Rising) => list,
            (Op::Reverse, [Code::Operation(Op::Sort, lists)], Manner::Falling) => lists.first()?,
            _ => return None,
        };
        let Code::Binary(Op::Append, parts) = list else { return None };
        let roles = (self.of(&parts.0, &mut ())?, self.of(&parts.1, &mut ())?);
        (roles == (Role::Part, Role::Free)).then_some(Role::Part)
    }

    /// Whether records are kept as a whole.
    fn keeps_records(&self) -> bool {
        matches!(self.part.manner, Manner::Best { .. })
    }

    /// `if x > part then x else part`, in any order, is the highest of the two. Where records are kept as a whole, the
    /// one that has `x` is in the place of `x`, and the carried one in that of its field.
    fn comparing(&mut self, (condition, then, otherwise): &Choice) -> Option<Role> {
        let Code::Binary(op, sides) = condition else { return None };
        let (greater, equal) = match op {
            Op::Greater => (true, false),
            Op::AtLeast => (true, true),
            Op::Less => (false, false),
            Op::AtMost => (false, true),
            _ => return None,
        };
        let in_order = self.has(then, &sides.0) && self.has(otherwise, &sides.1);
        let turned = self.has(then, &sides.1) && self.has(otherwise, &sides.0);
        if !in_order && !turned {
            return None;
        }
        let highest = greater == in_order;
        if let Manner::Best { highest: wanted, last } = self.part.manner {
            let roles = (self.of(then, &mut ())?, self.of(otherwise, &mut ())?);
            // What is taken of equals.
            let replaces = match roles {
                (Role::Free, Role::Whole) => equal,
                (Role::Whole, Role::Free) => !equal,
                _ => return None,
            };
            return (wanted == highest && last == replaces).then_some(Role::Whole);
        }
        let op = if highest { Op::Max } else { Op::Min };
        let roles = (self.of(&sides.0, &mut ())?, self.of(&sides.1, &mut ())?);
        self.of_two(op, roles)
    }

    /// Whether this is what is compared, or the record that has it.
    fn has(&self, code: &Code, compared: &Code) -> bool {
        match (code, self.part.field) {
            (Code::Record(_, fields), Some(field)) if self.keeps_records() => {
                fields.get(field) == Some(compared)
            }
            (record, Some(field)) if self.keeps_records() => matches!(compared,
                Code::Field(of, at) if **of == *record && *at as usize == field),
            _ => code == compared,
        }
    }
}

impl Domain<Role, ()> for Roles {
    fn word(&mut self, _: Word) -> Option<Role> {
        Some(Role::Free)
    }

    fn term(&mut self, _: u32) -> Option<Role> {
        Some(Role::Free)
    }

    fn local(&mut self, slot: u32, (): &mut ()) -> Option<Role> {
        let known = self.known.iter().find(|(known, _)| *known == slot);
        Some(known.map_or(Role::Free, |(_, role)| *role))
    }

    fn bind(&mut self, slot: u32, role: Role) {
        if role != Role::Free {
            self.known.push((slot, role));
        }
    }

    fn choice(&mut self, parts: &Choice, (): &mut ()) -> Option<Role> {
        match self.of(&parts.0, &mut ()) {
            Some(Role::Free) => {
                let role = self.of(&parts.1, &mut ())?;
                (self.of(&parts.2, &mut ())? == role).then_some(role)
            }
            _ => self.comparing(parts),
        }
    }

    fn binary(&mut self, op: Op, a: Role, b: Role, (): &mut ()) -> Option<Role> {
        self.of_two(op, (a, b))
    }

    fn operation(&mut self, op: Op, operands: &[Code], (): &mut ()) -> Option<Role> {
        if let Some(role) = self.sorting(op, operands) {
            return Some(role);
        }
        let mut roles = operands.iter().map(|operand| self.of(operand, &mut ()));
        let first = roles.next().flatten()?;
        let all = roles.try_fold(first, |role, next| match (role, next?) {
            (Role::Free, next) | (next, Role::Free) => Some(next),
            _ => None,
        })?;
        match (all, op, self.part.manner) {
            (Role::Free, ..) => Some(Role::Free),
            (Role::Part, Op::Max, Manner::Highest) | (Role::Part, Op::Min, Manner::Lowest) => {
                Some(Role::Part)
            }
            _ => None,
        }
    }

    fn list(&mut self, items: &[Code], (): &mut ()) -> Option<Role> {
        let mut items = items.iter();
        items.all(|item| self.of(item, &mut ()) == Some(Role::Free)).then_some(Role::Free)
    }

    /// One round after the other does the same to it.
    fn fold(&mut self, fold: &Fold, (): &mut ()) -> Option<Role> {
        (self.of(&fold.list, &mut ())? == Role::Free).then_some(())?;
        let role = self.of(&fold.first, &mut ())?;
        self.bind(fold.carry, role);
        (self.of(&fold.body, &mut ())? == role).then_some(role)
    }

    fn record(&mut self, _: u32, fields: &[Code], (): &mut ()) -> Option<Role> {
        let mut whole = Role::Free;
        for (at, field) in fields.iter().enumerate() {
            match self.of(field, &mut ())? {
                Role::Free => {}
                Role::Part if self.part.field == Some(at) && !self.keeps_records() => {
                    whole = Role::Whole;
                }
                Role::Part | Role::Whole => return None,
            }
        }
        Some(whole)
    }

    fn field(&mut self, record: &Code, index: u32, (): &mut ()) -> Option<Role> {
        match self.of(record, &mut ())? {
            Role::Free => Some(Role::Free),
            Role::Whole if self.part.field == Some(index as usize) => Some(Role::Part),
            Role::Whole if !self.keeps_records() => Some(Role::Free),
            Role::Whole | Role::Part => None,
        }
    }
}
