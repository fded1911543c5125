//! What an expression without chance comes to where some variables are letters.

use astragal_odds::known::Held;
use astragal_prob::Rational;
use astragal_program::core::{Expr, Function, Kind, Reading, SuffixKind};
use astragal_value::{Op, Value, Word};

use super::range::{Range, Sides};
use super::{Affine, Found, Reader, Sym};
use crate::game::slot;

/// So many forms may be inside each other.
const DEEPEST: usize = 100;

/// Whether a condition holds, wherever no letter is negative.
pub(crate) fn truth<'p>(
    reader: &mut impl Reader<'p>,
    condition: &Expr,
    variables: &[Sym],
) -> Found<bool> {
    let found = evaluate(reader, condition, &mut variables.to_vec(), 0)?;
    Ok(found.and_then(|found| as_truth(&found)))
}

/// What counts of a value: a yes counts 1.
pub(super) fn worth<'p>(reader: &mut impl Reader<'p>, value: Sym) -> Found<Range> {
    let Some((best, known)) = reader.aim() else { return Ok(None) };
    let known = known.to_vec();
    let game = reader.game();
    let played = &game.plays.bests[best];
    let mut variables: Vec<Sym> = game.nothing().into_iter().map(Sym::Held).collect();
    for (local, held) in played.known.iter().zip(known) {
        variables[slot(*local)] = Sym::Held(held);
    }
    variables[slot(played.aim.0)] = value;
    let found = evaluate(reader, &played.aim.1, &mut variables, 0)?;
    let counts = |truth| Range::constant(Rational::from(u8::from(truth)));
    Ok(match &found {
        Some(Sym::Either) => Some(counts(false).or(&counts(true))),
        Some(found) => match as_truth(found) {
            Some(truth) => Some(counts(truth)),
            None => as_range(reader, found),
        },
        None => None,
    })
}

/// The value of an expression without chance; none if it is thrown, fails, or is too much.
pub(super) fn evaluate<'p>(
    reader: &mut impl Reader<'p>,
    expr: &Expr,
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Sym> {
    if depth > DEEPEST {
        return Ok(None);
    }
    reader.game().pay(20, expr.span)?;
    Ok(match &expr.kind {
        Kind::Constant(value) => {
            Some(Sym::Held(Held::Value(reader.game().asker.store.word(value))))
        }
        Kind::Local(local) => Some(variables[slot(*local)].clone()),
        Kind::Let { local, value, body } => {
            let Some(found) = evaluate(reader, value, variables, depth + 1)? else {
                return Ok(None);
            };
            variables[slot(*local)] = found;
            evaluate(reader, body, variables, depth + 1)?
        }
        Kind::If { condition, then, otherwise, .. } => {
            branch(reader, [condition, then, otherwise], variables, depth)?
        }
        Kind::Enter { body, .. } | Kind::Labelled { value: body, .. } | Kind::Note { body, .. } => {
            evaluate(reader, body, variables, depth + 1)?
        }
        Kind::Record { fields, .. } => {
            evaluate_all(reader, fields, variables, depth + 1)?.map(Sym::Record)
        }
        Kind::Field { record, index } => match evaluate(reader, record, variables, depth + 1)? {
            Some(Sym::Record(fields)) => fields.get(*index).cloned(),
            Some(Sym::Held(Held::Value(word))) => {
                let field = reader.game().asker.store.field(word, *index);
                field.map(|field| Sym::Held(Held::Value(field)))
            }
            _ => None,
        },
        Kind::Operation { op, operands } => {
            let given = evaluate_all(reader, operands, variables, depth + 1)?;
            given.and_then(|given| operation(reader, *op, &given))
        }
        Kind::List(items) => {
            let items = evaluate_all(reader, items, variables, depth + 1)?;
            items.map(|items| listed(reader, items))
        }
        Kind::Call { function, arguments } => {
            let Some(called) = reader.game().function(*function) else { return Ok(None) };
            let called: &Function = called;
            let nothing = reader.game().nothing();
            let mut inner: Vec<Sym> = nothing.into_iter().map(Sym::Held).collect();
            let Some(given) = evaluate_all(reader, arguments, variables, depth + 1)? else {
                return Ok(None);
            };
            inner.iter_mut().zip(given).for_each(|(slot, found)| *slot = found);
            evaluate(reader, &called.body, &mut inner, depth + 1)?
        }
        Kind::Suffixed { pool, suffix } => {
            let Some(Sym::Dice(total)) = evaluate(reader, pool, variables, depth + 1)? else {
                return Ok(None);
            };
            kept(&suffix.kind, &total).map(Sym::Dice)
        }
        Kind::Read { pool, reading } => {
            let Some(Sym::Dice(total)) = evaluate(reader, pool, variables, depth + 1)? else {
                return Ok(None);
            };
            read(reading, total).map(Sym::Number)
        }
        Kind::Fold { .. } => folded(reader, &expr.kind, variables, depth)?,
        Kind::Walk { .. }
        | Kind::Repeat { .. }
        | Kind::Require { .. }
        | Kind::Given { .. }
        | Kind::Input { .. }
        | Kind::Dice { .. }
        | Kind::Symbols { .. }
        | Kind::Tally { .. }
        | Kind::Drawn { .. }
        | Kind::Gather(_)
        | Kind::Merge(_)
        | Kind::Times { .. }
        | Kind::Measure { .. }
        | Kind::Best(_)
        | Kind::Choose { .. }
        | Kind::Pick { .. } => None,
    })
}

