//! The values that an input takes: `dc=5..25`, `dc=0..20/5`, `kind=attack,defence`.

use crate::Refusal;
use crate::target::number;

/// More points than this are a mistake.
const MOST_POINTS: usize = 10_000;

/// One input and its values, as they are written for `param`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// In the order of the sweep.
    pub values: Vec<String>,
}

impl Axis {
    /// `dc=5..25`
    pub fn parse(text: &str) -> Result<Axis, Refusal> {
        let (name, values) = text.split_once('=').ok_or_else(|| {
            Refusal::Asked(format!(
                "`{text}` has no values: write `{text}=1..10` or `{text}=2,4,6`"
            ))
        })?;
        Axis::over(name.trim(), values)
    }

    /// A name with these values: ranges and single values, with commas between them.
    pub fn over(name: &str, values: &str) -> Result<Axis, Refusal> {
        let mut all = Vec::new();
        for part in values.split(',').map(str::trim) {
            if let Some(meant) = meant_as_range(part) {
                let wrong = format!("`{name}={part}` is one value");
                let how = format!("for all of them write `{name}={meant}`");
                return Err(Refusal::Asked(format!("{wrong}: {how}")));
            }
            match part.split_once("..") {
                _ if part.is_empty() => return Err(wrong(name, values)),
                None => all.push(part.to_owned()),
                Some((first, rest)) => {
                    let range = range(first, rest).ok_or_else(|| wrong(name, values))?;
                    all.extend(range.map(|value| value.to_string()));
                }
            }
            if all.len() > MOST_POINTS {
                return Err(too_many());
            }
        }
        Ok(Axis { name: name.to_owned(), values: all })
    }

    /// Its first value as the program would write it.
    pub fn literal(&self) -> String {
        let first = self.values.first().map_or("0", String::as_str);
        match first {
            "true" | "false" => first.to_owned(),
            "yes" => "true".into(),
            "no" => "false".into(),
            _ if number(first).is_some() => first.to_owned(),
            text => format!("\"{}\"", text.replace(['"', '\\'], "")),
        }
    }
}

/// `5..25`, as it was written `5-25`, `5:25`, `5...25`, `5 to 25`.
fn meant_as_range(part: &str) -> Option<String> {
    let signs = ["...", "…", " to ", "-", "–", ":"];
    signs.iter().find_map(|sign| {
        let (first, last) = part.split_once(sign)?;
        let is_number = |text: &str| text.trim().parse::<i64>().is_ok();
        let both = is_number(first) && is_number(last);
        both.then(|| format!("{}..{}", first.trim(), last.trim()))
    })
}

/// All combinations, the last axis fastest.
pub fn combinations(axes: &[Axis]) -> Result<Vec<Vec<&str>>, Refusal> {
    let mut points: Vec<Vec<&str>> = vec![Vec::new()];
    for axis in axes {
        if points.len().saturating_mul(axis.values.len()) > MOST_POINTS {
            return Err(too_many());
        }
        let longer = points.iter().flat_map(|point| {
            axis.values.iter().map(|value| [point.as_slice(), &[value.as_str()]].concat())
        });
        points = longer.collect();
    }
    Ok(points)
}

/// `5..25`, `0..20/5`, `10..1`
fn range(first: &str, rest: &str) -> Option<Box<dyn Iterator<Item = i64>>> {
    let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let first: i64 = first.trim().parse().ok()?;
    let last: i64 = last.trim().parse().ok()?;
    let step: usize = step.trim().parse().ok().filter(|step| *step > 0)?;
    let some = MOST_POINTS + 1;
    Some(if first <= last {
        Box::new((first..=last).step_by(step).take(some))
    } else {
        Box::new((last..=first).rev().step_by(step).take(some))
    })
}

fn wrong(name: &str, values: &str) -> Refusal {
    let how = format!("write `{name}=1..10`, `{name}=0..20/5` or `{name}=2,4,6`");
    Refusal::Asked(format!("`{name}={values}` is no list of values: {how}"))
}

fn too_many() -> Refusal {
    Refusal::Asked(format!("that is more than {MOST_POINTS} points: take fewer values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Axis::parse(text).map_or_else(|_| vec!["wrong".into()], |axis| axis.values)
    }

    #[test]
    fn values_are_ranges_steps_and_lists() {
        assert_eq!(values("dc=5..8"), ["5", "6", "7", "8"]);
        assert_eq!(values("dc=0..20/5"), ["0", "5", "10", "15", "20"]);
        assert_eq!(values("dc=3..1"), ["3", "2", "1"]);
        assert_eq!(values("dc=-1..1, 7"), ["-1", "0", "1", "7"]);
        assert_eq!(values("kind=attack,defence"), ["attack", "defence"]);
        assert_eq!(values("x=1/2,0.5"), ["1/2", "0.5"]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["dc", "dc=1..", "dc=1..x", "dc=1..9/0", "dc=1,,2", "dc=1..99999999999"] {
            assert_eq!(values(text), ["wrong"], "{text}");
        }
    }

    #[test]
    fn the_last_axis_is_the_fastest() {
        let axes = [Axis::parse("a=1..2").unwrap(), Axis::parse("b=x,y").unwrap()];
        let points = combinations(&axes).unwrap();
        assert_eq!(points, [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]]);
    }
}
