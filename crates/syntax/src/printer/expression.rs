//! Expressions as layout.

use super::doc::{self, Doc, concat, group, hard, line, nest, soft, text};
use super::suffix::{needs_words, short, words};
use super::{Printer, WIDTH, print_expr};
use crate::tree::{
    Aim, Argument, Arm, BinaryOp, ChoiceArm, Comment, Comparison, Expr, ExprKind, Face, Goal, Name,
    Pattern, PatternKind, Repeat, Sides, Suffix, SuffixKind, Text, TextPart, UnaryOp, Who,
};

impl Printer {
    pub(super) fn expr(self, expr: &Expr) -> Doc {
        match &expr.kind {
            ExprKind::Number(digits) => text(digits.as_str()),
            ExprKind::Bool(value) => text(if *value { "true" } else { "false" }),
            ExprKind::None => text("none"),
            ExprKind::Text(value) => text(text_literal(value)),
            ExprKind::Name(name) => text(name),
            ExprKind::Field(..)
            | ExprKind::Call { .. }
            | ExprKind::Suffixed { .. }
            | ExprKind::Labelled { .. } => self.term(expr),
            // Without blanks it would be an inline roll of another tool.
            ExprKind::List(items) if is_list_of_one(items) => {
                let inner = items.iter().map(|item| self.expr(item)).collect();
                concat(vec![text("[ "), concat(inner), text(" ]")])
            }
            ExprKind::List(items) => bracket("[", self.exprs(items), "]"),
            ExprKind::Range(from, to) => {
                // Right behind a condition, `..` would be read as several faces.
                let dots = if ends_in_condition(from) { " .. " } else { ".." };
                concat(vec![self.expr(from), text(dots), self.expr(to)])
            }
            ExprKind::Record(fields) => {
                let fields = fields.iter().map(|(name, value)| self.named(Some(name), value));
                bracket("{", fields.collect(), "}")
            }
            ExprKind::Group(members) => bracket("{", self.exprs(members), "}"),
            ExprKind::Dice { count, sides } => self.dice(count.as_deref(), sides),
            ExprKind::Unary(UnaryOp::Negate, of) => concat(vec![text("-"), self.expr(of)]),
            ExprKind::Unary(UnaryOp::Not, of) => concat(vec![text("not "), self.expr(of)]),
            ExprKind::Binary(BinaryOp::Power, left, right) => {
                concat(vec![self.expr(left), text("^"), self.expr(right)])
            }
            ExprKind::Binary(op, ..) => self.binary(expr, *op),
            ExprKind::If { .. } => self.conditional(expr),
            ExprKind::Match { subject, arms } => self.match_expression(subject, arms),
            ExprKind::Best { goal, value, aim } => self.best(*goal, value, aim.as_deref()),
            ExprKind::Choose { who, arms } => self.choice(*who, arms),
            ExprKind::Pick { who, list } => {
                concat(vec![text(format!("{} from ", who.word())), self.expr(list)])
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Repeat(repeat) => self.repeat(repeat),
            ExprKind::Given { value, condition } => self.given(value, condition),
            ExprKind::Lambda { parameters, body } => self.lambda(parameters, body),
            ExprKind::Paren(inner) if has_end(inner) => {
                concat(vec![text("("), self.expr(inner), text(")")])
            }
            ExprKind::Paren(inner) => bracket("(", vec![self.expr(inner)], ")"),
            ExprKind::Missing => text(""),
        }
    }

    fn exprs(self, items: &[Expr]) -> Vec<Doc> {
        items.iter().map(|item| self.expr(item)).collect()
    }

    fn named(self, name: Option<&Name>, value: &Expr) -> Doc {
        match name {
            Some(name) => concat(vec![text(format!("{}: ", name.text)), self.expr(value)]),
            None => self.expr(value),
        }
    }

    /// The value behind `opener` (`let x =`, `7..9 =>`): on the same line, or below and indented.
    pub(super) fn after(self, opener: Doc, value: &Expr) -> Doc {
        let value_doc = self.expr(value);
        if self.flat || breaks_inside(value) {
            return concat(vec![opener, doc::value(value_doc)]);
        }
        group(concat(vec![opener, nest(concat(vec![line(), value_doc]))]))
    }

    fn dice(self, count: Option<&Expr>, sides: &Sides) -> Doc {
        let mut parts: Vec<Doc> = count.map(|count| self.expr(count)).into_iter().collect();
        parts.push(match sides {
            Sides::Number(digits) => text(format!("d{digits}")),
            Sides::Percent => text("d%"),
            Sides::Fate => text("dF"),
            Sides::Computed(inner) => {
                concat(vec![text("d"), bracket("(", vec![self.expr(inner)], ")")])
            }
            Sides::Faces(faces) => {
                let faces = faces.iter().map(|face| self.face(face)).collect();
                concat(vec![text("d"), bracket("{", faces, "}")])
            }
        });
        concat(parts)
    }

    fn face(self, face: &Face) -> Doc {
        let value = self.expr(&face.value);
        match &face.weight {
            Some(weight) => concat(vec![value, text(": "), self.expr(weight)]),
            None => value,
        }
    }

    /// A primary and what stands behind it. A loop, because such chains may be long.
    fn term(self, expr: &Expr) -> Doc {
        let mut links = Vec::new();
        let mut root = expr;
        loop {
            let (inner, link) = match &root.kind {
                ExprKind::Field(of, name) => (of, text(format!(".{}", name.text))),
                ExprKind::Call { function, arguments } => (function, self.arguments(arguments)),
                ExprKind::Suffixed { pool, suffix } => (pool, suffix_link(pool, suffix)),
                ExprKind::Labelled { value, label } => (value, text(format!("[{label}]"))),
                _ => break,
            };
            links.push(link);
            root = inner;
        }
        links.push(self.expr(root));
        links.reverse();
        concat(links)
    }

    /// A function as the last argument opens on the line of the call.
    fn arguments(self, arguments: &[Argument]) -> Doc {
        let argument = |a: &Argument| self.named(a.name.as_ref(), &a.value);
        match arguments {
            [first @ .., last]
                if matches!(last.value.kind, ExprKind::Lambda { .. }) && self.is_short(first) =>
            {
                let mut parts = vec![text("(")];
                parts.extend(first.iter().flat_map(|a| [argument(a), text(", ")]));
                parts.push(argument(last));
                parts.push(text(")"));
                concat(parts)
            }
            _ => bracket("(", arguments.iter().map(argument).collect(), ")"),
        }
    }

    /// Whether the arguments leave room for one more on their line. (On one line it does not matter; and
    /// asking there too would print nested calls over and over.)
    fn is_short(self, arguments: &[Argument]) -> bool {
        let width = |a: &Argument| print_expr(&a.value).chars().count() + 2;
        !self.flat && arguments.iter().map(width).sum::<usize>() <= WIDTH / 2
    }

    /// A chain of operators of one level breaks at each of them.
    fn binary(self, expr: &Expr, op: BinaryOp) -> Doc {
        let mut links = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary(other, left, right) = &first.kind
            && level(*other) == level(op)
        {
            links.push((*other, right));
            first = left;
        }
        let mut parts = vec![self.expr(first)];
        for (op, right) in links.into_iter().rev() {
            let right = self.expr(right);
            parts.extend(match op {
                BinaryOp::And | BinaryOp::Or => [line(), text(operator(op)), text(" "), right],
                _ => [text(" "), text(operator(op)), line(), right],
            });
        }
        group(concat(parts))
    }

    /// `if … then …`, then each `else if` and the `else` in turn.
    fn conditional(self, expr: &Expr) -> Doc {
        if let ExprKind::If { condition, then, otherwise } = &expr.kind
            && !matches!(otherwise.kind, ExprKind::If { .. })
        {
            let then = concat(vec![line(), text("then "), self.expr(then)]);
            let otherwise = concat(vec![line(), text("else "), self.expr(otherwise)]);
            let choice = nest(concat(vec![then, otherwise]));
            return group(concat(vec![text("if "), self.expr(condition), choice]));
        }
        let mut parts = Vec::new();
        let mut rest = expr;
        let mut opener = "if ";
        while let ExprKind::If { condition, then, otherwise } = &rest.kind {
            let then = concat(vec![line(), text("then "), self.expr(then)]);
            parts.push(group(concat(vec![text(opener), self.expr(condition), nest(then)])));
            parts.push(line());
            opener = "else if ";
            rest = otherwise;
        }
        parts.push(concat(vec![text("else "), self.expr(rest)]));
        group(concat(parts))
    }

    /// `given` stays on the line of its value: at the start of a line it would be a statement.
    fn given(self, value: &Expr, condition: &Expr) -> Doc {
        let condition = nest(concat(vec![line(), self.expr(condition)]));
        concat(vec![self.expr(value), text(" given"), group(condition)])
    }

    fn lambda(self, parameters: &[Name], body: &Expr) -> Doc {
        let names: Vec<&str> = parameters.iter().map(|name| name.text.as_str()).collect();
        let head = match names.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("({})", several.join(", ")),
        };
        self.after(text(format!("{head} =>")), body)
    }

