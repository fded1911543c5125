//! Colours that can be told apart by most eyes, on white paper and on a dark screen.

use super::letters::{FAMILY, SMALL, TINY, TITLE, USUAL};
use super::paper::Theme;

/// The colours of the series: light, dark.
const SERIES: [(&str, &str); 10] = [
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
];

/// What tells lines of the same colour apart.
const DASHES: [&str; 2] = ["7 3", "2 3"];

/// The classes of a series: its colour and, where colours have run out, its dashes.
pub(crate) fn class(at: usize) -> String {
    let colour = at % SERIES.len();
    match at / SERIES.len() {
        0 => format!("s{colour}"),
        again => format!("s{colour} dash{}", again % DASHES.len()),
    }
}

/// The same with dashes.
pub(crate) fn dashed(at: usize) -> String {
    format!("s{} dash0", at % SERIES.len())
}

const LIGHT: &str = ".title{fill:#1b232c}.small,.value{fill:#5d6874}text{fill:#3c4651}.paper{fill:#fff}\
     .grid{stroke:#e3e7ec}.axis{stroke:#8a949f}";
const DARK: &str = ".title{fill:#f1f4f7}.small,.value{fill:#98a3af}text{fill:#c3cbd4}.paper{fill:#15191e}\
     .grid{stroke:#2a313a}.axis{stroke:#6c7783}";

/// The style sheet of a picture. Classes, not variables: not every program that draws SVG knows those.
pub(crate) fn style(theme: Theme) -> String {
    let mut shapes = format!(
        "text{{font-family:{FAMILY};font-size:{USUAL}px}}.title{{font-size:{TITLE}px}}.title,.strong{{font-weight:700}}\
         .small{{font-size:{SMALL}px}}.value{{font-size:{TINY}px}}.cell{{font-size:{SMALL}px}}\
         .grid,.axis{{stroke-width:1}}.line{{stroke-width:2;stroke-linejoin:round}}"
    );
    for (at, dashes) in DASHES.iter().enumerate() {
        shapes += &format!(".line.dash{at}{{stroke-dasharray:{dashes}}}");
    }
    let colours = match theme {
        Theme::Viewer => {
            let dark = colours(DARK, |(_, dark)| dark);
            let light = colours(LIGHT, |(light, _)| light);
            format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
        }
        Theme::Light => colours(LIGHT, |(light, _)| light),
        Theme::Dark => colours(DARK, |(_, dark)| dark),
    };
    shapes + &colours
}

fn colours(usual: &str, of: fn((&'static str, &'static str)) -> &'static str) -> String {
    let series = SERIES.iter().enumerate().map(|(at, pair)| {
        let colour = of(*pair);
        format!(".s{at}{{fill:{colour}}}.line.s{at}{{fill:none;stroke:{colour}}}")
    });
    usual.to_owned() + &series.collect::<String>()
}
