//! Exact rational numbers that are machine words while they fit.
//!
//! Nearly every number of a dice program is a small whole one. [`Number`] keeps those in a word and
//! everything else as a reduced fraction of big integers; the form is canonical, so equality and
//! hashing are structural. A number may grow to [`MAX_BITS`] bits and no further: `9^9^9^9` is an
//! error, not a hang.

use std::cmp::Ordering;
use std::fmt;

use dashu_base::{Abs, BitTest, Sign, Signed, SquareRoot};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::OpError;

/// The most bits that a numerator or a denominator may have.
pub const MAX_BITS: usize = 1 << 16;

/// The bits of a fraction that is read as it stands, as `15/16` or `125/216` is.
const LONGEST_GLANCE: usize = 18;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// A whole number that fits a word. Always used when possible.
    Small(i64),
    /// Anything else.
    Big(Box<RBig>),
}

/// The number written in so few digits that it fits a word.
fn word(digits: &str) -> Option<i64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i64::from(byte - b'0'));
    digits.bytes().try_fold(0, |number, byte| Some(number * 10 + digit(byte)?))
}

impl Number {
    /// How many bits it takes to write it down.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Repr::Small(_) => i64::BITS as usize,
            Repr::Big(number) => number.numerator().bit_len() + number.denominator().bit_len(),
        }
    }

    /// Zero.
    pub const ZERO: Number = Number(Repr::Small(0));
    /// One.
    pub const ONE: Number = Number(Repr::Small(1));

    /// The number written in decimal digits, with at most one dot: `12`, `0.5`.
    pub fn parse(digits: &str) -> Result<Number, OpError> {
        if let Some(word) = word(digits) {
            return Ok(word.into());
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() + fraction.len() > MAX_BITS / 4 {
            return Err(OpError::TooLarge);
        }
        let text = format!("{whole}{fraction}");
        let numerator: UBig = text.parse().map_err(|_| OpError::NotANumber)?;
        let denominator = UBig::from(10u8).pow(fraction.len());
        Ok(RBig::from_parts(numerator.into(), denominator).into())
    }

    /// As a machine word, if it is whole and fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(n) => Some(n),
            Repr::Big(_) => None,
        }
    }

    /// The same if it is not negative.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_i64().and_then(|n| u64::try_from(n).ok())
    }

    /// As a fraction of big integers.
    pub fn to_rational(&self) -> RBig {
        match &self.0 {
            Repr::Small(n) => RBig::from(*n),
            Repr::Big(r) => (**r).clone(),
        }
    }

    /// Whether it is whole.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Repr::Small(_) => true,
            Repr::Big(r) => r.denominator().is_one(),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n) => *n < 0,
            Repr::Big(r) => r.is_negative(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Small(0)
    }

    /// The sum.
    pub fn add(&self, other: &Number) -> Result<Number, OpError> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Ok(sum.into());
        }
        Number::checked(self.to_rational() + other.to_rational())
    }

    /// The sum, however long it is: numbers have a size that programs keep to, but outcomes do not depend on it.
    #[must_use]
    pub fn plus(&self, other: &Number) -> Number {
        let exact = || Number::from(self.to_rational() + other.to_rational());
        self.add(other).unwrap_or_else(|_| exact())
    }

    /// The product, however long it is.
    #[must_use]
    pub fn times(&self, other: &Number) -> Number {
        let exact = || Number::from(self.to_rational() * other.to_rational());
        self.multiply(other).unwrap_or_else(|_| exact())
    }

    /// The difference.
    pub fn subtract(&self, other: &Number) -> Result<Number, OpError> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Ok(difference.into());
        }
        Number::checked(self.to_rational() - other.to_rational())
    }

    /// The product.
    pub fn multiply(&self, other: &Number) -> Result<Number, OpError> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(product.into());
        }
        Number::checked(self.to_rational() * other.to_rational())
    }

    /// The exact quotient.
    pub fn divide(&self, other: &Number) -> Result<Number, OpError> {
        if other.is_zero() {
            return Err(OpError::DivisionByZero);
        }
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && a.checked_rem(*b) == Some(0)
        {
            return Ok((a / b).into());
        }
        Number::checked(self.to_rational() / other.to_rational())
    }

    /// The quotient, rounded down.
    pub fn floor_divide(&self, other: &Number) -> Result<Number, OpError> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let (Some(quotient), Some(rest)) = (a.checked_div(*b), a.checked_rem(*b))
        {
            let above = rest != 0 && (rest < 0) != (*b < 0);
            return Ok((quotient - i64::from(above)).into());
        }
        Ok(self.divide(other)?.floor())
    }

    /// What [`Number::floor_divide`] leaves: it has the sign of the divisor.
    pub fn remainder(&self, other: &Number) -> Result<Number, OpError> {
        self.subtract(&other.multiply(&self.floor_divide(other)?)?)
    }

    /// The power with a whole exponent.
    pub fn power(&self, exponent: &Number) -> Result<Number, OpError> {
        if !exponent.is_whole() {
            return Err(OpError::ExponentNotWhole);
        }
        if matches!(self.0, Repr::Small(0 | 1)) && !exponent.is_negative() {
            return Ok(if exponent.is_zero() { Number::ONE } else { self.clone() });
        }
        let base = self.to_rational();
        let bits = base.numerator().bit_len().max(base.denominator().bit_len());
        let n = exponent.to_i64().ok_or(OpError::TooLarge)?;
        let size = isize::try_from(n.unsigned_abs()).map_err(|_| OpError::TooLarge)?;
        if bits.saturating_sub(1).saturating_mul(size.unsigned_abs()) > MAX_BITS {
            return Err(OpError::TooLarge);
        }
        if n < 0 && self.is_zero() {
            return Err(OpError::DivisionByZero);
        }
        let power = base.pow(size);
        Number::checked(if n < 0 { RBig::ONE / power } else { power })
    }

    /// The number with the other sign.
    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Small(n) if *n != i64::MIN => Number(Repr::Small(-n)),
            _ => (-self.to_rational()).into(),
        }
    }

    /// The distance from zero.
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Rounded down.
    pub fn floor(&self) -> Number {
        match &self.0 {
            Repr::Small(_) => self.clone(),
            Repr::Big(r) => RBig::from(r.floor()).into(),
        }
    }

    /// Rounded up.
    pub fn ceil(&self) -> Number {
        match &self.0 {
            Repr::Small(_) => self.clone(),
            Repr::Big(r) => RBig::from(r.ceil()).into(),
        }
    }

    /// Rounded to the nearest whole number, halves away from zero.
    pub fn round(&self) -> Number {
        match &self.0 {
            Repr::Small(_) => self.clone(),
            Repr::Big(r) => {
                let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
                let away = ((**r).clone().abs() + half).floor();
                RBig::from(if r.sign() == Sign::Negative { -away } else { away }).into()
            }
        }
    }

    /// The square root to nine decimals, exact where it has no more; that of a negative number is 0.
    pub fn root(&self) -> Number {
        let scale = UBig::from(10u8).pow(9);
        let square = self.to_rational() * RBig::from(&scale * &scale * UBig::from(4u8));
        // The root of four times as much, halved, is rounded to the nearest.
        let twice = UBig::try_from(square.floor()).unwrap_or(UBig::ZERO).sqrt();
        let nearest = (twice + UBig::ONE) / UBig::from(2u8);
        RBig::from_parts(IBig::from(nearest), scale).into()
    }

    /// To four decimals, if it is a fraction that is too long to be taken in at a glance: `12.2446`.
    pub fn roughly(&self) -> Option<String> {
        let long = matches!(self.0, Repr::Big(_)) && self.bits() > LONGEST_GLANCE;
        (long && !self.is_whole()).then(|| self.decimals())
    }

    /// To four decimals, as far as there are any: `10.5`.
    pub fn decimals(&self) -> String {
        let scaled = self.to_rational() * RBig::from(10_000);
        let scaled = Number::from(scaled).round().to_rational();
        let digits = format!("{:05}", scaled.numerator().clone().abs());
        let (whole, decimals) = digits.split_at(digits.len() - 4);
        let minus = if self.is_negative() { "-" } else { "" };
        format!("{minus}{whole}.{decimals}").trim_end_matches('0').trim_end_matches('.').into()
    }

    /// A chance in hundredths, to two decimals: `45.83%`.
    pub fn percent(&self) -> String {
        let scaled = self.to_rational() * RBig::from(10_000);
        let scaled = Number::from(scaled).round().to_rational();
        let digits = format!("{:03}", scaled.numerator().clone().abs());
        let (whole, decimals) = digits.split_at(digits.len() - 2);
        let minus = if self.is_negative() { "-" } else { "" };
        format!("{minus}{whole}.{decimals}%")
    }

    /// What something is worth, in words: a chance of a yes, or a number.
    pub fn worth(&self, is_chance: bool) -> String {
        if is_chance { self.percent() } else { self.decimals() }
    }

    /// A number, unless it has grown beyond [`MAX_BITS`].
    pub fn bounded(value: RBig) -> Result<Number, OpError> {
        Number::checked(value)
    }

    /// Refuses a number that has grown beyond [`MAX_BITS`].
    fn checked(value: RBig) -> Result<Number, OpError> {
        if value.numerator().bit_len() > MAX_BITS || value.denominator().bit_len() > MAX_BITS {
            return Err(OpError::TooLarge);
        }
        Ok(value.into())
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Self {
        Number(Repr::Small(n))
    }
}

