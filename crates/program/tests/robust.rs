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
    let mut random = Random(12345);
    for _ in 0..ROUNDS {
        let mut text = String::new();
        for _ in 0..random.below(24) + 1 {
            text.push_str(PIECES[random.below(PIECES.len())]);
        }
        let checked = check(&text, "random", &library, &NoFiles, &Options::default());
        if let Some(program) = checked.program {
            common::validate::program(&program);
        }
    }
}

/// Programs that check, to be spoiled.
const SOUND: [&str; 14] = [
    "let p = 4d6; let q = p kh3; if p > 10 then p else q + nth_highest(p, 2)",
    "fn f(a, b = a + 1, c = b) = a + b + c; f(c: d6, a: 2d8) + f(d4)",
    "let x = 2d6; fn f(n) = if n = 0 then x else f(n - 1) + x; f(3) + f(d4)",
    "fn outer(a) = do fn inner(b) = if b = 0 then a else inner(b - 1); inner(1) end; outer(3d6)",
    "fn twice(roll r, plus = 0) = max(r, r) + plus; twice(twice(2d6), plus: d4)",
    "map([1, 2, d6], x => sum(map([3, 4], y => x * y)))",
    "fn pool(n) =(n)d10; let k = pool(d4) ! cs>=8; {k: k, r: k + 1}.r",
    "match 2d6\n ..5 => 2d6\n 6..11, 13 => 3d6\n 12.. => d8\n end",
    "repeat with list = [], n = none\n let x = 2d6\n next list = append(list, x), n = x until x > 6",
    "let x = if d6 > 3 then none else 2d6; match x\n none => 0\n else => x + 1\n end",
    "game.modifier([{value: 2d6, kind: \"a\"}, {value: 1}]) + game.side({method: reroll, skill: d6})",
    "let r = {skill: 3d6}; game.side(r) + game.action(3, again: 9).successes",
    "fold([1, 2], [],(c, x) => if length(c) > 1 then c else append(c, x + d6))",
    "show \"a\" = {2d6 + d8} kh2; show \"b\" = times(3, 2d6) kh1; sort_by([3, 1], x => -x)",
];

#[test]
fn spoiled_programs_keep_their_promises() {
    let library = library();
    let words: Vec<&str> = SOUND.iter().flat_map(|text| words_of(text)).collect();
    let mut random = Random(99);
    let mut sound = 0;
    for _ in 0..ROUNDS {
        let mut text = words_of(SOUND[random.below(SOUND.len())]);
        for _ in 0..random.below(3) + 1 {
            let place = random.below(text.len());
            match random.below(4) {
                0 => text[place] = words[random.below(words.len())],
                1 => text.insert(place, words[random.below(words.len())]),
                2 if text.len() > 1 => drop(text.remove(place)),
                _ => {
                    let other = random.below(text.len());
                    text.swap(place, other);
                }
            }
        }
        let text = text.concat();
        let checked = check(&text, "spoiled", &library, &NoFiles, &Options::default());
        if let Some(program) = checked.program {
            sound += 1;
            common::validate::program(&program);
        }
    }
    assert!(sound * 20 > ROUNDS, "only {sound} programs were sound");
}

/// Runs of letters and digits, and single signs.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(run.max(first.len_utf8()));
        words.push(word);
        rest = after;
    }
    words
}

#[test]
fn programs_to_be_spoiled_are_sound() {
    for text in SOUND {
        common::checks(text);
    }
}

/// How many programs are spoiled.
const ROUNDS: usize = 3000;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
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
