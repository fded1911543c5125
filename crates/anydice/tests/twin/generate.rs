//! Random programs: mostly right ones, with small dice, that do what makes runs of a function differ.

use std::collections::BTreeMap;

use super::tree::{Block, COMPARISONS, Expr, Function, Part, Statement};

const VARIABLES: [&str; 6] = ["A", "B", "C", "D", "N", "S"];
const TYPES: [&str; 8] = [":n", ":n", ":n", ":s", ":s", ":d", ":?", ""];
const OPERATORS: [&str; 12] = ["+", "-", "+", "-", "*", "/", "&", "|", "^", "<=", "<=", "!="];

/// Some hide built-in functions, some look like statements; the last can be defined but not called.
const FUNCTIONS: &str = "f _, f _, g _ _, g _ _, h _ with _, k, t _ _ _, again _, absolute _, \
    highest _ of _, _ contains _, loop _ if _, sort _, q _ d";

const BUILT_IN: &str = "absolute _, _ contains _, count _ in _, explode _, explode _, \
    highest _ of _, lowest _ of _, middle _ of _, highest of _ and _, lowest of _ and _, \
    highest _ of _ and _, lowest _ of _ and _, lowest _ of _ and _ and _, maximum of _, \
    reverse _, sort _";

const NAMES: [&str; 6] = ["x", "a [A] b", "[B][C]", "[ A ] [", "[S] of [D]", "[a] [N]"];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Sequence,
    Die,
}

const KINDS: [Kind; 4] = [Kind::Number, Kind::Number, Kind::Sequence, Kind::Die];

pub fn program(seed: u64) -> Block {
    let (kinds, functions, parameters) = (BTreeMap::new(), Vec::new(), Vec::new());
    Generator { state: seed, kinds, functions, parameters, in_function: false }.program()
}

struct Generator {
    state: u64,
    /// What the variables hold, as far as it is known.
    kinds: BTreeMap<&'static str, Kind>,
    functions: Vec<&'static str>,
    /// Those of the function that is being written.
    parameters: Vec<&'static str>,
    in_function: bool,
}

