//! Each mistake with the shortest program that makes it.

mod common;

use astragal_program::{Files, NoFiles, Options, check};
use common::{Shelf, checked, checks, codes, fails, hints, library};

#[test]
fn names() {
    fails("hitt + 1", "unknown-name");
    let error = fails("let total = 3; totl + total", "unknown-name");
    assert_eq!(error.edits[0].replacement, "total");
    let error = fails("success", "unknown-name");
    assert_eq!(error.help, ["as a variant it is written `game.Outcome.success` here"]);
    let error = fails("flor(1.5)", "unknown-function");
    assert_eq!(error.edits[0].replacement, "floor");
    let error = fails("action(3)", "unknown-function");
    assert_eq!(error.edits[0].replacement, "game.action");
    let error = fails("game.actoin(3)", "unknown-member");
    assert_eq!(error.edits[0].replacement, "action");
    let error = fails("game.Outcome.succes", "unknown-variant");
    assert!(error.help[0].contains("success"));
    fails("game.action(3).outcome == sucess", "unknown-variant");
    fails("game.modifier([], context: \"kep\")", "unknown-variant");
    fails("floor + 1", "not-a-value");
    fails("game + 1", "not-a-value");
    fails("enum E = a | b\nE == 1", "not-a-value");
    fails("fn f(kind: Knd) = 1; f(2)", "unknown-type");
    fails("{total: 1}.totl", "unknown-field");
    fails("game.action(3).succeses", "unknown-field");
    fails("fn f() = 1; fn f() = 2; f()", "duplicate-definition");
    fails("enum E = a | a\n1", "duplicate-variant");
    fails("{a: 1, a: 2}", "duplicate-field");
}

#[test]
fn types() {
    fails("1 + true", "type-mismatch");
    fails("if 3 then 1 else 2", "type-mismatch");
    fails("not 1", "type-mismatch");
    fails("(true)d6", "type-mismatch");
    fails("if true then 1 else \"a\"", "branches-differ");
    fails("[1, \"a\"]", "mixed-list");
    fails("append([1], \"a\")", "mixed-list");
    fails("1 == \"a\"", "incomparable");
    fails("true < false", "unordered");
    fails("1 < \"a\"", "incomparable");
    fails("fn f(n) = [f(n)]; f(1)", "unsettled-type");
    fails("repeat with a = [] next a = [a] until true", "unsettled-type");
    fails("fold([1], [], (a, b) => [a])", "unsettled-type");
    fails("let n = 3; n.total", "no-fields");
    fails("fn f(r: {a}?) = r.a; f({a: 1})", "may-be-none");
    fails("let x = if true then none else 1; x + 1", "type-mismatch");
    fails("fn f(r: {a, b}) = r.a; f({a: 1})", "missing-field");
    fails("fn f(r: {a}) = r.a; f({a: 1, b: 2})", "unknown-field");
    fails("fn f(r: {a}) = r.a; let r = {a: 1, b: 2}; f(r)", "unknown-field");
    fails("fn f(r: {a, b}) = r.a; let r = {a: 1}; f(r)", "missing-field");
    fails("fn f(x: number) = x; f(\"a\")", "type-mismatch");
    fails("fn f(x = 1) = x; f(\"a\")", "type-mismatch");
    fails("repeat with a = 0 next b = 1 until true", "not-carried");
    fails("repeat with a = 0, a = 1 next a = 1 until true", "duplicate-carried");
    fails("repeat with a = 0 next a = \"x\" until true", "type-mismatch");
}

#[test]
fn calls() {
    fails("let n = 3; n(1)", "not-a-function");
    fails("[x => x]", "function-as-value");
    let error = fails("fn f(again) = again; f(1, agin: 2)", "unknown-argument");
    assert_eq!(error.edits[0].replacement, "again");
    fails("fn f(a) = a; f(1, 2)", "too-many-arguments");
    fails("fn f(a) = a; f(1, a: 2)", "duplicate-argument");
    fails("fn f(a) = a; f()", "missing-argument");
    fails("map([1], (a, b) => a)", "wrong-number-of-arguments");
    fails("floor()", "wrong-number-of-arguments");
    fails("floor(x: 1)", "unnamed-only");
    fails("fold([1], 0, 1)", "needs-function");
    fails("fn f(roll r) = f(r); f(d6)", "endless-copy");
    fails("fn f(a, a) = a; f(1, 2)", "duplicate-parameter");
    fails("fn f(a = 1, b) = a + b; f(1, 2)", "default-order");
}

