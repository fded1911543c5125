//! Lists, each of them once.
//!
//! A list is kept as the list without its last item and that item, so that appending is one step, and lists that
//! begin alike share their beginnings.
//!
//! Where faces are passed in order, a list is mostly appended to in order too: first a 3, later a 4, then a 5. So
//! each list knows the least and the greatest item that was ever appended to it. An item beyond them makes a list
//! that is new for certain: nothing is looked up. Otherwise the lists that were made of it are gone through, for each
//! knows the one that was made before it; only where they are many they are found by an index. So nothing has to be
//! done for all lists at once, while somebody waits.
//!
//! Each list also knows whether its items are numbers in order, so that a sorted list which gets a new item is not
//! sorted again.

use super::parted::Parted;
use super::segments::Segments;
use super::word::{LIST, Word};

/// A list: all but the last item, the last item, how many.
#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    /// The number of items, and in the highest bits whether they are whole numbers that never fall or never rise, and
    /// whether the lists that were made of it are in the index.
    length: u32,
    item: Word,
    /// The least and the greatest of the items that were appended to it, as they are ordered by [`rank`].
    least: i32,
    greatest: i32,
    /// The last list that was made by appending to it, and the one that was made of the same list before it; 0: none.
    made: u32,
    earlier: u32,
}

const RISES: u32 = 1 << 31;
const FALLS: u32 = 1 << 30;
const INDEXED: u32 = 1 << 29;

/// So many lists made of one are looked at one by one.
const FEW: usize = 8;

impl Link {
    /// The end of a list to which nothing was appended yet.
    fn new(before: u32, length: u32, item: Word, earlier: u32) -> Link {
        Link { before, length, item, least: i32::MAX, greatest: i32::MIN, made: 0, earlier }
    }

    #[inline]
    fn length(&self) -> u32 {
        self.length & !(RISES | FALLS | INDEXED)
    }

    /// How the items are in order if one more comes behind them.
    #[inline]
    fn order_with(&self, item: Word) -> u32 {
        if item.as_number().is_none() {
            return 0;
        }
        let mut order = self.length & (RISES | FALLS);
        // Where a list is in order, its last item is a number, and numbers are ordered as their words.
        if self.length() > 0 {
            let (last, item) = (self.item.0 as i64, item.0 as i64);
            order &= if last > item { FALLS } else { u32::MAX };
            order &= if last < item { RISES } else { u32::MAX };
        }
        order
    }
}

/// Orders words, though very large numbers may be level.
#[inline]
fn rank(word: Word) -> i32 {
    (word.0 as i64).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// All lists, by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    links: Segments<Link>,
    /// Lists by the list that they were made of and the item that was appended, where many were made of one.
    index: Parted<(u32, Word), u32>,
}

impl Default for Lists {
    /// The empty list alone: a link too, number 0; no other has its length.
    fn default() -> Lists {
        Lists {
            links: Segments::new(Link::new(0, RISES | FALLS, Word::NONE, 0)),
            index: Parted::default(),
        }
    }
}

