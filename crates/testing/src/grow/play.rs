//! Plays: what is played for, and the choices in it.
//!
//! Each option takes its share of the sequences that a program may have, as each face does.

use std::fmt::Write as _;

use super::{Grower, Sort, Way};

const GAMES: &[Way] = &[
    (3, Grower::kept_or_thrown_again),
    (3, |g, next| g.number(next.max(1))),
    (3, Grower::choices_in_a_row),
    (2, Grower::dice_chosen),
    (2, Grower::rounds_to_stop),
    (2, Grower::list_gone_through),
    (2, Grower::called_again),
    (2, Grower::chosen_in_a_function),
    (1, Grower::rolled_again),
    (2, Grower::rounds_with_a_price),
    (1, Grower::pushed_until_it_breaks),
    (1, Grower::gathered),
    (2, |g, next| g.played(next)),
];

impl Grower {
    /// A program in which somebody chooses.
    pub(super) fn play(mut self) -> String {
        let mut lines = String::new();
        for _ in 0..self.fork(3) {
            let statement = self.statement(1);
            let _ = writeln!(lines, "{statement}");
        }
        let result = match self.fork(8) {
            0..=3 => self.played(2),
            4 => format!("{} + {}", self.played(2), self.leaf()),
            5 => self.record_played(2),
            6 => format!("{}.n", self.record_played(2)),
            _ => {
                let first = self.played(1);
                self.names.push(("won".to_owned(), Sort::Number));
                format!("let won = {first}\n{}", self.played(1))
            }
        };
        format!("{}{lines}{result}", self.heads)
    }

    fn goal(&mut self) -> String {
        self.one_of(&["maximise", "maximise", "minimise"])
    }

    /// What is grown inside is played for.
    fn for_an_aim(&mut self, grow: impl FnOnce(&mut Self) -> String) -> String {
        let before = std::mem::replace(&mut self.choosing, true);
        let evidence = match self.fork(8) {
            7 if !before && !self.still => Some(self.likely()),
            _ => None,
        };
        let grown = grow(self);
        self.choosing = before;
        match evidence {
            Some(evidence) => format!("do given {evidence}; {grown} end"),
            None => grown,
        }
    }

    /// A number under the best play.
    pub(super) fn played(&mut self, next: u32) -> String {
        if self.still {
            return self.leaf();
        }
        let (goal, next) = (self.goal(), next.saturating_sub(1));
        match self.fork(6) {
            5 => {
                let is = self.for_an_aim(|g| format!("({} >= {})", g.go(GAMES, next), g.leaf()));
                format!("(if ({goal} {is}) then 1 else 0)")
            }
            _ => format!("({goal} {})", self.for_an_aim(|g| g.go(GAMES, next))),
        }
    }

    /// A record under the play that is best for what is made of it.
    fn record_played(&mut self, next: u32) -> String {
        let goal = self.goal();
        let record = self.for_an_aim(|g| format!("{{n: {}, yes: {}}}", g.number(next), g.bool(1)));
        let aim = self.one_of(&["r.n", "r.yes", "if r.yes then r.n else 1", "r.n * r.n - r.n"]);
        format!("({goal} {record} by r => {aim})")
    }

    /// Something that somebody decides.
    pub(super) fn decided(&mut self, next: u32) -> String {
        match self.fork(12) {
            0..=7 => self.choice(next),
            8 | 9 => self.picked(next),
            10 => self.played(next),
            _ => self.go(GAMES, next.min(1)),
        }
    }

    fn choice(&mut self, next: u32) -> String {
        let arms = 2 + self.fork(2);
        if !self.affords(arms.into()) {
            return self.leaf();
        }
        let who = self.one_of(&["choose", "choose", "choose", "oppose"]);
        let mut choice = format!("({who} ");
        for label in ["a", "b", "c"].iter().take(arms as usize) {
            let open = match self.fork(5) {
                4 => format!(" if {}", self.in_a_step(&[], |g| g.bool(1))),
                _ => String::new(),
            };
            // Not all arms are thrown, but each is followed.
            let value = match self.fork(3) {
                0 => self.leaf(),
                1 => self.number(next),
                _ => self.reading(),
            };
            let _ = write!(choice, "\"{label}\"{open} => {value}; ");
        }
        choice + "end)"
    }

