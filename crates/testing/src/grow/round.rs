//! What goes round: loops that carry values, folds over lists, walks over dice.

use super::{Grower, Sort};

impl Grower {
    /// A loop, and one of the values that it carries.
    pub(super) fn repeat(&mut self, next: u32) -> String {
        let (text, field) = self.loop_and_field(next.min(2));
        format!("({text}).{field}")
    }

    /// A loop with a counter and something else that it carries; the name of one of its numbers.
    pub(super) fn loop_and_field(&mut self, depth: u32) -> (String, String) {
        let (counter, state) = (self.name("i"), self.name("s"));
        let (sort, first) = self.first(depth);
        let names = [(counter.as_str(), Sort::Count), (state.as_str(), sort)];
        let endless = self.fork(4) == 3;
        let rounds = self.repeated(2, |g| {
            g.within(&names, |g| {
                let before = g.names.len();
                let mut lines = String::new();
                for _ in 0..g.fork(4) {
                    lines += &format!("  {}\n", g.statement(depth));
                }
                let step = g.step(sort, &state, depth);
                let until = match endless {
                    true if g.affords(2) => g.one_of(&["d2 = 1", "d3 >= 2"]),
                    _ => format!("{counter} >= {}", g.one_of(&["2", "1"])),
                };
                let until = match g.fork(3) {
                    2 => format!("{} or {until}", g.bool(depth.min(1))),
                    _ => until,
                };
                g.names.truncate(before);
                format!(
                    "{lines}  next {counter} = {counter} + 1, {state} = {step}\n  until {until}"
                )
            })
        });
        let text = format!("repeat with {counter} = 0, {state} = {first}\n{rounds}");
        let field = match sort {
            Sort::Number if self.fork(3) > 0 => state,
            Sort::Record if self.fork(3) > 0 => format!("{state}.n"),
            _ => counter,
        };
        (text, field)
    }

    /// What a loop or a fold begins with.
    fn first(&mut self, depth: u32) -> (Sort, String) {
        match self.fork(6) {
            0..=2 => (Sort::Number, self.leaf()),
            3 => (Sort::Record, self.record(0)),
            4 => (Sort::List, self.list(0)),
            _ => (Sort::Bool, self.bool(depth.min(1))),
        }
    }

    /// What it goes on with.
    fn step(&mut self, sort: Sort, state: &str, depth: u32) -> String {
        match sort {
            Sort::Number => match self.fork(5) {
                0 => format!("{state} + {}", self.number(depth)),
                1 => self.number(depth),
                2 => format!("max({state}, {})", self.number(depth)),
                3 => format!("{state} + {}", self.reading()),
                _ => format!("{state} - {}", self.walked(1)),
            },
            Sort::Record => match self.fork(2) {
                0 => {
                    format!("{{n: {state}.n + {}, yes: {}}}", self.number(depth), self.bool(depth))
                }
                _ => self.record(depth),
            },
            Sort::List => format!("append({state}, {})", self.number(depth)),
            _ => self.bool(depth),
        }
    }

    pub(super) fn folded(&mut self, next: u32) -> String {
        let (carry, item) = (self.name("c"), self.name("i"));
        let (list, (sort, first)) = (self.list(next), self.first(next));
        let names = [(carry.as_str(), sort), (item.as_str(), Sort::Number)];
        let body = self.repeated(2, |g| g.within(&names, |g| g.step(sort, &carry, next)));
        let fold = format!("fold({list}, {first}, ({carry}, {item}) => {body})");
        match sort {
            Sort::Number => fold,
            Sort::Record => format!("{fold}.n"),
            Sort::List => format!("sum({fold})"),
            _ => format!("(if {fold} then 1 else {})", self.leaf()),
        }
    }

    /// Dice to walk over: most likely dice on the table.
    fn walkable(&mut self) -> String {
        match self.fork(3) {
            0 | 1 => self.known(&[Sort::Pool, Sort::Hand]).unwrap_or_else(|| self.pool()),
            _ => self.pool(),
        }
    }

    /// A number that a walk comes to.
    pub(super) fn walked(&mut self, next: u32) -> String {
        match self.fork(6) {
            0 => {
                let of =
                    self.one_of(&["largest_set", "straight", "pairs", "distinct", "sum_of_sets"]);
                format!("{of}({})", self.walkable())
            }
            1 => {
                let (mine, theirs) = (self.walkable(), self.walkable());
                match self.fork(3) {
                    0 => format!(
                        "versus({mine}, {theirs}).{}",
                        self.one_of(&["wins", "losses", "ties"])
                    ),
                    1 => format!(
                        "cancel({mine}, {theirs}).{}",
                        self.one_of(&["sum", "dice", "highest"])
                    ),
                    _ => format!("above_highest({mine}, {theirs})"),
                }
            }
            2 => format!("best_set({}).{}", self.walkable(), self.one_of(&["face", "size"])),
            3 => format!("{}.n", self.record_of_walk()),
            _ => {
                let walk = self.one_of(&["walk", "walk_down"]);
                let (c, f, n, m) = (self.name("c"), self.name("f"), self.name("n"), self.name("m"));
                let mine = self.walkable();
                let theirs = if self.fork(3) == 0 { self.walkable() } else { String::new() };
                let mut names = vec![
                    (c.as_str(), Sort::Number),
                    (f.as_str(), Sort::Number),
                    (n.as_str(), Sort::Count),
                ];
                let (pools, taken) = if theirs.is_empty() {
                    (mine, format!("{c}, {f}, {n}"))
                } else {
                    names.push((m.as_str(), Sort::Count));
                    (format!("{mine}, {theirs}"), format!("{c}, {f}, {n}, {m}"))
                };
                let first = self.leaf();
                let body = self.in_a_step(&names, |g| g.step(Sort::Number, &c, next.min(2)));
                format!("{walk}({pools}, {first}, ({taken}) => {body})")
            }
        }
    }

    /// The step of a walk throws nothing.
    pub(super) fn in_a_step(
        &mut self,
        names: &[(&str, Sort)],
        grow: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let before = std::mem::replace(&mut self.still, true);
        let grown = self.within(names, grow);
        self.still = before;
        grown
    }

    /// A walk that carries a record.
    pub(super) fn record_of_walk(&mut self) -> String {
        let walk = self.one_of(&["walk", "walk_down"]);
        let (r, f, n) = (self.name("r"), self.name("f"), self.name("n"));
        let (pool, first) = (self.walkable(), self.record(0));
        let names =
            [(r.as_str(), Sort::Record), (f.as_str(), Sort::Number), (n.as_str(), Sort::Count)];
        let body = self.in_a_step(&names, |g| match g.fork(3) {
            0 => format!("{{n: {r}.n + {}, yes: {r}.yes or {n} > 1}}", g.number(1)),
            1 => format!("(if {n} >= 2 or {r}.yes then {{n: {f}, yes: {}}} else {r})", g.bool(1)),
            _ => g.step(Sort::Record, &r, 1),
        });
        format!("{walk}({pool}, {first}, ({r}, {f}, {n}) => {body})")
    }

    /// A walk that gathers a list.
    pub(super) fn seen_in_walk(&mut self) -> String {
        let pool = self.walkable();
        match self.fork(4) {
            0 => format!("map(sets({pool}), set => set.size)"),
            1 => format!("map(sets({pool}, 1), set => set.face)"),
            2 => format!("sort(walk({pool}, [0], (l, f, n) => append(l, n)))"),
            _ => format!("walk_down({pool}, [], (l, f, n) => append(l, f * n))"),
        }
    }
}
