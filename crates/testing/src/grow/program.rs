//! Statements, and the program that they make.

use std::fmt::Write as _;

use super::{Grower, Sort};

impl Grower {
    /// A whole program: inputs, what is bound and said, and one result or several.
    pub(super) fn program(mut self) -> String {
        let mut lines = String::new();
        if self.fork(6) == 5 {
            let (input, sort, value) = match self.fork(3) {
                0 => ("k0", Sort::Count, "2"),
                1 => ("x0", Sort::Number, "1/2"),
                _ => ("b0", Sort::Bool, "true"),
            };
            let _ = writeln!(lines, "param {input} = {value}");
            self.names.push((input.to_owned(), sort));
        }
        for _ in 0..self.fork(7) {
            let statement = self.statement(2);
            let _ = writeln!(lines, "{statement}");
        }
        let result = self.result();
        format!("{}{lines}{result}", self.heads)
    }

    fn result(&mut self) -> String {
        match self.fork(16) {
            0..=4 => self.number(3),
            5 | 6 => self.bool(3),
            7 => format!("{{n: {}, yes: {}}}", self.number(2), self.bool(2)),
            8 if self.fork(4) == 3 => {
                format!("sort([{}, {}, {}])", self.die(), self.die(), self.leaf())
            }
            8 => format!("[{}, {}, {}]", self.reading(), self.reading(), self.leaf()),
            9 => format!("{{a: {}, b: {}, c: {}}}", self.reading(), self.reading(), self.bool(1)),
            10 if self.fork(3) == 2 => self.several(),
            10 => self.list(2),
            11 => self.rows(2),
            12 => self.text(2),
            13 => self.loop_and_field(2).0,
            14 => format!("show \"a\" = {}\nshow \"b\" = {}", self.number(2), self.bool(2)),
            _ => match self.fork(4) {
                0 => self.colour(2),
                1 => self.tally(),
                2 => self.texts(2),
                _ => self.record_of_walk(),
            },
        }
    }

    /// Several numbers that are bound, and read more than once each.
    fn several(&mut self) -> String {
        let (list, item) = (self.name("s"), self.name("i"));
        let [a, b, c] = [self.die(), self.die(), self.die()];
        let least = self.leaf();
        let readings = [
            format!("max({list})"),
            format!("min({list}) - sum({list})"),
            format!("count_of({list}, {item} => {item} >= 2)"),
            format!("sum({list}) // 2"),
            format!("if any({list}, {item} => {item} == 1) then {least} else sum({list})"),
            format!("at(sort({list}), 1)"),
        ];
        let (first, second) = (self.one_of(&readings.each_ref().map(String::as_str)), self.fork(6));
        let second = readings[second as usize].clone();
        format!("do\n  let {list} = [{a}, {b}, {c}]\n  [{first}, {second}]\nend")
    }

    /// A statement; what it binds is known behind it.
    pub(super) fn statement(&mut self, depth: u32) -> String {
        let name = self.name("x");
        let (sort, value) = match self.fork(24) {
            0 | 1 => (Sort::Number, self.number(depth)),
            2 => (Sort::Number, self.endless()),
            3..=7 => (Sort::Pool, self.pool()),
            8 => (Sort::Count, self.count()),
            9 => (Sort::Bool, self.bool(depth)),
            10 => (Sort::List, self.list(depth)),
            11 => (Sort::Record, self.record(depth)),
            12 | 13 => (Sort::Hand, self.hand()),
            14 => (Sort::Tally, self.tally()),
            15 => (Sort::Text, self.text(depth)),
            16 => (Sort::Colour, self.colour(depth)),
            17 => (Sort::Rows, self.rows(depth)),
            18 => (Sort::Texts, self.texts(depth)),
            19 if !self.choosing => return format!("given {}", self.likely()),
            20 => return format!("note \"seen {{{}}}\"", self.leaf_without_text()),
            21 => return self.requirement(),
            22 => match self.known(&[Sort::Pool]) {
                // The same dice under another name, or a choice between dice.
                Some(pool) => {
                    (Sort::Pool, format!("{pool} {}", self.one_of(&["kh1", "kl2", "min2", "sa"])))
                }
                None => (Sort::Pool, self.pool()),
            },
            _ => {
                let (argument, often) = (self.name("y"), 2);
                let body = self.repeated(often, |g| {
                    g.within(&[(&argument, Sort::Number)], |g| g.number(depth.min(1)))
                });
                (Sort::Function, format!("{argument} => {body}"))
            }
        };
        self.names.push((name.clone(), sort));
        format!("let {name} = {value}")
    }

    fn requirement(&mut self) -> String {
        let condition = match self.fork(3) {
            0 => "1 < 2".to_owned(),
            1 if self.fork(4) == 3 => self.likely(),
            _ => format!("{} < 9", self.leaf()),
        };
        format!("require {condition} else \"no {{{}}}\"", self.leaf_without_text())
    }

    /// A hand from the usual bag; the first takes it as it is.
    fn hand(&mut self) -> String {
        let hand = self.drawn();
        if hand.contains("d1 drawn") || self.fork(3) > 0 { hand } else { format!("{hand} kh1") }
    }
}
