//! Each rule of the language by a small program with its answer.

use std::fmt::Write;

use astragal_anydice::{Naming, Outputs, Recursion, in_astragal, parse, run};
use astragal_prob::Meter;

fn outputs(program: &str) -> Outputs {
    let parsed = parse(program).unwrap_or_else(|error| panic!("{program}: {}", error.message));
    run(&parsed, &Meter::new(400_000_000))
        .unwrap_or_else(|error| panic!("{program}: {}", error.message))
}

/// `1:1/2 2:1/2`, outputs between bars.
fn told(program: &str) -> String {
    let mut text = String::new();
    for (at, output) in outputs(program).list.iter().enumerate() {
        text.push_str(if at > 0 { " | " } else { "" });
        let table = output.law.as_ref().and_then(|law| law.as_table());
        let share = astragal_prob::Rational::ONE - &output.lost;
        let rows = table.into_iter().flat_map(|table| table.chances());
        for (row, (value, chance)) in rows.enumerate() {
            let _ = write!(text, "{}{value}:{}", if row > 0 { " " } else { "" }, chance * &share);
        }
    }
    text
}

fn is(program: &str, answer: &str) {
    assert_eq!(told(program), answer, "{program}");
}

fn same(program: &str, other: &str) {
    assert_eq!(told(program), told(other), "{program} and {other}");
}

fn fails(program: &str, code: &str) {
    let found = match parse(program) {
        Err(error) => error.code,
        Ok(parsed) => match run(&parsed, &Meter::new(400_000_000)) {
            Err(error) => error.code,
            Ok(_) => "none",
        },
    };
    assert_eq!(found, code, "{program}");
}

fn notices(program: &str) -> Vec<&'static str> {
    outputs(program).notices.iter().map(|notice| notice.code).collect()
}

#[test]
fn the_document_by_its_own_list() {
    is("output {1,2,3} + d{}", "6:1");
    is("output d{} + {1,2,3}", "1:1/3 2:1/3 3:1/3");
    is("output d6 <= {2,3}", "0:5/6 1:1/6");
    is("output {4,1} < {3,3}", "0:1");
    is("output {2,2,2} > {2,2}", "1:1");
    is("output #{d6+d6}", "11:1");
    is("output -2^2", "4:1");
    is("output 1 | 1 & 0", "0:1");
    same("output [middle 1 of 4d6]", "output 2@4d6");
    is("output [count {6,6} in 2d6]", "0:25/36 2:5/18 4:1/36");
    same("output 3d(2d6)", "output 6d6");
    is("output 3@2d6", "0:1");
    is("output (-7)/2", "-3:1");
    let f = "function: f X:n { if X = 1 { result: d{} } result: X } ";
    is(&format!("{f} output [f d4]"), "2:1/3 3:1/3 4:1/3");
    let g = "function: g Y:n { if Y = 1 { result: [f d4] } result: 0 } output [g d2]";
    is(&format!("{f} {g}"), "0:1/2 2:1/6 3:1/6 4:1/6");
    is("function: c X:n { N: N + 1 result: N } N: 0 output [c d3]", "1:1/3 2:1/3 3:1/3");
    is("function: m A:n and B:n { R: B B: B + A result: R } output [m d2 and d1]", "1:1/2 2:1/2");
    is("function: deep { result: 1 + [deep] } output [deep]", "10:1");
    assert_eq!(notices("function: deep { result: 1 + [deep] } output [deep]"), ["function-depth"]);
    fails("if d6 { output 1 }", "random-condition");
}

#[test]
fn text() {
    is("\\ a comment \n over lines \\ output 1", "1:1");
    same("X: 6 N: 2 output NdX", "output 2d6");
    same("output 3d6named \"three\"", "output 3d6");
    is("output {1. .3}", "1:1/3 2:1/3 3:1/3");
    fails("Output d6", "syntax");
    fails("output d6 output", "syntax");
    fails("\\ open", "unclosed-comment");
    fails("output 1 named \"open", "unclosed-text");
    assert_eq!(&*outputs("output 1 named \"a\\b\"").list[0].name, "a\\b");
}