#[test]
fn dice() {
    fails("(2 + 3)kh1", "not-a-pool");
    fails("let n = 3; n kh1", "not-a-pool");
    fails("3d{\"a\", \"b\"}kh1", "not-a-pool");
    fails("median(3)", "needs-pool");
    let error = fails("5d10cs>=8kh2", "after-count");
    assert_eq!(error.edits[0].replacement, "kh2 cs>=8");
    fails("let p = 4d6; p!", "frozen-dice");
    fails("{2d6, d8}!", "frozen-dice");
    fails("times(3, d6)rr<2", "frozen-dice");
    fails("let p = 4d6; p u", "frozen-dice");
    fails("2d6! u", "unique-after-explosion");
    fails("2d6 drawn u", "frozen-dice");
    fails("let p = 2d6 drawn; p rr<=2", "frozen-dice");
    fails("{2d6 drawn + d8} !", "frozen-dice");
    fails("let p = 2d6; p drawn", "drawn-late");
    fails("2d6 drawn drawn", "drawn-late");
    fails("(2 + 3) drawn", "not-a-pool");
    fails("2d6 drawn without [\"a\"]", "type-mismatch");
    fails("2d6 drawn without (2d6 cs>=3)", "bad-without");
    fails("d{6..1}", "range-of-faces");
    fails("d{1..2000}", "range-of-faces");
    fails("d{\"a\", 1..3}", "mixed-faces");
    fails("d{1, \"a\"}", "mixed-faces");
    fails("d{true}", "bad-faces");
    fails("d{{a: true}}", "bad-faces");
    fails("d{hit, miss}", "unknown-name");
    fails("{a: 1} + {a: \"x\"}", "record-sum");
    fails("{a: 1} + 1", "type-mismatch");
    fails("{a: 1} * 2", "type-mismatch");
    fails(&"9".repeat(20_000), "number-too-large");
    fails("{2d6[fire] + d8}kh2", "label-in-pool");
}

#[test]
fn arms() {
    fails("match d6\nend", "no-arms");
    fails("match true\n true => 1\nend", "not-exhaustive");
    fails("match d6\n 1 => 1\nend", "not-exhaustive");
    fails("match d6\n ..5 => 1\n 7.. => 2\nend", "not-exhaustive");
    fails("match \"a\"\n \"a\" => 1\nend", "not-exhaustive");
    fails("match game.action(1).outcome\n failure => 1\nend", "not-exhaustive");
    fails("match d6\n \"a\" => 1\n else => 2\nend", "pattern-misfit");
    fails("match d6\n low => 1\n else => 2\nend", "pattern-misfit");
    fails("match d6\n none => 1\n else => 2\nend", "pattern-misfit");
    fails("match d6\n 5..2 => 1\n else => 2\nend", "empty-range");
    fails("match game.action(1).outcome\n failur => 1\n else => 2\nend", "unknown-variant");
}

#[test]
fn the_program_as_a_whole() {
    fails("let x = 3d6", "no-result");
    fails("do let x = 1 end", "no-value");
    fails("do\nparam x = 1; x end", "only-at-top");
    fails("show \"a\" = 1; show \"a\" = 2", "duplicate-result");
    fails("param x = 1; param x = 2; x", "duplicate-input");
    fails("param x = d6; x", "input-throws");
    fails("fn f() = d6; param x = f() + 1; x", "input-throws");
    fails("use \"missing.dice\"\n1", "cannot-use");
    let error = fails("fn f(x) = f([x]); f(1)", "over-budget");
    assert_eq!(error.code, "over-budget");
}

#[test]
fn copies_without_end_are_over_budget() {
    let doubling: String =
        (1..25).map(|n| format!("fn f{n}(roll r) = f{}(r + r)\n", n - 1)).collect();
    let text = format!("fn f0(roll r) = r\n{doubling}f24(d6)");
    let found = checked(&text);
    assert!(found.program.is_none());
    assert!(found.diagnostics.iter().any(|d| d.code == "over-budget"));
}

#[test]
fn hints_do_not_stop_a_program() {
    hints("10d10 >= 8", "count-or-sum");
    hints("let x = d6; 3", "unused-let");
    hints("3d6; 2d6", "unused-value");
    hints("match d6\n else => 1\n 2 => 2\nend", "unreachable-arm");
    hints("match d6\n ..5 => 1\n 2..4 => 2\n else => 3\nend", "unreachable-arm");
    // What a parameter may be is not known before the function is called.
    assert!(codes("fn f(x) = match x 1 => 2; else => 3 end; f(d6)").is_empty());
    hints("fn f(x) = match x else => 3; 1 => 2 end; f(d6)", "unreachable-arm");
    assert!(codes("2d6 == 7").is_empty());
    assert!(codes("d20 >= 15").is_empty());
    assert!(codes("5d10!cs>=8 == 0").is_empty());
    assert!(codes("4d6kh1 >= 5").is_empty());
    assert!(codes("let x = 3; fn f() = x; f()").is_empty());
}

#[test]
fn several_errors_in_one_run() {
    assert_eq!(
        codes("let a = 1 + true; let b = not 3; c"),
        ["type-mismatch", "type-mismatch", "unknown-name"]
    );
}

#[test]
fn one_mistake_one_message() {
    fails("let a = hitt; a + 1 == a", "unknown-name");
    fails("fn f(x) = x + hitt; f(1) + f(2d6)", "unknown-name");
    fails("fn f(x) = x + true; 3", "type-mismatch");
}

