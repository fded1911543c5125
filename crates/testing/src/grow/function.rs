//! Functions: of numbers, dice, records, variants, rolls unthrown and other functions; ones inside another;
//! ones that call themselves.

use std::fmt::Write as _;

use super::{Grower, Sort, Way};

const CALLS: &[Way] = &[
    (3, Grower::of_numbers),
    (4, Grower::of_dice),
    (2, Grower::of_a_roll),
    (2, Grower::of_a_function),
    (1, Grower::of_a_record),
    (1, Grower::of_a_variant),
    (2, Grower::inside),
    (1, Grower::of_a_list),
    (2, |g, _| match g.known(&[Sort::Function]) {
        Some(name) if g.affords(3) => format!("{name}({})", g.leaf()),
        _ => g.leaf(),
    }),
];

impl Grower {
    pub(super) fn called(&mut self, next: u32) -> String {
        self.go(CALLS, next)
    }

    /// What a function comes to: a number, perhaps behind evidence and notes.
    fn body(&mut self, next: u32) -> String {
        if self.fork(3) == 2 { self.block(next) } else { self.number(next) }
    }

    fn define(&mut self, head: &str, body: &str) {
        let _ = writeln!(self.heads, "fn {head} = {body}");
    }

    fn of_numbers(&mut self, next: u32) -> String {
        let name = self.name("f");
        let body =
            self.apart(|g| g.within(&[("a", Sort::Number), ("b", Sort::Number)], |g| g.body(next)));
        let default = self.one_of(&["1", "a", "0"]);
        self.define(&format!("{name}(a, b = {default})"), &body);
        match self.fork(3) {
            0 => format!("{name}({})", self.number(next)),
            1 => format!("{name}({}, {})", self.leaf(), self.number(next)),
            _ => format!("{name}(b: {}, a: {})", self.number(next), self.leaf()),
        }
    }

    /// A function that reads dice: fresh ones, or those on the table.
    fn of_dice(&mut self, next: u32) -> String {
        let name = self.name("g");
        let names = [("p", Sort::Pool), ("k", Sort::Count)];
        let body = self.apart(|g| {
            g.within(&names, |g| match g.fork(3) {
                0 => g.reading(),
                1 => format!("(if {} then {} else {})", g.likely(), g.reading(), g.number(next)),
                _ => g.body(next),
            })
        });
        self.define(&format!("{name}(p, k)"), &body);
        let pool = match self.fork(4) {
            0 | 1 => self.known(&[Sort::Pool, Sort::Hand]).unwrap_or_else(|| self.pool()),
            2 => format!("({})", self.pool()),
            _ => match self.known(&[Sort::Pool, Sort::Hand]) {
                Some(name) => format!("({name} {})", self.one_of(&["kh1", "dl1", "min2"])),
                None => self.pool(),
            },
        };
        let count = self.one_of(&["1", "2"]);
        format!("{name}({pool}, {count})")
    }

    /// A function that yields dice.
    pub(super) fn dice_of_a_function(&mut self) -> String {
        let name = self.name("t");
        let dice = match self.affords(4) {
            true => self.one_of(&["(n)d2", "(n)d2 kh2", "{(n)d2 + 1d1}"]),
            false => "(n)d1".to_owned(),
        };
        self.define(&format!("{name}(n)"), &dice);
        format!("{name}({})", self.one_of(&["2", "1"]))
    }

    /// A function that takes its roll unthrown, and throws it once or twice.
    fn of_a_roll(&mut self, next: u32) -> String {
        let name = self.name("u");
        let body = self.apart(|g| {
            g.within(&[("r", Sort::Roll)], |g| match g.fork(5) {
                0 => "r + r".to_owned(),
                1 => "max(r, r)".to_owned(),
                2 => "(do let x = r; x * x + r end)".to_owned(),
                3 => "times(2, r) kh1".to_owned(),
                _ => g.body(next),
            })
        });
        self.define(&format!("{name}(roll r)"), &body);
        let roll = self.repeated(2, |g| g.number(next.min(1)));
        format!("{name}({roll})")
    }

