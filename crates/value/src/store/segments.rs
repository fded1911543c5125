//! A list that may become large.
//!
//! A list that is full moves to a new place of twice the size, which takes long where it is large, and somebody who
//! wants to stop the request waits. This one is made of segments: what stands in it never moves but in the first.

use std::ops::{Index, IndexMut};

/// Items of a segment, as a power of two.
const BITS: u32 = 14;
const SIZE: usize = 1 << BITS;

/// A list in segments, all but the last of them full.
#[derive(Clone, Debug)]
pub(super) struct Segments<T>(Vec<Vec<T>>);

impl<T> Segments<T> {
    pub(super) fn new(first: T) -> Segments<T> {
        Segments(vec![vec![first]])
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        (self.0.len() - 1) * SIZE + self.0[self.0.len() - 1].len()
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < SIZE => last.push(item),
            _ => self.push_segment(item),
        }
    }

    #[cold]
    fn push_segment(&mut self, item: T) {
        let mut segment = Vec::with_capacity(SIZE);
        segment.push(item);
        self.0.push(segment);
    }
}

impl<T> Index<usize> for Segments<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: usize) -> &T {
        &self.0[place >> BITS][place % SIZE]
    }
}

impl<T> IndexMut<usize> for Segments<T> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.0[place >> BITS][place % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_found_in_whichever_segment_it_stands() {
        let mut items = Segments::new(0);
        for item in 1..=2 * SIZE {
            items.push(item);
        }
        items[SIZE] += 1;
        assert_eq!(items.len(), 2 * SIZE + 1);
        let seen = [0, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE].map(|place| items[place]);
        assert_eq!(seen, [0, SIZE - 1, SIZE + 1, SIZE + 1, 2 * SIZE]);
    }
}
