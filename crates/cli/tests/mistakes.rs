//! Slips of the command line: each is told by its name, with what was meant, and nothing else is said.

mod common;

use common::{astragal, astragal_with, root};

/// What is said of a command line that is wrong, without the usual last words.
fn said(arguments: &[&str]) -> String {
    let ran = astragal(arguments);
    assert_ne!(ran.code, 0, "{arguments:?}: {}", ran.out);
    let said = ran.err.split("\n\nFor more").next().unwrap_or_default();
    said.trim_end().to_owned()
}

#[test]
fn options_that_there_are_not() {
    assert_eq!(
        said(&["2d6", "--png", "x"]),
        "error: without a command there is no option `--png`; `odds`, `compare` and `sweep` have it"
    );
    assert_eq!(
        said(&["2d6", "--pdf", "x"]),
        "error: there is no option `--pdf`: `astragal help` lists the commands and the options"
    );
    assert_eq!(said(&["-v"]), "error: there is no option `-v`: did you mean `-V`?");
    assert_eq!(
        said(&["odds", "cofd.action(5)", "--feild", "outcome"]),
        "error: there is no option `--feild`: did you mean `--field`?"
    );
    assert_eq!(
        said(&["sweep", "2d6+m", "m=0..3", "--seed", "7"]),
        "error: `sweep` has no option `--seed`; `roll` and `play` have it"
    );
    assert_eq!(
        said(&["3d6", "--correlations"]),
        "error: without a command there is no option `--correlations`; `odds` has it"
    );
}

#[test]
fn short_options_are_named_as_they_are_typed() {
    assert_eq!(
        said(&["2d6", "-n", "3"]),
        "error: without a command there is no option `-n`; `roll` has it"
    );
}

#[test]
fn numbers_that_cannot_be() {
    let zero = |option: &str| said(&["roll", "2d6", "--seed", "1", option, "0"]);
    let words = "it is a whole number from 1 up, such as 7";
    assert_eq!(zero("--times"), format!("error: invalid value '0' for '--times <N>': {words}"));
    assert_eq!(zero("--roll"), format!("error: invalid value '0' for '--roll <N>': {words}"));
    assert_eq!(
        said(&["serve", "--port", "banana"]),
        "error: invalid value 'banana' for '--port <N>': it is a whole number from 0 to 65535, such as 8137"
    );
    assert_eq!(
        said(&["odds", "(pool)d6", "--set", "=5"]),
        "error: `--set =5` names no input: write its name, as in `--set pool=5`"
    );
    assert_eq!(
        said(&["odds", "(pool)d6", "--set", "pool="]),
        "error: `--set pool=` has no value: write `--set pool=7`"
    );
}

#[test]
fn inputs_that_are_not_in_the_program() {
    let said_of = |name: &str| {
        format!(
            "error: `{name}` does not stand in the program, so that it changes nothing: leave it out, or write it there"
        )
    };
    assert_eq!(said(&["sweep", "2d6+m", "m=1..3", "n=1..3"]), said_of("n"));
    assert_eq!(said(&["solve", "2d6 >= x", "y", "--chance", "50%"]), said_of("y"));
}

#[test]
fn values_that_do_not_fit() {
    assert_eq!(
        said(&["roll", "2d6", "--seed", "abc"]),
        "error: invalid value 'abc' for '--seed <N>': it is a whole number from 0 up, such as 7"
    );
    assert_eq!(
        said(&["sweep", "d20 >= dc", "dc=5-25"]),
        "error: `dc=5-25` is one value: for all of them write `dc=5..25`"
    );
    assert_eq!(
        said(&["solve", "d20 >= dc", "dc=5:25", "--chance", "50%"]),
        "error: `dc=5:25` is one value: for all of them write `dc=5..25`"
    );
}

#[test]
fn commands_that_are_misspelt() {
    assert_eq!(
        said(&["rol", "2d6"]),
        "error: there is no command `rol`: did you mean `astragal roll 2d6`?"
    );
    assert_eq!(
        said(&["odd 2d6"]),
        "error: there is no command `odd`: did you mean `astragal odds 2d6`?"
    );
}

