//! What programs contain: which forms of the core language, in which situations.
//!
//! A law that is checked on random programs says nothing about what they never contain. So each program is
//! gone through, what it contains is counted, and a table is made that names what was never reached. The labels
//! of forms stand in one place with the patterns that they are for, and the compiler knows whether one lacks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use astragal::Ways;
use astragal_odds::ways;
use astragal_program::core::{
    Branch, Die, ExplodeStyle, Expr, Function, Goal, Kind, LocalId, Op, Order, Program, Reading,
    SuffixKind, Who,
};
use astragal_program::types::Type;

/// A function from a form to its label, and the list of all its labels.
macro_rules! labels {
    ($all:ident, $of:ident($form:ty) { $($pattern:pat $(if $guard:expr)? => $label:literal,)* }) => {
        const $all: &[&str] = &[$($label),*];
        fn $of(form: &$form) -> &'static str {
            match form { $($pattern $(if $guard)? => $label,)* }
        }
    };
}

labels!(FORMS, form(Kind) {
    Kind::Constant(_) => "constant",
    Kind::Local(_) => "variable",
    Kind::Let { .. } => "let",
    Kind::If { origin: Branch::If, .. } => "if",
    Kind::If { origin: Branch::Arm, .. } => "arm of a match",
    Kind::If { origin: Branch::Logic, .. } => "and, or",
    Kind::Operation { .. } => "operation",
    Kind::List(_) => "list",
    Kind::Record { .. } => "record",
    Kind::Field { .. } => "field",
    Kind::Call { .. } => "call",
    Kind::Enter { .. } => "call of a function that takes a roll or a function",
    Kind::Fold { .. } => "fold",
    Kind::Walk { down: false, .. } => "walk",
    Kind::Walk { down: true, .. } => "walk_down",
    Kind::Repeat { .. } => "repeat",
    Kind::Require { .. } => "require",
    Kind::Given { .. } => "given",
    Kind::Note { .. } => "note",
    Kind::Labelled { .. } => "label",
    Kind::Input { .. } => "input",
    Kind::Dice { die: Die::Sides(_), .. } => "dice with sides",
    Kind::Dice { die: Die::Percent, .. } => "d%",
    Kind::Dice { die: Die::Fate, .. } => "dF",
    Kind::Dice { die: Die::Faces(_), .. } => "dice with faces",
    Kind::Symbols { count: None, .. } => "one die of symbols",
    Kind::Symbols { count: Some(_), .. } => "dice of symbols",
    Kind::Tally { .. } => "symbols that are added up",
    Kind::Drawn { without, .. } if without.is_empty() => "drawn",
    Kind::Drawn { .. } => "drawn without",
    Kind::Gather(_) => "group of totals",
    Kind::Merge(_) => "mixed pool",
    Kind::Times { .. } => "times",
    Kind::Measure { .. } => "odds within odds",
    Kind::Best(best) if best.aim.is_some() => "maximise by",
    Kind::Best(best) if best.goal == Goal::Least => "minimise",
    Kind::Best(_) => "maximise",
    Kind::Choose { who: Who::Opponent, .. } => "oppose",
    Kind::Choose { .. } => "choose",
    Kind::Pick { .. } => "choose from",
    Kind::Suffixed { .. } => "suffix",
    Kind::Read { reading: Reading::Total, .. } => "total",
    Kind::Read { reading: Reading::NthHighest(_), .. } => "nth_highest",
    Kind::Read { reading: Reading::NthLowest(_), .. } => "nth_lowest",
    Kind::Read { reading: Reading::Median, .. } => "median",
});

labels!(SUFFIXES, suffix(SuffixKind) {
    SuffixKind::Keep(..) => "suffix: keep",
    SuffixKind::Drop(..) => "suffix: drop",
    SuffixKind::Explode { style: ExplodeStyle::Separate, limit: None, .. } => "suffix: explode",
    SuffixKind::Explode { style: ExplodeStyle::Separate, .. } => "suffix: explode up to",
    SuffixKind::Explode { style: ExplodeStyle::Compound, limit: None, .. } => "suffix: compound",
    SuffixKind::Explode { style: ExplodeStyle::Compound, .. } => "suffix: compound up to",
    SuffixKind::Explode { style: ExplodeStyle::Penetrate, limit: None, .. } => "suffix: penetrate",
    SuffixKind::Explode { style: ExplodeStyle::Penetrate, .. } => "suffix: penetrate up to",
    SuffixKind::Reroll { once: true, .. } => "suffix: reroll once",
    SuffixKind::Reroll { once: false, .. } => "suffix: reroll",
    SuffixKind::InAll { first: Order::Thrown, .. } => "suffix: in all",
    SuffixKind::InAll { first: Order::Lowest, .. } => "suffix: in all, lowest first",
    SuffixKind::InAll { first: Order::Highest, .. } => "suffix: in all, highest first",
    SuffixKind::AtLeast(_) => "suffix: at least",
    SuffixKind::AtMost(_) => "suffix: at most",
    SuffixKind::CountFor(_) => "suffix: count",
    SuffixKind::CountAgainst(_) => "suffix: count against",
    SuffixKind::Unique => "suffix: unique",
    SuffixKind::Ascending => "suffix: ascending",
    SuffixKind::Descending => "suffix: descending",
});

