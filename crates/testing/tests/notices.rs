//! The odds carry a note exactly where every roll says it, with that very text.

use astragal::faces::Scripted;
use astragal_testing::checks::{answer, law, program};
use astragal_testing::law::Kept;

/// The odds of the program carry these notices.
fn carries(text: &str, notices: &[&str]) {
    let said = answer(text).notices;
    let said: Vec<&str> = said.iter().map(|notice| &**notice).collect();
    assert_eq!(said, notices, "{text}");
}

#[test]
fn a_note_tells_the_values_that_a_roll_tells() {
    carries(
        "fn attack(name, bonus) = do; note \"{name} attacks\"; let die = d20; die + bonus >= 15; end; \
         attack(\"Anna\", 3)",
        &["Anna attacks"],
    );
    carries("let x = [1, 2]; note \"{x} of {length(x)}\"; at(x, 1)", &["[1, 2] of 2"]);
    carries("let x = d6; note \"{x - x} is certain\"; x", &["0 is certain"]);
}

#[test]
fn what_depends_on_chance_is_not_certain() {
    for die in ["d4", "d30"] {
        let text =
            format!("let x = d6; let y = {die} + (do; note \"x is {{x}}\"; d6; end); x + y >= 5");
        carries(&text, &[]);
    }
    carries("if d6 > 5 then do note \"high\"; 1 end else 2", &[]);
    carries("let x = 200d1000; note \"{x} in all\"; note \"done\"; x", &["done"]);
}

#[test]
fn a_note_is_not_lost_behind_many_values() {
    for dice in ["5d6", "12d10", "3d4"] {
        let text = format!(
            "let best = best_set({dice}); note \"always said\"; if best.size > 2 then best.face else 0"
        );
        carries(&text, &["always said"]);
    }
    carries("let unused = do note \"seen\"; d6! end; d4", &["seen"]);
    carries("let d = 5d6!; note \"endless\"; d > 20", &["endless"]);
    carries("fn f(v) = do note \"a {v > 0}\"; v end; f(d6!)", &["a yes"]);
    carries("{a: do note \"a\"; d4 end, b: do note \"b\"; d4 end}.b", &["a", "b"]);
}

#[test]
fn branches_and_calls_may_say_the_same() {
    carries(
        "fn r1(n) = if n <= 0 then (do; note \"seen\"; n; end) else d3 - r1(n - 1); r1(d2)",
        &["seen"],
    );
    carries("if d2 = 1 then do note \"said\"; 1 end else do note \"said\"; 2 end", &["said"]);
    carries("let x = d2; note \"{x}\"; note \"{3 - x}\"; x", &["1", "2"]);
    carries("let x = d6; given x > 3; if x > 3 then do note \"high\"; x end else x", &["high"]);
    carries(
        "(repeat with n = 0; note \"round {n}\"; next n = n + 1 until d2 = 1 or n >= 2).n",
        &["round 0"],
    );
    carries("times(2, do note \"thrown\"; d6 end) kh1", &["thrown"]);
    carries("times(d2 - 1, do note \"thrown\"; d6 end)", &[]);
    // What the steps of a walk say is no part of a roll's explanation.
    carries(
        "fn f(n) = do note \"step\"; n end; walk(2d3, 0, (n, face, count) => f(n + count)) + f(1)",
        &["step"],
    );
}

#[test]
fn notices_keep_the_law() {
    for text in [
        "let p = times(1, do let x = d2; if x = 1 then do note \"a\"; x end else x end); \
         if p == 2 then do note \"a\"; p end else p",
        "let x = d3; let y = if x = 1 then do note \"one\"; 1 end else 2; \
         if y = 2 then do note \"one\"; note \"two\"; x end else x",
        "fold([1, 2, d2], 0, (c, i) => do note \"item {i}\"; c + i end)",
        "walk(2d3, 0, (n, face, count) => do note \"met\"; n + count end)",
        "walk(2d3, 0, (n, face, count) => do note \"{count}\"; n + face end)",
        "let p = 2d2; (repeat with n = 0; note \"high {p kh1}\"; next n = n + 1 until n >= 2).n",
        "let x = d2; note \"{d2}\"; note \"{x + 1}\"; [x, d2]",
        "show \"a\" = do note \"first\"; d2 end; show \"b\" = do note \"second\"; d3 end",
        "fn f(x) = do note \"f\"; x end; fn g(x) = if x > 1 then f(x) else do note \"f\"; 0 end; g(d3) + g(d2)",
        "let x = d2; require x > 0 else \"no\"; note \"so\"; x",
        "if d2 = 1 then do note \"a\"; note \"b\"; 1 end else do note \"b\"; note \"c\"; 2 end",
    ] {
        assert_eq!(law(text), Kept::Exactly, "{text}");
    }
}

#[test]
fn a_note_fails_as_its_message_does() {
    assert_eq!(law("note \"{1 / (d2 - 1)}\"; 5"), Kept::Failing);
    assert_eq!(law("let x = d2; let unused = do note \"{6 / (x - 1)}\"; 1 end; x"), Kept::Failing);
}

#[test]
fn a_note_in_a_function_is_certain_if_every_call_says_it() {
    let says = "fn f(v) = do note \"f\"; v end; let p = 10d6; ";
    carries(&format!("{says}if p > 30 then f(p kl1) else f(1)"), &["f"]);
    carries(&format!("{says}if p kh1 > 3 then f(p kl1) else f(p kh2)"), &["f"]);
    carries(&format!("{says}if p > 30 then f(p kl1) else 1"), &[]);
}

#[test]
fn a_step_of_a_walk_says_nothing() {
    let text = "walk(3d3, 0, (c, f, m) => do note \"w\"; c + f end)";
    carries(text, &[]);
    let roll = program(text).roll(&mut Scripted::whole(&[1, 2, 2])).expect("it can be rolled");
    assert!(roll.notices().is_empty());
}
