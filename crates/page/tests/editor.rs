//! Help for the editor: places in UTF-16 units, messages with fixes, colours, completion, layout.

mod common;

use common::{ask, each, list, odds};
use serde_json::{Value as Json, json};

/// The text at a place, as a browser cuts it.
fn at(text: &str, place: &Json) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let end = |name: &str| place[name].as_u64().expect("a place") as usize;
    String::from_utf16(&units[end("start")..end("end")]).expect("whole characters")
}

/// The text with a fix made.
fn mended(text: &str, fix: &Json) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut edits: Vec<&Json> = list(&fix["edits"]).iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["place"]["start"].as_u64()));
    for edit in edits {
        let end = |name: &str| edit["place"][name].as_u64().expect("a place") as usize;
        let new = edit["replacement"].as_str().expect("a text").encode_utf16();
        units.splice(end("start")..end("end"), new);
    }
    String::from_utf16(&units).expect("whole characters")
}

#[test]
fn places_are_counted_as_a_browser_counts() {
    let text = "# 🎲🎲 é\nlet x = 1\ny + 1";
    let told = odds(text);
    let label = &told["diagnostics"][0]["labels"][0];
    assert_eq!(label["source"], "program");
    assert_eq!(at(text, &label["place"]), "y");
    let rendered = told["diagnostics"][0]["rendered"].as_str().expect("a text");
    assert!(rendered.contains("error[unknown-name]") && rendered.contains("y + 1"), "{rendered}");
}

#[test]
fn every_fix_mends_the_program_and_says_what_it_writes() {
    let text = "# 🎲\n4d6r1";
    let told = odds(text);
    let fixes = list(&told["diagnostics"][0]["fixes"]);
    assert!(fixes.len() >= 2, "{told}");
    for fix in fixes {
        let mended = mended(text, fix);
        assert_eq!(odds(&mended)["ok"], true, "{mended}");
        let line = mended.lines().last().expect("a line");
        assert_eq!(fix["title"], format!("Write `{line}`"));
    }
}

#[test]
fn hints_come_with_the_answer() {
    let told = ask(&json!({"ask": "odds", "text": "let x = d6\nd6"}));
    assert_eq!(told["ok"], true);
    for hint in list(&told["hints"]) {
        assert_eq!(hint["severity"], "hint");
    }
}

#[test]
fn tokens_are_told_apart() {
    let text = "# 🎲\n4d6kh3 + f(x) [fire]";
    let told = ask(&json!({"ask": "tokens", "text": text}));
    let kinds: Vec<(String, &str)> = list(&told["tokens"])
        .iter()
        .map(|token| (at(text, token), token["kind"].as_str().expect("a kind")))
        .collect();
    let kinds: Vec<(&str, &str)> =
        kinds.iter().map(|(text, kind)| (text.as_str(), *kind)).collect();
    assert_eq!(kinds[0], ("# 🎲", "comment"));
    assert!(kinds.contains(&("kh", "suffix")) && kinds.contains(&("d", "dice")), "{kinds:?}");
    assert!(kinds.contains(&("f", "function")) && kinds.contains(&("x", "name")), "{kinds:?}");
}

#[test]
fn completion_knows_systems_own_names_and_files() {
    let offered = |text: &str| {
        let at = text.encode_utf16().count();
        let files = json!({"house.dice": "## Twice as much.\nfn twice(x) = x * 2"});
        ask(&json!({"ask": "complete", "text": text, "at": at, "files": files}))
    };
    let told = offered("# 🎲\ncofd.act");
    assert_eq!(told["from"], 10);
    assert_eq!(each(&told["options"], "label"), ["action("]);
    assert_eq!(each(&offered("fn smite() = 1\nsmi")["options"], "label"), ["smite("]);
    let told = offered("use \"house.dice\" as h\nh.tw");
    assert_eq!(told["options"][0], json!({"label": "twice(", "detail": "Twice as much."}));
}

#[test]
fn the_layout_is_canonical_or_the_text_is_wrong() {
    let told = ask(&json!({"ask": "format", "text": "4d6   kh3+2"}));
    assert_eq!(told, json!({"ok": true, "text": "4d6kh3 + 2\n"}));
    let told = ask(&json!({"ask": "format", "text": "(1 + "}));
    assert_eq!(told["ok"], false);
    assert!(!list(&told["diagnostics"]).is_empty());
}
