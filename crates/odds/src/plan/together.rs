//! Several numbers read off one pool are read together.
//!
//! ```text
//! let hand = 20d20; [nth_lowest(hand, 1), nth_highest(hand, 1)]
//! ```
//!
//! Read one after the other, the first reading would have to keep the hand for the second, and there are 68
//! thousand million hands. But both numbers at once have 210 values. So where a variable is a pool that is only
//! ever read, in at least two ways, and by numbers that the text states, its binding says so; each reading is
//! told in which variable its number lies, if reading them together worked.
//!
//! Sums and differences of readings, such as `hand kh20 - hand kl20`, are one number and not two: that number
//! alone is read off. Two sums that are compared are one number as well, which is compared with 0.

use astragal_prob::pool::{self, Stage};
use astragal_program::core::{LocalId, Op};
use astragal_value::{Number, Value};

use super::lower::node;
use super::parts::{parts, parts_mut};
use super::{Condition, Kind, Node, Reading, SuffixKind};
use crate::eval::{comparison_of, to_end};

/// What a node knows of readings that are made together.
#[derive(Debug)]
pub(crate) enum Together {
    /// A binding: these are all the readings of the pool, and the variables for their numbers.
    Bound(Vec<ReadOff>),
    /// A reading: its number may lie in this variable.
    Known(LocalId),
}

/// A number read off a pool: a sum of readings.
#[derive(Debug)]
pub(crate) struct ReadOff {
    pub(crate) terms: Vec<ReadTerm>,
    pub(crate) local: LocalId,
}

/// A reading after some stages, and how often it counts.
#[derive(Debug, PartialEq)]
pub(crate) struct ReadTerm {
    pub(crate) factor: i64,
    pub(crate) stages: Vec<Stage>,
    pub(crate) reading: pool::Reading,
}

/// If in this body a variable is a pool that is only read, in several ways: those ways. Their numbers lie in
/// new variables, from `next` on.
pub(super) fn readings(body: &mut Node, local: LocalId, next: u32) -> Option<Vec<ReadOff>> {
    if reads(body, local) < 2 {
        return None;
    }
    as_differences(body, local);
    let mut found = Found { local, next, list: Vec::new() };
    let count = found.list_after(body);
    let several = (2..=64).contains(&count) || count == 1 && found.list[0].terms.len() > 1;
    // What only one branch or the other reads is better read there.
    if !several || found.along(body).count_ones() < found.list.len() as u32 {
        return None;
    }
    found.mark(body);
    Some(found.list)
}

/// The same node, of which this is known.
pub(super) fn with(mut node: Node, together: Option<Box<Together>>) -> Node {
    match together.as_deref() {
        Some(Together::Bound(list)) => list.iter().for_each(|read| node.free.remove(read.local)),
        Some(Together::Known(local)) => node.free.insert(*local),
        None => {}
    }
    Node { together, ..node }
}

/// Notes anew what a node reads, after a change inside it.
pub(super) fn refresh(body: &mut Node) {
    let kind = std::mem::replace(&mut body.kind, Kind::Nothing);
    *body = with(node(kind, body.span), body.together.take());
}

struct Found {
    local: LocalId,
    next: u32,
    list: Vec<ReadOff>,
}

impl Found {
    /// How many readings there are; none if the pool is used in another way.
    fn list_after(&mut self, body: &mut Node) -> usize {
        if self.look(body) { self.list.len() } else { 0 }
    }

    /// The readings on that path through the branches which has most of them, as bits.
    fn along(&self, body: &Node) -> u64 {
        if !body.free.contains(self.local) {
            return 0;
        }
        if let Some(terms) = sum_of_reads(body, self.local) {
            let known = |read: &ReadOff| read.terms == terms;
            return self.list.iter().position(known).map_or(0, |place| 1 << place);
        }
        if let Kind::If { condition, then, otherwise } = &body.kind {
            let always = self.along(condition);
            let (then, otherwise) = (always | self.along(then), always | self.along(otherwise));
            return if then.count_ones() < otherwise.count_ones() { otherwise } else { then };
        }
        parts(&body.kind).into_iter().fold(0, |all, part| all | self.along(part))
    }

    /// Gathers the readings; false if the pool is used in another way.
    fn look(&mut self, body: &mut Node) -> bool {
        if !body.free.contains(self.local) {
            return true;
        }
        if let Some(terms) = sum_of_reads(body, self.local) {
            self.place(terms);
            return true;
        }
        // What is repeated may be read in no round, or be wanted anew in each.
        let repeated = matches!(
            body.kind,
            Kind::Fold { .. } | Kind::Walk(_) | Kind::Repeat(_) | Kind::Times { .. }
        );
        !repeated
            && !matches!(body.kind, Kind::Local(_))
            && parts_mut(&mut body.kind).into_iter().all(|part| self.look(part))
    }

    fn place(&mut self, terms: Vec<ReadTerm>) -> LocalId {
        let known = |read: &&ReadOff| read.terms == terms;
        if let Some(known) = self.list.iter().find(known) {
            return known.local;
        }
        let local = LocalId(self.next + self.list.len() as u32);
        self.list.push(ReadOff { terms, local });
        local
    }

