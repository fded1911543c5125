//! The law on many random programs: what was compared, what was reached, what broke.
//!
//! ```text
//! cargo xtask law --seed 7 --programs 20000
//! ```
//!
//! A program that breaks the law is made smaller and written to `crates/testing/kept`, where a test runs it
//! for ever after.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use astragal::{Budget, Engine, Program};

use crate::grow::{Stream, large, play, program, shrink, without_lines};
use crate::law::{Kept, Reach, is_vague, law_of};
use crate::reach::Reached;
use crate::ways::agree;

/// A cause for which programs break the law: its name, and whether a program with this complaint has it.
type Cause = (&'static str, fn(&Program, &str) -> bool);

/// Causes that are known and not yet mended: programs that break the law by one of them are counted apart. A cause
/// that is mended is taken off this list; nothing else may be put on it.
const OPEN: &[Cause] = &[];

/// What programs are grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// From the whole language but plays; one in ten is large.
    Programs,
    /// Somebody chooses in them.
    Plays,
}

impl Series {
    /// The program with this number of a seed.
    fn text(self, seed: u64, number: u64) -> String {
        match self {
            Series::Programs if number % 10 == 9 => large(number / 10),
            _ => self.grow()(&Stream::of(seed, number).tape()),
        }
    }

    fn grow(self) -> fn(&[u32]) -> String {
        match self {
            Series::Programs => program,
            Series::Plays => play,
        }
    }
}

/// What came of many programs.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// How many kept the law, and how.
    pub kept: BTreeMap<Kept, u64>,
    /// How often their answers were compared with those that were found with ways closed, and how often that
    /// would have taken too long.
    pub compared_otherwise: u64,
    /// See above.
    pub too_long_otherwise: u64,
    /// How many were answered with a part left open.
    pub vague: u64,
    /// How many were refused by the checker.
    pub refused: u64,
    /// What they contained.
    pub reached: Reached,
    /// How many broke the law by a cause that is known.
    pub open: BTreeMap<&'static str, u64>,
    /// Those that broke the law: their numbers, and what is wrong.
    pub broken: Vec<(u64, String)>,
}

impl Trial {
    /// How many programs were compared.
    pub fn compared(&self) -> u64 {
        let open = self.open.values().sum::<u64>();
        self.kept.values().sum::<u64>() + open + self.broken.len() as u64
    }

    /// Tries the program with this number of a seed.
    pub fn take(&mut self, engine: &Engine, of: Series, seed: u64, number: u64, reach: &Reach) {
        let text = of.text(seed, number);
        let Ok(mut compiled) = engine.compile(&text) else {
            self.refused += 1;
            return;
        };
        for (input, value) in [("k0", "1"), ("x0", "3"), ("b0", "false")] {
            // Every other program that has this input is asked with another value than it says itself.
            if number % 2 == 1 && compiled.inputs().any(|known| known.name == input) {
                compiled.set(input, value).expect("an input takes values of its type");
            }
        }
        self.reached.count(compiled.core());
        match self.checked(&compiled, reach) {
            Ok(how) => {
                *self.kept.entry(how).or_default() += 1;
                let budget = Budget::default().with_steps(reach.steps);
                if how == Kept::WithinBounds
                    && compiled.try_odds(&budget).is_ok_and(|odds| is_vague(&odds))
                {
                    self.vague += 1;
                }
            }
            Err(broken) => match OPEN.iter().find(|(_, is)| is(&compiled, &broken)) {
                Some((cause, _)) => *self.open.entry(cause).or_default() += 1,
                None => self.broken.push((number, broken)),
            },
        }
    }
}

impl Trial {
    /// A program keeps the law, and has one answer by every way. Nothing panics.
    fn checked(&mut self, program: &Program, reach: &Reach) -> Result<Kept, String> {
        let checked = catch_unwind(AssertUnwindSafe(|| self.compared_by_all(program, reach)));
        checked.unwrap_or_else(|_| Err("it panics".into()))
    }

    fn compared_by_all(&mut self, program: &Program, reach: &Reach) -> Result<Kept, String> {
        let how = law_of(program, reach)?;
        let agreed = agree(program, reach.steps_otherwise)?;
        self.reached.count_ways(agreed.taken);
        self.compared_otherwise += agreed.compared;
        self.too_long_otherwise += agreed.too_long;
        Ok(how)
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} programs compared", self.compared())?;
        for (how, count) in &self.kept {
            write!(f, ", {count} {how:?}")?;
        }
        let (vague, refused, broken) = (self.vague, self.refused, self.broken.len());
        write!(f, "; {vague} answered in part, {refused} refused, {broken} broken; ")?;
        let (compared, too_long) = (self.compared_otherwise, self.too_long_otherwise);
        write!(f, "{compared} answers with ways closed, {too_long} took too long")?;
        self.open.iter().try_for_each(|(cause, count)| write!(f, "; {count} open: {cause}"))
    }
}

/// The program with this number, as small as it still breaks the law; what is wrong stands in front of it.
pub fn smallest(engine: &Engine, of: Series, seed: u64, number: u64, reach: &Reach) -> String {
    let wrong = |text: &str| wrong(engine, text, reach);
    if of == Series::Programs && number % 10 == 9 {
        return format!("# Large program {}:\n{}\n", number / 10, large(number / 10));
    }
    let (grow, tape) = (of.grow(), Stream::of(seed, number).tape());
    let tape = shrink(grow, &tape, 600, |text| wrong(text).is_some());
    let text = without_lines(&grow(&tape), |text| wrong(text).is_some());
    let mut kept = format!("# {of:?}, {number} of seed {seed}:\n");
    for line in wrong(&text).unwrap_or_default().lines() {
        let _ = writeln!(kept, "#   {line}");
    }
    kept + &text + "\n"
}

/// What is wrong with a program that checks, if anything is.
fn wrong(engine: &Engine, text: &str, reach: &Reach) -> Option<String> {
    let program = engine.compile(text).ok()?;
    let broken = Trial::default().checked(&program, reach).err()?;
    (!OPEN.iter().any(|(_, is)| is(&program, &broken))).then_some(broken)
}

/// Where programs are kept that broke the law once.
pub fn kept_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept")
}

/// The kept programs: their files and texts.
pub fn kept_programs() -> Vec<(PathBuf, String)> {
    let Ok(files) = std::fs::read_dir(kept_folder()) else { return Vec::new() };
    let paths = files.flatten().map(|file| file.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "dice")).collect();
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text)))
        .collect()
}

/// Whether all kept programs keep the law now: what is wrong, if not.
pub fn kept_broken(engine: &Engine, reach: &Reach) -> Vec<String> {
    let broken = |(path, text): (PathBuf, String)| {
        let said = match engine.compile(&text) {
            Ok(_) => wrong(engine, &text, reach)?,
            Err(errors) => errors.to_string(),
        };
        Some(format!("{}\n{text}{said}", path.display()))
    };
    kept_programs().into_iter().filter_map(broken).collect()
}
