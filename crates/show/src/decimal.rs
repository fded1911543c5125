//! Exact fractions as decimals.
//!
//! A chance may have a denominator of a thousand digits, far beyond what a float can hold. The decimals
//! shown are therefore made by whole-number division, rounded once, halves away from zero. Mostly the first bits of
//! both numbers decide it, see `leading.rs`: a table has thousands of such decimals.

use astragal::Rational;
use dashu_base::{BitTest, Sign, SquareRoot};
use dashu_int::UBig;

use crate::leading::{divided, leading};

/// A fraction longer than this is shown as a decimal.
const LONG: usize = 40;

/// The bits of a count that is still written out: up to a million millions.
const LONGEST_COUNT: usize = 40;

/// Rounded to so many places: `fixed(1/3, 2)` is `0.33`.
pub fn fixed(value: &Rational, places: usize) -> String {
    let (sign, top, bottom) = parts(value);
    let scaled = divide_rounded(&(top * ten_to(places)), &bottom);
    let minus = if sign == Sign::Negative && scaled != UBig::ZERO { "-" } else { "" };
    format!("{minus}{}", with_point(&scaled, places))
}

/// Rounded to so many places, without zeros at the end: `12.5`, `7`.
pub fn short(value: &Rational, places: usize) -> String {
    without_zeros(&fixed(value, places))
}

/// The square root of a value that is not negative, rounded to so many places.
pub fn root(value: &Rational, places: usize) -> Rational {
    let (_, top, bottom) = parts(value);
    // The root of 4·x, rounded down, and half of it rounded, is the root of x, rounded.
    let four = top * ten_to(2 * places) * UBig::from(4u8) / bottom;
    let scaled = (four.sqrt() + UBig::ONE) / UBig::from(2u8);
    Rational::from_parts(scaled.into(), ten_to(places))
}

/// A chance in percent: `30.56%`, `<0.01%`, `>99.99%`.
pub fn percent(chance: &Rational) -> String {
    let (_, top, bottom) = parts(chance);
    percent_of(&top, &bottom)
}

/// The same of a weight and the total of all weights, which need not be a reduced fraction.
pub fn percent_of(weight: &UBig, total: &UBig) -> String {
    let text = with_point(&divided(weight, total, 10_000), 2);
    if text == "0.00" && *weight != UBig::ZERO {
        return "<0.01%".into();
    }
    if text == "100.00" && weight != total {
        return ">99.99%".into();
    }
    format!("{text}%")
}

/// One in so many, of a weight and a total: `3.27`, `1.7e80`, or `never`.
pub fn one_in_of(weight: &UBig, total: &UBig) -> String {
    if *weight == UBig::ZERO {
        return "never".into();
    }
    if total.bit_len().saturating_sub(weight.bit_len()) > LONGEST_COUNT {
        return about(weight, total);
    }
    without_zeros(&with_point(&divided(total, weight, 100), 2))
}

/// How many times a tiny weight fits into its total, in scientific notation with two digits.
fn about(weight: &UBig, total: &UBig) -> String {
    let (quotient, twos) = quotient(total, weight);
    let tens = (quotient.log2() + twos as f64) * std::f64::consts::LOG10_2;
    let (exponent, mantissa) = (tens.floor(), 10f64.powf(tens - tens.floor()));
    // 9.97 would be rounded to 10.0.
    match mantissa >= 9.95 {
        true => format!("1e{}", exponent + 1.0),
        false => format!("{}e{exponent}", without_zeros(&format!("{mantissa:.1}"))),
    }
}

/// A weight's share of a total as a float: for drawing, never for reckoning.
pub fn float_of(weight: &UBig, total: &UBig) -> f64 {
    let (quotient, twos) = quotient(weight, total);
    let power = i32::try_from(twos).unwrap_or(i32::MIN);
    // In two steps, so that a tiny share does not vanish before its time.
    quotient * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
}

/// About `top / bottom`, as a number and a power of two.
fn quotient(top: &UBig, bottom: &UBig) -> (f64, i64) {
    let ((top, up), (bottom, down)) = (leading(top), leading(bottom));
    (top as f64 / bottom as f64, up as i64 - down as i64)
}

