//! Nothing panics, whatever the program, and little stack is needed.

mod common;

use astragal_program::{NoFiles, Options, check};
use common::library;

/// Pieces that make programs, most of them wrong.
const PIECES: [&str; 64] = [
    "1",
    "2d6",
    "x",
    "y",
    "f(",
    ")",
    "(",
    "let x = ",
    "; ",
    "\n",
    "fn f(x) = ",
    "fn g(roll r) = ",
    "r",
    "g(",
    "kh1",
    "cs>=2",
    "!",
    "[fire]",
    "{",
    "}",
    "{a: ",
    ".a",
    ", ",
    "[",
    "]",
    " + ",
    " == ",
    " >= ",
    " and ",
    "if ",
    " then ",
    " else ",
    "match ",
    "\n 1 => ",
    "\n else => ",
    "\nend",
    "repeat with x = ",
    " next x = ",
    " until ",
    "do ",
    " end",
    "x => ",
    "map(",
    "fold(",
    "sum(",
    "none",
    "true",
    "\"a\"",
    "\"{x}\"",
    "game.",
    "action",
    "Outcome",
    "success",
    "enum E = p | q\n",
    "param x = ",
    "show \"s\" = ",
    "require ",
    "note \"n\"",
    "1..3",
    "times(",
    "nth_highest(",
    "d{",
    "roll",
    "(x, y) => ",
];

#[test]
fn random_programs_do_not_panic() {
    let library = library();
    let mut state = 12345u64;
    for _ in 0..4000 {
        let mut text = String::new();
        for _ in 0..(state >> 40) % 24 + 1 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        check(&text, "random", &library, &NoFiles, &Options::default());
    }
}

#[test]
fn deep_programs_fit_a_small_stack() {
    let programs = [
        "fn f(x) = f([x]); f(1)".to_string(),
        format!("{}1{}", "(".repeat(100), ")".repeat(100)),
        format!("{}1{}", "if true then (".repeat(60), ") else 2".repeat(60)),
        format!("{}1{}", "map([1], x => ".repeat(40), ")".repeat(40)),
        "let w = h => h(h); w(w)".to_string(),
        "fn w(h) = h(h); w(w)".to_string(),
        format!("match d6\n{}else => 1\nend", "1, 2, 3 => 4\n".repeat(5000)),
        format!("{}1{}", "do let x = 1; let x = 2; let x = 3\n".repeat(100), "\nend".repeat(100)),
        (1..400).map(|n| format!("let x{n} = {n}\n")).collect::<String>() + "x7",
        (1..5000).map(|n| format!("let x{n} = {n}\n")).collect::<String>() + "x7",
        (1..300).map(|n| format!("fn f{n}(x) = f{}(x) + 1\n", n - 1)).collect::<String>()
            + "fn f0(x) = x\nf299(1)",
    ];
    let library = library();
    std::thread::scope(|scope| {
        for text in &programs {
            let library = &library;
            let builder = std::thread::Builder::new().stack_size(STACK);
            let run = move || {
                check(text, "deep", library, &NoFiles, &Options::default());
            };
            builder.spawn_scoped(scope, run).unwrap().join().unwrap();
        }
    });
}

/// As much as a page gives a program.
const STACK: usize = 1 << 20;
