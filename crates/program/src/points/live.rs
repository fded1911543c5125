//! What is needed at each point and after it.

use std::collections::BTreeSet;

use super::{GraphId, Played, Plays, Step};
use crate::core::{Expr, Kind, LocalId};

type Needed = BTreeSet<LocalId>;

/// Writes to each point what is needed from there on, and to each `maximise` what it reads.
pub(super) fn find(plays: &mut Plays) {
    // What stands inside another graph is looked at first: it was made later.
    for at in (0..plays.graphs.len()).rev() {
        let needed = in_graph(plays, at);
        for (point, needed) in plays.graphs[at].points.iter_mut().zip(needed) {
            point.needed = needed.into_iter().collect();
        }
        let start = plays.graphs[at].start;
        let known = plays.graphs[at].point(start).needed.clone();
        let of_graph = |best: &&mut Played| best.graph == GraphId(at as u32);
        if let Some(best) = plays.bests.iter_mut().find(of_graph) {
            let mut all: Needed = known.into_iter().collect();
            let (local, number) = &best.aim;
            reads(number, &mut all);
            all.remove(local);
            best.known = all.into_iter().collect();
        }
    }
}

/// Goes through the points until nothing more is found: loops need at their end what they need at their beginning.
fn in_graph(plays: &Plays, at: usize) -> Vec<Needed> {
    let graph = &plays.graphs[at];
    let own: Vec<Needed> = graph.points.iter().map(|point| own_needs(plays, &point.step)).collect();
    let mut needed = own.clone();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (number, point) in graph.points.iter().enumerate().rev() {
            let mut later = Needed::new();
            for next in point.step.next() {
                later.extend(needed[next.0 as usize].iter().copied());
            }
            if let Some(local) = point.step.binds() {
                later.remove(&local);
            }
            let before = needed[number].len();
            needed[number].extend(later);
            changed |= needed[number].len() > before;
        }
    }
    needed
}

/// What a step reads by itself.
fn own_needs(plays: &Plays, step: &Step) -> Needed {
    let mut found = Needed::new();
    step.expressions().into_iter().for_each(|expr| reads(expr, &mut found));
    match step {
        Step::Best { best, .. } => found.extend(plays.bests[*best].known.iter().copied()),
        Step::Measure { of, .. } => {
            let graph = &plays.graphs[of.0 as usize];
            found.extend(graph.point(graph.start).needed.iter().copied());
        }
        Step::Let { .. }
        | Step::Branch { .. }
        | Step::Choose { .. }
        | Step::Pick { .. }
        | Step::Call { .. }
        | Step::Require { .. }
        | Step::Given { .. }
        | Step::Note { .. }
        | Step::Return(_) => {}
    }
    found
}

/// The variables that an expression reads and does not bind. Every binding has its own variable.
pub(super) fn reads(expr: &Expr, found: &mut Needed) {
    let mut bound = Needed::new();
    let mut read = Needed::new();
    gather(expr, &mut read, &mut bound);
    found.extend(read.difference(&bound));
}

fn gather(expr: &Expr, read: &mut Needed, bound: &mut Needed) {
    match &expr.kind {
        Kind::Local(local) => drop(read.insert(*local)),
        Kind::Let { local, .. } => drop(bound.insert(*local)),
        Kind::Fold { carry, item, .. } => bound.extend([*carry, *item]),
        Kind::Walk { carry, face, counts, .. } => {
            bound.extend([*carry, *face].iter().chain(counts).copied());
        }
        Kind::Repeat { state, .. } => bound.extend(state.iter().copied()),
        _ => {}
    }
    expr.children().into_iter().for_each(|child| gather(child, read, bound));
}
