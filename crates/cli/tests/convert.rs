//! Other tools' notation on the command line.

mod common;

use common::{astragal, astragal_with, schema::assert_valid};
use serde_json::json;

fn converts(arguments: &[&str], ours: &str) {
    let line: Vec<&str> = ["convert"].into_iter().chain(arguments.iter().copied()).collect();
    let ran = astragal(&line);
    assert_eq!((ran.out.trim_end(), ran.code), (ours, 0), "{arguments:?}: {}", ran.err);
}

#[test]
fn each_tool_is_read_as_it_reads_itself() {
    converts(&["--from", "roll20", "4d6r<2"], "4d6rr<=2");
    converts(&["--from", "foundry", "4d6r<2"], "4d6ro<2");
    converts(&["--from=roll20", "{10d10!}>8"], "10d10!cs>=8");
    converts(&["--from", "foundry", "-2d6", "+", "3"], "-2d6 + 3");
    converts(&["--from", "avrae", "4d6ro<3"], "4d6ro<3");
    converts(&["--from", "avrae", "4d6k3"], "4d{0: 5, 3}");
    converts(&["--from", "rpg-dice-roller", "4d6r<2"], "4d6rr<2");
    converts(&["--from", "rpg-dice-roller", "3d6!>4"], "3d6!>=5");
    converts(&["--from", "dicemaiden", "4d6", "r2", "k3", "+", "1"], "4d6ro<=2kh3 + 1");
    converts(&["--from", "dicemaiden", "-d20"], "2d20kl1");
    converts(&["--from", "anydice", "2@4d6"], "nth_highest(4d6, 2)");
}

#[test]
fn without_a_name_anydice_and_our_own_are_recognised() {
    converts(&["output [highest 3 of 4d6]"], "4d6kh3");
    converts(&["[count {5,6} in 4d6]"], "4d6cs>=5");
    converts(&["2@4d6"], "nth_highest(4d6, 2)");
    converts(&["4D6 K3+1"], "4d6kh3 + 1");
    let own = astragal(&["convert", "5d10>7"]);
    assert_eq!(own.out, "5d10 > 7\n");
    assert!(own.err.contains("Roll20 reads this as `5d10cs>=7`"), "{}", own.err);
}

