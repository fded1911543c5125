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

use super::code::{Code, Fold};
use super::fold::{Choice, Domain};
use super::run::Runner;
use super::store::{Store, Word};

/// A part of the carried value that can be set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The field of the carried record; none: all of it.
    pub(crate) field: Option<usize>,
    pub(crate) manner: Manner,
}

/// What steps do to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Sum,
    Highest,
    Lowest,
    /// The whole record is kept whose field is the highest, or the lowest; of equals the last, or the first.
    Best {
        highest: bool,
        last: bool,
    },
}

impl Manner {
    /// The number that changes nothing. Every number of a word lies between those of the last two.
    pub(crate) fn nothing(self) -> i64 {
        match self {
            Manner::Sum => 0,
            Manner::Highest | Manner::Best { highest: true, .. } => i64::MIN / 2,
            Manner::Lowest | Manner::Best { highest: false, .. } => i64::MAX / 2,
        }
    }
}

/// What steps may do to the part, by what does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Add,
    Max,
    Min,
    /// Append to it and sort it, or sort it the other way round.
    SortUp,
    SortDown,
}

impl Code {
    /// Whether this code, as a function of a variable, commutes with itself whatever the values of the others. Functions
    /// of numbers that commute are not looked for: where numbers are carried, walking face by face is as good.
    pub(crate) fn commutes(&self, carry: u32) -> bool {
        [Act::SortUp, Act::SortDown].iter().any(|act| is_apart(self, carry, None, *act))
    }
}

/// The part of the carried value, which is in the given slot, that can be set apart. Sums come first, as
/// they have more values than extremes have; of several the last.
pub(crate) fn part(code: &Code, carry: u32) -> Option<Part> {
    if makes_lists(code) {
        return None;
    }
    let fields = record_length(code);
    let best = (0..fields.unwrap_or(0)).find_map(|field| {
        let manner = best(code, carry, field)??;
        Some(Part { field: Some(field), manner })
    });
    let manners =
        [(Manner::Sum, Act::Add), (Manner::Highest, Act::Max), (Manner::Lowest, Act::Min)];
    let parts = manners.into_iter().find_map(|(manner, act)| {
        let all = std::iter::once(None).filter(|_| fields.is_none());
        let mut each = all.chain((0..fields.unwrap_or(0)).rev().map(Some));
        let field = each.find(|field| is_apart(code, carry, *field, act))?;
        Some(Part { field, manner })
    });
    parts.or(best)
}

/// How a step keeps the best record by one of its fields: not at all yet, or in this manner. None: it does
/// something else.
fn best(code: &Code, carry: u32, field: usize) -> Option<Option<Manner>> {
    let free = |code: &Code| code.is_free_of(carry);
    match code {
        Code::Local(slot) if *slot == carry => Some(None),
        Code::Let(_, parts) if free(&parts.0) => best(&parts.1, carry, field),
        Code::If(parts) if free(&parts.0) => {
            let sides = (best(&parts.1, carry, field)?, best(&parts.2, carry, field)?);
            match sides {
                (None, manner) | (manner, None) => Some(manner),
                (Some(a), Some(b)) => (a == b).then_some(Some(a)),
            }
        }
        Code::If(parts) => replaced(&parts.0, &parts.1, &parts.2, carry, field).map(Some),
        _ => None,
    }
}

