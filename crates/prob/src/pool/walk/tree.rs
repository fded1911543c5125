//! A walk whose states never meet.
//!
//! ```text
//! walk(10d10, [], (hand, face, count) => fold(1..count, hand, (all, _) => append(all, face)))
//! ```
//!
//! carries the whole hand: no two ways through the faces end in one of its 92,378 states. Then nothing has to be
//! looked up. The states that go on are one list, in which each stands once with what it has used up and its
//! weight; a face adds to the list what the states before it lead to, and where no die shows the face a state just
//! stays where it is.
//!
//! Whether states meet is not known before. The caller says whether it is worth trying, and numbers its states as
//! they come: one that leads to an older number has met another, and the walk is followed in the general way.

use super::path::{Manner, Path, Telling};
use super::ways::{Row, Ways};
use super::weight::Weight;
use super::{Steps, WalkError};
use crate::meter::Meter;
use crate::number::Natural;

/// States with weights, and those whose weights are words (see [`super::Ends`]).
type Weights = (Vec<(usize, Natural)>, Vec<(usize, u64)>);

type Followed<E> = Result<Option<Weights>, WalkError<E>>;

/// The weight of each state after the last face; none where states meet, or where it is not one group of dice of
/// which each is counted.
pub(super) fn follow<S: Steps + ?Sized>(
    path: &Path<'_>,
    steps: &mut S,
    meter: &Meter,
) -> Followed<S::Error> {
    let [group] = path.groups.as_slice() else { return Ok(None) };
    let certain = path.certain.iter().flatten().any(|dice| *dice > 0);
    let counted = path.pools.len() == 1 && matches!(path.telling_of(0), Telling::Counted);
    if certain || !counted || group.manner != Manner::Any || group.count == 0 {
        return Ok(None);
    }
    if path.bits(group.last) <= 64 {
        let words = branches(path, steps, meter)?;
        return Ok(words.map(|words| (Vec::new(), words)));
    }
    let weights = branches(path, steps, meter)?;
    Ok(weights.map(|weights| (weights, Vec::new())))
}

/// A state that goes on.
struct Branch<W> {
    state: u32,
    used: u32,
    weight: W,
}

#[expect(clippy::type_complexity, reason = "states with their weights")]
fn branches<W: Weight, S: Steps + ?Sized>(
    path: &Path<'_>,
    steps: &mut S,
    meter: &Meter,
) -> Result<Option<Vec<(usize, W)>>, WalkError<S::Error>> {
    let group = &path.groups[0];
    let most = group.most();
    let mut branches = vec![Branch { state: 0, used: 0, weight: W::of(&Natural::ONE) }];
    let mut ends: Vec<(usize, W)> = Vec::new();
    // The numbers of states so far, and of those that one state leads to.
    let mut seen = 1;
    let mut leads = Vec::with_capacity(most);
    let mut ways: Option<Ways<W>> = None;
    for place in 0..=group.last {
        let weight = &group.weights[place];
        if weight.is_zero() {
            continue;
        }
        if ways.is_none() || group.weights[place - 1] != *weight {
            ways = Some(Ways::of(group, place));
        }
        let Some(ways) = &ways else { continue };
        for at in 0..branches.len() {
            let Branch { state, used, .. } = branches[at];
            let left = most - used as usize;
            meter.charge(1 + left as u64)?;
            let first = if place == group.last { left } else { 1 };
            leads.clear();
            let counts = first as u64..=left as u64;
            steps.steps(state as usize, place, counts, &mut leads).map_err(WalkError::Step)?;
            if leads.len() != left + 1 - first {
                return Ok(None);
            }
            let row = ways.after(used as usize);
            for (count, lead) in (first..=left).zip(&leads) {
                if *lead != seen {
                    return Ok(None);
                }
                seen += 1;
                let weight = match row {
                    Row::Words(ways) => branches[at].weight.times_word(ways[count]),
                    Row::Wide(ways) => branches[at].weight.times(&ways[count]),
                };
                match u32::try_from(*lead) {
                    _ if count == left => ends.push((*lead, weight)),
                    Ok(state) => {
                        let used = used + count as u32;
                        branches.push(Branch { state, used, weight });
                    }
                    Err(_) => return Ok(None),
                }
            }
        }
    }
    Ok(Some(ends))
}
