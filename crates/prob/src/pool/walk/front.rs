//! How far a walk has come: for each state the weights by how far the groups are used up.
//!
//! A state is rarely reached with every use: a list of all sizes of sets tells how many dice there were.
//! So each state has a window of cells only, and windows grow in one common store.

use super::weight::Weight;
use crate::growing::{Growing, lengthen};
use crate::meter::{Meter, OverBudget, Rent, places_to_grow};

pub(super) struct Front<W> {
    windows: Vec<Window>,
    weights: Vec<W>,
    /// The states that are reached.
    pub(super) states: Vec<usize>,
    cells: usize,
    rent: Option<Rent>,
}

/// The cells from `low` on, kept from `at` on; none: not reached.
#[derive(Clone, Copy, Default)]
struct Window {
    low: usize,
    len: usize,
    at: usize,
}

impl<W: Weight> Front<W> {
    /// No state is reached, of those with so many cells.
    pub(super) fn empty(cells: usize) -> Self {
        Front { windows: Vec::new(), weights: Vec::new(), states: Vec::new(), cells, rent: None }
    }

    /// The same again, keeping the room.
    pub(super) fn clear(&mut self) {
        for state in self.states.drain(..) {
            self.windows[state] = Window::default();
        }
        self.weights.clear();
    }

    /// The first cell of a state that may not be zero, and the weights from there on.
    pub(super) fn window(&self, state: usize) -> (usize, &[W]) {
        let window = self.windows.get(state).copied().unwrap_or_default();
        (window.low, &self.weights[window.at..window.at + window.len])
    }

    /// The weights of a state that are not zero, with their cells.
    pub(super) fn cells(&self, state: usize) -> impl Iterator<Item = (usize, &W)> {
        let (low, weights) = self.window(state);
        let cells = weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        cells.map(move |(at, weight)| (low + at, weight))
    }

    /// The weight at a cell.
    #[inline]
    pub(super) fn at(
        &mut self,
        state: usize,
        cell: usize,
        meter: &Meter,
    ) -> Result<&mut W, OverBudget> {
        let mut place = usize::MAX;
        if let Some(window) = self.windows.get(state) {
            let at = cell.wrapping_sub(window.low);
            if at < window.len {
                place = window.at + at;
            }
        }
        if place == usize::MAX {
            place = self.widened(state, cell, meter)?;
        }
        Ok(&mut self.weights[place])
    }

    /// Makes room for a cell. A window that grows at least doubles, so that moving it is no burden.
    #[cold]
    fn widened(&mut self, state: usize, cell: usize, meter: &Meter) -> Result<usize, OverBudget> {
        if self.windows.len() <= state || self.weights.len() == self.weights.capacity() {
            let windows = places_to_grow(self.windows.capacity(), state + 1);
            self.grow(1, windows, meter)?;
        }
        if self.windows.len() <= state {
            let more = (state + 1).max(2 * self.windows.len());
            lengthen(&mut self.windows, more, &Window::default(), meter)?;
        }
        let old = self.windows[state];
        let (mut low, mut high) = (cell, cell + 1);
        if old.len == 0 {
            // Somewhere new, and what is new is met by chance in the memory.
            meter.charge(4)?;
            self.states.make_room(1, meter)?;
            self.weights.make_room(1, meter)?;
            self.states.push(state);
            self.windows[state] = Window { low, len: 1, at: self.weights.len() };
            self.weights.push(W::zero());
            return Ok(self.weights.len() - 1);
        } else if cell < old.low {
            low = cell.min(old.low.saturating_sub(old.len));
            high = old.low + old.len;
        } else {
            low = old.low;
            high = high.max(old.low + 2 * old.len).min(self.cells);
        }
        meter.charge(1 + (high - low) as u64 / 4)?;
        self.grow(high - low, self.windows.capacity(), meter)?;
        let at = self.weights.len();
        self.weights.make_room(high - low, meter)?;
        self.weights.resize(at + high - low, W::zero());
        for place in 0..old.len {
            let weight = std::mem::replace(&mut self.weights[old.at + place], W::zero());
            self.weights[at + old.low - low + place] = weight;
        }
        self.windows[state] = Window { low, len: high - low, at };
        Ok(at + cell - low)
    }

    /// Asks for the memory of so many more weights, and of so many windows.
    fn grow(&mut self, more: usize, windows: usize, meter: &Meter) -> Result<(), OverBudget> {
        let weights = places_to_grow(self.weights.capacity(), self.weights.len() + more);
        let states = 2 * self.states.capacity() * size_of::<usize>();
        let bytes = weights * size_of::<W>() + windows * size_of::<Window>() + states;
        self.rent.get_or_insert_with(|| meter.rent()).grow(bytes as u64, meter)
    }

    /// The same with weights of a wider kind.
    pub(super) fn widen<V: Weight>(self, meter: &Meter) -> Result<Front<V>, OverBudget> {
        let Front { mut windows, weights: narrow, states, cells, mut rent } = self;
        let bytes = (narrow.len() * size_of::<V>()) as u64;
        meter.room(bytes)?;
        let mut weights = Vec::with_capacity(states.iter().map(|state| windows[*state].len).sum());
        for &state in &states {
            let window = &mut windows[state];
            meter.charge(window.len as u64 * (1 + size_of::<V>() as u64 / 16))?;
            let old = window.at..window.at + window.len;
            window.at = weights.len();
            weights.extend(narrow[old].iter().map(|weight| V::of_words(&weight.to_words())));
        }
        drop(narrow);
        if let Some(rent) = &mut rent {
            rent.grow(bytes + (windows.len() * size_of::<Window>()) as u64, meter)?;
        }
        Ok(Front { windows, weights, states, cells, rent })
    }
}
