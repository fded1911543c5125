//! Choices at the table: the best play decides, or a person does.

mod common;

use common::{ask, each, list, odds};
use serde_json::{Value as Json, json};

const REROLL: &str = include_str!("../../../examples/plays/reroll.dice");
const PIG: &str = include_str!("../../../examples/plays/pig.dice");
const NIM: &str = include_str!("../../../examples/plays/nim.dice");
const FIVE: &str = include_str!("../../../examples/plays/five.dice");

fn decide(text: &str, faces: &str, choices: &[&str], judge: bool) -> Json {
    ask(&json!({"ask": "decide", "text": text, "faces": faces, "choices": choices, "judge": judge}))
}

#[test]
fn best_play_says_what_it_took_and_why() {
    let told = ask(&json!({"ask": "roll", "text": REROLL, "faces": "7,13"}));
    assert_eq!(told["roll"]["value"], 13);
    assert_eq!(told["sentence"], "13: 7, 13; chosen: throw again");
    let [first, choice, second] = list(&told["pools"]) else { panic!("{told}") };
    assert_eq!((&first["total"], &second["total"]), (&json!(7), &json!(13)));
    let expected = json!({"choice": {
        "opponent": false, "taken": 1, "best": 1,
        "options": [{"label": "keep", "worth": "7"}, {"label": "throw again", "worth": "10.5"}],
    }});
    assert_eq!(*choice, expected);
    let lines = told["lines"].to_string();
    assert!(lines.contains("choose: throw again (throw again: 10.5, keep: 7)"), "{lines}");
}

#[test]
fn a_person_is_asked_with_what_lies_on_the_table() {
    let told = decide(REROLL, "7", &[], false);
    assert_eq!(told["ok"], true, "{told}");
    assert_eq!(told["pools"][0]["total"], 7);
    let question = &told["question"];
    assert_eq!(question["known"], json!([{"name": "first", "value": "7"}]));
    assert_eq!(each(&question["options"], "label"), ["keep", "throw again"]);
    assert_eq!((&question["opponent"], &question["best"]), (&json!(false), &Json::Null));
    assert_eq!(question["options"][0]["worth"], Json::Null);
    let judged = decide(REROLL, "7", &[], true);
    assert_eq!(judged["question"]["best"], 1);
    assert_eq!(judged["question"]["options"][1]["worth"]["exact"], "21/2");
    assert_eq!(judged["pools"], told["pools"]);
}

#[test]
fn what_a_person_takes_is_done_and_judged() {
    let told = decide(REROLL, "7", &["keep"], true);
    assert_eq!((&told["roll"]["value"], &told["question"]), (&json!(7), &Json::Null));
    let choice = &told["pools"][1]["choice"];
    assert_eq!((&choice["taken"], &choice["best"]), (&json!(0), &json!(1)));
    assert!(told["lines"].to_string().contains("best was throw again"), "{told}");
    let unjudged = decide(REROLL, "7", &["keep"], false);
    assert_eq!(unjudged["pools"][1]["choice"]["best"], Json::Null);
    let wrong = decide(REROLL, "7", &["tea"], false);
    assert_eq!(wrong["ok"], false);
    assert!(wrong["diagnostics"][0]["message"].to_string().contains("tea"), "{wrong}");
}

#[test]
fn a_game_goes_on_with_the_same_dice_until_it_ends() {
    let play = |choices: &[&str]| decide(PIG, "4,6", choices, true);
    let first = play(&[]);
    assert_eq!(first["question"]["known"], json!([{"name": "points", "value": "0"}]));
    let second = play(&["throw"]);
    let third = play(&["throw", "throw"]);
    assert_eq!(list(&second["pools"])[..], list(&third["pools"])[..2], "{third}");
    assert_eq!(list(&third["pools"]).len(), 4);
    let ended = play(&["throw", "throw", "hold"]);
    assert_eq!(ended["roll"]["value"], 10, "{ended}");
    assert_eq!(ended["sentence"], "10: 4, 6; chosen: throw, throw, hold");
}

