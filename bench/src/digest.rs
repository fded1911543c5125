//! The digest of an exact answer, by which tools can be compared.
//!
//! Outcomes of weight zero are dropped, the weights are divided by their greatest common divisor, the outcomes
//! sorted (tuples by their items), one line `outcome:numerator` each, then `denominator:D`; of that text the
//! SHA-256. Truths are 0 and 1, tuples `(a,b,c)`. A roll of 1d2 has the text `1:1\n2:1\ndenominator:2\n`.

use std::fmt::Write;

use astragal::{Answer, Value};
use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::UBig;
use sha2::{Digest, Sha256};

/// The digest; none if not every outcome is listed with its exact chance.
pub fn digest(answer: &Answer) -> Option<String> {
    if !answer.rest.is_zero() || !answer.lost.is_zero() {
        return None;
    }
    let mut hash = Sha256::new();
    hash.update(canonical(answer));
    Some(hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

fn canonical(answer: &Answer) -> String {
    let mut common = UBig::ONE;
    for (_, chance) in &answer.outcomes {
        let denominator = chance.denominator();
        if !(&common % denominator).is_zero() {
            common = &common / (&common).gcd(denominator) * denominator;
        }
    }
    // Each chance is reduced, so the numerators over the least common denominator have no common divisor.
    let mut text = String::new();
    for (value, chance) in answer.outcomes.iter().filter(|(_, chance)| !chance.is_zero()) {
        let weight = chance.numerator().unsigned_abs() * (&common / chance.denominator());
        let _ = writeln!(text, "{}:{weight}", outcome(value));
    }
    let _ = writeln!(text, "denominator:{common}");
    text
}

fn outcome(value: &Value) -> String {
    match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::List(items) => {
            format!("({})", items.iter().map(outcome).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal::{Budget, Engine};

    fn answer(program: &str) -> Answer {
        let program = Engine::new().compile(program).unwrap();
        program.odds(&Budget::default()).unwrap().only().clone()
    }

    #[test]
    fn weights_are_reduced() {
        assert_eq!(canonical(&answer("d{1: 2, 2: 2}")), "1:1\n2:1\ndenominator:2\n");
        assert_eq!(canonical(&answer("[d2, 3] == [1, 3]")), "0:1\n1:1\ndenominator:2\n");
        assert_eq!(canonical(&answer("[d2, 3]")), "(1,3):1\n(2,3):1\ndenominator:2\n");
    }

    #[test]
    fn the_endless_has_none() {
        assert!(digest(&answer("d6!")).is_none());
    }
}