/// Between what the total of some of these dice lies.
fn kept(suffix: &SuffixKind, total: &Range) -> Option<Range> {
    match suffix {
        SuffixKind::Keep(_, number) | SuffixKind::Drop(_, number)
            if matches!(number.kind, Kind::Constant(_)) =>
        {
            Some(total.or(&Range::constant(Rational::ZERO)))
        }
        _ => None,
    }
}

/// What is read off dice with such a total. There is one of them if it is more than 0.
fn read(reading: &Reading, total: Range) -> Option<Range> {
    let is_first = |number: &Expr| match &number.kind {
        Kind::Constant(value) => *value == Value::whole(1),
        _ => false,
    };
    let sides = total.sides();
    let any = sides.above && !sides.at && !sides.below;
    match reading {
        Reading::Total => Some(total),
        Reading::Median if any => Some(total.or(&Range::constant(Rational::ZERO))),
        Reading::NthHighest(number) | Reading::NthLowest(number) if any && is_first(number) => {
            Some(total.or(&Range::constant(Rational::ZERO)))
        }
        Reading::Median | Reading::NthHighest(_) | Reading::NthLowest(_) => None,
    }
}

/// A list of these.
fn listed<'p>(reader: &mut impl Reader<'p>, items: Vec<Sym>) -> Sym {
    let Some(words) = items.iter().map(word).collect::<Option<Vec<_>>>() else {
        return Sym::List(items);
    };
    let empty = Word::EMPTY.as_list().unwrap_or(0);
    Sym::Held(Held::Value(reader.game().asker.store.list(&words, empty)))
}

/// The items of a list.
pub(super) fn items<'p>(reader: &mut impl Reader<'p>, list: Sym) -> Option<Vec<Sym>> {
    match list {
        Sym::List(items) => Some(items),
        Sym::Held(Held::Value(word)) => {
            let mut words = Vec::new();
            reader.game().asker.store.items(word.as_list()?, &mut words);
            Some(words.into_iter().map(|word| Sym::Held(Held::Value(word))).collect())
        }
        Sym::Held(Held::Dice(_)) | Sym::Number(_) | Sym::Dice(_) | Sym::Record(_) | Sym::Either => {
            None
        }
    }
}