#[test]
fn operators_bind_as_they_are_written() {
    is("output #3d6", "1:1/6 2:1/6 3:1/6 4:1/6 5:1/6 6:1/6");
    same("output 2d2d2", "output (2d2)d2");
    same("output 1 @ 3d6", "output 1@(3d6)");
    is("output 2 * 3 > 5 + 0", "1:1");
    is("output 1 < 2 < 3", "1:1");
    is("output 2 + 3 * 2 ^ 2", "14:1");
    is("output 8 - 3 - 2", "3:1");
    is("output !3 + !0", "1:1");
    is("output --3", "3:1");
    is("output 0 | 1 & 1", "1:1");
}

#[test]
fn sequences_are_written_down() {
    is("output #{1..3:2}", "6:1");
    is("output {1..3:2} = {1,2,3,1,2,3}", "1:1");
    is("output #{3..1}", "0:1");
    is("output #{{1,2}, 5..6, {}}", "4:1");
    is("output #{{1,1}..{2,3}}", "4:1");
    is("output #{5:0, 6:-1}", "0:1");
    fails("output {1..d6}", "random-sequence");
    fails("output {1:d6}", "random-sequence");
}

#[test]
fn dice_are_made() {
    is("output d0", "0:1");
    is("output d{}", "");
    is("output d-2", "-2:1/2 -1:1/2");
    is("output d{1,1,2}", "1:2/3 2:1/3");
    is("output #(1d(2d6))", "2:1");
    is("output #(2d(2d6))", "2:1");
    is("output #(d(3d6))", "3:1");
    is("output 0d6", "0:1");
    is("output -2d2", "-4:1/4 -3:1/2 -2:1/4");
    is("output d2d2", "1:1/4 2:3/8 3:1/4 4:1/8");
    is("output (d3-2)d2", "-2:1/6 -1:1/6 0:1/3 1:1/6 2:1/6");
    is("output {1,1}d2", "2:1/4 3:1/2 4:1/4");
    is("output #(d6 d {})", "1:1");
    is("output #(3 d {})", "0:1");
}

#[test]
fn operators_compute() {
    is("output 7/2", "3:1");
    is("output 7/0", "0:1");
    is("output d2/0", "0:1");
    is("output 2^-1", "0:1");
    is("output (-1)^-1", "-1:1");
    fails("output 0^-1", "zero-to-negative");
    is("output d{0}^-1", "-9223372036854775808:1");
    is("output d2 & 1", "1:1");
    is("output d{0,3} & 2", "0:1/2 1:1/2");
    is("output !d{0,3}", "0:1/2 1:1/2");
    is("output -{1,2}", "-3:1");
    is("output #(-3d6)", "3:1");
    is("output +{1,2}", "1:1/2 2:1/2");
    is("output #-305 + #0", "4:1");
    is("output d2 * d2", "1:1/4 2:1/2 4:1/4");
    is("output {1,2,3} > 1", "2:1");
    is("output 2 = {2,2}", "2:1");
    is("output 1 < {1,2,3}", "2:1");
    is("output {1,2} < {1,2,0}", "1:1");
    is("output d3 > d2", "0:1/2 1:1/2");
    is("output d3 >= {1,1}", "0:1/3 1:2/3");
    assert_eq!(notices("output d6 <= {2,3}"), ["at-most-sequence"]);
}

#[test]
fn positions() {
    is("output 2@305", "0:1");
    is("output 1@-305", "-3:1");
    is("output {1,3,3,9}@305", "13:1");
    is("output 2@{7,8,9}", "8:1");
    is("output 0@{7}", "0:1");
    is("output 1@d6", "1:1/6 2:1/6 3:1/6 4:1/6 5:1/6 6:1/6");
    is("output 1@2d2", "1:1/4 2:3/4");
    is("output {1,1}@2d2", "2:1/4 4:3/4");
    is("output {1,3}@3d2", "2:1/8 3:3/4 4:1/8");
    is("set \"position order\" to \"lowest first\" output 1@2d2", "1:3/4 2:1/4");
    is("set \"position order\" to \"lowest first\" output 1@305", "5:1");
    is("set \"position order\" to \"lowest first\" output 1@{7,8}", "7:1");
    fails("output d2@3d6", "random-position");
}

