//! Small well-typed programs at random, and how to shrink one that breaks the law.
//!
//! A program is grown from a tape of numbers: at each fork the next number says which way to go, and
//! once the tape is used up every fork takes its first, simplest way. So a program is shrunk by
//! shortening the tape and making its numbers smaller, without knowing anything about programs.

use std::fmt::Write as _;

/// A stream of numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Stream(pub u64);

impl Stream {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A tape to grow a program from.
    pub fn tape(&mut self) -> Vec<u32> {
        let length = 4 + self.draw() % 60;
        (0..length).map(|_| (self.draw() >> 40) as u32).collect()
    }
}

/// The program that a tape says.
pub fn program(tape: &[u32]) -> String {
    Grower { tape, at: 0, names: Vec::new(), made: 0, functions: String::new() }.program()
}

/// The smallest tape that still breaks, as far as simple means find it.
pub fn shrink(tape: &[u32], breaks: impl Fn(&str) -> bool) -> Vec<u32> {
    let mut best = tape.to_vec();
    let mut tries = 4_000;
    loop {
        let better = smaller(&best).find(|shorter| {
            tries -= 1;
            tries > 0 && program(shorter) != program(&best) && breaks(&program(shorter))
        });
        match better {
            Some(shorter) if program(&shorter).len() <= program(&best).len() => best = shorter,
            _ => return best,
        }
    }
}

/// Tapes that are shorter, or have a smaller number somewhere.
fn smaller(tape: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let length = tape.len();
    let cuts = [16, 8, 4, 2, 1].into_iter().flat_map(move |size: usize| {
        (0..length).step_by(size).map(move |at| {
            let mut cut = tape.to_vec();
            cut.drain(at..length.min(at + size));
            cut
        })
    });
    let zeros = (0..length).filter(|at| tape[*at] != 0).map(|at| with(tape, at, 0));
    let lower =
        (0..length).flat_map(move |at| (1..tape[at].min(12)).map(move |to| with(tape, at, to)));
    cuts.chain(zeros).chain(lower)
}

fn with(tape: &[u32], at: usize, to: u32) -> Vec<u32> {
    let mut changed = tape.to_vec();
    changed[at] = to;
    changed
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    /// Dice on the table.
    Pool,
    Bool,
    /// A list of numbers.
    List,
    /// A record `{n, yes}` of a number and a bool.
    Record,
}

struct Grower<'a> {
    tape: &'a [u32],
    at: usize,
    /// The names in scope.
    names: Vec<(String, Sort)>,
    /// How many names were made.
    made: usize,
    /// The functions defined so far.
    functions: String,
}

