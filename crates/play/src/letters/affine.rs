//! Sums of multiples of letters, and a number.

use astragal_prob::Rational;
use std::cmp::Ordering;

/// A number that is not known: how far it lies beyond something.
pub(crate) type Letter = u32;

/// `2 a + 3 b - 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affine {
    /// So much of each letter, in the order of the letters; none is 0.
    parts: Vec<(Letter, Rational)>,
    constant: Rational,
}

impl Affine {
    pub(crate) fn constant(constant: Rational) -> Affine {
        Affine { parts: Vec::new(), constant }
    }

    pub(crate) fn letter(letter: Letter) -> Affine {
        Affine { parts: vec![(letter, Rational::ONE)], constant: Rational::ZERO }
    }

    /// If there is no letter in it: the number.
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.parts.is_empty().then_some(&self.constant)
    }

    /// What it is where all letters are 0.
    pub(crate) fn at_zero(&self) -> &Rational {
        &self.constant
    }

    /// How much of a letter is in it.
    pub(crate) fn share_of(&self, letter: Letter) -> Rational {
        let own = self.parts.iter().find(|(own, _)| *own == letter);
        own.map_or(Rational::ZERO, |(_, share)| share.clone())
    }

    pub(crate) fn plus(&self, other: &Affine) -> Affine {
        self.joined(other, |a, b| a + b)
    }

    pub(crate) fn minus(&self, other: &Affine) -> Affine {
        self.joined(other, |a, b| a - b)
    }

    /// At most as much as both wherever no letter is negative.
    pub(crate) fn lower(&self, other: &Affine) -> Affine {
        self.joined(other, |a, b| if a <= b { a } else { b })
    }

    /// At least as much as both wherever no letter is negative.
    pub(crate) fn upper(&self, other: &Affine) -> Affine {
        self.joined(other, |a, b| if a >= b { a } else { b })
    }

    pub(crate) fn times(&self, factor: &Rational) -> Affine {
        if factor.is_zero() {
            return Affine::constant(Rational::ZERO);
        }
        let parts = self.parts.iter().map(|(letter, share)| (*letter, share * factor));
        Affine { parts: parts.collect(), constant: &self.constant * factor }
    }

    /// The same with something else in the place of a letter.
    pub(crate) fn with(&self, letter: Letter, other: &Affine) -> Affine {
        let share = self.share_of(letter);
        let mut rest = self.clone();
        rest.parts.retain(|(own, _)| *own != letter);
        rest.plus(&other.times(&share))
    }

    /// Whether it is never below 0 where no letter is.
    pub(crate) fn is_never_negative(&self) -> bool {
        self.constant >= Rational::ZERO && self.grows()
    }

    /// Whether it is always above 0 where no letter is negative.
    pub(crate) fn is_positive(&self) -> bool {
        self.constant > Rational::ZERO && self.grows()
    }

    /// Whether no letter in it pulls it to the other side.
    pub(crate) fn leans(&self, side: Ordering) -> bool {
        self.parts.iter().all(|(_, share)| share.cmp(&Rational::ZERO) == side)
    }

    /// Whether there are letters in it, and it grows with all of them.
    pub(crate) fn grows_with_letters(&self) -> bool {
        !self.parts.is_empty() && self.grows()
    }

    fn grows(&self) -> bool {
        self.parts.iter().all(|(_, share)| *share > Rational::ZERO)
    }

    fn joined(&self, other: &Affine, join: impl Fn(Rational, Rational) -> Rational) -> Affine {
        let mut letters: Vec<Letter> = self.letters().chain(other.letters()).collect();
        letters.sort_unstable();
        letters.dedup();
        let part = |letter: Letter| (letter, join(self.share_of(letter), other.share_of(letter)));
        let mut parts: Vec<(Letter, Rational)> = letters.into_iter().map(part).collect();
        parts.retain(|(_, share)| !share.is_zero());
        Affine { parts, constant: join(self.constant.clone(), other.constant.clone()) }
    }

    fn letters(&self) -> impl Iterator<Item = Letter> {
        self.parts.iter().map(|(letter, _)| *letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(a: i64, b: i64, constant: i64) -> Affine {
        let part = |letter, share: i64| Affine::letter(letter).times(&Rational::from(share));
        part(0, a).plus(&part(1, b)).plus(&Affine::constant(Rational::from(constant)))
    }

    #[test]
    fn letters_that_cancel_are_gone() {
        let difference = form(2, 1, 5).minus(&form(2, 1, 3));
        assert_eq!(difference.as_constant(), Some(&Rational::from(2)));
    }

    #[test]
    fn bounds_hold_where_no_letter_is_negative() {
        let (a, b) = (form(2, 0, 1), form(0, 3, 4));
        assert_eq!(a.upper(&b), form(2, 3, 4));
        assert_eq!(a.lower(&b), form(0, 0, 1));
        assert_eq!(form(-1, 2, 0).lower(&form(0, 1, 1)), form(-1, 1, 0));
    }

    #[test]
    fn a_letter_is_put_in_its_place() {
        assert_eq!(form(2, 1, 3).with(0, &form(0, 1, 10)), form(0, 3, 23));
    }

    #[test]
    fn signs_are_certain_or_not_told() {
        assert!(form(1, 0, 1).is_positive() && !form(1, 0, 0).is_positive());
        assert!(form(1, 0, 0).is_never_negative() && !form(1, -1, 5).is_never_negative());
    }
}
