//! A game from one of its places on.
//!
//! What is thrown has no end, what is listed of it has one: a roll may come to a place that no policy lists. What is best there is found
//! by playing on from it.

use astragal_odds::Failure;
use astragal_odds::known::Held;
use astragal_prob::Rational;
use astragal_program::fault::FaultKind;
use astragal_program::points::PlaceOf;

use crate::game::{Game, slot};
use crate::policy::Case;
use crate::tree::{NOBODY, Node, PlaceId, Tree, Waiting};

impl Game<'_> {
    /// What there is to take at a place, and what is best.
    pub(crate) fn case_at(
        &mut self,
        (best, known): (usize, &[Held]),
        place: &PlaceOf,
    ) -> Result<Case, Failure> {
        let mut tree = Tree::default();
        let start = self.put_at(&mut tree, (best, known), place)?;
        self.find(&mut tree, 0..usize::MAX, Some((best, known)))?;
        let solved = self.solved_from(tree, start, self.plays.bests[best].goal)?;
        let span = self.point(place.graph, place.point).span;
        let Node::Choice(_, options) = &solved.tree.nodes[start as usize] else {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        };
        let options = options.iter().map(|(option, to)| {
            (self.label(start, *option, &solved), solved.worth[*to as usize].clone())
        });
        Ok(Case {
            values: place.values.iter().map(|held| held.shown()).collect(),
            options: options.collect(),
            taken: solved.taken[start as usize] as usize,
            chance: Rational::ONE,
        })
    }

    /// The place that a roll names, with the calls that wait there.
    fn put_at(
        &mut self,
        tree: &mut Tree,
        (best, known): (usize, &[Held]),
        place: &PlaceOf,
    ) -> Result<PlaceId, Failure> {
        let mut waiting = NOBODY;
        for call in &place.waiting {
            let (graph, point, local) = (call.graph, call.point, call.local);
            let needed = self.point(graph, point).needed.iter().copied();
            let values =
                needed.filter(|needed| *needed != local).zip(self.taken_over(&call.values));
            let values = values.collect();
            waiting = tree.wait(Waiting { graph, point, local, values, waiting });
        }
        let mut variables = self.nothing();
        let held = self.taken_over(&place.values);
        for (local, held) in self.point(place.graph, place.point).needed.iter().zip(held) {
            variables[slot(*local)] = held;
        }
        let at = (place.graph, place.point, waiting);
        self.place_at(tree, at, variables, Some((best, known)))
    }
}
