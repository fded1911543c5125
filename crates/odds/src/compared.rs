//! What people ask of an answer that is a number: the chance of as much, and what is reached how often.

use astragal_prob::{Comparison, Rational};

use crate::Budget;
use crate::answer::Answer;

impl Answer {
    /// The exact chance that it is at least this number; none if it is no number, or not known exactly.
    ///
    /// ```
    /// use astragal::{Budget, Engine};
    ///
    /// let odds = Engine::new().compile("show \"a\" = 3d6; show \"b\" = 2d8")?.odds(&Budget::default())?;
    /// let [a, b] = odds.results.as_slice() else { unreachable!() };
    /// assert_eq!(a.at_least(15).unwrap().to_string(), "5/54");
    /// assert_eq!(b.at_least(15).unwrap().to_string(), "3/64");
    /// # Ok::<(), astragal::Diagnostics>(())
    /// ```
    pub fn at_least(&self, number: impl Into<Rational>) -> Option<Rational> {
        self.compared(Comparison::AtLeast, &number.into())
    }

    /// The exact chance that it is at most this number, as [`Answer::at_least`].
    pub fn at_most(&self, number: impl Into<Rational>) -> Option<Rational> {
        self.compared(Comparison::AtMost, &number.into())
    }

    /// The least number that it does not exceed with so many percent; the median is the 50th percentile.
    pub fn percentile(&self, percent: impl Into<Rational>) -> Option<Rational> {
        let chance = percent.into() / Rational::from(100u8);
        self.exact_law()?.percentile(&chance, &Budget::default().meter()).ok()?
    }

    fn compared(&self, comparison: Comparison, number: &Rational) -> Option<Rational> {
        self.exact_law()?.compare(comparison, number, &Budget::default().meter()).ok()
    }
}
