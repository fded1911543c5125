//! AnyDice programs: as programs, in our language, and where they are taken for ours.

use astragal::faces::Seeded;
use astragal::{Budget, Engine, Value, is_anydice};

fn ours(text: &str) -> String {
    let converted = Engine::new().convert_anydice(text, "old.txt", &Budget::default());
    converted.unwrap_or_else(|wrong| panic!("{text}: {wrong}"))
}

fn refused(text: &str) -> &'static str {
    let converted = Engine::new().convert_anydice(text, "old.txt", &Budget::default());
    converted.map_or_else(|wrong| wrong.list()[0].code, |ours| panic!("{text}: {ours}"))
}

#[test]
fn idioms_are_said_in_our_language() {
    for (theirs, said) in [
        ("output 3d6", "3d6"),
        ("output [highest 3 of 4d6] named \"x\"", "show \"x\" = 4d6kh3"),
        ("[lowest 1 of 4d6]", "4d6kl1"),
        ("[middle 2 of 5d6]", "5d6dh1dl2"),
        ("[explode d6]", "d6! up to 2"),
        ("[count {5,6} in 4d6]", "4d6cs>=5"),
        ("[count {2..3} in 4d6] + 1", "(4d6cs=2cs=3) + 1"),
        ("[count {6,6} in 4d6]", "2 * (4d6cs=6)"),
        ("1@4d6", "nth_highest(4d6, 1)"),
        ("1@3d6+2", "nth_highest(3d6, 1) + 2"),
        ("3@2d6", "0"),
        ("1d0", "0"),
        ("3d(2d6)", "times(3, 2d6)"),
        ("5d(1d2-1)", "times(5, d2 - 1)"),
        ("2d{1,1,4}", "2d{1: 2, 4}"),
        ("d20 > d20", "if d20 > d20 then 1 else 0"),
        ("X: d6 output X + X", "d6 + d6"),
        ("loop N over {1,2} { output Nd6 named \"[N]\" }", "show \"1\" = d6\nshow \"2\" = 2d6"),
        (
            "function: check R:n against T:n { if R >= T { result: 1 } result: 0 } output [check d20 against 11]",
            "fn check_against(rx, t) = if rx >= t then 1 else 0\ncheck_against(d20, 11)",
        ),
        (
            "function: best S:s { result: 1@S + 3@S } output [best 3d6]",
            "fn best(s) = nth_highest(s, 1) + nth_highest(s, 3)\nbest(3d6)",
        ),
        (
            "function: hits N:n { result: [count {5,6} in Nd6] } output [hits d4]",
            "fn hits(n) = (n)d6cs=5cs=6\nhits(d4)",
        ),
        (
            "function: third A:s B:s { result: 3@[sort {A, B}] } output [third 2d6 2d8]",
            "fn third(a, b) = nth_highest({a + b}, 3)\nthird(2d6, 2d8)",
        ),
        (
            "function: pick A:n B:s { result: 2@{A, B} - #{A, B} } output [pick d4 2d8]",
            "fn pick(a, b) = nth_highest(b, 1) - 3\npick(d4, 2d8)",
        ),
        (
            "T: {0, 0, 1, 3} function: look up R:n { result: R@T } output [look up d4]",
            "fn look_up(rx) = at([0, 0, 1, 3], rx)\nlook_up(d4)",
        ),
    ] {
        assert_eq!(ours(theirs), said, "{theirs}");
    }
}

#[test]
fn a_function_that_calls_itself_is_cut_off_where_it_is_there() {
    let text = "function: ex N:n { if N = 6 { result: 6 + [ex d6] } result: N } output [ex d6]";
    let said = ours(text);
    assert!(said.contains("fn ex_10(n)") && said.ends_with("ex_10(d6)"), "{said}");
}

#[test]
fn what_drops_out_is_thrown_again_in_that_call_alone() {
    let said =
        ours("function: f X:n { if X = 1 { result: d{} } result: X } output [f d4] + [f d4]");
    assert!(said.contains("repeat with it = f(d4)"), "{said}");
}

