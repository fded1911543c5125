//! `astragal play` with its answers through a pipe, and the completion scripts.

mod common;

use common::{astragal, astragal_with};

/// A game: the answers are echoed where they were given.
fn game(arguments: &[&str], answers: &[&str]) -> String {
    let input: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    let ran = astragal_with(arguments, input.as_bytes());
    format!("$ astragal {}\n{}", arguments.join(" "), ran.transcript())
}

macro_rules! game {
    ($name:ident: [$($argument:expr),+], $($answer:expr),+ $(,)?) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), game(&[$($argument),+], &[$($answer),+]));
        }
    };
}

game!(the_main_function: ["play", "cofd", "--seed", "3"],
    "", "seven", "7", "again", "9", "rote maybe", "rote y", "rot", "take_beat = y", "", "x", "c", "5", "", "q");
game!(a_function_by_number: ["play", "stormchaser", "--seed", "3"],
    "9", "damge", "4", "", "2d6 +", "2d6 + 3", "", "o", "q");
game!(records_and_variants: ["play", "kaiser.opposed", "--seed", "3"],
    "\"five\"", "8", "{skil: 5}", "{skill: 5, advantage: 1}", "tie rolof", "tie rolloff", "", "f", "10", ":quit");
game!(back_and_out: ["play", "kaiser.opposed", "--seed", "3"], "8", "<", "9", "6", "<", "7", "q");
game!(leaving: ["play", "cofd.action"], "q");
game!(lists: ["play", "srd.multiply", "--seed", "3"], "6", "2, 2", "q");
game!(a_system_is_chosen: ["play"], "dnd", "crucible", "modifier", "2", "0", "q");
game!(no_such_system: ["play", "cofx"], "");
game!(no_such_function: ["play", "cofd.actin"], "");
game!(answers_that_run_out: ["play", "cofd"], "action", "7");

#[test]
fn a_person_chooses() {
    let path = std::env::temp_dir().join(format!("choices_{}.dice", std::process::id()));
    let rule = "## Keep it or throw again.\nfn reroll(sides) = maximise do\n  let first = d(sides)\n  choose\n    \
        \"keep\" => first\n    \"again\" => d(sides)\n  end\nend\n";
    std::fs::write(&path, rule).unwrap();
    let name = path.display().to_string();
    let told = game(&["play", &name, "--ask", "--seed", "3"], &["", "6", "again", "r", "1", "q"]);
    std::fs::remove_file(&path).unwrap();
    let module = format!("choices_{}", std::process::id());
    let told = told.replace(&name, "choices.dice").replace(&module, "choices");
    insta::assert_snapshot!("a_person_chooses", told);
}

#[test]
fn a_strange_answer_is_asked_again() {
    for answer in
        ["\u{1b}[31m", "((((", "\"", "{", "é🎲", "9^9^9^9", "999999999999d6", "fn f() = 1", "# "]
    {
        let input = format!("{answer}\n7\n\nq\n");
        let ran = astragal_with(&["play", "cofd.action"], input.as_bytes());
        assert_eq!(ran.code, 0, "{answer}: {}", ran.err);
        assert!(ran.out.contains("cofd.action(7)"), "{answer}: {}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{answer}");
    }
}

#[test]
fn manual_pages_are_written() {
    let ran = astragal(&["man"]);
    assert!(ran.out.contains(".TH astragal 1"), "{}", ran.err);
    let folder = std::env::temp_dir().join(format!("astragal-man-{}", std::process::id()));
    let ran = astragal(&["man", "--dir", &folder.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let odds = std::fs::read_to_string(folder.join("astragal-odds.1")).unwrap();
    assert!(odds.contains("The exact chance of every outcome"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn each_shell_has_its_script() {
    for (shell, sign) in [
        ("bash", "complete -F _astragal"),
        ("zsh", "#compdef astragal"),
        ("fish", "complete -c astragal"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
        ("nushell", "export extern astragal"),
    ] {
        let ran = astragal(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(sign) && ran.out.contains("odds"), "{shell}: {}", ran.out);
        assert!(!ran.out.contains(" both"), "{shell} offers a verb that nobody types");
        // The scripts of the other two complete no values.
        let knows = ran.out.contains("stormchaser") || ["elvish", "powershell"].contains(&shell);
        assert!(knows, "{shell} does not know the systems");
    }
    assert_eq!(astragal(&["completions", "abacus"]).code, 2);
}
