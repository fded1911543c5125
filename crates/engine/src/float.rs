//! From exact numbers to doubles, at the edge: for charts, thresholds and other people's code.

use astragal_prob::Rational;
use astragal_value::Value;

use crate::program::Odds;

/// The double that is nearest to a fraction, however long that is.
///
/// ```
/// use astragal::{Budget, Engine, float};
///
/// let odds = Engine::new().compile("d20 + 5 >= 15")?.odds(&Budget::default())?;
/// let chances: Vec<f64> = odds.only().outcomes.iter().map(|(_, chance)| float(chance)).collect();
/// assert_eq!(chances, [0.45, 0.55]);
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
pub fn float(value: &Rational) -> f64 {
    value.to_f64().value()
}

/// Of the only result, as doubles.
///
/// ```
/// use astragal::{Budget, Engine, Value};
///
/// let odds = Engine::new().compile("2d6")?.odds(&Budget::default())?;
/// assert_eq!(odds.mean_f64(), Some(7.0));
/// assert!((odds.deviation_f64().unwrap() - 2.4152).abs() < 1e-4);
/// assert_eq!(odds.at_least_f64(11), Some(1.0 / 12.0));
/// assert_eq!(odds.chance_f64(&Value::whole(2)), 1.0 / 36.0);
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
impl Odds {
    /// The mean, as [`Answer::mean`](crate::Answer::mean).
    pub fn mean_f64(&self) -> Option<f64> {
        self.only().mean().as_ref().map(float)
    }

    /// The standard deviation.
    pub fn deviation_f64(&self) -> Option<f64> {
        self.only().variance().as_ref().map(|variance| float(variance).sqrt())
    }

    /// The chance of an outcome, as [`Answer::chance`](crate::Answer::chance).
    pub fn chance_f64(&self, value: &Value) -> f64 {
        float(&self.only().chance(value))
    }

    /// The chance of at least this number, as [`Odds::at_least`].
    pub fn at_least_f64(&self, number: impl Into<Rational>) -> Option<f64> {
        self.at_least(number).as_ref().map(float)
    }

    /// The chance of at most this number, as [`Odds::at_most`].
    pub fn at_most_f64(&self, number: impl Into<Rational>) -> Option<f64> {
        self.at_most(number).as_ref().map(float)
    }
}
