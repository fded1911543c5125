//! A chance as people say it: `25/54, 46.30%, 1 in 2.16`.

use astragal::Rational;

use crate::decimal::{exact, percent, scientific};
use crate::rows::one_in;

/// The longest fraction that is told where exactness is the point.
const LONGEST_FRACTION: usize = 120;

/// A chance as people say it: `25/54, 46.30%, 1 in 2.16`.
pub fn said(chance: &Rational) -> String {
    said_with(exact(chance), chance)
}

/// The same with its fraction, unless that fills the screen.
pub fn said_exactly(chance: &Rational) -> String {
    let fraction = Some(chance.to_string()).filter(|text| text.len() <= LONGEST_FRACTION);
    said_with(fraction, chance)
}

fn said_with(fraction: Option<String>, chance: &Rational) -> String {
    let percent = percent(chance);
    let start = match fraction {
        Some(fraction) => format!("{fraction}, {percent}"),
        None if percent.starts_with('<') => format!("≈ {}", scientific(chance)),
        None => percent,
    };
    match () {
        () if chance.is_zero() => "never".into(),
        () if *chance == Rational::ONE => "always".into(),
        () => format!("{start}, 1 in {}", one_in(chance)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_a_fraction_a_percentage_and_one_in_so_many() {
        assert_eq!(
            said(&(Rational::from(25u8) / Rational::from(54u8))),
            "25/54, 46.30%, 1 in 2.16"
        );
        assert_eq!(said(&Rational::ONE), "always");
    }
}
