//! The dice of one pool on one line.
//!
//! `3 6 (2) 5`: the 2 was dropped. `6→6→2`: two explosions, joined to their die. `(1)↻5`: thrown
//! again. `14[6+6+2]`: compounded. `1⇒2`: shows 2 instead of its face. `9✓ 1✗`: marks for and against.
//! `70 + 3`: a percentile die as tens and ones.

use std::collections::{HashMap, HashSet};

use astragal_value::{Number, Value};

use super::lines::{Line, Style};
use crate::explanation::{DieId, DieRecord, Fates, Roll};
use crate::steps::PoolDie;

/// The most dice that are shown of one pool.
const MOST_DICE: usize = 60;

/// Adds the dice of a pool to a line.
pub(super) fn pool_dice(roll: &Roll, dice: &[PoolDie], sorted: bool, line: &mut Line) {
    let family = Family::of(roll, dice);
    let roots = dice.iter().filter(|die| sorted || !family.has_parent(die));
    for (i, die) in roots.enumerate() {
        if i == MOST_DICE {
            line.push(Style::Text, " …");
            break;
        }
        if i > 0 {
            line.push(Style::Text, " ");
        }
        family.one(die, line);
        if !sorted {
            family.descendants(die, line);
        }
    }
}

/// The dice of a pool with their descent.
struct Family<'a> {
    roll: &'a Roll,
    /// The dice that came from each die: its explosion, then the throw that took its place.
    children: HashMap<DieId, Vec<&'a PoolDie>>,
    members: HashSet<DieId>,
    alone: bool,
}

impl<'a> Family<'a> {
    fn of(roll: &'a Roll, dice: &'a [PoolDie]) -> Family<'a> {
        let members = dice.iter().filter_map(|die| die.die).collect();
        let children = HashMap::new();
        let mut family = Family { roll, children, members, alone: dice.len() == 1 };
        for die in dice {
            if let Some(parent) = family.parent(die) {
                family.children.entry(parent).or_default().push(die);
            }
        }
        family
    }

    fn record(&self, die: &PoolDie) -> Option<DieRecord<'a>> {
        self.roll.dice.get(die.die?)
    }

    fn parent(&self, die: &PoolDie) -> Option<DieId> {
        self.record(die)?.from
    }

    fn has_parent(&self, die: &PoolDie) -> bool {
        self.parent(die).is_some_and(|from| self.members.contains(&from))
    }

    /// The dice that came from this one, and those that came from them.
    fn descendants(&self, first: &'a PoolDie, line: &mut Line) {
        let mut waiting = vec![first];
        let mut shown = 0;
        while let Some(parent) = waiting.pop() {
            let children = parent.die.and_then(|id| self.children.get(&id));
            let children = children.map_or([].as_slice(), Vec::as_slice);
            for (i, child) in children.iter().enumerate() {
                shown += 1;
                if shown > MOST_DICE {
                    line.push(Style::Arrow, "→…");
                    return;
                }
                let again = parent.fates.rerolled && i + 1 == children.len();
                line.push(Style::Arrow, if again { "↻" } else { "→" });
                self.one(child, line);
            }
            waiting.extend(children.iter().rev());
        }
    }

    fn one(&self, die: &PoolDie, line: &mut Line) {
        line.push(style(&die.fates), self.face(die));
    }

    fn face(&self, die: &PoolDie) -> String {
        let marks = marks(&die.fates);
        let shows = &die.shows;
        let Some(record) = self.record(die) else { return format!("{shows}{marks}") };
        if !record.throws.is_empty() {
            let throws: Vec<String> = record.throws.iter().map(Value::to_string).collect();
            return format!("{shows}[{}]{marks}", throws.join("+"));
        }
        if die.fates.clamped {
            return format!("{}⇒{shows}{marks}", record.face);
        }
        match percent(&record) {
            Some(text) if self.alone => format!("{text}{marks}"),
            Some(text) => format!("[{text}]{marks}"),
            None if record.kind.is_fate() && die.shows == Value::whole(1) => format!("+1{marks}"),
            None => format!("{shows}{marks}"),
        }
    }
}

fn style(fates: &Fates) -> Style {
    match (fates.kept(), fates.counted_for, fates.counted_against) {
        (false, ..) => Style::Dropped,
        (true, 0, 0) => Style::Kept,
        (true, 0, _) => Style::Against,
        (true, ..) => Style::For,
    }
}

fn marks(fates: &Fates) -> String {
    "✓".repeat(fates.counted_for as usize) + &"✗".repeat(fates.counted_against as usize)
}

/// A percentile die as tens and ones: `70 + 3`, and `00 + 0` for 100.
fn percent(record: &DieRecord<'_>) -> Option<String> {
    let face = record.face.as_number().and_then(Number::to_i64)?;
    record.kind.is_percent().then(|| format!("{:02} + {}", face / 10 * 10 % 100, face % 10))
}