#[test]
fn commands_that_stand_alone() {
    assert_eq!(
        said(&["helpp"]),
        "error: there is no command `helpp`: did you mean `astragal help`?"
    );
    assert_eq!(
        said(&["version"]),
        "error: there is no command `version`: did you mean `astragal --version`?"
    );
    let ran = astragal(&["systems", "cofd", "action"]);
    assert_eq!((ran.code, ran.out.starts_with("cofd.action(")), (0, true), "{}", ran.out);
}

#[test]
fn a_roll_without_dice_has_no_seed() {
    let ran = astragal(&["roll", "7 / 2"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("7 / 2 = 7/2\n", ""));
}

#[test]
fn what_solve_cannot_do() {
    assert_eq!(
        said(&["solve", "d20+m >= dc+x", "m=0..10", "dc=5..25", "x=1..3", "--chance", "50%"]),
        "error: `solve` looks for one input beside one other, not for `x=1..3` too: set it, as in `--set x=1`"
    );
    assert_eq!(
        said(&["solve", "cofd.action(n)", "n", "--that", "success", "--chance", "50%"]),
        "error: `success` is no whole record, but a value of its field `outcome`: add `--field outcome`"
    );
}

#[test]
fn places_are_those_of_what_was_typed() {
    for command in [
        &["sweep", "d20 >= dc + x", "dc=1..2"][..],
        &["solve", "d20 >= dc + x", "dc", "--chance", "50%"],
        &["odds", "d20 >= dc + x", "--set", "dc=3"],
    ] {
        let said = said(command);
        assert!(said.contains("unknown name `x`"), "{said}");
        assert!(said.contains("program:1:13"), "{said}");
    }
}

#[test]
fn an_input_that_is_set_need_not_be_declared() {
    let ran = astragal(&["odds", "(pool)d6", "--set", "pool=2", "--csv"]);
    assert_eq!(ran.out, astragal(&["odds", "2d6", "--csv"]).out);
    // A misspelt one is no new one.
    let wrong = said(&["odds", "param dc = 3; d20 >= dc", "--set", "dv=3"]);
    assert!(wrong.contains("did you mean `dc`?"), "{wrong}");
}

#[test]
fn short_options() {
    let long = astragal(&["roll", "2d6", "--times", "2", "--seed", "5", "--json"]);
    assert_eq!(astragal(&["roll", "2d6", "-n", "2", "-s", "5", "-j"]).out, long.out);
    let file = root().join("examples").join("none.dice").display().to_string();
    assert!(said(&["roll", "-f", &file]).contains("none.dice` cannot be read"));
    assert_eq!(astragal(&["-V"]).code, 0);
    assert_eq!(astragal(&["-h"]).code, 0);
    assert!(astragal(&["help"]).out.contains("--faces <FACES>"));
}

#[test]
fn the_limit_of_a_roll_is_told_in_numbers() {
    assert!(said(&["roll", "99999999d6"]).contains("100000 dice are allowed in a roll"));
}

#[test]
fn edits_are_the_same_as_data() {
    let data = astragal(&["check", "2d6 + 1,5", "--json"]).json();
    let edit = &data["diagnostics"][0]["edits"][0];
    assert_eq!(edit["replacement"], ".");
    assert_eq!(
        (edit["place"]["start"].as_u64(), edit["place"]["end"].as_u64()),
        (Some(7), Some(8))
    );
}

#[test]
fn a_file_of_definitions_checks() {
    let ran = astragal(&["check", "let anna = {attack: 7}; fn hit(x) = d20 + x"]);
    assert_eq!((ran.code, ran.out.trim_end(), ran.err.as_str()), (0, "let anna\nfn hit(x)", ""));
}

#[test]
fn commands_of_a_session_without_their_colon() {
    let ran = astragal_with(&[], b"quit\nhelp\nexit\n");
    for command in [":quit", ":help", ":quit"] {
        assert!(ran.err.contains(&format!("write `{command}`")), "{}", ran.err);
    }
}
