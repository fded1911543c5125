//! Reading dice that are decided: nothing random is left, so the answer is a number.

use astragal_prob::Rational;
use astragal_prob::pool::{Condition, End, Reading, Source, Stage};

use super::Table;

impl Table {
    /// The number that is read off decided dice. None if something is not decided, or has no answer.
    pub(crate) fn fixed_reading(&self, later: &[Stage], reading: &Reading) -> Option<Rational> {
        let mut dice = self.fixed_dice()?;
        for stage in later {
            act(&mut dice, stage)?;
        }
        match reading {
            Reading::Sum => Some(dice.iter().fold(Rational::ZERO, |sum, die| sum + die)),
            Reading::Marks(marks) => Some(Rational::from(worth(&dice, marks))),
            Reading::NthHighest(n) => nth(dice.iter().rev(), *n),
            Reading::NthLowest(n) => nth(dice.iter(), *n),
            Reading::Median => None,
        }
    }

    /// What the dice show, in ascending order.
    fn fixed_dice(&self) -> Option<Vec<Rational>> {
        if !self.is_fixed() {
            return None;
        }
        let mut dice = Vec::new();
        for (_, source) in &self.groups {
            let Source::Fixed(group) = source else { return None };
            dice.extend(group.iter().map(|die| die.shown.clone()));
        }
        dice.sort();
        Some(dice)
    }
}

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
