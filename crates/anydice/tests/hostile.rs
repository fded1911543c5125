//! Whatever is read, nothing panics, places lie inside the text, and a budget ends everything.

use astragal_anydice::{Naming, Recursion, in_astragal, is_program, parse, run};
use astragal_prob::Meter;
use proptest::prelude::*;

fn holds(text: &str) {
    is_program(text);
    let ran = parse(text).and_then(|program| {
        let outputs = run(&program, &Meter::new(200_000).with_memory(50 << 20))?;
        let names: Vec<&str> = outputs.list.iter().map(|output| &*output.name).collect();
        for recursion in [Recursion::AsIs, Recursion::Unrolled] {
            let _ = in_astragal(&program, &names, recursion, Naming::All, &Meter::new(200_000));
        }
        Ok(outputs)
    });
    let found = match ran {
        Ok(outputs) => outputs.notices,
        Err(error) => vec![*error],
    };
    for diagnostic in found {
        assert!(!diagnostic.message.is_empty() && !diagnostic.help.iter().any(String::is_empty));
        let places = diagnostic.labels.iter().map(|label| label.span);
        for span in places.chain(diagnostic.edits.iter().map(|edit| edit.span)) {
            assert!(text.get(span.range()).is_some(), "{text:?}: {span:?}");
        }
    }
}

/// Words of the language, and what is near them.
const WORDS: &[&str] = &[
    "output",
    "function",
    ":",
    "loop",
    "over",
    "if",
    "else",
    "result",
    "set",
    "named",
    "\"[X] a\"",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "d",
    "6",
    "2",
    "0",
    "X",
    "Y",
    "S",
    "n",
    "s",
    "+",
    "-",
    "*",
    "/",
    "^",
    "@",
    "#",
    "!",
    "=",
    "<=",
    ">",
    "&",
    "|",
    ",",
    "..",
    "highest",
    "of",
    "count",
    "in",
    "explode",
    "f",
    "to",
    "\"explode depth\"",
    "\\",
    "D",
    "9999",
];

proptest! {
    #[test]
    fn any_text(text in ".{0,60}") {
        holds(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        holds(&words.join(" "));
        holds(&words.concat());
    }
}

#[test]
fn what_is_deep_long_or_large_is_refused() {
    let many = |text: &str, times: usize| text.repeat(times);
    let texts = [
        format!("output {}1", many("(", 100_000)),
        format!("output {}1", many("-", 100_000)),
        format!("output 1{}", many("+1", 100_000)),
        format!("output 1{}", many("d1", 100_000)),
        format!("output 1{}", many("@1", 100_000)),
        format!("output {}", many("[f ", 100_000)),
        format!("{} output 1", many("if 1 {", 100_000)),
        format!("if 1 {{}} {}", many("else if 1 {}", 100_000)),
        "output d99999999999999999999".into(),
        "output 99999999999999999999d6".into(),
        "output 1@99999999999d6".into(),
        "output [highest 3 of 9999999999999d6]".into(),
        "output #{1..99999999999}".into(),
        "output {1:99999999999}".into(),
        "output 9^99999999999".into(),
        "X: {1..1000} loop I over X { loop J over X { loop K over X { Y: 1 } } } output 1".into(),
        "X: {1} loop I over {1..100} { X: {X, X} } output #X".into(),
        "D: d6 loop I over {1..60} { D: D + D } output D".into(),
        "function: f S:s { result: #S } output [f 100d100]".into(),
        "set \"maximum function depth\" to 100000000 function: f N:n { result: [f N + 1] } output [f 1]".into(),
        "set \"explode depth\" to 100000000 output [explode d6]".into(),
    ];
    for text in texts {
        holds(&text);
        let ran = parse(&text)
            .and_then(|program| run(&program, &Meter::new(2_000_000).with_memory(50 << 20)));
        assert!(ran.is_err(), "{}", &text[..text.len().min(60)]);
    }
}
