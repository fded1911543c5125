//! The table: who is there, how they are, whose turn it is, and what was noted.
//!
//! What can be done to it is listed in `commands`, how it looks in `picture`, and how it survives in `file` and `store`.

mod arrive;
mod commands;
mod conditions;
mod file;
mod picture;
mod points;
mod store;
mod turns;
mod who;

pub(super) use commands::{ACTIONS, Action, Takes, overview, run};
pub(super) use store::Store;

/// Who sits there and what happened to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// Of the fight; 0 if there is none.
    round: u64,
    /// Whose turn it is.
    turn: Option<String>,
    /// In the order in which they came.
    characters: Vec<Character>,
    notes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Character {
    name: String,
    hp: Option<i64>,
    /// The most hit points.
    max: Option<i64>,
    init: Option<i64>,
    conditions: Vec<String>,
}

impl Table {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.characters.iter().map(|character| character.name.as_str())
    }

    pub(super) fn conditions(&self) -> impl Iterator<Item = &str> {
        self.characters.iter().flat_map(|character| &character.conditions).map(String::as_str)
    }

    fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.notes.is_empty()
    }

    /// By initiative, the highest first, and who came first where it is equal; the others after them.
    fn in_order(&self) -> Vec<&Character> {
        let mut order: Vec<&Character> = self.characters.iter().collect();
        order.sort_by_key(|character| std::cmp::Reverse(character.init));
        order
    }

    /// Those who take turns, in their order.
    fn order(&self) -> Vec<String> {
        let order = self.in_order().into_iter().filter(|character| character.init.is_some());
        order.map(|character| character.name.clone()).collect()
    }

    /// The next turn; nobody's if nobody has initiative.
    fn next(&mut self) -> Option<&Character> {
        let order = self.order();
        let first = order.first()?;
        let now = self.turn.as_ref().and_then(|turn| order.iter().position(|name| name == turn));
        let (turn, round) = match now.map(|at| order.get(at + 1)) {
            None => (first, self.round.max(1)),
            Some(None) => (first, self.round.saturating_add(1)),
            Some(Some(next)) => (next, self.round),
        };
        (self.turn, self.round) = (Some(turn.clone()), round);
        self.now()
    }

    fn now(&self) -> Option<&Character> {
        let turn = self.turn.as_ref()?;
        self.characters.iter().find(|character| character.name == *turn)
    }

    /// Takes somebody away. If it was their turn, the next one is that of who comes after them.
    fn remove(&mut self, at: usize) -> String {
        let order = self.order();
        let gone = self.characters.remove(at).name;
        if self.turn.as_ref() == Some(&gone) {
            let place = order.iter().position(|name| *name == gone).unwrap_or(0);
            self.turn = place.checked_sub(1).and_then(|before| order.get(before)).cloned();
        }
        gone
    }

    /// The fight is over.
    fn end(&mut self) {
        (self.round, self.turn) = (0, None);
        self.characters.iter_mut().for_each(|character| character.init = None);
    }
}

impl Character {
    /// `17/24`, `17`, or nothing.
    fn hit_points(&self) -> String {
        match (self.hp, self.max) {
            (Some(hp), Some(max)) => format!("{hp}/{max}"),
            (Some(hp), None) => hp.to_string(),
            (None, _) => String::new(),
        }
    }

    fn is_down(&self) -> bool {
        self.hp.is_some_and(|hp| hp <= 0)
    }

    fn set_hp(&mut self, hp: i64) {
        self.hp = Some(hp);
        self.max = Some(self.max.map_or(hp, |max| max.max(hp)));
    }

    fn hit(&mut self, damage: i64) {
        self.hp = self.hp.map(|hp| hp.saturating_sub(damage));
    }

    /// Not beyond the most there can be, unless they are beyond it already.
    fn heal(&mut self, points: i64) {
        let most = |hp: i64| self.max.map_or(i64::MAX, |max| max.max(hp));
        self.hp = self.hp.map(|hp| hp.saturating_add(points).min(most(hp)));
    }

    /// `prone, down`
    fn state(&self) -> String {
        let down = self.is_down().then_some("down");
        let conditions = self.conditions.iter().map(String::as_str);
        down.into_iter().chain(conditions).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(inits: &[(&str, Option<i64>)]) -> Table {
        let character =
            |&(name, init): &(&str, _)| Character { name: name.into(), init, ..Default::default() };
        Table { characters: inits.iter().map(character).collect(), ..Table::default() }
    }

    fn turn(table: &mut Table) -> (u64, String) {
        let name = table.next().map_or_else(String::new, |next| next.name.clone());
        (table.round, name)
    }

    #[test]
    fn turns_go_round_by_initiative() {
        let mut table = table(&[("a", Some(5)), ("b", None), ("c", Some(9)), ("d", Some(5))]);
        let turns: Vec<(u64, String)> = (0..5).map(|_| turn(&mut table)).collect();
        let turns: Vec<(u64, &str)> = turns.iter().map(|(n, name)| (*n, name.as_str())).collect();
        assert_eq!(turns, [(1, "c"), (1, "a"), (1, "d"), (2, "c"), (2, "a")]);
        table.end();
        assert_eq!(turn(&mut table), (0, String::new()));
    }

    #[test]
    fn who_leaves_does_not_stop_the_round() {
        let mut table = table(&[("a", Some(9)), ("b", Some(5)), ("c", Some(1))]);
        turn(&mut table);
        table.remove(0);
        assert_eq!(turn(&mut table), (1, "b".into()));
        turn(&mut table);
        table.remove(1);
        assert_eq!(turn(&mut table), (2, "b".into()));
    }

    #[test]
    fn hit_points_go_down_and_up_to_the_most() {
        let mut anna = Character::default();
        anna.set_hp(24);
        anna.hit(30);
        assert_eq!((anna.hit_points(), anna.state()), ("-6/24".into(), "down".into()));
        anna.heal(100);
        assert_eq!(anna.hit_points(), "24/24");
        anna.set_hp(30);
        assert_eq!(anna.hit_points(), "30/30");
    }
}
