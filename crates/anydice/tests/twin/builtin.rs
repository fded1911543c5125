//! The built-in functions.

use astragal_prob::Rational;

use super::eval::{Settings, is_all};
use super::tree::Parameter;
use super::value::{Answer, Faces, Stop, Value, descending, throws};

use Value::{Dice, Empty, Number, Sequence};

/// Names that no program can give stand for the parameters.
pub fn parameters(name: &str) -> Option<&'static [Parameter]> {
    Some(match name {
        "absolute _" => &[("a", ":n")],
        "_ contains _" => &[("a", ":s"), ("b", ":n")],
        "count _ in _" => &[("a", ":s"), ("b", ":s")],
        "explode _" | "maximum of _" => &[("a", ":d")],
        "highest of _ and _" | "lowest of _ and _" => &[("a", ":n"), ("b", ":n")],
        "highest _ of _" | "lowest _ of _" | "middle _ of _" => &[("a", ":n"), ("b", ":d")],
        "highest _ of _ and _" | "lowest _ of _ and _" => &[("a", ":n"), ("b", ":d"), ("c", ":d")],
        "highest _ of _ and _ and _" | "lowest _ of _ and _ and _" => {
            &[("a", ":n"), ("b", ":d"), ("c", ":d"), ("d", ":d")]
        }
        "reverse _" | "sort _" => &[("a", ":s")],
        _ => return None,
    })
}

pub fn value(name: &str, arguments: &[Value], settings: &Settings) -> Answer<Value> {
    Ok(match (name, arguments) {
        (_, [Number(a)]) => Number(a.abs()),
        ("_ contains _", [Sequence(items), Number(item)]) => Number(items.contains(item).into()),
        ("count _ in _", [Sequence(wanted), Sequence(items)]) => {
            let pairs = items.iter().flat_map(|a| wanted.iter().map(move |b| a == b));
            Number(pairs.filter(|equal| *equal).count() as i128)
        }
        ("highest of _ and _", [Number(a), Number(b)]) => Number(*a.max(b)),
        (_, [Number(a), Number(b)]) => Number(*a.min(b)),
        ("reverse _", [Sequence(items)]) => Sequence(items.iter().rev().copied().collect()),
        (_, [Sequence(items)]) => Sequence(sorted(items.clone(), settings.lowest_first)),
        ("maximum of _", [die]) => maximum(die)?,
        ("explode _", [die]) => exploded(die, settings.explode_depth)?,
        (_, [Number(number), dice @ ..]) => best(name, *number, dice)?,
        _ => return Err(Stop::Error),
    })
}

fn sorted(items: Vec<i128>, lowest_first: bool) -> Vec<i128> {
    let mut items = descending(items);
    if lowest_first {
        items.reverse();
    }
    items
}

fn maximum(die: &Value) -> Answer<Value> {
    match die.clone().total()? {
        Dice(_, faces) => Ok(Number(faces.keys().copied().max().unwrap_or(0))),
        Empty => Ok(Number(0)),
        _ => Err(Stop::LeftOut),
    }
}

fn exploded(die: &Value, depth: i128) -> Answer<Value> {
    match die.clone().total()? {
        Empty => Ok(Empty),
        Dice(_, faces) if is_all(&faces) => Ok(Dice(1, again(&faces, depth))),
        _ => Err(Stop::LeftOut),
    }
}

fn again(faces: &Faces, depth: i128) -> Faces {
    let highest = faces.keys().copied().max();
    let mut all = Vec::new();
    for (face, chance) in faces {
        if depth > 0 && Some(*face) == highest {
            let more = again(faces, depth - 1).into_iter();
            all.extend(more.map(|(more, p)| (face + more, p * chance)));
        } else {
            all.push((*face, chance.clone()));
        }
    }
    super::value::merged(all)
}

/// The sum of the highest, lowest or middle ones of all the dice together.
fn best(name: &str, number: i128, dice: &[Value]) -> Answer<Value> {
    if dice.iter().all(|dice| *dice == Empty) {
        return Ok(Empty);
    }
    let mut pool = vec![(Vec::new(), Rational::ONE)];
    for dice in dice {
        let Dice(count, faces) = dice else { return Err(Stop::LeftOut) };
        if !is_all(faces) || pool.len() > 100 {
            return Err(Stop::LeftOut);
        }
        let more = throws(*count, faces)?;
        let joined = |(a, p): &(Vec<i128>, Rational)| {
            let (a, p) = (a.clone(), p.clone());
            more.iter().map(move |(b, q)| ([&a[..], b].concat(), &p * q))
        };
        pool = pool.iter().flat_map(joined).collect();
    }
    let sum = |(throw, chance)| {
        let hand = sorted(throw, name.starts_with("lowest"));
        let taken = usize::try_from(number).unwrap_or(0).min(hand.len());
        let before = if name.starts_with("middle") { (hand.len() - taken) / 2 } else { 0 };
        (hand[before..before + taken].iter().sum(), chance)
    };
    Ok(Value::die(pool.into_iter().map(sum)))
}
