//! Lists that are nearly always short, and need no memory of their own then.
//!
//! Most rolls throw a handful of dice. To ask the allocator for room for them costs more than to throw
//! them.

/// Items in place while there are at most `N`; more move to the heap, together.
#[derive(Clone, Debug)]
pub(crate) struct Few<T, const N: usize> {
    length: u32,
    few: [T; N],
    many: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Few { length: 0, few: [T::default(); N], many: Vec::new() }
    }
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        if self.many.is_empty() { self.length as usize } else { self.many.len() }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        if self.many.is_empty() { &self.few[..self.length as usize] } else { &self.many }
    }

    /// So many more items, of the default, at the end.
    #[inline]
    pub(crate) fn grow(&mut self, count: usize) -> &mut [T] {
        let (before, after) = (self.len(), self.len() + count);
        if after <= N {
            self.length = after as u32;
            return &mut self.few[before..after];
        }
        self.grow_many(before, after)
    }

    fn grow_many(&mut self, before: usize, after: usize) -> &mut [T] {
        if self.many.is_empty() {
            self.many.reserve(after);
            self.many.extend_from_slice(&self.few[..before]);
        }
        self.many.resize(after, T::default());
        &mut self.many[before..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_when_the_list_moves() {
        let mut few = Few::<u64, 3>::default();
        for (index, item) in (0..10).zip(5..) {
            few.grow(1)[0] = item;
            assert_eq!(few.len(), index + 1);
            assert_eq!(few.as_slice(), (5..=item).collect::<Vec<_>>());
        }
        few.grow(2)[1] = 7;
        assert_eq!(few.as_slice()[10..], [0, 7]);
    }
}