/// A number as a float: for drawing, never for reckoning.
pub fn float(value: &Rational) -> f64 {
    let (sign, top, bottom) = parts(value);
    let share = float_of(&top, &bottom);
    if sign == Sign::Negative { -share } else { share }
}

/// A small positive number in scientific notation with two digits: `1.7e-8`.
pub fn scientific(value: &Rational) -> String {
    scientific_to(value, 2)
}

/// The same with so many digits.
fn scientific_to(value: &Rational, digits: usize) -> String {
    let (sign, top, bottom) = parts(value);
    if top == UBig::ZERO {
        return "0".into();
    }
    let minus = if sign == Sign::Negative { "-" } else { "" };
    // The value is more than the power of two, so this is never too large, and at most by three too small.
    let twos = top.bit_len() as f64 - bottom.bit_len() as f64 - 1.0;
    let mut exponent = (twos * std::f64::consts::LOG10_2).floor() as i64 - 1;
    let mut mantissa = mantissa(&top, &bottom, exponent, digits);
    while mantissa >= ten_to(digits) {
        exponent += 1;
        mantissa = self::mantissa(&top, &bottom, exponent, digits);
    }
    let text = without_zeros(&with_point(&mantissa, digits - 1));
    format!("{minus}{text}e{exponent}")
}

/// Digits after the point, and digits of a number that is too small for them, in a spreadsheet.
const PLACES: usize = 15;

/// A number as spreadsheets read it: `0.0162037037037037`, and `1.65381716879202e-80` where places would show
/// nothing of it.
pub fn plain(value: &Rational) -> String {
    let (_, top, bottom) = parts(value);
    match top * ten_to(4) < bottom {
        true => scientific_to(value, PLACES),
        false => short(value, PLACES),
    }
}

/// A fraction as it is, if it is short enough to be read.
pub fn exact(value: &Rational) -> Option<String> {
    // A number of so many bits has more digits than that; it is not even written out.
    let too_long = value.denominator().bit_len() + value.numerator().bit_len() > 4 * LONG;
    let text = (!too_long).then(|| value.to_string())?;
    (text.len() <= LONG).then_some(text)
}

/// A number for reading: an exact decimal, or a rounded one that says so.
pub fn readable(value: &Rational) -> String {
    let decimal = short(value, 4);
    match exact(value) {
        _ if decimal.len() > LONG => format!("≈ {}", scientific(value)),
        _ if is_exact(value, 4) => decimal,
        Some(exact) => format!("{decimal} (exactly {exact})"),
        None => format!("≈ {decimal}"),
    }
}

/// A small chance for reading: `1.7e-8 = 1/60466176`, or `≈ 1.7e-80`.
pub fn readable_chance(value: &Rational) -> String {
    match exact(value) {
        Some(exact) => format!("{} = {exact}", scientific(value)),
        None => format!("≈ {}", scientific(value)),
    }
}

fn is_exact(value: &Rational, places: usize) -> bool {
    ten_to(places) % value.denominator() == UBig::ZERO
}

fn parts(value: &Rational) -> (Sign, UBig, UBig) {
    let (top, bottom) = value.clone().into_parts();
    let (sign, top) = top.into_parts();
    (sign, top, bottom)
}

fn ten_to(places: usize) -> UBig {
    UBig::from(10u8).pow(places)
}

fn divide_rounded(top: &UBig, bottom: &UBig) -> UBig {
    (top * UBig::from(2u8) + bottom) / (bottom * UBig::from(2u8))
}

/// value · 10^(digits − 1 − exponent), rounded: so many digits if the exponent is right.
fn mantissa(top: &UBig, bottom: &UBig, exponent: i64, digits: usize) -> UBig {
    let shift = digits as i64 - 1 - exponent;
    let by = ten_to(usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX));
    if shift >= 0 {
        divide_rounded(&(top * by), bottom)
    } else {
        divide_rounded(top, &(bottom * by))
    }
}

