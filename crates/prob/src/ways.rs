//! Ways: shortcuts that can be left out.
//!
//! Most answers can be found in several manners: the kept dice of `4d6kh3` state by state, or by thresholds in machine
//! words. The general route is right and slow, and every shortcut beside it is a [`Way`] with a name. A
//! [`Meter`](crate::Meter) says which ways may be taken ([`Meter::may`](crate::Meter::may)) and remembers which ones
//! came to something ([`Meter::by`](crate::Meter::by), [`Meter::took`](crate::Meter::took)). So a test can ask the same
//! question with each way closed, and with all of them closed: the answer must be the same.
//!
//! This file also has the limits by which the ways of this crate are chosen.

use std::fmt;

/// A shortcut that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    index: u32,
    /// What it is called.
    pub name: &'static str,
    /// What it is for.
    pub what_for: &'static str,
}

impl Way {
    /// The way with this place in a set.
    pub const fn new(index: u32, name: &'static str, what_for: &'static str) -> Way {
        assert!(index < u64::BITS, "a set of ways is one word");
        Way { index, name, what_for }
    }

    const fn bit(self) -> u64 {
        1 << self.index
    }
}

/// A set of ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ways(u64);

impl Ways {
    /// Every way.
    pub const ALL: Ways = Ways(u64::MAX);
    /// No way but the general route.
    pub const NONE: Ways = Ways(0);

    /// The same without one.
    #[must_use]
    pub const fn without(self, way: Way) -> Ways {
        Ways(self.0 & !way.bit())
    }

    /// The same with one more.
    #[must_use]
    pub const fn with(self, way: Way) -> Ways {
        Ways(self.0 | way.bit())
    }

    /// All that are in either set.
    #[must_use]
    pub const fn and(self, other: Ways) -> Ways {
        Ways(self.0 | other.0)
    }

    /// Whether a way is in the set.
    pub const fn has(self, way: Way) -> bool {
        self.0 & way.bit() != 0
    }

    /// Whether the set has no way at all.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Default for Ways {
    /// Every way may be taken.
    fn default() -> Self {
        Ways::ALL
    }
}

impl fmt::Debug for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ways::ALL => f.write_str("Ways::ALL"),
            Ways(bits) => write!(f, "Ways({bits:#x})"),
        }
    }
}

/// Names ways, each with its place in a set, and lists them.
#[macro_export]
macro_rules! ways {
    ($list:ident from $first:expr; $($way:ident = $name:literal: $what_for:literal;)*) => {
        $crate::ways!(@each $first; $($way = $name: $what_for;)*);
        /// The ways of this crate.
        pub const $list: &[$crate::ways::Way] = &[$($way),*];
    };
    (@each $at:expr; $way:ident = $name:literal: $what_for:literal; $($rest:tt)*) => {
        #[doc = $what_for]
        pub const $way: $crate::ways::Way = $crate::ways::Way::new($at, $name, $what_for);
        $crate::ways!(@each $at + 1; $($rest)*);
    };
    (@each $at:expr;) => {
        /// The first place in a set that is free.
        pub const NEXT: u32 = $at;
    };
}

ways! { EVERY from 0;
    PLAIN_POOLS = "plain pools": "pools of small whole numbers as faces and weights in machine words";
    FEW_THROWS = "few throws": "kept dice and single ranks where all throws fit a machine word";
    ALIKE = "alike": "kept dice of one kind, in steps that do not grow with their number";
    NESTED = "nested": "ranks of dice that are alike as far as they go: d4, d6 and d12";
    MIDDLE = "middle": "ranks side by side of dice of one kind, by thresholds from both ends";
    LIMITED = "limited": "a limit for the whole pool, without looking at hands";
    WORDS = "words": "sums and powers of short tables in machine words";
    RATIO = "ratio": "powers of weights that fall in a ratio, as those of dice that explode";
    ROWS = "rows": "powers of a polynomial by a recurrence on rows of machine words";
    KINDS = "kinds": "sums of several kinds of equal dice by one equation";
    TREE = "tree": "walks whose states never meet, as whole hands, without looking anything up";
    SIZES = "sizes": "walks whose steps commute and see no face, by the sizes of sets";
    SIZES_APART = "sizes apart": "walks that keep the highest offer of a set, by the sizes of sets";
    SPLIT = "split": "walks over two pools side by side, one after the other";
    FULL_DEALS = "full deals": "hands dealt together with a place for every combination of their states";
    RECURRENCES = "recurrences": "how often a loop goes round, by the recurrence that its first chances obey";
}

/// Numbers on the way through a chain take no more limbs than this: 128 MiB.
pub(crate) const MOST_LIMBS: usize = 1 << 24;
/// A count that goes up by more than this in a step is not told by a recurrence.
pub(crate) const FARTHEST_COUNT: i64 = 64;
