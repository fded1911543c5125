//! Small well-typed programs from the whole language, and how to shrink one that breaks the law.
//!
//! A program is grown from a tape of numbers: at each fork the next number says which way to go, and once the
//! tape is used up every fork takes its first, simplest way. So a program is shrunk by shortening the tape and
//! making its numbers smaller, without knowing anything about programs.
//!
//! What is grown is kept small enough to enumerate: each die that is thrown takes its share of the sequences
//! that a program may have ([`Grower::affords`]), more of it in a loop, and where nothing is left a die has one
//! side. The files say what there is of each sort: [`number`], [`pool`], [`other`] values, [`round`]s and walks,
//! [`function`]s, [`play`](mod@play)s, and the [`program`] around them; [`large`] ones stand apart.

mod function;
mod large;
mod number;
mod other;
mod play;
mod pool;
mod program;
mod round;
mod shrink;

pub use large::large;
pub use shrink::{shrink, without_lines};

/// A stream of numbers from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Stream(pub u64);

impl Stream {
    /// The numbers for one of the programs of a seed.
    pub fn of(seed: u64, number: u64) -> Stream {
        Stream(seed.wrapping_add(number.wrapping_mul(0x5851_F42D_4C95_7F2D)))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A tape to grow a program from.
    pub fn tape(&mut self) -> Vec<u32> {
        let length = 10 + self.draw() % 170;
        (0..length).map(|_| (self.draw() >> 40) as u32).collect()
    }
}

/// The program that a tape says.
pub fn program(tape: &[u32]) -> String {
    Grower::new(tape).program()
}

/// The program with choices that a tape says.
pub fn play(tape: &[u32]) -> String {
    Grower::new(tape).play()
}

/// How many sequences of faces a program may have, more or less.
const MOST_SEQUENCES: u64 = 2_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    /// A whole number from 0 to 3.
    Count,
    Bool,
    Text,
    /// A variant of the enumeration `Colour`.
    Colour,
    /// A list of numbers.
    List,
    /// A list of texts.
    Texts,
    /// A record `{n, yes}` of a number and a bool.
    Record,
    /// A list of such records.
    Rows,
    /// Symbols that were added up: a record `{a, b}` of numbers.
    Tally,
    /// Dice on the table.
    Pool,
    /// Dice on the table that were drawn from the usual bag.
    Hand,
    /// A roll that is thrown anew at each mention.
    Roll,
    /// A function of one number.
    Function,
}

struct Grower {
    tape: Vec<u32>,
    at: usize,
    /// The names in scope.
    names: Vec<(String, Sort)>,
    /// How many names were made.
    made: usize,
    /// What stands in front of the program: the enumeration, inputs, functions.
    heads: String,
    /// How many sequences of faces there are so far, more or less.
    sequences: u64,
    /// How often what is grown here is thrown.
    often: u32,
    /// Nothing may be thrown here: the step of a walk.
    still: bool,
    /// Somebody may choose here.
    choosing: bool,
}

/// A way to grow something, and how likely it is to be taken.
type Way = (u32, fn(&mut Grower, u32) -> String);

impl Grower {
    fn new(tape: &[u32]) -> Self {
        let tape = tape.to_vec();
        let (names, heads) = (Vec::new(), String::new());
        Grower {
            tape,
            at: 0,
            names,
            made: 0,
            heads,
            sequences: 1,
            often: 1,
            still: false,
            choosing: false,
        }
    }

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

    /// Goes one of the ways; the first is the simplest.
    fn go(&mut self, ways: &[Way], depth: u32) -> String {
        let mut way = self.fork(ways.iter().map(|(weight, _)| weight).sum());
        for (weight, grow) in ways {
            match way.checked_sub(*weight) {
                Some(less) => way = less,
                None => return grow(self, depth),
            }
        }
        unreachable!("the ways have their weights")
    }

    fn name(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    /// A name of one of these sorts, if there is one; the newest first.
    fn known(&mut self, sorts: &[Sort]) -> Option<String> {
        let known = self.names.iter().rev().filter(|(_, sort)| sorts.contains(sort));
        let known: Vec<String> = known.map(|(name, _)| name.clone()).collect();
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

    /// Nothing is chosen inside.
    fn unchosen<T>(&mut self, grow: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.choosing, false);
        let grown = grow(self);
        self.choosing = before;
        grown
    }

    /// What is grown inside is thrown so many times as often.
    fn repeated<T>(&mut self, times: u32, grow: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.often;
        self.often *= times;
        let grown = grow(self);
        self.often = before;
        grown
    }

    /// A function is grown without the names around it.
    fn apart<T>(&mut self, grow: impl FnOnce(&mut Self) -> T) -> T {
        let names = std::mem::take(&mut self.names);
        let grown = grow(self);
        self.names = names;
        grown
    }

    /// Whether something with so many ways to fall may be thrown here; if so it is counted.
    fn affords(&mut self, ways: u64) -> bool {
        let cost = ways.checked_pow(self.often).and_then(|cost| cost.checked_mul(self.sequences));
        match cost {
            Some(cost) if !self.still && cost <= MOST_SEQUENCES => {
                self.sequences = cost;
                true
            }
            _ => false,
        }
    }
}
