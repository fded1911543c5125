//! The table: what is done to it, and that it survives.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Ran, astragal_with};

/// A file of its own for each test, which is not there yet.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("astragal-table-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder.join("deep").join("table.toml")
}

fn run(file: &Path, arguments: &[&str], lines: &[&str]) -> Ran {
    let file = file.display().to_string();
    let all = [&["--state", &file, "--seed", "1"], arguments].concat();
    astragal_with(&all, lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes())
}

fn transcript(name: &str, lines: &[&str]) -> String {
    let file = place(name);
    let ran = run(&file, &[], lines);
    let text = ran.transcript().replace(&file.display().to_string(), "TABLE");
    let written = std::fs::read_to_string(&file).unwrap_or_else(|_| "(no file)".into());
    let _ = std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap());
    format!("{}\n---\n{text}---\n{written}", lines.join("\n"))
}

macro_rules! table {
    ($name:ident: $($line:expr),+ $(,)?) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), transcript(stringify!($name), &[$($line),+]));
        }
    };
}

table!(a_fight: ":table", ":table add Anna hp 24 init d20+3", ":table add 2 Goblin hp 2d6 init d20+1",
    ":table add Old Bert", ":table hit goblin 2 2d6", ":table hit an d8", ":table heal Anna 100", ":table condition Anna prone, blessed",
    ":table note the bridge is out", ":table note reload", ":table erase 2", ":table", ":table next", ":table next", ":table next", ":table next", ":table cure Anna prone",
    ":table remove Goblin 1", ":table next", ":table", ":table end", ":table cure Anna", ":table erase 1", ":table");
table!(names_of_the_session_are_known: "let anna = {hp: 24, init: 3}", "fn claw() = 2d4", ":table add Anna hp anna.hp init d20 + anna.init",
    ":table hit Anna claw()", ":table hp Anna anna.hp - 1", ":table");
table!(mistakes_at_the_table: ":table hit Anna 3", ":table add Anna", ":table add anna", ":table hit Anna 3", ":table hp Anna 20", ":table add Annika",
    ":table hit An 3", ":table hit Bert 3", ":table hit Anni 3", ":table hit Anna", ":table hit", ":table hti Anna 3", ":table xyz", ":table next now",
    ":table next", ":table help");
table!(numbers_at_the_table: ":table add Anna hp 20", ":table hit Anna 1/2", ":table hit Anna \"x\"", ":table hit Anna -3", ":table hit Anna nope", ":table add", ":table add hp 3",
    ":table add Cora hp", ":table add 1000 Rat", ":table cure Anna prone", ":table erase 1", ":table note a", ":table erase 2", ":table remove Bert",
    ":table hit Anna let x = 3", ":table");
table!(the_table_is_undone: "let x = 3", ":table add Anna hp 24", ":table hit Anna 7", ":undo", ":table", "let x = 4", ":table clear", ":undo", ":undo", "x", ":table",
    ":undo", ":table", ":undo", ":undo");

#[test]
fn the_picture_fits_40_80_and_120_columns() {
    let file = place("picture");
    let lines = [
        ":table add Anna the Unbending hp 24 init 18",
        ":table add Goblin hp 7 init 12",
        ":table add Bert",
        ":table hit Anna 7",
        ":table hit Goblin 9",
        ":table condition Anna prone, blessed by the river, poisoned (3 rounds)",
        ":table note The bridge over the river is out, and nobody knows how the others got across",
        ":table next",
    ];
    assert_eq!(run(&file, &[], &lines).code, 0);
    let mut pictures = String::new();
    for columns in ["40", "80", "120"] {
        let file = file.display().to_string();
        let output = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["--state", &file])
            .env("COLUMNS", columns)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .and_then(|mut child| {
                child.stdin.take().unwrap().write_all(b":table\n")?;
                child.wait_with_output()
            });
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.parse().unwrap(), "{columns}: {text}");
        pictures += &format!("{columns} columns\n{text}\n");
    }
    pictures += &format!("markdown\n{}", run(&file, &["--markdown"], &[":table"]).out);
    insta::assert_snapshot!("the_picture_fits", pictures);
    let _ = std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap());
}