#[test]
fn the_empty_die() {
    for (program, answer) in [
        ("output 1 + d{}", "1:1"),
        ("output d{} - 2", "-2:1"),
        ("output #(3d6 + d{})", "3:1"),
        ("output 5 | d{}", "5:1"),
        ("output d{} | 5", "5:1"),
        ("output #({1,2} - d{})", "1:1"),
        ("output d{} - {1,2}", "-3:1"),
        ("output d{} * 2", ""),
        ("output 2 / d{}", ""),
        ("output 1 & d{}", ""),
        ("output d{} = d{}", ""),
        ("output {1} < d{}", ""),
        ("output !d{}", ""),
        ("output -d{}", ""),
        ("output d{} + d{}", ""),
        ("output {}", ""),
        ("output [highest 1 of d{}]", ""),
        ("output [maximum of d{}]", "0:1"),
        ("output [explode d{}]", ""),
    ] {
        is(program, answer);
    }
}

#[test]
fn statements() {
    is("loop X over {1..3} { output X }", "1:1 | 2:1 | 3:1");
    is("loop X over {1,2} { Y: X } output X + Y", "4:1");
    is("loop X over 5 { output X }", "5:1");
    fails("loop X over d6 { output X }", "random-loop");
    is("if 0 { output 1 } else if 2 { output 2 } else { output 3 }", "2:1");
    fails("if {1} { output 1 }", "random-condition");
    is("output {1,1,2}", "1:2/3 2:1/3");
    fails("output X", "unknown-variable");
    fails("output 1 output 1/0 output 0^-1", "zero-to-negative");
    fails("set \"explode depth\" to 0", "wrong-setting");
    fails("set \"depth\" to 1", "unknown-setting");
    fails("result: 1", "syntax");
    fails("function: f { output 1 }", "syntax");
    fails("function: f { result: 1 X: 2 }", "syntax");
    fails("X = 3", "syntax");
}

#[test]
fn a_program_without_outputs_says_so() {
    assert!(outputs("X: 3").list.is_empty());
    assert_eq!(notices("X: 3"), ["no-output"]);
    assert_eq!(notices(""), ["no-output"]);
}

#[test]
fn names_hold_variables() {
    let name = |program: &str| outputs(program).list[0].name.to_string();
    assert_eq!(name("output 1"), "output 1");
    assert_eq!(&*outputs("output 1 named \"a\" output 2").list[1].name, "output 2");
    let set = "N: -7 S: {1,2} D: d6 E: 3d6 F: d{0..9} G: d{1,1,2} H: d{} I: 2d{2..4} J: 3d6+0";
    let text = "output 1 named \"[N] [S] [D] [E] [F] [G] [H] [I] [J] [x] [\"";
    let told = "-7 {?} d6 3d6 d{0..9} d{?} d{?} 2d{2..4} d{?} [x] [";
    assert_eq!(name(&format!("{set} {text}")), told);
    fails("output 1 named \"[NONE]\"", "unknown-variable");
}

#[test]
fn functions_are_known_by_words_and_holes() {
    is(
        "function: add A:n to B:d { result: 1 } function: add X to Y { result: 2 } output [add 1 to 2]",
        "2:1",
    );
    is("function: highest N:n of D:d { result: 7 } output [highest 1 of 2d6]", "7:1");
    fails("output [f 1] function: f X { result: X }", "unknown-function");
    is("function: g X { result: [f X] } function: f X { result: X } output [g 3]", "3:1");
    fails("output [nothing]", "unknown-function");
    is("function: if N:n to N:n { result: N } output [if 1 to 2]", "1:1");
    is("function: f A B { result: #A } output [f 1d6 1d6]", "1:1");
    fails("function: f A B { result: #A } output [f d6 d6]", "unknown-function");
}

#[test]
fn dice_side_by_side_are_told_apart() {
    let function = "function: f A:n B:n { result: A - B } ";
    for (call, mended) in
        [("[f 2d6 d8]", "[f 2d6 1d8]"), ("[f 3 d6+1]", "[f 3 1d6+1]"), ("[f d6 d6]", "[f d6 1d6]")]
    {
        let text = format!("{function}output {call}");
        let parsed = parse(&text).expect("it can be read");
        let error = run(&parsed, &Meter::new(1_000_000)).expect_err("there is one argument");
        let [edit] = error.edits.as_slice() else { panic!("{text}: {error:?}") };
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let fixed = format!("{}{}{}", &text[..start], edit.replacement, &text[end..]);
        assert_eq!(fixed, format!("{function}output {mended}"));
    }
}

