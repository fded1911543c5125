//! Texts made to break a parser: deep, long, or no text at all.

use std::time::{Duration, Instant};

use astragal_syntax::diagnostic::Severity;
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse, print, same_tree, tokens};

/// Parses, prints and drops on a small stack, in little time, and gives the codes.
fn codes(text: String) -> Vec<&'static str> {
    let run = move || {
        let start = Instant::now();
        let parsed = parse(&text, SourceId(0), &Limits::default());
        print(&parsed.file);
        assert!(same_tree(&parsed.file, &parsed.file.clone()));
        tokens(&text);
        assert!(start.elapsed() < Duration::from_secs(10), "too slow");
        for diagnostic in &parsed.diagnostics {
            assert_eq!(
                diagnostic.code.starts_with("too-"),
                diagnostic.severity == Severity::OverBudget
            );
        }
        parsed.diagnostics.iter().map(|d| d.code).collect()
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic")
}

#[test]
fn deep_texts_are_refused() {
    let deep = [
        "(".repeat(20_000),
        "[".repeat(20_000),
        "{".repeat(20_000),
        "f(".repeat(20_000),
        "{a: ".repeat(20_000),
        "d{".repeat(20_000),
        "d(".repeat(20_000),
        "d6kh(".repeat(20_000),
        "-".repeat(20_000) + "1",
        "not ".repeat(20_000) + "a",
        "2^".repeat(20_000) + "2",
        "do ".repeat(20_000),
        "do\n".repeat(20_000),
        "match ".repeat(20_000),
        "match x 1 => ".repeat(20_000),
        "repeat with a = ".repeat(20_000),
        "maximise ".repeat(20_000) + "1",
        "maximise x by r => ".repeat(20_000) + "1",
        "choose from ".repeat(20_000) + "1",
        "choose \"a\" => ".repeat(20_000),
        "choose \"a\" if ".repeat(20_000),
        "if a then b else ".repeat(20_000) + "c",
        "if ".repeat(20_000),
        "x => ".repeat(20_000) + "x",
        "\"{".repeat(20_000),
        "fn f(a = do ".repeat(20_000),
        "fn f(a: {b: ".to_owned() + &"{c: ".repeat(20_000),
        "fn f() = do ".repeat(20_000),
    ];
    for text in deep {
        let start = text[..12.min(text.len())].to_owned();
        assert!(codes(text).contains(&"too-deep"), "{start}");
    }
}

#[test]
fn long_chains_are_refused() {
    let long = [
        "1+".repeat(3000) + "1",
        "a and ".repeat(3000) + "a",
        "a".to_owned() + &".b".repeat(3000),
        "a".to_owned() + &"()".repeat(3000),
        "4d6".to_owned() + &"sa ".repeat(3000),
        "4d6".to_owned() + &"!".repeat(3001),
        "4d6".to_owned() + &"[x]".repeat(3000),
        // Each level of brackets is a chain of its own: only together are they too high.
        "(".repeat(100) + "1" + &("+1".repeat(900) + ")").repeat(100),
    ];
    for text in long {
        let start = text[..12].to_owned();
        assert_eq!(codes(text), ["too-deep"], "{start}");
    }
    assert!(codes("1+".repeat(1000) + "1").is_empty());
    assert!(codes("(".repeat(100) + "1" + &")".repeat(100)).is_empty());
    assert_eq!(codes("fn f(a: ".to_owned() + &"[".repeat(20_000)).len(), 1);
}

#[test]
fn wide_texts_take_linear_time() {
    assert_eq!(codes("1;".repeat(200_000)), ["too-long"]);
    assert!(codes("1\n".repeat(50_000)).is_empty());
    assert_eq!(codes("u".repeat(500_000)), [] as [&str; 0]);
    assert_eq!(codes("4d6".to_owned() + &"u".repeat(500_000)), ["unknown-suffix"]);
    assert_eq!(codes("$".repeat(500_000)).len(), 2);
    assert_eq!(codes("+".repeat(20_000) + "1"), ["wrong-operator"]);
    assert_eq!(codes("!".repeat(20_001) + "1"), ["expected-expression"]);
    assert!(codes("(a, ".repeat(20_000)).contains(&"too-deep"));
    assert!(codes("[".to_owned() + &"1,".repeat(50_000) + "]").is_empty());
    assert!(codes("# c\n".repeat(100_000) + "1").is_empty());
    assert!(codes("$ 1 ".repeat(50_000)).len() <= 100);
    assert!(codes("$ ".repeat(50_000)).len() <= 100);
    assert!(codes("$ 1; ".repeat(50_000)).len() <= 100);
    assert!(codes("a[x];".repeat(50_000)).is_empty());
    assert!(codes("\"{a}\";".repeat(20_000)).is_empty());
    assert!(codes("d".to_owned() + &" d;".repeat(50_000)).len() <= 100);
    assert!(codes(") ".repeat(50_000)).len() <= 100);
    assert!(codes("\"".repeat(50_000)).len() <= 100);
    assert!(codes("[highest ".repeat(50_000)).len() <= 100);
    assert!(codes("output 3d6 [".repeat(50_000)).len() <= 100);
    assert!(codes("(a,".to_owned() + &"a,".repeat(50_000) + "(").len() <= 100);
}

#[test]
fn nested_calls_print_in_little_time() {
    assert!(codes("f(".repeat(60) + "1" + &", x => x)".repeat(60)).is_empty());
    assert!(codes("f(x => ".repeat(60) + "1" + &")".repeat(60)).is_empty());
}

#[test]
fn the_caller_sets_the_limits() {
    let limits = Limits { tokens: 5, nesting: 2 };
    let code = |text| parse(text, SourceId(0), &limits).diagnostics.first().map(|d| d.code);
    assert_eq!(code("1 + 2 + 3"), None);
    assert_eq!(code("1 + 2 + 3 + 4"), Some("too-long"));
    assert_eq!(code("((1"), Some("too-deep"));
}
