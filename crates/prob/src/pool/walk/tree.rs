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
//! Whether states meet is not known before. A state that is new has a higher number than all before it; where one is
//! not, the walk is followed in the general way.

use super::path::{Manner, Path, Telling};
use super::ways::{Row, Ways};
use super::weight::Weight;
use super::{Steps, WalkError};
use crate::growing::Growing;
use crate::meter::Meter;
use crate::number::Natural;
use crate::pool::hands;

/// States at the end with their weights; none where states meet.
type Followed<E> = Result<Option<Vec<(usize, Natural)>>, WalkError<E>>;

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
    match path.bits(group.last) {
        ..=64 => branches::<u64, S>(path, steps, meter),
        _ => branches::<Natural, S>(path, steps, meter),
    }
}

/// So many states are asked for what they lead to at once.
const AT_ONCE: usize = 256;

/// More states are not foreseen: perhaps they meet, or cost too much.
const MOST_FORESEEN: usize = 200_000;

fn branches<W: Weight, S: Steps + ?Sized>(
    path: &Path<'_>,
    steps: &mut S,
    meter: &Meter,
) -> Followed<S::Error> {
    let group = &path.groups[0];
    let most = group.most();
    // The states that go on with the dice left, and their weights.
    let mut going = vec![(0, most)];
    let mut weights = vec![W::of(&Natural::ONE)];
    let mut ends: Vec<(usize, Natural)> = Vec::new();
    // Vectors that grow are copied again and again: how many states there will be is known.
    if let Some(hands) = hands(most, group.last + 1).filter(|hands| *hands <= MOST_FORESEEN) {
        ends.reserve(hands);
        going.reserve(hands);
        weights.reserve(hands);
        steps.expect(2 * hands);
    }
    let (mut leads, mut known) = (Vec::new(), 1);
    let mut rent = meter.rent();
    for place in 0..=group.last {
        if group.weights[place].is_zero() {
            continue;
        }
        let ways: Ways<W> = Ways::of(group, place);
        // What is left must show the last face.
        let all = place == group.last;
        let (mut from, count) = (0, going.len());
        while from < count {
            let to = count.min(from + AT_ONCE);
            let cost = going[from..to].iter().map(|(_, left)| 1 + *left as u64).sum();
            meter.charge(cost)?;
            let states = going.capacity() * (size_of::<(usize, usize)>() + size_of::<W>());
            let ended = ends.capacity() * size_of::<(usize, Natural)>();
            rent.grow((states + ended) as u64, meter)?;
            leads.clear();
            steps.after(place, &going[from..to], all, &mut leads).map_err(WalkError::Step)?;
            ends.make_room(leads.len(), meter)?;
            going.make_room(leads.len(), meter)?;
            weights.make_room(leads.len(), meter)?;
            let mut leads = leads.iter();
            for at in from..to {
                let left = going[at].1;
                let row = ways.after(most - left);
                let weight = weights[at].clone();
                for (count, lead) in (if all { left } else { 1 }..=left).zip(&mut leads) {
                    if *lead < known {
                        return Ok(None);
                    }
                    known = lead + 1;
                    let weight = match row {
                        Row::Words(ways) => weight.times_word(ways[count]),
                        Row::Wide(ways) => weight.times(&ways[count]),
                    };
                    if count == left {
                        ends.push((*lead, weight.natural()));
                    } else {
                        going.push((*lead, left - count));
                        weights.push(weight);
                    }
                }
            }
            from = to;
        }
    }
    Ok(Some(ends))
}
