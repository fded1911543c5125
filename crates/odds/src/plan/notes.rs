//! What becomes of notes in a plan.
//!
//! A note never changes a value, so the plan that the odds are worked out from has none: no way through it can lose
//! one or tell a wrong one. Which notes are certain is a question of its own ([`crate::notices`]), and its plans say
//! with the other forms what is to happen where something is noted.

use std::sync::Arc;

use astragal_program::core::{Expr, Kind as CoreKind, LocalId, Op};
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::lower::node;
use super::{Kind, Node};

/// What is to happen where something is noted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Notes<'a> {
    /// Nothing.
    LeftOut,
    /// The program fails with the words of the note, unless they are among these.
    Refused {
        but: &'a [Arc<str>],
        /// Only notes count whose words the text states.
        stated: bool,
    },
    /// The attempt does not count if these are the words.
    Rejected(&'a str),
}

impl Notes<'_> {
    /// Whether it matters what a note says.
    pub(super) fn hear(self, message: &Expr) -> bool {
        match self {
            Notes::LeftOut => false,
            Notes::Refused { stated, .. } => !stated || stated_words(message).is_some(),
            Notes::Rejected(words) => may_be(message, words),
        }
    }

    /// What follows a note whose words lie in a variable.
    pub(super) fn after(self, said: LocalId, body: Node, span: Span) -> Node {
        let words = || node(Kind::Local(said), span);
        let compared = |op, with: &str| {
            let with = node(Kind::Constant(Value::text(with)), span);
            node(Kind::Operation { op, operands: vec![words(), with] }, span)
        };
        let body = Box::new(body);
        match self {
            Notes::LeftOut => *body,
            Notes::Rejected(words) => {
                node(Kind::Given { condition: Box::new(compared(Op::NotEqual, words)), body }, span)
            }
            Notes::Refused { but, .. } => {
                let truth = |truth| Box::new(node(Kind::Constant(Value::Bool(truth)), span));
                let condition = but.iter().fold(truth(false), |others, known| {
                    let condition = Box::new(compared(Op::Equal, known));
                    let then = truth(true);
                    Box::new(node(Kind::If { condition, then, otherwise: others }, span))
                });
                node(Kind::Require { condition, message: Box::new(words()), body }, span)
            }
        }
    }
}

/// The words of a message without holes.
fn stated_words(message: &Expr) -> Option<&str> {
    match &message.kind {
        CoreKind::Constant(Value::Text(words)) => Some(words),
        CoreKind::Operation { op: Op::Join, operands } => match operands.as_slice() {
            [] => Some(""),
            [only] => stated_words(only),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a message may come to these words, as far as its stated beginning and end tell.
fn may_be(message: &Expr, words: &str) -> bool {
    if let Some(stated) = stated_words(message) {
        return stated == words;
    }
    let CoreKind::Operation { op: Op::Join, operands } = &message.kind else { return true };
    let first = operands.first().and_then(stated_words).unwrap_or("");
    let last = operands.last().and_then(stated_words).unwrap_or("");
    words.len() >= first.len() + last.len() && words.starts_with(first) && words.ends_with(last)
}