labels!(OPERATIONS, operation(Op) {
    Op::Add => "+",
    Op::Subtract => "-",
    Op::Multiply => "*",
    Op::Divide => "/",
    Op::FloorDivide => "//",
    Op::Remainder => "%",
    Op::Power => "^",
    Op::Negate => "negate",
    Op::Floor => "floor",
    Op::Ceil => "ceil",
    Op::Round => "round",
    Op::Abs => "abs",
    Op::Min => "min",
    Op::Max => "max",
    Op::Equal => "=",
    Op::NotEqual => "!=",
    Op::Less => "<",
    Op::AtMost => "<=",
    Op::Greater => ">",
    Op::AtLeast => ">=",
    Op::Not => "not",
    Op::Join => "text of pieces",
    Op::Length => "length",
    Op::At => "at",
    Op::Append => "append",
    Op::Range => "range",
    Op::Sort => "sort",
    Op::Reverse => "reverse",
    Op::Word => "word",
});

/// Situations in which forms stand that have broken the law before.
const SITUATIONS: &[&str] = &[
    "dice on the table are read in a loop",
    "dice on the table are read twice",
    "dice on the table in a mixed pool",
    "dice on the table handed to a function",
    "drawn without dice on the table",
    "fresh dice are bound in a loop",
    "a walk in a loop",
    "a loop in a loop",
    "given in a loop",
    "given in a function",
    "note in a loop or a function",
    "a function that calls itself",
    "a loop that carries a list",
    "a loop that carries a record",
    "a walk that carries a record",
    "two pools walked side by side",
    "several results",
    "a choice in a loop",
    "a choice in a function",
    "a choice in an arm",
    "a play in a play",
];

/// What programs contained, and by which ways they were answered: each with the number of programs.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    forms: BTreeMap<&'static str, u64>,
    ways: BTreeMap<&'static str, u64>,
}

impl Reached {
    /// Counts a program.
    pub fn count(&mut self, program: &Program) {
        for label in contained(program) {
            *self.forms.entry(label).or_default() += 1;
        }
    }

    /// Counts the ways that the odds of a program took.
    pub fn count_ways(&mut self, taken: Ways) {
        for way in ways::every().filter(|way| taken.has(*way)) {
            *self.ways.entry(way.name).or_default() += 1;
        }
    }

    /// The labels that no program had.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [FORMS, SUFFIXES, OPERATIONS, SITUATIONS].into_iter().flatten();
        all.copied().filter(|label| !self.forms.contains_key(label)).collect()
    }

    /// The ways that no program took.
    pub fn missing_ways(&self) -> Vec<&'static str> {
        ways::every().map(|way| way.name).filter(|name| !self.ways.contains_key(name)).collect()
    }
}

/// The table: the rarest first.
impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables =
            [("form", &self.forms, self.missing()), ("way", &self.ways, self.missing_ways())];
        for (what, table, missing) in tables {
            let mut rows: Vec<_> = table.iter().collect();
            rows.sort_by_key(|(label, count)| (**count, **label));
            rows.iter()
                .try_for_each(|(label, count)| writeln!(f, "{count:>8}  {what}: {label}"))?;
            missing.iter().try_for_each(|label| writeln!(f, "   never  {what}: {label}"))?;
        }
        Ok(())
    }
}

/// The labels of all that a program contains.
pub fn contained(program: &Program) -> BTreeSet<&'static str> {
    let mut visit = Visit::default();
    visit.function(&program.main, None);
    for (number, function) in program.functions.iter().enumerate() {
        visit.function(function, Some(number as u32));
    }
    if program.results.len() > 1 {
        visit.labels.insert("several results");
    }
    visit.labels
}

#[derive(Default)]
struct Visit {
    labels: BTreeSet<&'static str>,
    /// The function that is gone through; none is the program itself.
    function: Option<u32>,
    /// For each loop around, the variables that are bound inside it.
    loops: Vec<BTreeSet<LocalId>>,
    /// The variables that hold dice, and those among them that were read.
    dice: BTreeSet<LocalId>,
    read: BTreeSet<LocalId>,
    /// Inside a `maximise`, an arm of a choice.
    in_play: bool,
    in_arm: bool,
}