impl Lists {
    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.links.len() * size_of::<Link>() + self.index.bytes()
    }

    /// The list with one item more.
    #[inline(always)]
    pub(super) fn append(&mut self, list: usize, item: Word) -> Word {
        let rank = rank(item);
        let link = &self.links[list];
        if link.least <= rank
            && rank <= link.greatest
            && let Some(known) = self.find(list, item)
        {
            return Word::odd(LIST, known);
        }
        let number = self.links.len() as u32;
        let link = &mut self.links[list];
        link.least = link.least.min(rank);
        link.greatest = link.greatest.max(rank);
        let length = (link.length() + 1) | link.order_with(item);
        let earlier = std::mem::replace(&mut link.made, number);
        if link.length & INDEXED > 0 {
            self.index.insert((list as u32, item), number);
        }
        self.links.push(Link::new(list as u32, length, item, earlier));
        Word::odd(LIST, number)
    }

    /// The list with one item more, if it is there.
    #[inline(never)]
    fn find(&mut self, list: usize, item: Word) -> Option<u32> {
        if self.links[list].length & INDEXED == 0 {
            let mut made = self.links[list].made;
            for _ in 0..FEW {
                let link = &self.links[made as usize];
                if made == 0 || link.item == item {
                    return (made > 0).then_some(made);
                }
                made = link.earlier;
            }
            self.index_all_of(list);
        }
        self.index.get(&(list as u32, item)).copied()
    }

    /// Puts all lists into the index that were made of this one; later ones follow when they are made.
    #[cold]
    fn index_all_of(&mut self, list: usize) {
        self.links[list].length |= INDEXED;
        let mut made = self.links[list].made;
        while made > 0 {
            let link = &self.links[made as usize];
            self.index.insert((list as u32, link.item), made);
            made = link.earlier;
        }
    }

    /// The list with one more number at its place, if all are numbers in order; and how many items were moved.
    /// Behind what is in `moved` already there is room to work.
    pub(super) fn insert(
        &mut self,
        list: usize,
        item: Word,
        falls: bool,
        moved: &mut Vec<Word>,
    ) -> Option<(Word, usize)> {
        item.as_number()?;
        let wanted = if falls { FALLS } else { RISES };
        (self.links[list].length & wanted > 0).then_some(())?;
        let (mut place, start) = (list, moved.len());
        loop {
            let link = &self.links[place];
            let (last, new) = (link.item.0 as i64, item.0 as i64);
            if link.length() == 0 || last == new || (last < new) != falls {
                break;
            }
            moved.push(link.item);
            place = link.before as usize;
        }
        let mut list = self.append(place, item);
        let count = moved.len() - start;
        while moved.len() > start {
            let item = moved.pop().unwrap_or(Word::NONE);
            list = self.append(list.as_list()?, item);
        }
        Some((list, count))
    }

    /// How many items a list has.
    #[inline]
    pub(super) fn length(&self, list: usize) -> usize {
        self.links[list].length() as usize
    }

    /// An item of a list, counted from 1.
    pub(super) fn at(&self, mut list: usize, place: i64) -> Option<Word> {
        let place = u32::try_from(place).ok().filter(|place| *place > 0)?;
        while self.links[list].length() > place {
            list = self.links[list].before as usize;
        }
        (self.links[list].length() == place).then_some(self.links[list].item)
    }

    /// The items of a list, in order, behind what is in `items` already.
    pub(super) fn items(&self, mut list: usize, items: &mut Vec<Word>) {
        let start = items.len();
        while self.links[list].length() > 0 {
            items.push(self.links[list].item);
            list = self.links[list].before as usize;
        }
        items[start..].reverse();
    }

    /// The list of these items, which may begin as another one does.
    pub(super) fn list(&mut self, items: &[Word], near: usize) -> Word {
        let mut begins = near;
        while self.length(begins) > items.len() {
            begins = self.links[begins].before as usize;
        }
        // The longest beginning of the other list that these items begin with too.
        let mut place = begins;
        while self.links[place].length() > 0 {
            let link = self.links[place];
            place = link.before as usize;
            if items[link.length() as usize - 1] != link.item {
                begins = place;
            }
        }
        let known = self.length(begins);
        items[known..].iter().fold(Word::odd(LIST, begins as u32), |list, item| {
            self.append(list.as_list().unwrap_or(0), *item)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_were_made_of_one_are_found_again_be_they_few_or_many() {
        let mut lists = Lists::default();
        let item = |n: i64| Word::number(n * 7919 % 10_007).unwrap();
        let mut known = Vec::new();
        for many in [FEW as i64 - 1, FEW as i64 + 2, 1_000] {
            for n in known.len() as i64..many {
                known.push(lists.append(0, item(n)));
            }
            for (n, list) in known.iter().enumerate() {
                assert_eq!(lists.append(0, item(n as i64)), *list);
            }
        }
        assert_eq!((lists.links.len(), lists.length(7)), (1_001, 1));
    }
}
