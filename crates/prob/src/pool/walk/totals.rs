//! Rows of weights: for each state and cell of a walk those of the numbers that are set apart.
//!
//! Two dice compared pair by pair need a state for how far one side is ahead; the number of wins is only
//! ever added to. So a state has a row of weights, one for each number of wins, and a step moves the row
//! and multiplies it. Weights are as many machine words as the total needs, side by side; as no weight
//! outgrows its words, a row is multiplied and added as one long number, and no carry leaves a weight.

use crate::growing::Growing;
use crate::meter::{Meter, OverBudget, Rent, places_to_grow};
use crate::number::Natural;

/// Rows of one width.
pub(super) struct Totals {
    /// By the state and the cell, which of the places: most states are reached at few cells.
    index: Vec<u32>,
    places: Vec<Place>,
    /// For each cell the states that have a row there.
    reached: Vec<Vec<usize>>,
    limbs: Vec<u64>,
    /// So many limbs are of rows that are gone, or have moved.
    wasted: usize,
    width: usize,
    /// A row with more numbers than this has at least one weight that is not zero among eight, or it is no use.
    short: usize,
    rent: Option<Rent>,
}

/// There is no row.
const NONE: u32 = u32::MAX;

/// Where a row is: the weights of the numbers from `low` on, with room around them.
#[derive(Clone, Copy)]
struct Place {
    low: i64,
    len: usize,
    /// The number that the room begins with, how many it has room for, and where it begins.
    first: i64,
    room: usize,
    at: usize,
}

/// Why there is no room for a row.
pub(super) enum NoRoom {
    OverBudget(OverBudget),
    /// The rows have many more zeros than weights, or too many numbers.
    Unfit,
}

impl From<OverBudget> for NoRoom {
    fn from(refusal: OverBudget) -> Self {
        NoRoom::OverBudget(refusal)
    }
}

/// Rows are short up to so many numbers, unless they hold several numbers as one;
pub(super) const SHORT: usize = 256;
/// longer ones have at least one weight among so many that is not zero.
const DENSE: usize = 8;
/// The most pairs of a state and a cell, and limbs in rows: more would be a burden for the memory.
const PAIRS: usize = 1 << 23;
const LIMBS: usize = 1 << 25;
/// With more limbs wasted it is worth while to gather the others.
const MUCH: usize = 1 << 16;

impl Totals {
    /// No rows yet, of states with so many cells; up to so many numbers are short.
    pub(super) fn new(cells: usize, width: usize, short: usize) -> Totals {
        let reached = vec![Vec::new(); cells];
        let (index, places, limbs) = (Vec::new(), Vec::new(), Vec::new());
        Totals { index, places, reached, limbs, wasted: 0, width, short, rent: None }
    }

    /// No rows any more; the memory is kept.
    pub(super) fn clear(&mut self, width: usize) {
        for cell in 0..self.reached.len() {
            self.clear_cell(cell);
        }
        self.limbs.clear();
        self.places.clear();
        self.wasted = 0;
        self.width = width;
    }

    /// No rows of a cell any more.
    pub(super) fn clear_cell(&mut self, cell: usize) {
        let cells = self.reached.len();
        for state in self.reached[cell].drain(..) {
            let place = std::mem::replace(&mut self.index[state * cells + cell], NONE);
            self.wasted += self.places[place as usize].room * self.width;
        }
    }

    fn place(&self, state: usize, cell: usize) -> Option<usize> {
        let place = *self.index.get(state * self.reached.len() + cell)?;
        (place != NONE).then_some(place as usize)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reached.iter().all(Vec::is_empty)
    }

    /// The states that have a row at a cell.
    pub(super) fn states(&self, cell: usize) -> &[usize] {
        &self.reached[cell]
    }

    /// The first number of a row, and its weights.
    pub(super) fn row(&self, state: usize, cell: usize) -> (i64, &[u64]) {
        self.place(state, cell).map_or((0, &[]), |place| self.row_of(self.places[place]))
    }

    fn row_of(&self, place: Place) -> (i64, &[u64]) {
        let start = place.start(self.width);
        (place.low, &self.limbs[start..start + place.len * self.width])
    }

    /// The weights of so many numbers in the row of a state at a cell.
    #[inline]
    pub(super) fn part(
        &mut self,
        (state, cell): (usize, usize),
        low: i64,
        len: usize,
        meter: &Meter,
    ) -> Result<&mut [u64], NoRoom> {
        if self.wasted > MUCH && 2 * self.wasted > self.limbs.len() {
            self.gather(self.width, meter)?;
        }
        let fits = |place: &usize| {
            let known = &self.places[*place];
            let end = low.abs_diff(known.low).saturating_add(len as u64);
            known.low <= low && end <= known.len as u64
        };
        let place = match self.place(state, cell) {
            Some(place) if fits(&place) => place,
            Some(place) => {
                self.extend(place, low, len, meter)?;
                place
            }
            None => self.begin(state, cell, low, len, meter)?,
        };
        let Place { first, at, .. } = self.places[place];
        let start = at + low.abs_diff(first) as usize * self.width;
        Ok(&mut self.limbs[start..start + len * self.width])
    }

