//! One number as a list of limbs, for loops of small steps.

use super::{LIMB, combination::Divisor};
use crate::number::Natural;
use dashu_int::Word;

/// A natural number, lowest limb first, without zeros on top.
#[derive(Clone)]
pub(crate) struct Limbs(Vec<u64>);

impl Limbs {
    pub(crate) fn one() -> Limbs {
        Limbs(vec![1])
    }

    pub(crate) fn of(number: &Natural) -> Limbs {
        let words = number.as_words().chunks(LIMB / Word::BITS as usize);
        Limbs(words.map(super::limb).collect())
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn multiply(&mut self, factor: u64) {
        if factor == 1 {
            return;
        }
        let mut carry = 0u64;
        for limb in &mut self.0 {
            let product = u128::from(*limb) * u128::from(factor) + u128::from(carry);
            (*limb, carry) = (product as u64, (product >> LIMB) as u64);
        }
        if carry > 0 {
            self.0.push(carry);
        }
        self.trim();
    }

    pub(crate) fn add(&mut self, other: &Limbs) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut carry = false;
        for (place, limb) in self.0.iter_mut().enumerate() {
            let more = other.0.get(place).copied().unwrap_or(0);
            let (once, first) = limb.overflowing_add(more);
            let (twice, second) = once.overflowing_add(u64::from(carry));
            (*limb, carry) = (twice, first | second);
        }
        if carry {
            self.0.push(1);
        }
    }

    /// Divides by a positive number that divides it.
    pub(crate) fn divide_exactly(&mut self, divisor: u64) {
        if divisor == 1 {
            return;
        }
        let Divisor { odd, inverse, shift } = Divisor::new(divisor);
        let mut taken = 0u64;
        for limb in &mut self.0 {
            let (rest, borrowed) = limb.overflowing_sub(taken);
            *limb = rest.wrapping_mul(inverse);
            let product = u128::from(*limb) * u128::from(odd);
            taken = (product >> LIMB) as u64 + u64::from(borrowed);
        }
        if shift > 0 {
            for place in 0..self.0.len() {
                let above = self.0.get(place + 1).copied().unwrap_or(0);
                self.0[place] = self.0[place] >> shift | above << (LIMB as u32 - shift);
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// The number itself.
pub(crate) fn natural_of(limbs: Limbs) -> Natural {
    let words = limbs.0.iter().flat_map(|limb| {
        (0..LIMB).step_by(Word::BITS as usize).map(move |shift| (limb >> shift) as Word)
    });
    Natural::from_words(&words.collect::<Vec<Word>>())
}