/// `if x >= carried.field then {field: x, …} else carried`, in any order.
fn replaced(
    condition: &Code,
    then: &Code,
    otherwise: &Code,
    carry: u32,
    field: usize,
) -> Option<Manner> {
    let Code::Binary(op, sides) = condition else { return None };
    let is_carried = |code: &Code| matches!(code, Code::Local(slot) if *slot == carry);
    let is_field = |code: &Code| match code {
        Code::Field(record, at) => is_carried(record) && *at as usize == field,
        _ => false,
    };
    let (offer, turned) = match (is_field(&sides.0), is_field(&sides.1)) {
        (false, true) => (&sides.0, false),
        (true, false) => (&sides.1, true),
        _ => return None,
    };
    // As `offer op field`, with the record where it holds.
    let (mut greater, mut equal) = match op {
        Op::Greater => (true, false),
        Op::AtLeast => (true, true),
        Op::Less => (false, false),
        Op::AtMost => (false, true),
        _ => return None,
    };
    greater ^= turned;
    let record = match (is_carried(then), is_carried(otherwise)) {
        (false, true) => then,
        (true, false) => {
            (greater, equal) = (!greater, !equal);
            otherwise
        }
        _ => return None,
    };
    let Code::Record(_, fields) = record else { return None };
    let offers = fields.get(field)? == offer && record.is_free_of(carry);
    offers.then_some(Manner::Best { highest: greater, last: equal })
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

fn is_apart(code: &Code, carry: u32, field: Option<usize>, act: Act) -> bool {
    let whole = if field.is_some() { Role::Whole } else { Role::Part };
    let mut roles = Roles { field, act, known: vec![(carry, whole)] };
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
    field: Option<usize>,
    act: Act,
    /// Slots that are not free.
    known: Vec<(u32, Role)>,
}

impl Roles {
    /// None: it depends on the part in another way.
    fn of_two(&self, op: Op, roles: (Role, Role)) -> Option<Role> {
        match (roles, op, self.act) {
            ((Role::Free, Role::Free), ..) => Some(Role::Free),
            ((Role::Part, Role::Free), Op::Add | Op::Subtract, Act::Add)
            | ((Role::Free, Role::Part), Op::Add, Act::Add)
            | ((Role::Part, Role::Free) | (Role::Free, Role::Part), Op::Max, Act::Max)
            | ((Role::Part, Role::Free) | (Role::Free, Role::Part), Op::Min, Act::Min) => {
                Some(Role::Part)
            }
            _ => None,
        }
    }

    /// `sort(append(part, item))`, or `reverse` of that.
    fn sorting(&mut self, op: Op, operands: &[Code]) -> Option<Role> {
        let list = match (op, operands, self.act) {
            (Op::Sort, [list], Act::SortUp) => list,
            (Op::Reverse, [Code::Operation(Op::Sort, lists)], Act::SortDown) => lists.first()?,
            _ => return None,
        };
        let Code::Binary(Op::Append, parts) = list else { return None };
        let roles = (self.of(&parts.0, &mut ())?, self.of(&parts.1, &mut ())?);
        (roles == (Role::Part, Role::Free)).then_some(Role::Part)
    }

    /// `if x > part then x else part`, in any order, is the highest of the two.
    fn comparing(&mut self, (condition, then, otherwise): &Choice) -> Option<Role> {
        let Code::Binary(op, sides) = condition else { return None };
        let greater = match op {
            Op::Greater | Op::AtLeast => true,
            Op::Less | Op::AtMost => false,
            _ => return None,
        };
        let highest = match (
            then == &sides.0 && otherwise == &sides.1,
            then == &sides.1 && otherwise == &sides.0,
        ) {
            (true, _) => greater,
            (_, true) => !greater,
            _ => return None,
        };
        let op = if highest { Op::Max } else { Op::Min };
        let roles = (self.of(&sides.0, &mut ())?, self.of(&sides.1, &mut ())?);
        self.of_two(op, roles)
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
        match (all, op, self.act) {
            (Role::Free, ..) => Some(Role::Free),
            (Role::Part, Op::Max, Act::Max) | (Role::Part, Op::Min, Act::Min) => Some(Role::Part),
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
                Role::Part if self.field == Some(at) => whole = Role::Whole,
                Role::Part | Role::Whole => return None,
            }
        }
        Some(whole)
    }

    fn field(&mut self, record: &Code, index: u32, (): &mut ()) -> Option<Role> {
        match self.of(record, &mut ())? {
            Role::Free => Some(Role::Free),
            Role::Whole if self.field == Some(index as usize) => Some(Role::Part),
            Role::Whole => Some(Role::Free),
            Role::Part => None,
        }
    }
}

impl Runner {
    /// What a step makes of a carried value whose part apart is the number that changes nothing: the same, and
    /// what the step does to the part. None: not in this way.
    pub(crate) fn run_apart(
        &mut self,
        code: &Code,
        part: Part,
        nothing: Word,
        store: &mut Store,
    ) -> Option<(Word, i64)> {
        let Some(field) = part.field else {
            return Some((nothing, self.run(code, store)?.as_number()?));
        };
        match code {
            Code::Let(slot, parts) => {
                let value = self.run(&parts.0, store)?;
                self.set(*slot as usize, value);
                self.run_apart(&parts.1, part, nothing, store)
            }
            Code::If(parts) => {
                let holds = self.run(&parts.0, store)?.as_bool()?;
                self.run_apart(if holds { &parts.1 } else { &parts.2 }, part, nothing, store)
            }
            Code::Record(shape, fields) => {
                let start = self.items.len();
                for field in fields {
                    let word = self.run(field, store)?;
                    self.items.push(word);
                }
                let by = std::mem::replace(self.items.get_mut(start + field)?, nothing);
                let record = store.record(*shape, &self.items[start..]);
                self.items.truncate(start);
                Some((record, by.as_number()?))
            }
            code => {
                let whole = self.run(code, store)?;
                let by = store.field(whole, field)?;
                Some((store.with_field(whole, field, nothing)?, by.as_number()?))
            }
        }
    }
}
