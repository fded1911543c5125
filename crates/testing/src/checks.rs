//! The verbs that tests are written with. Each panics with the program and what is wrong.

use astragal::faces::Scripted;
use astragal::{Answer, Budget, Engine, Program, Rational, Value};

use crate::law::{Kept, Reach};

/// The program, checked.
pub fn program(text: &str) -> Program {
    match Engine::new().compile(text) {
        Ok(program) => program,
        Err(errors) => panic!("{text}\n{errors}"),
    }
}

/// A fraction: `7/432`, `-3`.
pub fn fraction(text: &str) -> Rational {
    match text.trim().parse() {
        Ok(number) => number,
        Err(_) => panic!("`{text}` is not a fraction"),
    }
}

/// The program yields this value (as it is printed) when the dice show these faces.
pub fn rolls(text: &str, faces: &[i64], value: &str) {
    match program(text).roll(&mut Scripted::whole(faces)) {
        Ok(roll) => assert_eq!(roll.value.to_string(), value, "{text} on {faces:?}"),
        Err(errors) => panic!("{text} on {faces:?}\n{errors}"),
    }
}

/// The exact answer of a program with one result.
pub fn answer(text: &str) -> Answer {
    match program(text).odds(&Budget::default()) {
        Ok(odds) => odds.only().clone(),
        Err(errors) => panic!("{text}\n{errors}"),
    }
}

/// The program has exactly these outcomes: `odds("d2", "1 1/2, 2 1/2")`.
pub fn odds(text: &str, table: &str) {
    let answer = answer(text);
    let listed = answer.outcomes.iter().map(|(value, chance)| format!("{value} {chance}"));
    assert_eq!(listed.collect::<Vec<_>>().join(", "), table, "{text}");
    assert_eq!(answer.rest, Rational::ZERO, "{text}");
}

/// The chance of a value.
pub fn chance(text: &str, value: &Value, chance: &str) {
    assert_eq!(answer(text).chance(value), fraction(chance), "{text}");
}

/// The mean.
pub fn mean(text: &str, mean: &str) {
    assert_eq!(answer(text).mean(), Some(fraction(mean)), "{text}");
}

/// The program is refused, or its odds fail, with this code.
pub fn fails(text: &str, code: &str) {
    assert_eq!(failure(text).as_deref(), Some(code), "{text}");
}

/// The code of the first error, of the check or of the odds.
pub fn failure(text: &str) -> Option<String> {
    let found = match Engine::new().compile(text) {
        Err(errors) => errors,
        Ok(program) => program.odds(&Budget::default()).err()?,
    };
    found.list().first().map(|diagnostic| diagnostic.code.to_owned())
}

/// The program keeps the law.
pub fn law(text: &str) -> Kept {
    match crate::law::law(&Engine::new(), text, &Reach::default()) {
        Ok(kept) => kept,
        Err(broken) => panic!("{text}\n{broken}"),
    }
}