    /// The line end between the parts of a block, or `;` on one line.
    pub(super) fn separator(self, after_blank: bool) -> Doc {
        if self.flat { text("; ") } else { hard(after_blank) }
    }

    fn match_expression(self, subject: &Expr, arms: &[Arm]) -> Doc {
        let head = concat(vec![text("match "), self.expr(subject)]);
        let first = arms.first().and_then(|arm| arm.patterns.first());
        let opener = if one_line_needs_semicolon(subject, first) { "; " } else { " " };
        let arms = arms.iter().map(|arm| (self.arm(arm), &*arm.leading, arm.side.as_deref()));
        self.arms(head, opener, arms)
    }

    /// Arms on lines of their own with their comments, or on one line behind `opener`.
    fn arms<'a>(
        self,
        head: Doc,
        opener: &str,
        arms: impl Iterator<Item = (Doc, &'a [Comment], Option<&'a str>)>,
    ) -> Doc {
        if self.flat {
            let mut parts = vec![head, text(opener)];
            for (index, (arm, ..)) in arms.enumerate() {
                if index > 0 {
                    parts.push(text("; "));
                }
                parts.push(arm);
            }
            parts.push(text(" end"));
            return concat(parts);
        }
        let mut inside = Vec::new();
        for (arm, leading, side) in arms {
            for comment in leading {
                inside.push(hard(comment.after_blank));
                inside.push(doc::comment(format!("#{}", comment.text)));
            }
            inside.push(hard(false));
            inside.push(arm);
            inside.extend(super::statement::side(side));
        }
        concat(vec![head, nest(concat(inside)), hard(false), text("end")])
    }

    fn choice(self, who: Who, arms: &[ChoiceArm]) -> Doc {
        let set = |arm: &ChoiceArm| self.choice_arm(arm);
        let arms = arms.iter().map(|arm| (set(arm), &*arm.leading, arm.side.as_deref()));
        self.arms(text(who.word()), " ", arms)
    }

    fn choice_arm(self, arm: &ChoiceArm) -> Doc {
        let mut head = vec![text(quoted(&arm.label))];
        if let Some(open) = &arm.open {
            head.extend([text(" if "), self.expr(open)]);
        }
        head.push(text(" =>"));
        self.after(concat(head), &arm.value)
    }

    /// `maximise`, its value and what counts of it.
    fn best(self, goal: Goal, value: &Expr, aim: Option<&Aim>) -> Doc {
        let mut parts = vec![self.after(text(goal.word()), value)];
        if let Some(Aim { name, number }) = aim {
            parts.push(text(" by "));
            parts.push(self.lambda(std::slice::from_ref(name), number));
        }
        concat(parts)
    }

    fn arm(self, arm: &Arm) -> Doc {
        let patterns: Vec<String> = arm.patterns.iter().map(pattern).collect();
        self.after(text(format!("{} =>", patterns.join(", "))), &arm.value)
    }

    fn repeat(self, repeat: &Repeat) -> Doc {
        let mut inside = Vec::new();
        for (index, statement) in repeat.body.iter().enumerate() {
            inside.push(self.statement(statement, index == 0, true));
        }
        inside.push(self.separator(false));
        inside.push(self.bindings("next", &repeat.next));
        concat(vec![
            self.bindings("repeat with", &repeat.carried),
            nest(concat(inside)),
            self.separator(false),
            text("until "),
            self.expr(&repeat.until),
        ])
    }

    fn bindings(self, opener: &str, bindings: &[(Name, Expr)]) -> Doc {
        let mut parts = vec![text(format!("{opener} "))];
        for (index, (name, value)) in bindings.iter().enumerate() {
            if index > 0 {
                parts.push(text(","));
                parts.push(line());
            }
            parts.push(concat(vec![text(format!("{} = ", name.text)), self.expr(value)]));
        }
        group(nest(nest(concat(parts))))
    }
}

