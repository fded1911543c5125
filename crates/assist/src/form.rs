//! A form for each documented function of a system: what to ask for, and how.
//!
//! `cofd.action(pool, again = 10, rote = false, exceptional: Exceptional = "rolled")` asks for two numbers, a
//! yes or no, and one of several names. Where a parameter has neither a type nor a default, the
//! function's own example tells what it takes. What players call all that, and how far a number goes, is
//! said by the `Form:` lines of the system's file.

pub mod words;

use astragal::{Documentation, FunctionDoc, ParameterDoc};
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Expr, ExprKind, FieldType, StatementKind, Type, TypeKind};
use astragal_syntax::{Class, Limits, parse, print_expr, tokens};

use self::words::{Named, RuleWords, SystemWords, Words};
use crate::prose::{first_sentence, mentions, sentences, without_ids};

/// How many parameters are asked at once where the file does not say which are needed seldom.
const MOST_FIRST: usize = 5;

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
    /// What players call it and its result.
    pub words: RuleWords,
    /// The names of the parameters that are asked at once, in the order in which they are asked.
    pub first: Vec<String>,
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
    pub variants: Vec<Variant>,
    /// What its system says about it.
    pub help: String,
    /// The fields of a record.
    pub fields: Vec<Field>,
    /// What players call it.
    pub words: Words,
}

/// A name to choose.
#[derive(Clone, Debug)]
pub struct Variant {
    /// As the language has it.
    pub name: String,
    /// As players say it.
    pub title: Option<String>,
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
    pub variants: Vec<Variant>,
    /// What players call it.
    pub words: Words,
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

/// The forms of a system's documented functions: the main one first, those that are only parts of others last.
pub fn forms(page: &Documentation) -> Vec<Form> {
    let words = SystemWords::of(page);
    let documented: Vec<&FunctionDoc> =
        page.functions.iter().filter(|function| function.doc.is_some()).collect();
    let main = main_function(&documented);
    let mut forms: Vec<Form> = documented
        .iter()
        .enumerate()
        .map(|(at, function)| form(page, &words, function, main == Some(at)))
        .collect();
    forms.sort_by_key(|form| (!form.main, form.words.aside));
    forms
}

/// The documented function with the most to decide: the one the others are parts of.
pub fn main_function(functions: &[&FunctionDoc]) -> Option<usize> {
    let most = functions.iter().map(|function| function.parameters.len()).max()?;
    functions.iter().position(|function| function.parameters.len() == most)
}

fn form(page: &Documentation, said: &SystemWords, function: &FunctionDoc, main: bool) -> Form {
    let doc = function.doc.clone().unwrap_or_default();
    let example = doc.lines().find_map(|line| line.trim().strip_prefix("Example:"));
    let example = example.map(|call| call.trim().to_owned());
    let shown = example.as_deref().map(arguments).unwrap_or_default();
    let questions = function.parameters.iter().enumerate().map(|(at, parameter)| {
        let argument = shown.iter().find(|(name, place, _)| match name {
            Some(name) => *name == parameter.name,
            None => *place == at,
        });
        let of = Asked { page, said, rule: &function.name, doc: &doc };
        of.question(parameter, argument.map(|(_, _, value)| value))
    });
    let questions: Vec<Question> = questions.collect();
    let words = said.rule(&function.name);
    Form {
        name: function.name.clone(),
        about: without_ids(&first_sentence(&doc, usize::MAX)),
        first: first(&words, &questions),
        questions,
        doc,
        example,
        main,
        words,
    }
}

/// What is asked at once: all that is not said to be needed seldom, in the order of the rule's lines if it has one for
/// each; without any lines what has no default, and a few more.
fn first(words: &RuleWords, questions: &[Question]) -> Vec<String> {
    let is_told = questions.iter().any(|question| question.words != Words::default());
    let at_once = |at: usize, question: &Question| match is_told {
        true => !question.words.seldom,
        false => question.default.is_none() || at < MOST_FIRST,
    };
    let asked = questions.iter().enumerate().filter(|(at, question)| at_once(*at, question));
    let mut names: Vec<String> = asked.map(|(_, question)| question.name.clone()).collect();
    if names.iter().all(|name| words.place(name).is_some()) {
        names.sort_by_key(|name| words.place(name));
    }
    names
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

/// What is known where a question is made.
struct Asked<'a> {
    page: &'a Documentation,
    said: &'a SystemWords,
    rule: &'a str,
    doc: &'a str,
}

impl Asked<'_> {
    fn question(&self, parameter: &ParameterDoc, example: Option<&Expr>) -> Question {
        let ty = parameter.ty.as_deref().and_then(written_type);
        let kind = match &ty {
            _ if parameter.roll => Kind::Roll,
            Some(ty) => kind(ty, self.page),
            None => example.map_or(Kind::Other, kind_of_value),
        };
        let words = self.said.parameter(self.rule, &parameter.name).unwrap_or_default();
        let fields = ty.as_ref().map(field_types).unwrap_or_default();
        Question {
            name: parameter.name.clone(),
            ty: parameter.ty.clone(),
            kind,
            default: parameter.default.clone(),
            variants: ty.as_ref().map(|ty| variants(ty, self.page)).unwrap_or_default(),
            help: words.help.clone().unwrap_or_else(|| self.help(parameter, ty.as_ref())),
            fields: fields.iter().map(|of| self.field(&parameter.name, of)).collect(),
            words,
        }
    }

