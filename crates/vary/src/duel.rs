//! How often one roll beats another.

use astragal::{Answer, Comparison, Law, Meter, Program, Rational};

use crate::Refusal;

/// Two rolls against each other.
#[derive(Clone, Debug)]
pub struct Duel<'a> {
    /// What they are called.
    pub names: [&'a str; 2],
    /// The first is higher, they are equal, the second is higher.
    pub chances: [Rational; 3],
}

/// A comparison that costs more than is allowed: of which two.
#[derive(Clone, Debug)]
pub struct TooCostly(pub String);

/// What an answer of a program is called beside those of others.
pub fn name_of(program: &Program, answer: &Answer) -> String {
    // The only output of an AnyDice program is known by its text.
    let named = answer.name.as_deref();
    let named = named.filter(|name| answer.missing.is_none() || *name != "output 1");
    let last = || program.text().lines().next_back().unwrap_or_default().trim();
    named.unwrap_or_else(last).to_owned()
}

/// Whether there are at least two, all of one type.
pub fn alike(answers: &[(String, Answer)]) -> Result<(), Refusal> {
    let [(first, one), others @ ..] = answers else { return Err(nothing()) };
    if others.is_empty() {
        return Err(nothing());
    }
    match others.iter().find(|(_, answer)| answer.ty != one.ty) {
        None => Ok(()),
        Some((other, answer)) => Err(Refusal::Asked(format!(
            "`{first}` is a {} and `{other}` is a {}: they cannot be compared; `--field NAME` \
             chooses a part of a result",
            one.ty, answer.ty
        ))),
    }
}

fn nothing() -> Refusal {
    let how = "write two expressions, such as `astragal compare '2d20kh1' 'd20 + 5'`";
    Refusal::Asked(format!("there is nothing to compare with: {how}"))
}

/// Each pair of numbers against each other, thrown independently.
pub fn duels<'a>(
    answers: &'a [(String, Answer)],
    meter: &Meter,
) -> Result<Vec<Duel<'a>>, TooCostly> {
    let mut duels = Vec::new();
    for (at, (first, one)) in answers.iter().enumerate() {
        for (second, other) in &answers[at + 1..] {
            let (Some(one), Some(other)) = (one.exact_law(), other.exact_law()) else { continue };
            let chance = |comparison| {
                Law::independent_compare(comparison, one, other, meter).map_err(|_| {
                    TooCostly(format!("comparing `{first}` with `{second}` costs too much"))
                })
            };
            let (higher, equal) = (chance(Comparison::Greater)?, chance(Comparison::Equal)?);
            let lower = Rational::ONE - &higher - &equal;
            duels.push(Duel { names: [first, second], chances: [higher, equal, lower] });
        }
    }
    Ok(duels)
}
