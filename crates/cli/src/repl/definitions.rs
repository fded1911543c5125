//! What a session has defined: text that is put before each later line.
//!
//! After `let stats = 4d6kh3` and `fn twice(x) = x * 2`, the line `twice(stats)` is the program
//!
//! ```text
//! let stats = 4d6kh3
//! fn twice(x) = x * 2
//! twice(stats)
//! ```
//!
//! so each line throws anew, and within one line `stats` is one throw. Only what a line needs is put
//! before it: `d20` alone does not throw `stats`.

use std::collections::HashSet;

use astragal::Diagnostics;
use astragal::syntax::span::SourceId;
use astragal::syntax::tree::{Name, Parameter, Statement, StatementKind};
use astragal::syntax::{Class, Limits, parse, tokens};

/// The definitions of a session, in the order in which they work.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    list: Vec<Definition>,
}

/// One definition.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    /// With its documentation.
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) doc: Option<String>,
}

/// What is defined.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Let,
    Function(Vec<Parameter>),
    Enumeration(Vec<String>),
    Input,
    Use,
}

/// A line taken apart.
pub(super) struct Line {
    pub(super) definitions: Vec<Definition>,
    /// Whether anything else is in it: something to roll.
    pub(super) rolls: bool,
}

impl Line {
    pub(super) fn read(text: &str) -> Line {
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

impl Definitions {
    pub(super) fn list(&self) -> &[Definition] {
        &self.list
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// All of them as a program.
    pub(super) fn text(&self) -> String {
        self.list.iter().map(|definition| format!("{}\n", definition.text)).collect()
    }

    /// Keeps a definition in place of one with the same name, if all of them together still check.
    pub(super) fn keep(
        &mut self,
        new: &Definition,
        check: impl Fn(&str) -> Result<(), Diagnostics>,
    ) -> Result<(), Diagnostics> {
        let in_place = self.with(new, true);
        if check(&in_place.text()).is_ok() {
            *self = in_place;
            return Ok(());
        }
        let at_the_end = self.with(new, false);
        check(&at_the_end.text())?;
        *self = at_the_end;
        Ok(())
    }

    fn with(&self, new: &Definition, in_place: bool) -> Definitions {
        let mut list = self.list.clone();
        let at = list.iter().position(|old| old.name == new.name);
        match at {
            Some(at) if in_place => list[at] = new.clone(),
            Some(at) => {
                list.remove(at);
                list.push(new.clone());
            }
            None => list.push(new.clone()),
        }
        Definitions { list }
    }

    /// What must stand before a line, and ends with a newline unless it is empty.
    pub(super) fn before(&self, line: &str) -> String {
        let own = Line::read(line).definitions;
        let defined_anew = |d: &Definition| own.iter().any(|new| new.name == d.name);
        let mut needed: Vec<bool> = self.list.iter().map(Definition::is_always_there).collect();
        let mut mentioned = names(line);
        for (definition, _) in self.list.iter().zip(&needed).filter(|(_, needed)| **needed) {
            mentioned.extend(names(&definition.text));
        }
        // Each round finds at least one more, so this ends.
        while let Some(at) = (0..self.list.len())
            .find(|&at| !needed[at] && mentioned.contains(self.list[at].name.as_str()))
        {
            needed[at] = true;
            mentioned.extend(names(&self.list[at].text));
        }
        let kept = self.list.iter().zip(needed).filter(|(d, needed)| *needed && !defined_anew(d));
        kept.map(|(definition, _)| format!("{}\n", definition.text)).collect()
    }
}

impl Definition {
    /// It throws nothing and may be needed without being named.
    fn is_always_there(&self) -> bool {
        matches!(self.kind, Kind::Enumeration(_) | Kind::Use)
    }
}

/// The names that a text mentions.
fn names(text: &str) -> HashSet<&str> {
    let names = tokens(text).into_iter().filter(|token| token.class == Class::Name);
    names.filter_map(|token| text.get(token.start..token.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &[&str]) -> Definitions {
        let mut kept = Definitions::default();
        for definition in lines.iter().flat_map(|line| Line::read(line).definitions) {
            assert!(kept.keep(&definition, |_| Ok(())).is_ok());
        }
        kept
    }

    #[test]
    fn only_what_a_line_needs_stands_before_it() {
        let kept = kept(&["let x = 3d6", "let y = x + 1", "fn f(a) = a + y", "enum E = a"]);
        assert_eq!(kept.before("d20"), "enum E = a\n");
        assert_eq!(kept.before("x"), "let x = 3d6\nenum E = a\n");
        assert_eq!(kept.before("f(1)"), kept.text());
    }

    #[test]
    fn a_new_definition_replaces_the_old_one_where_it_stands() {
        let kept = kept(&["let x = 3d6", "let y = x", "let x = 1; let z = 2"]);
        assert_eq!(kept.text(), "let x = 1\nlet y = x\nlet z = 2\n");
        assert_eq!(kept.before("let x = 7; x"), "");
    }

    #[test]
    fn a_line_is_definitions_or_something_to_roll() {
        assert!(!Line::read("let x = 1; fn f() = 2").rolls);
        assert!(Line::read("let x = 1; x").rolls);
        assert!(Line::read("show \"a\" = d6").rolls);
        assert!(Line::read("").rolls);
    }
}
