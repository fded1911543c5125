//! What is seen in terminals of 40, 80 and 120 columns.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::process::Command;

use unicode_width::UnicodeWidthStr;

/// What a command says in a terminal so wide.
fn seen(columns: usize, locale: &str, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(arguments)
        .current_dir(common::root())
        .env("COLUMNS", columns.to_string())
        .env("LC_ALL", locale)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const LINES: [&[&str]; 12] = [
    &["odds", "4d6kh3"],
    &["odds", "d20 + 5 >= 15"],
    &["odds", "3d6", "--view", "at-least", "--chance", ">= 15"],
    &["odds", "cofd.action(5)"],
    &["odds", r#"show "plain" = d4; show "better" = 2d4kh1"#],
    &["compare", "2d20kh1", "d20 + 5"],
    &["compare", "d4", "d6", "d8", "d10", "d12", "2d6"],
    &["sweep", "(a)d(b)", "a=1..5", "b=4..12/2"],
    &["sweep", "d20 + bonus >= dc", "dc=5..25/2", "bonus=0..15"],
    &["sweep", "cofd.action(pool).outcome", "pool=0..6"],
    &["sweep", "(n)d6", "n=1..6", "--chance", ">= 10"],
    &["systems", "kaiser"],
];

#[test]
fn nothing_is_wider_than_the_terminal() {
    for line in LINES {
        for columns in [40, 80, 120] {
            for locale in ["C.UTF-8", "C"] {
                let text = seen(columns, locale, line);
                let widest = text.lines().max_by_key(|line| line.width()).unwrap();
                assert!(widest.width() <= columns, "{line:?} in {columns}: {widest}");
            }
        }
    }
}

#[test]
fn narrow() {
    let mut all = String::new();
    for line in LINES.iter().take(11) {
        all += &format!("$ astragal {}\n{}\n", line.join(" "), seen(40, "C.UTF-8", line));
    }
    all += &seen(40, "C", LINES[7]);
    insta::assert_snapshot!("narrow", all);
}

/// Both outputs of a command, which may fail.
fn all(columns: usize, variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(arguments)
        .env("COLUMNS", columns.to_string())
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLORTERM")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn rolls_and_messages_are_broken_between_words() {
    for line in [
        &["roll", "cofd.action(7)", "--seed", "4"] as &[&str],
        &["roll", "4d6r1"],
        &["check", "kaiser.opposed(8, 6)"],
        &["plan", "cofd.action(7)"],
        &["sweep", "d20 >= dc", "dc=5-25"],
        &["roll", "2d6", "--svg", "x.svg"],
    ] {
        let text = all(40, &[], line);
        let widest = text.lines().max_by_key(|line| line.width()).unwrap();
        assert!(widest.width() <= 40, "{line:?}: {widest}");
    }
    let text = all(40, &[], &["roll", "4d6r1"]);
    assert!(text.contains("  ├ help: `4d6rr<=1` rerolls every\n"), "{text}");
}

#[test]
fn heat_maps_have_all_colours_where_they_are_known() {
    let map = ["sweep", "a + b", "a=0..10", "b=0..1", "--colour", "always"];
    let few = all(80, &[], &map);
    assert!(few.contains("48;5;53m") && few.contains("48;5;220m"), "{few:?}");
    let many = all(80, &[("COLORTERM", "truecolor")], &map);
    assert!(many.contains("48;2;68;1;84m") && !many.contains("48;5;"), "{many:?}");
}

#[test]
fn bars_stay_and_fractions_go() {
    let text = seen(40, "C.UTF-8", &["odds", "4d6kh3"]);
    assert!(text.contains('█') && !text.contains("7/432"), "{text}");
    let text = seen(80, "C.UTF-8", &["odds", "4d6kh3"]);
    assert!(text.contains('█') && text.contains("7/432"), "{text}");
}

#[test]
fn help_is_wrapped_at_words() {
    let text = seen(40, "C.UTF-8", &["sweep", "--help"]);
    let too_wide =
        text.lines().filter(|line| line.width() > 40 && !line.contains("astragal sweep"));
    assert_eq!(too_wide.count(), 0, "{text}");
}