/// Killed without a word at any moment, the table is as the last answer said.
#[test]
fn the_table_survives_being_killed() {
    let file = place("killed");
    for round in 1..=5_i64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["--state", &file.display().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut keys = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        if round == 1 {
            keys.write_all(b":table add Anna hp 1000 init 18\n").unwrap();
            assert_eq!(answers.next().unwrap().unwrap(), "Anna: 1000/1000 hp, initiative 18");
        }
        keys.write_all(b":table hit Anna 7\n").unwrap();
        let before = 1000 - 7 * (round - 1);
        let told = format!("Anna: {before} → {}/1000", before - 7);
        assert_eq!(answers.next().unwrap().unwrap(), told);
        // What is told is written right after: the next answer comes only then.
        keys.write_all(b"1 + 1\n").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "1 + 1 = 2");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = run(&file, &[], &[":table"]);
    assert!(ran.out.contains("965/1000"), "{}", ran.out);
    // What a session that was killed in the middle of writing has left is removed by a later one.
    let left = file.with_file_name(".astragal-table-old");
    std::fs::write(&left, "half").unwrap();
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&left).unwrap().set_modified(before).unwrap();
    run(&file, &[], &[":table"]);
    let young = file.with_file_name(".astragal-table-young");
    std::fs::write(&young, "half").unwrap();
    run(&file, &[], &[":table"]);
    assert!(!left.exists() && young.exists());
    std::fs::remove_file(young).unwrap();
    let _ = std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap());
}

#[test]
fn a_damaged_table_is_told_and_never_written_over() {
    let file = place("damaged");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for (damaged, line) in [
        ("format = 1\n[[character]]\nname = \"An", "line 3:"),
        (
            "format = 1\n[[character]]\nname = \"Anna\"\nhp = \"x\"\n",
            "line 4: `hp` is not a whole number",
        ),
        ("format = 7\n", "line 1: `format` must be 1"),
        ("\u{0}\u{1}", "line 1:"),
    ] {
        std::fs::write(&file, damaged).unwrap();
        let ran = run(&file, &[], &[":table", ":table add Bert", ":undo", ":table clear", "1 + 1"]);
        assert!(
            ran.err.contains("the table cannot be read") && ran.err.contains(line),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("mend the file") && ran.out.contains("= 2"), "{}", ran.err);
        assert_eq!((ran.code, std::fs::read_to_string(&file).unwrap()), (1, damaged.to_owned()));
    }
    std::fs::write(&file, b"\xff\xfe").unwrap();
    assert!(run(&file, &[], &[":table add Bert"]).err.contains("not UTF-8"));
    assert_eq!(std::fs::read(&file).unwrap(), b"\xff\xfe");
    let _ = std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap());
}

#[test]
fn what_another_session_wrote_is_not_written_over() {
    let file = place("two");
    let (out, path) = (file.display().to_string(), &file);
    let mut first = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(["--state", &out])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = first.stdin.take().unwrap();
    let mut answers = BufReader::new(first.stdout.take().unwrap()).lines();
    keys.write_all(b":table add Anna hp 9\n1\n").unwrap();
    assert!(answers.next().unwrap().unwrap().contains("Anna"));
    answers.next();
    assert_eq!(run(path, &[], &[":table add Bert hp 5"]).code, 0);
    keys.write_all(b":table hit Anna 3\n:table reload\n:table hit Anna 3\n:table\n").unwrap();
    drop(keys);
    let rest: Vec<String> = answers.map(Result::unwrap).collect();
    let told = String::from_utf8(first.wait_with_output().unwrap().stderr).unwrap();
    assert!(
        told.contains("was changed by somebody else: `:table reload` takes that over; nothing"),
        "{told}"
    );
    let shown = rest.join("\n");
    assert!(shown.contains("6/9") && shown.contains("Bert"), "{shown}");
    assert!(std::fs::read_to_string(path).unwrap().contains("Bert"));
    let _ = std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap());
}

#[test]
fn a_table_that_cannot_be_written_is_not_changed() {
    let file = Path::new("/dev/null/table.toml");
    let ran = run(file, &[], &[":table add Anna", ":table"]);
    assert!(ran.err.contains("`/dev/null/table.toml` cannot be written"), "{}", ran.err);
    assert!(ran.out.contains("nobody is at the table"), "{}", ran.out);
}
