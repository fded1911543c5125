//! An AnyDice program said in our language, where an idiom is known.
//!
//! What happens outside functions is carried out: loops and conditions there know their numbers, and each `output` becomes a
//! `show`. A variable that holds a die stands for its text, so that it is thrown anew wherever it is used. A function whose
//! parameters are numbers becomes a function; one that takes a sequence of dice takes them as they lie on the table, and
//! reads positions and counts of them. What has no counterpart is refused with its place.
//!
//! Nothing here proves that both say the same: whoever asks compares the exact laws, output by output. What is said is paid
//! for like all other work, letter by letter: `X: X + X` doubles a text.

mod body;
mod call;
mod operate;
mod shape;

use std::collections::BTreeMap;
use std::rc::Rc;

use astragal_prob::Meter;
use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use rustc_hash::FxHashMap;

use crate::fault::{costly, wrong};
use crate::tree::{Function, Program, Signature, Variable};

use shape::Shape;

/// What is said so far, or why it cannot be.
pub(crate) type Said<T> = Result<T, Box<Diagnostic>>;

/// So many statements are carried out at most, and so long is a text at most.
const MOST_STEPS: usize = 20_000;
const LONGEST: usize = 100_000;
/// What it costs to look at a form, and to copy so many letters now and then.
const STEPS_OF_A_FORM: u64 = 100;
const LETTERS_OF_A_STEP: usize = 10;

/// A program in our language: what it defines, and a line for each output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ours {
    /// Functions, in the order in which they are needed.
    pub definitions: Vec<String>,
    /// `show "name" = …`, or an expression if it is the only one and has no name.
    pub outputs: Vec<String>,
}

impl Ours {
    /// The whole program.
    pub fn text(&self) -> String {
        self.of(&self.outputs)
    }

    /// The program that has one of the outputs alone.
    pub fn only(&self, output: usize) -> String {
        self.of(&self.outputs[output..=output])
    }

    fn of(&self, outputs: &[String]) -> String {
        let lines = self.definitions.iter().chain(outputs);
        lines.map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// How a function that calls itself is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// By a function that calls itself.
    AsIs,
    /// By one function for each depth, down to the depth at which AnyDice cuts calls off.
    Unrolled,
}

/// Which values of variables in functions get a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Those that take long to write.
    Long,
    /// All: what is asked of dice is then asked once.
    All,
}

/// Says a program; each output in turn has one of these names.
pub(crate) fn said(
    program: &Program,
    names: &[&str],
    recursion: Recursion,
    naming: Naming,
    meter: &Meter,
) -> Said<Ours> {
    let mut speaker = Speaker {
        program,
        meter,
        functions: FxHashMap::default(),
        definitions: Vec::new(),
        active: BTreeMap::new(),
        outputs: Vec::new(),
        lowest_first: false,
        explode_depth: 2,
        function_depth: 10,
        depth: 0,
        names: BTreeMap::new(),
        recursion,
        naming,
        steps: 0,
    };
    let mut scope = Scope::default();
    speaker.carry_out(&program.statements, &mut scope)?;
    Ok(speaker.named(names))
}

/// The variables that are known, by what they are.
#[derive(Clone, Debug, Default)]
struct Scope {
    values: BTreeMap<Variable, Shape>,
}

struct Speaker<'p> {
    program: &'p Program,
    meter: &'p Meter,
    functions: FxHashMap<Signature, Rc<Function>>,
    /// Functions that are written down: name and text.
    definitions: Vec<(String, String)>,
    /// Functions that are being written down, with their names.
    active: BTreeMap<Signature, String>,
    outputs: Vec<String>,
    lowest_first: bool,
    explode_depth: u64,
    function_depth: u64,
    /// How many calls stand inside each other.
    depth: u64,
    /// How often a name of ours was made for a variable.
    names: BTreeMap<String, usize>,
    recursion: Recursion,
    naming: Naming,
    steps: usize,
}

impl Speaker<'_> {
    /// Something that our language has no words for.
    fn refuse<T>(&self, what: &str, span: Span) -> Said<T> {
        let message = format!("{what} has no counterpart in Astragal that is known here");
        let help = "the program runs as it is: `astragal odds --from anydice`";
        Err(Box::new(wrong("no-counterpart", span, message).help(help)))
    }

    fn step(&mut self, span: Span) -> Said<()> {
        self.pay(STEPS_OF_A_FORM, span)?;
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return self.refuse("a program that is so long when its loops are written out", span);
        }
        Ok(())
    }

    fn pay(&self, steps: u64, span: Span) -> Said<()> {
        self.meter.charge(steps).map_err(|over| Box::new(costly(over, span)))
    }

    /// Pays for a text, which must not be too long.
    fn write(&self, letters: usize, span: Span) -> Said<()> {
        if letters > LONGEST {
            return self.refuse("something that is so long when it is written out", span);
        }
        self.pay((letters / LETTERS_OF_A_STEP) as u64, span)
    }

    /// A text that is not too long.
    fn short(&self, text: String, span: Span) -> Said<String> {
        self.write(text.len(), span)?;
        Ok(text)
    }

    /// The outputs under their names, of which none is there twice.
    fn named(self, names: &[&str]) -> Ours {
        let definitions = self.definitions.into_iter().map(|(_, text)| text).collect();
        let mut outputs = self.outputs;
        if names != ["output 1"] {
            let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
            for (output, name) in outputs.iter_mut().zip(names) {
                let times = seen.entry(name).or_default();
                *times += 1;
                let again = if *times == 1 { String::new() } else { format!(" ({times})") };
                *output = format!("show {} = {output}", quoted(&format!("{name}{again}")));
            }
        }
        Ours { definitions, outputs }
    }
}

/// A name as a text of ours.
fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '\\' | '"' | '{' | '}' => text.extend(['\\', c]),
            '\n' => text.push(' '),
            c => text.push(c),
        }
    }
    text + "\""
}