    /// A new row.
    fn begin(
        &mut self,
        state: usize,
        cell: usize,
        low: i64,
        len: usize,
        meter: &Meter,
    ) -> Result<usize, NoRoom> {
        let pair = state.saturating_mul(self.reached.len()).saturating_add(cell);
        if pair >= PAIRS || low.checked_add_unsigned(len as u64).is_none() {
            return Err(NoRoom::Unfit);
        }
        if self.index.len() <= pair {
            let size = (pair + 1).max(2 * self.index.len());
            meter.charge((size - self.index.len()) as u64 / 8)?;
            self.index.resize(size, NONE);
        }
        let place = self.places.len();
        let (at, room) = self.allot(len + len / 2 + 1, meter)?;
        self.places.push(Place { low, len, first: low, room, at });
        self.index[pair] = place as u32;
        self.reached[cell].push(state);
        Ok(place)
    }

    /// Makes a row longer, in its room if that suffices.
    fn extend(&mut self, place: usize, low: i64, len: usize, meter: &Meter) -> Result<(), NoRoom> {
        let old = self.places[place];
        let end = low.checked_add_unsigned(len as u64).ok_or(NoRoom::Unfit)?;
        let new_low = low.min(old.low);
        let new_end = end.max(old.low.saturating_add_unsigned(old.len as u64));
        let numbers = usize::try_from(new_end.abs_diff(new_low)).map_err(|_| NoRoom::Unfit)?;
        let within = new_low >= old.first && new_end.abs_diff(old.first) <= old.room as u64;
        if within {
            self.places[place] = Place { low: new_low, len: numbers, ..old };
            return Ok(());
        }
        let (_, row) = self.row_of(old);
        let weights = row.chunks_exact(self.width).filter(|limbs| limbs.iter().any(|l| *l > 0));
        if numbers > self.short && (old.len + len).max(weights.count() * DENSE) < numbers {
            return Err(NoRoom::Unfit);
        }
        // A row that grows does so by a part of itself, towards where it grew.
        let slack = numbers / 2 + 1;
        let first =
            if low < old.low { new_low.saturating_sub_unsigned(slack as u64) } else { new_low };
        let before = new_low.abs_diff(first) as usize;
        let after = if end > old.low.saturating_add_unsigned(old.len as u64) { slack } else { 0 };
        let from = old.start(self.width);
        let (at, room) = self.allot(before + numbers + after, meter)?;
        self.wasted += old.room * self.width;
        self.places[place] = Place { low: new_low, len: numbers, first, room, at };
        let to = at + old.low.abs_diff(first) as usize * self.width;
        self.limbs.copy_within(from..from + old.len * self.width, to);
        Ok(())
    }

    /// Room for so many numbers: where it begins, and for how many it is.
    fn allot(&mut self, room: usize, meter: &Meter) -> Result<(usize, usize), NoRoom> {
        let limbs = room.saturating_mul(self.width);
        meter.charge(1 + limbs as u64 / 4)?;
        let at = self.limbs.len();
        if limbs > LIMBS - at.min(LIMBS) {
            return Err(NoRoom::Unfit);
        }
        let bytes = 8 * places_to_grow(self.limbs.capacity(), at + limbs)
            + size_of::<Place>() * self.places.capacity();
        self.rent.get_or_insert_with(|| meter.rent()).grow(bytes as u64, meter)?;
        self.limbs.make_room(limbs, meter)?;
        self.limbs.resize(at + limbs, 0);
        Ok((at, room))
    }

    /// Makes the weights wider.
    pub(super) fn widen(&mut self, width: usize, meter: &Meter) -> Result<(), OverBudget> {
        if width > self.width { self.gather(width, meter) } else { Ok(()) }
    }

    /// Lays the rows side by side, with weights of this width.
    fn gather(&mut self, width: usize, meter: &Meter) -> Result<(), OverBudget> {
        let mut limbs = Vec::with_capacity((self.limbs.len() - self.wasted) / self.width * width);
        let (mut places, cells) = (Vec::new(), self.reached.len());
        for cell in 0..cells {
            for &state in &self.reached[cell] {
                let index = &mut self.index[state * cells + cell];
                let Place { low, len, .. } = self.places[*index as usize];
                let start = self.places[*index as usize].start(self.width);
                meter.charge(1 + (len * width) as u64 / 8)?;
                *index = places.len() as u32;
                places.push(Place { low, len, first: low, room: len, at: limbs.len() });
                spread(&self.limbs[start..start + len * self.width], self.width, width, &mut limbs);
            }
        }
        (self.limbs, self.places, self.wasted, self.width) = (limbs, places, 0, width);
        Ok(())
    }
}

impl Place {
    /// Where its weights begin.
    fn start(&self, width: usize) -> usize {
        self.at + self.low.abs_diff(self.first) as usize * width
    }
}

