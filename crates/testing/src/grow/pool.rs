//! Dice: thrown, drawn, laid together; what suffixes do to them, in every order; what is read off them.

use super::{Grower, Sort};

/// The bag that hands are drawn from.
const BAG: &str = "d{1..2: 2, 3}";

/// What may still be done with dice.
#[derive(Clone, Copy)]
struct Dice {
    /// They lie on the table, are drawn, or are totals: nothing may be thrown again.
    fixed: bool,
    /// An explosion may have added dice: they cannot be made unique.
    more: bool,
}

const FRESH: Dice = Dice { fixed: false, more: false };
const FIXED: Dice = Dice { fixed: true, more: false };

impl Grower {
    /// Dice with suffixes that are not counted, as they may be bound.
    pub(super) fn pool(&mut self) -> String {
        let (pool, dice) = self.dice();
        let suffixes = self.fork(3);
        self.suffixed(pool, suffixes, dice)
    }

    /// The same, as a number: its sum, or marks.
    pub(super) fn rolled(&mut self) -> String {
        let (pool, dice) = self.dice();
        let suffixes = self.fork(4);
        let pool = self.suffixed(pool, suffixes, dice);
        match self.fork(5) {
            0..=2 => format!("({pool})"),
            3 => format!("({pool} {})", self.mark()),
            _ => format!("({pool} {} {} {})", self.mark(), self.one_of(&["sa", "sd"]), self.mark()),
        }
    }

    fn dice(&mut self) -> (String, Dice) {
        self.unchosen(Grower::dice_unchosen)
    }

    fn dice_unchosen(&mut self) -> (String, Dice) {
        match self.fork(16) {
            0..=5 => (self.thrown(), FRESH),
            14 => {
                let (condition, one) = (self.bool(0), self.thrown());
                let other =
                    self.known(&[Sort::Pool, Sort::Hand]).unwrap_or_else(|| "1d1".to_owned());
                (format!("(if {condition} then {one} else {other})"), FIXED)
            }
            15 => (self.dice_of_a_function(), FIXED),
            6 => match self.known(&[Sort::Pool, Sort::Hand]) {
                Some(name) => (name, FIXED),
                None => (self.thrown(), FRESH),
            },
            7 | 8 => (self.drawn(), FIXED),
            9 | 10 => self.merged(),
            11 => (format!("{{{}, {}}}", self.number(1), self.number(0)), FIXED),
            12 => {
                let count = self.one_of(&["2", "1", "0"]);
                let each = self.repeated(2, |g| g.number(1));
                (format!("times({count}, {each})"), FIXED)
            }
            _ => match self.known(&[Sort::Roll]) {
                Some(name) if self.affords(4) => (format!("{{{name} + 1d1}}"), FIXED),
                _ => (self.thrown(), FRESH),
            },
        }
    }

    /// Dice whose count, sides and weights are thrown, and may be none at all.
    fn of_thrown_numbers(&mut self) -> String {
        let count = match self.fork(4) {
            0 | 1 => self.count(),
            2 => format!("({})", self.number(0)),
            _ => self.one_of(&["(d2 - 2)", "(d3 - 2)", "(d2 / 2)"]),
        };
        match self.fork(4) {
            0 => format!("{count}d({})", self.number(0)),
            1 => format!("{count}d(d2 - 1)"),
            2 => format!("{count}d{{1: d3 - 1, 2: {}}}", self.leaf()),
            _ => format!("{count}d{{{}: d2, 3 // (d3 - 1)}}", self.leaf()),
        }
    }

