//! A walk whose states never meet.
//!
//! ```text
//! walk(10d10, [], (hand, face, count) => fold(1..count, hand, (all, _) => append(all, face)))
//! ```
//!
//! carries the whole hand: no two ways through the faces end in one of its 92,378 states. Then nothing has to be
//! looked up. The states that go on are one list, in which each stands once with the dice that are left and its
//! weight; a face adds to the list what the states before it lead to, and where no die shows the face a state just
//! stays where it is.
//!
//! Whether states meet is not known before. The caller gives names to its states, and says where a name may not be
//! new; then the walk is followed in the general way.

use super::path::{Manner, Path, Telling};
use super::ways::{Row, Ways};
use super::weight::Weight;
use super::{Named, Steps, WalkError};
use crate::meter::Meter;
use crate::number::Natural;

/// The weight of each state after the last face; none where states meet, or where it is not one group of dice of
/// which each is counted.
pub(super) fn follow<S: Steps + ?Sized>(
    path: &Path<'_>,
    first: u32,
    steps: &mut S,
    meter: &Meter,
) -> Result<Option<Named>, WalkError<S::Error>> {
    let [group] = path.groups.as_slice() else { return Ok(None) };
    let certain = path.certain.iter().flatten().any(|dice| *dice > 0);
    let counted = path.pools.len() == 1 && matches!(path.telling_of(0), Telling::Counted);
    if certain || !counted || group.manner != Manner::Any || group.count == 0 {
        return Ok(None);
    }
    match path.bits(group.last) {
        ..=64 => Ok(branches(path, first, steps, meter)?.map(Named::Words)),
        _ => Ok(branches(path, first, steps, meter)?.map(Named::Any)),
    }
}

/// Room is made for so many states before there are any.
const ROOM: u64 = 1 << 18;

/// States at the end by their names, with weights; none where states meet.
type Followed<W, E> = Result<Option<Vec<(u32, W)>>, WalkError<E>>;

/// So many states are asked for what they lead to at once.
const AT_ONCE: usize = 256;

/// How many states there are, and how many of them at the end, if all dice show all faces; but never more than there
/// is room for without a thought.
fn expected(dice: usize, faces: usize) -> (usize, usize) {
    let ways = |n: usize| {
        let factors = (1..=dice.min(n)).take(64);
        factors.fold(1u64, |ways, k| ways.saturating_mul((n + 1 - k) as u64) / k as u64)
    };
    let room = |ways: u64| ways.min(ROOM) as usize;
    (room(ways(dice + faces)), room(ways(dice + faces - 1)))
}

fn branches<W: Weight, S: Steps + ?Sized>(
    path: &Path<'_>,
    first: u32,
    steps: &mut S,
    meter: &Meter,
) -> Followed<W, S::Error> {
    let group = &path.groups[0];
    let most = group.most();
    // The states that go on by their names with the dice left, and their weights.
    let mut going = vec![(first, u32::try_from(most).unwrap_or(u32::MAX))];
    let mut weights = vec![W::of(&Natural::ONE)];
    let (states, last) = expected(most, path.faces.len());
    steps.expect_names(states);
    let mut ends: Vec<(u32, W)> = Vec::with_capacity(last);
    let mut names = Vec::new();
    let mut rent = meter.rent();
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
        // What is left must show the last face.
        let all = place == group.last;
        let (mut from, count) = (0, going.len());
        while from < count {
            let to = count.min(from + AT_ONCE);
            let cost = going[from..to].iter().map(|(_, left)| 1 + u64::from(*left)).sum();
            meter.charge(cost)?;
            let states = going.capacity() * (size_of::<(u32, u32)>() + size_of::<W>());
            rent.grow((states + ends.capacity() * size_of::<(u32, W)>()) as u64, meter)?;
            names.clear();
            let new = steps.new_names(place, &going[from..to], all, &mut names);
            if !new.map_err(WalkError::Step)? {
                return Ok(None);
            }
            let mut names = names.iter();
            for at in from..to {
                let left = going[at].1 as usize;
                let row = ways.after(most - left);
                let weight = weights[at].clone();
                for count in if all { left } else { 1 }..=left {
                    let Some(name) = names.next() else { return Ok(None) };
                    let weight = match row {
                        Row::Words(ways) => weight.times_word(ways[count]),
                        Row::Wide(ways) => weight.times(&ways[count]),
                    };
                    if count == left {
                        ends.push((*name, weight));
                    } else {
                        going.push((*name, (left - count) as u32));
                        weights.push(weight);
                    }
                }
            }
            from = to;
        }
    }
    Ok(Some(ends))
}
