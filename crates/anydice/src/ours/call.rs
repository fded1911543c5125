//! Calls in our words: functions of the program, and AnyDice's own.

use std::collections::BTreeMap;
use std::rc::Rc;

use astragal_prob::Integer;
use astragal_prob::pool::End;
use astragal_syntax::span::Span;
use dashu_base::UnsignedAbs;

use super::body::{known_number, ours};
use super::operate::truth_of;
use super::shape::{DROPPED, Die, Shape, Text, dice};
use super::{Recursion, Said, Scope, Speaker};
use crate::builtin::{self, Builtin};
use crate::tree::{Function, Kind, Signature};
use crate::value::sum;

impl Speaker<'_> {
    pub(super) fn call(
        &mut self,
        signature: Signature,
        arguments: Vec<Shape>,
        scope: &Scope,
        span: Span,
    ) -> Said<Shape> {
        let Some(function) = self.functions.get(&signature).map(Rc::clone) else {
            let program = self.program;
            return match builtin::named(&program.signatures[signature]) {
                Some(known) => self.builtin(known, &arguments, span),
                None => self.refuse("a function that is not defined yet", span),
            };
        };
        if self.depth >= self.function_depth {
            return Ok(Shape::Empty);
        }
        let again = self.active.get(&signature).filter(|_| self.recursion == Recursion::AsIs);
        if let Some(name) = again {
            let texts: Vec<String> =
                arguments.iter().map(|argument| argument.total().plain().to_owned()).collect();
            return Ok(Shape::Throw(Text::whole(format!("{name}({})", texts.join(", ")))));
        }
        // What is known stays known where nothing is cast; else numbers are parameters, if that can be said.
        let all_known = arguments.iter().all(Shape::is_known);
        let orders = if all_known { [false, true] } else { [true, false] };
        let (written, steps) = (self.definitions.len(), self.steps);
        let mut refusal = None;
        for symbolic in orders {
            let outer = self.active.clone();
            self.depth += 1;
            let said = self.written(&function, &arguments, scope, symbolic, span);
            self.depth -= 1;
            self.active = outer;
            match said {
                Ok(shape) => return Ok(shape),
                Err(error) => refusal = refusal.or(Some(error)),
            }
            self.definitions.truncate(written);
            // Trying again is not free, but must not use up what others need.
            self.steps = self.steps.min(steps + super::MOST_STEPS / 100);
        }
        match refusal {
            Some(error) => Err(error),
            None => self.refuse("this call", span),
        }
    }

    /// A call with its function written down, or in its place if the function has no parameters of ours.
    fn written(
        &mut self,
        function: &Function,
        arguments: &[Shape],
        scope: &Scope,
        symbolic: bool,
        span: Span,
    ) -> Said<Shape> {
        let handed = self.handed(function, arguments, scope, symbolic, span)?;
        let Handed { inner, parameters, cast } = handed;
        if parameters.is_empty() {
            return self.body(function, inner, span);
        }
        let name = self.name_of(function.signature);
        self.active.insert(function.signature, name.clone());
        // Names are those of this function alone, so that its like is the same text.
        let outer = std::mem::take(&mut self.names);
        let body = self.body(function, inner, span);
        self.names = outer;
        let body = body?;
        if body == Shape::Empty {
            return self.refuse("a result that drops out", span);
        }
        let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        let name = self.define(&name, &names.join(", "), body.total().plain());
        let texts: Vec<String> =
            parameters.iter().map(|(_, value)| value.total().plain().to_owned()).collect();
        let call = format!("{name}({})", texts.join(", "));
        if body.total().plain().contains(DROPPED) {
            // What drops out leaves its chance to the others, in this call alone.
            if !cast {
                return self.refuse("a result that drops out", span);
            }
            let text =
                format!("(repeat with it = {call} next it = {call} until it != {DROPPED}).it");
            return Ok(Shape::Throw(Text::open(text)));
        }
        let thrown =
            cast || body.is_thrown() || parameters.iter().any(|(_, value)| value.is_thrown());
        Ok(Shape::number(Text::whole(call), thrown))
    }

    /// What a function sees of a call, and which of its parameters are parameters of ours.
    fn handed(
        &self,
        function: &Function,
        arguments: &[Shape],
        scope: &Scope,
        symbolic: bool,
        span: Span,
    ) -> Said<Handed> {
        let mut handed = Handed::default();
        let outside = scope.values.iter().filter(|(_, shape)| shape.is_known() || is_free(shape));
        handed.inner.values.extend(outside.map(|(variable, shape)| (*variable, shape.clone())));
        for ((variable, kind), argument) in function.parameters.iter().zip(arguments).rev() {
            let value = match is_parameter(*kind, argument, symbolic) {
                false => as_given(*kind, argument),
                true => {
                    let name = ours(&self.program.variables[*variable]);
                    handed.parameters.push((name.clone(), argument.clone()));
                    self.under_a_name(*kind, name, argument, span)?
                }
            };
            handed.cast |= matches!(kind, Kind::Number | Kind::Sequence) && argument.is_thrown();
            if matches!(&value, Shape::Bound(text) if !text.is_name()) {
                return self.refuse("a parameter that depends on others", span);
            }
            handed.inner.values.insert(*variable, value);
        }
        handed.parameters.reverse();
        Ok(handed)
    }

    /// A parameter of ours inside its function.
    fn under_a_name(&self, kind: Kind, name: String, argument: &Shape, span: Span) -> Said<Shape> {
        let count = match (kind, argument) {
            (Kind::Sequence, Shape::Pool { .. } | Shape::List(_)) => {
                return self.refuse("a hand of dice whose number is not known", span);
            }
            (Kind::Sequence, Shape::Dice { count, .. } | Shape::Hand { count, .. }) => *count,
            (Kind::Sequence, _) => 1,
            _ => return Ok(Shape::Bound(Text::whole(name))),
        };
        Ok(Shape::Hand { name: name.into(), count })
    }

    /// `check _ against _` as `check_against`.
    fn name_of(&self, signature: Signature) -> String {
        let words = self.program.signatures[signature].split(' ').filter(|word| *word != "_");
        let name = words.collect::<Vec<_>>().join("_");
        if name.is_empty() { "f".into() } else { ours(&name) }
    }

    /// Writes a function down, unless it is there already; another of the same name gets a number.
    fn define(&mut self, name: &str, parameters: &str, body: &str) -> String {
        for number in 1.. {
            let own = if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
            // A function that calls itself does so under its own name.
            let itself = number > 1 && self.recursion == Recursion::AsIs;
            let body = if itself { renamed(body, name, &own) } else { body.to_owned() };
            let between = if body.contains('\n') { '\n' } else { ' ' };
            let text = format!("fn {own}({parameters}) ={between}{body}");
            match self.definitions.iter().find(|(known, _)| *known == own) {
                Some((_, known)) if *known == text => return own,
                Some(_) => {}
                None => {
                    self.definitions.push((own.clone(), text));
                    return own;
                }
            }
        }
        name.to_owned()
    }

    fn builtin(&mut self, known: Builtin, arguments: &[Shape], span: Span) -> Said<Shape> {
        if let (Builtin::Count | Builtin::Contains, true) =
            (known, arguments.iter().any(|one| matches!(one, Shape::List(_))))
        {
            let pooled: Vec<Shape> =
                arguments.iter().map(|argument| argument.clone().pooled()).collect();
            return self.builtin(known, &pooled, span);
        }
        match (known, arguments) {
            (Builtin::Absolute, [value]) => Ok(absolute(value)),
            (Builtin::Extreme(end), [left, right]) => Ok(extreme(end, left, right)),
            (Builtin::Keep(end), [number, dice @ ..]) => self.keep(number, dice, end, span),
            (Builtin::Middle, [number, Shape::Dice { count, each }]) => {
                self.middle(number, *count, each, span)
            }
            (Builtin::Count, [values, items]) => self.count(values, items, span),
            (Builtin::Contains, [items, number]) => self.contains(items, number, span),
            (Builtin::Explode, [Shape::Dice { count: 1, each: Die::Sides(sides) }]) => {
                let depth = self.explode_depth;
                Ok(Shape::Throw(Text::open(format!("d{sides}! up to {depth}"))))
            }
            (Builtin::Maximum, [Shape::Number(number)]) => Ok(Shape::Number(number.clone())),
            (Builtin::Maximum, [Shape::Dice { count, each: Die::Sides(sides) }]) => {
                match sides.parse::<Integer>() {
                    Ok(sides) => Ok(Shape::Number(sides * Integer::from(*count))),
                    Err(_) => self.refuse("the maximum of this", span),
                }
            }
            (Builtin::Sort, [list @ Shape::List(_)]) => Ok(list.clone().pooled()),
            (Builtin::Sort, [hand @ Shape::Hand { .. }]) => Ok(hand.clone()),
            (Builtin::Sort | Builtin::Reverse, [Shape::Number(number)]) => {
                Ok(Shape::Sequence(Rc::from([number.clone()])))
            }
            (Builtin::Reverse, [Shape::Sequence(items)]) => {
                Ok(Shape::Sequence(items.iter().rev().cloned().collect()))
            }
            (Builtin::Sort, [Shape::Sequence(items)]) => Ok(self.sorted(items)),
            (Builtin::Sort | Builtin::Reverse, [value]) if value.is_thrown() => {
                Ok(Shape::Throw(value.total()))
            }
            _ => self.refuse("this call of a built-in function", span),
        }
    }

    fn sorted(&self, items: &[Integer]) -> Shape {
        let mut items = items.to_vec();
        items.sort_unstable();
        if !self.lowest_first {
            items.reverse();
        }
        Shape::Sequence(items.into())
    }

    /// The dice in the middle of so many.
    fn middle(&self, number: &Shape, count: u64, each: &Die, span: Span) -> Said<Shape> {
        let Some(taken) = known_number(number).and_then(|n| u64::try_from(&n).ok()) else {
            return self.refuse("a number of dice that is not known", span);
        };
        let pool = dice(count, each);
        let first = count.saturating_sub(taken) / 2;
        Ok(Shape::Throw(match taken {
            0 => return Ok(Shape::Number(Integer::ZERO)),
            taken if taken >= count => pool,
            1 => Text::whole(format!("nth_highest({}, {})", pool.plain(), first + 1)),
            taken => {
                let last = count - first - taken;
                Text::whole(format!("{}dh{first}dl{last}", pool.inside()).replace("dh0", ""))
            }
        }))
    }

    fn keep(&mut self, number: &Shape, pools: &[Shape], end: End, span: Span) -> Said<Shape> {
        let end = if end == End::Highest { "kh" } else { "kl" };
        let mut texts = Vec::new();
        let mut count = 0_u64;
        let mut thrown = number.is_thrown();
        for pool in pools {
            thrown |= pool.is_thrown();
            count = count.saturating_add(match pool {
                Shape::Dice { count, .. } | Shape::Hand { count, .. } => *count,
                Shape::Pool { .. } => u64::MAX,
                _ => 1,
            });
            texts.push(match pool {
                Shape::Dice { .. } | Shape::Hand { .. } | Shape::Pool { .. } => pool.total(),
                other => Text::whole(format!("times(1, {})", other.total().plain())),
            });
        }
        let pool = match texts.as_slice() {
            [only] => only.inside(),
            several => {
                let each: Vec<String> = several.iter().map(Text::inside).collect();
                format!("{{{}}}", each.join(" + "))
            }
        };
        let Some(taken) = known_number(number) else {
            let text = format!("{pool} {end}({})", number.total().plain());
            return Ok(Shape::number(Text::open(text), thrown));
        };
        if taken <= Integer::ZERO {
            return Ok(Shape::Number(Integer::ZERO));
        }
        if taken >= Integer::from(count) {
            let all: Vec<String> = pools.iter().map(|pool| pool.total().inside()).collect();
            let text = all.join(" + ");
            let whole = pools.len() == 1;
            let text = if whole { Text::whole(text) } else { Text::open(text) };
            return Ok(Shape::number(text, thrown));
        }
        if pools.iter().all(Shape::is_known) {
            return self.refuse("the highest of numbers", span);
        }
        Ok(Shape::number(Text::open(format!("{pool} {end}{taken}")), thrown))
    }

    /// How often the values are among the items.
    fn count(&mut self, values: &Shape, items: &Shape, span: Span) -> Said<Shape> {
        let values: Vec<Integer> = match values {
            Shape::Number(number) => vec![number.clone()],
            Shape::Sequence(values) => values.to_vec(),
            Shape::Bound(text) => {
                let Shape::Hand { name, count } = items else {
                    return self.refuse("counting what is not known", span);
                };
                return Ok(Shape::Bound(match count {
                    1 => Text::open(format!("if {name} == {} then 1 else 0", text.inside())),
                    _ => Text::open(format!("{name} cs=({})", text.plain())),
                }));
            }
            _ => return self.refuse("counting what is thrown", span),
        };
        if let Shape::Number(_) | Shape::Sequence(_) = items {
            let list: Vec<Integer> = match items {
                Shape::Sequence(items) => items.to_vec(),
                other => known_number(other).into_iter().collect(),
            };
            let often = |item: &Integer| values.iter().filter(|value| *value == item).count();
            return Ok(Shape::Number(list.iter().map(often).sum::<usize>().into()));
        }
        let (pool, thrown) = match items {
            Shape::Dice { count, each } => (dice(*count, each), true),
            Shape::Pool { text, .. } => (text.clone(), true),
            Shape::Hand { name, count } if *count > 1 => (Text::whole(name.to_string()), false),
            Shape::Throw(text) | Shape::Bound(text) => {
                (Text::whole(format!("times(1, {})", text.plain())), items.is_thrown())
            }
            Shape::Hand { name, .. } => (Text::whole(format!("times(1, {name})")), false),
            _ => return self.refuse("counting in this", span),
        };
        let mut often: BTreeMap<&Integer, usize> = BTreeMap::new();
        values.iter().for_each(|value| *often.entry(value).or_default() += 1);
        let mut groups: BTreeMap<usize, Vec<&Integer>> = BTreeMap::new();
        often.iter().for_each(|(value, times)| groups.entry(*times).or_default().push(value));
        let highest = match items {
            Shape::Dice { each: Die::Sides(sides), .. } => sides.parse::<Integer>().ok(),
            _ => None,
        };
        let counted = |pool: &str| {
            let each = groups.iter().map(|(times, values)| {
                let marked = format!("{pool} {}", marks(values, highest.as_ref()));
                match (times, groups.len()) {
                    (1, 1) => marked,
                    (1, _) => format!("({marked})"),
                    (times, _) => format!("{times} * ({marked})"),
                }
            });
            each.collect::<Vec<_>>().join(" + ")
        };
        let text = match groups.len() {
            0 => return Ok(Shape::Number(Integer::ZERO)),
            1 => Text::open(counted(&pool.inside())),
            // Dice that are read more than once lie on the table.
            _ if thrown => {
                Text::whole(format!("do\nlet lying = {}\n{}\nend", pool.plain(), counted("lying")))
            }
            _ => Text::open(counted(&pool.inside())),
        };
        Ok(Shape::number(text, thrown))
    }

    fn contains(&mut self, items: &Shape, number: &Shape, span: Span) -> Said<Shape> {
        if let (Shape::Sequence(items), Some(number)) = (items, known_number(number)) {
            return Ok(truth_of(items.contains(&number)));
        }
        let counted = match items {
            Shape::Sequence(items) if !number.is_thrown() => {
                let each =
                    items.iter().map(|item| format!("{} == {item}", number.total().inside()));
                let text = Text::open(each.collect::<Vec<_>>().join(" or "));
                return Ok(Shape::Truth { text, thrown: false });
            }
            _ => self.count(number, items, span)?,
        };
        let text = Text::open(format!("{} > 0", counted.total().inside()));
        Ok(Shape::Truth { text, thrown: counted.is_thrown() })
    }
}

