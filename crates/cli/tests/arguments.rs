//! Strange arguments, and what they exit with.

mod common;

use common::{astragal, astragal_with};

/// The last word of the answer, which is the value.
fn value(arguments: &[&str]) -> String {
    let ran = astragal(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
    ran.out.split_whitespace().last().unwrap_or_default().to_owned()
}

#[test]
fn dashes_are_arithmetic() {
    assert_eq!(value(&["roll", "--1"]), "1");
    assert_eq!(value(&["roll", "-2d6", "--faces", "3,4"]), "-7");
    assert_eq!(value(&["roll", "-d6", "--faces", "3"]), "-3");
    assert_eq!(value(&["roll", "--", "-5"]), "-5");
    assert_eq!(value(&["roll", "--faces", "3,4", "2d6", "-", "1"]), "6");
}

#[test]
fn faces_may_be_negative_none_or_texts() {
    assert_eq!(value(&["roll", "3dF", "--faces", "-1,0,1"]), "0");
    assert_eq!(value(&["roll", "7", "--faces", ""]), "7");
    assert_eq!(value(&["roll", "7", "--faces="]), "7");
    assert_eq!(value(&["roll", r#"d{"heads", "tails"}"#, "--faces", "tails"]), "tails");
}

#[test]
fn blanks_and_case_do_not_matter() {
    assert_eq!(value(&["roll", "  2", "D", "6 ", "KH", "--faces", "2,5"]), "5");
}

#[test]
fn exit_codes() {
    let cases: [(&[&str], i32); 22] = [
        (&["roll", "d6"], 0),
        (&["odds", "d6"], 0),
        (&["check", "d6"], 0),
        (&["systems"], 0),
        (&["systems", "cofd.action"], 0),
        (&["--version"], 0),
        (&["d6", "--help"], 0),
        (&["roll", ""], 1),
        (&["roll", "   "], 1),
        (&["odds", ""], 1),
        (&["check", "🎲"], 1),
        (&["roll", "3d6", "--faces", "1,2"], 1),
        (&["roll", "3d6", "--faces", "1,2,7"], 1),
        (&["roll", "3d6", "--faces", "1,2,3,4"], 1),
        (&["roll", "d6", "--set", "x=1"], 1),
        (&["roll"], 2),
        (&["roll", "d6", "--seed"], 2),
        (&["odds", "d6", "--seed", "1"], 2),
        (&["roll", "--file", "no such file"], 2),
        (&["systems", "coffd"], 2),
        (&["roll", "9999999d6"], 3),
        (&["odds", "3d6", "--steps", "1"], 3),
    ];
    for (line, code) in cases {
        let ran = astragal(line);
        assert_eq!(ran.code, code, "{line:?}: {ran:?}");
        assert!(!(ran.err.is_empty() && ran.out.is_empty()), "{line:?} says nothing");
        assert!(code == 0 || ran.out.is_empty(), "errors go to standard error: {line:?}");
    }
}

#[test]
fn programs_come_from_files_and_standard_input() {
    let ran = astragal_with(&["roll", "--file", "-", "--faces", "3,4"], b"let x = 2d6\nx + x");
    assert!(ran.out.trim_end().ends_with("= 14"), "{ran:?}");
    let ran = astragal(&["odds", "--file", "-", "3d6"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn inputs_are_set_by_name() {
    let line = ["roll", "param dice = 1; (dice)d6", "--set", "dice=3", "--faces", "1,2,3"];
    assert_eq!(value(&line), "6");
}

#[test]
fn a_system_can_be_opened() {
    assert_eq!(value(&["roll", "outcome(5)", "--system", "cofd"]), "exceptional_success");
}

#[test]
fn line_by_line() {
    let ran = astragal_with(&[], b"2 + 3\n\n? d2\n:help\n:quit\n99\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("2 + 3 = 5\n2 + 3 = 5\n"), "{}", ran.out);
    assert!(ran.out.contains("50.00%"));
    assert!(!ran.out.contains("99"));
    let ran = astragal_with(&[], b"2 +\n1 + 1\n");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("1 + 1 = 2"));
}

#[test]
fn formatting() {
    let ran = astragal_with(&["fmt"], b"let x=4D6 K3 ;x+2");
    assert_eq!((ran.code, ran.out.as_str()), (0, "let x = 4d6kh3\nx + 2\n"));
    assert_eq!(astragal_with(&["fmt", "--check", "-"], b"let x = 4d6kh3\nx + 2\n").code, 0);
    assert_eq!(astragal_with(&["fmt", "--check", "-"], b"d6+1").code, 1);
    let wrong = astragal_with(&["fmt"], b"4d6 +");
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
}