    /// What the documentation says of a parameter and of its enumeration.
    fn help(&self, parameter: &ParameterDoc, ty: Option<&Type>) -> String {
        let about = sentences(self.doc).filter(|sentence| mentions(sentence, parameter));
        let enumeration = ty.and_then(|ty| enumeration(ty, self.page));
        let names = enumeration.and_then(|e| e.doc.as_deref()).map(|doc| doc.replace('\n', " "));
        let help: Vec<String> = about.chain(names).map(|said| without_ids(&said)).collect();
        help.join(" ")
    }

    fn field(&self, parameter: &str, of: &FieldType) -> Field {
        let known = of.annotation.as_ref();
        let by_default = || of.default.as_ref().map_or(Kind::Number, kind_of_value);
        let optional = known.is_some_and(|ty| matches!(ty.kind, TypeKind::Optional(_)));
        let kind = known.map_or_else(by_default, |ty| kind(ty, self.page));
        Field {
            name: of.name.text.clone(),
            kind,
            ty: known.map_or_else(|| kind.plain_type(), name).to_owned(),
            optional,
            default: of.default.as_ref().map(print_expr),
            variants: known.map(|ty| variants(ty, self.page)).unwrap_or_default(),
            words: self.said.field(self.rule, parameter, &of.name.text).unwrap_or_default(),
        }
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

/// The names of an enumeration, with what players say for them.
fn variants(ty: &Type, page: &Documentation) -> Vec<Variant> {
    let Some(enumeration) = enumeration(ty, page) else { return Vec::new() };
    let titles = words::variants(enumeration);
    let title = |name: &str| {
        let found = titles.iter().find(|Named { name: known, .. }| known == name);
        found.map(|one| one.title.clone())
    };
    let names = enumeration.variants.iter();
    names.map(|name| Variant { name: name.clone(), title: title(name) }).collect()
}

/// The fields of a record, or of the records of a list.
fn field_types(ty: &Type) -> Vec<FieldType> {
    match &ty.kind {
        TypeKind::Record(list) => list.clone(),
        TypeKind::List(inner) | TypeKind::Optional(inner) => field_types(inner),
        TypeKind::Name(_) => Vec::new(),
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
    fn every_rule_of_every_system_has_a_title_and_every_number_its_range() {
        let engine = astragal::Engine::new();
        for system in engine.systems() {
            let page = engine.documentation(system).expect("a system");
            for form in forms(&page) {
                assert!(form.words.title.is_some(), "{system}.{}", form.name);
                for question in &form.questions {
                    let of = format!("{system}.{}: {}", form.name, question.name);
                    let title = question.words.title.as_deref().unwrap_or_default();
                    assert!(!title.is_empty() && !title.contains(','), "{of}: {title}");
                    let plain = question.kind == Kind::Number && question.words.choices.is_empty();
                    assert!(!plain || question.words.range.is_some(), "{of} has no range");
                    assert!(question.variants.iter().all(|one| one.title.is_some()), "{of}");
                }
            }
        }
    }

    #[test]
    fn what_is_asked_first_follows_the_lines_of_the_file() {
        let engine = astragal::Engine::new();
        let first = |system, name| {
            let page = engine.documentation(system).expect("a system");
            let form = forms(&page).into_iter().find(|form| form.name == name);
            form.expect("a rule").first
        };
        assert_eq!(first("cofd", "action"), ["pool", "again", "rote", "willpower", "extra"]);
        assert_eq!(
            first("crucible", "roll"),
            ["boons", "banes", "ability", "skill", "enchantment"]
        );
        let house = Documentation::of("house", "## A. Example: a()\nfn a(x, b = 1, c = 2) = x");
        assert_eq!(forms(&house)[0].first, ["x", "b", "c"]);
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
