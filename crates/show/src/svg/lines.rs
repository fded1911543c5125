//! The chart of a sweep: a line for each number that was asked for, over the values of an input.
//!
//! Chances and means have no scale in common: where there are both, they are two drawings, one above the other, over the
//! same axis.

use super::MOST_LINES;
use super::chart::{higher, note};
use super::frame::{Frame, Places, Room, Upwards};
use super::legend::{Heading, Mark, Named, heading, lines as lines_of};
use super::marks::{Dot, line};
use super::palette::{class, dashed};
use super::paper::{Look, Paper, USUAL_HEIGHT, USUAL_WIDTH};
use crate::decimal::exact;
use crate::sweep::{Input, Measure};

/// More dots than this are no dots but a line.
const MOST_DOTS: usize = 600;

/// The whole file.
pub fn lines(title: &str, input: &Input, measures: &[Measure], look: &Look) -> String {
    let (shown, left_out) = measures.split_at(measures.len().min(MOST_LINES));
    let panels: Vec<Vec<usize>> = [false, true]
        .map(|chance| (0..shown.len()).filter(|at| shown[*at].chance == chance).collect())
        .into_iter()
        .filter(|panel: &Vec<usize>| !panel.is_empty())
        .collect();
    let above = match shown {
        [_] => Heading::Plain(None),
        several => Heading::Legend(named(several), Mark::Line),
    };
    let tall = USUAL_HEIGHT * if panels.len() > 1 { 1.5 } else { 1.0 };
    let paper = Paper::of(look, higher(tall, lines_of(&above, USUAL_WIDTH)));
    let (mut out, top) = heading(title, &above, &paper);
    let room = Room::below(&paper, top + 20.0, !left_out.is_empty());
    let height = (room.end - room.top) / panels.len().max(1) as f64;
    let places = places(input);
    let classes: Vec<String> = named(shown).into_iter().map(|named| named.class).collect();
    let mut drawings = Vec::new();
    for (at, panel) in panels.iter().enumerate() {
        let top = room.top + height * at as f64;
        let gap = if at + 1 < panels.len() { 16.0 } else { 0.0 };
        let part = Room { top, end: top + height - gap, ..room };
        let lines: Vec<Line<'_>> =
            panel.iter().map(|at| Line { measure: &shown[*at], class: &classes[*at] }).collect();
        let upwards = upwards(&lines);
        let frame = Frame::of(part, &places, &upwards);
        drawings.push((lines, upwards, frame));
    }
    // Drawings above each other begin at the same place.
    let left = drawings.iter().map(|(_, _, frame)| frame.left).fold(0.0, f64::max);
    for (lines, upwards, mut frame) in drawings {
        frame.left = left;
        out += &drawing(&frame, &upwards, &lines, input, &places);
    }
    if !left_out.is_empty() {
        out += &note(&format!("not drawn: {} more", left_out.len()), &paper);
    }
    paper.file(title, &out)
}

/// The series. One that lies upon another is dashed, so that both are seen.
fn named(measures: &[Measure]) -> Vec<Named> {
    let upon = |at: usize| {
        let own = &measures[at];
        measures[..at].iter().any(|one| one.chance == own.chance && one.values == own.values)
    };
    let class = |at: usize| if upon(at) { dashed(at) } else { class(at) };
    let titles = measures.iter().map(|measure| measure.title.clone()).enumerate();
    titles.map(|(at, name)| Named { name, class: class(at) }).collect()
}

/// A measure and how its line looks.
struct Line<'a> {
    measure: &'a Measure,
    class: &'a str,
}

/// The lines of one scale.
fn drawing(
    frame: &Frame,
    upwards: &Upwards,
    lines: &[Line<'_>],
    input: &Input,
    places: &Places,
) -> String {
    let xs = frame.xs(places);
    let named = input.values.iter().any(|value| value.parse::<f64>().is_err());
    let mut out = frame.vertical_axis(&upwards.name);
    out += &frame.horizontal_axis(places, &input.name);
    for Line { measure, class } in lines {
        let tooltips: Vec<String> = (0..xs.len()).map(|at| tooltip(measure, input, at)).collect();
        let mut run: Vec<Dot<'_>> = Vec::new();
        let dotted = xs.len() * lines.len() <= MOST_DOTS;
        for (at, (x, tooltip)) in xs.iter().zip(&tooltips).enumerate() {
            match measure.float(at) {
                Some(value) => {
                    run.push(Dot { x: *x, y: frame.y(value), tooltip });
                    // Between two names there is nothing.
                    if named {
                        out += &line(&std::mem::take(&mut run), class, true);
                    }
                }
                // A point without a number breaks the line.
                None => out += &line(&std::mem::take(&mut run), class, dotted),
            }
        }
        out += &line(&run, class, dotted);
    }
    out
}

/// From where to where: chances from nothing, means too unless they are far from it.
fn upwards(lines: &[Line<'_>]) -> Upwards {
    let measures: Vec<&Measure> = lines.iter().map(|line| line.measure).collect();
    let ranges = measures.iter().filter_map(|measure| measure.range());
    let (low, high) = ranges
        .reduce(|(low, high), (other, another)| (low.min(other), high.max(another)))
        .unwrap_or((0.0, 1.0));
    let chance = measures.iter().any(|measure| measure.chance);
    let near = low >= 0.0 && low <= high * 0.6;
    let name = match measures.as_slice() {
        [only] if chance && only.title != "chance" => format!("chance of {}", only.title),
        [only] => only.title.clone(),
        _ if chance => "chance".into(),
        several if several.iter().all(|measure| measure.title.ends_with("mean")) => "mean".into(),
        _ => String::new(),
    };
    Upwards {
        low: if chance || near { low.min(0.0) } else { low },
        high: if low == high && !chance { high + 1.0 } else { high.max(low) },
        sign: if chance { "%" } else { "" },
        name,
    }
}

/// On a scale if the values are plain numbers in order, else side by side.
fn places(input: &Input) -> Places {
    let numbers = input.values.iter().map(|value| value.parse::<f64>().ok()).collect();
    Places::of(numbers, || input.values.clone())
}

fn tooltip(measure: &Measure, input: &Input, at: usize) -> String {
    let fraction = measure.values[at].as_ref().and_then(exact).filter(|text| text.contains('/'));
    let fraction = fraction.map_or_else(String::new, |text| format!(" = {text}"));
    let value = input.values.get(at).map_or("", String::as_str);
    format!("{} = {value}: {} {}{fraction}", input.name, measure.title, measure.text(at, 0))
}
