//! Each diagnostic code with the shortest programs that trigger it, and what is said about them.

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse};

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    parse(text, SourceId(0), &Limits::default()).diagnostics
}

fn codes(text: &str) -> Vec<&'static str> {
    diagnostics(text).iter().map(|d| d.code).collect()
}

/// The program as its first edit would make it.
fn mended(text: &str) -> String {
    let found = diagnostics(text);
    let edit = &found[0].edits[0];
    let mut text = text.to_owned();
    text.replace_range(edit.span.range(), &edit.replacement);
    text
}

#[test]
fn each_code_has_its_shortest_program() {
    let programs = [
        ("", "empty"),
        ("# nothing", "empty"),
        ("1 $ + 2", "unknown-character"),
        ("\"a", "unclosed-text"),
        ("\"\\q\"", "unknown-escape"),
        ("\"{do\n1\nend}\"", "line-in-text"),
        ("show \"{x}\" = 1", "hole-here"),
        ("1 +", "expected-expression"),
        ("()", "expected-expression"),
        ("let = 3", "expected"),
        ("let x 3", "expected"),
        ("let x == 3", "wrong-operator"),
        ("let f(x) = 3", "let-function"),
        ("match x\n1 -> 2\nend", "wrong-operator"),
        ("f(1 2)", "expected"),
        ("f(1", "unclosed"),
        ("d6[a", "unclosed"),
        ("1 2", "unexpected"),
        ("1)", "unexpected"),
        ("end", "expected-expression"),
        ("4dx", "unexpected"),
        ("do 1", "missing-end"),
        ("match x\n1 => 2", "missing-end"),
        ("if a then b", "missing-else"),
        ("repeat with a = 0\nuntil a > 1", "missing-next"),
        ("repeat with a = 0 do\nnext a = 1\nuntil a > 1", "unexpected"),
        ("let if = 3", "reserved-word"),
        ("let d20 = 3", "die-name"),
        ("a && b", "wrong-operator"),
        ("a || b", "wrong-operator"),
        ("a <> b", "wrong-operator"),
        ("!a", "wrong-operator"),
        ("+d6", "wrong-operator"),
        ("1 + not a", "misplaced-not"),
        ("1 < x < 3", "chained-comparison"),
        ("1..2..3", "chained-range"),
        (".5", "bad-number"),
        ("5.", "bad-number"),
        ("(1, 2)", "several-in-paren"),
        ("f (x)", "call-blank"),
        ("() => 1", "empty-lambda"),
        ("d{}", "no-faces"),
        ("4d6d1", "ambiguous-drop"),
        ("d6d6", "ambiguous-drop"),
        ("4d6r1", "ambiguous-reroll"),
        ("4d6ro1", "ambiguous-reroll"),
        ("4d6cs8", "missing-comparison"),
        ("4d6cs>=n", "bare-value"),
        ("4d6xyz", "unknown-suffix"),
        ("4d6 fire", "unknown-suffix"),
        ("d6!=5", "explode-or-not-equal"),
        ("d6! >= 5", "explode-or-compare"),
        ("xs[1]", "label-or-index"),
        ("x = 5\n1", "compare-or-define"),
        ("output 3d6", "anydice"),
        ("[highest 3 of 4d6]", "anydice"),
        ("1@4d6", "anydice"),
    ];
    for (program, code) in programs {
        assert_eq!(codes(program), [code], "{program}");
    }
}

#[test]
fn mechanical_edits_mend_the_program() {
    let edits = [
        ("4d6d1", "4d6dl1"),
        ("4d6r1", "4d6rr<=1"),
        ("4d6e6", "4d6!6"),
        ("4d6x", "4d6!"),
        ("4d6ie6", "4d6!6"),
        ("4d6t7", "4d6cs>=7"),
        ("4d6f1", "4d6cf=1"),
        ("4d6mi2", "4d6min2"),
        ("4d6ma5", "4d6max5"),
        ("d6!=5", "d6!5"),
        ("1 < x < 3", "1 < x and x < 3"),
        ("a && b", "a and b"),
        ("let f(x) = 3", "fn f(x) = 3"),
        ("match x\n1 -> 2\nend", "match x\n1 => 2\nend"),
        ("f (x)", "f(x)"),
        (".5", "0.5"),
        ("4d6cs>=n", "4d6cs>=(n)"),
        ("if a then b", "if a then b else 0"),
    ];
    for (before, after) in edits {
        assert_eq!(mended(before), after, "{before}");
        assert_eq!(codes(after), [] as [&str; 0], "{after}");
    }
}

