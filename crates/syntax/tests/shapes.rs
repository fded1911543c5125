//! How texts group: each expression beside its fully bracketed shape.

use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Expr, ExprKind, Sides, StatementKind, UnaryOp};
use astragal_syntax::{Limits, parse, print_expr, suffix_words};

/// The shape of a program of one expression; its diagnostics' codes if there are any.
fn shape_of(text: &str) -> String {
    let parsed = parse(text, SourceId(0), &Limits::default());
    if !parsed.diagnostics.is_empty() {
        return parsed.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>().join(" ");
    }
    let shapes = parsed.file.block.statements.iter().map(|statement| match &statement.kind {
        StatementKind::Expression(expr) => shape(expr),
        StatementKind::Let { name, value } => format!("let {} = {}", name.text, shape(value)),
        other => format!("{other:?}"),
    });
    shapes.collect::<Vec<_>>().join("; ")
}

fn shape(expr: &Expr) -> String {
    let list = |items: &[Expr]| items.iter().map(shape).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Field(of, name) => format!("<{}.{}>", shape(of), name.text),
        ExprKind::Call { function, arguments } => {
            let argument = |a: &astragal_syntax::tree::Argument| match &a.name {
                Some(name) => format!("{}: {}", name.text, shape(&a.value)),
                None => shape(&a.value),
            };
            let arguments: Vec<String> = arguments.iter().map(argument).collect();
            format!("{}({})", shape(function), arguments.join(", "))
        }
        ExprKind::List(items) => format!("list[{}]", list(items)),
        ExprKind::Group(items) => format!("group{{{}}}", list(items)),
        ExprKind::Range(a, b) => format!("({} .. {})", shape(a), shape(b)),
        ExprKind::Dice { count, sides } => {
            let count = count.as_ref().map_or(String::new(), |count| shape(count));
            match sides {
                Sides::Computed(inner) => format!("{count}d({})", shape(inner)),
                _ => print_expr(expr),
            }
        }
        ExprKind::Suffixed { pool, suffix } => {
            let mark = if suffix.words { "~" } else { "" };
            format!("({} {mark}{})", shape(pool), suffix_words(&suffix.kind))
        }
        ExprKind::Labelled { value, label } => format!("({} labelled {label})", shape(value)),
        ExprKind::Unary(UnaryOp::Negate, of) => format!("(- {})", shape(of)),
        ExprKind::Unary(UnaryOp::Not, of) => format!("(not {})", shape(of)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", shape(a), shape(b)),
        ExprKind::If { condition, then, otherwise } => {
            format!("if<{} ? {} : {}>", shape(condition), shape(then), shape(otherwise))
        }
        ExprKind::Lambda { parameters, body } => {
            let names: Vec<&str> = parameters.iter().map(|p| p.text.as_str()).collect();
            format!("fn<{} => {}>", names.join(" "), shape(body))
        }
        ExprKind::Given { value, condition } => {
            format!("<{} given {}>", shape(value), shape(condition))
        }
        ExprKind::Best { goal, value, aim } => {
            let aim =
                aim.as_ref().map(|aim| format!(" by {}: {}", aim.name.text, shape(&aim.number)));
            format!("{}<{}{}>", goal.word(), shape(value), aim.unwrap_or_default())
        }
        ExprKind::Choose { who, arms } => {
            let arm = |arm: &astragal_syntax::tree::ChoiceArm| {
                let open = arm.open.as_ref().map(|open| format!(" if {}", shape(open)));
                format!("{}{}: {}", arm.label, open.unwrap_or_default(), shape(&arm.value))
            };
            format!("{}<{}>", who.word(), arms.iter().map(arm).collect::<Vec<_>>().join("; "))
        }
        ExprKind::Pick { who, list } => format!("{}<from {}>", who.word(), shape(list)),
        ExprKind::Paren(inner) => format!("paren({})", shape(inner)),
        _ => print_expr(expr),
    }
}

#[track_caller]
fn shapes(pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        assert_eq!(shape_of(text), *expected, "{text}");
    }
}

