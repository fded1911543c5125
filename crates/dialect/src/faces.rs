//! Which faces a die has, and which of them a condition means.
//!
//! Conditions of other tools add up (`r2r4` rerolls twos and fours, whichever comes), while ours act one
//! after the other. So a sum of conditions is first a set of faces; then it is one condition again where
//! that is possible (`r1r2` is `rr<=2`), and otherwise what is left of the die (`d{1, 3, 5, 6}`).

use astragal_syntax::tree::{Comparison, Expr, ExprKind, Sides, UnaryOp};

/// Dice with more faces are not listed face by face.
const MOST_FACES: i64 = 100;

/// One comparison with one whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) comparison: Comparison,
    pub(crate) value: i64,
}

impl Test {
    pub(crate) fn new(comparison: Comparison, value: i64) -> Test {
        Test { comparison, value }
    }

    pub(crate) fn holds(self, face: i64) -> bool {
        match self.comparison {
            Comparison::Equal => face == self.value,
            Comparison::NotEqual => face != self.value,
            Comparison::Less => face < self.value,
            Comparison::AtMost => face <= self.value,
            Comparison::Greater => face > self.value,
            Comparison::AtLeast => face >= self.value,
        }
    }

    /// What holds where this does not.
    pub(crate) fn opposite(self) -> Test {
        let comparison = match self.comparison {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater => Comparison::AtMost,
            Comparison::AtLeast => Comparison::Less,
        };
        Test { comparison, ..self }
    }
}

/// The faces of the die that an expression throws, ascending, if they are known and few.
pub(crate) fn faces_of(dice: &Expr) -> Option<Vec<i64>> {
    let ExprKind::Dice { sides, .. } = &dice.kind else { return None };
    match sides {
        Sides::Number(digits) => {
            let most: i64 = digits.parse().ok().filter(|most| (1..=MOST_FACES).contains(most))?;
            Some((1..=most).collect())
        }
        Sides::Percent => Some((1..=100).collect()),
        Sides::Fate => Some(vec![-1, 0, 1]),
        Sides::Faces(faces) => faces.iter().map(|face| known(&face.value)).collect(),
        Sides::Computed(_) => None,
    }
}

/// A number that is written as one.
pub(crate) fn known(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(digits) => digits.parse().ok(),
        ExprKind::Unary(UnaryOp::Negate, inner) => known(inner)?.checked_neg(),
        _ => None,
    }
}

/// One test that holds for exactly those of `faces` for which any of `tests` holds, if there is one.
pub(crate) fn any_of(tests: &[Test], faces: &[i64]) -> Option<Test> {
    let chosen: Vec<i64> =
        faces.iter().copied().filter(|face| tests.iter().any(|test| test.holds(*face))).collect();
    let (low, high) = (*chosen.first()?, *chosen.last()?);
    if low == high { Some(Test::new(Comparison::Equal, low)) } else { one_end(&chosen, faces) }
}

/// `<=` or `>=` for the faces at one end.
fn one_end(chosen: &[i64], faces: &[i64]) -> Option<Test> {
    let (low, high) = (*chosen.first()?, *chosen.last()?);
    if faces.starts_with(chosen) {
        return Some(Test::new(Comparison::AtMost, high));
    }
    faces.ends_with(chosen).then(|| Test::new(Comparison::AtLeast, low))
}

/// The same test as a trigger of explosions is written: `!5`, `!>=5` or `!<=2`, and nothing else, for `!=` and a
/// strict `!>` are read otherwise.
pub(crate) fn as_trigger(test: Test, faces: Option<&[i64]>) -> Option<Test> {
    match test.comparison {
        Comparison::AtLeast | Comparison::AtMost => Some(test),
        Comparison::Equal if test.value >= 0 => Some(test),
        Comparison::Greater => Some(Test::new(Comparison::AtLeast, test.value.checked_add(1)?)),
        Comparison::Less => Some(Test::new(Comparison::AtMost, test.value.checked_sub(1)?)),
        Comparison::Equal | Comparison::NotEqual => {
            let faces = faces?;
            let chosen: Vec<i64> = faces.iter().copied().filter(|face| test.holds(*face)).collect();
            one_end(&chosen, faces)
        }
    }
}

/// Whether some whole number passes both.
pub(crate) fn overlap(one: Test, other: Test) -> bool {
    // Comparisons change only around their numbers.
    let near = |value: i64| [value.saturating_sub(1), value, value.saturating_add(1)];
    let mut places = near(one.value).into_iter().chain(near(other.value));
    places.any(|value| one.holds(value) && other.holds(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_add_up_to_one_where_they_can() {
        let equal = |value| Test::new(Comparison::Equal, value);
        let faces: Vec<i64> = (1..=6).collect();
        assert_eq!(any_of(&[equal(1), equal(2)], &faces), Some(Test::new(Comparison::AtMost, 2)));
        assert_eq!(any_of(&[equal(6), equal(5)], &faces), Some(Test::new(Comparison::AtLeast, 5)));
        assert_eq!(any_of(&[equal(4), equal(4)], &faces), Some(equal(4)));
        assert_eq!(any_of(&[equal(2), equal(4)], &faces), None);
        assert_eq!(any_of(&[equal(9)], &faces), None);
    }

    #[test]
    fn triggers_are_written_so_that_they_are_read_as_triggers() {
        let faces = [-1, 0, 1];
        let of = |comparison, value| as_trigger(Test::new(comparison, value), Some(&faces));
        assert_eq!(of(Comparison::Greater, 4), Some(Test::new(Comparison::AtLeast, 5)));
        assert_eq!(of(Comparison::Less, 3), Some(Test::new(Comparison::AtMost, 2)));
        assert_eq!(of(Comparison::Equal, 5), Some(Test::new(Comparison::Equal, 5)));
        assert_eq!(of(Comparison::Equal, -1), Some(Test::new(Comparison::AtMost, -1)));
        assert_eq!(of(Comparison::NotEqual, -1), Some(Test::new(Comparison::AtLeast, 0)));
        assert_eq!(of(Comparison::NotEqual, 0), None);
    }

    #[test]
    fn tests_overlap_where_a_number_passes_both() {
        let test = Test::new;
        assert!(overlap(test(Comparison::Greater, 3), test(Comparison::Less, 5)));
        assert!(!overlap(test(Comparison::Greater, 3), test(Comparison::Less, 4)));
        assert!(overlap(test(Comparison::AtLeast, 5), test(Comparison::Equal, 6)));
        assert!(!overlap(test(Comparison::AtLeast, 5), test(Comparison::Equal, 1)));
    }
}
