//! No program overflows the stack, whatever thread calls, and whatever is done with it.

use astragal::faces::Seeded;
use astragal::{Budget, Engine};

/// Far less than the deepest program needs, just enough to read it, and what threads and processes have.
const STACKS: [usize; 4] = [256 << 10, 1600 << 10, 2 << 20, 8 << 20];

/// Programs that nest in every way, as deep as is allowed and deeper.
fn deep() -> Vec<String> {
    let around = |open: &str, times: usize, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let mut programs = Vec::new();
    for times in [20, 60, 100, 120, 127, 128, 1000, 20_000] {
        programs.extend([
            around("(", times, "1", ")"),
            around("[", times, "1", "]"),
            around("{a: ", times, "1", "}"),
            around("-", times, "1", ""),
            around("2^", times, "1", ""),
            around("(", times, "1", " + d2)"),
            around("max(d2, ", times, "1", ")"),
            around("if d2 == 1 then (", times, "1", ") else 2"),
            around("do let x = d2\n", times, "x", "\nend"),
            around("map([1], x => ", times, "x", ")"),
            around("(", times, "d2", ")d2"),
            around("match d2\n1 => ", times, "0", "\nelse => 1\nend"),
            around("\"{", times, "1", "}\""),
        ]);
    }
    for times in [10, 200, 300, 330, 990, 1010, 5000] {
        programs.extend([
            around("", times, "1", " + 1"),
            around("", times, "d2", " + d2"),
            around("", times, "4d6", "kh3"),
            around("", times, "true", " and true"),
            around("let x = 1\n", times, "x", ""),
            around("note \"a\"\n", times, "1", ""),
            around("given true\n", times, "1", ""),
            format!("match d6\n{}else => 1\nend", "1, 2 => 4\n".repeat(times)),
            (0..times).map(|n| format!("let x{n} = d2\n")).collect::<String>() + "x1",
        ]);
    }
    for times in [50, 100, 150, 300] {
        let chain = |n: usize| format!("fn f{n}(x) = f{}(x) + 1\n", n - 1);
        let chain = (1..times).map(chain).collect::<String>();
        programs.push(format!("{chain}fn f0(x) = x\nf{}(1)", times - 1));
        programs.push(format!("fn f(n) = if n == 0 then 0 else f(n - 1) + 1\nf({times})"));
        let inner = around("(", 60, "f(n - 1)", " + 1)");
        programs.push(format!("fn f(n) = if n == 0 then 0 else {inner}\nf({times})"));
    }
    programs
}

/// Everything that can be done with a program.
fn exercise(engine: &Engine, text: &str) {
    let _ = engine.layout(text, "deep");
    match engine.compile(text) {
        Err(found) => assert!(!found.list().is_empty()),
        Ok(program) => {
            let _ = program.roll(&mut Seeded::new(1, 0));
            let _ = program.clone().odds(&Budget::of_steps(1_000_000));
        }
    }
}

#[test]
fn every_stack_is_enough() {
    let engine = Engine::new();
    for text in deep() {
        for stack in STACKS {
            let run = || exercise(&engine, &text);
            std::thread::scope(|scope| {
                let thread = std::thread::Builder::new().stack_size(stack);
                thread.spawn_scoped(scope, run).unwrap().join().unwrap();
            });
        }
    }
}
