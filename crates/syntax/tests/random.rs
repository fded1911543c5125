//! Random trees survive printing and parsing; random bytes survive parsing.
//!
//! The generators make trees that some text says: operands as tight as their place asks for, names that
//! are neither keywords nor dice. Everything else is left to chance.

use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::*;
use astragal_syntax::{Limits, parse, print, same_tree, tokens};
use proptest::prelude::*;

const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

fn paren(inner: Expr) -> Expr {
    expr(ExprKind::Paren(Box::new(inner)))
}

fn name() -> impl Strategy<Value = Name> + Clone {
    let words = prop_oneof![
        Just("a"),
        Just("pool"),
        Just("d"),
        Just("dFoo"),
        Just("min"),
        Just("count"),
        Just("Kind"),
        Just("roll"),
        Just("nd6"),
        Just("k"),
        Just("keep"),
        Just("output"),
        Just("ü_1"),
        Just("on"),
        Just("by"),
        Just("from"),
    ];
    words.prop_map(|text| Name { text: text.to_owned(), span: NOWHERE })
}

fn number() -> impl Strategy<Value = String> + Clone {
    prop_oneof![3 => "[0-9]{1,3}", 1 => "[0-9]\\.[0-9]{1,2}"]
}

fn number_expr() -> impl Strategy<Value = Expr> + Clone {
    number().prop_map(|digits| expr(ExprKind::Number(digits.into())))
}

fn plain() -> impl Strategy<Value = String> + Clone {
    prop_oneof!["[a-z {}\"\\\\\n\t#;\\[\\]]{0,8}", "\\PC{0,4}"]
}

/// A name as an expression: not a bare `d`, which what follows could turn into a die.
fn name_expr() -> impl Strategy<Value = Expr> + Clone {
    name()
        .prop_filter("a die before brackets", |n| n.text != "d")
        .prop_map(|n| expr(ExprKind::Name(n.text)))
}

fn leaf() -> BoxedStrategy<Expr> {
    prop_oneof![
        number_expr(),
        name_expr(),
        any::<bool>().prop_map(|value| expr(ExprKind::Bool(value))),
        Just(expr(ExprKind::None)),
        plain().prop_map(|piece| text_expr(vec![TextPart::Literal(piece)])),
        dice_leaf(),
    ]
    .boxed()
}

/// What stands on one line in any case: in a hole, as a suffix's value.
fn small() -> BoxedStrategy<Expr> {
    (operator(), leaf(), leaf()).prop_map(|(op, a, b)| binary(op, a, b)).boxed()
}

fn text_expr(parts: Vec<TextPart>) -> Expr {
    let parts = parts.into_iter().filter(|p| !matches!(p, TextPart::Literal(s) if s.is_empty()));
    expr(ExprKind::Text(Text { parts: parts.collect(), span: NOWHERE }))
}

fn dice_leaf() -> impl Strategy<Value = Expr> + Clone {
    let sides = prop_oneof![
        "[1-9][0-9]?".prop_map(|digits| Sides::Number(digits.into())),
        Just(Sides::Percent),
        Just(Sides::Fate),
    ];
    (proptest::option::of(number_expr()), sides)
        .prop_map(|(count, sides)| expr(ExprKind::Dice { count: count.map(Box::new), sides }))
}

/// How tightly the expression holds together, as the grammar's levels.
fn level(of: &Expr) -> u8 {
    match &of.kind {
        ExprKind::Lambda { .. }
        | ExprKind::Given { .. }
        | ExprKind::If { .. }
        | ExprKind::Best { .. }
        | ExprKind::Pick { .. }
        | ExprKind::Repeat(_) => 0,
        ExprKind::Binary(BinaryOp::Or, ..) => 1,
        ExprKind::Binary(BinaryOp::And, ..) => 2,
        ExprKind::Unary(UnaryOp::Not, _) => 3,
        ExprKind::Binary(BinaryOp::Compare(_), ..) => 4,
        ExprKind::Range(..) => 5,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => 6,
        ExprKind::Binary(BinaryOp::Power, ..) => 9,
        ExprKind::Binary(..) => 7,
        ExprKind::Unary(UnaryOp::Negate, _) => 8,
        _ => 10,
    }
}