/// Conditions of faces that count: `cs>=5` up to the highest face, or `cs=3 cs=5`.
fn marks(values: &[&Integer], highest: Option<&Integer>) -> String {
    let run = values.windows(2).all(|pair| pair[1] - pair[0] == Integer::ONE);
    match values {
        [first, .., last] if run && Some(*last) == highest => format!("cs>={first}"),
        [first, .., last] if run && **first == Integer::ONE && highest.is_some() => {
            format!("cs<={last}")
        }
        values => values.iter().map(|value| format!("cs={value}")).collect::<Vec<_>>().join(" "),
    }
}

/// A text in which a function is called by another name.
fn renamed(text: &str, name: &str, now: &str) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&format!("{name}(")) {
        let (before, from) = rest.split_at(at);
        renamed += before;
        // `nth_highest(` is no call of `highest`.
        let inside = renamed.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        renamed += if inside { name } else { now };
        rest = &from[name.len()..];
    }
    renamed + rest
}

/// What the parameters of a call are.
#[derive(Default)]
struct Handed {
    /// What its function sees.
    inner: Scope,
    /// Those that are parameters of ours, and what is handed to them.
    parameters: Vec<(String, Shape)>,
    /// Whether the body is run for each of several outcomes.
    cast: bool,
}

/// Whether a parameter is one of ours: what is thrown is, and of what is known numbers are, if they are wanted so.
fn is_parameter(kind: Kind, argument: &Shape, symbolic: bool) -> bool {
    match kind {
        Kind::Any | Kind::Die => false,
        Kind::Number => symbolic || !argument.is_known(),
        Kind::Sequence => !argument.is_known(),
    }
}