impl Grower<'_> {
    /// Which of so many ways.
    fn fork(&mut self, ways: u32) -> u32 {
        let way = self.tape.get(self.at).map_or(0, |number| number % ways);
        self.at += 1;
        way
    }

    fn one_of(&mut self, ways: &[&str]) -> String {
        let way = self.fork(ways.len() as u32);
        ways[way as usize].to_owned()
    }

    fn name(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    /// A name of this sort, if there is one.
    fn known(&mut self, sort: Sort) -> Option<String> {
        let known: Vec<String> =
            self.names.iter().filter(|(_, s)| *s == sort).map(|(name, _)| name.clone()).collect();
        let way = if known.is_empty() { return None } else { self.fork(known.len() as u32) };
        Some(known[way as usize].clone())
    }

    fn within<T>(&mut self, names: &[(&str, Sort)], grow: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.names.len();
        self.names.extend(names.iter().map(|(name, sort)| ((*name).to_owned(), *sort)));
        let grown = grow(self);
        self.names.truncate(before);
        grown
    }

    // program = { function } { let } result

    fn program(mut self) -> String {
        let mut lines = String::new();
        for _ in 0..self.fork(3) {
            let (name, sort, value) = self.binding(2);
            let _ = writeln!(lines, "let {name} = {value}");
            self.names.push((name, sort));
        }
        let result = match self.fork(8) {
            0..=3 => self.number(3),
            4 => self.bool(3),
            5 => self.record(2),
            6 => self.list(2),
            _ => format!("show \"a\" = {}\nshow \"b\" = {}", self.number(2), self.bool(2)),
        };
        format!("{}{lines}{result}", self.functions)
    }

    fn binding(&mut self, depth: u32) -> (String, Sort, String) {
        let name = self.name("x");
        match self.fork(6) {
            0 | 1 => (name, Sort::Number, self.number(depth)),
            2 => (name, Sort::Pool, self.pool()),
            3 => (name, Sort::Bool, self.bool(depth)),
            4 => (name, Sort::List, self.list(depth)),
            _ => (name, Sort::Record, self.record(depth)),
        }
    }

    // Numbers.

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let next = depth - 1;
        match self.fork(24) {
            0 => self.leaf(),
            1..=3 => self.rolled(),
            4 | 5 => {
                let op = self.one_of(&["+", "-", "*", "+", "-", "//", "%", "/"]);
                format!("({} {op} {})", self.number(next), self.number(next))
            }
            6 => {
                let f = self.one_of(&["max", "min"]);
                format!("{f}({}, {})", self.number(next), self.number(next))
            }
            7 => {
                let f = self.one_of(&["abs", "floor", "ceil", "round", "-"]);
                format!("{f}({})", self.number(next))
            }
            8 | 9 => {
                let (c, a, b) = (self.bool(next), self.number(next), self.number(next));
                format!("(if {c} then {a} else {b})")
            }
            10 => self.block(next),
            11 => self.matched(next),
            12 => self.call(next),
            13 => self.recursion(next),
            14 => self.folded(next),
            15 => self.repeated(next),
            16 => self.reading(),
            17 => match self.known(Sort::Record) {
                Some(name) => format!("{name}.n"),
                None => format!("{}.n", self.record(next)),
            },
            18 => match self.fork(3) {
                0 => format!("sum({})", self.list(next)),
                1 => format!("length({})", self.list(next)),
                _ => format!("at({}, {})", self.list(next), self.one_of(&["1", "2", "d2"])),
            },
            19 => self.totals(next),
            20 => self.unthrown(next),
            21 => self.walked(),
            22 => self.symbols(next),
            _ => format!("({}[fire] + {}[cold])", self.rolled(), self.leaf()),
        }
    }

    fn symbols(&mut self, depth: u32) -> String {
        let count = self.one_of(&["", "2", "(d2)", "1"]);
        let (a, b) = (self.number(depth.min(1)), self.literal());
        let more = self.one_of(&["", " + d{{b: 1}, {}}", " - d{{a: 1}: 2, {c: 1}}"]);
        let field = self.one_of(&["a", "b"]);
        format!("({count}d{{{{a: {a}}}, {{b: {b}, a: 1}}: 2}}{more}).{field}")
    }

    fn leaf(&mut self) -> String {
        match self.fork(4) {
            0 => self.one_of(&["1", "0", "2", "3", "4", "1/2", "(-1)"]),
            1 | 2 => match self.known(Sort::Number) {
                Some(name) => name,
                None => self.one_of(&["d2", "d3", "d4", "dF", "d{0, 1: 2}"]),
            },
            _ => self.one_of(&["d2", "d3", "2d2", "d{1, 3}", "1d1"]),
        }
    }

    fn literal(&mut self) -> String {
        self.one_of(&["1", "2", "3", "0", "4"])
    }

    fn block(&mut self, depth: u32) -> String {
        match self.fork(5) {
            0 | 1 => {
                let (name, sort, value) = self.binding(depth);
                let body = self.within(&[(&name, sort)], |g| g.number(depth));
                format!("(do let {name} = {value}; {body} end)")
            }
            2 => format!("({} given {})", self.number(depth), self.bool(depth)),
            3 => format!("(do note \"seen {{{}}}\"; {} end)", self.leaf(), self.number(depth)),
            _ => {
                let condition = self.bool(depth);
                format!("(do require {condition} else \"no\"; {} end)", self.number(depth))
            }
        }
    }

    fn matched(&mut self, depth: u32) -> String {
        let on = self.number(depth);
        let (a, b, c) = (self.number(depth), self.number(depth), self.number(depth));
        let middle = self.one_of(&["1", "1..2", "1, 3", "2.."]);
        let last = self.one_of(&["else", "else", "2..9"]);
        if last == "else" {
            format!("(match {on}\n  ..0 => {a}\n  {middle} => {b}\n  else => {c}\nend)")
        } else {
            format!("(match {on}\n  ..0 => {a}\n  1.. => {b}\n  else => {c}\nend)")
        }
    }

    /// A function of two numbers, one with a default.
    fn call(&mut self, depth: u32) -> String {
        let name = self.name("f");
        let outer = std::mem::take(&mut self.names);
        let body = self.within(&[("a", Sort::Number), ("b", Sort::Number)], |g| g.number(depth));
        let default = self.one_of(&["1", "d2", "a", "0"]);
        self.names = outer;
        let _ = writeln!(self.functions, "fn {name}(a, b = {default}) = {body}");
        match self.fork(3) {
            0 => format!("{name}({})", self.number(depth)),
            1 => format!("{name}({}, {})", self.number(depth), self.number(depth)),
            _ => format!("{name}(b: {}, a: {})", self.number(depth), self.number(depth)),
        }
    }

    fn recursion(&mut self, depth: u32) -> String {
        let name = self.name("r");
        let outer = std::mem::take(&mut self.names);
        let end = self.within(&[("n", Sort::Number)], |g| g.number(depth.min(1)));
        let step = self.one_of(&["d2", "n", "1", "d3"]);
        let op = self.one_of(&["+", "-", "*"]);
        self.names = outer;
        let next = match self.fork(5) {
            0..=2 => format!("if n <= 0 then {end} else {step} {op} {name}(n - 1)"),
            // Endless: it goes on with a chance.
            3 => format!("if d2 = 1 then {end} else 1 + {name}(n)"),
            // Endless, and more of them each time.
            _ => format!("if d3 > 1 then {end} else {step} + {name}(n) + {name}(n)"),
        };
        let _ = writeln!(self.functions, "fn {name}(n) = {next}");
        format!("{name}({})", self.one_of(&["1", "2", "d2"]))
    }

    fn folded(&mut self, depth: u32) -> String {
        let (carry, item) = (self.name("c"), self.name("i"));
        let (list, first) = (self.list(depth), self.leaf());
        let names = [(carry.as_str(), Sort::Number), (item.as_str(), Sort::Number)];
        let body = self.within(&names, |g| g.number(depth));
        format!("fold({list}, {first}, ({carry}, {item}) => {body})")
    }

    /// A walk over one pool or two, up or down; its step looks at a number from outside, too.
    fn walked(&mut self) -> String {
        let walk = self.one_of(&["walk", "walk_down"]);
        let bound = self.known(Sort::Number).unwrap_or_else(|| "2".to_owned());
        let next = self.one_of(&["c + f * n", "max(c, n)", "c * 3 + n", "c + 1", "c * 2 + f"]);
        let body = match self.fork(3) {
            0 => next,
            1 => format!("if f >= {bound} then {next} else c - n"),
            _ => format!("{next} + 1 / (n + {bound})"),
        };
        match self.fork(3) {
            0 => {
                let (mine, theirs) = (self.pool(), self.pool());
                format!("{walk}({mine}, {theirs}, 0, (c, f, n, m) => {body} - m)")
            }
            1 => format!("{}({})", self.one_of(&["largest_set", "straight"]), self.pool()),
            _ => format!("{walk}({}, 0, (c, f, n) => {body})", self.pool()),
        }
    }

    fn repeated(&mut self, depth: u32) -> String {
        let (n, s) = (self.name("n"), self.name("s"));
        let names = [(n.as_str(), Sort::Number), (s.as_str(), Sort::Number)];
        let (step, until) = self.within(&names, |g| {
            let step = g.number(depth);
            let until = match g.fork(5) {
                0 | 1 => format!("{n} >= 2"),
                2 => format!("{n} >= 2 or {}", g.bool(depth)),
                3 => "d2 = 1".to_owned(),
                _ => format!("d3 >= 2 or {n} >= 3"),
            };
            (step, until)
        });
        let field = self.one_of(&["s", "n"]);
        let field = if field == "s" { &s } else { &n };
        let first = self.leaf();
        let next = self.one_of(&["+", "-"]);
        format!(
            "(repeat with {n} = 0, {s} = {first}\n  next {n} = {n} + 1, {s} = {s} {next} {step}\nuntil {until}).{field}"
        )
    }

    fn totals(&mut self, depth: u32) -> String {
        let keep = self.one_of(&["kh1", "kl1", "dl1", "dh1", "cs>=2", "min1", ""]);
        match self.fork(5) {
            4 => self.hands(),
            0 => format!("{{{}, {}}} {keep}", self.number(depth), self.number(depth)),
            1 => format!("times(2, {}) {keep}", self.number(depth)),
            2 => format!("times(d2, {}) {keep}", self.rolled()),
            _ => format!("{{{} + {}}} {keep}", self.dice(), self.dice()),
        }
    }

    /// A function that takes its roll unthrown.
    fn unthrown(&mut self, depth: u32) -> String {
        let name = self.name("u");
        let body = self.one_of(&[
            "r + r",
            "max(r, r)",
            "(do let x = r; x * x + r end)",
            "times(2, r) kh1",
        ]);
        let _ = writeln!(self.functions, "fn {name}(roll r) = {body}");
        format!("{name}({})", self.number(depth))
    }

    // Dice.

    fn dice(&mut self) -> String {
        let count = self.one_of(&["", "2", "3", "1", "0", "(d2)", "(d3 - 1)"]);
        let die = self.one_of(&[
            "d2",
            "d3",
            "d4",
            "d2",
            "d{1, 1, 3}",
            "dF",
            "d{0: 2, 2}",
            "d(d2 + 1)",
            "d(2)",
        ]);
        format!("{count}{die}")
    }

    /// Dice from a bag, which cannot be thrown again.
    fn drawn(&mut self) -> String {
        let count = self.one_of(&["2", "", "3", "(d2)", "0"]);
        let bag = self.one_of(&["d3", "d{1..3: 2}", "d{0: 3, 2}", "d{1, 1, 1, 5: 2}"]);
        let gone = self.one_of(&["", " without []"]);
        format!("{count}{bag} drawn{gone}")
    }

    /// Two hands from one bag.
    fn hands(&mut self) -> String {
        let (mine, theirs) = (self.name("h"), self.name("h"));
        let bag = self.one_of(&["d{1..2: 2}", "d3", "d{0: 2, 2}"]);
        let count = self.one_of(&["", "(d2)"]);
        let held = self.one_of(&["", " kh1", " min1"]);
        let gone = if held == " min1" { "" } else { held.as_str() };
        let ask = self.one_of(&["-", ">=", "+"]);
        let last = if ask == ">=" { "then 1 else 0" } else { "" };
        let first = if ask == ">=" { "if " } else { "" };
        format!(
            "(do let {mine} = {count}{bag} drawn; let {theirs} = {bag} drawn without ({mine}{gone}); {first}{mine}{held} {ask} {theirs} {last} end)"
        )
    }

    /// Fresh dice with suffixes.
    fn pool(&mut self) -> String {
        let (pool, drawn) = match self.fork(5) {
            4 => (self.drawn(), true),
            _ => (self.dice(), false),
        };
        let suffixes = self.fork(3);
        self.suffixed(pool, suffixes, drawn)
    }

    /// Dice that may have become more cannot be made unique.
    fn suffixed(&mut self, mut pool: String, suffixes: u32, fixed: bool) -> String {
        let mut exploded = false;
        for _ in 0..suffixes {
            let suffix = self.suffix(fixed);
            if !(exploded && suffix == "u") {
                exploded |= suffix.starts_with('!') && !suffix.starts_with("!!");
                pool = format!("{pool} {suffix}");
            }
        }
        pool
    }

    /// A pool with suffixes, as a number.
    fn rolled(&mut self) -> String {
        let (pool, fixed) = match self.fork(5) {
            0..=2 => (self.dice(), false),
            3 => (self.drawn(), true),
            _ => match self.known(Sort::Pool) {
                Some(name) => (name, true),
                None => (self.dice(), false),
            },
        };
        let suffixes = self.fork(4);
        let pool = self.suffixed(pool, suffixes, fixed);
        match self.fork(5) {
            0..=2 => format!("({pool})"),
            3 => format!("({pool} {})", self.mark()),
            _ => format!("({pool} {} {})", self.mark(), self.mark()),
        }
    }

    fn suffix(&mut self, fixed: bool) -> String {
        let ways = if fixed { 3 } else { 7 };
        match self.fork(ways) {
            0 => {
                let word = self.one_of(&["kh", "kl", "dh", "dl", "km"]);
                format!("{word}{}", self.one_of(&["1", "2", "", "(d2)", "0", "3"]))
            }
            1 => {
                let word = self.one_of(&["min", "max"]);
                format!("{word}{}", self.one_of(&["2", "1", "3", "(d2)"]))
            }
            2 => self.one_of(&["sa", "sd"]),
            3 => {
                let word = self.one_of(&["ro", "rr"]);
                let condition = self.one_of(&["<=1", "=2", ">2", "<2", "!=1", "=(d2)"]);
                format!("{word}{condition}")
            }
            4 => self.one_of(&[
                "!",
                "!o",
                "!!",
                "!p",
                "! up to 2",
                "!!o",
                "!p up to 1",
                "! up to 2 in all",
                "! up to 1 in all lowest first",
                "ro<=2 up to 2 in all",
                "rr<=2 up to 2 in all highest first",
            ]),
            5 => {
                let word = self.one_of(&["!", "!!", "!p", "!o"]);
                let condition = self.one_of(&["2", ">=2", "1", "<2", ">2", ">=(d2 + 1)"]);
                let limit = self.one_of(&[" up to 1", "", " up to 2"]);
                let limit = if word == "!o" { String::new() } else { limit };
                format!("{word}{condition}{limit}")
            }
            _ => "u".to_owned(),
        }
    }

    fn mark(&mut self) -> String {
        let word = self.one_of(&["cs", "cf"]);
        format!("{word}{}", self.one_of(&[">=2", "=1", "<=1", ">2", "!=2", "=(d2)"]))
    }

    fn reading(&mut self) -> String {
        let pool = match self.known(Sort::Pool) {
            Some(name) => name,
            None => self.pool(),
        };
        match self.fork(3) {
            0 => format!("nth_highest({pool}, {})", self.one_of(&["1", "2"])),
            1 => format!("nth_lowest({pool}, {})", self.one_of(&["1", "2"])),
            _ => format!("median({pool})"),
        }
    }

    // Other sorts.

    fn bool(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.known(Sort::Bool) {
                Some(name) => name,
                None => self.one_of(&["true", "d2 = 1", "false", "d3 > 1"]),
            };
        }
        let next = depth - 1;
        match self.fork(8) {
            0..=3 => {
                let op = self.one_of(&[">=", "=", "<", ">", "!=", "<="]);
                format!("({} {op} {})", self.number(next), self.number(next))
            }
            4 => format!("({} and {})", self.bool(next), self.bool(next)),
            5 => format!("({} or {})", self.bool(next), self.bool(next)),
            6 => format!("(not {})", self.bool(next)),
            _ => match self.known(Sort::Record) {
                Some(name) => format!("{name}.yes"),
                None => format!("any({}, i => i >= 2)", self.list(next)),
            },
        }
    }

    fn list(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.known(Sort::List) {
                Some(name) => name,
                None => self.one_of(&["[1, 2]", "[d2]", "[d2, 3]", "1..2"]),
            };
        }
        let next = depth - 1;
        match self.fork(6) {
            0 => format!("[{}]", self.number(next)),
            1 => format!("[{}, {}]", self.number(next), self.number(next)),
            2 => {
                let item = self.name("i");
                let list = self.list(next);
                let body = self.within(&[(&item, Sort::Number)], |g| g.number(next));
                format!("map({list}, {item} => {body})")
            }
            3 => format!("append({}, {})", self.list(next), self.number(next)),
            4 => format!("filter({}, i => i >= {})", self.list(next), self.literal()),
            _ => format!("sort({})", self.list(next)),
        }
    }

    fn record(&mut self, depth: u32) -> String {
        format!("{{n: {}, yes: {}}}", self.number(depth), self.bool(depth))
    }
}