/// Items between brackets, on one line or each on its own.
pub(super) fn bracket(open: &str, items: Vec<Doc>, close: &str) -> Doc {
    if items.is_empty() {
        return text(format!("{open}{close}"));
    }
    let mut inside = vec![soft()];
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            inside.push(text(","));
            inside.push(line());
        }
        inside.push(item);
    }
    group(concat(vec![text(open), nest(concat(inside)), soft(), text(close)]))
}

/// Expressions that stand between a keyword and an end of their own.
fn has_end(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Match { .. } | ExprKind::Choose { .. } | ExprKind::Block(_) | ExprKind::Repeat(_)
    )
}

/// Values that have their own places to break, so that they begin on the line of their `=`.
fn breaks_inside(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Suffixed { pool, .. } => breaks_inside(pool),
        ExprKind::Labelled { value, .. } | ExprKind::Field(value, _) => breaks_inside(value),
        ExprKind::Call { .. }
        | ExprKind::List(_)
        | ExprKind::Record(_)
        | ExprKind::Group(_)
        | ExprKind::Match { .. }
        | ExprKind::Best { .. }
        | ExprKind::Choose { .. }
        | ExprKind::Block(_)
        | ExprKind::Repeat(_)
        | ExprKind::Lambda { .. }
        | ExprKind::Paren(_)
        | ExprKind::Dice { .. } => true,
        _ => false,
    }
}