#[test]
fn parameters_cast() {
    is("function: f X { result: #X } output [f 3d6]", "3:1");
    is(
        "function: f X:d { result: #X } output [f 3d6] output [f {1,2}] output [f 5]",
        "3:1 | 1:1 | 1:1",
    );
    is("function: f X:n { result: {X, X} } output #[f 3]", "2:1");
    is("function: f X:n { result: {X, X} } output #[f {3}]", "1:1");
    is(
        "function: f X:s { result: #X } output [f 3d6] output [f 7] output [f {1,2}]",
        "3:1 | 1:1 | 2:1",
    );
    is("function: f X:s { result: 1@X * 10 + 2@X } output [f 2d2]", "11:1/4 21:1/2 22:1/4");
    is(
        "set \"position order\" to \"lowest first\" function: f X:s { result: 1@X * 10 + 2@X } output [f 2d2]",
        "11:1/4 12:1/2 22:1/4",
    );
    is(
        "function: f X:n Y:n { result: X * 10 + Y } output [f 1d2 1d{1,1,2}]",
        "11:1/3 12:1/6 21:1/3 22:1/6",
    );
    is("function: f X:n { result: Xd2 } output [f d{1,2}]", "1:1/4 2:3/8 3:1/4 4:1/8");
    is("function: f X:n { } output [f d2]", "");
    is("function: f X:n { if X = 1 { result: 1 } } output [f d3]", "1:1");
    is("function: f X:n { result: X } output [f d{}] + 1", "1:1");
}

#[test]
fn lost_chances_stay_lost() {
    let f =
        "function: f X:n { result: X } function: g Y:n { if Y = 1 { result: [f d{}] } result: Y } ";
    is(&format!("{f} output [g d2]"), "2:1/2");
    let told = outputs(&format!("{f} output [g d2]"));
    assert_eq!(told.list[0].lost.to_string(), "1/2");
    assert_eq!(told.notices[0].code, "lost-chance");
}

/// What is lost of each output of a program that has a function with a lost result.
fn lost(outputs_of: &str) -> Vec<String> {
    let program = format!(
        "function: lost X:n {{ result: X }} L: [lost d{{}}] \
         function: within X:n {{ if X = 1 {{ result: L }} result: X }} P: [within d2] {outputs_of}"
    );
    outputs(&program).list.iter().map(|output| output.lost.to_string()).collect()
}

#[test]
fn an_output_without_rows_is_empty_or_lost() {
    // The empty die and the empty sequence have nothing that could be lost.
    assert_eq!(lost("output d{} output {} output 2d{} output d{} * 2"), ["0"; 4]);
    assert!(notices("output d{} output {} output -d{}").is_empty());
    // What was cast away is lost, whole or in part, and so is a random number of dice without faces.
    assert_eq!(lost("output L output P output d{} d 6 output d6 d d{}"), ["1", "1/2", "1", "1"]);
    assert_eq!(notices("output d{} d 6"), ["lost-chance"]);
    // In operators a lost die is as the empty die, but nothing brings its chance back.
    assert_eq!(lost("output L + 3 output 3 - L output L | 0"), ["0"; 3]);
    assert_eq!(
        lost("output L * 2 output -L output !L output L = 1 output 2dL output 1@L"),
        ["1"; 6]
    );
    assert_eq!(lost("output L & d{} output d{} & L output d{} + L output L - d{}"), ["1"; 4]);
    assert_eq!(
        lost("output [highest 1 of d{} and L] output [explode L] output [sort L]"),
        ["1"; 3]
    );
    assert_eq!(lost("output P + P output 2dP output [explode P * 0]"), ["3/4", "3/4", "1/2"]);
    is("output #d{} output #(d{} d 6)", "0:1 | 1:1");
}

#[test]
fn scopes_are_dynamic() {
    is(
        "function: g { result: X } function: f X { result: [g] } X: 1 output [f 5] output [g]",
        "5:1 | 1:1",
    );
    is("function: f { X: 2 result: X } X: 1 output [f] output X", "2:1 | 1:1");
    is("function: f X:n { X: X + 1 result: X } output [f d2]", "2:1/2 3:1/2");
    is("function: f X:n Y:n { Y: Y + 1 result: Y } output [f d2 1]", "2:1/2 3:1/2");
    is("function: f S:s { S: {#S} result: S } output [f 2d2]", "1:3/4 2:1/4");
    assert_eq!(
        notices("function: c X:n { N: N + 1 result: N } N: 0 output [c d3]"),
        ["kept-value"]
    );
    assert!(notices("function: f X:n { Y: X result: Y } output [f d3]").is_empty());
}

