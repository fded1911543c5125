//! Texts with holes, and texts that name a variant.

use std::sync::Arc;

use astragal_syntax::tree::{Text, TextPart};

use super::expression::plain;
use super::name::{of_variant, variant};
use super::{Checker, Typed, constant};
use crate::core::{Expr, Kind, Op, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::Want;

impl<'t> Checker<'t> {
    /// `"{n} dice thrown again"`; where an enumeration is wanted, the variant of that name.
    #[inline(never)]
    pub(super) fn text(
        &mut self,
        scope: &Scope<'t>,
        text: &'t Text,
        want: Option<&Want<'t>>,
    ) -> Typed {
        if let Some(whole) = literal(text) {
            return match want.and_then(Want::enumeration) {
                Some(of) => match variant(of, &whole) {
                    Some(variant) => of_variant(variant, text.span),
                    None => self.wrong(errors::unknown_variant(text.span, &whole, of)),
                },
                None => plain(Value::text(whole), Type::Text, text.span),
            };
        }
        let operands = text.parts.iter().map(|part| self.part(scope, part, text)).collect();
        let kind = Kind::Operation { op: Op::Join, operands };
        Typed { expr: Expr { kind, span: text.span }, ty: Type::Text }
    }

    fn part(&mut self, scope: &Scope<'t>, part: &'t TextPart, text: &Text) -> Expr {
        match part {
            TextPart::Literal(letters) => {
                constant(Value::Text(Arc::from(letters.as_str())), text.span)
            }
            TextPart::Hole(expr) => self.value(scope, expr, None).expr,
        }
    }
}

/// The whole text, if it has no holes.
fn literal(text: &Text) -> Option<String> {
    text.parts
        .iter()
        .map(|part| match part {
            TextPart::Literal(letters) => Some(letters.as_str()),
            TextPart::Hole(_) => None,
        })
        .collect()
}
