//! What stays of a roll: a value as text, so that it can be put before later lines and into a file.
//!
//! ```text
//! let hp = 2d6 + 3     stays as    let hp = 10
//! let pool = 5d10      stays as    let pool = {3, 7, 10, 1, 8} # = 29
//! ```
//!
//! Dice that were thrown lie on the table: a group of what they show can be kept from, counted and looked at
//! as the dice could, and cannot be thrown again (decision 28).

use std::ops::Range;
use std::sync::Arc;

use astragal::record::{PoolDie, StepKind, Suffixes};
use astragal::{Number, Program, Rational, Roll, Sources, Span, Value};
use astragal_assist::definitions::{Definition, Kind};

use super::literal::{joined, literal};

/// More dice than this stay as their sum.
const MOST_DICE: usize = 1000;
/// A longer value is no value for a line.
const LONGEST: usize = 64 << 10;

/// The name of the last result.
pub(super) const LAST: &str = "_";

/// What a name stands for from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) name: String,
    /// As the language writes it.
    pub(super) text: String,
    /// What the dice are worth, if they stay dice.
    pub(super) total: Option<String>,
}

impl Kept {
    fn value(name: &str, value: &Value) -> Option<Kept> {
        let text = literal(value).filter(|text| text.len() <= LONGEST)?;
        Some(Kept { name: name.to_owned(), text, total: None })
    }

    /// A number and what each label contributes to it: `7 [fire] + 3 [cold] + 2`.
    fn labelled(name: &str, number: &Number, labels: &[(Arc<str>, Number)]) -> Kept {
        let value = |number: &Rational| {
            let text = number.to_string();
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
            if is_plain { text } else { format!("({text})") }
        };
        let mut rest = number.to_rational();
        let mut parts = Vec::new();
        for (label, share) in labels {
            let share = share.to_rational();
            parts.push(format!("{} [{label}]", value(&share)));
            rest -= share;
        }
        if !rest.is_zero() {
            parts.push(value(&rest));
        }
        Kept { name: name.to_owned(), text: parts.join(" + "), total: None }
    }

    /// As a definition of the session.
    pub(super) fn definition(&self) -> Definition {
        let comment = self.total.as_ref().map(|total| format!(" # = {total}")).unwrap_or_default();
        let text = format!("let {} = {}{comment}", self.name, self.text);
        Definition { name: self.name.clone(), text, kind: Kind::Let, doc: None }
    }
}

/// An explanation that calls kept dice by their name instead of writing them out once more:
/// `pool count >= 8: 3 7 10✓` for `pool, {3, 7, 10} count >= 8: 3 7 10✓`.
pub(super) fn by_name(told: String, before: &str, typed: &str) -> String {
    let kept = before.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix("let ")?.split_once(" = ")?;
        let (dice, _) = value.rsplit_once(" # = ")?;
        // What was typed stays as it was typed.
        (dice.starts_with('{') && !typed.contains(dice)).then_some((name, dice))
    });
    kept.fold(told, |told, (name, dice)| {
        told.replace(&format!("{name}, {dice}"), name).replace(dice, name)
    })
}

/// A line that can only be said of dice. Where nothing like it is said, a roll adds them up at once.
pub(super) fn looks_at_dice(name: &str) -> String {
    format!("hand({name})")
}

/// What a name was bound to by a statement at this place of a program.
pub(super) fn bound(
    program: &Program,
    roll: &Roll,
    name: &str,
    place: &Range<usize>,
) -> Option<Kept> {
    let found = roll.steps.iter().rev().find_map(|step| match &step.kind {
        StepKind::Named { name: known, value, pool, labels }
            if step.depth == 0 && &**known == name && lies_in(step.span, place) =>
        {
            Some((value, *pool, labels.as_deref()))
        }
        _ => None,
    });
    match found {
        Some((Value::Number(number), _, Some(labels))) => {
            Some(Kept::labelled(name, number, labels))
        }
        Some((value, pool, _)) => {
            let dice = pool.and_then(|step| dice(program, roll, name, step));
            dice.or_else(|| Kept::value(name, value))
        }
        // There were too many steps to record them all.
        None => {
            let mut results = roll.results().into_iter();
            let shown = results.find(|(known, _)| known.is_some_and(|known| &**known == name));
            shown.and_then(|(_, value)| Kept::value(name, value))
        }
    }
}

/// The last result, if its last statement stands at this place.
pub(super) fn last(program: &Program, roll: &Roll, place: &Range<usize>) -> Option<Kept> {
    let whole = |span: Span| lies_in(span, place) && span.range() == *place;
    let thrown = (0..roll.steps.len()).rev().find(|&at| {
        let step = &roll.steps[at];
        step.depth == 0 && whole(step.span) && matches!(step.kind, StepKind::Pool { .. })
    });
    let dice = thrown.and_then(|at| dice(program, roll, LAST, at));
    dice.or_else(|| Kept::value(LAST, roll.results().last()?.1))
}