fn with_point(scaled: &UBig, places: usize) -> String {
    let text = format!("{:0>1$}", scaled.to_string(), places + 1);
    let (whole, decimals) = text.split_at(text.len() - places);
    if places == 0 { whole.to_owned() } else { format!("{whole}.{decimals}") }
}

fn without_zeros(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(top: i64, bottom: u64) -> Rational {
        Rational::from(top) / Rational::from(bottom)
    }

    fn tiny() -> Rational {
        Rational::from_parts(1.into(), UBig::from(6u8).pow(1000))
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        assert_eq!(fixed(&ratio(1, 8), 2), "0.13");
        assert_eq!(fixed(&ratio(-1, 8), 2), "-0.13");
        assert_eq!(fixed(&ratio(-1, 1000), 2), "0.00");
        assert_eq!(fixed(&ratio(199, 2), 0), "100");
        assert_eq!(short(&ratio(7, 2), 4), "3.5");
        assert_eq!(short(&ratio(100, 1), 4), "100");
    }

    #[test]
    fn huge_denominators_do_no_harm() {
        assert_eq!(fixed(&tiny(), 3), "0.000");
        assert_eq!(scientific(&tiny()), "7.1e-779");
        assert_eq!(fixed(&(Rational::ONE - tiny()), 3), "1.000");
        assert_eq!(exact(&tiny()), None);
        assert_eq!(percent(&tiny()), "<0.01%");
        assert_eq!(percent(&(Rational::ONE - tiny())), ">99.99%");
    }

    #[test]
    fn scientific_notation_has_two_digits() {
        assert_eq!(scientific(&ratio(1, 60_466_176)), "1.7e-8");
        assert_eq!(scientific(&ratio(1, 1000)), "1e-3");
        assert_eq!(scientific(&ratio(999, 1_000_000)), "1e-3");
        assert_eq!(scientific(&ratio(-25, 1)), "-2.5e1");
        assert_eq!(scientific(&ratio(10, 1)), "1e1");
        assert_eq!(scientific(&ratio(995, 1)), "1e3");
    }

    #[test]
    fn spreadsheets_see_something_of_tiny_chances() {
        assert_eq!(plain(&ratio(7, 432)), "0.016203703703704");
        assert_eq!(plain(&ratio(1, 60_466_176)), "1.65381716879202e-8");
        assert_eq!(plain(&tiny()), "7.05910458616523e-779");
        assert_eq!(plain(&ratio(0, 1)), "0");
        assert_eq!(plain(&ratio(-7, 2)), "-3.5");
    }

    #[test]
    fn one_in_so_many_is_a_count_or_a_magnitude() {
        let of = |value: &Rational| {
            let (_, top, bottom) = parts(value);
            (one_in_of(&top, &bottom), float_of(&top, &bottom))
        };
        assert_eq!(of(&ratio(25, 54)), ("2.16".into(), 25.0 / 54.0));
        assert_eq!(of(&ratio(0, 1)), ("never".into(), 0.0));
        assert_eq!(of(&tiny()), ("1.4e778".into(), 0.0));
        assert_eq!(of(&(ratio(1, 1 << 62) / ratio(1 << 62, 1))).0, "2.1e37");
        assert_eq!(float(&ratio(-7, 2)), -3.5);
    }

    #[test]
    fn roots_are_rounded() {
        assert_eq!(root(&ratio(35, 12), 3), ratio(1708, 1000));
        assert_eq!(root(&ratio(4, 1), 3), ratio(2, 1));
        assert_eq!(root(&ratio(0, 1), 3), ratio(0, 1));
    }

    #[test]
    fn readable_numbers_say_whether_they_are_exact() {
        assert_eq!(readable(&ratio(7, 1)), "7");
        assert_eq!(readable(&ratio(21, 2)), "10.5");
        assert_eq!(readable(&ratio(15869, 1296)), "12.2446 (exactly 15869/1296)");
        assert_eq!(readable(&(Rational::ONE / tiny())), "≈ 1.4e778");
    }
}