#[test]
fn operators_bind_as_written_in_the_book() {
    shapes(&[
        ("1 + 2 * 3", "(1 Add (2 Multiply 3))"),
        ("1 - 2 - 3", "((1 Subtract 2) Subtract 3)"),
        ("2^3^4", "(2 Power (3 Power 4))"),
        ("-2^2", "(- (2 Power 2))"),
        ("2^-1", "(2 Power (- 1))"),
        ("2 ** 3", "(2 Power 3)"),
        ("-7//2", "((- 7) FloorDivide 2)"),
        ("-7%3", "((- 7) Remainder 3)"),
        ("2 * -3", "(2 Multiply (- 3))"),
        ("--1", "(- (- 1))"),
        ("not a == b and c", "((not (a Compare(Equal) b)) And c)"),
        ("a or b and c", "(a Or (b And c))"),
        ("not not a", "(not (not a))"),
        ("1 + 2..3 * 4", "((1 Add 2) .. (3 Multiply 4))"),
        ("1..15", "(1 .. 15)"),
        ("x = 3", "(x Compare(Equal) 3)"),
        ("a ≤ 3 × 2 − 1", "(a Compare(AtMost) ((3 Multiply 2) Subtract 1))"),
        ("d20 + 5 >= 15", "((d20 Add 5) Compare(AtLeast) 15)"),
        ("1 + if a then b else c + 1", "(1 Add if<a ? b : (c Add 1)>)"),
    ]);
}

#[test]
fn dice_are_told_from_names() {
    shapes(&[
        ("d20", "d20"),
        ("2 d 6", "2d6"),
        ("2D6", "2d6"),
        ("4dF", "4dF"),
        ("4df", "4dF"),
        ("d F", "dF"),
        ("4dFkh2", "(4dF keep highest 2)"),
        ("dFoo", "dFoo"),
        ("nd6", "nd6"),
        ("d%", "d%"),
        ("2d%+1", "(2d% Add 1)"),
        ("(n)d(s)", "paren(n)d(s)"),
        ("(n) d6", "(n)d6"),
        ("d (6)", "d(6)"),
        ("2 d (s)", "2d(s)"),
        ("d{1,1,2}", "d{1, 1, 2}"),
        ("d{1:3, 2:1}", "d{1: 3, 2: 1}"),
        ("(4d6)d1", "(4d6)d1"),
        ("d + 1", "(d Add 1)"),
        ("damage", "damage"),
        ("2.5d6", "2.5d6"),
        ("4d6%2", "(4d6 Remainder 2)"),
        ("d%%(45*2)", "(d% Remainder paren((45 Multiply 2)))"),
    ]);
}

#[test]
fn suffixes_are_split_and_take_their_values() {
    shapes(&[
        ("4d6kh3", "(4d6 keep highest 3)"),
        ("4D6 K3", "(4d6 keep highest 3)"),
        ("4d6 kh 3", "(4d6 keep highest 3)"),
        ("4d6kh(n)", "(4d6 keep highest (n))"),
        ("2d20kh -1", "((2d20 keep highest) Subtract 1)"),
        ("4d6umin2", "((4d6 unique) at least 2)"),
        ("5d6 drawn kh1", "((5d6 ~drawn) keep highest 1)"),
        ("d6 Drawn without p without (q.r) + 1", "((d6 ~drawn without p without (q.r)) Add 1)"),
        ("d6 drawn without [1, 2][fire]", "((d6 ~drawn without [1, 2]) labelled fire)"),
        ("4d6kmax5", "((4d6 keep highest) at most 5)"),
        ("4d6kh3dl1sa", "(((4d6 keep highest 3) drop lowest 1) ascending)"),
        ("d6!", "(d6 explode)"),
        ("d6!5", "(d6 explode on 5)"),
        ("d6!>=5+1", "((d6 explode on >= 5) Add 1)"),
        ("d6!o>=5", "(d6 explode once on >= 5)"),
        ("d6!!", "(d6 compound)"),
        ("d6!!=4", "(d6 compound on 4)"),
        ("d6!p", "(d6 penetrate)"),
        ("d6!-1", "((d6 explode) Subtract 1)"),
        ("d6! up to 3", "(d6 explode up to 3 times)"),
        ("d6!>=5 up to 3 times", "(d6 explode on >= 5 up to 3 times)"),
        ("d6!or x", "((d6 explode) Or x)"),
        ("d6! != 5", "((d6 explode) Compare(NotEqual) 5)"),
        ("5d10!cs>=8 == 0", "(((5d10 explode) count >= 8) Compare(Equal) 0)"),
        ("7d10 ro<=7 ! cs>=8", "(((7d10 reroll once <= 7) explode) count >= 8)"),
        ("4d6rr<=2", "(4d6 reroll <= 2)"),
        ("4d6cf=-1", "(4d6 count against = -1)"),
        ("4d6cs>=(a+b)", "(4d6 count >= (a + b))"),
        ("4d6min2max5", "((4d6 at least 2) at most 5)"),
        ("p kh3", "(p keep highest 3)"),
        ("f(x)kh3", "(f(x) keep highest 3)"),
        ("{2d20, d12}kh1", "(group{2d20, d12} keep highest 1)"),
        ("times(12, 3d6) kh6", "(times(12, 3d6) keep highest 6)"),
        ("min(1, 2)", "min(1, 2)"),
        ("count + 1", "(count Add 1)"),
        ("4d6 and x", "(4d6 And x)"),
    ]);
}

