//! A form for each documented function of a system: what to ask for, and how.
//!
//! `cofd.action(pool, again = 10, rote = false, exceptional: Exceptional = "rolled")` asks for two numbers, a
//! yes or no, and one of several names. Where a parameter has neither a type nor a default, the
//! function's own example tells what it takes.

use astragal::{Documentation, FunctionDoc, ParameterDoc};
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Expr, ExprKind, FieldType, StatementKind, Type, TypeKind};
use astragal_syntax::{Class, Limits, parse, print_expr, tokens};

use crate::prose::{first_sentence, mentions, sentences, without_ids};

/// What a function asks for.
#[derive(Clone, Debug)]
pub struct Form {
    /// The function's name without its prefix.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// What it is, in one sentence.
    pub about: String,
    /// A call of it.
    pub example: Option<String>,
    /// One for each parameter.
    pub questions: Vec<Question>,
    /// It is the function that the others are parts of.
    pub main: bool,
}

/// What is asked for one parameter.
#[derive(Clone, Debug)]
pub struct Question {
    /// The parameter's name.
    pub name: String,
    /// Its type as written.
    pub ty: Option<String>,
    /// How it is asked.
    pub kind: Kind,
    /// Its default as written.
    pub default: Option<String>,
    /// The names to choose from.
    pub variants: Vec<String>,
    /// What its system says about it.
    pub help: String,
    /// The fields of a record.
    pub fields: Vec<Field>,
}

/// A field of a record that is asked for.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// How it is asked.
    pub kind: Kind,
    /// Its type as written.
    pub ty: String,
    /// It may be `none`.
    pub optional: bool,
    /// Its default as written.
    pub default: Option<String>,
    /// The names to choose from.
    pub variants: Vec<String>,
}

/// How something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A yes or no.
    Truth,
    /// One of several names.
    Variant,
    /// A list of numbers.
    Numbers,
    /// A list of texts.
    Texts,
    /// A text.
    Text,
    /// Something to roll.
    Roll,
    /// A list of records.
    Records,
    /// A record.
    Record,
    /// An expression.
    Other,
}

/// The forms of a system's documented functions, the main one first.
pub fn forms(page: &Documentation) -> Vec<Form> {
    let documented: Vec<&FunctionDoc> =
        page.functions.iter().filter(|function| function.doc.is_some()).collect();
    let main = main_function(&documented);
    let mut forms: Vec<Form> = documented
        .iter()
        .enumerate()
        .map(|(at, function)| form(page, function, main == Some(at)))
        .collect();
    forms.sort_by_key(|form| !form.main);
    forms
}

/// The documented function with the most to decide: the one the others are parts of.
pub fn main_function(functions: &[&FunctionDoc]) -> Option<usize> {
    let most = functions.iter().map(|function| function.parameters.len()).max()?;
    functions.iter().position(|function| function.parameters.len() == most)
}

fn form(page: &Documentation, function: &FunctionDoc, main: bool) -> Form {
    let doc = function.doc.clone().unwrap_or_default();
    let example = doc.lines().find_map(|line| line.trim().strip_prefix("Example:"));
    let example = example.map(|call| call.trim().to_owned());
    let shown = example.as_deref().map(arguments).unwrap_or_default();
    let questions = function.parameters.iter().enumerate().map(|(at, parameter)| {
        let argument = shown.iter().find(|(name, place, _)| match name {
            Some(name) => *name == parameter.name,
            None => *place == at,
        });
        question(page, &doc, parameter, argument.map(|(_, _, value)| value))
    });
    Form {
        name: function.name.clone(),
        about: without_ids(&first_sentence(&doc, usize::MAX)),
        questions: questions.collect(),
        doc,
        example,
        main,
    }
}

/// The arguments of a call: their names, places and values.
fn arguments(call: &str) -> Vec<(Option<String>, usize, Expr)> {
    let parsed = parse(call, SourceId(0), &Limits::default());
    let Some(statement) = parsed.file.block.statements.into_iter().next_back() else {
        return Vec::new();
    };
    let StatementKind::Expression(expr) = statement.kind else { return Vec::new() };
    let ExprKind::Call { arguments, .. } = expr.kind else { return Vec::new() };
    let named = arguments.into_iter().enumerate();
    named.map(|(at, a)| (a.name.map(|name| name.text), at, a.value)).collect()
}

fn question(
    page: &Documentation,
    doc: &str,
    parameter: &ParameterDoc,
    example: Option<&Expr>,
) -> Question {
    let ty = parameter.ty.as_deref().and_then(written_type);
    let kind = match &ty {
        _ if parameter.roll => Kind::Roll,
        Some(ty) => kind(ty, page),
        None => example.map_or(Kind::Other, kind_of_value),
    };
    let about = sentences(doc).filter(|sentence| mentions(sentence, parameter));
    let enumeration = ty.as_ref().and_then(|ty| enumeration(ty, page));
    let about_names = enumeration.and_then(|e| e.doc.as_deref()).map(|doc| doc.replace('\n', " "));
    let help: Vec<String> = about.chain(about_names).map(|said| without_ids(&said)).collect();
    Question {
        name: parameter.name.clone(),
        ty: parameter.ty.clone(),
        kind,
        default: parameter.default.clone(),
        variants: enumeration.map(|e| e.variants.clone()).unwrap_or_default(),
        help: help.join(" "),
        fields: ty.as_ref().map(|ty| fields(ty, page)).unwrap_or_default(),
    }
}

