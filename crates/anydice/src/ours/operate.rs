//! Operators and sequences in our words.

use std::rc::Rc;

use astragal_prob::{Comparison, Integer, Meter};
use astragal_syntax::span::Span;

use super::shape::{Die, Shape, Text, dice, sides};
use super::{Said, Scope, Speaker};
use crate::make::{Items, whole};
use crate::operate;
use crate::tree::{Binary, Expr, ExprKind, Part, Unary};
use crate::value::{Value, sum};

/// A list of parameters is no longer than that.
const LONGEST_LIST: usize = 40;
/// Constants are computed within this.
const STEPS: u64 = 1_000_000;

impl Speaker<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, scope: &Scope) -> Said<Shape> {
        self.step(expr.span)?;
        let shape = self.form(expr, scope)?;
        self.write(shape.letters(), expr.span)?;
        Ok(shape)
    }

    fn form(&mut self, expr: &Expr, scope: &Scope) -> Said<Shape> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(Shape::Number(number.clone())),
            ExprKind::Variable(variable) => match scope.values.get(variable) {
                Some(shape) => Ok(shape.clone()),
                None => self.refuse("a variable whose value is not known here", expr.span),
            },
            ExprKind::Sequence(parts) => self.sequence(parts, scope, expr.span),
            ExprKind::Unary(operator, value) => {
                let value = self.expr(value, scope)?;
                self.unary(*operator, value, expr.span)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.expr(left, scope)?, self.expr(right, scope)?);
                self.binary(*operator, left, right, expr.span)
            }
            ExprKind::Call(signature, arguments) => {
                let values: Said<Vec<Shape>> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect();
                self.call(*signature, values?, scope, expr.span)
            }
        }
    }

    fn sequence(&mut self, parts: &[Part], scope: &Scope, span: Span) -> Said<Shape> {
        if let Some(list) = self.list(parts, scope)? {
            return Ok(list);
        }
        let meter = Meter::new(STEPS);
        let mut items = Items::default();
        for part in parts {
            let first = self.known(&part.first, scope)?;
            let mut block = Items::default();
            let too_long =
                |speaker: &Self| speaker.refuse::<()>("a sequence as long as this", span);
            let done = match &part.last {
                None => block.add(&first, &meter),
                Some(last) => {
                    let last = self.known(last, scope)?;
                    let ends = (whole(&first, "", span), whole(&last, "", span));
                    match ends {
                        (Ok(first), Ok(last)) => block.range(&first, &last, &meter),
                        _ => return self.refuse("a range of dice", span),
                    }
                }
            };
            done.or_else(|_| too_long(self))?;
            let times = match &part.times {
                None => Integer::ONE,
                Some(times) => match self.known(times, scope)? {
                    Value::Number(number) => number,
                    Value::Sequence(items) => sum(&items),
                    Value::Die(_) => return self.refuse("a random number of items", span),
                },
            };
            items.repeat(&block, &times, &meter).or_else(|_| too_long(self))?;
        }
        Ok(shape_of(items.value()))
    }

    /// A sequence with parameters in it, and hands; none if all of it is known, or some of it is more than that.
    fn list(&mut self, parts: &[Part], scope: &Scope) -> Said<Option<Shape>> {
        let mut items = Vec::new();
        for part in parts {
            if part.last.is_some() || part.times.is_some() {
                return Ok(None);
            }
            match self.expr(&part.first, scope)? {
                Shape::Sequence(known) => items.extend(known.iter().cloned().map(Shape::Number)),
                Shape::List(list) => items.extend(list.iter().cloned()),
                Shape::Truth { text, thrown: false } => {
                    items.push(Shape::Bound(Shape::Truth { text, thrown: false }.total()));
                }
                item @ (Shape::Number(_) | Shape::Bound(_) | Shape::Hand { .. }) => {
                    items.push(item)
                }
                _ => return Ok(None),
            }
        }
        let known = items.iter().all(Shape::is_known);
        Ok((!known && items.len() <= LONGEST_LIST).then(|| Shape::List(items.into())))
    }

    /// A part of a sequence must be known.
    fn known(&mut self, expr: &Expr, scope: &Scope) -> Said<Value> {
        match self.expr(expr, scope)? {
            Shape::Number(number) => Ok(Value::Number(number)),
            Shape::Sequence(items) => Ok(Value::Sequence(items)),
            _ => self.refuse("a sequence that is made of dice or of parameters", expr.span),
        }
    }

    fn unary(&mut self, operator: Unary, value: Shape, span: Span) -> Said<Shape> {
        Ok(match (operator, value) {
            (Unary::Plus, value) => value,
            (Unary::Die, value) => self.die(value, span)?,
            (Unary::Minus, Shape::Number(number)) => Shape::Number(-number),
            (Unary::Minus, Shape::Sequence(items)) => Shape::Number(-sum(&items)),
            (Unary::Minus, value) => {
                Shape::number(Text::open(format!("-{}", value.total().inside())), value.is_thrown())
            }
            (Unary::Not, Shape::Number(number)) => truth_of(number.is_zero()),
            (Unary::Not, Shape::Sequence(items)) => truth_of(sum(&items).is_zero()),
            (Unary::Not, value) => {
                let thrown = value.is_thrown();
                let text = Text::open(format!("not {}", value.truth().inside()));
                Shape::Truth { text, thrown }
            }
            (Unary::Size, Shape::Number(number)) => {
                Shape::Number(operate::size(&Value::Number(number)))
            }
            (Unary::Size, Shape::Sequence(items)) => Shape::Number(items.len().into()),
            (Unary::Size, Shape::Dice { count, .. } | Shape::Hand { count, .. }) => {
                Shape::Number(count.into())
            }
            (Unary::Size, list @ Shape::List(_)) => Shape::Number(list.items().into()),
            (Unary::Size, Shape::Pool { count, .. }) => Shape::Bound(count),
            (Unary::Size, Shape::Throw(_) | Shape::Truth { .. }) => Shape::Number(Integer::ONE),
            (Unary::Size, Shape::Empty) => Shape::Number(Integer::ZERO),
            (Unary::Size, Shape::Bound(_)) => return self.refuse("the digits of a number", span),
        })
    }

    /// Unary `d`.
    fn die(&mut self, value: Shape, span: Span) -> Said<Shape> {
        let each = match value {
            Shape::Number(number) if number.is_zero() => return Ok(Shape::Number(Integer::ZERO)),
            Shape::Number(number) if number > Integer::ZERO => number.to_string().into(),
            Shape::Number(number) => format!("{{{number}..-1}}").into(),
            Shape::Sequence(items) => match sides(&items) {
                Some(sides) => sides,
                None => return Ok(Shape::Empty),
            },
            Shape::Bound(text) => format!("({})", text.plain()).into(),
            Shape::Empty => return self.refuse("the empty die", span),
            Shape::Hand { .. } | Shape::List(_) => {
                return self.refuse("a die with the faces of a hand", span);
            }
            thrown => return Ok(thrown),
        };
        Ok(Shape::Dice { count: 1, each: Die::Sides(each) })
    }

    /// `a d x`.
    fn thrown(&mut self, count: Shape, value: Shape, span: Span) -> Said<Shape> {
        let die = self.die(value, span)?;
        let each = match &die {
            Shape::Dice { count: 1, each } => each.clone(),
            other => Die::Total(other.total()),
        };
        let (negative, count) = match count {
            Shape::Number(number) if number == Integer::ONE => return Ok(die),
            Shape::Number(number) if number.is_zero() => return Ok(Shape::Number(number)),
            Shape::Number(number) => (number < Integer::ZERO, Shape::Number(number)),
            Shape::Sequence(items) => return self.thrown(Shape::Number(sum(&items)), die, span),
            other => (false, other),
        };
        let Shape::Number(number) = count else {
            let thrown = count.is_thrown();
            let count = count.total();
            let text = Text::whole(match &each {
                Die::Sides(sides) => format!("({})d{sides}", count.plain()),
                Die::Total(text) => format!("times({}, {})", count.plain(), text.plain()),
            });
            // A random number of dice is one die.
            return Ok(if thrown { Shape::Throw(text) } else { Shape::Pool { count, text } });
        };
        let size = if negative { -number } else { number };
        let Ok(size) = u64::try_from(&size) else {
            return self.refuse("so many dice", span);
        };
        if negative {
            return Ok(Shape::Throw(Text::open(format!("-{}", dice(size, &each).inside()))));
        }
        Ok(Shape::Dice { count: size, each })
    }

    fn binary(&mut self, operator: Binary, left: Shape, right: Shape, span: Span) -> Said<Shape> {
        match operator {
            Binary::Dice => return self.thrown(left, right, span),
            Binary::At => return self.at(&left, &right, span),
            _ => {}
        }
        match (operator, &left, &right) {
            (Binary::Add | Binary::Subtract | Binary::Either, _, Shape::Empty) => return Ok(left),
            (Binary::Add | Binary::Either, Shape::Empty, _) => return Ok(right),
            (_, Shape::Empty, _) | (_, _, Shape::Empty) => {
                return self.refuse("the empty die", span);
            }
            _ => {}
        }
        if let (Some(one), Some(other)) = (value_of(&left), value_of(&right)) {
            let computed = operate::binary(operator, one, other, &Meter::new(STEPS), span);
            return match computed {
                Ok(value) => Ok(shape_of(value)),
                Err(_) => self.refuse("this number", span),
            };
        }
        let (left, right) = match operator {
            Binary::Compare(_) => (left.pooled(), right.pooled()),
            _ => (left, right),
        };
        if let Binary::Compare(comparison) = operator
            && let Some(counted) = counted(comparison, &left, &right)
        {
            return Ok(counted);
        }
        let thrown = left.is_thrown() || right.is_thrown();
        let (a, b) = (left.total().inside(), right.total().inside());
        let truth = |text: String| Shape::Truth { text: Text::open(text), thrown };
        let number = |text: String| Shape::number(Text::open(text), thrown);
        Ok(match operator {
            Binary::Compare(comparison) => {
                // AnyDice computes `die <= sequence` as `die > sequence`.
                let quirk = thrown && matches!(right, Shape::Sequence(_));
                let at_most = comparison == Comparison::AtMost && quirk;
                truth(format!(
                    "{a} {} {b}",
                    sign(if at_most { Comparison::Greater } else { comparison })
                ))
            }
            Binary::Both => {
                truth(format!("{} and {}", left.truth().inside(), right.truth().inside()))
            }
            Binary::Either => {
                truth(format!("{} or {}", left.truth().inside(), right.truth().inside()))
            }
            Binary::Add => number(format!("{a} + {b}")),
            Binary::Subtract => number(format!("{a} - {b}")),
            Binary::Multiply => number(format!("{a} * {b}")),
            Binary::Divide => match &right {
                Shape::Number(by) if by.is_zero() => Shape::Number(Integer::ZERO),
                _ => number(format!("{a} // {b}")),
            },
            Binary::Power => number(format!("{a} ^ {b}")),
            Binary::At | Binary::Dice => return self.refuse("this", span),
        })
    }

    /// `positions @ value`.
    fn at(&mut self, positions: &Shape, value: &Shape, span: Span) -> Said<Shape> {
        let places: Rc<[Integer]> = match positions {
            Shape::Number(number) => Rc::from([number.clone()]),
            Shape::Sequence(items) => Rc::clone(items),
            Shape::Bound(text) => {
                if let Shape::Sequence(items) = value {
                    let items: Vec<String> = items.iter().map(Integer::to_string).collect();
                    let text = format!("at([{}], {})", items.join(", "), text.plain());
                    return Ok(Shape::Bound(Text::whole(text)));
                }
                let Shape::Hand { name, .. } = value else {
                    return self.refuse("a position that is not known", span);
                };
                let nth = self.nth();
                return Ok(Shape::Bound(Text::whole(format!("{nth}({name}, {})", text.plain()))));
            }
            _ => return self.refuse("a random position", span),
        };
        if let Some(value) = value_of(value) {
            let items = match &value {
                Value::Number(number) => operate::digits(number),
                Value::Sequence(items) => items.to_vec(),
                Value::Die(_) => Vec::new(),
            };
            let digits = matches!(value, Value::Number(_)) && self.lowest_first;
            let items = if digits { items.into_iter().rev().collect() } else { items };
            return Ok(Shape::Number(operate::items_at(&places, &items)));
        }
        if let Shape::List(items) = value {
            return Ok(self.listed(&places, items));
        }
        let (pool, count, thrown) = match value {
            Shape::Pool { text, .. } => (text.clone(), u64::MAX, true),
            Shape::Dice { count, each } => (dice(*count, each), *count, true),
            Shape::Hand { name, count } => (Text::whole(name.to_string()), *count, false),
            Shape::Throw(text) => (text.clone(), 1, true),
            _ => return self.refuse("the digits of a number", span),
        };
        let place =
            |place: &Integer| u64::try_from(place).ok().filter(|at| (1..=count).contains(at));
        let places: Vec<u64> = places.iter().filter_map(place).collect();
        Ok(self.picked(&pool, &places, count, thrown))
    }

    /// The items at these places of a list, added up.
    fn listed(&self, places: &[Integer], items: &[Shape]) -> Shape {
        let mut all = Vec::new();
        for item in items {
            match item {
                Shape::Hand { name, count } if *count > 1 => {
                    let die = |at: u64| format!("{}({name}, {at})", self.nth());
                    all.extend((1..=*count).map(|at| Text::whole(die(at))));
                }
                other => all.push(other.total()),
            }
        }
        let at = |place: &Integer| all.get(usize::try_from(place).ok()?.checked_sub(1)?);
        let picked: Vec<&Text> = places.iter().filter_map(at).collect();
        match picked.as_slice() {
            [] => Shape::Number(Integer::ZERO),
            [only] => Shape::Bound((*only).clone()),
            several => {
                let each: Vec<String> = several.iter().map(|text| text.inside()).collect();
                Shape::Bound(Text::open(each.join(" + ")))
            }
        }
    }

    fn nth(&self) -> &'static str {
        if self.lowest_first { "nth_lowest" } else { "nth_highest" }
    }

    /// The dice at these places of a pool.
    fn picked(&self, pool: &Text, places: &[u64], count: u64, thrown: bool) -> Shape {
        let ends = if self.lowest_first { ["kl", "kh"] } else { ["kh", "kl"] };
        let taken = places.len() as u64;
        let run = |first: u64| places.iter().copied().eq(first..first + taken);
        let number = |text: Text| Shape::number(text, thrown);
        match places {
            [] => Shape::Number(Integer::ZERO),
            _ if count == 1 && taken == 1 => number(pool.clone()),
            [at] => number(Text::whole(format!("{}({}, {at})", self.nth(), pool.plain()))),
            _ if run(1) && taken == count => number(pool.clone()),
            _ if run(1) => number(Text::open(format!("{} {}{taken}", pool.inside(), ends[0]))),
            _ if count < u64::MAX && run(count + 1 - taken.min(count)) => {
                number(Text::open(format!("{} {}{taken}", pool.inside(), ends[1])))
            }
            places => {
                let (before, name, after) = match thrown {
                    true => (format!("do\nlet lying = {}\n", pool.plain()), "lying", "\nend"),
                    false => (String::new(), pool.plain(), ""),
                };
                let each = places.iter().map(|at| match count {
                    1 => name.to_owned(),
                    _ => format!("{}({name}, {at})", self.nth()),
                });
                let sum = each.collect::<Vec<_>>().join(" + ");
                let text = format!("{before}{sum}{after}");
                number(if thrown { Text::whole(text) } else { Text::open(text) })
            }
        }
    }
}

