//! What is written behind dice or a set.
//!
//! ```text
//! operations = { operator selector }
//! selector   = [ "h" | "l" | "<" | ">" ] digits
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Comparison, End};

use crate::faces::Test;
use crate::reader::{Read, Reader};

/// What dice take.
pub(super) const ON_DICE: &[&str] = &["rr", "ro", "ra", "e", "mi", "ma", "k", "p"];

/// What sets take.
pub(super) const ON_SETS: &[&str] = &["k", "p"];

/// Which dice.
#[derive(Clone, Copy)]
pub(super) enum Selector {
    /// So many from one end.
    At(End, i64),
    /// Those that pass.
    Showing(Test),
}

/// An operator with all its selectors.
pub(super) struct Operation {
    pub(super) operator: &'static str,
    pub(super) selectors: Vec<Selector>,
    pub(super) span: Span,
}

impl Operation {
    pub(super) fn read_all(
        reader: &mut Reader,
        known: &'static [&'static str],
    ) -> Read<Vec<Operation>> {
        let mut found: Vec<Operation> = Vec::new();
        loop {
            let start = reader.scan.at();
            let Some(operator) = reader.scan.eat_longest(known) else { return Ok(found) };
            let selector = selector(reader)?;
            let span = reader.scan.since(start);
            match found.last_mut() {
                // Bounds act one by one; the others are one operation for all their selectors.
                Some(last) if last.operator == operator && !matches!(operator, "mi" | "ma") => {
                    last.selectors.push(selector);
                    last.span = last.span.to(span);
                }
                _ => found.push(Operation { operator, selectors: vec![selector], span }),
            }
        }
    }

    /// The conditions, if it selects by nothing else.
    pub(super) fn tests(&self) -> Option<Vec<Test>> {
        let test = |selector: &Selector| match selector {
            Selector::Showing(test) => Some(*test),
            Selector::At(..) => None,
        };
        self.selectors.iter().map(test).collect()
    }

    /// One end and how many from it, if it selects by nothing else: `kh2kh3` are the three highest.
    pub(super) fn end(&self) -> Option<(End, i64)> {
        let mut ends = self.selectors.iter().map(|selector| match selector {
            Selector::At(end, count) => Some((*end, *count)),
            Selector::Showing(_) => None,
        });
        let first = ends.next()??;
        ends.try_fold(first, |(end, most), next| {
            next.filter(|(other, _)| *other == end).map(|(_, count)| (end, most.max(count)))
        })
    }
}

fn selector(reader: &mut Reader) -> Read<Selector> {
    let sign = reader.scan.eat_longest(&["h", "l", "<", ">"]);
    let Some(digits) = reader.scan.digits() else {
        return Err(reader.expected("a number, as in `kh3` or `ro<3`,"));
    };
    let number = digits.parse().unwrap_or(i64::MAX);
    Ok(match sign {
        Some("h") => Selector::At(End::Highest, number),
        Some("l") => Selector::At(End::Lowest, number),
        Some("<") => Selector::Showing(Test::new(Comparison::Less, number)),
        Some(">") => Selector::Showing(Test::new(Comparison::Greater, number)),
        _ => Selector::Showing(Test::new(Comparison::Equal, number)),
    })
}