#[test]
fn suffixes_may_be_words() {
    shapes(&[
        ("4d6 keep highest 3", "(4d6 ~keep highest 3)"),
        ("4d6 Keep Lowest", "(4d6 ~keep lowest)"),
        ("4d6 keep middle 2 drop highest", "((4d6 ~keep middle 2) ~drop highest)"),
        ("d6 explode on 5 up to 3 times", "(d6 ~explode on 5 up to 3 times)"),
        ("d6 explode on >= 9", "(d6 ~explode on >= 9)"),
        ("d6 explode >= 9", "((d6 ~explode) Compare(AtLeast) 9)"),
        ("d6 explode once", "(d6 ~explode once)"),
        ("d6 compound on -1", "(d6 ~compound on = -1)"),
        ("d6 reroll once <= 2", "(d6 ~reroll once <= 2)"),
        ("p at least 2 at most 5", "((p ~at least 2) ~at most 5)"),
        ("p count >= 8 count against = 1", "((p ~count >= 8) ~count against = 1)"),
        ("p unique ascending", "((p ~unique) ~ascending)"),
    ]);
}

#[test]
fn brackets_mean_what_their_place_says() {
    shapes(&[
        ("2d6[fire]*2", "((2d6 labelled fire) Multiply 2)"),
        ("4d6kh3 [ a b ] + 1", "(((4d6 keep highest 3) labelled a b) Add 1)"),
        ("[4, 2]", "list[4, 2]"),
        ("[]", "list[]"),
        ("{}", "{}"),
        ("{total: 12, ok: true}", "{total: 12, ok: true}"),
        ("{2d6 + d8}kh2", "(group{(2d6 Add d8)} keep highest 2)"),
        ("f(7, again: 9)", "f(7, again: 9)"),
        ("cofd.action(7).successes", "<<cofd.action>(7).successes>"),
        ("(a, b) => a + b", "fn<a b => (a Add b)>"),
        ("map(xs, x => x * 2)", "map(xs, fn<x => (x Multiply 2)>)"),
        ("(a)", "paren(a)"),
        ("a => b => c", "fn<a => fn<b => c>>"),
    ]);
}

#[test]
fn lines_end_statements_unless_they_go_on() {
    shapes(&[
        ("1\n-1", "1; (- 1)"),
        ("1 -\n1", "(1 Subtract 1)"),
        ("let x =\n  3\nx", "let x = 3; x"),
        ("if a\nthen b\nelse c", "if<a ? b : c>"),
        ("if a then\n b else\n c", "if<a ? b : c>"),
        ("a\n  and b # why\n  or c", "((a And b) Or c)"),
        ("r\n  .total\n  .x", "<<r.total>.x>"),
        ("(1\n-1)", "paren((1 Subtract 1))"),
        ("f(\n1,\n2,\n)", "f(1, 2)"),
        ("a; b;\n;c", "a; b; c"),
        ("4d6\n[1]", "4d6; list[1]"),
        ("p\nkh3", "p; kh3"),
        ("x =>\n x", "fn<x => x>"),
    ]);
}

#[test]
fn matches_may_be_one_line() {
    shapes(&[
        (
            "match x ..6 => \"miss\"; 7..9 => \"weak\"; 10.. => \"strong\" end",
            "match x ..6 => \"miss\"; 7..9 => \"weak\"; 10.. => \"strong\" end",
        ),
        ("match x\n -1, 2 => 1\n else => 2\nend", "match x; -1, 2 => 1; else => 2 end"),
        ("match x\n 1 => if a then b\n else c\n else => 2\nend + 1", {
            "(match x 1 => if a then b else c; else => 2 end Add 1)"
        }),
        ("f(match x\n a.b => 1\n -1 => 2\n end)", "f(match x; a.b => 1; -1 => 2 end)"),
        ("match (1..2) true => 1; none => 2 end", "match (1..2) true => 1; none => 2 end"),
        ("match m keep => 1; reroll, u => 2 end", "match m; keep => 1; reroll, u => 2 end"),
        ("do let a = 1; a end", "do let a = 1; a end"),
        (
            "repeat with a = 0 next a = a + d6 until a >= 10",
            "repeat with a = 0; next a = a + d6; until a >= 10",
        ),
        (
            "repeat with a = 0,\n  b = 0\n let t = d6\n next a = a + t,\n b = b + 1\nuntil a >= 10",
            "repeat with a = 0, b = 0; let t = d6; next a = a + t, b = b + 1; until a >= 10",
        ),
    ]);
}

