//! Files of house rules: beside an expression, as a system, played and checked.

mod common;

use std::path::PathBuf;

use common::{Ran, astragal, astragal_with};

const PARTY: &str = "use \"monsters.dice\"

## Anna, a fighter.
let anna = {attack: 7, ac: 16}

## An attack against an armour class.
fn attack(who, ac) = d20 + who.attack >= ac

fn against_goblin(who) = attack(who, monsters.goblin.ac)
";

/// A folder of its own with a party and its monsters.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("astragal-house-{name}-{}", std::process::id()));
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text);
    std::fs::create_dir_all(&folder)
        .and_then(|()| write("party.dice", PARTY))
        .and_then(|()| write("monsters.dice", "let goblin = {ac: 15}\n"))
        .and_then(|()| write("wrong.dice", "fn f(x) = x + true\n"))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

fn in_folder(name: &str, arguments: &[&str]) -> Ran {
    let folder = folder(name);
    let path = |argument: &&str| match argument.ends_with(".dice") {
        true => folder.join(argument).display().to_string(),
        false => (*argument).to_owned(),
    };
    let arguments: Vec<String> = arguments.iter().map(path).collect();
    astragal(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_file_beside_an_expression_is_known_in_it() {
    for expression in ["attack(anna, 15)", "party.attack(party.anna, 15)", "against_goblin(anna)"] {
        let ran = in_folder("beside", &["odds", expression, "--file", "party.dice"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("13/20"), "{expression}: {}", ran.out);
        let ran =
            in_folder("system", &["roll", expression, "--system", "party.dice", "--faces", "8"]);
        assert!(ran.out.contains("= yes"), "{expression}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_system_may_be_open_beside_it() {
    let ran = in_folder(
        "both",
        &["roll", "action(anna.attack)", "--file", "party.dice", "--system", "cofd", "--seed", "1"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn definitions_are_checked_and_not_run() {
    let ran = in_folder("check", &["check", "--file", "party.dice"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("fn attack(who, ac)") && ran.out.contains("let anna"), "{}", ran.out);
    let ran = in_folder("check-wrong", &["check", "--file", "wrong.dice"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("wrong.dice:1:"), "{}", ran.err);
    let ran = in_folder("run", &["--file", "party.dice"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--file") && ran.err.contains("no-result"), "{}", ran.err);
}

#[test]
fn a_check_finds_what_can_fail() {
    let armour = "srd.modifier([{kind: \"armour\", value: 3}, {kind: \"armour\", value: 2}])";
    let ran = astragal(&["check", armour, "--json"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("near-miss") && ran.out.contains("did you mean `armor`?"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches(r#""replacement":"\"armor\"""#).count(), 2, "{}", ran.out);
    // Where it is met in the library is nobody's concern.
    assert!(!ran.out.contains("srd.dice"), "{}", ran.out);
    let ran = astragal(&["check", &format!("if d20 == 20 then {armour} else 0")]);
    assert_eq!(ran.code, 1);
    assert_eq!(astragal(&["check", "10 / 0"]).code, 1);
    assert_eq!(astragal(&["check", "400d100"]).code, 0);
    // In a file of definitions too, which are not run.
    let folder = folder("fails");
    let file = folder.join("cloak.dice");
    std::fs::write(&file, format!("let cloak = {armour}\nfn worn() = cloak\n")).unwrap();
    let ran = astragal(&["check", "--file", &file.display().to_string()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("near to `armor`"), "{}", ran.err);
}

#[test]
fn what_cannot_be_read_is_named() {
    let ran = in_folder("missing", &["roll", "d6", "--system", "nobody.dice"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nobody.dice"), "{}", ran.err);
    let ran =
        in_folder("two", &["roll", "d6", "--file", "party.dice", "--system", "monsters.dice"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("both name a file"), "{}", ran.err);
    let ran = astragal_with(&["roll", "d6", "--file", "-"], b"let x = 1");
    assert_eq!(ran.code, 2);
}

#[test]
fn house_rules_are_played() {
    let path = folder("play").join("party.dice").display().to_string();
    let ran = astragal_with(&["play", &path, "attack", "--seed", "1"], b"{attack: 7}\n15\n");
    assert!(ran.out.contains("party.attack({attack: 7}, 15)"), "{}{}", ran.out, ran.err);
    let ran = astragal_with(&["play", &path], b"q\n");
    assert!(ran.out.contains("An attack against an armour class."), "{}", ran.out);
    let ran = astragal_with(&["play", &path, "atack"], b"");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `attack`"), "{}", ran.err);
}

#[test]
fn a_system_is_a_file_to_copy() {
    let ran = astragal(&["systems", "cofd", "--source"]);
    let folder = folder("copy");
    let copy = folder.join("mine.dice");
    std::fs::write(&copy, &ran.out).unwrap();
    let copy = copy.display().to_string();
    let ran = astragal(&["odds", "action(5).outcome", "--system", &copy, "--json"]);
    let own = astragal(&["odds", "action(5).outcome", "--system", "cofd", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let chances = |ran: &Ran| ran.out.split("\"outcomes\"").nth(1).map(str::to_owned);
    assert_eq!(chances(&ran), chances(&own));
    assert_eq!(astragal(&["systems", "cofx", "--source"]).code, 2);
}
