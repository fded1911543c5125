//! Reading dice that are decided: nothing random is left, so the answer is a number.

use super::{Condition, End, Reading, Source, Stage};
use crate::number::Rational;

/// The number that is read off dice that lie on the table. None if one of them does not, or if there is no answer.
pub fn read_fixed(dice: &[(u64, Source)], stages: &[Stage], reading: &Reading) -> Option<Rational> {
    let mut shown = Vec::new();
    for (_, source) in dice {
        let Source::Fixed(group, _) = source else { return None };
        shown.extend(group.iter().map(|die| die.shown.clone()));
    }
    shown.sort();
    for stage in stages {
        act(&mut shown, stage)?;
    }
    match reading {
        Reading::Sum => Some(shown.iter().fold(Rational::ZERO, |sum, die| sum + die)),
        Reading::Marks(marks) => Some(Rational::from(worth(&shown, marks))),
        Reading::NthHighest(n) => nth(shown.iter().rev(), *n),
        Reading::NthLowest(n) => nth(shown.iter(), *n),
        Reading::Median => None,
    }
}

/// Does to dice in ascending order what a stage does.
fn act(dice: &mut Vec<Rational>, stage: &Stage) -> Option<()> {
    let size = dice.len();
    let clip = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(size);
    match stage {
        Stage::AtLeast(least) => {
            dice.iter_mut().filter(|die| &**die < least).for_each(|die| die.clone_from(least));
        }
        Stage::AtMost(most) => {
            dice.iter_mut().filter(|die| &**die > most).for_each(|die| die.clone_from(most));
        }
        Stage::Keep(End::Highest, n) => drop(dice.drain(..size - clip(*n))),
        Stage::Keep(End::Lowest, n) => dice.truncate(clip(*n)),
        Stage::Drop(End::Highest, n) => dice.truncate(size - clip(*n)),
        Stage::Drop(End::Lowest, n) => drop(dice.drain(..clip(*n))),
        Stage::Keep(End::Middle, _)
        | Stage::Drop(End::Middle, _)
        | Stage::Reroll { .. }
        | Stage::Explode { .. }
        | Stage::InAll { .. }
        | Stage::Unique
        | Stage::Drawn => return None,
    }
    Some(())
}

fn worth(dice: &[Rational], marks: &[(Condition, i8)]) -> i64 {
    let of = |die: &Rational| {
        let hit = marks.iter().filter(|(condition, _)| condition.holds(die));
        hit.map(|(_, worth)| i64::from(*worth)).sum::<i64>()
    };
    dice.iter().map(of).sum()
}

fn nth<'a>(mut dice: impl Iterator<Item = &'a Rational>, n: u64) -> Option<Rational> {
    dice.nth(usize::try_from(n.checked_sub(1)?).ok()?).cloned()
}

#[cfg(test)]
mod tests {
    use super::super::TableDie;
    use super::*;

    #[test]
    fn the_highest_two_of_three_dice_that_lie_there() {
        let die = |shown: i64| TableDie { shown: shown.into(), thrown: shown.into() };
        let dice = [(1, Source::Fixed(vec![die(5), die(2), die(4)], None))];
        let read = |stages: &[Stage], reading| read_fixed(&dice, stages, &reading);
        assert_eq!(read(&[Stage::Keep(End::Highest, 2)], Reading::Sum), Some(Rational::from(9)));
        assert_eq!(read(&[Stage::Drop(End::Highest, 1)], Reading::Sum), Some(Rational::from(6)));
        assert_eq!(read(&[], Reading::NthLowest(2)), Some(Rational::from(4)));
        assert_eq!(read(&[], Reading::NthLowest(4)), None);
    }
}