    /// Fresh dice.
    fn thrown(&mut self) -> String {
        if self.fork(24) == 23 && self.affords(16) {
            return self.of_thrown_numbers();
        }
        let count = self.count();
        let (die, faces) = match self.fork(18) {
            0..=3 => ("d2", 2),
            4..=6 => ("d3", 3),
            7 => ("d4", 4),
            8 => ("dF", 3),
            9 | 10 => ("d{1, 1, 3}", 3),
            11 => ("d{0: 2, 2}", 2),
            12 => ("d{-1, 1/2, 2}", 3),
            13 if self.often == 1 && self.sequences < 8 => ("d%", 100),
            14 => ("d(1 + 1)", 2),
            15 => (self.uneven(), 3),
            _ => ("d6", 6),
        };
        let (dice, most) = match count.as_str() {
            "0" => (0, count.clone()),
            "1" => (1, count.clone()),
            "3" => (3, count.clone()),
            _ => (2, count.clone()),
        };
        let dice = if faces == 100 { 1 } else { dice };
        let most = if faces == 100 { String::new() } else { most };
        if self.affords(u64::pow(faces, dice)) {
            return format!("{most}{die}");
        }
        if self.affords(4) { "2d2".to_owned() } else { self.one_of(&["1d1", "2d1", "d{2}"]) }
    }

    /// Dice from a bag, perhaps without what others hold.
    pub(super) fn drawn(&mut self) -> String {
        let (count, ways) = match self.fork(4) {
            0 => ("1", 3),
            1 => ("2", 6),
            2 => ("", 3),
            _ => ("(d2)", 12),
        };
        if !self.affords(ways) {
            return "1d1 drawn".to_owned();
        }
        let gone = match self.fork(4) {
            0 => String::new(),
            1 => " without [1]".to_owned(),
            2 => match self.known(&[Sort::Hand]) {
                Some(hand) => format!(" without {hand}"),
                None => String::new(),
            },
            _ => match self.known(&[Sort::Hand]) {
                Some(hand) => format!(" without ({hand} {})", self.one_of(&["kh1", "kl1", "dl1"])),
                None => " without [] without [3]".to_owned(),
            },
        };
        format!("{count}{BAG} drawn{gone}")
    }

    /// One pool of several: fresh dice, dice on the table, the same ones twice.
    fn merged(&mut self) -> (String, Dice) {
        let (first, mut dice) = self.part();
        let (second, other) = self.part();
        dice.fixed |= other.fixed;
        dice.more |= other.more;
        if self.fork(4) < 3 {
            return (format!("{{{first} + {second}}}"), dice);
        }
        let (third, last) = self.part();
        let dice = Dice { fixed: dice.fixed | last.fixed, more: dice.more | last.more };
        (format!("{{{first} + {second} + {third}}}"), dice)
    }

    fn part(&mut self) -> (String, Dice) {
        let (pool, dice) = match self.fork(5) {
            0..=2 => match self.known(&[Sort::Pool, Sort::Hand]) {
                Some(name) => (name, FIXED),
                None => (self.thrown(), FRESH),
            },
            3 => (self.thrown(), FRESH),
            _ => (self.drawn(), FIXED),
        };
        let suffixes = self.fork(3).saturating_sub(1);
        let more = pool.contains('!');
        (self.suffixed(pool, suffixes, dice), Dice { more: more | dice.more, ..dice })
    }

    fn suffixed(&mut self, mut pool: String, suffixes: u32, mut dice: Dice) -> String {
        for _ in 0..suffixes {
            let suffix = self.suffix(dice.fixed || self.still);
            let unique = suffix == "u";
            if !(unique && (dice.more || pool.contains('!'))) {
                dice.more |= suffix.starts_with('!') && !suffix.starts_with("!!");
                pool = format!("{pool} {suffix}");
            }
        }
        pool
    }

    /// A suffix that throws nothing.
    pub(super) fn suffix_of_fixed(&mut self) -> String {
        self.suffix(true)
    }