/// Comparisons that count: the items of a hand, or of a sequence, that fulfil them.
fn counted(comparison: Comparison, left: &Shape, right: &Shape) -> Option<Shape> {
    let (items, number, comparison) = match (left, right) {
        (Shape::Hand { .. } | Shape::Sequence(_), Shape::Number(_) | Shape::Bound(_)) => {
            (left, right, comparison)
        }
        (Shape::Number(_) | Shape::Bound(_), Shape::Hand { .. } | Shape::Sequence(_)) => {
            (right, left, comparison.mirrored())
        }
        _ => return None,
    };
    let number = number.total().inside();
    Some(Shape::Bound(match items {
        Shape::Hand { name, count: 1 } => {
            Text::open(format!("if {name} {} {number} then 1 else 0", sign(comparison)))
        }
        Shape::Hand { name, .. } => {
            let sign = if comparison == Comparison::Equal { "=" } else { sign(comparison) };
            let number = if number.bytes().all(|b| b.is_ascii_digit()) {
                number
            } else {
                format!("({number})")
            };
            Text::open(format!("{name} cs{sign}{number}"))
        }
        Shape::Sequence(items) => {
            let each = items
                .iter()
                .map(|item| format!("(if {item} {} {number} then 1 else 0)", sign(comparison)));
            let all = each.collect::<Vec<_>>().join(" + ");
            Text::open(if all.is_empty() { "0".into() } else { all })
        }
        _ => return None,
    }))
}

pub(super) fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}

pub(super) fn truth_of(truth: bool) -> Shape {
    Shape::Number(Integer::from(u8::from(truth)))
}

/// A shape that is known, as a value.
pub(super) fn value_of(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Number(number) => Some(Value::Number(number.clone())),
        Shape::Sequence(items) => Some(Value::Sequence(Rc::clone(items))),
        _ => None,
    }
}

/// A value that is no die.
pub(super) fn shape_of(value: Value) -> Shape {
    match value {
        Value::Number(number) => Shape::Number(number),
        Value::Sequence(items) => Shape::Sequence(items),
        Value::Die(_) => Shape::Number(Integer::ZERO),
    }
}
