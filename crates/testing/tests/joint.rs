//! Joint results: marginals and covariances are those of the listed outcomes.

use astragal::{Answer, Rational, Value};
use astragal_testing::checks::answer;

/// A number or a truth in a record.
fn field(value: &Value, name: &str) -> Rational {
    let Value::Record(shape, fields) = value else { panic!("{value} is no record") };
    let mut named = shape.fields.iter().zip(fields.iter());
    match named.find(|(field, _)| ***field == *name) {
        Some((_, Value::Bool(truth))) => Rational::from(u8::from(*truth)),
        Some((_, Value::Number(number))) => number.to_rational(),
        _ => panic!("{value} has no number `{name}`"),
    }
}

/// The covariance, outcome by outcome.
fn slowly(answer: &Answer, a: &str, b: &str) -> Rational {
    let mean = |of: &dyn Fn(&Value) -> Rational| {
        let outcomes = answer.outcomes.iter();
        outcomes.fold(Rational::ZERO, |sum, (value, chance)| sum + of(value) * chance)
    };
    let product = mean(&|value| field(value, a) * field(value, b));
    product - mean(&|value| field(value, a)) * mean(&|value| field(value, b))
}

#[test]
fn covariances_are_those_of_the_outcomes() {
    let programs = [
        "3d{{a: 1}, {b: 1}, {a: 1, b: 2}: 2}",
        "let x = d6; {a: x, b: x + d4}",
        "let x = 2d6; {a: x >= 7, b: x}",
        "let x = d6; {a: x - 2 * d4, b: if x > 3 then x else d3}",
        "let p = 4d6; {a: p kh3, b: p cs>=5}",
        "{a: d6, b: d6 = 1}",
    ];
    for program in programs {
        let answer = answer(program);
        for (a, b) in [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")] {
            assert_eq!(answer.covariance(a, b), Some(slowly(&answer, a, b)), "{program}: {a}, {b}");
        }
        assert_eq!(answer.covariance("a", "c"), None);
    }
}

#[test]
fn an_endless_record_has_exact_covariances() {
    let endless = answer("let x = d6!; {a: x, b: x + d6!}");
    assert_eq!(endless.covariance("a", "b").unwrap().to_string(), "266/25");
    assert_eq!(endless.covariance("b", "b").unwrap().to_string(), "532/25");
    assert_eq!(endless.marginal(&["a"]), None);
}

#[test]
fn a_marginal_is_the_distribution_of_the_field() {
    let symbols = "3d{{a: 1}, {b: 1}, {a: 1, b: 2}: 2}";
    let joint = answer(symbols);
    for name in ["a", "b"] {
        let alone = answer(&format!("({symbols}).{name}"));
        assert_eq!(joint.marginal(&[name]), Some(alone.outcomes.to_vec()));
    }
    assert_eq!(joint.marginal(&["c"]), None);
}
