//! Tables and charts for other programs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use common::{astragal, root, schema::assert_valid};
use serde_json::json;

macro_rules! export {
    ($name:ident: $($argument:expr),+) => {
        #[test]
        fn $name() {
            let ran = astragal(&[$($argument),+]);
            assert_eq!(ran.code, 0, "{}", ran.err);
            insta::assert_snapshot!(stringify!($name), ran.out);
        }
    };
}

export!(odds_csv: "odds", "2d4", "--csv");
export!(odds_csv_at_least: "odds", "2d4", "--csv", "--view", "at-least");
export!(odds_csv_of_texts: "odds", r#"d{"a, b": 1, "say \"c\"": 2}"#, "--csv");
export!(odds_csv_at_most: "odds", "2d4", "--csv", "--view", "at-most");
export!(odds_csv_of_tiny_chances: "odds", "30d2 cs>=2", "--csv");
export!(joint_csv: "odds", "{high: d4 >= 3, both: {face: d2, text: d{\"a, b\", \"c\"}}}", "--joint", "--csv");
export!(record_csv_at_least: "odds", "{high: d4 >= 3, face: d2}", "--csv", "--view", "at-least");
export!(sweep_svg: "sweep", "d20 + 2 >= dc", "dc=5..20/5", "--svg", "-");
export!(map_svg: "sweep", "(a)d(b)", "a=1..2", "b=2,4", "--svg", "-", "--dark");
export!(record_csv: "odds", "{high: d4 >= 3, face: d2}", "--csv");
export!(compare_csv: "compare", "d4", "2d2", "--csv");
export!(sweep_csv: "sweep", "(a)d(b)", "a=1..2", "b=2,4", "--csv");
export!(odds_svg: "odds", "2d4", "--svg", "-", "--title", "Two d4 <& more>");
export!(compare_svg: "compare", "d4", "2d2", "--svg", "-");
export!(outcomes_svg: "odds", "d20 + 5 >= 15", "--svg", "-");

fn drawn(arguments: &[&str]) -> String {
    let line = [arguments, &["--svg", "-"]].concat();
    let ran = astragal(&line);
    assert_eq!(ran.code, 0, "{line:?}: {}", ran.err);
    well_formed(&ran.out);
    ran.out
}

#[test]
fn charts_are_well_formed() {
    drawn(&["odds", "4d6kh3"]);
    drawn(&["odds", "d6!", "--view", "at-least"]);
    drawn(&["odds", "2 + 2"]);
    drawn(&["odds", "d6 / 4"]);
    drawn(&["odds", "d{1, 1000000}"]);
    drawn(&["odds", "-3d6"]);
    drawn(&["odds", r#"d{"<b>", "&", "\"quoted\""}"#]);
    drawn(&["odds", "[d2, d2]"]);
    drawn(&["odds", r#"show "a" = d6; show "b" = d8"#]);
    drawn(&["compare", "d4", "d6", "d8", "d10", "d12"]);
    drawn(&["sweep", "(n)d6", "n=1..5", "--chance", ">= 10"]);
    drawn(&["sweep", "cofd.action(n)", "n=1..4"]);
    drawn(&["sweep", "(a)d(b) >= 5", "a=1..3", "b=4,6,8", "--width", "500", "--height", "300"]);
    drawn(&["sweep", "if kind == \"<b>\" then d6 else d8", "kind=<b>,&"]);
}

#[test]
fn exact_chances_are_in_the_tooltips() {
    assert!(drawn(&["odds", "4d6kh3"]).contains("<title>18: 1.62% = 7/432</title>"));
}

#[test]
fn thousands_of_bars_are_one_path() {
    let drawing = drawn(&["odds", "d2500"]);
    assert_eq!(drawing.matches("<path").count(), 1);
    assert!(drawn(&["odds", "d100"]).matches("<path").count() >= 100);
}

#[test]
fn what_is_not_drawn_is_told() {
    assert!(drawn(&["odds", "100d6"]).contains("not drawn: 100..274 and 426..600"));
    assert!(!drawn(&["odds", "3d6"]).contains("not drawn"));
}

#[test]
fn a_chart_goes_into_a_file() {
    let path = root().join("target").join("chart of a test.svg");
    let path = if path.parent().is_some_and(std::path::Path::exists) {
        path
    } else {
        std::env::temp_dir().join("astragal chart of a test.svg")
    };
    let ran = astragal(&["odds", "3d6", "--svg", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("mean 10.5"), "the odds are still told");
    well_formed(&std::fs::read_to_string(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(astragal(&["odds", "3d6", "--svg", "no such folder/a.svg"]).code, 2);
}

/// The width and the height that a PNG tells of itself.
#[cfg(feature = "png")]
fn size(content: &[u8]) -> (u32, u32) {
    assert_eq!(&content[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(content[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
#[cfg(feature = "png")]
fn every_chart_is_also_made_of_dots() {
    let folder = std::env::temp_dir().join(format!("astragal-png-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("chart.png");
    let lines: [(&[&str], (u32, u32)); 5] = [
        (&["odds", "3d6"], (1520, 880)),
        (&["odds", "3d6", "--width", "1200", "--height", "630", "--dark"], (1200, 630)),
        (&["compare", "d4", "d6", "--width", "600"], (600, 347)),
        (&["sweep", "d20 >= dc", "dc=5..20"], (1520, 880)),
        (&["sweep", "(a)d(b)", "a=1..2", "b=2,4", "--height", "400", "--width", "400"], (400, 400)),
    ];
    for (line, wanted) in lines {
        let ran = astragal(&[line, &["--png", path.to_str().unwrap()]].concat());
        assert_eq!(ran.code, 0, "{line:?}: {}", ran.err);
        assert_eq!(size(&std::fs::read(&path).unwrap()), wanted, "{line:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_chart_is_light_or_dark_or_as_the_reader_likes() {
    assert!(drawn(&["odds", "d6"]).contains("prefers-color-scheme"));
    let dark = drawn(&["odds", "d6", "--dark"]);
    assert!(!dark.contains("prefers-color-scheme") && dark.contains(".paper{fill:#15191e}"));
    assert!(drawn(&["odds", "d6", "--light"]).contains(".paper{fill:#fff}"));
    assert_eq!(astragal(&["odds", "d6", "--svg", "-", "--light", "--dark"]).code, 2);
    assert_eq!(astragal(&["odds", "d6", "--svg", "-", "--width", "20"]).code, 2);
}

#[test]
fn axes_say_what_they_are() {
    let odds = drawn(&["odds", "3d6", "--view", "at-least"]);
    assert!(odds.contains(">outcome</text>") && odds.contains(">chance of this or more</text>"));
    let sweep = drawn(&["sweep", "d20 >= dc", "dc=5..20"]);
    assert!(sweep.contains(">dc</text>") && sweep.contains(">chance</text>"), "{sweep}");
    let map = drawn(&["sweep", "(a)d(b)", "a=1..2", "b=2,4"]);
    assert!(map.contains(">a</text>") && map.contains(">b</text>"), "{map}");
    assert!(map.contains("<title>a = 2, b = 4: mean 5</title>"), "{map}");
}

#[test]
fn three_inputs_are_a_list_and_no_chart() {
    let line = ["sweep", "(a)d(b) + c", "a=1,2", "b=4,6", "c=0,1"];
    let listed = astragal(&line);
    assert_eq!(listed.out.lines().count(), 9, "{}", listed.out);
    let ran = astragal(&[&line[..], &["--svg", "-"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("3 inputs make no chart"), "{}", ran.err);
}

#[test]
fn formats_exclude_each_other() {
    assert_eq!(astragal(&["odds", "d6", "--csv", "--json"]).code, 2);
    assert_eq!(astragal(&["odds", "d6", "--title", "x"]).code, 2);
}

#[test]
fn conditions_are_answered_in_json_too() {
    let ran = astragal(&["odds", "3d6", "--chance", ">= 15", "--json"]).json();
    assert_valid("odds", &ran);
    assert_eq!(ran["asked"][0]["condition"], json!(">= 15"));
    assert_eq!(ran["asked"][0]["chance"], json!("5/54"));
}

/// A tiny check of XML: every element is closed in order, and no bare sign of markup stands in a text.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at], open.last() == Some(&"style"));
        let end = rest[at..].find('>').map(|end| at + end).expect("a tag ends");
        let tag = &rest[at + 1..end];
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "closed in order");
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "attributes are quoted: {tag}");
            let own = tag.trim_end_matches('/');
            let own = own.split_whitespace().next().expect("a tag has a name");
            if !tag.ends_with('/') {
                open.push(own);
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "everything is closed: {open:?}");
    assert_eq!(rest.trim(), "");
}

fn check_text(text: &str, style: bool) {
    let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
    for (at, _) in text.match_indices('&') {
        assert!(style || entities.iter().any(|entity| text[at..].starts_with(entity)), "{text}");
    }
}