/// Weights of one width made wider.
pub(super) fn spread(row: &[u64], width: usize, wider: usize, into: &mut Vec<u64>) {
    for weight in row.chunks_exact(width) {
        into.extend_from_slice(weight);
        into.resize(into.len() + wider - width, 0);
    }
}

/// What a row is multiplied by.
#[derive(Clone, Copy)]
pub(super) enum Factor<'a> {
    Word(u64),
    /// The lowest limb first.
    Limbs(&'a [u64]),
}

/// Adds a multiple of a row to one that is as long. Every weight of the result has room.
pub(super) fn add_times(sum: &mut [u64], row: &[u64], factor: Factor<'_>, width: usize) {
    match factor {
        Factor::Word(factor) if width == 1 => {
            for (sum, limb) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(limb.wrapping_mul(factor));
            }
        }
        Factor::Word(factor) => add_multiple(sum, row, factor),
        Factor::Limbs(limbs) => {
            for (at, factor) in limbs.iter().enumerate() {
                // What is cut off here is zero, or the last weight would have no room.
                let end = row.len().saturating_sub(at);
                add_multiple(&mut sum[at.min(row.len())..], &row[..end], *factor);
            }
        }
    }
}

fn add_multiple(sum: &mut [u64], row: &[u64], factor: u64) {
    let mut carry = 0u64;
    for (sum, limb) in sum.iter_mut().zip(row) {
        let wide = u128::from(*limb) * u128::from(factor) + u128::from(*sum) + u128::from(carry);
        *sum = wide as u64;
        carry = (wide >> 64) as u64;
    }
}

/// The limbs of a number, the lowest first.
pub(super) fn limbs_of(number: &Natural) -> Vec<u64> {
    let bytes = number.to_le_bytes();
    let limb = |bytes: &[u8]| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(eight)
    };
    bytes.chunks(8).map(limb).collect()
}

/// A number of limbs.
pub(super) fn natural_of(limbs: &[u64]) -> Natural {
    match limbs {
        [word] => Natural::from(*word),
        [low, high] => Natural::from(u128::from(*low) | u128::from(*high) << 64),
        _ => {
            let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
            Natural::from_le_bytes(&bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naturals(row: &[u64], width: usize) -> Vec<Natural> {
        row.chunks_exact(width).map(natural_of).collect()
    }

    #[test]
    fn rows_grow_to_both_sides_and_keep_their_weights() {
        let meter = Meter::new(1000);
        let mut totals = Totals::new(2, 2, SHORT);
        let add = |totals: &mut Totals, low: i64, weights: &[u64]| {
            let row: Vec<u64> = weights.iter().flat_map(|weight| [*weight, 1]).collect();
            let part = totals.part((1, 1), low, weights.len(), &meter);
            add_times(part.ok().unwrap(), &row, Factor::Word(2), 2);
        };
        add(&mut totals, 5, &[1, 2]);
        add(&mut totals, 6, &[1, 2, 3]);
        add(&mut totals, -2, &[7]);
        let (low, row) = totals.row(1, 1);
        assert_eq!(low, -2);
        let of = |low: u64, high: u64| Natural::from(u128::from(low) | u128::from(high) << 64);
        let zero = Natural::ZERO;
        let mut expected = vec![zero; 11];
        expected[0] = of(14, 2);
        expected[7] = of(2, 2);
        expected[8] = of(6, 4);
        expected[9] = of(4, 2);
        expected[10] = of(6, 2);
        assert_eq!(naturals(row, 2), expected);
        totals.widen(3, &meter).unwrap();
        assert_eq!(naturals(totals.row(1, 1).1, 3), expected);
        totals.clear_cell(1);
        assert!(totals.is_empty());
    }

    #[test]
    fn a_long_factor_stays_within_each_weight() {
        let factor = Natural::from(u128::MAX) - Natural::from(5u8);
        let weights = [3u64, u64::MAX];
        let row: Vec<u64> = weights.iter().flat_map(|weight| [*weight, 0, 0]).collect();
        let mut sum = row.clone();
        add_times(&mut sum, &row, Factor::Limbs(&limbs_of(&factor)), 3);
        let expected = weights.map(|weight| Natural::from(weight) * (&factor + Natural::ONE));
        assert_eq!(naturals(&sum, 3), expected);
    }

    #[test]
    fn rows_of_mostly_zeros_are_refused() {
        let meter = Meter::new(1 << 20);
        let mut totals = Totals::new(1, 1, SHORT);
        for low in [0, 1000] {
            let part = totals.part((0, 0), low, 1, &meter);
            assert_eq!(matches!(part, Err(NoRoom::Unfit)), low > 0);
        }
        assert!(matches!(totals.part((1 << 30, 0), 0, 1, &meter), Err(NoRoom::Unfit)));
        assert!(matches!(totals.part((1, 0), i64::MAX, 2, &meter), Err(NoRoom::Unfit)));
    }
}
