//! What is read off dice after they are bound.
//!
//! ```text
//! let hand = 20d20; [nth_lowest(hand, 1), nth_highest(hand, 1)]
//! ```
//!
//! Read one after the other, the first reading would have to keep the hand for the second, and there are 68
//! thousand million hands. But both numbers at once have 210 values. So where dice are only ever read after they are
//! bound, at least twice and by numbers that the text states, all of it is asked at once.
//!
//! Sums and differences of readings, such as `hand kh20 - hand kl20`, are one number and not two: that number
//! alone is asked for. Two sums that are compared are one number as well, which is compared with 0.

use astragal_prob::pool::{Reading, Stage, Term};
use astragal_program::core::{LocalId, Op};
use astragal_value::{Number, Value};

use super::{Act, View, reading_of, whole};
use crate::eval::{act_of, comparison};
use crate::plan::{Kind, Node, NodeId, parts};

/// All that is read off dice: each a sum of readings.
pub(crate) struct Readings {
    pub(crate) sums: Vec<Vec<Term>>,
    /// The nodes that read, and which of the sums.
    pub(crate) places: Vec<(NodeId, usize)>,
}

impl Readings {
    /// What is read off the dice in a variable; none if they are used in another way, or asked only once.
    pub(crate) fn of(body: &Node, local: LocalId) -> Option<Readings> {
        let mut found = Readings { sums: Vec::new(), places: Vec::new() };
        let along = found.look(body, local)?;
        let several = found.places.len() > 1 || found.sums.first().is_some_and(|sum| sum.len() > 1);
        // What only one branch or the other reads is better read there.
        (several && along.count_ones() == found.sums.len() as u32).then_some(found)
    }

    /// Gathers the readings. Those on that path through the branches which has most of them, as bits; none if the
    /// dice are used in another way.
    fn look(&mut self, node: &Node, local: LocalId) -> Option<u64> {
        if !node.free.contains(local) {
            return Some(0);
        }
        if let Some(sum) = asked_by(node, local) {
            let known = self.sums.iter().position(|known| *known == sum);
            let at = known.unwrap_or(self.sums.len());
            if known.is_none() {
                self.sums.push(sum);
            }
            self.places.push((node.id, at));
            return 1u64.checked_shl(at as u32);
        }
        match &node.kind {
            // What is repeated may be read in no round, or be wanted anew in each.
            Kind::Local(_)
            | Kind::Fold { .. }
            | Kind::Walk(_)
            | Kind::Repeat(_)
            | Kind::Times { .. }
            | Kind::Measure { .. } => None,
            Kind::If { condition, then, otherwise } => {
                let always = self.look(condition, local)?;
                let then = always | self.look(then, local)?;
                let otherwise = always | self.look(otherwise, local)?;
                Some(if then.count_ones() < otherwise.count_ones() { otherwise } else { then })
            }
            kind => {
                let mut parts = parts(kind).into_iter();
                parts.try_fold(0, |all, part| Some(all | self.look(part, local)?))
            }
        }
    }
}

/// The number that a node reads off dice, or that it compares with 0.
fn asked_by(node: &Node, local: LocalId) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    match &node.kind {
        Kind::Operation { op, operands } if comparison(*op).is_some() => {
            let [a, b] = operands.as_slice() else { return None };
            add_up(a, local, 1, &mut terms)?;
            add_up(b, local, -1, &mut terms)?;
        }
        _ => add_up(node, local, 1, &mut terms)?,
    }
    terms.retain(|term| term.factor != 0);
    (!terms.is_empty()).then_some(terms)
}

fn add_up(node: &Node, local: LocalId, factor: i64, terms: &mut Vec<Term>) -> Option<()> {
    if !node.free.contains(local) {
        return None;
    }
    if let Some((stages, reading)) = read_off(node, local) {
        match terms.iter_mut().find(|term| term.stages == stages && term.reading == reading) {
            Some(term) => term.factor = term.factor.checked_add(factor)?,
            None => terms.push(Term { factor, stages, reading }),
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
            let by = i64::try_from(whole(stated(by)?)?).ok()?;
            add_up(node, local, factor.checked_mul(by)?, terms)
        }
        _ => None,
    }
}

/// What a node reads off dice, if it does nothing else and all its numbers are stated.
fn read_off(node: &Node, local: LocalId) -> Option<(Vec<Stage>, Reading)> {
    let Kind::Read { pool, reading } = &node.kind else { return None };
    let View { stages, marks, .. } = seen(pool, local)?;
    let rank = reading.number().map_or(Some(0), |n| whole(stated(n)?))?;
    let reading = match reading_of(reading, rank) {
        Reading::Sum if !marks.is_empty() => Reading::Marks(marks),
        reading => reading,
    };
    Some((stages, reading))
}

/// Some of the dice, with marks.
fn seen(node: &Node, local: LocalId) -> Option<View> {
    match &node.kind {
        Kind::Local(found) => (*found == local).then(View::default),
        Kind::Suffixed { pool, suffix } => {
            let view = seen(pool, local)?;
            let number = |node: &Node| stated(node)?.as_number().cloned();
            let numbers = suffix.kind.numbers().into_iter().map(number);
            let act = act_of(&suffix.kind, numbers.collect::<Option<Vec<Number>>>()?)?;
            let cuts = matches!(act, Act::Stage(Stage::Keep(..) | Stage::Drop(..)) | Act::Mark(..));
            cuts.then(|| view.after(act))
        }
        _ => None,
    }
}

fn stated(node: &Node) -> Option<&Value> {
    match &node.kind {
        Kind::Constant(value) => Some(value),
        _ => None,
    }
}
