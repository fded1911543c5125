//! What a session begins with: the settings file and the start-up file.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A home of its own for each test, with a settings file and a start-up file if they are not empty.
fn home(name: &str, settings: &str, start: &str) -> PathBuf {
    let home = std::env::temp_dir().join(format!("astragal-home-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&home);
    let folder = home.join(".config/astragal");
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("config.toml", settings), ("start.dice", start)] {
        if !text.is_empty() {
            std::fs::write(folder.join(file), text).unwrap();
        }
    }
    home
}

fn run(home: &Path, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "ASTRAGAL_CONFIG", "NO_COLOR"] {
        command.env_remove(name);
    }
    let mut child = command
        .args(arguments)
        .env("HOME", home)
        .env("LC_ALL", "C.UTF-8")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Both outputs, without the name of the home.
fn said(home: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(home, arguments, &[], input);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.replace(&home.display().to_string(), "HOME")
}

#[test]
fn what_the_start_up_file_uses_lies_beside_it() {
    let home = home("uses", "", "use \"house.dice\"\nfn hit() = house.damage()\n");
    let folder = home.join(".config/astragal");
    std::fs::create_dir_all(folder.join("more")).unwrap();
    // And what that file uses lies beside that one.
    let house = "use \"more/base.dice\"\nfn damage() = base.damage() + 1\n";
    std::fs::write(folder.join("house.dice"), house).unwrap();
    std::fs::write(folder.join("more/base.dice"), "use \"bonus.dice\"\nfn damage() = bonus.all\n")
        .unwrap();
    std::fs::write(folder.join("more/bonus.dice"), "let all = 6\n").unwrap();
    assert_eq!(said(&home, &[], "hit()\n"), "hit() = 7\n");
    let saved = home.join("saved.dice").display().to_string();
    let all = said(&home, &[], &format!(":save {saved}\n:clear\n:load {saved}\nhit()\n"));
    assert!(all.contains("hit() = 7"), "{all}");
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn what_the_start_up_file_defines_is_simply_there() {
    let start = "let anna = {attack: 7}\n## A blow.\nfn blow(dc) = d20 + anna.attack >= dc\n";
    let home = home("start", "", start);
    assert_eq!(said(&home, &[], "anna.attack\n"), "anna.attack = 7\n");
    assert!(said(&home, &[], ":help blow\n").contains("A blow."));
    assert!(said(&home, &[], "? blow(8)\n").contains("always yes"));
    assert!(said(&home, &["--no-start"], "anna.attack\n").contains("unknown name `anna`"));
    assert_eq!(said(&home, &[], ":undo\n"), "(there is nothing to undo)\n");
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn a_start_up_file_that_is_wrong_is_told_and_left_out() {
    let home = home("wrong-start", "", "let a = 1\nlet b = nope\n");
    let said = said(&home, &[], "1 + 1\na\n");
    assert!(said.contains("HOME/.config/astragal/start.dice:2:9"), "{said}");
    assert!(said.contains("the session begins without it") && said.contains("1 + 1 = 2"), "{said}");
    assert!(said.contains("unknown name `a`"), "{said}");
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn settings_are_what_options_are_where_none_are_written() {
    let settings = "# House\ncolour = \"always\"\nsystem = \"kaiser\"\nsteps = 50_000\nstate = \"ours.toml\"\n";
    let home = home("settings", settings, "");
    assert!(said(&home, &["--colour", "never"], "level(5, 3)\n").contains("= 2"));
    assert!(said(&home, &["roll", "level(5, 3)", "--colour=never"], "").contains("= 2"));
    assert!(said(&home, &["odds", "2d6"], "").contains("\u{1b}["));
    assert!(!said(&home, &["odds", "2d6", "--color", "never"], "").contains("\u{1b}["));
    assert!(said(&home, &["odds", "900d6", "--colour=never"], "").contains("over budget"));
    assert!(said(&home, &["odds", "900d6", "--steps", "400000000"], "").contains("mean"));
    assert!(said(&home, &["roll", "level(5, 3)", "--system", "cofd"], "").contains("unknown"));
    said(&home, &[], ":table add Anna\n");
    assert!(home.join(".config/astragal/ours.toml").exists());
    // Verbs that do not know an option do without it.
    assert!(said(&home, &["systems"], "").contains("cofd"));
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn another_settings_file_may_be_named() {
    let home = home("named", "system = \"cofd\"\n", "");
    let other = home.join("other.toml");
    std::fs::write(&other, "system = \"kaiser\"\n").unwrap();
    let other = other.display().to_string();
    assert!(said(&home, &["roll", "level(5, 3)", "--config", &other], "").contains("= 2"));
    assert!(
        said(&home, &["roll", &format!("--config={other}"), "level(5, 3)"], "").contains("= 2")
    );
    assert!(said(&home, &["--config", &other], "level(5, 3)\n").contains("= 2"));
    let by_variable = |value: &str| {
        let output = run(&home, &["roll", "level(5, 3)"], &[("ASTRAGAL_CONFIG", value)], "");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(by_variable(&other).contains("= 2"));
    assert!(by_variable("").contains("unknown function `level`"));
    assert!(by_variable("/nowhere/x.toml").contains("`/nowhere/x.toml` cannot be read"));
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn wrong_settings_are_told_with_line_and_key() {
    for (settings, told) in [
        ("\ncolor = \"never\"\n", "line 2: `color` means nothing here: did you mean `colour`?"),
        ("colour = \"red\"\n", "line 1: `colour` is one of `auto`, `always`, `never`"),
        ("steps = 1\nsystem = \"dnd\"\n", "line 2: `system` is one of `stormchaser`, `srd`"),
        ("steps = \"x\"\n", "line 1: `steps` is not a whole number"),
        ("steps = -1\n", "line 1: `steps` is below 0"),
        ("full = 1\n", "line 1: `full` is not `true` or `false`"),
        ("full = true\nfull = false\n", "line 2: duplicate key"),
        ("colour = \n", "line 1:"),
    ] {
        let home = home("wrong", settings, "");
        let output = run(&home, &["roll", "2"], &[], "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("config.toml`, ") && said.contains(told), "{settings}: {said}");
        assert_eq!(output.status.code(), Some(2));
        let _ = std::fs::remove_dir_all(home);
    }
}