    fn picked(&mut self, next: u32) -> String {
        if !self.affords(3) {
            return self.leaf();
        }
        let who = self.one_of(&["choose", "choose", "oppose"]);
        match self.fork(5) {
            0 => format!("({who} from [0, 1, {}])", self.leaf()),
            1 => format!("({who} from {})", self.list(next)),
            2 => format!("sum({who} from subsets([1, {}]))", self.leaf()),
            3 => format!("({who} from hand({}))", self.one_of(&["2d2", "2d3", "3d2"])),
            _ => format!("({who} from 0..2)"),
        }
    }

    /// Statements with choices in them, and a number behind them.
    fn choices_in_a_row(&mut self, next: u32) -> String {
        let before = self.names.len();
        let mut lines = String::new();
        for _ in 0..=self.fork(2) {
            match self.fork(3) {
                0 => {
                    let (name, value) = (self.name("x"), self.decided(next));
                    let _ = write!(lines, "let {name} = {value}; ");
                    self.names.push((name, Sort::Number));
                }
                _ => lines += &format!("{}; ", self.statement(next)),
            }
        }
        let value = match self.fork(2) {
            0 => self.choice(next),
            _ => self.number(next.max(1)),
        };
        self.names.truncate(before);
        format!("(do {lines}{value} end)")
    }

    fn kept_or_thrown_again(&mut self, next: u32) -> String {
        let (name, first) = (self.name("x"), self.number(next));
        let choice = self.within(&[(&name, Sort::Number)], |g| match g.affords(2) {
            true => format!("choose \"keep\" => {name}; \"again\" => {} end", g.number(next)),
            false => g.leaf(),
        });
        format!("(do let {name} = {first}; {choice} end)")
    }

    /// Dice that lie on the table while somebody chooses.
    fn dice_chosen(&mut self, next: u32) -> String {
        let (name, dice) = (self.name("p"), self.pool());
        let choice = self.within(&[(&name, Sort::Pool)], |g| g.choice(next));
        format!("(do let {name} = {dice}; {choice} end)")
    }

    fn rounds_to_stop(&mut self, next: u32) -> String {
        let (i, s, go) = (self.name("i"), self.name("s"), self.name("go"));
        if !self.affords(4) {
            return self.leaf();
        }
        let names = [(i.as_str(), Sort::Count), (s.as_str(), Sort::Number)];
        let more = self.repeated(2, |g| g.within(&names, |g| g.number(next.min(1))));
        let most = self.one_of(&["2", "2", "1"]);
        format!(
            "(repeat with {i} = 0, {s} = 0; \
             let {go} = choose \"stop\" => false; \"on\" => true end; \
             next {i} = {i} + 1, {s} = if {go} then {s} + {more} else {s} \
             until {i} >= {most} or not {go}).{s}"
        )
    }

    /// As many rounds as somebody likes, or rather many: what is paid for them decides nothing, but counts in the end.
    fn rounds_with_a_price(&mut self, _: u32) -> String {
        if !self.affords(6) {
            return self.leaf();
        }
        let die = self.one_of(&["d2", "d3", "d{0, 3}"]);
        let price = self.one_of(&["1", "d2", "d3", "d{1, 4}"]);
        let comes_to = self.one_of(&["3 * f - s", "2 * f - s / 2", "f * f - 2 * s", "f + s"]);
        let choice = "choose \"stop\" => false; \"on\" => true end";
        let count = match self.fork(4) {
            // What was paid is forgiven on a 1: then it does not only count.
            3 => {
                let name = self.name("r");
                let on = |paid: &str| format!("{name}({die}, {paid}, i + 1)");
                let on = format!("if f = 1 then {} else {}", on("0"), on(&format!("s + {price}")));
                let body = format!("choose \"stop\" => {comes_to}; \"on\" => ({on}) end");
                let _ = writeln!(
                    self.heads,
                    "fn {name}(f, s, i) = if i >= 40 then {comes_to} else {body}"
                );
                return format!("{name}({die}, 0, 0)");
            }
            0 => {
                let name = self.name("r");
                let on = format!("\"on\" => {name}({die}, s + {price})");
                let body = format!("choose \"stop\" => {comes_to}; {on} end");
                let _ = writeln!(self.heads, "fn {name}(f, s) = {body}");
                return format!("{name}({die}, 0)");
            }
            1 => "",
            _ => " or i >= 40",
        };
        let first = if count.is_empty() { "" } else { "i = 0, " };
        let next = if count.is_empty() { "" } else { "i = i + 1, " };
        format!(
            "(do let e = (repeat with {first}f = {die}, s = 0, over = false; let go = {choice}; \
             next {next}f = if go then {die} else f, s = if go then s + {price} else s, over = not go \
             until over{count}); let f = e.f; let s = e.s; {comes_to} end)"
        )
    }

