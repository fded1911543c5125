//! An AnyDice program said in our language, where an idiom is known.
//!
//! What happens outside functions is carried out: loops and conditions there know their numbers, and each `output` becomes a
//! `show`. A variable that holds a die stands for its text, so that it is thrown anew wherever it is used. A function whose
//! parameters are numbers becomes a function; one that takes a sequence of dice takes them as they lie on the table, and
//! reads positions and counts of them. What has no counterpart is refused with its place.
//!
//! Nothing here proves that both say the same: whoever asks compares the exact laws, output by output.

mod body;
mod call;
mod operate;
mod shape;

use std::collections::BTreeMap;
use std::rc::Rc;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use rustc_hash::FxHashMap;

use crate::fault::wrong;
use crate::tree::{Function, Program, Signature, Variable};

use shape::Shape;

/// What is said so far, or why it cannot be.
pub(crate) type Said<T> = Result<T, Box<Diagnostic>>;

/// So many statements are carried out at most, and so long is a text at most.
const MOST_STEPS: usize = 20_000;
const LONGEST: usize = 100_000;

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
) -> Said<String> {
    let mut speaker = Speaker {
        program,
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
    Ok(speaker.text(names))
}

/// The variables that are known, by what they are.
#[derive(Clone, Debug, Default)]
struct Scope {
    values: BTreeMap<Variable, Shape>,
}

struct Speaker<'p> {
    program: &'p Program,
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
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return self.refuse("a program that is so long when its loops are written out", span);
        }
        Ok(())
    }

    /// A text that is not too long.
    fn short(&self, text: String, span: Span) -> Said<String> {
        if text.len() > LONGEST {
            return self.refuse("something that is so long when it is written out", span);
        }
        Ok(text)
    }

    /// The whole program.
    fn text(self, names: &[&str]) -> String {
        let mut lines: Vec<String> = self.definitions.into_iter().map(|(_, text)| text).collect();
        let named = names.first().is_some_and(|name| *name != "output 1");
        if let (1, false, [only]) = (names.len(), named, self.outputs.as_slice()) {
            lines.push(only.clone());
            return lines.join("\n");
        }
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (output, name) in self.outputs.iter().zip(names) {
            let times = seen.entry(name).or_default();
            *times += 1;
            let name = if *times == 1 { (*name).to_owned() } else { format!("{name} ({times})") };
            lines.push(format!("show {} = {output}", quoted(&name)));
        }
        lines.join("\n")
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
