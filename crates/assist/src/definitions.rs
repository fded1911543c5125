//! What a text defines.

use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Name, Parameter, Statement, StatementKind};
use astragal_syntax::{Limits, parse};

/// One definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it is called.
    pub name: String,
    /// With its documentation.
    pub text: String,
    /// What is defined.
    pub kind: Kind,
    /// Its `##` lines.
    pub doc: Option<String>,
}

/// What is defined.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `let x = d6`
    Let,
    /// `fn f(x) = x + 1`
    Function(Vec<Parameter>),
    /// `enum Size = small | large`
    Enumeration(Vec<String>),
    /// `param pool = 7`
    Input,
    /// `use "house.dice"`
    Use,
}

/// A line taken apart.
pub struct Line {
    /// Its definitions, in order.
    pub definitions: Vec<Definition>,
    /// Whether anything else is in it: something to roll.
    pub rolls: bool,
}

impl Line {
    /// Takes a text apart.
    pub fn read(text: &str) -> Line {
        let parsed = parse(text, SourceId(0), &Limits::default());
        let statements = &parsed.file.block.statements;
        let definitions: Vec<Definition> =
            statements.iter().filter_map(|statement| definition(statement, text)).collect();
        let rolls = definitions.len() < statements.len() || definitions.is_empty();
        Line { definitions, rolls }
    }
}

/// A statement as a definition, if it is one.
fn definition(statement: &Statement, text: &str) -> Option<Definition> {
    let (name, kind) = match &statement.kind {
        StatementKind::Let { name, .. } => (name.text.clone(), Kind::Let),
        StatementKind::Function { name, parameters, .. } => {
            (name.text.clone(), Kind::Function(parameters.clone()))
        }
        StatementKind::Enumeration { name, variants } => {
            (name.text.clone(), Kind::Enumeration(texts(variants)))
        }
        StatementKind::Input { name, .. } => (name.text.clone(), Kind::Input),
        StatementKind::Use { path, alias, .. } => {
            (alias.as_ref().map_or_else(|| path.clone(), |alias| alias.text.clone()), Kind::Use)
        }
        StatementKind::Show { .. }
        | StatementKind::Require { .. }
        | StatementKind::Given { .. }
        | StatementKind::Note { .. }
        | StatementKind::Expression(_) => return None,
    };
    let doc = statement.doc.as_deref().unwrap_or_default();
    let doc: String = doc.lines().map(|line| format!("## {line}\n")).collect();
    let text = format!("{doc}{}", text.get(statement.span.range())?);
    Some(Definition { name, text, kind, doc: statement.doc.clone() })
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_definitions_or_something_to_roll() {
        assert!(!Line::read("let x = 1; fn f() = 2").rolls);
        assert!(Line::read("let x = 1; x").rolls);
        assert!(Line::read("show \"a\" = d6").rolls);
        assert!(Line::read("").rolls);
    }
}
