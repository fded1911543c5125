//! A whole number below a total, each equally likely, from random words (Lemire, without bias).

/// Draws words until one does not favour some numbers.
pub(super) fn below(total: u64, mut word: impl FnMut() -> u64) -> u64 {
    let mut product = u128::from(word()) * u128::from(total);
    if (product as u64) < total {
        let biased = total.wrapping_neg() % total;
        while (product as u64) < biased {
            product = u128::from(word()) * u128::from(total);
        }
    }
    (product >> 64) as u64
}