/// What is handed over as it is, by the kind of the parameter.
fn as_given(kind: Kind, argument: &Shape) -> Shape {
    match (kind, argument) {
        (Kind::Number | Kind::Die, Shape::Sequence(items)) => Shape::Number(sum(items)),
        (Kind::Sequence, Shape::Number(number)) => Shape::Sequence(Rc::from([number.clone()])),
        _ => argument.clone(),
    }
}

/// Without its sign.
fn absolute(value: &Shape) -> Shape {
    match known_number(value) {
        Some(number) => Shape::Number(Integer::from(number.unsigned_abs())),
        None => called("abs", &[value]),
    }
}

/// The higher or lower of two numbers.
fn extreme(end: End, left: &Shape, right: &Shape) -> Shape {
    let highest = end == End::Highest;
    match (known_number(left), known_number(right)) {
        (Some(a), Some(b)) => Shape::Number(if highest { a.max(b) } else { a.min(b) }),
        _ => called(if highest { "max" } else { "min" }, &[left, right]),
    }
}

/// `max(a, b)`.
fn called(name: &str, arguments: &[&Shape]) -> Shape {
    let texts: Vec<String> =
        arguments.iter().map(|argument| argument.total().plain().to_owned()).collect();
    let thrown = arguments.iter().any(|argument| argument.is_thrown());
    Shape::number(Text::whole(format!("{name}({})", texts.join(", "))), thrown)
}

/// Whether a text means the same wherever it is written: it names nothing that is bound.
fn is_free(shape: &Shape) -> bool {
    match shape {
        Shape::Dice { each: Die::Sides(sides), .. } => !sides.starts_with('('),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn only_whole_names_are_changed() {
        assert_eq!(renamed("f(f(2)) + if(1)", "f", "f_2"), "f_2(f_2(2)) + if(1)");
        let called = renamed("nth_highest(s, 1) + highest(2)", "highest", "highest_2");
        assert_eq!(called, "nth_highest(s, 1) + highest_2(2)");
    }
}
