//! Every die of a roll, in little room.
//!
//! Most dice of most rolls only lie there and show their face; of a thousand, a few are dropped, and one
//! in six explodes. So a die is a word, the face that came up, and everything else about it stands in
//! columns that begin to exist when the first die has something to say in them. Which die it was is
//! said once for a run of equal dice. What is read, a [`DieRecord`], is put together when somebody looks.
//!
//! A die is seen twice: by the pool that threw it, and, if that pool is used again or went into a larger
//! one, by all later uses together. As long as there is no later use, the pool's own step needs no list
//! of its dice: it is a range of these.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_value::{Number, Value};

use crate::explanation::{DieId, DieRecord, Fates};
use crate::faces::DieFaces;

/// Most rolls throw a handful of dice. To ask the allocator for room for them would cost more than to throw
/// them, and so would looking at a list for each thing that they might have to say: so many dice need no memory
/// of their own, and all else stands in one place.
const FEW: usize = 8;

/// The dice that were thrown, in the order of throws.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    /// How many, while they are few.
    length: u32,
    few: [u64; FEW],
    /// What became of the first of them in the pool that threw them.
    fates: [Fates; FEW],
    /// Which die the last is.
    last: Option<DieFaces>,
    rare: Option<Box<Rare>>,
}

/// What few rolls have.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// The faces of all dice, where they are many; otherwise none.
    many: Vec<u64>,
    /// Runs of equal dice that have ended: the first die after each, and its kind.
    ended: Vec<(DieId, DieFaces)>,
    /// What became of the others in the pool that threw them.
    fates: Column<Fates>,
    /// What they show in the pool that threw them, where it is not their face.
    shows: Column<Option<Number>>,
    /// What became of them in later uses, and what they showed there last.
    later: Column<Fates>,
    showed_last: Column<Option<Number>>,
    /// How many later uses hold each die, minus how many drop it.
    holds: Column<i32>,
    from: Column<Option<DieId>>,
    label: Column<Option<Arc<str>>>,
    /// All faces of the compounded ones.
    throws: BTreeMap<DieId, Vec<Value>>,
}

impl Dice {
    /// How many were thrown.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// The faces of all of them.
    #[inline]
    fn all(&self) -> &[u64] {
        match &self.rare {
            Some(rare) if !rare.many.is_empty() => &rare.many,
            _ => &self.few[..(self.length as usize).min(FEW)],
        }
    }

    /// Whether none was thrown.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// All of them, in the order of throws.
    pub fn iter(&self) -> impl Iterator<Item = DieRecord<'_>> {
        (0..self.next()).filter_map(|id| self.get(id))
    }

    /// The die with this number.
    pub fn get(&self, id: DieId) -> Option<DieRecord<'_>> {
        let kind = self.kind(id)?;
        let face = kind.value(self.face(id)?);
        let rare = self.rare.as_deref();
        let value = rare.and_then(|rare| {
            let last = rare.showed_last.some(id);
            last.or_else(|| rare.shows.some(id)).map(|number| Value::Number(number.clone()))
        });
        Some(DieRecord {
            id,
            kind,
            value: value.unwrap_or_else(|| face.clone()),
            face,
            throws: rare.and_then(|rare| rare.throws.get(&id)).map_or(&[], Vec::as_slice),
            fates: self.fates_in_all(id),
            from: rare.and_then(|rare| rare.from.some(id).copied()),
            label: rare.and_then(|rare| rare.label.some(id)),
        })
    }

    /// What a die shows in the pool that threw it.
    pub(crate) fn own_value(&self, id: DieId) -> Value {
        let shows = self.rare.as_deref().and_then(|rare| rare.shows.some(id));
        match (shows, self.kind(id), self.face(id)) {
            (Some(number), ..) => Value::Number(number.clone()),
            (None, Some(kind), Some(face)) => kind.value(face),
            (None, ..) => Value::None,
        }
    }

    /// What became of a die in the pool that threw it.
    pub(crate) fn own_fates(&self, id: DieId) -> Fates {
        let first = self.fates.get(id as usize);
        first.or_else(|| self.rare.as_deref()?.fates.get(id)).copied().unwrap_or_default()
    }

    /// A die as a whole counts as dropped only if no use holds it.
    fn fates_in_all(&self, id: DieId) -> Fates {
        let own = self.own_fates(id);
        let Some(rare) = self.rare.as_deref() else { return own };
        let mut all = own.and(rare.later.get(id).copied().unwrap_or_default());
        let holds = rare.holds.get(id).copied().unwrap_or_default() - i32::from(own.dropped);
        all.dropped &= holds <= 0;
        all
    }

    /// The number of the next die.
    #[inline]
    pub(crate) fn next(&self) -> DieId {
        self.all().len() as DieId
    }

    pub(crate) fn kind(&self, id: DieId) -> Option<&DieFaces> {
        let ended = self.rare.as_deref().and_then(|rare| {
            let run = rare.ended.partition_point(|(end, _)| *end <= id);
            rare.ended.get(run).map(|(_, kind)| kind)
        });
        ended.or(self.last.as_ref())
    }

    /// The face that came up, counted from 0.
    pub(crate) fn face(&self, id: DieId) -> Option<u64> {
        self.all().get(id as usize).copied()
    }

    /// The faces from a die on.
    pub(crate) fn faces(&self, from: DieId, count: usize) -> &[u64] {
        &self.all()[from as usize..from as usize + count]
    }

    /// So many dice are thrown; their faces are to be filled in.
    #[inline]
    pub(crate) fn thrown(&mut self, kind: &DieFaces, count: usize) -> &mut [u64] {
        match &self.last {
            None => self.last = Some(kind.clone()),
            Some(last) if last == kind => {}
            Some(_) => self.turn(kind),
        }
        let (before, after) = (self.len(), self.len() + count);
        if after <= FEW {
            self.length = after as u32;
            return &mut self.few[before..after];
        }
        self.many(before, after)
    }

    /// Another die than before.
    fn turn(&mut self, kind: &DieFaces) {
        let first = self.next();
        if let Some(before) = self.last.replace(kind.clone()) {
            self.rare().ended.push((first, before));
        }
    }

    /// So many dice that they move to the heap, together.
    fn many(&mut self, before: usize, after: usize) -> &mut [u64] {
        let rare = self.rare.get_or_insert_default();
        if rare.many.is_empty() {
            rare.many.reserve(after);
            rare.many.extend_from_slice(&self.few[..before]);
        }
        rare.many.resize(after, 0);
        &mut rare.many[before..]
    }

    pub(crate) fn own_fates_mut(&mut self, id: DieId) -> &mut Fates {
        match id as usize {
            few @ 0..FEW => &mut self.fates[few],
            _ => {
                let all = self.len();
                self.rare.get_or_insert_default().fates.at_of(id, all)
            }
        }
    }

    pub(crate) fn later_fates_mut(&mut self, id: DieId) -> &mut Fates {
        self.rare().later.at(id)
    }

    pub(crate) fn show(&mut self, id: DieId, own: bool, number: &Number) {
        let rare = self.rare();
        let column = if own { &mut rare.shows } else { &mut rare.showed_last };
        *column.at(id) = Some(number.clone());
    }

    /// A later use holds a die once more, or drops it.
    pub(crate) fn hold(&mut self, id: DieId, by: i32) {
        *self.rare().holds.at(id) += by;
    }

    /// A later use drops a die. What was thrown again is not dropped besides.
    pub(crate) fn drop(&mut self, id: DieId) {
        let rerolled = self.own_fates(id).rerolled;
        let later = self.later_fates_mut(id);
        later.dropped |= !(rerolled || later.rerolled);
        self.hold(id, -1);
    }

    pub(crate) fn come_from(&mut self, id: DieId, from: DieId) {
        *self.rare().from.at(id) = Some(from);
    }

    /// The first label of a die stays.
    pub(crate) fn label(&mut self, id: DieId, label: &Arc<str>) {
        self.rare().label.at(id).get_or_insert_with(|| label.clone());
    }

    /// One more throw was added to a die.
    pub(crate) fn compound(&mut self, id: DieId, face: Value) {
        let (Some(kind), Some(first)) = (self.kind(id), self.face(id)) else { return };
        let first = kind.value(first);
        self.rare().throws.entry(id).or_insert_with(|| vec![first]).push(face);
    }

    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}

