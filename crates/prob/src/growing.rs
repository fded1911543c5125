//! Lists and maps that may grow to hundreds of megabytes.
//!
//! A list that is full moves to a new place of twice the size, and so does a map. Where it is large that takes a tenth of a
//! second or more, since the system clears every page before it hands it out, and nobody could stop the request
//! meanwhile. Here what is large asks for the memory first and then moves piece by piece, each of them paid for.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use crate::meter::{Meter, OverBudget};

/// What takes fewer bytes moves at once.
const LARGE: usize = 1 << 22;
/// So many bytes move between two looks at the budget,
const PIECE: usize = 1 << 19;
/// and so many for a step.
const BYTES_IN_A_STEP: usize = 32;

/// What may grow large.
pub trait Growing {
    /// Makes room for so many items more; what is small is left to grow by itself.
    fn make_room(&mut self, more: usize, meter: &Meter) -> Result<(), OverBudget>;
}

impl<T> Growing for Vec<T> {
    #[inline]
    fn make_room(&mut self, more: usize, meter: &Meter) -> Result<(), OverBudget> {
        let wanted = self.len() + more;
        if wanted <= self.capacity() || wanted * size_of::<T>() < LARGE {
            return Ok(());
        }
        move_list(self, wanted.max(2 * self.len()), meter)
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Default> Growing for HashMap<K, V, S> {
    #[inline]
    fn make_room(&mut self, more: usize, meter: &Meter) -> Result<(), OverBudget> {
        let wanted = self.len() + more;
        if wanted <= self.capacity() || wanted * size_of::<(K, V)>() < LARGE {
            return Ok(());
        }
        move_map(self, wanted.max(2 * self.len()), meter)
    }
}

/// A list with so many items, of which the new ones are this one.
pub(crate) fn lengthen<T: Clone>(
    list: &mut Vec<T>,
    len: usize,
    item: &T,
    meter: &Meter,
) -> Result<(), OverBudget> {
    let missing = len.saturating_sub(list.len());
    list.make_room(missing, meter)?;
    let mut pieces = Pieces::of::<T>(meter);
    while list.len() < len {
        let next = pieces.next(len - list.len())?;
        list.resize(list.len() + next, item.clone());
    }
    Ok(())
}

#[cold]
fn move_list<T>(list: &mut Vec<T>, room: usize, meter: &Meter) -> Result<(), OverBudget> {
    // The rest of the new place is not touched yet.
    meter.room((list.len() * size_of::<T>()) as u64)?;
    let mut items = std::mem::replace(list, Vec::with_capacity(room)).into_iter();
    let mut pieces = Pieces::of::<T>(meter);
    while items.len() > 0 {
        let next = pieces.next(items.len())?;
        list.extend(items.by_ref().take(next));
    }
    Ok(())
}

#[cold]
fn move_map<K: Eq + Hash, V, S: BuildHasher + Default>(
    map: &mut HashMap<K, V, S>,
    room: usize,
    meter: &Meter,
) -> Result<(), OverBudget> {
    meter.room((room * size_of::<(K, V)>()) as u64)?;
    let larger = HashMap::with_capacity_and_hasher(room, S::default());
    let mut items = std::mem::replace(map, larger).into_iter();
    let mut pieces = Pieces::of::<(K, V)>(meter);
    while items.len() > 0 {
        let next = pieces.next(items.len())?;
        map.extend(items.by_ref().take(next));
    }
    Ok(())
}

/// Pays for items that move.
struct Pieces<'m> {
    size: usize,
    meter: &'m Meter,
}

impl<'m> Pieces<'m> {
    fn of<T>(meter: &'m Meter) -> Pieces<'m> {
        Pieces { size: size_of::<T>().max(1), meter }
    }

    /// How many of so many items come next; they are paid for.
    fn next(&mut self, left: usize) -> Result<usize, OverBudget> {
        let next = left.min(PIECE / self.size + 1);
        self.meter.charge((next * self.size / BYTES_IN_A_STEP) as u64)?;
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn what_moves_stays_as_it_is() {
        let meter = Meter::unlimited();
        let mut list: Vec<u64> = (0..1 << 20).collect();
        list.shrink_to_fit();
        list.make_room(1, &meter).unwrap();
        assert!(list.capacity() > list.len() && list.iter().copied().eq(0..1 << 20));
        lengthen(&mut list, 3 << 20, &7, &meter).unwrap();
        assert_eq!((list.len(), list[(1 << 20) - 1], list[1 << 20]), (3 << 20, (1 << 20) - 1, 7));
        let mut map: FxHashMap<u64, u64> = (0..1 << 20).map(|k| (k, k + 1)).collect();
        map.make_room(map.capacity(), &meter).unwrap();
        assert!(map.len() == 1 << 20 && (0..1 << 20).all(|k| map[&k] == k + 1));
    }

    #[test]
    fn a_large_list_that_has_no_room_is_refused_before_it_moves() {
        let mut list = vec![0u64; 1 << 20];
        let meter = Meter::unlimited().with_memory(1 << 20);
        assert_eq!(list.make_room(1 << 20, &meter), Err(OverBudget::Memory));
        assert_eq!(list.len(), 1 << 20);
        let meter = Meter::new(1 << 16);
        assert_eq!(list.make_room(1 << 20, &meter), Err(OverBudget::Steps));
    }

    #[test]
    fn what_is_small_costs_nothing() {
        let meter = Meter::new(0);
        assert_eq!(vec![0u64; 100].make_room(100, &meter), Ok(()));
    }
}