#[test]
fn calls_that_look_equal_may_differ_by_what_they_see() {
    is(
        "function: f X:n { result: X + Y } Y: 1 output [f d2] Y: 10 output [f d2]",
        "2:1/2 3:1/2 | 11:1/2 12:1/2",
    );
    is("function: f { result: 1 } output [f] function: f { result: 2 } output [f]", "1:1 | 2:1");
    is(
        "output [explode d2] set \"explode depth\" to 1 output [explode d2]",
        "1:1/2 3:1/4 5:1/8 6:1/8 | 1:1/2 3:1/4 4:1/4",
    );
    let deep = "function: f N:n { if N = 0 { result: 0 } result: 1 + [f N - 1] } function: g { result: [f 10] }";
    is(&format!("{deep} output [f 9] output [g]"), "9:1 | 9:1");
}

#[test]
fn built_in_functions() {
    is("output [absolute d{-2,1,2}]", "1:1/3 2:2/3");
    is("output [absolute -3]", "3:1");
    is(
        "output [{1,2} contains 2] output [3d2 contains 1] output [d6 contains d{}]",
        "1:1 | 0:1/8 1:7/8 | ",
    );
    is("output [count 6 in {6,6,5}] output [count {1,2} in 2d3]", "2:1 | 0:1/9 1:4/9 2:4/9");
    is("output [count d2 in {1,1,2}]", "1:1/2 2:1/2");
    is("output [explode 2d2]", "2:1/4 3:1/2 6:1/16 7:1/8 10:1/64 11:1/32 12:1/64");
    same("output [highest 3 of 4d6]", "output {1..3}@4d6");
    is("output [highest 0 of 4d6] output [highest 9 of 2d2]", "0:1 | 2:1/4 3:1/2 4:1/4");
    is("output [highest d2 of 2d2]", "1:1/8 2:1/2 3:1/4 4:1/8");
    is("set \"position order\" to \"lowest first\" output [highest 1 of 2d2]", "1:1/4 2:3/4");
    same("output [lowest 2 of 3d4]", "output {2,3}@3d4");
    same("output [middle 2 of 5d6]", "output {2,3}@5d6");
    is("output [highest of 3 and 5] output [lowest of d2 and 1]", "5:1 | 1:1");
    is("output [highest of d2 and d2]", "1:1/4 2:3/4");
    is("output [highest 1 of d2 and d3]", "1:1/6 2:1/2 3:1/3");
    is("output [lowest 1 of d2 and d3 and d1]", "1:1");
    is("output [lowest 2 of 7 and 14400 and 1]", "8:1");
    is("output [highest 2 of 2d2 and 100000 and d2]", "100001:1/8 100002:7/8");
    is("output [maximum of 3d6]", "18:1");
    is("output [reverse {1,2}] = {2,1} output [sort {1,3,2}] = {3,2,1}", "1:1 | 1:1");
    same("output [sort 2d6]", "output 2d6");
    is("set \"position order\" to \"lowest first\" output [sort {3,1}] = {1,3}", "1:1");
}

#[test]
fn numbers_are_exact() {
    is("output 2^100", "1267650600228229401496703205376:1");
    assert_eq!(notices("output 2^100"), ["large-numbers"]);
    assert_eq!(notices("output 2^100 > 5"), ["large-numbers"]);
    assert_eq!(notices("output 2^d70 / 2^60"), ["large-numbers"]);
    assert!(notices("output d{0}^-1 output 2^62 output 3037000499 * d2").is_empty());
    fails("output (9^9)^(9^9)", "number-too-large");
    fails("output 100000000d6", "over-budget");
    fails("output 1000000000000d1", "over-budget");
}

#[test]
fn in_our_language_what_is_asked_of_dice_may_get_a_name() {
    let text = "function: botch S:s D:n { H: S >= D O: S = 1 if O > H { result: 0 } result: H - O } \
                output [botch 6d10 6] output [botch 7d10 6]";
    let said = |naming: Naming| {
        let (program, meter) = (parse(text).unwrap(), Meter::new(1_000_000));
        in_astragal(&program, &["a", "b"], Recursion::AsIs, naming, &meter).unwrap()
    };
    let all = said(Naming::All);
    assert!(all.text().contains("let h_2 = s cs>=(dx)"), "{}", all.text());
    // Both outputs share the function: names are its own.
    assert_eq!(all.definitions.len(), 1, "{}", all.text());
    assert!(!said(Naming::Long).text().contains("let"));
}