#[test]
fn evidence_binds_loosest() {
    shapes(&[
        ("a + b given c or d", "<(a Add b) given (c Or d)>"),
        ("a given b given c", "<<a given b> given c>"),
        ("if a then b else c given d", "<if<a ? b : c> given d>"),
        ("1 + if a then b else c given d", "<(1 Add if<a ? b : c>) given d>"),
        ("(a given b) + c", "(paren(<a given b>) Add c)"),
        ("let x = 2d6 given hit", "let x = <2d6 given hit>"),
        ("x => x given c", "fn<x => <x given c>>"),
        ("2d6 given\n  hit", "<2d6 given hit>"),
    ]);
    // At the start of a line it is a statement.
    let parsed = parse("2d6\ngiven hit\n3", SourceId(0), &Limits::default());
    assert_eq!(parsed.file.block.statements.len(), 3);
}

#[test]
fn limits_in_all() {
    shapes(&[
        ("6d6! up to 3 in all", "(6d6 explode up to 3 in all)"),
        ("6d6 ! up to 2 up to 3 in all", "(6d6 explode up to 2 times up to 3 in all)"),
        ("6d10 rr<=2 up to 3 times in all", "(6d10 reroll <= 2 up to 3 in all)"),
        (
            "8d10 ro<=5 up to (n) in all lowest first kh2",
            "((8d10 reroll once <= 5 up to (n) in all lowest first) keep highest 2)",
        ),
        ("2d6!o up to 1 in all highest first", "(2d6 explode once up to 1 in all highest first)"),
        ("4d6 rr<=2 up to 3", "limit-of-what"),
    ]);
}

#[test]
fn a_play_reaches_as_far_as_a_function_does() {
    shapes(&[
        ("maximise (a) + 1", "maximise<(paren(a) Add 1)>"),
        ("maximise(a) + 1", "maximise<(paren(a) Add 1)>"),
        ("1 + minimise a + 1", "(1 Add minimise<(a Add 1)>)"),
        ("maximise\n  a given b", "maximise<<a given b>>"),
        ("maximise 3d6 by r => r + 1", "maximise<3d6 by r: (r Add 1)>"),
        ("maximise 3d6kh1 by r => r", "maximise<(3d6 keep highest 1) by r: r>"),
        ("maximise x\nby r => r.a", "maximise<x by r: <r.a>>"),
        ("maximise x by\n (r) => r.a", "maximise<x by r: <r.a>>"),
        ("maximise maximise x by r => r", "maximise<maximise<x by r: r>>"),
        ("maximise (maximise x) by r => r", "maximise<paren(maximise<x>) by r: r>"),
        ("maximise x by r => maximise y by s => s", "maximise<x by r: maximise<y by s: s>>"),
        ("f(maximise x by r => r, 1)", "f(maximise<x by r: r>, 1)"),
    ]);
}

#[test]
fn choices_have_arms_as_a_match_has() {
    shapes(&[
        ("choose \"a\" => 1; \"b c\" => d6 end", "choose<a: 1; b c: d6>"),
        (
            "oppose\n\"a\" if ready => 1\n\"b\" if n > 1 and not m => 2\nend",
            "oppose<a if ready: 1; b if ((n Compare(Greater) 1) And (not m)): 2>",
        ),
        ("1 + choose \"a\" => 1 end + 2", "((1 Add choose<a: 1>) Add 2)"),
        ("f(choose\n\"a\" => 1 +\n2\n\"b\" => 2\nend)", "f(choose<a: (1 Add 2); b: 2>)"),
        ("choose from 0..5 + 1", "choose<from (0 .. (5 Add 1))>"),
        ("oppose from\n [1, 2]", "oppose<from list[1, 2]>"),
        ("choose \"a\" => x => x end", "choose<a: fn<x => x>>"),
    ]);
}

#[test]
fn by_and_from_are_names_elsewhere() {
    shapes(&[
        ("by + from", "(by Add from)"),
        ("let by = from(by: 1)", "let by = from(by: 1)"),
        ("maximise by\nby(1)", "maximise<by>; by(1)"),
        ("choose from from.by", "choose<from <from.by>>"),
        ("by => by", "fn<by => by>"),
    ]);
}

#[test]
fn plays_that_are_not_written_so() {
    shapes(&[
        ("let choose = 1; choose + choose", "reserved-word"),
        ("maximise x by x.a", "not-an-aim"),
        ("maximise x by (a, b) => a", "not-an-aim"),
        ("maximize d20", "spelling"),
        ("minimize(d20)", "minimize(d20)"),
        ("choose keep => 1; throw again if x => 2 end", "bare-label bare-label"),
        ("choose \"a {x}\" => 1 end", "hole-here"),
        ("choose \"a\" -> 1 end", "wrong-operator"),
        ("choose \"a\" 1 end", "expected"),
        ("choose \"a\" => 1", "missing-end"),
        ("3d6 by r => r", "unknown-suffix"),
    ]);
}
