//! Binomial sums cut short: in how many throws few of many equal dice show a high face.
//!
//! ```text
//! Σ_{c<size} C(n,c) some^c others^{n−c}
//! ```
//!
//! by Horner's rule: each term follows from the one before by a small factor and a small exact divisor, and the
//! sum so far is multiplied by `others`. So everything is a pass over the limbs of a number that grows from
//! nothing; big numbers meet only once, at the end, in the power of `others` that all terms share.

use crate::number::Natural;
use crate::rows::{Limbs, natural_of};

/// The sum, for `size` of at least 1.
pub(crate) fn fewer_than(n: u64, size: u64, some: u64, others: u64) -> Natural {
    let Some(last) = size.checked_sub(1) else { return Natural::ZERO };
    let last = last.min(n);
    let (mut term, mut sum) = (Limbs::one(), Limbs::one());
    for c in 1..=last {
        term.multiply(some);
        term.multiply(n - c + 1);
        term.divide_exactly(c);
        sum.multiply(others);
        sum.add(&term);
    }
    let rest = usize::try_from(n - last).unwrap_or(usize::MAX);
    natural_of(sum) * Natural::from(others).pow(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tails_agree_with_their_terms(
            n in 1u64..90,
            size in 0u64..95,
            some in 0u64..1 << 40,
            others in 0u64..1 << 40,
        ) {
            let mut slow = Natural::ZERO;
            let mut ways = Natural::ONE;
            for c in 0..=n {
                if c < size {
                    let powers = Natural::from(some).pow(c as usize)
                        * Natural::from(others).pow((n - c) as usize);
                    slow += &ways * powers;
                }
                ways = ways * (n - c) / (c + 1);
            }
            prop_assert_eq!(fewer_than(n, size, some, others), slow);
        }
    }
}