#[test]
fn what_is_checked_again_keeps_its_errors() {
    fails(
        "fold([1], none, (c, x) => do\nlet y = hitt\nif c == none then x + y else c + x\nend)",
        "unknown-name",
    );
    fails(
        "fn g(x) = x.b; fold([1], none, (c, x) => if c == none then g({a: x}) else c + x)",
        "unknown-field",
    );
    fails(
        "fn f(n) = do\nfn g(x) = x + hitt\nif n = 0 then 0 else g(n) + f(n - 1)\nend; f(3)",
        "unknown-name",
    );
    fails("repeat with a = none\nfn g(x: nmber) = 1\nnext a = g(1) until true", "unknown-type");
}

#[test]
fn the_users_line_comes_first() {
    let error = fails("fn f(x) = x + 1; f(\"a\")", "type-mismatch");
    assert_eq!(error.labels.len(), 2);
    fails("game.action(\"a\")", "incomparable");
    let error = fails("1 + sum([\"a\"])", "type-mismatch");
    assert_eq!(error.labels[0].span.source.0, 0);
    assert_eq!(error.labels[1].span.source.0, 1);
}

#[test]
fn used_files() {
    let shelf = Shelf(&[
        ("house.dice", "use \"base.dice\"\nlet bonus = 2\nfn hit(n) = base.roll() + bonus >= n\n"),
        ("base.dice", "fn roll() = d20\n"),
        ("a.dice", "use \"b.dice\"\nfn f() = 1"),
        ("b.dice", "use \"a.dice\"\nfn f() = 1"),
        ("wild.dice", "let x = d6\n"),
        ("round.dice", "let a = b\nlet b = a\nfn f() = a"),
        ("talk.dice", "note \"hello\"\nfn f() = 1"),
    ]);
    let run = |text: &str| {
        let checked = check(text, "test", &library(), &shelf, &Options::default());
        checked.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert!(run("use \"house.dice\" as home\nhome.hit(10)").is_empty());
    assert!(run("use \"house.dice\"\nhouse.hit(10) and house.bonus = 2").is_empty());
    assert_eq!(run("use \"house.dice\"\nhouse.hitt(10)"), ["unknown-member"]);
    assert_eq!(run("use \"a.dice\"\na.f()"), ["cyclic-use"]);
    assert_eq!(run("use \"wild.dice\"\nwild.x"), ["constant-throws"]);
    assert_eq!(run("use \"talk.dice\"\ntalk.f()"), ["not-in-module"]);
    assert!(run("use \"round.dice\"\nround.f()").contains(&"cyclic-constant"));
}

#[test]
fn used_files_are_beside_the_files_that_use_them() {
    let shelf = Shelf(&[
        ("rules/house.dice", "use \"more/base.dice\"\nfn f() = base.f()"),
        (
            "rules/more/base.dice",
            "use \"../bonus.dice\"\nuse \"./one.dice\"\nfn f() = bonus.n + one.n",
        ),
        ("rules/bonus.dice", "let n = 2"),
        ("rules/more/one.dice", "let n = 1"),
        // Where there is none beside it, as it is written.
        ("rules/flat.dice", "use \"top.dice\"\nfn f() = top.n"),
        ("top.dice", "let n = 1"),
        ("bonus.dice", "let n = \"another\""),
        ("rules/x.dice", "use \"../rules/x.dice\"\nfn f() = 1"),
    ]);
    /// A shelf on which each path leads to the same file.
    struct Mirror;
    impl Files for Mirror {
        fn read(&self, _: &str) -> Result<String, String> {
            Ok("use \"deeper/a.dice\"\nfn f() = 1".into())
        }
    }
    let run = |text: &str, files: &dyn Files| {
        let checked = check(text, "test", &library(), files, &Options::default());
        checked.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert!(run("use \"rules/house.dice\"\nhouse.f() + 1", &shelf).is_empty());
    assert!(run("use \"rules/flat.dice\"\nflat.f()", &shelf).is_empty());
    assert_eq!(run("use \"rules/x.dice\"\nx.f()", &shelf), ["cyclic-use"]);
    assert_eq!(run("use \"a.dice\"\na.f()", &Mirror), ["cyclic-use"]);
}

#[test]
fn a_system_can_be_opened() {
    let options = Options { open: Some("game"), ..Options::default() };
    let opened = check("action(3).outcome == success", "test", &library(), &NoFiles, &options);
    assert!(opened.program.is_some(), "{:#?}", opened.diagnostics);
    let options = Options { open: Some("gam"), ..Options::default() };
    let wrong = check("1", "test", &library(), &NoFiles, &options);
    assert_eq!(wrong.diagnostics[0].code, "unknown-system");
}

#[test]
fn documentation_lists_what_a_system_offers() {
    let library = library();
    let page = library.documentation("game").unwrap();
    assert_eq!(page.enumerations[0].variants, ["failure", "success"]);
    let action = &page.functions[0];
    assert_eq!((action.name.as_str(), action.doc.as_deref()), ("action", Some("Throws a pool.")));
    assert_eq!(action.parameters[1].default.as_deref(), Some("10"));
    assert_eq!(action.parameters[1].ty.as_deref(), Some("number"));
}

#[test]
fn user_definitions_shadow() {
    checks("fn floor(x) = x + 1; floor(2)");
    checks("fn sum(x) = x + 1; sum(2)");
    checks("let success = 3; success + 1");
}
