//! A door: charts for JavaScript. What is drawn comes as numbers and names; what comes back is JSON: marks, which the page makes
//! elements of, and where outcomes and chances are. It is a module of its own, a few kilobytes that travel with the page's
//! scripts, so that the first chart does not wait for the engine (docs/decisions/038-one-place-for-charts.md).

use astragal_chart::lines::{Line, Lines};
use astragal_chart::odds::{Bar, Odds, likely as likely_of};
use astragal_chart::{Axes, Drawing, Places, Sheet, Tag, View, heat, json, palette};
use wasm_bindgen::prelude::wasm_bindgen;

/// The paper: its size in pixels, and what stands at its edges, `ticks`, `ends` or `nothing`.
fn sheet(width: f64, height: f64, axes: &str) -> Sheet {
    Sheet { width, height, axes: Axes::named(axes) }
}

/// Texts come as one, a line each: the border is thin where no lists of texts cross it.
fn list(lines: &str) -> Vec<String> {
    if lines.is_empty() { Vec::new() } else { lines.split('\n').map(String::from).collect() }
}

/// The odds of one or several results. `chances` are shares of 1, those of the first result first; `written` stands above
/// the bars of a result that is alone, and `said` where they are pointed at; `numbers` are empty where outcomes have none. Outcomes before `from` and from `end` on
/// step back.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "what crosses a border crosses it flat")]
pub fn odds(
    names: &str,
    labels: &str,
    numbers: Vec<f64>,
    chances: &[f64],
    written: &str,
    said: &str,
    view: &str,
    from: usize,
    end: usize,
    first: usize,
    least: f64,
    mean: Option<f64>,
    width: f64,
    height: f64,
    axes: &str,
) -> String {
    let (labels, written, said) = (list(labels), list(written), list(said));
    let count = labels.len();
    let bar = |(at, chance): (usize, &f64)| Bar {
        percent: 100.0 * chance,
        written: match written.get(at) {
            Some(text) if !text.is_empty() => {
                vec![text.clone(), astragal_chart::scale::rounded(100.0 * chance, 1) + "%"]
            }
            _ => Vec::new(),
        },
        tooltip: said.get(at).cloned().unwrap_or_default(),
    };
    let series =
        chances.chunks(count.max(1)).map(|list| list.iter().enumerate().map(bar).collect());
    let odds = Odds {
        names: list(names),
        places: Places::of(labels, (!numbers.is_empty()).then_some(numbers)),
        series: series.collect(),
        view: match view {
            "at_least" => View::AtLeast,
            "at_most" => View::AtMost,
            _ => View::Exactly,
        },
        inside: from..end,
        first,
        least: 100.0 * least,
        mean,
    };
    told(&odds.drawing(&sheet(width, height, axes)))
}

/// Numbers over the values of an input, which stand on a scale if that is not empty; a value that is not there is no
/// number (NaN).
#[wasm_bindgen]
pub fn lines(
    titles: &str,
    values: &str,
    scale: Vec<f64>,
    numbers: &[f64],
    chance: bool,
    width: f64,
    height: f64,
) -> String {
    let values = list(values);
    let parts = numbers.chunks(values.len().max(1));
    let line = |(title, part): (String, &[f64])| Line {
        title,
        chance,
        values: part
            .iter()
            .map(|number| Some(*number).filter(|number| number.is_finite()))
            .collect(),
        tooltips: Vec::new(),
    };
    let lines = Lines {
        across: String::new(),
        places: Places::of(values, (!scale.is_empty()).then_some(scale)),
        lines: list(titles).into_iter().zip(parts).map(line).collect(),
    };
    told(&lines.drawing(&sheet(width, height, "ticks")))
}

/// The sign of a series in a legend, 26 wide and 14 high: `square`, `line` or `marked`.
#[wasm_bindgen]
pub fn swatch(at: usize, mark: &str) -> String {
    json(&astragal_chart::swatch(at, mark))
}

/// The first of the outcomes that are worth drawing, and the end of them; of each outcome the chances of all results stand
/// together.
#[wasm_bindgen]
pub fn likely(chances: &[f64], results: usize) -> Vec<usize> {
    let chances: Vec<Vec<f64>> = chances.chunks(results.max(1)).map(<[f64]>::to_vec).collect();
    let drawn = likely_of(&chances);
    vec![drawn.start, drawn.end]
}

/// The style of a cell of a heat map, for a share between 0 and 1.
#[wasm_bindgen]
pub fn heated(share: f64) -> String {
    let colour = heat::colour(share);
    let ink = if heat::wants_black(colour) { "#000" } else { "#fff" };
    format!("background:{};color:{ink}", heat::hex(colour))
}

/// The style sheet of drawings, in elements of the class `chart`.
#[wasm_bindgen]
pub fn style() -> String {
    palette::page()
}

/// How many series have a colour of their own.
#[wasm_bindgen]
pub fn tones() -> usize {
    palette::SERIES.len()
}

fn told(drawing: &Drawing) -> String {
    let Drawing { marks, middles, slot, bar, top, foot, unit } = drawing;
    let marks: &[Tag] = marks;
    let middles: Vec<String> = middles.iter().map(|x| number(*x)).collect();
    let parts = [("slot", slot), ("bar", bar), ("top", top), ("foot", foot), ("unit", unit)];
    let parts: String =
        parts.map(|(name, value)| format!("\"{name}\":{},", number(*value))).concat();
    format!("{{{parts}\"middles\":[{}],\"marks\":{}}}", middles.join(","), json(marks))
}

/// A number of JSON with nine decimals at most.
fn number(value: f64) -> String {
    astragal_chart::scale::rounded(value, 9)
}
