//! Statements, blocks and comments as layout.

use super::Printer;
use super::doc::{Doc, comment, concat, group, hard, line, nest, text};
use super::expression::{bracket, dotted, quoted, text_literal};
use crate::tree::{Block, FieldType, Name, Parameter, Statement, StatementKind, Type, TypeKind};

impl Printer {
    pub(super) fn file(self, block: &Block) -> Doc {
        self.statements(block, false)
    }

    /// `do … end`
    pub(super) fn block(self, block: &Block) -> Doc {
        let open = if self.flat { "do " } else { "do" };
        let inside = self.statements(block, !self.flat);
        let close = if self.flat { text(" ") } else { hard(false) };
        concat(vec![text(open), nest(inside), close, text("end")])
    }

    /// The statements; a separator stands before the first one too if `opened`.
    fn statements(self, block: &Block, opened: bool) -> Doc {
        let mut parts = Vec::new();
        for (index, statement) in block.statements.iter().enumerate() {
            parts.push(self.statement(statement, index == 0, opened));
        }
        for (index, remark) in block.trailing.iter().enumerate().filter(|_| !self.flat) {
            let first = index == 0 && block.statements.is_empty();
            if opened || !first {
                parts.push(hard(remark.after_blank && !first));
            }
            parts.push(comment(format!("#{}", remark.text)));
        }
        concat(parts)
    }

    /// A statement with its comments, after the separator from what stands before it.
    pub(super) fn statement(self, statement: &Statement, first: bool, opened: bool) -> Doc {
        let mut parts = Vec::new();
        let mut at_start = first;
        let mut separate = |parts: &mut Vec<Doc>, after_blank: bool| {
            if opened || !at_start {
                parts.push(self.separator(after_blank && !at_start));
            }
            at_start = false;
        };
        if !self.flat {
            for remark in &statement.leading {
                separate(&mut parts, remark.after_blank);
                parts.push(comment(format!("#{}", remark.text)));
            }
            for (index, remark) in statement.doc.iter().flat_map(|doc| doc.split('\n')).enumerate()
            {
                separate(&mut parts, index == 0 && statement.after_blank);
                parts.push(comment(format!("## {remark}").trim_end().to_owned()));
            }
        }
        separate(&mut parts, statement.after_blank && statement.doc.is_none());
        parts.push(self.kind(&statement.kind));
        if !self.flat {
            parts.extend(side(statement.side.as_deref()));
        }
        concat(parts)
    }

    fn kind(self, kind: &StatementKind) -> Doc {
        match kind {
            StatementKind::Let { name, value } => {
                self.after(text(format!("let {} =", name.text)), value)
            }
            StatementKind::Function { name, parameters, body } => {
                let parameters = parameters.iter().map(|p| self.parameter(p)).collect();
                let head = vec![
                    text(format!("fn {}", name.text)),
                    bracket("(", parameters, ")"),
                    text(" ="),
                ];
                self.after(concat(head), body)
            }
            StatementKind::Enumeration { name, variants } => enumeration(name, variants),
            StatementKind::Input { name, value } => {
                self.after(text(format!("param {} =", name.text)), value)
            }
            StatementKind::Show { name, value } => {
                self.after(text(format!("show {} =", quoted(name))), value)
            }
            StatementKind::Require { condition, message } => {
                let message = concat(vec![line(), text("else "), text(text_literal(message))]);
                group(concat(vec![text("require "), self.expr(condition), nest(message)]))
            }
            StatementKind::Given { condition } => {
                concat(vec![text("given "), self.expr(condition)])
            }
            StatementKind::Note { message } => text(format!("note {}", text_literal(message))),
            StatementKind::Use { path, alias, .. } => {
                let alias =
                    alias.as_ref().map_or(String::new(), |name| format!(" as {}", name.text));
                text(format!("use {}{alias}", quoted(path)))
            }
            StatementKind::Expression(expr) => self.expr(expr),
        }
    }

    fn parameter(self, parameter: &Parameter) -> Doc {
        let roll = text(if parameter.roll { "roll " } else { "" });
        let (name, annotation) = (&parameter.name, parameter.annotation.as_ref());
        concat(vec![roll, self.declared(name, annotation, parameter.default.as_ref())])
    }

    fn declared(
        self,
        name: &Name,
        annotation: Option<&Type>,
        default: Option<&crate::tree::Expr>,
    ) -> Doc {
        let mut parts = vec![text(&name.text)];
        if let Some(annotation) = annotation {
            parts.push(text(": "));
            parts.push(self.written_type(annotation));
        }
        if let Some(default) = default {
            parts.push(text(" = "));
            parts.push(self.expr(default));
        }
        concat(parts)
    }

    fn written_type(self, written: &Type) -> Doc {
        match &written.kind {
            TypeKind::Name(path) => text(dotted(path)),
            TypeKind::List(of) => concat(vec![text("["), self.written_type(of), text("]")]),
            TypeKind::Optional(of) => concat(vec![self.written_type(of), text("?")]),
            TypeKind::Record(fields) => {
                let field = |f: &FieldType| {
                    self.declared(&f.name, f.annotation.as_ref(), f.default.as_ref())
                };
                bracket("{", fields.iter().map(field).collect(), "}")
            }
        }
    }
}

fn enumeration(name: &Name, variants: &[Name]) -> Doc {
    let mut parts = vec![line()];
    for (index, variant) in variants.iter().enumerate() {
        if index > 0 {
            parts.push(text(" |"));
            parts.push(line());
        }
        parts.push(text(&variant.text));
    }
    group(concat(vec![text(format!("enum {} =", name.text)), nest(concat(parts))]))
}

/// A comment at the end of a line.
pub(super) fn side(side: Option<&str>) -> Option<Doc> {
    side.map(|remark| comment(format!("  #{remark}")))
}
