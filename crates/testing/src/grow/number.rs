//! Numbers, and the choices among them.

use super::{Grower, Sort, Way};

const NUMBERS: &[Way] = &[
    (2, |g, _| g.leaf()),
    (8, Grower::arithmetic),
    (6, |g, _| g.rolled()),
    (8, |g, _| g.reading()),
    (4, |g, next| format!("(if {} then {} else {})", g.bool(next), g.number(next), g.number(next))),
    (3, Grower::matched),
    (4, Grower::block),
    (6, Grower::repeat),
    (4, Grower::walked),
    (3, Grower::folded),
    (7, Grower::called),
    (2, Grower::recursion),
    (3, Grower::of_list),
    (2, Grower::of_record),
    (2, Grower::of_symbols),
    (1, |g, next| {
        format!("otherwise(if {} then {} else none, {})", g.bool(next), g.number(next), g.leaf())
    }),
    (2, |g, _| g.endless()),
    (2, Grower::measured),
    (1, |g, _| format!("({}[fire] + {}[cold])", g.rolled(), g.leaf())),
];

impl Grower {
    pub(super) fn number(&mut self, depth: u32) -> String {
        match depth {
            0 => self.leaf(),
            _ if self.choosing && self.fork(3) == 2 => self.decided(depth - 1),
            _ => self.go(NUMBERS, depth - 1),
        }
    }

    pub(super) fn leaf(&mut self) -> String {
        match self.fork(8) {
            0 => self.one_of(&["1", "2", "0", "3", "1/2", "(-1)", "5"]),
            1..=4 => match self.known(&[Sort::Number, Sort::Count]) {
                Some(name) => name,
                None => self.die(),
            },
            5 | 6 => self.read_once(),
            _ => match self.known(&[Sort::Roll]) {
                Some(name) if self.affords(4) => name,
                _ => self.die(),
            },
        }
    }

    /// What is known of a number before it is thrown. Dice on the table are not read there.
    fn measured(&mut self, next: u32) -> String {
        if self.still {
            return self.leaf();
        }
        let names = self.names.clone();
        self.names.retain(|(_, sort)| !matches!(sort, Sort::Pool | Sort::Hand));
        let grown = self.unchosen(|g| match g.fork(8) {
            0..=3 => format!("mean({})", g.number(next)),
            4 => format!("variance({})", g.number(next)),
            5 => format!("deviation({})", g.number(next)),
            6 => format!("chance({})", g.bool(next)),
            _ => format!("percentile({}, {})", g.number(next), g.one_of(&["50", "90", "0"])),
        });
        self.names = names;
        grown
    }

    /// One small die.
    pub(super) fn die(&mut self) -> String {
        let (die, faces) = match self.fork(18) {
            0..=2 => ("d2", 2),
            3 | 4 => ("d3", 3),
            5 | 6 => ("dF", 3),
            7 | 8 => ("d{0, 1: 2}", 2),
            9 | 10 => ("d{1, 1/2}", 2),
            11 => (self.uneven(), 3),
            _ => ("d4", 4),
        };
        if self.affords(faces) { die.to_owned() } else { self.one_of(&["1", "2", "0", "3"]) }
    }

