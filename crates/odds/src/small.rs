//! Operations on independent small numbers, in machine words.

use astragal_prob::{Law, Meter, OverBudget};
use astragal_value::{Op, Word, apply_to_words};

/// The law of an operation on independent numbers; none if it takes more than words, or can fail.
pub(crate) fn in_words(op: Op, laws: &[Law], meter: &Meter) -> Result<Option<Law>, OverBudget> {
    match (op, laws) {
        (_, [a, b]) => {
            let whole = |a, b| match apply_to_words(op, a, b)? {
                Word::Whole(number) => Some(number),
                Word::Truth(_) => None,
            };
            a.of_pairs(b, &whole, meter)
        }
        (Op::Floor, [a]) => a.of_fractions(&|above, below| Some(above.div_euclid(below)), meter),
        (Op::Ceil, [a]) => {
            let up = |above: i64, below: i64| above.checked_neg()?.div_euclid(below).checked_neg();
            a.of_fractions(&up, meter)
        }
        (Op::Round, [a]) => a.of_fractions(&rounded, meter),
        (Op::Abs, [a]) => {
            let whole = |above: i64, below| if below == 1 { above.checked_abs() } else { None };
            a.of_fractions(&whole, meter)
        }
        _ => Ok(None),
    }
}

/// The nearest whole number; halves go away from zero.
fn rounded(above: i64, below: i64) -> Option<i64> {
    let nearest =
        above.checked_abs()?.checked_mul(2)?.checked_add(below)? / below.checked_mul(2)?;
    Some(nearest * above.signum())
}
