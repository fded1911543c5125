//! Dice that lie on the table from one question to the next.
//!
//! They are kept in the one form in which rolls name them too ([`Laid`]): what each die shows and is marked with, suffixes having
//! acted. So equal dice are one, and a roll finds what is known of its own.

use astragal_prob::pool::{Condition, Source, TableDie};
use astragal_prob::{Comparison, Numbered, Rational};
use astragal_program::points::Laid;
use astragal_value::Number;

use crate::state::{PoolRef, Shared, State, Sym, Table, VarLaw};

/// All dice that are held, each set of them once, as they lie on a table.
#[derive(Default)]
pub(super) struct Dice {
    all: Numbered<Laid>,
    tables: Vec<Shared<Table>>,
}

impl Dice {
    /// The number of some dice.
    pub(super) fn number(&mut self, laid: Laid) -> u32 {
        let number = self.all.number(laid);
        if number == self.tables.len() {
            let die = |(shows, _): &(Number, i64)| {
                let shown = shows.to_rational();
                TableDie { thrown: shown.clone(), shown }
            };
            let dice = self.all.list[number].dice().iter().map(die).collect();
            let groups = vec![(1, Source::Fixed(dice, None))];
            self.tables.push(Shared::new(Table { groups, random: None, stages: Vec::new() }));
        }
        number as u32
    }

    /// Dice by their number.
    pub(super) fn laid(&self, number: u32) -> &Laid {
        &self.all.list[number as usize]
    }

    /// Puts dice on the table of a state.
    pub(super) fn pool(&self, number: u32, state: &mut State) -> Sym {
        let table = self.tables[number as usize].clone();
        let var = state.variable(VarLaw::Dice(table));
        Sym::Pool(PoolRef { var, later: Vec::new(), marks: marks(self.laid(number)) })
    }
}

/// The dice of a pool that are decided, all suffixes having acted; none if they are not.
pub(super) fn laid(pool: &PoolRef, table: &Table) -> Option<Laid> {
    if !table.is_fixed() || !pool.later.is_empty() {
        return None;
    }
    let dice = table.groups.iter().flat_map(|(_, source)| match source {
        Source::Fixed(dice, _) => dice.as_slice(),
        Source::Die(_) | Source::Total(_) => &[],
    });
    let dice = dice.map(|die| {
        let hit = pool.marks.iter().filter(|(condition, _)| condition.holds(&die.shown));
        let marks = hit.map(|(_, mark)| i64::from(*mark)).sum();
        (Number::from(die.shown.clone()), marks)
    });
    Some(Laid::new(dice, !pool.marks.is_empty()))
}

/// Whether what a state comes to is dice that are not marked, each of which shows at least 1 when it is thrown: then none of them is
/// ever worth less than 0, whatever its suffixes do.
pub(super) fn are_plain(state: &State) -> bool {
    let Some(Sym::Pool(pool)) = state.stack.last() else { return false };
    let Some(table) = state.table(pool.var) else { return false };
    let is_plain = |source: &Source| match source {
        Source::Die(die) => die.faces().iter().all(|(face, _)| *face >= Rational::ONE),
        Source::Total(law) => law.lowest().is_some_and(|lowest| lowest >= Rational::ONE),
        Source::Fixed(dice, die) => {
            die.is_none() && dice.iter().all(|die| die.shown >= Rational::ONE)
        }
    };
    pool.marks.is_empty() && table.groups.iter().all(|(_, source)| is_plain(source))
}

/// Marks of dice that lie there: nothing changes what they show any more, so each is marked for that.
fn marks(laid: &Laid) -> Vec<(Condition, i8)> {
    let mut marks = Vec::new();
    let mut last = None;
    for (shows, own) in laid.dice() {
        if last.replace(shows) != Some(shows) {
            let condition = Condition { op: Comparison::Equal, value: shows.to_rational() };
            let mark = if *own < 0 { -1 } else { 1 };
            marks.extend((0..own.unsigned_abs()).map(|_| (condition.clone(), mark)));
        }
    }
    if laid.is_marked() && marks.is_empty() {
        // What is marked is worth its marks, also where there are none: this one is for a number that no die shows.
        let highest = laid.dice().last().map_or(Rational::ZERO, |(shows, _)| shows.to_rational());
        let value = highest + Rational::ONE;
        marks.push((Condition { op: Comparison::Equal, value }, 1));
    }
    marks
}