/// A type from its text.
fn written_type(text: &str) -> Option<Type> {
    let function = format!("fn f(x: {text}) = x");
    let parsed = parse(&function, SourceId(0), &Limits::default());
    match parsed.file.block.statements.into_iter().next()?.kind {
        StatementKind::Function { parameters, .. } => parameters.into_iter().next()?.annotation,
        _ => None,
    }
}

fn kind(ty: &Type, page: &Documentation) -> Kind {
    match &ty.kind {
        TypeKind::Name(_) => match name(ty) {
            "number" => Kind::Number,
            "bool" => Kind::Truth,
            "text" => Kind::Text,
            _ if enumeration(ty, page).is_some() => Kind::Variant,
            _ => Kind::Other,
        },
        TypeKind::List(item) => match kind(item, page) {
            Kind::Number => Kind::Numbers,
            Kind::Text => Kind::Texts,
            Kind::Record => Kind::Records,
            _ => Kind::Other,
        },
        TypeKind::Optional(inner) => kind(inner, page),
        TypeKind::Record(_) => Kind::Record,
    }
}

/// How the value of an example would be asked for.
fn kind_of_value(value: &Expr) -> Kind {
    let has_dice = || tokens(&print_expr(value)).iter().any(|token| token.class == Class::Dice);
    match &value.kind {
        ExprKind::Bool(_) => Kind::Truth,
        ExprKind::Text(_) => Kind::Text,
        ExprKind::Record(_) => Kind::Record,
        ExprKind::List(items) => match items.first().map(kind_of_value) {
            Some(Kind::Text) => Kind::Texts,
            Some(Kind::Record) => Kind::Records,
            _ => Kind::Numbers,
        },
        _ if has_dice() => Kind::Roll,
        _ => Kind::Number,
    }
}

fn name(ty: &Type) -> &str {
    match &ty.kind {
        TypeKind::Name(path) => path.last().map_or("", |name| &name.text),
        TypeKind::Optional(inner) => name(inner),
        TypeKind::List(_) | TypeKind::Record(_) => "",
    }
}

fn enumeration<'p>(ty: &Type, page: &'p Documentation) -> Option<&'p astragal::EnumerationDoc> {
    page.enumerations.iter().find(|e| e.name == name(ty))
}

/// The fields of a record, or of the records of a list.
fn fields(ty: &Type, page: &Documentation) -> Vec<Field> {
    match &ty.kind {
        TypeKind::Record(list) => list.iter().map(|of| field(of, page)).collect(),
        TypeKind::List(inner) | TypeKind::Optional(inner) => fields(inner, page),
        TypeKind::Name(_) => Vec::new(),
    }
}

fn field(of: &FieldType, page: &Documentation) -> Field {
    let known = of.annotation.as_ref();
    let by_default = || of.default.as_ref().map_or(Kind::Number, kind_of_value);
    let optional = known.is_some_and(|ty| matches!(ty.kind, TypeKind::Optional(_)));
    let enumeration = known.and_then(|ty| enumeration(ty, page));
    let kind = known.map_or_else(by_default, |ty| kind(ty, page));
    Field {
        name: of.name.text.clone(),
        kind,
        ty: known.map_or_else(|| kind.plain_type(), name).to_owned(),
        optional,
        default: of.default.as_ref().map(print_expr),
        variants: enumeration.map(|e| e.variants.clone()).unwrap_or_default(),
    }
}

impl Kind {
    /// The type of a field that has none written.
    fn plain_type(self) -> &'static str {
        match self {
            Kind::Truth => "bool",
            Kind::Text => "text",
            _ => "number",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(function: &str) -> Vec<(String, Kind)> {
        let engine = astragal::Engine::new();
        let (system, name) = function.split_once('.').expect("a prefix");
        let page = engine.documentation(system).expect("a system");
        let form = forms(&page).into_iter().find(|form| form.name == name).expect("a function");
        form.questions.into_iter().map(|question| (question.name, question.kind)).collect()
    }

    #[test]
    fn types_defaults_and_examples_tell_what_is_asked() {
        let kinds =
            |function| asked(function).into_iter().map(|(_, kind)| kind).collect::<Vec<_>>();
        assert_eq!(kinds("kaiser.characteristic"), [Kind::Number, Kind::Number]);
        assert_eq!(kinds("srd.modifier"), [Kind::Records, Kind::Variant]);
        assert_eq!(kinds("srd.multiply"), [Kind::Roll, Kind::Numbers]);
        assert_eq!(kinds("stormchaser.damage"), [Kind::Roll, Kind::Number, Kind::Number]);
        assert_eq!(kinds("kaiser.opposed")[..2], [Kind::Record, Kind::Record]);
    }

    #[test]
    fn every_parameter_of_every_system_can_be_asked_for() {
        let engine = astragal::Engine::new();
        for system in engine.systems() {
            let page = engine.documentation(system).expect("a system");
            for form in forms(&page) {
                for question in &form.questions {
                    let of = format!("{system}.{}: {}", form.name, question.name);
                    assert_ne!(question.kind, Kind::Other, "{of}");
                    assert!(!question.help.contains("-0") && !question.help.contains('['), "{of}");
                }
                let example = form.example.expect("an example");
                assert!(engine.compile(&example).is_ok(), "{example}");
            }
        }
    }

    #[test]
    fn the_main_function_comes_first() {
        let engine = astragal::Engine::new();
        let first =
            |system| forms(&engine.documentation(system).expect("a system"))[0].name.clone();
        assert_eq!(first("cofd"), "action");
        assert_eq!(first("kaiser"), "skill");
        assert_eq!(first("srd"), "check");
    }
}