#[test]
fn the_opponent_plays_by_itself() {
    let told = ask(&json!({"ask": "decide", "text": NIM, "seed": "1", "choices": []}));
    let options = each(&told["question"]["options"], "label");
    let taken = [options.last().expect("an option")];
    let next =
        ask(&json!({"ask": "decide", "text": NIM, "seed": "1", "choices": taken, "judge": false}));
    let choices: Vec<&Json> = list(&next["pools"])
        .iter()
        .map(|pool| &pool["choice"])
        .filter(|it| !it.is_null())
        .collect();
    assert_eq!(choices[1]["opponent"], true, "{next}");
    assert_eq!(next["question"]["opponent"], false);
}

#[test]
fn dice_to_keep_are_options_too() {
    let told = decide(FIVE, "3,3,5,5,5", &[], true);
    let question = &told["question"];
    let best = question["best"].as_u64().expect("the best one") as usize;
    assert_eq!(question["options"][best]["label"], "[5, 5, 5]");
    assert_eq!(list(&question["options"]).len(), 12, "two threes and three fives: 3 times 4");
}

#[test]
fn a_program_without_choices_is_rolled() {
    let told = decide("4d6kh3", "3,6,1,5", &[], true);
    assert_eq!(told["roll"]["value"], 14);
    assert_eq!(odds("4d6kh3")["decides"], false);
    assert_eq!(odds(REROLL)["decides"], true);
    let dear = ask(&json!({"ask": "odds", "text": PIG, "steps": 10}));
    assert_eq!((&dear["ok"], &dear["decides"]), (&json!(false), &json!(true)));
}

#[test]
fn the_words_of_choices_are_coloured_and_completed() {
    let told = ask(&json!({"ask": "tokens", "text": REROLL}));
    let keyword = |word: &str| {
        let start = REROLL.find(word).expect("the word") as u64;
        list(&told["tokens"])
            .iter()
            .any(|token| token["start"] == start && token["kind"] == "keyword")
    };
    assert!(keyword("maximise") && keyword("choose"), "{told}");
    for (begun, whole) in
        [("maxi", "maximise"), ("mini", "minimise"), ("choo", "choose"), ("oppo", "oppose")]
    {
        let told = ask(&json!({"ask": "complete", "text": begun, "at": begun.len()}));
        assert!(each(&told["options"], "label").contains(&whole), "{told}");
    }
}

#[test]
fn files_of_a_game_are_made() {
    for (kind, text) in [("csv", REROLL), ("json", PIG), ("svg", REROLL), ("markdown", PIG)] {
        let told = ask(&json!({"ask": "export", "as": kind, "text": text}));
        assert_eq!(told["ok"], true, "{told}");
        assert!(!told["content"].as_str().expect("a text").is_empty());
    }
}

#[test]
fn the_policy_is_told_in_the_words_of_the_terminal() {
    let told = odds(REROLL);
    let expected = json!([{
        "title": "best play",
        "value": "13 in the mean",
        "choice": "choose keep or throw again",
        "rules": [{"when": "first 1 to 10", "take": "throw again"}, {"when": "first 11 to 20", "take": "keep"}],
        "rules_of": 2,
        "losses": [{"always": "keep", "loses": "2.5"}, {"always": "throw again", "loses": "2.5"}],
    }]);
    assert_eq!(told["policy"], expected);
    let pig = &odds(PIG)["policy"][0]["rules"];
    let hold = list(pig).iter().find(|rule| rule["take"] == "hold").expect("hold");
    assert!(hold["when"].to_string().contains("20"), "{pig}");
    assert_eq!(odds("4d6kh3")["policy"], json!([]));
    let five = odds(FIVE);
    assert_eq!(each(&five["policy"], "title")[1], "?", "the value of a game is told once");
    assert!(
        list(&five["policy"]).iter().all(|choice| !list(&choice["rules"]).is_empty()),
        "{five}"
    );
}

#[test]
fn best_play_goes_on_where_not_every_option_was_looked_at() {
    let told = ask(&json!({"ask": "roll", "text": PIG, "faces": "6,6,6,6"}));
    assert_eq!((&told["ok"], &told["roll"]["value"]), (&json!(true), &json!(24)), "{told}");
    let last = list(&told["pools"]).last().expect("a choice");
    assert_eq!(last["choice"]["options"][0]["label"], "hold");
    assert_eq!((&last["choice"]["taken"], &last["choice"]["best"]), (&json!(0), &json!(0)));
    let asked = decide(PIG, "6,6,6,6", &["throw", "throw", "throw", "throw"], true);
    assert_eq!(each(&asked["question"]["options"], "label"), ["hold", "throw"], "{asked}");
}
