//! What a value is while it is said in our language: a constant, or a text.

use std::rc::Rc;

use astragal_prob::Integer;
use dashu_base::BitTest;

use crate::value::sum;

/// The number that stands for a result that drops out: the call is thrown again until it shows another.
pub(super) const DROPPED: &str = "(-987654321)";

/// A value in our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A known number.
    Number(Integer),
    /// Known numbers.
    Sequence(Rc<[Integer]>),
    /// A number that depends on what is bound around it, and on nothing else.
    Bound(Text),
    /// Yes or no, of what is bound, or thrown anew wherever it is written.
    Truth { text: Text, thrown: bool },
    /// A number that is thrown anew wherever it is written.
    Throw(Text),
    /// So many equal dice, thrown anew wherever they are written.
    Dice { count: u64, each: Die },
    /// Equal dice of a number that is bound, thrown anew wherever they are written.
    Pool { count: Text, text: Text },
    /// The empty die.
    Empty,
    /// So many dice that lie on the table under a name.
    Hand { name: Rc<str>, count: u64 },
    /// Numbers and hands, one after the other.
    List(Rc<[Shape]>),
}

/// What each of some dice is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Die {
    /// What stands behind the `d`: `6`, `{1, 2, 2}`.
    Sides(Rc<str>),
    /// A total.
    Total(Text),
}

/// A piece of a program, and whether it can stand beside any operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    words: Rc<str>,
    alone: bool,
}

impl Text {
    /// A name, a call, a number: nothing has to be put around it.
    pub(super) fn whole(words: impl Into<String>) -> Text {
        Text { words: words.into().into(), alone: true }
    }

    /// An expression that takes parentheses where it stands inside another.
    pub(super) fn open(words: impl Into<String>) -> Text {
        Text { words: words.into().into(), alone: false }
    }

    pub(super) fn plain(&self) -> &str {
        &self.words
    }

    /// As part of another expression.
    pub(super) fn inside(&self) -> String {
        if self.alone { self.words.to_string() } else { format!("({})", self.words) }
    }

    pub(super) fn is_name(&self) -> bool {
        self.alone && self.words.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }
}

impl Shape {
    /// The total, as it is written.
    pub(super) fn total(&self) -> Text {
        match self {
            Shape::Number(number) => number_text(number),
            Shape::Sequence(items) => number_text(&sum(items)),
            Shape::Bound(text) | Shape::Throw(text) | Shape::Pool { text, .. } => text.clone(),
            Shape::Truth { text, .. } => Text::open(format!("if {} then 1 else 0", text.plain())),
            Shape::Dice { count, each } => dice(*count, each),
            Shape::Hand { name, .. } => Text::whole(name.to_string()),
            Shape::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.total().inside()).collect();
                Text::open(items.join(" + "))
            }
            Shape::Empty => Text::whole(DROPPED),
        }
    }

    /// About how long it is when it is written down.
    pub(super) fn letters(&self) -> usize {
        match self {
            Shape::Number(number) => number.bit_len() / 3,
            Shape::Bound(text) | Shape::Throw(text) | Shape::Truth { text, .. } => {
                text.plain().len()
            }
            Shape::Dice { each: Die::Sides(text), .. } | Shape::Hand { name: text, .. } => {
                text.len()
            }
            Shape::Dice { each: Die::Total(text), .. } => text.plain().len(),
            Shape::Pool { count, text } => count.plain().len() + text.plain().len(),
            Shape::List(items) => items.iter().map(Shape::letters).sum(),
            Shape::Sequence(_) | Shape::Empty => 0,
        }
    }

    /// What is written behind `if`.
    pub(super) fn truth(&self) -> Text {
        match self {
            Shape::Truth { text, .. } => text.clone(),
            other => Text::open(format!("{} != 0", other.total().inside())),
        }
    }

    /// Whether it is thrown anew wherever it is written.
    pub(super) fn is_thrown(&self) -> bool {
        matches!(
            self,
            Shape::Throw(_)
                | Shape::Dice { .. }
                | Shape::Pool { .. }
                | Shape::Truth { thrown: true, .. }
        )
    }

    /// A number with this text, thrown anew or not.
    pub(super) fn number(text: Text, thrown: bool) -> Shape {
        if thrown { Shape::Throw(text) } else { Shape::Bound(text) }
    }

    /// How many items it has where it stands in a list.
    pub(super) fn items(&self) -> u64 {
        match self {
            Shape::Hand { count, .. } => *count,
            Shape::List(items) => items.iter().map(Shape::items).sum(),
            _ => 1,
        }
    }

    /// A list as dice on the table, from which order is gone.
    pub(super) fn pooled(self) -> Shape {
        let Shape::List(items) = &self else { return self };
        let each = items.iter().map(|item| match item {
            Shape::Hand { name, count } if *count > 1 => name.to_string(),
            other => format!("times(1, {})", other.total().plain()),
        });
        let name = format!("{{{}}}", each.collect::<Vec<_>>().join(" + ")).into();
        Shape::Hand { name, count: self.items() }
    }

    pub(super) fn is_known(&self) -> bool {
        matches!(self, Shape::Number(_) | Shape::Sequence(_))
    }
}

fn number_text(number: &Integer) -> Text {
    match *number < Integer::ZERO {
        true => Text::open(number.to_string()),
        false => Text::whole(number.to_string()),
    }
}

/// `3d6`, or so many totals.
pub(super) fn dice(count: u64, each: &Die) -> Text {
    match (count, each) {
        (1, Die::Sides(sides)) => Text::whole(format!("d{sides}")),
        (count, Die::Sides(sides)) => Text::whole(format!("{count}d{sides}")),
        (1, Die::Total(text)) => text.clone(),
        (count, Die::Total(text)) => Text::whole(format!("times({count}, {})", text.plain())),
    }
}

/// The faces of a die as they are written: `{1..6}`, `{1, 2: 3}`.
pub(super) fn sides(items: &[Integer]) -> Option<Rc<str>> {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    let (first, last) = (sorted.first()?, sorted.last()?);
    let steps = sorted.windows(2).all(|pair| &pair[1] - &pair[0] == Integer::ONE);
    if steps && *first == Integer::ONE {
        return Some(last.to_string().into());
    }
    if steps && sorted.len() > 2 {
        return Some(format!("{{{first}..{last}}}").into());
    }
    let faces = sorted.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].to_string(),
        times => format!("{}: {times}", same[0]),
    });
    Some(format!("{{{}}}", faces.collect::<Vec<_>>().join(", ")).into())
}
