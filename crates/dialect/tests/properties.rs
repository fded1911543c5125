//! Nothing panics, and what is converted is always read without errors.

use astragal::Engine;
use astragal_dialect::{Dialect, convert_noted};
use astragal_syntax::diagnostic::Severity;
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse};
use proptest::prelude::*;

fn holds(text: &str) {
    for dialect in Dialect::ALL {
        match convert_noted(text, dialect) {
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in &errors {
                    inside(text, error);
                }
            }
            Ok(converted) => {
                let parsed = parse(&converted.astragal, SourceId(0), &Limits::default());
                let wrong = parsed.diagnostics.iter().any(|d| d.severity <= Severity::OverBudget);
                assert!(!wrong, "{dialect} {text:?}: {}", converted.astragal);
                converted.notices.iter().for_each(|notice| inside(text, notice));
            }
        }
    }
}

/// Places lie in the text, between characters.
fn inside(text: &str, diagnostic: &astragal_syntax::diagnostic::Diagnostic) {
    for label in &diagnostic.labels {
        assert!(text.get(label.span.range()).is_some(), "{text:?}: {diagnostic:?}");
    }
}

/// Pieces that notation is made of, in any order.
fn notation() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "1",
        "2",
        "6",
        "20",
        "100",
        "d",
        "d6",
        "4d6",
        "dF",
        "d%",
        "dc",
        "D",
        "k",
        "kh",
        "kl3",
        "dl",
        "dh1",
        "r",
        "rr",
        "ro",
        "r<2",
        "x",
        "xo",
        "x3<5",
        "!",
        "!!",
        "!p",
        ">3",
        "<2",
        "=1",
        ">=",
        "cs",
        "cf",
        "df",
        "sf",
        "even",
        "odd",
        "ms>3",
        "min2",
        "max5",
        "f1",
        "sa",
        "sd",
        "m",
        "mt",
        "ra6",
        "rol1",
        "e6",
        "ie6",
        "i1",
        "mi2",
        "ma5",
        "pl1",
        "p<3",
        "k>3",
        "km2",
        "u",
        "t5",
        "tl2",
        "t5ds6",
        "b1",
        "adv1",
        " adv",
        "dF.1",
        "!=5",
        "<>3",
        "//",
        "==",
        "^",
        "6 ",
        "+",
        "-",
        "*",
        "/",
        "%",
        "**",
        "(",
        ")",
        "{",
        "}",
        ",",
        "[",
        "]",
        "[[",
        "]]",
        "[fire]",
        "#",
        " ",
        "floor(",
        "round(",
        "pow(",
        "@{x}",
        "?{q}",
        ".5",
        "output ",
        "[highest 1 of ",
        "@",
        "[explode ",
        "é",
        "\n",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..14).prop_map(|p| p.concat())
}

/// Terms that some tool reads, joined by operators.
fn expression() -> impl Strategy<Value = String> {
    const DICE: &[&str] = &["d6", "4d6", "2dF", "d%", "3dc", "(1+1)d6", "2d(d4)", "7", "1.5"];
    const ENDS: &[&str] = &[
        "", "", "", "kh", "kl1", "d1", "dh", "r1", "r<2", "ro<2", "rr<3", "x", "xo", "x>5", "x2=6",
        "!", "!!", "!p", "!>5", ">3", ">3f1", "cs>3", "cs", "cf", "df", "df=1", "even", "ms>3",
        "min2", "max5", "sa", "sd", "[fire]", "ra6", "rol1", "e6", "e>4", "ie5", "mi2", "ma5",
        "pl1", "p<3", "k>3", "k6", "km2", "u", " t5", " tl2", " t4ds6", " f1", " k2", " adv1",
        " e5", "!=5", "!<>6", "=3", ">=4f=1", "<>3",
    ];
    const JOINTS: &[&str] =
        &["+", "-", "*", "/", "//", "%", "^", ">", " + ", ",", ")+(", "}kh1+{", ")kh1+("];
    const FRAMES: &[(&str, &str)] = &[
        ("", ""),
        ("(", ")"),
        ("{", "}"),
        ("{", "}kh1"),
        ("{", "}cs>3"),
        ("{", "}>3"),
        ("round(", ")"),
        ("max(", ")"),
        ("-", ""),
        ("(", ")kh1"),
        ("(", ",)k>3"),
        ("3 + ", " t5"),
        ("[[", "]]"),
    ];
    let pick = prop::sample::select::<&'static str>;
    let term = (pick(DICE), pick(ENDS), pick(ENDS)).prop_map(|(d, a, b)| format!("{d}{a}{b}"));
    let rest = prop::collection::vec((pick(JOINTS), term.clone()), 0..3);
    (term, rest, prop::sample::select(FRAMES)).prop_map(|(first, rest, (open, close))| {
        let rest: String = rest.into_iter().map(|(joint, term)| format!("{joint}{term}")).collect();
        format!("{open}{first}{rest}{close}")
    })
}

/// What is converted has no error of names or types.
fn checks(text: &str) {
    for dialect in Dialect::ALL {
        let Ok(converted) = convert_noted(text, dialect) else { continue };
        if let Err(errors) = Engine::new().compile(&converted.astragal) {
            panic!("{dialect} {text:?}: {}\n{errors}", converted.astragal);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_notation(text in notation()) {
        holds(&text);
    }

    #[test]
    fn what_is_converted_is_a_program(text in expression()) {
        checks(&text);
    }

    #[test]
    fn any_text(text in any::<String>()) {
        holds(&text);
    }
}

#[test]
fn large_and_deep_texts() {
    holds(&"(".repeat(9_000));
    holds(&"-".repeat(9_000));
    holds(&"{".repeat(9_000));
    holds(&"1+".repeat(4_000));
    holds(&format!("{}1", "1+".repeat(400)));
    holds(&format!("{}1", "1%".repeat(400)));
    holds(&format!("{}d6{}", "(".repeat(50), ")".repeat(50)));
    holds(&format!("{}d6{}", "round(-".repeat(25), ")".repeat(25)));
    holds(&format!("4d6{}", "r1".repeat(3_000)));
    holds(&format!("4d6{}", "kh1".repeat(3_000)));
    holds(&format!("4d6{}", "[a]".repeat(3_000)));
    holds(&format!("{}{}", "9".repeat(5_000), "d6"));
    holds(&"d6 ".repeat(20_000));
}