impl Visit {
    fn function(&mut self, function: &Function, number: Option<u32>) {
        self.function = number;
        let is_pool = |local: &astragal_program::core::Local| matches!(local.ty, Type::Pool(_));
        let locals = (0..).map(LocalId).zip(&function.locals);
        self.dice = locals.filter(|(_, local)| is_pool(local)).map(|(id, _)| id).collect();
        self.read.clear();
        self.expr(&function.body);
    }

    fn expr(&mut self, expr: &Expr) {
        self.labels.insert(form(&expr.kind));
        self.situation(&expr.kind);
        match &expr.kind {
            Kind::Repeat { first, round, .. } => {
                first.iter().for_each(|first| self.expr(first));
                self.within_loop(round);
            }
            Kind::Fold { list, first, body, .. } => {
                self.expr(list);
                self.expr(first);
                self.within_loop(body);
            }
            Kind::Best(best) => {
                let before = std::mem::replace(&mut self.in_play, true);
                self.expr(&best.value);
                self.in_play = before;
                best.aim.iter().for_each(|aim| self.expr(&aim.number));
            }
            Kind::Choose { .. } => {
                let before = std::mem::replace(&mut self.in_arm, true);
                expr.children().into_iter().for_each(|child| self.expr(child));
                self.in_arm = before;
            }
            _ => expr.children().into_iter().for_each(|child| self.expr(child)),
        }
    }

    fn within_loop(&mut self, body: &Expr) {
        self.loops.push(BTreeSet::new());
        self.expr(body);
        self.loops.pop();
    }

    fn situation(&mut self, kind: &Kind) {
        let looping = !self.loops.is_empty();
        let inside = looping || self.function.is_some();
        match kind {
            Kind::Local(local) if self.dice.contains(local) => {
                if self.loops.last().is_some_and(|bound| !bound.contains(local)) {
                    self.labels.insert("dice on the table are read in a loop");
                }
                if !self.read.insert(*local) {
                    self.labels.insert("dice on the table are read twice");
                }
            }
            Kind::Let { local, .. } => {
                if looping && self.dice.contains(local) {
                    self.labels.insert("fresh dice are bound in a loop");
                }
                for bound in &mut self.loops {
                    bound.insert(*local);
                }
            }
            Kind::Operation { op, .. } => self.add_those(&[(true, operation(op))]),
            Kind::Suffixed { suffix: done, .. } => self.add_those(&[(true, suffix(&done.kind))]),
            Kind::Merge(pools) if pools.iter().any(on_table) => {
                self.labels.insert("dice on the table in a mixed pool");
            }
            Kind::Call { function, arguments } => {
                if self.function == Some(function.0) {
                    self.labels.insert("a function that calls itself");
                }
                if arguments.iter().any(|argument| self.is_dice(argument)) {
                    self.labels.insert("dice on the table handed to a function");
                }
            }
            Kind::Drawn { without, .. } if without.iter().any(on_table) => {
                self.labels.insert("drawn without dice on the table");
            }
            Kind::Walk { pools, first, .. } => {
                let labels = [
                    (looping, "a walk in a loop"),
                    (is_record(first), "a walk that carries a record"),
                    (pools.len() > 1, "two pools walked side by side"),
                ];
                self.add_those(&labels);
            }
            Kind::Repeat { first, .. } => {
                let labels = [
                    (looping, "a loop in a loop"),
                    (first.iter().any(is_list), "a loop that carries a list"),
                    (first.iter().any(is_record), "a loop that carries a record"),
                ];
                self.add_those(&labels);
            }
            Kind::Given { .. } => {
                let called = self.function.is_some();
                self.add_those(&[(looping, "given in a loop"), (called, "given in a function")]);
            }
            Kind::Choose { .. } | Kind::Pick { .. } => {
                let labels = [
                    (looping, "a choice in a loop"),
                    (self.function.is_some(), "a choice in a function"),
                    (self.in_arm, "a choice in an arm"),
                ];
                self.add_those(&labels);
            }
            Kind::Best(_) => self.add_those(&[(self.in_play, "a play in a play")]),
            Kind::Note { .. } => self.add_those(&[(inside, "note in a loop or a function")]),
            _ => {}
        }
    }

    fn add_those(&mut self, labels: &[(bool, &'static str)]) {
        self.labels.extend(labels.iter().filter(|(is, _)| *is).map(|(_, label)| label));
    }

    fn is_dice(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, Kind::Local(local) if self.dice.contains(local))
    }
}

/// Whether it is a variable, with suffixes or without.
fn on_table(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Local(_) => true,
        Kind::Suffixed { pool, .. } => on_table(pool),
        _ => false,
    }
}

fn is_record(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Record { .. })
}

fn is_list(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::List(_))
}
