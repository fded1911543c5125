//! Which notes are certain, as it is played.
//!
//! A text is certain if *it is not said* is evidence that never holds, as everywhere. That is asked of the same game, with each
//! note as such evidence, and with one option at each choice: the one that is best.

use std::rc::Rc;
use std::sync::Arc;

use astragal_odds::{Budget, Failure, Question};
use astragal_prob::Meter;
use astragal_program::core::{Expr, Kind, Op, Program};
use astragal_program::fault::FaultKind;
use astragal_program::points::{HeldOf, PlaceOf, Plays, Step};
use astragal_value::Value;
use rustc_hash::FxHashMap;

use crate::explore::Aim;
use crate::game::Game;
use crate::in_game;
use crate::scores::Score;
use crate::tree::{Node, PlaceId, Tree};

/// What is taken at each place of each play, by the play and what was known before it.
pub(crate) type Decided = FxHashMap<(usize, Vec<HeldOf>), Decisions>;

/// The number of the arm or item that is taken at each place, and the scores that places are without.
pub(crate) type Decisions = (Rc<Vec<Score>>, FxHashMap<PlaceOf, u32>);

/// Notices may take one part in so many of what is left to spend,
const SHARE: u64 = 4;
/// but not much more than the answer took, and beside a small one so many steps.
const LEAST_STEPS: u64 = 20_000_000;

/// Those of the texts in question that every roll says that counts, of a program that is known not to fail.
pub(crate) fn certain(
    program: &Program,
    plays: &Plays,
    question: &Question,
    budget: &Budget,
    meter: &Meter,
    decided: &Rc<Decided>,
) -> Vec<Arc<str>> {
    let left = meter.left();
    let answered = budget.steps.saturating_sub(left);
    let all = meter.part(SHARE.max(left / answered.saturating_mul(2).saturating_add(LEAST_STEPS)));
    let said = &question.said;
    let certain = said.iter().enumerate().filter(|(at, text)| {
        let own = all.part((said.len() - at) as u64);
        let silent = silent(plays, text);
        let inputs = &question.inputs;
        let unsaid = in_game(program, &silent, (inputs, Some(text)), budget, &own, |game| {
            game.decided = Some(Rc::clone(decided));
            game.whole()
        });
        // It is less than what is left.
        let _ = all.join(&own);
        unsaid.is_ok_and(|unsaid| unsaid.outcomes.is_empty() && unsaid.aside.lost.is_zero())
    });
    let certain = certain.map(|(_, text)| Arc::clone(text)).collect();
    let _ = meter.join(&all);
    certain
}

/// The same graphs, which count only as long as no note says a text.
fn silent(plays: &Plays, text: &str) -> Plays {
    let mut plays = plays.clone();
    for point in plays.graphs.iter_mut().flat_map(|graph| &mut graph.points) {
        if let Step::Note { message, next } = &point.step {
            let span = message.span;
            let words = Expr { kind: Kind::Constant(Value::text(text)), span };
            let operands = vec![message.clone(), words];
            let condition = Expr { kind: Kind::Operation { op: Op::NotEqual, operands }, span };
            point.step = Step::Given { condition, next: *next };
        }
    }
    plays
}

impl Game<'_> {
    /// What is taken everywhere.
    pub(crate) fn decisions(&self) -> Decided {
        let mut decided = Decided::default();
        for (best, known, solved) in self.all() {
            let nodes = solved.tree.nodes.iter().zip(&solved.taken).zip(0..);
            let taken = nodes.filter_map(|((node, taken), number)| match node {
                Node::Choice(_, options) => {
                    let option = options.get(*taken as usize)?.0;
                    Some((self.place_of(&solved.tree, number), option))
                }
                _ => None,
            });
            let known = known.iter().map(|held| self.held_of(*held)).collect();
            decided.insert((best, known), (Rc::clone(&solved.tree.scores), taken.collect()));
        }
        decided
    }

    /// The scores that places are without, if all is decided already, and there are any.
    pub(crate) fn decided_with(&self, aim: Aim<'_>) -> Option<Rc<Vec<Score>>> {
        let (best, known) = aim?;
        let known = known.iter().map(|held| self.held_of(*held)).collect();
        let (scores, _) = self.decided.as_ref()?.get(&(best, known))?;
        (!scores.is_empty()).then(|| Rc::clone(scores))
    }

    /// The only option at a place, if all is decided already.
    pub(crate) fn decided_at(
        &self,
        tree: &Tree,
        at: PlaceId,
        aim: Aim<'_>,
    ) -> Result<Option<u32>, Failure> {
        let Some(decided) = &self.decided else { return Ok(None) };
        let place = &tree.places[at as usize];
        let point = self.point(place.graph, place.point);
        let (Step::Choose { .. } | Step::Pick { .. }, Some((best, known))) = (&point.step, aim)
        else {
            return Ok(None);
        };
        let known = known.iter().map(|held| self.held_of(*held)).collect();
        let taken = decided.get(&(best, known));
        let taken = taken.and_then(|(_, taken)| taken.get(&self.place_of(tree, at)));
        match taken {
            Some(taken) => Ok(Some(*taken)),
            None => Err(Failure::refused(FaultKind::NotKnown, point.span)),
        }
    }
}
