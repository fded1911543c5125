//! Exact numbers for a page: the fraction, the words, and a float to draw with.
//!
//! `1000d6` has five thousand outcomes whose fractions have 1,500 digits each; nobody reads them all. So
//! an answer has room for so many characters of fractions, and a longer one is left out, unreduced.

use astragal::Rational;
use astragal_show::decimal::{float, float_of, one_in_of, percent_of, short};
use dashu_base::BitTest;
use dashu_int::UBig;
use serde_json::{Value as Json, json};

/// The longest fraction that is ever given.
const LONGEST: usize = 2000;
/// Fractions of this length are always given.
const SHORT: usize = 60;
/// The characters that all fractions of an answer may have together.
const ROOM: usize = 600_000;

/// How long fractions may be.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    longest: usize,
}

impl Room {
    /// The room for each of so many fractions.
    pub(crate) fn for_each_of(count: usize) -> Room {
        Room { longest: (ROOM / count.max(1)).clamp(SHORT, LONGEST) }
    }

    /// A chance as a weight of a total, written at the end of a text.
    pub(crate) fn write(self, weight: &UBig, total: &UBig, text: &mut String) {
        // Digits, a bar, signs and letters: nothing in them needs an escape.
        text.push_str("{\"fraction\":\"");
        text.push_str(&self.fraction(weight, total));
        text.push_str("\",\"percent\":\"");
        text.push_str(&percent_of(weight, total));
        text.push_str("\",\"one_in\":\"");
        text.push_str(&one_in_of(weight, total));
        text.push_str("\",\"value\":");
        write_float(float_of(weight, total), text);
        text.push('}');
    }

    /// A chance as a fraction.
    pub(crate) fn chance(self, chance: &Rational) -> Json {
        let (_, weight) = chance.numerator().clone().into_parts();
        let total = chance.denominator();
        json!({
            "fraction": self.fraction(&weight, total),
            "percent": percent_of(&weight, total),
            "one_in": one_in_of(&weight, total),
            "value": float_of(&weight, total),
        })
    }

    fn fraction(self, weight: &UBig, total: &UBig) -> String {
        // Three bits are less than a digit. Most of a long total stays when the fraction is reduced.
        if total.bit_len() / 3 > self.longest {
            return String::new();
        }
        let reduced = Rational::from_parts(weight.clone().into(), total.clone());
        Some(reduced.to_string()).filter(|text| text.len() <= self.longest).unwrap_or_default()
    }
}

/// A number as JSON has it.
pub(crate) fn write_float(value: f64, text: &mut String) {
    text.push_str(&Json::from(value).to_string());
}

/// A mean or a variance.
pub(crate) fn quantity(value: &Rational) -> Json {
    let exact = Some(value.to_string()).filter(|text| text.len() <= LONGEST);
    json!({
        "exact": exact.unwrap_or_default(),
        "text": short(value, 4),
        "value": float(value),
    })
}