/// What is done to lists in which something is a letter; the outer option: whether it is such a thing at all.
fn of_lists<'p>(reader: &mut impl Reader<'p>, op: Op, given: &[Sym]) -> Option<Option<Sym>> {
    // Where nothing is a letter, this is not asked: a list becomes one of letters by what is joined to it.
    let of_list = given.iter().any(|given| matches!(given, Sym::List(_)));
    if !of_list && !matches!(op, Op::Append | Op::Join) {
        return None;
    }
    let mut lists = given.iter();
    let first = lists.next().cloned();
    let own = first.and_then(|list| items(reader, list));
    Some(own.and_then(|mut own| match op {
        Op::Length => {
            let length = Value::whole(own.len() as i64);
            Some(Sym::Held(Held::Value(reader.game().asker.store.word(&length))))
        }
        Op::At => {
            let at = as_range(reader, given.get(1)?)?;
            let at = at.as_constant()?.clone();
            let place = (0..own.len()).find(|place| Rational::from(place + 1) == at)?;
            Some(own.swap_remove(place))
        }
        Op::Append => {
            own.push(lists.next()?.clone());
            Some(Sym::List(own))
        }
        Op::Join => {
            let other = lists.next()?.clone();
            own.extend(items(reader, other)?);
            Some(Sym::List(own))
        }
        Op::Reverse => {
            own.reverse();
            Some(Sym::List(own))
        }
        _ => None,
    }))
}