    /// Somebody throws on as long as he likes, and may lose what he has: there is no end of points.
    fn pushed_until_it_breaks(&mut self, _: u32) -> String {
        if !self.affords(6) {
            return self.leaf();
        }
        let name = self.name("r");
        let die = self.one_of(&["d3", "d2", "d{1, 4}", "d2!"]);
        let lost = self.one_of(&["0", "s / 2", "s - 2", "-1"]);
        let throw = format!("do let f = {die}; if f = 1 then {lost} else {name}(s + f) end");
        let body = format!("choose \"hold\" => s; \"throw\" => {throw} end");
        let _ = writeln!(self.heads, "fn {name}(s) = {body}");
        format!("{name}({})", self.one_of(&["0", "1", "d2"]))
    }

    /// Dice, perhaps endless ones, thrown for each item of a list, and one of them taken.
    fn gathered(&mut self, _: u32) -> String {
        if !self.affords(6) {
            return self.leaf();
        }
        let (list, i) = (self.name("l"), self.name("i"));
        let die = self.one_of(&["d2!", "d3!", "d2", "(d2! - 1)"]);
        let each = self.one_of(&["", " + 1", " * 2"]);
        let again = self.one_of(&[&die, "2", "d3"]);
        let last =
            self.one_of(&["at({}, 2) - 1", "sum({}) - 3", "length({})"]).replace("{}", &list);
        format!(
            "(do let {list} = map([1, 2], {i} => {die}{each}); \
             choose \"first\" => at({list}, 1); \"last\" => {last}; \"again\" => {again} end end)"
        )
    }

    fn list_gone_through(&mut self, next: u32) -> String {
        let (c, i, list) = (self.name("c"), self.name("i"), self.list(0));
        if !self.affords(4) {
            return self.leaf();
        }
        let names = [(c.as_str(), Sort::Number), (i.as_str(), Sort::Number)];
        match self.fork(3) {
            0 => {
                let names = &names[1..];
                let each = self.repeated(2, |g| g.within(names, |g| g.choice(next.min(1))));
                format!("sum(map({list}, {i} => {each}))")
            }
            1 => {
                let each = self.repeated(2, |g| g.within(&names, |g| g.choice(next.min(1))));
                format!("fold({list}, 1, ({c}, {i}) => {each})")
            }
            _ => format!(
                "fold({list}, {}, ({c}, {i}) => choose \"take\" => {c} + {i}; \"leave\" => {c} end)",
                self.leaf()
            ),
        }
    }

    /// A function that may call itself, until its argument ends it.
    fn called_again(&mut self, next: u32) -> String {
        let name = self.name("r");
        if !self.affords(4) {
            return self.leaf();
        }
        let names = [("n", Sort::Count), ("s", Sort::Number)];
        let (step, end) = self.apart(|g| {
            let step = g.repeated(2, |g| g.within(&names, |g| g.number(next.min(1))));
            (step, g.within(&names[1..], |g| g.leaf()))
        });
        let who = self.one_of(&["choose", "oppose"]);
        let choice = format!("{who} \"stop\" => s; \"on\" => {name}(n - 1, s + {step}) end");
        let _ = writeln!(self.heads, "fn {name}(n, s) = if n <= 0 then {end} else {choice}");
        format!("{name}({}, {})", self.one_of(&["2", "1"]), self.leaf())
    }

    fn chosen_in_a_function(&mut self, next: u32) -> String {
        let name = self.name("f");
        let names = [("a", Sort::Number), ("b", Sort::Number)];
        let body = self.apart(|g| g.within(&names, |g| g.choice(next)));
        let _ = writeln!(self.heads, "fn {name}(a, b = 1) = {body}");
        format!("{name}({}, {})", self.number(next), self.leaf())
    }

    /// A function that takes its roll unthrown.
    fn rolled_again(&mut self, next: u32) -> String {
        let name = self.name("u");
        if !self.affords(2) {
            return self.leaf();
        }
        let body = "(do let x = r; choose \"keep\" => x; \"again\" => r end end)";
        let _ = writeln!(self.heads, "fn {name}(roll r) = {body}");
        let roll = self.repeated(2, |g| g.number(next.min(1)));
        format!("{name}({roll})")
    }
}
