//! The mean of a program that comes to what is played for: the value of the play, also where its law is known but for a sliver. It lies
//! between two numbers, if the value does.
//!
//! ```text
//! let dice = d6
//! maximise … dice … paid …       for each of the dice what the play is worth, and the mean of that
//! ```

use astragal_prob::Rational;
use astragal_program::core::{Expr, Kind, LocalId};
use astragal_program::points::Step;
use astragal_value::Value;

use crate::game::Game;
use crate::tree::{NOBODY, Node, PlaceId, Tree};
use crate::worth::groups;

impl Game<'_> {
    /// Between what the mean lies of what the program comes to, if that is a number and each play in it the last thing that happens.
    pub(crate) fn mean(&self) -> Option<(Rational, Rational)> {
        let (around, start) = self.around.as_ref().filter(|_| !self.is_conditioned())?;
        let mut means: Vec<Option<(Rational, Rational)>> = vec![None; around.nodes.len()];
        for group in groups(around) {
            let [only] = group.as_slice() else { continue };
            means[*only as usize] = self.mean_from(around, *only, &means);
        }
        means[*start as usize].take()
    }

    /// The mean of what comes of a place, given that of all that it leads to. A place that leads to itself has none yet.
    fn mean_from(
        &self,
        tree: &Tree,
        at: PlaceId,
        known: &[Option<(Rational, Rational)>],
    ) -> Option<(Rational, Rational)> {
        match &tree.nodes[at as usize] {
            Node::End(held, _) => match self.value(*held) {
                Value::Number(number) => Some((number.to_rational(), number.to_rational())),
                _ => None,
            },
            Node::Chance(..) if self.comes_to_its_aim(tree, at) => {
                let solved = self.solved.get(&self.instance(tree, at)?)?;
                let exact = solved.value().filter(|_| solved.is_exact());
                solved.within.clone().or_else(|| exact.map(|value| (value.clone(), value)))
            }
            Node::Chance(next, None) => {
                let nothing = (Rational::ZERO, Rational::ZERO);
                tree.weighed(next).try_fold(nothing, |(least, most), (to, chance)| {
                    let (low, high) = known[to as usize].as_ref()?;
                    Some((least + chance * low, most + chance * high))
                })
            }
            Node::Open
            | Node::Chance(_, Some(_))
            | Node::Choice(..)
            | Node::Fails(_)
            | Node::Rejected(_) => None,
        }
    }

    /// Whether something is played at a place, and the program comes to what counts of it.
    fn comes_to_its_aim(&self, tree: &Tree, at: PlaceId) -> bool {
        let place = &tree.places[at as usize];
        if place.graph.0 == u32::MAX || place.waiting != NOBODY {
            return false;
        }
        let Step::Best { best, local, next } = &self.point(place.graph, place.point).step else {
            return false;
        };
        let Step::Return(result) = &self.point(place.graph, *next).step else { return false };
        let (own, aim) = &self.plays.bests[*best].aim;
        is_same_part((result, *local), (aim, *own))
    }
}

/// Whether two expressions are the same part of two variables.
fn is_same_part((a, of_a): (&Expr, LocalId), (b, of_b): (&Expr, LocalId)) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Local(a), Kind::Local(b)) => (*a, *b) == (of_a, of_b),
        (Kind::Field { record: a, index }, Kind::Field { record: b, index: other }) => {
            index == other && is_same_part((a, of_a), (b, of_b))
        }
        _ => false,
    }
}