    /// Tells each reading where its number lies.
    fn mark(&mut self, body: &mut Node) {
        if !body.free.contains(self.local) {
            return;
        }
        if let Some(terms) = sum_of_reads(body, self.local) {
            body.together = Some(Box::new(Together::Known(self.place(terms))));
        } else {
            parts_mut(&mut body.kind).into_iter().for_each(|part| self.mark(part));
        }
        refresh(body);
    }
}

/// How many readings of a pool there are, up to two.
fn reads(node: &Node, local: LocalId) -> usize {
    if !node.free.contains(local) {
        return 0;
    }
    if matches!(node.kind, Kind::Read { .. }) {
        return 1;
    }
    parts(&node.kind)
        .into_iter()
        .fold(0, |sum, part| if sum < 2 { sum + reads(part, local) } else { sum })
}

/// Comparisons of sums of readings become comparisons of their differences with 0.
fn as_differences(body: &mut Node, local: LocalId) {
    if !body.free.contains(local) {
        return;
    }
    let span = body.span;
    if let Kind::Operation { op, operands } = &mut body.kind
        && matches!(
            op,
            Op::Less | Op::AtMost | Op::Greater | Op::AtLeast | Op::Equal | Op::NotEqual
        )
        && operands.iter().all(|side| sum_of_reads(side, local).is_some())
    {
        let sides = std::mem::take(operands);
        let zero = node(Kind::Constant(Value::Number(Number::ZERO)), span);
        let difference = node(Kind::Operation { op: Op::Subtract, operands: sides }, span);
        *operands = vec![difference, zero];
        return;
    }
    parts_mut(&mut body.kind).into_iter().for_each(|part| as_differences(part, local));
}

/// The readings of a pool that a node adds up, if it does nothing else.
fn sum_of_reads(node: &Node, local: LocalId) -> Option<Vec<ReadTerm>> {
    let mut terms: Vec<ReadTerm> = Vec::new();
    add_up(node, local, 1, &mut terms)?;
    terms.retain(|term| term.factor != 0);
    (!terms.is_empty()).then_some(terms)
}

fn add_up(node: &Node, local: LocalId, factor: i64, terms: &mut Vec<ReadTerm>) -> Option<()> {
    if !node.free.contains(local) {
        return None;
    }
    if let Some((stages, reading)) = read_off(node, local) {
        match terms.iter_mut().find(|term| term.stages == stages && term.reading == reading) {
            Some(term) => term.factor = term.factor.checked_add(factor)?,
            None => terms.push(ReadTerm { factor, stages, reading }),
        }
        return Some(());
    }
    let Kind::Operation { op, operands } = &node.kind else { return None };
    match (op, operands.as_slice()) {
        (Op::Add, [a, b]) => {
            add_up(a, local, factor, terms)?;
            add_up(b, local, factor, terms)
        }
        (Op::Subtract, [a, b]) => {
            add_up(a, local, factor, terms)?;
            add_up(b, local, factor.checked_neg()?, terms)
        }
        (Op::Negate, [a]) => add_up(a, local, factor.checked_neg()?, terms),
        (Op::Multiply, [a, b]) => {
            let (by, node) = if b.free.contains(local) { (a, b) } else { (b, a) };
            let by = i64::try_from(stated(by)?).ok()?;
            add_up(node, local, factor.checked_mul(by)?, terms)
        }
        _ => None,
    }
}

/// What a node reads off a pool, if it does nothing else and all its numbers are stated.
fn read_off(node: &Node, local: LocalId) -> Option<(Vec<Stage>, pool::Reading)> {
    let Kind::Read { pool, reading } = &node.kind else { return None };
    let (mut stages, mut marks) = (Vec::new(), Vec::new());
    let mut inner = &**pool;
    while let Kind::Suffixed { pool, suffix } = &inner.kind {
        match &suffix.kind {
            SuffixKind::Keep(end, count) => stages.push(Stage::Keep(to_end(*end), stated(count)?)),
            SuffixKind::Drop(end, count) => stages.push(Stage::Drop(to_end(*end), stated(count)?)),
            SuffixKind::CountFor(condition) => marks.push((to_condition(condition)?, 1)),
            SuffixKind::CountAgainst(condition) => marks.push((to_condition(condition)?, -1)),
            _ => return None,
        }
        inner = pool;
    }
    if !matches!(inner.kind, Kind::Local(found) if found == local) {
        return None;
    }
    stages.reverse();
    marks.reverse();
    let reading = match reading {
        Reading::Total if marks.is_empty() => pool::Reading::Sum,
        Reading::Total => pool::Reading::Marks(marks),
        Reading::NthHighest(n) => pool::Reading::NthHighest(stated(n)?),
        Reading::NthLowest(n) => pool::Reading::NthLowest(stated(n)?),
        Reading::Median => pool::Reading::Median,
    };
    Some((stages, reading))
}

fn stated(node: &Node) -> Option<u64> {
    match &node.kind {
        Kind::Constant(Value::Number(n)) => n.to_i64().and_then(|n| u64::try_from(n).ok()),
        _ => None,
    }
}

fn to_condition(condition: &Condition) -> Option<pool::Condition> {
    let Kind::Constant(Value::Number(value)) = &condition.value.kind else { return None };
    Some(pool::Condition { op: comparison_of(condition.comparison), value: value.to_rational() })
}