    fn suffix(&mut self, fixed: bool) -> String {
        match self.fork(if fixed { 7 } else { 14 }) {
            0..=3 => {
                let word = self.one_of(&["kh", "kl", "dh", "dl", "km"]);
                format!("{word}{}", self.count())
            }
            4 | 5 => {
                let word = self.one_of(&["min", "max"]);
                format!("{word}{}", self.count())
            }
            6 => self.one_of(&["sa", "sd"]),
            7 => {
                let word = self.one_of(&["ro", "ro", "rr"]);
                let condition = self.one_of(&["<=1", "=2", ">2", "<2"]);
                let limit = self.in_all();
                self.if_affordable(format!("{word}{condition}{limit}"), 4)
            }
            8 => {
                let (condition, limit) = (self.comparison(), self.in_all_of_few());
                self.if_affordable(format!("ro{condition}{limit}"), 4)
            }
            9 | 10 => {
                let word = self.one_of(&["!", "!!", "!p"]);
                let limit = self.one_of(&[" up to 1", " up to 2", ""]);
                let all = self.in_all();
                self.if_affordable(format!("{word}{limit}{all}"), 4)
            }
            11 => {
                let word = self.one_of(&["!o", "!!o"]);
                let all = self.in_all();
                self.if_affordable(format!("{word}{all}"), 3)
            }
            12 => {
                let word = self.one_of(&["!", "!!", "!p"]);
                let (condition, limit) =
                    (self.comparison(), self.one_of(&[" up to 1", " up to 2"]));
                let all = self.in_all();
                self.if_affordable(format!("{}{limit}{all}", explosion(&word, &condition)), 4)
            }
            _ => self.if_affordable("u".to_owned(), 4),
        }
    }

    fn if_affordable(&mut self, suffix: String, ways: u64) -> String {
        if self.affords(ways) { suffix } else { "kh1".to_owned() }
    }

    /// A limit for all dice together, or none.
    fn in_all(&mut self) -> String {
        match self.fork(4) {
            0..=2 => String::new(),
            _ => self.in_all_of_few(),
        }
    }

    fn in_all_of_few(&mut self) -> String {
        let order = self.one_of(&["", " lowest first", " highest first"]);
        format!(" up to {} in all{order}", self.one_of(&["1", "2"]))
    }

    fn comparison(&mut self) -> String {
        match self.fork(3) {
            0 => self.one_of(&[">=2", "=1", "<=1", ">2", "!=2", "<2"]),
            1 => format!("={}", self.one_of(&["1", "2", "3"])),
            _ => match self.known(&[Sort::Count, Sort::Number]) {
                Some(name) => format!("{}({name})", self.one_of(&["=", ">=", "<", "!="])),
                None => ">=(1 + 1)".to_owned(),
            },
        }
    }

    pub(super) fn mark(&mut self) -> String {
        let word = self.one_of(&["cs", "cf", "cs"]);
        format!("{word}{}", self.comparison())
    }

    /// Something read off dice, most likely off those that lie on the table.
    pub(super) fn reading(&mut self) -> String {
        let first = self.read_once();
        match self.fork(4) {
            0 | 1 => first,
            2 => format!("({first} - {})", self.read_once()),
            _ => format!("({first} + {})", self.read_once()),
        }
    }

    pub(super) fn read_once(&mut self) -> String {
        let table = self.known(&[Sort::Pool, Sort::Hand]);
        let on_table = table.is_some();
        let pool = table.unwrap_or_else(|| self.thrown());
        match self.fork(9) {
            0 => format!("({pool})"),
            1 | 2 => format!("({pool} {})", self.suffix(on_table || self.still)),
            3 => format!("({pool} {})", self.mark()),
            4 => format!("nth_highest({pool}, {})", self.one_of(&["1", "1", "1", "1", "2"])),
            5 => format!("nth_lowest({pool}, {})", self.one_of(&["1", "1", "1", "1", "2"])),
            6 => format!("median({pool})"),
            7 => format!("({pool} {} {})", self.suffix(on_table || self.still), self.mark()),
            _ => {
                let other =
                    self.known(&[Sort::Pool, Sort::Hand]).unwrap_or_else(|| "1d1".to_owned());
                let suffix = self.suffix(true);
                format!("({{{pool} + {other}}} {suffix})")
            }
        }
    }
}

/// `!>=2`, ` explode on <2`: with `<` and `>` only the words are read.
fn explosion(word: &str, condition: &str) -> String {
    let strict = condition.starts_with(['<', '>']) && !condition[1..].starts_with('=');
    match word {
        _ if !strict => format!("{word}{condition}"),
        "!" => format!(" explode on {condition}"),
        "!!" => format!(" compound on {condition}"),
        _ => format!(" penetrate on {condition}"),
    }
}
