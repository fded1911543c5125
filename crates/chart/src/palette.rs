//! How series are told apart, and what everything else looks like: on white paper, on a dark screen, and on a page that has
//! colours of its own. Twelve can be told apart without colours, too: each has a dash and a marker, and no two that share a
//! shape share a dash. Beyond, colours come again with other dashes.

use crate::letters::{FAMILY, SMALL, TINY, TITLE, USUAL};
use crate::paper::Theme;

/// The colours of the series, for most eyes: light, dark.
pub const SERIES: [(&str, &str); 12] = [
    ("#2f6da3", "#6aaee0"),
    ("#d97b29", "#f0a35e"),
    ("#3d8f6c", "#72c7a2"),
    ("#8b5ea6", "#c09ad8"),
    ("#b8405e", "#ec8aa2"),
    ("#6d7681", "#a9b3bf"),
    ("#8a6a3b", "#cfae7c"),
    ("#1d99b3", "#5fd0e6"),
    ("#b04fae", "#e593e3"),
    ("#7d8f1f", "#c3d462"),
    ("#4b4fb3", "#9aa0f5"),
    ("#1b232c", "#f1f4f7"),
];

const DASHES: [&str; 12] = [
    "none",
    "7 4",
    "2 3",
    "9 3 2 3",
    "14 4",
    "4 2",
    "1 4",
    "12 3 2 3 2 3",
    "18 6",
    "6 6",
    "3 6",
    "10 2",
];

/// A circle, a square, two triangles, a diamond, a cross; each round its middle.
const SHAPES: [&str; 6] = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -4.5l4.5 8h-9z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m-4.5 -3.5h9l-4.5 8z",
    "m-1.4 -4.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z",
];

/// How often all colours have been used before this series.
fn again(at: usize) -> usize {
    at / SERIES.len()
}

/// The class of a series: its colour.
pub(crate) fn class(at: usize) -> String {
    format!("s{}", at % SERIES.len())
}

pub(crate) fn dash(at: usize) -> &'static str {
    DASHES[(at + 5 * again(at)) % DASHES.len()]
}

pub(crate) fn shape(at: usize) -> &'static str {
    SHAPES[(at + again(at)) % SHAPES.len()]
}

/// The second half of the twelve has hollow markers.
pub(crate) fn is_hollow(at: usize) -> bool {
    at % SERIES.len() >= SHAPES.len()
}

/// What the classes of drawings look like, whatever the colours are.
fn shapes() -> String {
    format!(
        "text{{font-family:{FAMILY};font-size:{USUAL}px}}.title{{font-size:{TITLE}px}}.title,.strong,.name{{font-weight:700}}\
         .small,.cell,.name{{font-size:{SMALL}px}}.value{{font-size:{TINY}px}}.grid,.axis{{stroke-width:1}}\
         .mean{{stroke-width:1;stroke-dasharray:3 3;opacity:.7}}.back{{opacity:.32}}\
         .fill{{stroke-width:0}}.look1{{fill-opacity:.35;stroke-width:1.5}}.look2{{fill-opacity:0;stroke-width:2}}\
         .through{{fill-opacity:.5}}.under{{opacity:.14}}.hollow{{stroke-width:1.8}}\
         .line{{fill:none;stroke-width:2.2;stroke-linejoin:round}}.halo{{stroke-width:3.5;paint-order:stroke}}"
    )
}

/// Colours that a drawing has besides those of its series.
struct Colours<'a> {
    title: &'a str,
    soft: &'a str,
    text: &'a str,
    paper: &'a str,
    grid: &'a str,
    axis: &'a str,
}

const LIGHT: Colours<'_> = Colours {
    title: "#1b232c",
    soft: "#5d6874",
    text: "#3c4651",
    paper: "#fff",
    grid: "#e3e7ec",
    axis: "#8a949f",
};
const DARK: Colours<'_> = Colours {
    title: "#f1f4f7",
    soft: "#98a3af",
    text: "#c3cbd4",
    paper: "#15191e",
    grid: "#2a313a",
    axis: "#6c7783",
};
/// A page's own, by the names that its style sheet has for them.
const PAGE: Colours<'_> = Colours {
    title: "var(--ink)",
    soft: "var(--soft)",
    text: "var(--soft)",
    paper: "var(--card)",
    grid: "var(--line)",
    axis: "var(--edge)",
};

impl Colours<'_> {
    fn style(&self, series: impl Fn(usize) -> String) -> String {
        let Colours { title, soft, text, paper, grid, axis } = self;
        let mut out = format!(
            "text{{fill:{text}}}.title{{fill:{title}}}.small,.value{{fill:{soft}}}.paper{{fill:{paper}}}.halo{{stroke:{paper}}}\
             .grid{{stroke:{grid}}}.axis{{stroke:{axis}}}.mean{{stroke:{title}}}"
        );
        for at in 0..SERIES.len() {
            let colour = series(at);
            out += &format!(
                ".s{at}{{fill:{colour};stroke:{colour}}}.line.s{at}{{fill:none}}.hollow.s{at}{{fill:{paper}}}\
                 .name.s{at}{{stroke:{paper}}}"
            );
        }
        out
    }
}

/// The style sheet of a file. Classes, not variables: not every program that draws SVG knows those.
pub(crate) fn style(theme: Theme) -> String {
    let light = || LIGHT.style(|at| SERIES[at].0.into());
    let dark = || DARK.style(|at| SERIES[at].1.into());
    let colours = match theme {
        Theme::Viewer => format!("{}@media(prefers-color-scheme:dark){{{}}}", light(), dark()),
        Theme::Light => light(),
        Theme::Dark => dark(),
    };
    shapes() + &colours
}

/// The style sheet of drawings on a page, in elements of the class `chart`: the page says what `--ink`, `--soft`, `--card`,
/// `--line` and `--edge` are, and is told the colours of the series as `--s0`, `--s1` ….
pub fn page() -> String {
    let mut out = String::from(":root,:host{");
    for (at, (light, dark)) in SERIES.iter().enumerate() {
        out += &format!("--s{at}:light-dark({light},{dark});");
    }
    let style = shapes() + &PAGE.style(|at| format!("var(--s{at})"));
    out + "}.chart{" + &style + "}"
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn thirty_series_look_different() {
        let looks: HashSet<_> = (0..30).map(|at| (class(at), dash(at))).collect();
        assert_eq!(looks.len(), 30);
        let shapes: HashSet<_> = (0..12).map(|at| (shape(at), is_hollow(at))).collect();
        assert_eq!(shapes.len(), 12, "also without colours");
        let marks: HashSet<_> = (0..12).map(|at| (shape(at), dash(at))).collect();
        assert_eq!(marks.len(), 12);
    }

    #[test]
    fn a_page_nests_what_a_file_has() {
        let page = page();
        assert!(page.starts_with(":root,:host{--s0:light-dark(#2f6da3,#6aaee0);"), "{page}");
        assert!(page.contains(".chart{text{font-family") && page.ends_with("}}"), "{page}");
    }
}