    fn of_a_function(&mut self, next: u32) -> String {
        let name = self.name("h");
        let body = self.one_of(&["t(t(x))", "t(x) + t(1)", "t(x)", "sum(map([x, 1], t))"]);
        self.define(&format!("{name}(t, x)"), &body);
        let argument = self.name("y");
        let body = self.repeated(2, |g| g.within(&[(&argument, Sort::Number)], |g| g.body(next)));
        format!("{name}({argument} => {body}, {})", self.leaf())
    }

    fn of_a_record(&mut self, next: u32) -> String {
        let name = self.name("w");
        let body = self.apart(|g| g.within(&[("r", Sort::Record)], |g| g.body(next)));
        self.define(&format!("{name}(r: {{n, yes = true}})"), &body);
        match self.fork(2) {
            0 => format!("{name}({{n: {}}})", self.number(next)),
            _ => format!("{name}({})", self.record(next)),
        }
    }

    fn of_a_variant(&mut self, next: u32) -> String {
        let (name, colour) = (self.name("v"), self.colour(next));
        let (a, b) = self.apart(|g| (g.number(next), g.leaf()));
        let body = format!("match colour\n  red, green => {a}\n  blue => {b}\nend");
        self.define(&format!("{name}(colour: Colour)"), &body);
        match self.fork(3) {
            0 => format!("{name}({colour})"),
            _ => format!("{name}({})", self.one_of(&["blue", "\"red\""])),
        }
    }

    fn of_a_list(&mut self, next: u32) -> String {
        let name = self.name("l");
        let body = self.apart(|g| g.within(&[("list", Sort::List)], |g| g.body(next)));
        self.define(&format!("{name}(list)"), &body);
        format!("{name}({})", self.list(next))
    }

    /// A function inside, which knows the names around it.
    fn inside(&mut self, next: u32) -> String {
        let (name, argument) = (self.name("k"), self.name("z"));
        let body = self.repeated(2, |g| g.within(&[(&argument, Sort::Number)], |g| g.body(next)));
        let calls = format!("{name}({}) - {name}({})", self.leaf(), self.leaf());
        format!("(do fn {name}({argument}) = {body}; {calls} end)")
    }

    pub(super) fn recursion(&mut self, next: u32) -> String {
        let name = self.name("r");
        let dice = self.fork(3) == 2;
        let mut names = vec![("n", Sort::Count)];
        names.extend(dice.then_some(("p", Sort::Pool)));
        let (end, step) = self.apart(|g| {
            g.within(&names, |g| {
                let end = g.number(next.min(1));
                (end, g.repeated(2, |g| if dice { g.reading() } else { g.number(next.min(1)) }))
            })
        });
        let (takes, gives) = if dice { ("n, p", ", p") } else { ("n", "") };
        let op = self.one_of(&["+", "-"]);
        let by_chance = self.affords(3);
        let body = match self.fork(6) {
            2 if by_chance => {
                format!("if {} != 2 then {end} else 1 {op} {name}(n{gives})", self.uneven())
            }
            3 if by_chance => format!("if d2 = 1 then {end} else 1 {op} {name}(n{gives})"),
            4 if by_chance => {
                format!("if d3 > 1 then {end} else {step} + {name}(n{gives}) {op} {name}(n{gives})")
            }
            5 => format!("if n <= 0 then {end} else max({step}, {name}(n - 1{gives}))"),
            _ => format!("if n <= 0 then {end} else {step} {op} {name}(n - 1{gives})"),
        };
        self.define(&format!("{name}({takes})"), &body);
        let count = self.one_of(&["1", "2"]);
        if !dice {
            return format!("{name}({count})");
        }
        let pool = self.known(&[Sort::Pool, Sort::Hand]).unwrap_or_else(|| self.pool());
        format!("{name}({count}, {pool})")
    }
}
