//! Dice that are read several times: all readings at once, by one walk over the faces.
//!
//! Whatever is asked, from the highest face down each reading adds up what the dice of certain ranks are
//! worth: the sum of the highest two looks at the first and second die, the number of ones at all dice, the
//! second lowest of eight at the seventh. How many dice came before is known, so the sums so far are all that
//! a walk has to carry, and hands that answer every question alike are never told apart.

use std::rc::Rc;

use astragal_prob::pool::{Condition, End, Reading, Source, Stage, Way, walk};
use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::atom::Atom;
use super::uses::Look;
use super::view::{Dice, Hand, Laid, Origin, View};
use super::{Frame, NotSo, Paths};
use crate::plan::Node;
use crate::state::Table;

/// More hands than this are left to the general way.
const MOST_HANDS: usize = 3_000;

/// What the dice may answer to the questions, with weights.
pub(super) struct Joint {
    pub(super) hands: Vec<(Rc<Hand>, Natural)>,
    pub(super) total: Natural,
}

impl<'p> Paths<'_, 'p> {
    /// What dice that are bound here will answer; none if they are read at most once, or are bound already.
    pub(super) fn decided(
        &mut self,
        local: LocalId,
        dice: &Dice,
        scope: &'p Node,
        frame: &Frame,
    ) -> Result<Option<Rc<Joint>>, NotSo> {
        let Origin::Fresh(fresh) = &dice.origin else { return Ok(None) };
        if dice.is_bound {
            return Ok(None);
        }
        let Some(questions) = Look::at(self, local, &dice.view, scope, frame) else {
            return Ok(None);
        };
        let key = (fresh.table.id, Rc::new(questions));
        if let Some(known) = self.machine.known.lasting.joints.get(&key) {
            return known.clone().map(Some).ok_or(NotSo);
        }
        let joint = self.joint(&fresh.table, &key.1).map(Rc::new);
        self.machine.known.lasting.joints.insert(key, joint.clone());
        joint.map(Some).ok_or(NotSo)
    }

    fn joint(&mut self, laid: &Laid, questions: &Rc<Vec<(View, Reading)>>) -> Option<Joint> {
        let dice = count(&laid.table)?;
        let asked: Vec<Asked> = questions
            .iter()
            .map(|(view, reading)| Asked::of(view, reading, dice))
            .collect::<Option<_>>()?;
        let mut carried: Vec<(u64, Vec<i64>)> = vec![(0, vec![0; asked.len()])];
        let mut known: FxHashMap<(u64, Vec<i64>), usize> =
            carried.iter().cloned().map(|first| (first, 0)).collect();
        let mut worths: Vec<(Rational, Vec<i64>)> = Vec::new();
        let mut step = |from: usize, face: &Rational, counts: &[u64]| {
            if worths.last().is_none_or(|(known, _)| known != face) {
                let worth = asked.iter().map(|asked| asked.worth(face)).collect::<Option<Vec<_>>>();
                worths.push((face.clone(), worth.ok_or(())?));
            }
            let (_, worth) = worths.last().ok_or(())?;
            let (before, mut sums) = carried[from].clone();
            let after = before + counts.first().ok_or(())?;
            for ((asked, worth), sum) in asked.iter().zip(worth).zip(&mut sums) {
                let dice = after.min(asked.until).saturating_sub(before.max(asked.from));
                *sum = worth
                    .checked_mul(dice as i64)
                    .and_then(|more| sum.checked_add(more))
                    .ok_or(())?;
            }
            if carried.len() > 20 * MOST_HANDS {
                return Err(());
            }
            Ok(*known.entry((after, sums)).or_insert_with_key(|next| {
                carried.push(next.clone());
                carried.len() - 1
            }))
        };
        let way = Way { down: true, counts: vec![true] };
        let ends = walk(&[laid.table.with(&[])], &way, &mut step, self.machine.meter).ok()?;
        if ends.len() > MOST_HANDS {
            return None;
        }
        let places = ends
            .into_iter()
            .map(|(state, chance)| (Value::Number(Number::from(state as i64)), chance));
        let atom = Atom::of(places.collect())?;
        let hands = atom.outcomes.into_iter().map(|(state, weight)| {
            let state = usize::try_from(state.as_number()?.to_i64()?).ok()?;
            let answers = carried[state].1.iter().map(|sum| Number::from(*sum)).collect();
            Some((Rc::new(Hand { questions: Rc::clone(questions), answers }), weight))
        });
        Some(Joint { hands: hands.collect::<Option<_>>()?, total: atom.total })
    }
}

/// How many dice lie on the table, if that is certain and each shows something by itself.
fn count(table: &Table) -> Option<u64> {
    let each = |stage: &Stage| {
        matches!(stage, Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_))
    };
    if table.random.is_some() || !table.stages.iter().all(each) {
        return None;
    }
    let dice = table.groups.iter().map(|(count, source)| match source {
        Source::Fixed(dice) => dice.len() as u64,
        Source::Die(_) | Source::Total(_) => *count,
    });
    Some(dice.fold(0, u64::saturating_add))
}

/// A reading: the ranks that it looks at, counted from the highest die, and what a die is worth there.
struct Asked {
    from: u64,
    until: u64,
    clamps: Vec<Stage>,
    marks: Vec<(Condition, i8)>,
}

impl Asked {
    fn of(view: &View, reading: &Reading, dice: u64) -> Option<Asked> {
        let (mut from, mut until) = (0u64, dice);
        let mut clamps = Vec::new();
        for stage in &view.stages {
            match stage {
                Stage::Keep(End::Highest, n) => until = until.min(from.saturating_add(*n)),
                Stage::Keep(End::Lowest, n) => from = from.max(until.saturating_sub(*n)),
                Stage::Drop(End::Highest, n) => from = from.saturating_add(*n).min(until),
                Stage::Drop(End::Lowest, n) => until = until.saturating_sub(*n).max(from),
                Stage::AtLeast(_) | Stage::AtMost(_) => clamps.push(stage.clone()),
                _ => return None,
            }
        }
        let nth = |rank: u64| (rank >= 1 && rank <= until - from).then_some(rank);
        let mut marks = Vec::new();
        match reading {
            Reading::Sum => marks.clone_from(&view.marks),
            Reading::NthHighest(n) => (from, until) = (from + nth(*n)? - 1, from + n),
            Reading::NthLowest(n) => (from, until) = (until - nth(*n)?, until - n + 1),
            Reading::Marks(_) | Reading::Median => return None,
        }
        Some(Asked { from, until, clamps, marks })
    }

    /// What a die is worth that shows this face.
    fn worth(&self, face: &Rational) -> Option<i64> {
        let mut face = face.clone();
        for clamp in &self.clamps {
            match clamp {
                Stage::AtLeast(least) if face < *least => face.clone_from(least),
                Stage::AtMost(most) if face > *most => face.clone_from(most),
                _ => {}
            }
        }
        if self.marks.is_empty() {
            return Number::from(face).to_i64();
        }
        let held = self.marks.iter().filter(|(condition, _)| condition.holds(&face));
        Some(held.map(|(_, worth)| i64::from(*worth)).sum())
    }
}
