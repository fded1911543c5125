//! The session: through a pipe as transcripts, and typed at a real terminal.

mod common;

use common::astragal_with;

/// A session through a pipe. What is told on standard error stands after the answers.
fn session(arguments: &[&str], lines: &[&str]) -> String {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let ran = astragal_with(arguments, input.as_bytes());
    let shown = input.replace('\u{1b}', "<escape>").replace('\u{7}', "<bell>");
    format!("$ astragal {}\n{shown}---\n{}", arguments.join(" "), ran.transcript())
}

macro_rules! transcript {
    ($name:ident: [$($argument:expr),*], $($line:expr),+ $(,)?) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), session(&[$($argument),*], &[$($line),+]));
        }
    };
}

transcript!(rolls_and_odds: ["--seed", "1"], "4d6kh3", "", "? 2d4", "", "d2", "?");
transcript!(definitions_last: ["--seed", "1"],
    "let x = 3d6", "x + x", "d20", "fn twice(n) = n * 2", "twice(x)", "let x = 1", "twice(x)",
    "enum Size = small | large", "Size.large", "let a = 2; a + x", "a", ":defs");
transcript!(a_definition_that_is_wrong_is_not_kept: [], "fn f(n) = n + y", "f(1)", ":defs");
transcript!(lines_go_on: ["--seed", "1"],
    "fn best(n) = do", "  let all = (n)d6", "  all kh1", "end", "best(3)", "2 +", "3", "fn f() = do", "", "7");
transcript!(systems: ["--seed", "1"],
    "skill(8, 12)", ":system kaiser", "skill(8, 12, advantage: 1).total", ":system kaizer", ":system",
    "kaiser.level(2, 3)");
transcript!(inputs: ["--seed", "1", "--set", "late=3"],
    "param pool = 7", "pool", ":set pool=2", "(pool)d10", ":set poll=2", ":set pool=x", ":set pool",
    "param late = 1", "late");
transcript!(seeds: [], ":seed 5", "d100", "d100", ":seed 5", "d100", ":seed -1", ":seed x");
transcript!(help: [], ":help", ":help cofd.pool", ":help kh", ":help keep highest", ":help match",
    ":help times", ":help :load", ":help dF", ":help kaizer", ":help prelude", ":help sum");
transcript!(commands: [], ":systems", ":foo", ":hlp", ":quit now", ":load", ":load nowhere.dice",
    ":full", ":full", ":history", ":clear", ":quit", "never read");
transcript!(too_much: [], ":steps 1000", "? 100d6", ":steps", "? 2 + 2");
transcript!(an_anydice_program_is_one_entry: ["--seed", "1"],
    "\\ a check \\", "function: check R:n against N:n {", "  if R >= N { result: 1 }", "", "  result: 0", "}",
    "", "N: 11", "output [check d20 against N] named \"at least [N]\"", "output d2 named \"a coin\"", "3d6",
    "X: 3", "2d4");
transcript!(strange: [], ":", "?", "? :help", "::::", "\u{7}\u{1b}[31m", "é🎲", "\"", "((((", "");

#[test]
fn definitions_are_saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("astragal-{}.dice", std::process::id()));
    let (save, load) = (format!(":save {}", path.display()), format!(":load {}", path.display()));
    let lines = format!("## Twice as much.\nfn twice(n) = n * 2\nlet x = 4\n{save}\n");
    assert_eq!(astragal_with(&[], lines.as_bytes()).code, 0);
    let saved = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(saved, "## Twice as much.\nfn twice(n) = n * 2\nlet x = 4\n");
    let ran = astragal_with(&[], format!("{load}\ntwice(x)\n:help twice\n").as_bytes());
    assert!(ran.out.contains("twice(x) = 8") && ran.out.contains("Twice as much."), "{}", ran.out);
    let _ = std::fs::write(&path, "let y = 2\ny + 1\n");
    let ran = astragal_with(&[], format!("{load}\ny\n").as_bytes());
    assert!(ran.out.contains('3') && ran.out.contains('2') && ran.code == 0, "{}", ran.out);
    let _ = std::fs::remove_file(path);
}

#[cfg(unix)]
#[path = "repl/typed.rs"]
mod typed;