impl From<RBig> for Number {
    fn from(value: RBig) -> Self {
        if value.denominator().is_one()
            && let Ok(n) = i64::try_from(value.numerator().clone())
        {
            return Number(Repr::Small(n));
        }
        Number(Repr::Big(Box::new(value)))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n) => write!(f, "{n}"),
            Repr::Big(r) => write!(f, "{r}"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(text: &str) -> Number {
        match text.strip_prefix('-') {
            Some(rest) => Number::parse(rest).unwrap().negate(),
            None => Number::parse(text).unwrap(),
        }
    }

    #[test]
    fn division_rounds_down_and_the_remainder_follows() {
        assert_eq!(n("-7").floor_divide(&n("2")).unwrap(), n("-4"));
        assert_eq!(n("-7").remainder(&n("3")).unwrap(), n("2"));
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, -5), (i64::MIN, -1)]
        {
            let (a, b) = (Number::from(a), Number::from(b));
            let exact = Number::checked(a.to_rational() / b.to_rational()).unwrap();
            assert_eq!(a.divide(&b).unwrap(), exact);
            assert_eq!(a.floor_divide(&b).unwrap(), exact.floor());
        }
        assert_eq!(n("1").floor_divide(&n("0")), Err(OpError::DivisionByZero));
        assert_eq!(n("7").divide(&n("2")).unwrap().to_string(), "7/2");
        assert_eq!(n("1").divide(&n("0")), Err(OpError::DivisionByZero));
    }

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(n("2.5").round(), n("3"));
        assert_eq!(n("-2.5").round(), n("-3"));
        assert_eq!(n("-2.5").floor(), n("-3"));
        assert_eq!(n("-2.5").ceil(), n("-2"));
    }

    #[test]
    fn powers_stay_bounded() {
        assert_eq!(n("2").power(&n("10")).unwrap(), n("1024"));
        assert_eq!(n("2").power(&n("-1")).unwrap(), n("0.5"));
        assert_eq!(n("9").power(&n("387420489")), Err(OpError::TooLarge));
        assert_eq!(n("0").power(&n("-1")), Err(OpError::DivisionByZero));
        assert_eq!(n("2").power(&n("0.5")), Err(OpError::ExponentNotWhole));
    }

    #[test]
    fn words_overflow_into_big_numbers_and_come_back() {
        let top = Number::from(i64::MAX);
        let above = top.add(&Number::ONE).unwrap();
        assert_eq!(above.to_string(), "9223372036854775808");
        assert_eq!(above.subtract(&Number::ONE).unwrap(), top);
        assert_eq!(Number::from(i64::MIN).negate(), above);
    }
}