#[test]
fn what_is_no_program_names_its_readers() {
    let ran = astragal(&["convert", "4d6r<2"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("reads it as Roll20 does: `4d6rr<=2`"), "{}", ran.err);
    assert!(ran.err.contains("reads it as Foundry does: `4d6ro<2`"), "{}", ran.err);
    let ran = astragal(&["convert", "4d6r1"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("`--from roll20` reads it as Roll20 does: `4d6rr=1`"), "{}", ran.err);
    assert!(
        ran.err.contains("`--from foundry` reads it as Foundry does: `4d6ro=1`"),
        "{}",
        ran.err
    );
    let none = astragal(&["convert", "4d6 +"]);
    assert!(none.err.contains("none of Roll20, Foundry, Avrae, rpg-dice-roller"), "{}", none.err);
    assert!(none.err.contains("and AnyDice would read it either"), "{}", none.err);
}

#[test]
fn refusals_have_a_place_and_a_reason() {
    let ran = astragal(&["convert", "--from", "foundry", "4d6sf<3"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    for part in ["no-equivalent", "program:1:4", "subtracts the faces", "cf=1"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(astragal(&["convert", "--from", "caith", "4d6"]).code, 2);
    assert_eq!(astragal(&["convert"]).code, 2);
}

#[test]
fn rolls_and_odds_convert_first() {
    let roll = ["roll", "--dialect", "roll20", "4d6k3r<2", "--faces", "1,3,4,5,6", "--plain"];
    let roll = astragal(&roll);
    assert_eq!(roll.code, 0, "{}", roll.err);
    assert!(roll.out.contains("4d6 reroll <= 2, keep highest 3"), "{}", roll.out);
    let odds = astragal(&["odds", "--dialect", "roll20", "3d6>3", "--json"]).json();
    assert_eq!(odds["mean"], json!("2"), "{odds}");
    let odds = astragal(&["odds", "--dialect", "foundry", "d20ms>12", "--json"]).json();
    assert_eq!(odds["mean"], json!("-3/2"), "{odds}");
    let both = astragal(&["--dialect", "foundry", "4d6xkh", "--seed", "1"]);
    assert_eq!(both.code, 0, "{}", both.err);
    let odds = astragal(&["odds", "--from", "avrae", "3d6>10", "--json"]).json();
    assert_eq!(odds["mean"], json!("1/2"), "{odds}");
    let odds = astragal(&["odds", "--from", "dicemaiden", "10d10 t8 ie10", "--json"]).json();
    assert_eq!(odds["mean"], json!("10/3"), "{odds}");
    let wrong = astragal(&["odds", "--dialect", "roll20", "5d6mt"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("has no equivalent here"), "{}", wrong.err);
}

#[test]
fn what_is_left_out_is_told() {
    let ran = astragal(&["convert", "--from", "roll20", "2d20cs>19+5 to hit"]);
    assert_eq!(ran.out, "2d20 + 5\n");
    assert!(ran.err.contains("only colours dice"), "{}", ran.err);
    assert!(ran.err.contains("`to hit` is a comment"), "{}", ran.err);
}

#[test]
fn json_and_files() {
    let ran = astragal(&["convert", "--from", "roll20", "4d6r<2", "--json"]);
    assert_valid("convert", &ran.json());
    assert_eq!(
        ran.json(),
        json!({"format": 1, "from": "roll20", "text": "4d6r<2", "astragal": "4d6rr<=2"})
    );
    assert_valid("convert", &astragal(&["convert", "output 3d6", "--json"]).json());
    assert_valid("convert", &astragal(&["convert", "3d6", "--json"]).json());
    let wrong = astragal(&["convert", "--from", "roll20", "5d6mt", "--json"]);
    assert_valid("diagnostics", &wrong.json());
    let read = astragal_with(&["convert", "--from", "roll20", "--file", "-"], b"2d6!>5\n");
    assert_eq!(read.out, "2d6!>=5\n");
}

#[test]
fn anydice_programs_run_unchanged() {
    let program = "X: 2 output Xd6 named \"two\" output d{} output d6 <= {2,3}";
    let odds = astragal(&["odds", "--from", "anydice", program, "--json"]).json();
    let results = odds["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[0]["name"], "two");
    assert_eq!(results[0]["outcomes"][0]["value"], serde_json::json!(2));
    assert_eq!(results[0]["outcomes"][0]["chance"], serde_json::json!("1/36"));
    assert_eq!(
        (&results[1]["outcomes"], &results[1]["lost"]),
        (&serde_json::json!([]), &"0".into())
    );
    assert!(results[2]["notices"][0].as_str().unwrap().contains("die > sequence"));
    let one = astragal(&["odds", "--from", "anydice", "output 3", "--json"]).json();
    assert_eq!(one["results"].as_array().unwrap().len(), 1);

    let wrong = astragal(&["odds", "--from", "anydice", "if d6 { output 1 }", "--json"]);
    assert_eq!(
        (wrong.code, &wrong.json()["diagnostics"][0]["code"]),
        (1, &"random-condition".into())
    );
    let large = astragal(&["odds", "--from", "anydice", "output 99999999d6"]);
    assert_eq!(large.code, 3, "{}", large.err);
    let rolled = astragal(&["roll", "--from", "anydice", "output d1 + 4", "--seed", "1"]);
    assert!(rolled.out.contains("5"), "{}", rolled.out);
    let compared = astragal(&["compare", "--from", "anydice", "output 2d6", "output d12"]);
    assert!(compared.out.contains("output 2d6 is higher"), "{}", compared.out);
    let none = astragal(&["odds", "--from", "anydice", "X: 3", "--json"]);
    assert_eq!((none.code, &none.json()["results"]), (0, &serde_json::json!([])));
    let none = astragal(&["odds", "--from", "anydice", "X: 3", "--correlations"]);
    assert!(none.err.contains("no results"), "{}", none.err);
    let ours = astragal(&["odds", "X: 3d6 output X"]);
    assert!(ours.err.contains("this is AnyDice's notation"), "{}", ours.err);
    let many = "loop N over {1..1500} { output d6 named \"case [N]\" }";
    let told = astragal(&["odds", "--from", "anydice", many]);
    assert!(told.out.starts_with("1500 results"), "{}", &told.out[..200]);
    assert!(told.out.lines().all(|line| line.chars().count() < 200));
}

#[test]
fn many_results_are_written_without_a_table_of_zeros() {
    let many = "loop N over {1..1500} { output d13 + 100 * N named \"case [N]\" }";
    let odds = |option: &[&str]| astragal(&[&["odds", "--from", "anydice", many], option].concat());
    let csv = odds(&["--csv"]).out;
    assert_eq!(csv.lines().count(), 19_501);
    assert!(csv.ends_with("case 1500,150013,0.076923076923077,1/13\n"), "{}", &csv[..200]);
    let full = odds(&["--full"]).out;
    assert!(full.len() < 10_000_000 && full.contains("150013"), "{}", full.len());
    let drawn = odds(&["--svg", "-"]).out;
    assert!(drawn.contains("not drawn: 1470 more results") && drawn.len() < 200_000);
}

#[test]
fn an_output_without_rows_says_whether_its_chance_is_lost() {
    let program = "function: f X:n { result: X } output d{} named \"a\" output [f d{}] named \"b\"";
    let odds = astragal(&["odds", "--from", "anydice", program, "--json"]).json();
    let results = odds["results"].as_array().unwrap();
    let told =
        |at: usize| (results[at]["outcomes"].as_array().unwrap().len(), &results[at]["lost"]);
    assert_eq!((told(0), told(1)), ((0, &"0".into()), (0, &"1".into())));
    for (output, words) in
        [("d{}", "this is the empty die"), ("d{} d 6", "all of its chance is lost")]
    {
        let ran = astragal(&["odds", "--from", "anydice", &format!("output {output}")]);
        assert!(ran.code == 0 && ran.out.contains(words), "{} {}", ran.out, ran.err);
    }
}
