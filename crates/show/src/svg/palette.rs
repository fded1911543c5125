//! Colours that can be told apart by most eyes, on white paper and on a dark screen.

/// The colours of the series: light, dark.
pub(crate) const SERIES: [(&str, &str); 6] = [
    ("#2f6da3", "#6aaee0"),
    ("#d97b29", "#f0a35e"),
    ("#3d8f6c", "#72c7a2"),
    ("#8b5ea6", "#c09ad8"),
    ("#b8405e", "#ec8aa2"),
    ("#6d7681", "#a9b3bf"),
];

/// The class of a series.
pub(crate) fn class(at: usize) -> String {
    format!("s{}", at % SERIES.len())
}

/// The style sheet of a chart. Classes, not variables: not every program that draws SVG knows those.
pub(crate) fn style() -> String {
    let mut light = String::from(
        "text{font:13px system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#3c4651}\
         .title{font-size:18px;font-weight:600;fill:#1b232c}.small{font-size:12px;fill:#5d6874}\
         .value{font-size:11px;fill:#5d6874}.paper{fill:#fff}\
         .grid{stroke:#e3e7ec;stroke-width:1}.axis{stroke:#8a949f;stroke-width:1}\
         .line{fill:none;stroke-width:2;stroke-linejoin:round}",
    );
    let mut dark = String::from(
        "text{fill:#c3cbd4}.title{fill:#f1f4f7}.small,.value{fill:#98a3af}.paper{fill:#15191e}\
         .grid{stroke:#2a313a}.axis{stroke:#6c7783}",
    );
    for (at, (on_white, on_dark)) in SERIES.iter().enumerate() {
        let class = class(at);
        light +=
            &format!(".{class}{{fill:{on_white}}}.line.{class}{{fill:none;stroke:{on_white}}}");
        dark += &format!(".{class}{{fill:{on_dark}}}.line.{class}{{fill:none;stroke:{on_dark}}}");
    }
    format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
}