#[test]
fn messages_propose_both_readings() {
    let reroll = &diagnostics("4d6r1")[0];
    assert_eq!(reroll.message, "`r1` means different things in different tools");
    assert_eq!(
        reroll.help,
        ["`4d6rr<=1` rerolls every throw of 1 or less", "`4d6ro<=1` rerolls once"]
    );
    let drop = &diagnostics("4d6d1")[0];
    assert_eq!(drop.message, "`d1` behind `4d6` could drop dice or count them");
    assert_eq!(
        drop.help,
        ["`4d6dl1` drops the lowest", "`(4d6)d1` throws as many dice as `4d6` shows"]
    );
}

#[test]
fn one_mistake_is_one_message_and_the_next_is_still_found() {
    assert_eq!(
        codes("let x = (1 + \nlet y = 2\nlet z = * 3"),
        ["expected-expression", "expected-expression"]
    );
    assert_eq!(codes("(1 + ) * (2 * )"), ["expected-expression", "expected-expression"]);
    assert_eq!(codes("let a = [1, 2\nlet b = 3"), ["unclosed"]);
    assert_eq!(codes("do\n let x = )\n x\nend\n1 2"), ["expected-expression", "unexpected"]);
    assert_eq!(
        codes("4d6r1 + 4d6d1 + 4d6q"),
        ["ambiguous-reroll", "ambiguous-drop", "unknown-suffix"]
    );
    assert_eq!(codes("fn f(a, = 3) = 4\nf(1"), ["expected", "unclosed"]);
    assert_eq!(codes("match x\n 1 = 2\n 2 => 3\nend"), ["expected"]);
    assert_eq!(codes("note \"a {1 +} b\"\n1 +"), ["expected-expression", "expected-expression"]);
    assert_eq!(codes("fn f() = do\n let end = g()\n end.a + end.b\nend"), ["reserved-word"]);
    // A keyword as a parameter is said once, and not at each mention.
    for text in [
        "fn f(given) = given + 1",
        "map([1], end => end * 2)",
        "fold([1, 2], 0, (with, x) => with + x)",
        "(until => until)(3)",
    ] {
        assert_eq!(codes(text), ["reserved-word"], "{text}");
    }
    assert_eq!(codes("4d6 fire damage"), ["unknown-suffix"]);
    assert_eq!(codes("X: 3d6\noutput X"), ["anydice"]);
}

#[test]
fn hints_do_not_stop_a_program() {
    assert!(diagnostics("d6!=5").iter().all(|d| d.severity == Severity::Hint));
    assert!(codes("d6 != 5").is_empty());
    assert!(codes("x!=5").is_empty());
}

#[test]
fn messages_follow_the_style() {
    for text in ["1 +", "let if = 3", "f(1", "4d6q", "a && b", "5.", "do 1", "\"a", "1 2", ""] {
        for diagnostic in diagnostics(text) {
            assert!(!diagnostic.message.ends_with('.'), "{diagnostic:?}");
            assert!(!diagnostic.message.starts_with(char::is_uppercase), "{diagnostic:?}");
            assert!(!diagnostic.help.is_empty(), "{diagnostic:?}");
        }
    }
}

/// No edit is proposed that would say something else, or would have to be made at other places too.
#[test]
fn edits_say_what_was_meant() {
    for text in ["d6 rr=1,6", "d6 rr 2..5", "d6 ro 1,2", "fn f(d6) = d6 + 1"] {
        let found = diagnostics(text);
        assert!(!found.is_empty(), "{text}");
        assert!(found.iter().all(|one| one.edits.is_empty()), "{text}");
    }
    for text in ["3d6,", "4d6r1", "3d6)", "let given = 3; 1 + given"] {
        assert!(diagnostics(text).iter().any(|one| !one.edits.is_empty()), "{text}");
    }
}