fn suffix_link(pool: &Expr, suffix: &Suffix) -> Doc {
    let in_words = suffix.words || needs_words(&suffix.kind);
    let written = if in_words { words(&suffix.kind).to_string() } else { short(&suffix.kind) };
    let blank = if in_words || needs_blank(pool, &written) { " " } else { "" };
    text(format!("{blank}{written}"))
}

/// Whether a short suffix must stand apart from its pool to be read as one.
fn needs_blank(pool: &Expr, written: &str) -> bool {
    let letters = written.starts_with(|c: char| c.is_ascii_alphabetic());
    match &pool.kind {
        ExprKind::Suffixed { suffix, .. } => suffix.words || clashes(&suffix.kind, written),
        ExprKind::Dice { count: None, sides: Sides::Fate } => letters,
        ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Call { .. } => letters,
        _ => false,
    }
}

/// Whether two short suffixes would run together.
fn clashes(before: &SuffixKind, written: &str) -> bool {
    let before = short(before);
    let limited = before.contains(" up to ");
    let bangs = before.ends_with('!') && written.starts_with('!');
    limited || bangs || before.ends_with(|c: char| c.is_ascii_alphabetic())
}

/// On one line, `match x -1 => …` would go on with the subject.
fn one_line_needs_semicolon(subject: &Expr, first: Option<&Pattern>) -> bool {
    let closed = matches!(
        subject.kind,
        ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Call { .. } | ExprKind::Paren(_)
    );
    let plain = first.is_some_and(|first| match &first.kind {
        PatternKind::Variant(_) => false,
        kind => !pattern_kind(kind).starts_with('-'),
    });
    !(closed && plain)
}

fn pattern(pattern: &Pattern) -> String {
    pattern_kind(&pattern.kind)
}

fn pattern_kind(kind: &PatternKind) -> String {
    let end = |bound: &Option<String>| bound.clone().unwrap_or_default();
    match kind {
        PatternKind::Number(number) => number.clone(),
        PatternKind::Range(from, to) => format!("{}..{}", end(from), end(to)),
        PatternKind::Text(plain) => quoted(plain),
        PatternKind::Bool(value) => value.to_string(),
        PatternKind::None => "none".to_owned(),
        PatternKind::Variant(path) => dotted(path),
        PatternKind::Else => "else".to_owned(),
    }
}

pub(super) fn dotted(path: &[Name]) -> String {
    path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(".")
}

/// A text with its quotes and escapes.
pub(super) fn text_literal(value: &Text) -> String {
    let mut out = String::from("\"");
    for part in &value.parts {
        match part {
            TextPart::Literal(piece) => escape(piece, &mut out),
            TextPart::Hole(hole) => {
                out.push('{');
                out.push_str(&print_expr(hole));
                out.push('}');
            }
        }
    }
    out.push('"');
    out
}

/// A plain text with its quotes and escapes.
pub(super) fn quoted(plain: &str) -> String {
    let mut out = String::from("\"");
    escape(plain, &mut out);
    out.push('"');
    out
}

fn escape(piece: &str, out: &mut String) {
    for c in piece.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
}

/// Operators of one level stand in one chain.
fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 0,
        BinaryOp::And => 1,
        BinaryOp::Compare(_) => 2,
        BinaryOp::Add | BinaryOp::Subtract => 3,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::FloorDivide | BinaryOp::Remainder => 4,
        BinaryOp::Power => 5,
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::FloorDivide => "//",
        BinaryOp::Remainder => "%",
        BinaryOp::Power => "^",
        BinaryOp::Compare(Comparison::Equal) => "==",
        BinaryOp::Compare(other) => other.sign(),
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
    }
}

/// `[ [1] ]`
fn is_list_of_one(items: &[Expr]) -> bool {
    matches!(items, [Expr { kind: ExprKind::List(inner), .. }] if inner.len() == 1)
}

/// `5d6cs>=4`, `2 + d6!5`
fn ends_in_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Suffixed { suffix, .. } => matches!(
            &suffix.kind,
            SuffixKind::Explode { trigger: Some(_), .. }
                | SuffixKind::Reroll { .. }
                | SuffixKind::CountFor(_)
                | SuffixKind::CountAgainst(_)
        ),
        ExprKind::Binary(_, _, right) | ExprKind::Unary(_, right) => ends_in_condition(right),
        _ => false,
    }
}