/// Something about some dice: those at the end that have the default take no room.
#[derive(Clone, Debug, Default)]
struct Column<T>(Vec<T>);

impl<T: Default + Clone> Column<T> {
    fn get(&self, id: DieId) -> Option<&T> {
        self.0.get(id as usize)
    }

    fn at(&mut self, id: DieId) -> &mut T {
        self.at_of(id, 0)
    }

    /// The same, with room for so many dice at once.
    fn at_of(&mut self, id: DieId, all: usize) -> &mut T {
        let place = id as usize;
        if place >= self.0.len() {
            self.0.resize(all.max(place + 1), T::default());
        }
        &mut self.0[place]
    }
}

impl<T> Column<Option<T>> {
    /// What `get` gives, for columns of what may be absent.
    fn some(&self, id: DieId) -> Option<&T> {
        self.0.get(id as usize)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_die_takes_a_word_and_the_rest_is_put_together() {
        let mut dice = Dice::default();
        dice.thrown(&DieFaces::sides(6), 2).copy_from_slice(&[4, 0]);
        dice.thrown(&DieFaces::fate(), 1)[0] = 0;
        dice.thrown(&DieFaces::sides(6), 1)[0] = 2;
        dice.come_from(3, 0);
        dice.own_fates_mut(1).dropped = true;
        let shown: Vec<String> =
            dice.iter().map(|die| format!("{}={}", die.kind.name(), die.value)).collect();
        assert_eq!(shown, ["d6=5", "d6=1", "dF=-1", "d6=3"]);
        assert_eq!(
            dice.iter().map(|die| die.from).collect::<Vec<_>>(),
            [None, None, None, Some(0)]
        );
        assert_eq!(
            dice.iter().map(|die| die.fates.dropped).collect::<Vec<_>>(),
            [false, true, false, false]
        );
        assert!(dice.get(4).is_none());
    }

    #[test]
    fn the_faces_of_few_dice_stay_when_they_become_many() {
        let mut dice = Dice::default();
        for count in 0..20 {
            assert_eq!(dice.faces(0, dice.len()), (5..5 + count).collect::<Vec<_>>());
            dice.thrown(&DieFaces::sides(40), 1)[0] = 5 + count;
        }
        dice.thrown(&DieFaces::sides(6), 2)[1] = 3;
        assert_eq!(dice.faces(19, 3), [24, 0, 3]);
        assert_eq!(dice.kind(19).map(DieFaces::count), Some(40));
        assert_eq!(dice.kind(20).map(DieFaces::count), Some(6));
    }

    #[test]
    fn a_die_that_a_later_use_holds_is_not_dropped() {
        let mut dice = Dice::default();
        dice.thrown(&DieFaces::sides(6), 1)[0] = 3;
        dice.hold(0, 1);
        dice.hold(0, 1);
        dice.drop(0);
        assert!(dice.get(0).expect("thrown").fates.kept());
        dice.drop(0);
        assert!(dice.get(0).expect("thrown").fates.dropped);
    }
}