#[test]
fn what_has_no_counterpart_is_refused() {
    for text in [
        "output d{}",
        "function: c X:n { N: N + 1 result: N } N: 0 output [c d3]",
        "output (d3 - 2) d 6",
        "output (0-d7) / 2",
    ] {
        assert_eq!(refused(text), "no-counterpart", "{text}");
    }
    assert_eq!(refused("output ("), "syntax");
    assert_eq!(refused("if d6 { output 1 }"), "random-condition");
}

#[test]
fn two_functions_of_one_name_are_told_apart() {
    let said = ours("function: f S:s { result: #S + 1@S } output [f 2d6] output [f 3d6]");
    assert!(said.contains("fn f(s) = 2 +") && said.contains("fn f_2(s) = 3 +"), "{said}");
}

#[test]
fn a_refusal_names_the_output_that_differs_or_is_too_dear_to_compare() {
    let budget = Budget::default().with_steps(20_000_000);
    let told = |text: &str| {
        let wrong = Engine::new().convert_anydice(text, "old.txt", &budget).unwrap_err();
        let first = &wrong.list()[0];
        (first.code, first.message.clone(), text[first.labels[0].span.range()].to_owned())
    };
    let dear = "function: f A:n B:n { if A > B { result: A*B } if A*A = B { result: 7 } result: A ^ 2 + B } \
                output [f 1d2 1d2] named \"small\" output [f 20d20 20d20] named \"large\"";
    let (code, message, place) = told(dear);
    assert_eq!(code, "not-compared");
    assert!(message.starts_with("`large` could not be compared in time"), "{message}");
    assert_eq!(place, "output [f 20d20 20d20] named \"large\"");
    let (code, message, _) = told("output d6 output (0-d7) / 2 named \"half\"");
    assert_eq!(code, "no-counterpart");
    assert!(message.contains("`half` means something else"), "{message}");
    let (_, message, _) = told("loop N over {1..1500} { output d6 + N }");
    assert!(message.ends_with("is too long here"), "{message}");
}

#[test]
fn a_text_that_doubles_is_refused_before_it_is_written() {
    let doubled = "X: d1 loop I over {1..30} { X: X + X } output X";
    assert_eq!(refused(doubled), "no-counterpart");
}

#[test]
fn an_anydice_program_is_known_and_said() {
    for text in ["output 3d6", "X: 3\noutput Xd6", "function: f { result: 1 } output [f]"] {
        assert!(is_anydice(text), "{text}");
    }
    for text in ["3d6", "let output = 3; output", "output: 3", "if d6 > 3 then 1 else 0"] {
        assert!(!is_anydice(text), "{text}");
    }
    let wrong = Engine::new().compile("[count {6,6} in 4d6]").unwrap_err();
    assert_eq!(wrong.list()[0].code, "anydice");
    assert_eq!(wrong.list()[0].edits[0].replacement, "2 * (4d6cs=6)");
}

#[test]
fn each_output_is_thrown_by_its_law() {
    let text = "output d6 named \"a\" output 100d20 named \"a\" output d{}";
    let program = Engine::new().compile_anydice(text, "old.txt", &Budget::default()).unwrap();
    for seed in 0..200 {
        let rolled = program.roll(&mut Seeded::new(seed, 0)).unwrap().into_value();
        let Value::Record(shape, values) = rolled else { panic!("a record of results") };
        assert_eq!(
            shape.fields.iter().map(|name| &**name).collect::<Vec<_>>(),
            ["a", "a (2)", "output 3"]
        );
        let number = |at: usize| {
            i64::try_from(values[at].as_number().unwrap().to_rational().numerator()).unwrap()
        };
        assert!((1..=6).contains(&number(0)) && (700..=1400).contains(&number(1)), "{values:?}");
        assert_eq!(values[2], Value::None);
    }
}

#[test]
fn a_budget_ends_what_is_too_large() {
    let small = Budget::default().with_steps(1000);
    let wrong = Engine::new().compile_anydice("output 100d100", "old.txt", &small).unwrap_err();
    assert!(wrong.is_over_budget());
    let few = Budget::default().with_outcomes(10);
    assert!(
        Engine::new().compile_anydice("output d20", "old.txt", &few).unwrap_err().is_over_budget()
    );
}
