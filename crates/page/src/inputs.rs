//! The inputs of a program, and how far a slider for each should reach.

use astragal::{Engine, Input, Program, Rational, Type, Value, faces::Scripted};
use astragal_show::decimal::float;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Expr, StatementKind};
use astragal_syntax::{Limits, parse, print_expr, tokens};
use serde_json::{Value as Json, json};

use crate::source::Source;

/// Names of what a roll has to reach.
const TARGETS: [&str; 9] =
    ["dc", "tn", "ac", "target", "difficulty", "armour", "armor", "defence", "defense"];
/// Names of what is added, and may be less than nothing.
const BONUSES: [&str; 4] = ["bonus", "modifier", "mod", "penalty"];

/// The inputs, in the order of the program.
pub(crate) fn inputs(program: &Program, source: &Source) -> Vec<Json> {
    let defaults = defaults(&source.text);
    program.inputs().map(|input| one(&input, &defaults, source)).collect()
}

fn one(input: &Input<'_>, defaults: &[(String, Expr)], source: &Source) -> Json {
    let expr = defaults.iter().find(|(name, _)| name == input.name).map(|(_, expr)| expr);
    let default = expr.map(|expr| Default::of(expr, input.ty, &source.engine));
    let text = default.as_ref().map_or("", |default| &default.text);
    let number = default.as_ref().and_then(|default| default.number.as_ref());
    json!({
        "name": input.name,
        "type": input.ty.to_string(),
        "kind": kind(input.ty),
        "doc": input.doc,
        "value": input.value.map_or_else(|| text.to_owned(), ToString::to_string),
        "default": text,
        "variants": variants(input.ty),
        "suggested": number
            .filter(|_| *input.ty == Type::Number)
            .map(|number| suggested(number, &Use::of(input.name, &source.text))),
    })
}

fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Number => "number",
        Type::Bool => "truth",
        Type::Enum(_) => "name",
        Type::Text => "text",
        _ => "other",
    }
}

fn variants(ty: &Type) -> Vec<&str> {
    match ty {
        Type::Enum(of) => of.variants.iter().map(|variant| &**variant).collect(),
        _ => Vec::new(),
    }
}

/// What `param name = …` says, by name.
fn defaults(text: &str) -> Vec<(String, Expr)> {
    let parsed = parse(text, SourceId(0), &Limits::default());
    let statements = parsed.file.block.statements.into_iter();
    let inputs = statements.filter_map(|statement| match statement.kind {
        StatementKind::Input { name, value } => Some((name.text, value)),
        _ => None,
    });
    inputs.collect()
}

/// The value that holds until another is set.
struct Default {
    /// As it would be set.
    text: String,
    number: Option<Rational>,
}

impl Default {
    fn of(expr: &Expr, ty: &Type, engine: &Engine) -> Default {
        let written = print_expr(expr);
        if let Type::Enum(_) = ty {
            let name = written.rsplit('.').next().unwrap_or(&written).trim_matches('"');
            return Default { text: name.to_owned(), number: None };
        }
        // A default without dice is what it comes to.
        let program = engine.compile(&written).ok();
        let value = program.and_then(|program| program.value(&mut Scripted::whole(&[])).ok());
        let number = value.as_ref().and_then(Value::as_number).map(|number| number.to_rational());
        Default { text: value.map_or(written, |value| value.to_string()), number }
    }
}

/// What an input is for, as far as its name and its neighbours tell.
#[derive(PartialEq, Eq)]
enum Use {
    Dice,
    Target,
    Bonus,
    Unknown,
}

impl Use {
    fn of(name: &str, text: &str) -> Use {
        let words: Vec<&str> = tokens(text).iter().map(|t| &text[t.start..t.end]).collect();
        let lower = name.to_lowercase();
        let called = |names: &[&str]| lower.split('_').any(|part| names.contains(&part));
        let counts = |window: &[&str]| matches!(window, ["(", it, ")", "d"] if *it == name);
        let compared = |pair: &[&str]| {
            let is_sign = |sign: &str| matches!(sign, ">=" | "<=" | ">" | "<");
            is_sign(pair[0]) && pair[1] == name || is_sign(pair[1]) && pair[0] == name
        };
        match () {
            () if words.windows(4).any(counts) => Use::Dice,
            () if called(&BONUSES) => Use::Bonus,
            () if called(&TARGETS) || words.windows(2).any(compared) => Use::Target,
            () => Use::Unknown,
        }
    }
}

/// A range that holds the default and what a player would try.
fn suggested(default: &Rational, used: &Use) -> Json {
    let value = float(default);
    let (from, to): (f64, f64) = match used {
        Use::Dice => (1.0, 20.0),
        Use::Target => (1.0, 30.0),
        Use::Bonus => (-10.0, 20.0),
        Use::Unknown => (0.0, 20.0),
    };
    let from = if value < from { (2.0 * value).min(-10.0).floor() } else { from };
    let step = if default.denominator().is_one() { 1.0 } else { 0.5 };
    json!({"from": from, "to": to.max((2.0 * value).ceil()), "step": step})
}
