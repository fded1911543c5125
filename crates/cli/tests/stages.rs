//! The stages around the odds: reading a program, rolling it and telling the answer end with an answer or a refusal,
//! whatever is asked of them.

mod common;

use common::astragal_with;

/// How a command ends for a program.
fn code(line: &[&str], text: &str) -> i32 {
    let line: Vec<&str> = line.iter().copied().chain(["--file", "-"]).collect();
    let ran = astragal_with(&line, text.as_bytes());
    let name: String = text.chars().take(40).collect();
    assert!(!ran.err.contains("panicked"), "{line:?} {name}: {}", ran.err);
    assert!(matches!(ran.code, 0 | 1 | 3), "{line:?} {name} exits with {}: {}", ran.code, ran.err);
    ran.code
}

const ROLL: &[&str] = &["roll", "--seed", "1"];

/// Lines of which each is twice as large as the one before.
fn doubled(first: &str, next: impl Fn(usize) -> String, last: usize) -> String {
    let lines = (1..=last).map(|n| format!("let a{n} = {}", next(n - 1)));
    let lines: Vec<String> = [format!("let a0 = {first}")].into_iter().chain(lines).collect();
    lines.join("\n")
}

#[test]
fn records_of_records_do_not_grow_without_end() {
    let twice = |n: usize| format!("{{a: a{n}, b: a{n}}}");
    for end in ["a40", "a40 == a40", "[a40]", "\"{a40}\"", "a40.a.b.a"] {
        for first in ["1", "d6", "\"x\"", "[1]"] {
            let program = format!("{}\n{end}", doubled(first, twice, 40));
            assert_eq!(code(&["check"], &program), 3);
            assert_eq!(code(&["odds"], &program), 3);
        }
    }
    let calls = (1..40).map(|n| format!("fn f{n}(x) = {{a: f{}(x), b: f{}(x)}}", n - 1, n - 1));
    let calls: Vec<String> = calls.collect();
    let program = format!("fn f0(x) = {{a: x, b: x}}\n{}\nf39(1)", calls.join("\n"));
    assert_eq!(code(&["odds"], &program), 3);
    // Few are fine.
    let program = format!("{}\na8 == a8", doubled("d6", twice, 8));
    assert_eq!(code(&["odds"], &program), 0);
}

#[test]
fn lists_of_lists_do_not_grow_without_end() {
    let twice = |n: usize| format!("[a{n}, a{n}]");
    for first in ["[d6]", "[1]", "[\"x\"]"] {
        let lines = doubled(first, twice, 40);
        for end in ["a40 == a40", "a40 != a40", "\"{a40}\"", "a40"] {
            assert_eq!(code(ROLL, &format!("{lines}\n{end}")), 3, "{end}");
        }
        assert_eq!(code(ROLL, &format!("{lines}\nlength(a40)")), 0);
        let few = doubled(first, twice, 8);
        assert_eq!(code(&["odds"], &format!("{few}\na8 == a8")), 0);
        assert_eq!(code(ROLL, &format!("{few}\na8 == a8")), 0);
    }
}

#[test]
fn long_programs_are_read() {
    let functions: Vec<String> = (0..3_000).map(|n| format!("fn f{n}(x) = x + {n}")).collect();
    let arms: Vec<String> = (0..3_000).map(|n| format!("  {n} => {n}")).collect();
    let fields: Vec<String> = (0..4_000).map(|n| format!("f{n}: {n}")).collect();
    let many: Vec<String> = (0..7_000).map(|n| format!("f{n}: {n}")).collect();
    let programs = [
        "[".repeat(50_000),
        "-".repeat(100_000) + "1",
        ["d6"; 50_000].join(" + "),
        "9".repeat(1_000_000),
        format!("0.{}", "3".repeat(100_000)),
        "length([1..10000000])".to_owned(),
        format!("[{}]", ["7"; 50_000].join(",")),
        format!("d{{{}}}", (0..50_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",")),
        format!("{}\nf7(d6)", functions.join("\n")),
        format!("let x = d6\nmatch x\n{}\n  _ => 0\nend", arms.join("\n")),
        format!("\"{}\"", "x".repeat(1_000_000)),
        format!("\"{}\"", "{1}".repeat(50_000)),
        format!("10d6{}", "r1".repeat(10_000)),
        format!("{{{}}}.f7", fields.join(", ")),
        format!("{{{}}}", many.join(", ")),
        ") ] } ".repeat(50_000),
        "😀".repeat(100_000),
        format!("{}1", " ".repeat(1_000_000)),
    ];
    for program in &programs {
        code(&["check"], program);
        code(ROLL, program);
    }
}

#[test]
fn rolls_end() {
    let programs = [
        "100000d6",
        "999999999d6",
        "90000d6!",
        "99999d{1,2}!!",
        "50000d6kh25000",
        "30000d30000u",
        "90000d{1..1000: 1000} drawn",
        "straight(90000d1000000)",
        "fold(1..100000, 0, (s,i) => s + i)",
        "repeat with x = 0 next x = x + 1 until x == 10000000",
        "repeat with x = 1, n = 0 next x = x * 1000003, n = n + 1 until n == 1000000",
        "repeat with x = 3, n = 0 next x = x * x, n = n + 1 until n == 40",
        "repeat with x = 1/3, n = 1 next x = x + 1/n, n = n + 1 until n == 200000",
        "repeat with x = [], n = 0 next x = append(x, n), n = n + 1 until n == 1000000",
        "9^(9^9)",
        "(1/3)^5000000",
        "(7^10000) % (3^9000)",
        "fn f(n) = if n == 0 then 0 else 1 + f(n - 1); f(100000)",
        "fn f(n) = if n <= 1 then 1 else f(n - 1) + f(n - 2); f(100)",
        "fold(1..40, \"a\", (s, i) => \"{s}{s}\")",
        "\"{[1..90000]}\"",
        "let x = 1000d6; given x == 6000; x",
        "walk(90000d1000000, [], (s,f,c) => append(s, f))",
        "90000d{\"a\",\"b\",\"c\"}",
        "1000d1000000rr<999990",
        "99d(99d(99d99))",
    ];
    for program in programs {
        code(ROLL, program);
        code(&["roll", "--seed", "1", "--json"], program);
        code(&["roll", "--seed", "1", "--full"], program);
    }
}

#[test]
fn many_rolls_are_one_list() {
    let line = ["roll", "--seed", "1", "--json", "--times", "3", "--file", "-"];
    let ran = astragal_with(&line, b"d6");
    let told: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(told["format"], 1);
    assert_eq!(told["rolls"].as_array().map(Vec::len), Some(3));
}

#[test]
fn long_chances_are_told_or_refused() {
    // Chances of thousands of digits: a summary is told, all of them are not.
    for program in ["6000d6", "3000d20"] {
        assert_eq!(code(&["odds"], program), 0);
        for how in [&["odds", "--full"][..], &["odds", "--json"], &["odds", "--csv"]] {
            assert_eq!(code(how, program), 3);
        }
        assert_eq!(code(&["odds", "--full", "--view", "at-least"], program), 3);
    }
    for program in ["d100000", "1/(d90) + 1/(d90)", "10^(d3000)", "{a: d300, b: d300}"] {
        for how in [&["odds", "--full"][..], &["odds", "--json"], &["odds", "--csv"]] {
            code(how, program);
        }
    }
}