fn lies_in(span: Span, place: &Range<usize>) -> bool {
    let range = span.range();
    span.source == Sources::PROGRAM && place.start <= range.start && range.end <= place.end
}

/// The dice of a pool as a group of what they show; none if a number says as much.
fn dice(program: &Program, roll: &Roll, name: &str, at: usize) -> Option<Kept> {
    let step = roll.steps.get(at)?;
    let StepKind::Pool { suffixes, dice, total, .. } = &step.kind else { return None };
    if is_counted(suffixes) || dice.len() > MOST_DICE {
        return None;
    }
    let dice = roll.dice_of(dice).into_iter().filter(|die| die.fates.kept());
    let shown: Vec<Value> = dice.map(|PoolDie { shows, .. }| shows).collect();
    if shown.iter().any(|face| face.as_number().is_none()) {
        return None;
    }
    let written = program.hints().sources().slice(step.span);
    let text = match shown.len() {
        0 => "0d6".into(),
        // `d20` and `2d20kh1` are read as numbers; `(pool)d10` is a pool, even of one die.
        1 if written.starts_with('d') || !suffixes.as_slice().is_empty() => return None,
        _ => format!("{{{}}}", joined(shown.iter().map(literal))?),
    };
    Some(Kept { name: name.to_owned(), text, total: Some(total.value().to_string()) })
}

/// A pool that was counted is worth its marks, not what its dice show.
fn is_counted(suffixes: &Suffixes) -> bool {
    suffixes.as_slice().iter().any(|said| said.words.starts_with("count"))
}

#[cfg(test)]
mod tests {
    use astragal::Engine;
    use astragal::faces::Scripted;

    use super::*;

    /// What stays of `let x = …`, thrown with these faces.
    fn stays(expression: &str, faces: &[i64]) -> String {
        let text = format!("let x = {expression}");
        let compiled = |end: &str| Engine::new().compile(&format!("{text}\n{end}"));
        let program = compiled(&looks_at_dice("x")).or_else(|_| compiled("x"));
        let program = program.unwrap_or_else(|wrong| panic!("{wrong}"));
        let roll = program.roll(&mut Scripted::whole(faces)).unwrap_or_else(|w| panic!("{w}"));
        let kept = bound(&program, &roll, "x", &(0..text.len()));
        kept.map_or_else(|| "nothing".into(), |kept| kept.definition().text)
    }

    #[test]
    fn dice_stay_dice_and_numbers_numbers() {
        assert_eq!(stays("2d6 + 3", &[3, 4]), "let x = 10");
        assert_eq!(stays("3d10", &[3, 10, 1]), "let x = {3, 10, 1} # = 14");
        assert_eq!(stays("4d6kh3", &[3, 6, 2, 5]), "let x = {3, 6, 5} # = 14");
        assert_eq!(stays("2d6!", &[6, 1, 2]), "let x = {6, 1, 2} # = 9");
        assert_eq!(stays("(1)d10", &[7]), "let x = {7} # = 7");
        assert_eq!(stays("0d6", &[]), "let x = 0d6 # = 0");
    }

    #[test]
    fn labels_stay() {
        assert_eq!(stays("2d6 [fire]", &[3, 4]), "let x = 7 [fire]");
        assert_eq!(
            stays("2d6 [fire] * 2 - d8 [cold] / 2 + 1", &[3, 4, 5]),
            "let x = 14 [fire] + (-5/2) [cold] + 1"
        );
        assert_eq!(stays("2d6 [fire] > 3", &[3, 4]), "let x = true");
    }

    #[test]
    fn kept_dice_are_called_by_their_name() {
        let before = "let n = 3\nlet pool = {3, 10} # = 13\n";
        let named = |told: &str, typed: &str| by_name(told.into(), before, typed);
        assert_eq!(
            named("pool, {3, 10} count >= 8: 3 10✓ = 1", "pool cs>=8"),
            "pool count >= 8: 3 10✓ = 1"
        );
        assert_eq!(named("{3, 10}: 3 10 = 13", "pool + 1"), "pool: 3 10 = 13");
        assert_eq!(named("{3, 10}: 3 10 = 13", "{3, 10}"), "{3, 10}: 3 10 = 13");
    }

    #[test]
    fn a_single_die_and_a_count_are_numbers() {
        assert_eq!(stays("d20", &[17]), "let x = 17");
        assert_eq!(stays("2d20kh1", &[17, 3]), "let x = 17");
        assert_eq!(stays("3d10 cs>=8", &[8, 9, 1]), "let x = 2");
    }

    #[test]
    fn other_values_stay_as_they_are() {
        assert_eq!(stays("2d{\"sun\", \"moon\"}", &[2, 1]), "let x = [\"moon\", \"sun\"]");
        assert_eq!(stays("{hp: 2d6, up: d2 = 1}", &[3, 4, 1]), "let x = {hp: 7, up: true}");
        assert_eq!(stays("(do let x = 5; x + d6 end)", &[3]), "let x = 8");
    }
}
