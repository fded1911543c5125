//! Weights of deals: for each case of what the hands still want a block with a place for each combination of the
//! states of the sides.
//!
//! Of two hands most places are reached, and a block is a row of weights. Of four hands few are: there are 38,416 cases
//! of four times thirteen cards and two million combinations of points, but 970 and 12,000 that come up. Then a block is a
//! map from the number of a place to its weight.

use super::super::weight::Weight;
use rustc_hash::FxHashMap;

/// The weights of all cases.
pub(super) enum Table<W> {
    /// Blocks of so many places, one after the other.
    Full { weights: Vec<W>, block: usize },
    /// The places of each case that are reached, and how many these are.
    Sparse { blocks: Vec<FxHashMap<u64, W>>, reached: usize },
}

/// More places than this would be a burden for the memory.
const MOST_REACHED: usize = 1 << 21;

impl<W: Weight> Table<W> {
    pub(super) fn full(cases: usize, block: usize) -> Table<W> {
        Table::Full { weights: vec![W::zero(); cases * block], block }
    }

    pub(super) fn sparse(cases: usize) -> Table<W> {
        Table::Sparse { blocks: vec![FxHashMap::default(); cases], reached: 0 }
    }

    /// Whether a case has no weight, as far as that is known without a look at every place.
    pub(super) fn is_empty(&self, case: usize) -> bool {
        match self {
            Table::Full { .. } => false,
            Table::Sparse { blocks, .. } => blocks[case].is_empty(),
        }
    }

    /// The weight at a place of a case.
    pub(super) fn at(&mut self, case: usize, place: u64) -> &mut W {
        match self {
            Table::Full { weights, block } => &mut weights[case * *block + place as usize],
            Table::Sparse { blocks, reached } => blocks[case].entry(place).or_insert_with(|| {
                *reached += 1;
                W::zero()
            }),
        }
    }

    /// Whether there are more places than can be kept.
    pub(super) fn is_too_large(&self) -> bool {
        matches!(self, Table::Sparse { reached, .. } if *reached > MOST_REACHED)
    }

    /// About how much work it is to go through the places of a case that lead somewhere. A product of machine words
    /// takes much less than a step, a place that is looked up several.
    pub(super) fn work(&self, case: usize, leads: &[&[u32]]) -> usize {
        match self {
            Table::Full { .. } => {
                let places = leads.iter().map(|row| row.len());
                places.fold(1, usize::saturating_mul) / 8 + 1
            }
            Table::Sparse { blocks, .. } => 3 * blocks[case].len() + 1,
        }
    }

    /// Adds a block of another table, so many times, to a block of this one. For each side it is said how many places
    /// it has in either, and where each of its states leads.
    pub(super) fn add(
        &mut self,
        (to, after): (usize, &[usize]),
        from: &Table<W>,
        (case, before): (usize, &[usize]),
        leads: &[&[u32]],
        factor: &W,
    ) {
        if let (Table::Full { weights, block }, Table::Full { weights: others, block: size }) =
            (&mut *self, from)
        {
            let (from, to) =
                (&others[case * size..][..*size], &mut weights[to * *block..][..*block]);
            return add_rows(from, to, (before, after), leads, factor);
        }
        from.each(case, before, |places, weight| {
            let places = places.iter().zip(leads).zip(after);
            let place = places.fold(0u64, |place, ((at, row), size)| {
                place * *size as u64 + row.get(*at).map_or(0, |lead| u64::from(*lead))
            });
            self.at(to, place).add(&weight.times(factor));
        });
    }

    /// Goes through the weights of a case that are not zero, with the place of each side.
    pub(super) fn each(&self, case: usize, sizes: &[usize], mut visit: impl FnMut(&[usize], &W)) {
        let mut at = vec![0; sizes.len()];
        let mut visit = |place: u64, weight: &W| {
            let mut rest = place;
            for (at, size) in at.iter_mut().zip(sizes).rev() {
                *at = (rest % *size as u64) as usize;
                rest /= *size as u64;
            }
            visit(&at, weight);
        };
        match self {
            Table::Full { weights, block } => {
                let weights = weights[case * block..].iter().take(*block);
                let weights = (0..).zip(weights).filter(|(_, weight)| !weight.is_zero());
                weights.for_each(|(place, weight)| visit(place, weight));
            }
            Table::Sparse { blocks, .. } => {
                blocks[case].iter().for_each(|(place, weight)| visit(*place, weight));
            }
        }
    }
}

/// Adds places from the first of these sides on.
fn add_rows<W: Weight>(
    from: &[W],
    to: &mut [W],
    (before, after): (&[usize], &[usize]),
    leads: &[&[u32]],
    factor: &W,
) {
    let ([row, leads @ ..], [_, before @ ..], [_, after @ ..]) = (leads, before, after) else {
        to[0].add(&from[0].times(factor));
        return;
    };
    if leads.is_empty() {
        for (weight, lead) in from.iter().zip(*row).filter(|(weight, _)| !weight.is_zero()) {
            to[*lead as usize].add(&weight.times(factor));
        }
        return;
    }
    let (size, next) = (before.iter().product::<usize>(), after.iter().product::<usize>());
    for (at, lead) in row.iter().enumerate() {
        let (from, to) = (&from[at * size..], &mut to[*lead as usize * next..]);
        add_rows(from, to, (before, after), leads, factor);
    }
}