    /// A die with up to three faces, some of which hardly ever show: whatever gives up what is unlikely is seen by them.
    pub(super) fn uneven(&mut self) -> &'static str {
        const UNEVEN: [&str; 7] = [
            "d{1, 2: 1000000}",
            "d{0: 1000000000000000, 1}",
            "d{1, 2: 1000000, 3: 1000000000000}",
            "d{2: 1000000000000000000, 1: 3}",
            "d{-1, 0: 1000000007, 3: 998244353}",
            "d{1: 999999999999, 3}",
            "d{3: 1000000, 1: 1000003, 2}",
        ];
        UNEVEN[self.fork(7) as usize]
    }

    /// A whole number from 0 to 3.
    pub(super) fn count(&mut self) -> String {
        match self.fork(8) {
            0..=2 => self.one_of(&["1", "2", "3", "2", "1", "2", "0"]),
            3..=5 => match self.known(&[Sort::Count]) {
                Some(name) => format!("({name})"),
                None => self.one_of(&["2", "1"]),
            },
            6 if self.affords(2) => self.one_of(&["(d2)", "(d2 - 1)"]),
            _ => "2".to_owned(),
        }
    }

    /// A number without a highest value.
    pub(super) fn endless(&mut self) -> String {
        // What is played is followed to its end.
        if self.choosing || !self.affords(8) {
            return self.leaf();
        }
        match self.fork(20) {
            0 => "(d2!)".to_owned(),
            1 => "(2d2!! kh1)".to_owned(),
            2 => "(d3!p)".to_owned(),
            3 => "(2d3! cs=3)".to_owned(),
            4 => "(d3! + d2!)".to_owned(),
            5 => "(d{0, 1}! rr=0)".to_owned(),
            6 => "(2d2 !! min2)".to_owned(),
            7 => format!("(d3!>=2 {})", self.suffix_of_fixed()),
            8 => "(repeat with i = 0; next i = i + 1 until d2 = 1).i".to_owned(),
            9 => "(repeat with i = 1, f = 0; next i = i * 2, f = d4 until f > 1).i".to_owned(),
            10 => "(repeat with i = 1, f = 0; next i = 1 - i * 2, f = d4 until f > 1).i".to_owned(),
            11 => "(repeat with m = 1, v = 0, go = true; let r = d4; next m = if r = 1 then m * 2 else m, v = m * r, go = r = 1 until not go).v".to_owned(),
            12 => format!("(repeat with m = 1, v = {}; next m = m * {}, v = v + m - d2 until d3 > 1).v", self.fork(2), self.fork(4)),
            13 => "(repeat with a = 1, b = 0, f = 0; next a = a + b, b = a * 2 - d2, f = d8 until f > 1).b".to_owned(),
            14 => format!("({}!)", self.uneven()),
            15 => format!("(repeat with i = 0, s = 0; next i = i + 1, s = s + {} until {} != 2).s", self.uneven(), self.uneven()),
            16 => format!("(repeat with m = 1, f = 0; next m = m * 2, f = {} until f != 2).m", self.uneven()),
            17 => format!("(repeat with n = 2; next n = n - 1 + (if {} = 1 then 1 else 0) until n = 0).n", self.uneven()),
            18 => format!("(do let f = repeat with a = 0, b = 0; next a = max(a, {}), b = b + a until d2 = 1; f.a + f.b end)", self.uneven()),
            _ => "(repeat with i = 0, s = 0; next i = i + 1, s = s + d2 until d3 = 1).s".to_owned(),
        }
    }

    fn arithmetic(&mut self, next: u32) -> String {
        match self.fork(14) {
            0..=3 => {
                let op = self.one_of(&["+", "-", "*", "+", "-"]);
                format!("({} {op} {})", self.number(next), self.number(next))
            }
            4 | 5 => {
                let op = self.one_of(&["//", "%", "/"]);
                let by = self.one_of(&["2", "3", "(-2)"]);
                format!("({} {op} {by})", self.number(next))
            }
            6 => {
                let op = self.one_of(&["/", "//", "%"]);
                let by =
                    if self.fork(4) == 3 { self.leaf() } else { format!("({} + 5)", self.leaf()) };
                format!("({} {op} {by})", self.number(next))
            }
            7 | 8 => {
                let f = self.one_of(&["max", "min"]);
                format!("{f}({}, {})", self.number(next), self.number(next))
            }
            9 => format!("{}^{}", self.count(), self.count()),
            10 => format!("min({}, {}, 3)", self.number(next), self.leaf()),
            _ => {
                let f = self.one_of(&["abs", "floor", "ceil", "round", "-"]);
                format!("{f}({} / {})", self.number(next), self.one_of(&["1", "2"]))
            }
        }
    }

    fn matched(&mut self, next: u32) -> String {
        match self.fork(4) {
            0 | 1 => {
                let on = self.number(next);
                let middle = self.one_of(&["1", "1..2", "1, 3", "2.."]);
                let (a, b, c) = (self.number(next), self.number(next), self.leaf());
                format!("(match {on}\n  ..0 => {a}\n  {middle} => {b}\n  else => {c}\nend)")
            }
            2 => {
                let (on, a, b) = (self.text(next), self.number(next), self.leaf());
                format!("(match {on}\n  \"a\" => {a}\n  else => {b}\nend)")
            }
            _ => {
                let (on, a, b) = (self.colour(next), self.number(next), self.leaf());
                format!("(match {on}\n  red => {a}\n  green, blue => {b}\nend)")
            }
        }
    }

    /// Statements, and a number behind them.
    pub(super) fn block(&mut self, next: u32) -> String {
        if self.fork(4) == 0 && !self.choosing {
            return format!("({} given {})", self.number(next), self.likely());
        }
        let before = self.names.len();
        let mut lines = String::new();
        for _ in 0..=self.fork(2) {
            lines += &format!("{}; ", self.statement(next));
        }
        let value = self.number(next);
        self.names.truncate(before);
        format!("(do {lines}{value} end)")
    }

    fn of_list(&mut self, next: u32) -> String {
        match self.fork(7) {
            0 => format!("sum({})", self.list(next)),
            1 => format!("length({})", self.list(next)),
            2 => format!("at(append({}, 3), {})", self.list(next), self.one_of(&["1", "1", "2"])),
            3 => format!("max(append({}, {}))", self.list(next), self.leaf()),
            4 => {
                let (list, least) = (self.list(next), self.leaf());
                format!("count_of({list}, i => i >= {least})")
            }
            5 => format!("length({})", self.texts(next)),
            _ => format!("length({})", self.rows(next)),
        }
    }

    fn of_record(&mut self, next: u32) -> String {
        match self.fork(3) {
            0 => format!("{}.n", self.record(next)),
            1 => format!("sum(map({}, row => row.n))", self.rows(next)),
            _ => {
                let of = self.one_of(&["length", "reverse"]);
                match of.as_str() {
                    "length" => format!("length(filter({}, row => row.yes))", self.rows(next)),
                    _ => format!("at(reverse({}), 1).n", self.rows(next)),
                }
            }
        }
    }

    fn of_symbols(&mut self, _: u32) -> String {
        let field = self.one_of(&["a", "b"]);
        format!("{}.{field}", self.tally())
    }
}
