//! The page exports what the command line writes.

mod common;

use astragal_page::Host;
use common::astragal;
use serde_json::{Value as Json, json};

fn exported(text: &str, kind: &str, view: &str) -> String {
    let request = json!({"ask": "export", "as": kind, "view": view, "text": text});
    let host = Host { seed: || None, progress: |_, _| {} };
    let told: Json = serde_json::from_str(&astragal_page::answer(&request.to_string(), &host))
        .expect("an answer");
    told["content"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned()
}

#[test]
fn files_are_the_same() {
    let programs = [
        "4d6kh3",
        "d6!",
        "d20 + 5 >= 15",
        "{high: d4 >= 3, face: d2}",
        "show \"a\" = d4; show \"b\" = 2d2",
        "cofd.action(3).outcome",
    ];
    for text in programs {
        let csv = astragal(&["odds", text, "--csv", "--view", "at-least"]);
        assert_eq!(exported(text, "csv", "at_least"), csv.out, "{text}");
        let data = astragal(&["odds", text, "--json"]);
        assert_eq!(exported(text, "json", "exactly"), data.out, "{text}");
        if text.starts_with('{') {
            continue;
        }
        let svg = astragal(&["odds", text, "--svg", "-", "--view", "at-most"]);
        assert_eq!(exported(text, "svg", "at_most"), svg.out, "{text}");
    }
}

/// What programs ask of the engine is what the terminal prints for them.
#[test]
fn data_is_the_same() {
    let questions: [(&[&str], Json); 7] = [
        (&["odds", "3d6!", "--until", "40"], json!({"of": "odds", "text": "3d6!", "until": "40"})),
        (&["roll", "4d6kh3", "--seed", "7"], json!({"of": "roll", "text": "4d6kh3", "seed": "7"})),
        (&["check", "4d6kh3"], json!({"of": "check", "text": "4d6kh3"})),
        (
            &["sweep", "d20 + b", "b=0..2"],
            json!({"of": "sweep", "text": "d20 + b", "over": ["b=0..2"]}),
        ),
        (
            &["solve", "d20 + b >= dc", "b=0..9", "dc=12,15", "--chance", "65%"],
            json!({"of": "solve", "text": "d20 + b >= dc", "over": ["b=0..9", "dc=12,15"], "chance": "65%"}),
        ),
        (&["compare", "2d6", "d12"], json!({"of": "compare", "texts": ["2d6", "d12"]})),
        (&["systems"], json!({"of": "systems"})),
    ];
    let host = Host { seed: || None, progress: |_, _| {} };
    for (words, mut request) in questions {
        request["ask"] = "data".into();
        let printed = astragal(&[words, &["--json"]].concat());
        let told = astragal_page::answer(&request.to_string(), &host);
        assert_eq!(told, printed.out.trim_end(), "{words:?}");
    }
}