/// The expression as an operand at least as tight as `least`.
fn operand(of: Expr, least: u8) -> Box<Expr> {
    Box::new(if level(&of) < least { paren(of) } else { of })
}

/// Where `given` would reach further than its value.
fn not_given(of: Expr) -> Expr {
    if matches!(of.kind, ExprKind::Given { .. }) { paren(of) } else { of }
}

/// A left operand: nothing in it may reach out to the right.
fn left(of: Expr, least: u8) -> Box<Expr> {
    let open = ends_open(&of);
    if open { Box::new(paren(of)) } else { operand(of, least) }
}

/// Whether the expression would take in an operator that follows it.
fn ends_open(of: &Expr) -> bool {
    match &of.kind {
        ExprKind::Suffixed { suffix, .. } => {
            !suffix.words && matches!(&suffix.kind, SuffixKind::Explode { trigger: None, .. })
        }
        ExprKind::Binary(_, _, right) | ExprKind::Range(_, right) | ExprKind::Unary(_, right) => {
            ends_open(right)
        }
        _ => false,
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (least_left, least_right) = match op {
        BinaryOp::Or => (1, 2),
        BinaryOp::And => (2, 3),
        BinaryOp::Compare(_) => (5, 5),
        BinaryOp::Add | BinaryOp::Subtract => (6, 7),
        BinaryOp::Power => (10, 8),
        _ => (7, 8),
    };
    expr(ExprKind::Binary(op, left(a, least_left), operand(b, least_right)))
}

fn operator() -> impl Strategy<Value = BinaryOp> + Clone {
    prop_oneof![
        Just(BinaryOp::Add),
        Just(BinaryOp::Subtract),
        Just(BinaryOp::Multiply),
        Just(BinaryOp::Divide),
        Just(BinaryOp::FloorDivide),
        Just(BinaryOp::Remainder),
        Just(BinaryOp::Power),
        Just(BinaryOp::And),
        Just(BinaryOp::Or),
        comparison().prop_map(BinaryOp::Compare),
    ]
}

fn comparison() -> impl Strategy<Value = Comparison> + Clone {
    prop_oneof![
        Just(Comparison::Equal),
        Just(Comparison::NotEqual),
        Just(Comparison::Less),
        Just(Comparison::AtMost),
        Just(Comparison::Greater),
        Just(Comparison::AtLeast),
    ]
}

fn suffix(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = (SuffixKind, bool)> + Clone {
    let count = prop_oneof![number_expr().boxed(), inner.clone().prop_map(paren).boxed()];
    let value = prop_oneof![
        2 => count.clone().boxed(),
        1 => number_expr().prop_map(|n| expr(ExprKind::Unary(UnaryOp::Negate, Box::new(n)))).boxed(),
    ];
    let condition = (comparison(), value.clone()).prop_map(|(comparison, value)| Condition {
        comparison,
        value: Box::new(value),
        span: NOWHERE,
    });
    let gone = prop_oneof![
        name().prop_map(|name| expr(ExprKind::Name(name.text))),
        inner.clone().prop_map(paren),
        proptest::collection::vec(inner.clone(), 0..3).prop_map(|all| expr(ExprKind::List(all))),
    ];
    let optional = proptest::option::of(count.clone().prop_map(Box::new));
    let end = prop_oneof![Just(End::Highest), Just(End::Lowest), Just(End::Middle)];
    let style = prop_oneof![
        Just(ExplodeStyle::Separate),
        Just(ExplodeStyle::Compound),
        Just(ExplodeStyle::Penetrate),
    ];
    let most = count.clone();
    let limit = prop_oneof![
        Just(ExplodeLimit::Endless),
        Just(ExplodeLimit::Once),
        count.prop_map(|most| ExplodeLimit::UpTo(Box::new(most))),
    ];
    let explode = (style, proptest::option::of(condition.clone()), limit)
        .prop_map(|(style, trigger, limit)| SuffixKind::Explode { style, trigger, limit });
    let reroll = (any::<bool>(), condition.clone())
        .prop_map(|(once, condition)| SuffixKind::Reroll { once, condition });
    let order = prop_oneof![Just(Order::Thrown), Just(Order::Lowest), Just(Order::Highest)];
    let in_all = (prop_oneof![explode.clone(), reroll.clone()], most, order).prop_map(
        |(act, most, first)| SuffixKind::InAll { act: Box::new(act), most: Box::new(most), first },
    );
    let kind = prop_oneof![
        (end, optional.clone()).prop_map(|(end, count)| SuffixKind::Keep(end, count)),
        (any::<bool>(), optional).prop_map(|(top, count)| {
            SuffixKind::Drop(if top { End::Highest } else { End::Lowest }, count)
        }),
        explode,
        reroll,
        in_all,
        value.clone().prop_map(|value| SuffixKind::AtLeast(Box::new(value))),
        value.prop_map(|value| SuffixKind::AtMost(Box::new(value))),
        condition.clone().prop_map(SuffixKind::CountFor),
        condition.prop_map(SuffixKind::CountAgainst),
        Just(SuffixKind::Unique),
        proptest::collection::vec(gone, 0..3).prop_map(SuffixKind::Drawn),
        Just(SuffixKind::Ascending),
        Just(SuffixKind::Descending),
    ];
    (kind, any::<bool>()).prop_map(|(kind, words)| {
        // In short, a trigger is not negative and not `!=`.
        let act = match &kind {
            SuffixKind::InAll { act, .. } => act,
            kind => kind,
        };
        let words = words
            || match act {
                SuffixKind::Drawn(_) => true,
                SuffixKind::Explode { trigger: Some(c), .. } => {
                    // `!>4` is read differently elsewhere, and refused.
                    matches!(
                        c.comparison,
                        Comparison::NotEqual | Comparison::Less | Comparison::Greater
                    ) || matches!(c.value.kind, ExprKind::Unary(..))
                }
                _ => false,
            };
        (kind, words)
    })
}

/// What may take suffixes, in parentheses where need be.
fn pool(of: Expr) -> Expr {
    match of.kind {
        ExprKind::Dice { .. }
        | ExprKind::Name(_)
        | ExprKind::Field(..)
        | ExprKind::Call { .. }
        | ExprKind::Paren(_)
        | ExprKind::Group(_)
        | ExprKind::Suffixed { .. }
        | ExprKind::Labelled { .. } => of,
        _ => paren(of),
    }
}

/// What may have fields and be called, in parentheses where need be.
fn callable(of: Expr) -> Expr {
    match of.kind {
        ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Call { .. } | ExprKind::Paren(_) => of,
        _ => paren(of),
    }
}

fn pattern() -> impl Strategy<Value = Pattern> + Clone {
    let bound = ("-?", number()).prop_map(|(sign, number)| format!("{sign}{number}"));
    let optional = proptest::option::of(bound.clone());
    prop_oneof![
        bound.prop_map(PatternKind::Number),
        (optional.clone(), optional).prop_map(|(a, b)| PatternKind::Range(a, b)),
        plain().prop_map(PatternKind::Text),
        any::<bool>().prop_map(PatternKind::Bool),
        Just(PatternKind::None),
        Just(PatternKind::Else),
        proptest::collection::vec(name(), 1..3).prop_map(PatternKind::Variant),
    ]
    .prop_map(|kind| Pattern { kind, span: NOWHERE })
}

fn comments() -> impl Strategy<Value = Vec<Comment>> + Clone {
    let comment = (" [a-z\"{]{0,5}[a-z]", any::<bool>())
        .prop_map(|(text, after_blank)| Comment { text, after_blank });
    proptest::collection::vec(comment, 0..2)
}

fn side() -> impl Strategy<Value = Option<String>> + Clone {
    proptest::option::of(" [a-z]{1,5}")
}

fn arm(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Arm> + Clone {
    (proptest::collection::vec(pattern(), 1..3), inner, comments(), side())
        .prop_map(|(patterns, value, leading, side)| Arm { patterns, value, leading, side })
}

fn choice_arm(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ChoiceArm> + Clone {
    let open = proptest::option::of(inner.clone().prop_map(|of| *operand(of, 1)));
    (plain(), open, inner, comments(), side()).prop_map(|(label, open, value, leading, side)| {
        ChoiceArm { label, span: NOWHERE, open, value, leading, side }
    })
}

fn parameter(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Parameter> + Clone {
    let annotation = proptest::option::of(written_type(inner.clone()));
    (any::<bool>(), name(), annotation, proptest::option::of(inner))
        .prop_map(|(roll, name, annotation, default)| Parameter { roll, name, annotation, default })
}

fn written_type(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Type> + Clone {
    let typed = |kind| Type { kind, span: NOWHERE };
    let simple =
        proptest::collection::vec(name(), 1..3).prop_map(move |path| typed(TypeKind::Name(path)));
    simple.prop_recursive(2, 6, 2, move |deeper| {
        let field =
            (name(), proptest::option::of(deeper.clone()), proptest::option::of(inner.clone()))
                .prop_map(|(name, annotation, default)| FieldType { name, annotation, default });
        prop_oneof![
            deeper.clone().prop_map(move |of| typed(TypeKind::List(Box::new(of)))),
            deeper.prop_map(move |of| match of.kind {
                TypeKind::Optional(_) => of,
                _ => typed(TypeKind::Optional(Box::new(of))),
            }),
            proptest::collection::vec(field, 0..3).prop_map(move |f| typed(TypeKind::Record(f))),
        ]
    })
}

fn statement(inner: BoxedStrategy<Expr>) -> BoxedStrategy<Statement> {
    let text = plain().prop_map(|piece| match text_expr(vec![TextPart::Literal(piece)]).kind {
        ExprKind::Text(text) => text,
        _ => unreachable!(),
    });
    let condition = inner.clone();
    let kind = prop_oneof![
        4 => inner.clone().prop_map(StatementKind::Expression),
        1 => (name(), inner.clone()).prop_map(|(name, value)| StatementKind::Let { name, value }),
        1 => (name(), inner.clone()).prop_map(|(name, value)| StatementKind::Input { name, value }),
        1 => (plain(), inner.clone()).prop_map(|(name, value)| StatementKind::Show { name, value }),
        1 => (name(), proptest::collection::vec(parameter(inner.clone()), 0..3), inner.clone())
            .prop_map(|(name, parameters, body)| StatementKind::Function { name, parameters, body }),
        1 => (name(), proptest::collection::vec(name(), 1..4))
            .prop_map(|(name, variants)| StatementKind::Enumeration { name, variants }),
        1 => (inner, text.clone())
            .prop_map(|(condition, message)| StatementKind::Require { condition, message }),
        1 => condition.prop_map(|condition| StatementKind::Given { condition }),
        1 => text.prop_map(|message| StatementKind::Note { message }),
        1 => (plain(), proptest::option::of(name()))
            .prop_map(|(path, alias)| StatementKind::Use { path, path_span: NOWHERE, alias }),
    ];
    (kind, comments(), side(), any::<bool>(), proptest::option::of("[a-z]{1,4}(\n[a-z]{0,4})?"))
        .prop_map(|(kind, leading, side, after_blank, doc)| {
            let definition = matches!(
                kind,
                StatementKind::Let { .. }
                    | StatementKind::Function { .. }
                    | StatementKind::Input { .. }
            );
            let doc = doc.filter(|_| definition);
            Statement { kind, doc, leading, side, after_blank, span: NOWHERE }
        })
        .boxed()
}

/// Nothing stands before the first of a block, not even a blank line.
fn block(mut statements: Vec<Statement>, mut trailing: Vec<Comment>) -> Block {
    if let Some(first) = statements.first_mut() {
        match first.leading.first_mut() {
            Some(comment) => comment.after_blank = false,
            None => first.after_blank = false,
        }
    } else if let Some(comment) = trailing.first_mut() {
        comment.after_blank = false;
    }
    Block { statements, trailing }
}

fn expression() -> BoxedStrategy<Expr> {
    leaf()
        .prop_recursive(4, 24, 3, |inner| {
            let inner = inner.boxed();
            let pair = (inner.clone(), inner.clone());
            let several = proptest::collection::vec(inner.clone(), 0..3);
            let argument = (proptest::option::of(name()), inner.clone())
                .prop_map(|(name, value)| Argument { name, value });
            let bindings = proptest::collection::vec((name(), inner.clone()), 1..3);
            let statements = proptest::collection::vec(statement(inner.clone()), 0..3);
            let face = (inner.clone(), proptest::option::of(inner.clone()))
                .prop_map(|(value, weight)| Face { value, weight });
            prop_oneof![
                4 => (operator(), pair.clone()).prop_map(|(op, (a, b))| binary(op, a, b)),
                1 => pair.clone().prop_map(|(a, b)| expr(ExprKind::Range(left(a, 6), operand(b, 6)))),
                1 => inner.clone().prop_map(|a| expr(ExprKind::Unary(UnaryOp::Negate, operand(a, 8)))),
                1 => inner.clone().prop_map(|a| expr(ExprKind::Unary(UnaryOp::Not, operand(a, 3)))),
                4 => (inner.clone(), suffix(small())).prop_map(|(of, (kind, words))| {
                    let suffix = Suffix { kind, words, span: NOWHERE };
                    expr(ExprKind::Suffixed { pool: Box::new(pool(of)), suffix })
                }),
                1 => (inner.clone(), "[a-z# ]{0,5}").prop_map(|(of, label)| {
                    let value = operand(of, 10);
                    expr(ExprKind::Labelled { value, label: label.trim().to_owned() })
                }),
                1 => (inner.clone(), name())
                    .prop_map(|(of, name)| expr(ExprKind::Field(Box::new(callable(of)), name))),
                1 => (inner.clone(), proptest::collection::vec(argument, 0..3)).prop_map(
                    |(of, arguments)| expr(ExprKind::Call { function: Box::new(callable(of)), arguments })
                ),
                1 => several.clone().prop_map(|items| expr(ExprKind::List(items))),
                1 => proptest::collection::vec(inner.clone(), 1..3)
                    .prop_map(|items| expr(ExprKind::Group(items))),
                1 => proptest::collection::vec((name(), inner.clone()), 0..3)
                    .prop_map(|fields| expr(ExprKind::Record(fields))),
                1 => small().prop_map(|a| text_expr(vec![
                    TextPart::Literal("x\"{".to_owned()), TextPart::Hole(a),
                ])),
                1 => pair.prop_map(|(count, sides)| expr(ExprKind::Dice {
                    count: Some(Box::new(paren(count))), sides: Sides::Computed(Box::new(sides)),
                })),
                1 => proptest::collection::vec(face, 1..3)
                    .prop_map(|faces| expr(ExprKind::Dice { count: None, sides: Sides::Faces(faces) })),
                1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| {
                    let [condition, then, otherwise] = [a, b, not_given(c)].map(Box::new);
                    expr(ExprKind::If { condition, then, otherwise })
                }),
                1 => (inner.clone(), proptest::collection::vec(arm(inner.clone()), 0..3)).prop_map(
                    |(subject, mut arms)| {
                        if let Some(first) = arms.first_mut().and_then(|arm| arm.leading.first_mut()) {
                            first.after_blank = false;
                        }
                        let subject = Box::new(paren(subject));
                        expr(ExprKind::Match { subject, arms })
                    }
                ),
                1 => (any::<bool>(), proptest::collection::vec(choice_arm(inner.clone()), 0..3)).prop_map(
                    |(mine, mut arms)| {
                        if let Some(first) = arms.first_mut().and_then(|arm| arm.leading.first_mut()) {
                            first.after_blank = false;
                        }
                        let who = if mine { Who::Player } else { Who::Opponent };
                        expr(ExprKind::Choose { who, arms })
                    }
                ),
                1 => (any::<bool>(), inner.clone()).prop_map(|(mine, list)| {
                    let who = if mine { Who::Player } else { Who::Opponent };
                    expr(ExprKind::Pick { who, list: Box::new(list) })
                }),
                1 => (any::<bool>(), inner.clone(), proptest::option::of((name(), inner.clone()))).prop_map(
                    |(most, value, aim)| {
                        let goal = if most { Goal::Most } else { Goal::Least };
                        // A `by` belongs to the nearest `maximise`.
                        let value = if aim.is_some() { operand(value, 1) } else { Box::new(value) };
                        let aim = aim.map(|(name, number)| Box::new(Aim { name, number }));
                        expr(ExprKind::Best { goal, value, aim })
                    }
                ),
                1 => (statements.clone(), comments())
                    .prop_map(|(statements, trailing)| expr(ExprKind::Block(block(statements, trailing)))),
                1 => (bindings.clone(), statements, bindings, inner.clone()).prop_map(
                    |(carried, body, next, until)| {
                        let until = not_given(until);
                        let body = block(body, vec![]).statements;
                        expr(ExprKind::Repeat(Box::new(Repeat { carried, body, next, until })))
                    }
                ),
                1 => (inner.clone(), inner.clone()).prop_map(|(value, condition)| {
                    let value = match value.kind {
                        ExprKind::Given { .. } => Box::new(value),
                        _ => left(value, 1),
                    };
                    expr(ExprKind::Given { value, condition: operand(condition, 1) })
                }),
                1 => (proptest::collection::vec(name(), 1..3), inner.clone()).prop_map(
                    |(parameters, body)| expr(ExprKind::Lambda { parameters, body: Box::new(body) })
                ),
                1 => inner.prop_map(paren),
            ]
        })
        .boxed()
}

fn file() -> impl Strategy<Value = File> + Clone {
    let statements = proptest::collection::vec(statement(expression()), 1..4);
    (statements, comments()).prop_map(|(s, trailing)| File { block: block(s, trailing) })
}

/// Pieces that mean something, in no order that does.
fn scraps() -> impl Strategy<Value = String> + Clone {
    let scrap = prop_oneof![
        Just("4d6"),
        Just("kh3"),
        Just("!"),
        Just("!="),
        Just("("),
        Just(")"),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just("\""),
        Just("#"),
        Just("\n"),
        Just(" "),
        Just("let "),
        Just("fn "),
        Just("match "),
        Just("end"),
        Just("=>"),
        Just(".."),
        Just("."),
        Just(","),
        Just("="),
        Just("-"),
        Just("if "),
        Just("then "),
        Just("else "),
        Just("do "),
        Just("repeat with "),
        Just("next "),
        Just("choose "),
        Just("oppose from "),
        Just("maximise "),
        Just(" by x => "),
        Just("\"a\" if "),
        Just("until "),
        Just("x"),
        Just("d"),
        Just("%"),
        Just("F"),
        Just("7"),
        Just("ü"),
        Just("−"),
        Just("$"),
        Just("@"),
        Just("output "),
        Just(" up to "),
        Just("and "),
        Just("not "),
        Just(";"),
        Just(":"),
        Just("|"),
        Just("\\"),
        Just("enum "),
        Just("keep "),
        Just("roll "),
        Just("at least "),
        Just("require "),
        Just(" given "),
        Just("note "),
        Just("show "),
        Just("use "),
        Just("\r\n"),
        Just("[highest 3 of "),
    ];
    proptest::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

fn survives(text: &str) -> Result<(), TestCaseError> {
    let parsed = parse(text, SourceId(0), &Limits::default());
    for diagnostic in &parsed.diagnostics {
        let edits = diagnostic.edits.iter().map(|edit| edit.span);
        for span in diagnostic.labels.iter().map(|label| label.span).chain(edits) {
            prop_assert!(text.get(span.range()).is_some(), "{:?}", diagnostic);
        }
    }
    let found = tokens(text);
    for pair in found.windows(2) {
        prop_assert!(pair[0].end <= pair[1].start, "{pair:?}");
    }
    prop_assert!(found.iter().all(|t| text.get(t.start..t.end).is_some()));
    let printed = print(&parsed.file);
    let clean = |d: &astragal_syntax::diagnostic::Diagnostic| {
        d.severity == astragal_syntax::diagnostic::Severity::Hint
    };
    if parsed.diagnostics.iter().all(clean) {
        let again = parse(&printed, SourceId(0), &Limits::default());
        prop_assert!(
            same_tree(&parsed.file, &again.file),
            "{text}\n---\n{printed}\n{:?}",
            again.diagnostics
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_gives_the_same_tree(file in file()) {
        let printed = print(&file);
        let parsed = parse(&printed, SourceId(0), &Limits::default());
        prop_assert!(same_tree(&file, &parsed.file), "{printed}\n{:#?}\n{:#?}", parsed.diagnostics, parsed.file);
        prop_assert_eq!(print(&parsed.file), printed);
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,60}") {
        survives(&text)?;
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        survives(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_scraps_never_panic(text in scraps()) {
        survives(&text)?;
    }
}
