//! A drawing of lines over two logarithmic scales, as SVG.
//!
//! The charts of `astragal-show` draw distributions; this one draws measurements, and nothing else needs it.

use std::fmt::Write;

/// Points with a name, from left to right.
pub struct Line {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Around the field: above, right, below, left.
const MARGIN: [f64; 4] = [20.0, 220.0, 46.0, 70.0];
/// Told apart by everyone, on white and on dark paper.
const COLOURS: [&str; 4] = ["#2f6fb3", "#c2571a", "#2e8b57", "#8a4fb0"];

/// One scale: powers of ten from the first to the last.
struct Scale {
    low: i32,
    high: i32,
    start: f64,
    end: f64,
}

impl Scale {
    fn around(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Scale {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor() as i32;
        let high = values.fold(0.0, f64::max).log10().ceil() as i32;
        Scale { low, high: high.max(low + 1), start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.start + part * (self.end - self.start)
    }

    fn ticks(&self) -> impl Iterator<Item = (i32, f64)> {
        (self.low..=self.high).map(|power| (power, self.place(10f64.powi(power))))
    }
}

/// The drawing.
pub fn svg(lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let [above, right, below, left] = MARGIN;
    let across = Scale::around(points().map(|point| point.0), left, WIDTH - right);
    let up = Scale::around(points().map(|point| point.1), HEIGHT - below, above);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>Time against n</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    axes(&mut svg, &across, &up);
    let mut names: Vec<(f64, usize)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        curve(&mut svg, line, COLOURS[index % COLOURS.len()], &across, &up);
        let last = line.points.last().map_or(up.start, |point| up.place(point.1));
        names.push((last, index));
    }
    labels(&mut svg, lines, names);
    svg + "</svg>\n"
}

fn axes(svg: &mut String, across: &Scale, up: &Scale) {
    for (power, x) in across.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{}</text>",
            up.start,
            up.end,
            up.start + 18.0,
            10f64.powi(power),
        );
    }
    for (power, y) in up.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{}</text>",
            across.start,
            across.end,
            across.start - 8.0,
            y + 4.0,
            duration(power),
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">n</text>",
        f64::midpoint(across.start, across.end),
        up.start + 38.0,
    );
}

/// A power of ten seconds in words.
fn duration(power: i32) -> String {
    let (unit, power) = match power {
        0.. => ("s", power),
        -3..=-1 => ("ms", power + 3),
        -6..=-4 => ("µs", power + 6),
        _ => ("ns", power + 9),
    };
    format!("{} {unit}", 10f64.powi(power))
}

fn curve(svg: &mut String, line: &Line, colour: &str, across: &Scale, up: &Scale) {
    let place = |&(n, seconds): &(f64, f64)| (across.place(n), up.place(seconds));
    let path: Vec<String> =
        line.points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let path = path.join("L");
    let _ =
        writeln!(svg, "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
    for (x, y) in line.points.iter().map(place) {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
}

/// The names beside the field, at the height where their lines end, each on a line of its own.
fn labels(svg: &mut String, lines: &[Line], mut names: Vec<(f64, usize)>) {
    const ROW: f64 = 18.0;
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = MARGIN[0];
    for (y, index) in names {
        let y = y.max(free);
        free = y + ROW;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>",
            WIDTH - MARGIN[1] + 10.0,
            y + 4.0,
            COLOURS[index % COLOURS.len()],
            lines[index].name,
        );
    }
}
