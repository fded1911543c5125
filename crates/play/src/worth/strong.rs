//! Places that play can come back to, in groups.

use crate::tree::{PlaceId, Tree};

/// The groups of places each of which can be come to from the others, each after all that it leads to.
///
/// This is Tarjan's algorithm without recursion: a game may be a million places deep.
pub(crate) fn groups(tree: &Tree) -> Vec<Vec<PlaceId>> {
    const NEW: u32 = u32::MAX;
    let count = tree.nodes.len();
    let (mut entered, mut low) = (vec![NEW; count], vec![0u32; count]);
    let mut waits = vec![false; count];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0u32);
    for root in 0..count as PlaceId {
        if entered[root as usize] != NEW {
            continue;
        }
        // Each with the places that it leads to and that were not looked at yet.
        let mut path: Vec<(PlaceId, Vec<PlaceId>)> = Vec::new();
        let mut coming = Some(root);
        loop {
            if let Some(at) = coming.take() {
                entered[at as usize] = next;
                low[at as usize] = next;
                next += 1;
                stack.push(at);
                waits[at as usize] = true;
                path.push((at, tree.next(at).collect()));
            }
            let Some((at, left)) = path.last_mut() else { break };
            let at = *at;
            match left.pop() {
                Some(to) if entered[to as usize] == NEW => coming = Some(to),
                Some(to) if waits[to as usize] => {
                    low[at as usize] = low[at as usize].min(entered[to as usize]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        let before = *before as usize;
                        low[before] = low[before].min(low[at as usize]);
                    }
                    if low[at as usize] == entered[at as usize] {
                        let from = stack.iter().rposition(|known| *known == at).unwrap_or(0);
                        let group = stack.split_off(from);
                        group.iter().for_each(|place| waits[*place as usize] = false);
                        found.push(group);
                    }
                }
            }
        }
    }
    found
}
