//! What a sweep found: numbers for each value of its inputs.

use astragal::Rational;

use crate::decimal::{float, percent, short};

/// An input and its values, as they were written.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// In the order of the sweep.
    pub values: Vec<String>,
}

/// One number of a program at each point of a sweep.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What it is: `chance`, `mean`, `success`.
    pub title: String,
    /// A chance, not a mean.
    pub chance: bool,
    /// In the order of the points, where the last input is the fastest; none where there is no such number.
    pub values: Vec<Option<Rational>>,
}

impl Measure {
    /// For drawing: chances in percent.
    pub fn float(&self, at: usize) -> Option<f64> {
        let value = self.values.get(at)?.as_ref()?;
        Some(if self.chance { 100.0 * float(value) } else { float(value) })
    }

    /// The lowest and the highest.
    pub fn range(&self) -> Option<(f64, f64)> {
        let known = (0..self.values.len()).filter_map(|at| self.float(at));
        known.fold(None, |range, value| match range {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        })
    }

    /// For reading, the most exact first: `45.31%`, `45.3%`, `45%`, `45`.
    pub fn texts(&self, at: usize) -> Vec<String> {
        let Some(Some(value)) = self.values.get(at) else { return vec!["–".into()] };
        if !self.chance {
            return [4, 2, 1, 1].map(|places| short(value, places)).to_vec();
        }
        let hundredfold = value * Rational::from(100u8);
        // What is possible is not 0%, and what may fail is not 100%.
        let rounded = |places: usize| match short(&hundredfold, places) {
            text if text == "0" && !value.is_zero() => ["<1", "<0.1"][places].to_owned(),
            text if text == "100" && *value != Rational::ONE => [">99", ">99.9"][places].to_owned(),
            text => text,
        };
        vec![percent(value), rounded(1) + "%", rounded(0) + "%", rounded(0)]
    }
}

/// How many ways there are to write a number, see [`Measure::texts`].
pub const WAYS: usize = 4;

impl Measure {
    /// The number in one of its ways, the last being the shortest.
    pub fn text(&self, at: usize, way: usize) -> String {
        let mut texts = self.texts(at);
        texts.swap_remove(way.min(texts.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(top: u32, bottom: u32, chance: bool) -> Vec<String> {
        let value = Rational::from(top) / Rational::from(bottom);
        Measure { title: "x".into(), chance, values: vec![Some(value)] }.texts(0)
    }

    #[test]
    fn numbers_are_rounded_and_stay_true() {
        assert_eq!(texts(29, 64, true), ["45.31%", "45.3%", "45%", "45"]);
        assert_eq!(texts(1, 3000, true), ["0.03%", "<0.1%", "<1%", "<1"]);
        assert_eq!(texts(2999, 3000, true), ["99.97%", ">99.9%", ">99%", ">99"]);
        assert_eq!(texts(0, 1, true), ["0.00%", "0%", "0%", "0"]);
        assert_eq!(texts(29, 8, false), ["3.625", "3.63", "3.6", "3.6"]);
    }
}
