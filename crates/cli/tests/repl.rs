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
transcript!(what_was_thrown_stays: ["--seed", "1"],
    "let hp = 2d6 + 3", "hp", "hp", "? hp + d4", "let hp = hp - d8", "hp = 3", "let hp = 24",
    "fn fresh() = d20", "fresh()", "fresh()", "let a = d6; let b = a + 10; a + b", ":defs");
transcript!(dice_that_were_thrown_lie_on_the_table: ["--seed", "1"],
    "let pool = 5d10", "pool cs>=8", "pool kh2", "pool + 1", "? pool kh1 + d2", "pool !", "let best = pool kh2",
    "best kl1", "let hits = 5d10 cs>=8", "let one = 2d20kh1", "fn thrown() = 3d6", "let three = thrown()",
    "hand(three)", "let three = thrown()", ":defs");
transcript!(labels_stay: ["--seed", "1"],
    "let hit = 2d6 [fire] + d8 [cold] + 2", "hit * 2", "let hit = hit - 3", "hit", ":defs");
transcript!(each_die_that_lies_on_the_table_is_certain: ["--seed", "1"],
    "let hp = 4d6", "mean(hp kh1)", "mean(hp kl2 + d6)", "chance(d6 > hp kh1)", "? chance(d6 > hp kl1)");
transcript!(values_of_every_kind_stay: ["--seed", "1"],
    "let anna = {name: \"Anna \\\"A\\\"\", hp: 2d8, up: d2 = 1}", "anna.hp + 1", "let omens = 2d{\"sun\", \"moon\"}",
    "length(omens)", "enum Size = small | large", "let size = if d2 = 1 then Size.small else Size.large",
    "size == Size.small", "let act = cofd.action(5)", "act.outcome", "let loot = if d6 = 7 then 1 else none",
    "otherwise(loot, 0)", "let list = map(1..3, x => x * d4)", "let after = x => x + 1", "after(1)", "let half = 1/2", ":defs");
transcript!(choices: ["--seed", "1"],
    ":choose on", "let r = maximise do let first = d20; choose \"keep\" => first; \"throw again\" => d20 end end",
    "perhaps", "?", "throw again", "r", ":choose off",
    "maximise do let first = d20; choose \"keep\" => first; \"throw again\" => d20 end end", "?", ":choose perhaps",
    ":choose", "maximise choose from [1, 2, 3]", "2");
transcript!(the_last_result: ["--seed", "1"],
    "_ + 1", "4d6", "_ kh3", "_ + 1", "let hp = _", "let _ = 3", "fn _() = 2", "show \"a\" = 1; show \"b\" = 2", "_",
    "2d6", "map([1, 2], x => x + _)", "map([1, 2], _ => 7)", "map([1, 2], _ => _ + 1)");
transcript!(a_question_throws_nothing: [], "? let x = 2d2", "? let x = d2; x + x", "x");
transcript!(evidence_speaks_of_what_is_thrown: ["--seed", "1"], "let x = d6; given x >= 5; x", "x >= 5");
transcript!(what_was_done_is_undone: ["--seed", "1"],
    "let hp = 20", "fn hit() = hp - d8", "let hp = hp - d8", "hit()", ":forget hp", ":forget hq", ":forget nothing",
    ":undo", "hp", ":undo", ":undo", ":undo", "let hp = 3", ":clear", ":defs", ":undo", ":defs", ":forget hp", ":defs");
transcript!(places_are_those_of_the_line: [],
    "let a = 1", "fn f(n) = n", "let q = ", "fn g() = ", "f(a) + nope", "1/(a - 1)", "let b = 1/(a - 1)", "b", "? 1/(a - 1)",
    "let x = 3; nope", "x");
transcript!(a_definition_that_is_wrong_is_not_kept: [], "fn f(n) = n + y", "f(1)", ":defs");
transcript!(lines_go_on: ["--seed", "1"],
    "fn best(n) = do", "  let all = (n)d6", "  all kh1", "end", "best(3)", "2 +", "3", "fn f() = do", "", "7");
transcript!(rolls_are_compared: ["--seed", "1"],
    "let bonus = 2d4", "fn best() = 2d20kh1", ":compare best(), d20 + bonus --chance '>= 15'", ":compare 'd4' 'd6 + 1'", ":compare d6",
    ":compare d6, nope", ":compare d6, \"x\"");
transcript!(inputs_are_swept: ["--seed", "1"],
    "let bonus = 2d4", "let dc = 99", ":sweep d20 + bonus >= dc dc=10..30/5", ":sweep d20 + bonus >= dc dc=10,20 --csv", ":sweep d20 >= dc",
    ":sweep d20 + nope >= dc dc=1..3", ":sweep d20 >= dc dc=5-7", ":sweep", "dc",
    ":system kaiser", ":sweep level(n, 3) n=4..6", "param pool = 2", ":set pool=3", ":sweep (pool)d6 >= dc dc=3,18");
transcript!(inputs_are_solved_for: ["--seed", "1"],
    "let bonus = 2d4", ":solve d20 + bonus >= dc dc --chance 65%", ":solve d20 + bonus >= dc dc=1..40 --chance 65% --at-most",
    ":solve d20 >= dc dc=1..3 --chance 5%  --at-most", ":solve d20 >= dc dc", ":solve d20 + bonus dc --chance 50%", ":solve d20 + nope >= dc dc --chance 5%",
    ":sweep --help");
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
transcript!(too_much_is_swept: [], ":steps 1000", ":sweep (n)d6 >= 20 n=90..91");
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
    // What is thrown by a `let` is thrown once, and saved as it fell.
    let _ = std::fs::write(&path, "let hp = 2d6 + 1\nlet pool = 3d10\nfn fresh() = d20\n");
    let ran = astragal_with(&["--seed", "1"], format!("{load}\nhp\nhp\n{save}\n").as_bytes());
    assert_eq!(ran.out, "2d6: 5 5 = 10\nhp = 11\n3d10: 3 1 5 = 9\npool = 9\nhp = 11\nhp = 11\n");
    let saved = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(saved, "let hp = 11\nlet pool = {3, 1, 5} # = 9\nfn fresh() = d20\n");
    let ran = astragal_with(&[], format!("{load}\n{save}\n").as_bytes());
    assert_eq!(ran.out, "", "what is as it is written is not told");
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), saved);
    let _ = std::fs::write(&path, "let y = 2\ny + 1\n");
    let ran = astragal_with(&[], format!("{load}\ny\n").as_bytes());
    assert!(ran.out.contains('3') && ran.out.contains('2') && ran.code == 0, "{}", ran.out);
    let _ = std::fs::remove_file(path);
}

#[path = "repl/chapter.rs"]
mod chapter;

#[path = "repl/settings.rs"]
mod settings;

#[path = "repl/table.rs"]
mod table;

#[cfg(unix)]
#[path = "repl/typed.rs"]
mod typed;