/// All of some expressions; none if one of them is not known.
pub(super) fn evaluate_all<'p>(
    reader: &mut impl Reader<'p>,
    exprs: &[Expr],
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Vec<Sym>> {
    let mut all = Vec::with_capacity(exprs.len());
    for expr in exprs {
        match evaluate(reader, expr, variables, depth)? {
            Some(found) => all.push(found),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// One of two branches, or something between both.
fn branch<'p>(
    reader: &mut impl Reader<'p>,
    [condition, then, otherwise]: [&Expr; 3],
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Sym> {
    let found = evaluate(reader, condition, variables, depth + 1)?;
    match found.as_ref().and_then(as_truth) {
        Some(true) => evaluate(reader, then, variables, depth + 1),
        Some(false) => evaluate(reader, otherwise, variables, depth + 1),
        None if matches!(found, Some(Sym::Either)) => {
            let Some(then) = evaluate(reader, then, variables, depth + 1)? else {
                return Ok(None);
            };
            let otherwise = evaluate(reader, otherwise, variables, depth + 1)?;
            Ok(otherwise.and_then(|otherwise| either(reader, then, otherwise)))
        }
        None => Ok(None),
    }
}

/// One of two values.
fn either<'p>(reader: &mut impl Reader<'p>, a: Sym, b: Sym) -> Option<Sym> {
    match (a, b) {
        (Sym::Held(a), Sym::Held(b)) if a == b => Some(Sym::Held(a)),
        (Sym::List(a), Sym::List(b)) if a.len() == b.len() => {
            let items = a.into_iter().zip(b).map(|(a, b)| either(reader, a, b));
            items.collect::<Option<Vec<_>>>().map(Sym::List)
        }
        (Sym::Dice(a), Sym::Dice(b)) => Some(Sym::Dice(a.or(&b))),
        (Sym::Record(a), Sym::Record(b)) => {
            let fields = a.into_iter().zip(b).map(|(a, b)| either(reader, a, b));
            fields.collect::<Option<Vec<_>>>().map(Sym::Record)
        }
        (a, b) => match (as_range(reader, &a), as_range(reader, &b)) {
            (Some(a), Some(b)) => Some(Sym::Number(a.or(&b))),
            _ => (is_truth(&a) && is_truth(&b)).then_some(Sym::Either),
        },
    }
}

/// What comes of going through a list that is known.
fn folded<'p>(
    reader: &mut impl Reader<'p>,
    fold: &Kind,
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Sym> {
    let Kind::Fold { list, first, carry, item, body } = fold else { return Ok(None) };
    let list = evaluate(reader, list, variables, depth + 1)?;
    let Some(items) = list.and_then(|list| items(reader, list)) else { return Ok(None) };
    let Some(mut carried) = evaluate(reader, first, variables, depth + 1)? else {
        return Ok(None);
    };
    for next in items {
        variables[slot(*carry)] = carried;
        variables[slot(*item)] = next;
        match evaluate(reader, body, variables, depth + 1)? {
            Some(found) => carried = found,
            None => return Ok(None),
        }
    }
    Ok(Some(carried))
}

fn operation<'p>(reader: &mut impl Reader<'p>, op: Op, given: &[Sym]) -> Option<Sym> {
    let words: Option<Vec<Word>> = given.iter().map(word).collect();
    if let Some(words) = words {
        let store = &mut reader.game().asker.store;
        let values: Vec<Value> = words.into_iter().map(|word| store.value(word)).collect();
        let value = astragal_value::apply(op, &values).ok()?;
        return Some(Sym::Held(Held::Value(store.word(&value))));
    }
    if let Some(found) = of_lists(reader, op, given) {
        return found;
    }
    if matches!((op, given), (Op::Not, [Sym::Either])) {
        return Some(Sym::Either);
    }
    let numbers: Option<Vec<Range>> = given.iter().map(|found| as_range(reader, found)).collect();
    let numbers = numbers?;
    let (a, b) = (numbers.first()?, numbers.get(1));
    if let Some(sign) = holds(op) {
        let sides = reader.sides(&a.minus(b?));
        return Some(sign(sides).map_or(Sym::Either, yes_or_no));
    }
    Some(Sym::Number(match op {
        Op::Add => a.plus(b?),
        Op::Subtract => a.minus(b?),
        Op::Negate => a.times(&-Rational::ONE),
        Op::Multiply => match (a.as_constant(), b?.as_constant()) {
            (Some(factor), _) => b?.times(factor),
            (_, Some(factor)) => a.times(factor),
            _ => return None,
        },
        Op::Divide => a.times(&(Rational::ONE / b?.as_constant().filter(|by| !by.is_zero())?)),
        Op::FloorDivide => {
            let by = b?.as_constant().filter(|by| !by.is_zero())?;
            a.times(&(Rational::ONE / by)).rounded(Op::Floor)?
        }
        Op::Remainder => {
            let by = b?.as_constant().filter(|by| **by > Rational::ZERO)?;
            Range::between(Rational::ZERO, by.clone())
        }
        Op::Floor | Op::Ceil | Op::Round => a.rounded(op)?,
        Op::Abs => {
            let sides = reader.sides(a);
            a.max(&a.times(&-Rational::ONE), sides)
        }
        Op::Min | Op::Max => numbers[1..].iter().fold(a.clone(), |found, next| {
            let sides = reader.sides(&found.minus(next));
            if op == Op::Max { found.max(next, sides) } else { found.min(next, sides) }
        }),
        _ => return None,
    }))
}

/// Whether a comparison holds, by the sides of 0 on which the difference may be.
fn holds(op: Op) -> Option<fn(Sides) -> Option<bool>> {
    /// Always if it cannot fail, never if it cannot hold.
    fn told(may_hold: bool, may_fail: bool) -> Option<bool> {
        (may_hold != may_fail).then_some(may_hold)
    }
    Some(match op {
        Op::Equal => |sides| told(sides.at, sides.below || sides.above),
        Op::NotEqual => |sides| told(sides.below || sides.above, sides.at),
        Op::Less => |sides| told(sides.below, sides.at || sides.above),
        Op::AtMost => |sides| told(sides.below || sides.at, sides.above),
        Op::Greater => |sides| told(sides.above, sides.at || sides.below),
        Op::AtLeast => |sides| told(sides.above || sides.at, sides.below),
        _ => return None,
    })
}

fn yes_or_no(truth: bool) -> Sym {
    Sym::Held(Held::Value(Word::bool(truth)))
}

fn word(found: &Sym) -> Option<Word> {
    match found {
        Sym::Held(Held::Value(word)) => Some(*word),
        Sym::Held(Held::Dice(_))
        | Sym::Number(_)
        | Sym::Dice(_)
        | Sym::Record(_)
        | Sym::List(_)
        | Sym::Either => None,
    }
}

pub(super) fn as_truth(found: &Sym) -> Option<bool> {
    word(found).and_then(Word::as_bool)
}

fn is_truth(found: &Sym) -> bool {
    matches!(found, Sym::Either) || as_truth(found).is_some()
}

fn as_range<'p>(reader: &mut impl Reader<'p>, found: &Sym) -> Option<Range> {
    match found {
        Sym::Number(range) | Sym::Dice(range) => Some(range.clone()),
        Sym::Held(Held::Value(word)) => match reader.game().asker.store.value(*word) {
            Value::Number(number) => Some(Range::exactly(Affine::constant(number.to_rational()))),
            _ => None,
        },
        Sym::Held(Held::Dice(_)) | Sym::Record(..) | Sym::List(_) | Sym::Either => None,
    }
}
