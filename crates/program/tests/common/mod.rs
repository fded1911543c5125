//! A few verbs for the tests: what checks, and what fails with which code.
#![allow(dead_code, reason = "each test file uses some of the verbs")]

pub mod print;
pub mod validate;

use astragal_program::core::Program;
use astragal_program::{Checked, Files, Library, NoFiles, Options, check};
use astragal_syntax::diagnostic::{Diagnostic, Severity};

pub const PRELUDE: &str = include_str!("../../../engine/prelude/prelude.dice");

pub const SYSTEM: &str = "\
enum Outcome = failure | success
enum Method = keep | reroll
let limit = 3
## Throws a pool.
fn action(pool, again = 10, rote = false) = do
  require pool >= 0 else \"a pool cannot be negative: {pool}\"
  let n = (pool)d10!>=(again) cs>=8
  {successes: n, outcome: if n > 0 then success_of(n) else Outcome.failure}
end
fn success_of(n) = if n >= limit then Outcome.success else Outcome.success
fn side(s: {skill, advantage = 0, method: Method = keep}) = s.skill + s.advantage + (if s.method == keep then 0 else 1)
fn modifier(list: [{value, kind: text = \"\", stacks: bool? = none}], context: Method = keep) =
  sum(map(list, m => m.value))
fn damage(roll dice, plus = 0) = max(dice, dice) + plus
";

pub fn library() -> Library {
    Library::new(PRELUDE, &[("game", SYSTEM)]).unwrap_or_else(|found| panic!("{found:#?}"))
}

pub fn checked(text: &str) -> Checked {
    check(text, "test", &library(), &NoFiles, &Options::default())
}

pub fn checks(text: &str) -> Box<Program> {
    let checked = checked(text);
    match checked.program {
        Some(program) => {
            validate::program(&program);
            program
        }
        None => panic!("{text}\n{:#?}", checked.diagnostics),
    }
}

/// The type of the only result.
pub fn types(text: &str) -> String {
    checks(text).results[0].ty.to_string()
}

pub fn codes(text: &str) -> Vec<&'static str> {
    checked(text).diagnostics.iter().map(|d| d.code).collect()
}

/// The one error of a program.
pub fn fails(text: &str, code: &str) -> Diagnostic {
    let checked = checked(text);
    let mut errors: Vec<Diagnostic> =
        checked.diagnostics.into_iter().filter(|d| d.severity <= Severity::OverBudget).collect();
    assert_eq!(errors.iter().map(|d| d.code).collect::<Vec<_>>(), [code], "{text}\n{errors:#?}");
    assert!(checked.program.is_none(), "{text}");
    let error = errors.remove(0);
    assert!(!error.help.is_empty(), "{text}: no help");
    error
}

pub fn hints(text: &str, code: &str) {
    let checked = checked(text);
    assert!(checked.program.is_some(), "{text}\n{:#?}", checked.diagnostics);
    assert!(
        checked.diagnostics.iter().any(|d| d.code == code),
        "{text}: {:#?}",
        checked.diagnostics
    );
}

/// Files by name.
pub struct Shelf(pub &'static [(&'static str, &'static str)]);

impl Files for Shelf {
    fn read(&self, path: &str) -> Result<String, String> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.to_string()).ok_or_else(|| "there is no such file".into())
    }
}

/// The core of a program, as text.
pub fn core(text: &str) -> String {
    print::program(&checks(text))
}