impl Generator {
    /// The generator of random numbers is splitmix64.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn program(&mut self) -> Block {
        let mut program = Vec::new();
        for name in VARIABLES {
            if self.below(400) > 0 {
                let kind = self.pick(&KINDS);
                program.push(Statement::Assign(name, self.of(kind, 2)));
                self.kinds.insert(name, kind);
            }
        }
        for _ in 0..self.pick(&[0, 1, 2, 2, 3]) {
            program.push(self.function());
        }
        if self.percent(40) {
            program.push(self.setting());
        }
        // The same outputs come again after something has changed.
        let outputs: Vec<Statement> = (0..1 + self.below(3)).map(|_| self.output()).collect();
        program.extend(outputs.iter().cloned());
        for _ in 0..self.below(4) {
            program.push(match self.below(8) {
                0 | 1 => self.function(),
                2 | 3 => self.setting(),
                4 | 5 => self.assign(),
                _ => self.statement(0),
            });
            program.push(outputs[self.below(outputs.len())].clone());
        }
        program
    }

    fn setting(&mut self) -> Statement {
        let setting = match self.below(4) {
            0 => "explode depth",
            1 => "maximum function depth",
            _ => return Statement::SetOrder(self.pick(&["lowest first", "highest first"])),
        };
        let value = match self.below(20) {
            0 => self.any(2),
            1..=3 => sequence(vec![number(1), number(2)]),
            _ => number(self.pick(&[1, 2, 3, 4, 5])),
        };
        Statement::SetDepth(setting, value)
    }

    fn output(&mut self) -> Statement {
        let value = if self.percent(70) { self.call(0) } else { self.any(0) };
        Statement::Output(value, if self.percent(30) { Some(self.pick(&NAMES)) } else { None })
    }

    fn function(&mut self) -> Statement {
        let name = self.pick(&names(FUNCTIONS));
        let outer = self.kinds.clone();
        self.in_function = true;
        let mut parameters = Vec::new();
        for _ in name.matches('_') {
            let (variable, kind) = (self.pick(&VARIABLES), self.pick(&TYPES));
            parameters.push((variable, kind));
            self.kinds.insert(variable, kind_of(kind));
        }
        self.parameters = parameters.iter().map(|(name, _)| *name).collect();
        let mut body: Block = (0..self.below(4)).map(|_| self.statement(0)).collect();
        if name == "again _" {
            body.extend(self.recursion(parameters[0].0));
        } else if self.percent(95) {
            body.push(Statement::Result(self.result()));
        }
        self.in_function = false;
        self.kinds = outer;
        if name != "q _ d" {
            self.functions.push(name);
        }
        Statement::Function(Function { name, parameters, body })
    }

    /// Ends of a function that calls itself, some without an end.
    fn recursion(&mut self, name: &'static str) -> Block {
        let ends = Expr::Variable(self.pick(&[name, "N"]));
        let ends = Statement::If(binary(">", ends, number(3)), vec![self.give_back(name)], vec![]);
        let next = match self.below(4) {
            0 => binary("-", Expr::Variable(name), number(1)),
            1 => die(1, number(2)),
            _ => binary("+", Expr::Variable(name), number(1)),
        };
        let next = Expr::Call("again _", vec![next]);
        let next = if self.percent(60) { binary("+", next, self.number(2)) } else { next };
        let mut end = if self.percent(80) { vec![ends] } else { vec![] };
        end.push(Statement::Result(next));
        end
    }

    fn give_back(&mut self, name: &'static str) -> Statement {
        let value = if self.percent(70) { Expr::Variable(name) } else { self.result() };
        Statement::Result(value)
    }

    fn result(&mut self) -> Expr {
        match self.below(25) {
            0 | 1 => empty(),
            2 | 3 => Expr::Call("absolute _", vec![empty()]),
            4..=14 => {
                let [a, b] = [0; 2].map(|_| Expr::Variable(self.pick(&VARIABLES)));
                let sign = self.pick(&["+", "+", "*"]);
                let first = self.parameters.first().copied().unwrap_or("N");
                binary(sign, binary("+", a, b), Expr::Variable(first))
            }
            _ => self.any(1),
        }
    }

    fn block(&mut self, depth: usize) -> Block {
        let mut block: Block = (0..self.below(3)).map(|_| self.statement(depth)).collect();
        if self.in_function && self.percent(45) {
            block.push(Statement::Result(self.result()));
        }
        block
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.below(20) {
            11..=15 if depth < 2 => {
                let condition = self.condition();
                let then = self.block(depth + 1);
                Statement::If(condition, then, self.otherwise(depth))
            }
            16 | 17 if depth < 2 => {
                let over = match self.below(12) {
                    0 => self.any(2),
                    1..=4 => self.sequence(2),
                    _ => range(number(1), number(self.pick(&[2, 3]))),
                };
                let name = self.pick(&VARIABLES);
                self.kinds.insert(name, Kind::Number);
                Statement::Loop(name, over, self.block(depth + 1))
            }
            18.. if !self.in_function => self.output(),
            _ => self.assign(),
        }
    }

    fn condition(&mut self) -> Expr {
        let first = self.parameters.first().copied().unwrap_or("N");
        match self.below(6) {
            0 => self.number(1),
            1..=3 if self.in_function && self.kinds.get(first) != Some(&Kind::Die) => {
                let bound = number(self.pick(&[1, 2, 2, 3]));
                binary(self.pick(&COMPARISONS), Expr::Variable(first), bound)
            }
            _ => binary(self.pick(&COMPARISONS), self.number(2), self.number(2)),
        }
    }

    fn otherwise(&mut self, depth: usize) -> Block {
        match self.below(4) {
            0 => vec![Statement::If(self.number(2), self.block(depth + 1), self.block(depth + 1))],
            1 | 2 => self.block(depth + 1),
            _ => vec![],
        }
    }

    fn assign(&mut self) -> Statement {
        let name = self.pick(&VARIABLES);
        let old = self.kinds.get(name).copied();
        let kind = if self.percent(70) { old } else { None }.unwrap_or(self.pick(&KINDS));
        let value = match self.below(10) {
            0 => {
                self.kinds.remove(name);
                return Statement::Assign(name, self.any(0));
            }
            1..=3 if old.is_some() && kind == Kind::Number => {
                binary("+", Expr::Variable(name), self.number(3))
            }
            1..=3 if old == Some(kind) && kind == Kind::Sequence => {
                sequence(vec![Expr::Variable(name), self.number(2)])
            }
            _ => self.of(kind, 1),
        };
        self.kinds.insert(name, kind);
        Statement::Assign(name, value)
    }

    fn any(&mut self, depth: usize) -> Expr {
        match self.below(10) {
            0 | 1 if depth < 3 => self.call(depth),
            2 | 3 => self.number(depth),
            4 => Expr::Variable(self.pick(&VARIABLES)),
            5 | 6 => self.sequence(depth),
            _ => self.die(depth),
        }
    }

    fn of(&mut self, kind: Kind, depth: usize) -> Expr {
        match kind {
            Kind::Number => self.number(depth),
            Kind::Sequence => self.sequence(depth),
            Kind::Die => self.die(depth),
        }
    }

    /// A variable of this kind, if there is one.
    fn variable(&mut self, kind: Kind) -> Option<Expr> {
        let known = self.kinds.iter().filter(|(_, known)| **known == kind);
        let known: Vec<_> = known.map(|(name, _)| *name).collect();
        if known.is_empty() { None } else { Some(Expr::Variable(self.pick(&known))) }
    }

    fn plain(&mut self, depth: usize) -> Expr {
        if self.percent(50) { self.number(depth) } else { self.sequence(depth) }
    }

    fn number(&mut self, depth: usize) -> Expr {
        let choice = if depth > 3 { self.below(10) } else { self.below(20) };
        match choice {
            0..=4 => number(self.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 10, -1, -2, 120])),
            5..=9 => self.variable(Kind::Number).unwrap_or(number(2)),
            10..=12 => {
                let sign = self.pick(&["+", "-", "*", "/", "&", "|"]);
                binary(sign, self.number(depth + 1), self.number(depth + 1))
            }
            13 | 14 => {
                binary(self.pick(&COMPARISONS), self.plain(depth + 1), self.plain(depth + 1))
            }
            15 => unary(self.pick(&["!", "-", "+"]), self.number(depth + 1)),
            16 => unary("#", self.any(depth + 1)),
            17 if self.percent(40) => {
                binary("@", self.plain(depth + 1), number(self.pick(&[12, 305, -120])))
            }
            17 => binary("@", self.plain(depth + 1), self.plain(depth + 1)),
            18 => binary("^", self.number(depth + 2), number(self.pick(&[0, 1, 2, 2, 3, -1]))),
            _ => Expr::Call("maximum of _", vec![self.any(depth + 1)]),
        }
    }

    fn sequence(&mut self, depth: usize) -> Expr {
        match self.below(20) {
            0..=5 => self.variable(Kind::Sequence).unwrap_or(range(number(1), number(3))),
            6 => sequence(vec![]),
            7 if depth < 3 => {
                Expr::Call(self.pick(&["sort _", "reverse _"]), vec![self.sequence(depth + 1)])
            }
            8 if depth < 3 => binary("+", empty(), self.sequence(depth + 1)),
            _ => {
                let most = if depth < 2 { 4 } else { 2 };
                Expr::Sequence((0..1 + self.below(most)).map(|_| self.part(depth)).collect())
            }
        }
    }

    fn part(&mut self, depth: usize) -> Part {
        let mut last = None;
        let first = match self.below(20) {
            0..=3 if depth < 3 => {
                last = Some(self.number(depth + 2));
                number(self.pick(&[1, 0, -1]))
            }
            4 | 5 if depth < 3 => self.sequence(depth + 1),
            6 | 7 if depth < 3 => self.number(depth + 1),
            8 if depth < 3 => self.die(depth + 1),
            _ => number(self.below(9) as i128 - 2),
        };
        let times = if self.percent(12) { Some(number(self.pick(&[2, 0, 3, -1]))) } else { None };
        Part { first, last, times }
    }

    fn die(&mut self, depth: usize) -> Expr {
        let choice = if depth > 2 { self.below(7) } else { self.below(20) };
        match choice {
            0 | 1 => self.variable(Kind::Die).unwrap_or(die(2, number(2))),
            2..=5 => self.small_die(),
            6 => self.pick(&[empty, || die(2, empty()), || binary("d", empty(), number(2))])(),
            7..=9 => {
                let (left, right) = (self.any(depth + 2), self.any(depth + 2));
                let left = if self.percent(50) { number(self.pick(&[1, 2, 0, -2])) } else { left };
                binary("d", left, right)
            }
            10 => unary("d", self.any(depth + 1)),
            11 | 12 => binary(self.pick(&OPERATORS), self.any(depth + 1), self.die(depth + 1)),
            13 | 14 => binary(self.pick(&OPERATORS), self.die(depth + 1), self.any(depth + 1)),
            15 => binary(self.pick(&COMPARISONS), self.die(depth + 1), self.any(depth + 1)),
            16 => unary(self.pick(&["!", "-", "-", "+"]), self.die(depth + 1)),
            17 => binary("@", self.plain(depth + 1), self.die(depth + 1)),
            _ => self.call_of(names(BUILT_IN), depth),
        }
    }

    fn small_die(&mut self) -> Expr {
        let count = self.pick(&[1, 1, 1, 2, 2, 3, -2]);
        match self.below(4) {
            0 => {
                let faces: [&[i128]; 4] = [&[1, 1, 2], &[0, 1], &[1, 3], &[-1, 0, 0, 1]];
                die(count, sequence(self.pick(&faces).iter().copied().map(number).collect()))
            }
            1 => unary("d", number(self.pick(&[2, 3, 4, 6, 0, 1, -2]))),
            _ => die(count, number(self.pick(&[2, 2, 3, 3, 4]))),
        }
    }

    fn call(&mut self, depth: usize) -> Expr {
        let own = self.functions.clone();
        self.call_of(if own.is_empty() { names(BUILT_IN) } else { own }, depth)
    }

    fn call_of(&mut self, names: Vec<&'static str>, depth: usize) -> Expr {
        let name = self.pick(&names);
        let mut argument = |_| match self.below(10) {
            0..=4 => self.small_die(),
            5 => self.plain(depth + 1),
            6 | 7 => self.die(depth + 1),
            _ => self.any(depth + 1),
        };
        Expr::Call(name, name.matches('_').map(&mut argument).collect())
    }
}

fn names(list: &'static str) -> Vec<&'static str> {
    list.split(", ").collect()
}

fn kind_of(written: &str) -> Kind {
    match written {
        ":s" => Kind::Sequence,
        ":d" => Kind::Die,
        _ => Kind::Number,
    }
}

fn number(value: i128) -> Expr {
    let digits = Expr::Number(value.abs());
    if value < 0 { unary("-", digits) } else { digits }
}

fn unary(sign: &'static str, value: Expr) -> Expr {
    Expr::Unary(sign, Box::new(value))
}

fn binary(sign: &'static str, left: Expr, right: Expr) -> Expr {
    Expr::Binary(sign, Box::new(left), Box::new(right))
}

fn die(count: i128, faces: Expr) -> Expr {
    binary("d", number(count), faces)
}

fn empty() -> Expr {
    unary("d", sequence(vec![]))
}

fn sequence(items: Vec<Expr>) -> Expr {
    let part = |first| Part { first, last: None, times: None };
    Expr::Sequence(items.into_iter().map(part).collect())
}

fn range(first: Expr, last: Expr) -> Expr {
    Expr::Sequence(vec![Part { first, last: Some(last), times: None }])
}
