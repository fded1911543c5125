//! What a user sees, as snapshots to be read as prose.

mod common;

use common::{astragal, astragal_with};

macro_rules! transcript {
    ($name:ident: $($argument:expr),+) => {
        #[test]
        fn $name() {
            let line: &[&str] = &[$($argument),+];
            let text = format!("$ astragal {}\n{}", line.join(" "), astragal(line).transcript());
            insta::assert_snapshot!(stringify!($name), text);
        }
    };
}

transcript!(roll: "roll", "4d6kh3", "--faces", "3,6,2,5");
transcript!(roll_in_full: "roll", "let x = 2d6!; x * 2 + 1", "--faces", "6,2,4", "--full");
transcript!(roll_several: "roll", "3d6", "--times", "3", "--seed", "1");
transcript!(roll_replayed: "roll", "3d6", "--roll", "2", "--seed", "1");
transcript!(roll_markdown: "roll", "4d6kh3", "--faces", "3,6,2,5", "--markdown");
transcript!(roll_colour: "roll", "4d6kh3", "--faces", "3,6,2,5", "--colour", "always");
transcript!(odds: "odds", "4d6kh3");
transcript!(odds_endless: "odds", "d6!");
transcript!(odds_of_a_mean_that_is_infinite: "odds", "(repeat with m = 1, go = true next m = m * 2, go = d2 > 1 until not go).m");
transcript!(odds_many: "odds", "100d6");
transcript!(odds_yes_or_no: "odds", "d20 + 5 >= 15");
transcript!(odds_texts: "odds", r#"d{"crit": 1, "hit": 2, "miss": 3}"#);
transcript!(odds_record: "odds", "srd.check(5, 15)");
transcript!(odds_field: "odds", "cofd.action(5)", "--field", "outcome");
transcript!(mean_in_a_program: "if mean(2d6 + 3) >= mean(4d6kh3) then \"swords\" else \"axes\"", "--seed", "1");
transcript!(deviation_in_a_program: "roll", "deviation(2d6)", "--seed", "1");
transcript!(help_on_a_suffix: "help", "kh");
transcript!(help_on_a_rule: "help", "CD-28");
transcript!(help_on_nothing: "help", "xyzzy");
transcript!(help_on_the_language: "help", "language");
transcript!(systems_by_word: "systems", "rote");
transcript!(systems_by_number: "systems", "KA-07");
transcript!(systems_by_nothing: "systems", "XX-99");
transcript!(a_number_for_a_record: "odds", "kaiser.opposed(8, 6).outcome");
transcript!(odds_certain: "odds", "2 + 2");
transcript!(odds_plain: "odds", "3d6", "--plain");
transcript!(odds_markdown: "odds", "2d4", "--markdown");
transcript!(odds_named: "odds", r#"show "plain" = d4; show "better" = 2d4kh1"#);
transcript!(both: "4d6kh3", "--faces", "3,6,2,5");
transcript!(roll_system: "roll", "srd.check(5, 15)", "--seed", "1");
transcript!(roll_outcome: "roll", "cofd.action(5)", "--seed", "2");
transcript!(roll_outcome_markdown: "roll", "cofd.action(5)", "--seed", "2", "--markdown");
transcript!(roll_outcomes: "roll", "cofd.action(3)", "--seed", "2", "--times", "2");
transcript!(roll_labels: "roll", "2d6[fire] + d8[cold] + 3", "--seed", "3");
transcript!(odds_at_least: "odds", "3d6", "--view", "at-least", "--chance", ">= 15");
transcript!(odds_at_most: "odds", "2d4", "--view", "at-most", "--markdown");
transcript!(odds_condition_on_a_variant: "odds", "cofd.action(5)", "--field", "outcome", "--chance", ">= success");
transcript!(odds_condition_on_a_field: "odds", "{success: d4 >= 3, face: d2}", "--chance", "success");
transcript!(odds_condition_on_nothing: "odds", "{success: d4 >= 3, face: d2}", "--chance", "nonsense");
transcript!(solve_markdown: "solve", "d20 >= dc", "dc", "--chance", "50%", "--markdown");
transcript!(odds_thousands: "odds", "1000d6cs>=5");
transcript!(compare: "compare", "2d20kh1", "d20 + 5");
transcript!(compare_three: "compare", "3d6", "2d8", "d20", "--plain");
transcript!(compare_many_outcomes: "compare", "20d6", "8d12 + 12");
transcript!(compare_endless: "compare", "d6!", "2d4");
transcript!(compare_outcomes: "compare", "cofd.action(3).outcome", "cofd.action(7).outcome");
transcript!(compare_markdown: "compare", "d4", "d6", "--markdown");
transcript!(compare_of_one: "compare", "d20");
transcript!(compare_unlike: "compare", "d20", "d20 >= 5");
transcript!(sweep: "sweep", "param dc = 15; d20 + 5 >= dc", "dc=5..25");
transcript!(sweep_a_call: "sweep", "cofd.action(pool).successes", "pool=1..5", "--chance", ">= 1");
transcript!(sweep_outcomes: "sweep", "cofd.action(pool).outcome", "pool=0..3");
transcript!(sweep_two: "sweep", "(a)d(b)", "a=1..2", "b=2,4", "--markdown");
transcript!(sweep_map: "sweep", "d20 + bonus >= dc", "dc=10..20/5", "bonus=0..6/2");
transcript!(sweep_map_in_colour: "sweep", "(a)d(b)", "a=1..2", "b=2,4", "--colour", "always");
transcript!(sweep_map_plain: "sweep", "cofd.action(pool, again: again).outcome", "pool=1,5", "again=8..10", "--plain");
transcript!(sweep_lines: "sweep", "show \"axe\" = (n)d12; show \"sword\" = (2*n)d6", "n=1..6");
transcript!(sweep_record: "sweep", "srd.check(5, dc)", "dc=10..20/5");
transcript!(sweep_fails: "sweep", "10 / n", "n=-1..1");
transcript!(sweep_nothing: "sweep", "d20");
transcript!(solve: "solve", "param dc = 15; d20+5 >= dc", "dc", "--chance", "65%");
transcript!(solve_how_many_dice: "solve", "(n)d6cs>=6 == 0", "n", "--chance", "1 in 1000", "--at-most");
transcript!(solve_a_record: "solve", "srd.check(5, dc)", "dc=1..40", "--chance", "0.5");
transcript!(solve_scattered: "solve", "d6 == x or d6 == x and x % 2 = 0", "x=1..6", "--chance", "20%");
transcript!(solve_never: "solve", "d6 == x", "x", "--chance", "1/2");
transcript!(solve_needs_an_event: "solve", "(n)d6", "n", "--chance", "1/2");
transcript!(check_definitions: "check", "fn double(x, by = 2) = x * by; enum Hit = miss | graze | hit");
transcript!(check_wrong_definitions: "check", "fn f(x) = y + 1");
transcript!(hint: "odds", "10d10 >= 8");
transcript!(wrong: "roll", "4d6 +");
transcript!(failing: "odds", "d6 / (d6 - 1)");
transcript!(misspelt_option: "roll", "3d6", "--jsn");
transcript!(systems: "systems");
transcript!(one_function: "systems", "crucible.pool");

/// One reroll of a d20, for the highest mean.
const REROLL: &str = "maximise do
  let first = d20
  choose
    \"keep\" => first
    \"throw again\" => d20
  end
end";
/// A turn of Pig.
const PIG: &str = "maximise (repeat with total = 0, over = false
  let die = choose
    \"hold\" => 0
    \"throw\" => d6
  end
  next total = if die == 1 then 0 else total + die, over = die <= 1
  until over).total";
/// Three throws of a d6; stop at any.
const THREE: &str = "maximise do
  let first = d6
  choose
    \"stop\" => first
    \"throw\" => do
      let second = d6
      choose
        \"stop\" => second
        \"throw\" => d6
      end
    end
  end
end";
/// Five dice, two rerolls of any, for the highest sum.
const FIVE: &str = "fn throw_again(dice) = do
  let kept = choose from subsets(dice)
  concat(kept, hand((5 - length(kept))d6))
end
maximise sum(throw_again(throw_again(hand(5d6))))";

transcript!(play_reroll: "odds", REROLL, "--policy");
transcript!(play_pig: "odds", PIG);
transcript!(play_three_throws: "odds", THREE, "--markdown");
transcript!(play_five_dice: "odds", FIVE, "--chance", ">= 25");
transcript!(play_for_a_chance: "odds", "maximise (do let first = d20; choose \"keep\" => first; \"again\" => d20 end end >= 15)");
transcript!(play_with_luck: "odds", "let luck = d3; maximise do let x = d6; choose \"keep\" => x; \"again\" => d6 + luck end end");
transcript!(play_opposed: "odds", "maximise do let x = d6; oppose \"low\" => x; \"three\" => 3 end end");
transcript!(play_by_a_field: "odds", "maximise {gold: choose from 0..5, luck: d6} by r => r.gold * r.luck");
transcript!(play_records: "odds", "maximise do let s = {hp: d6, mana: d4}; choose \"hit\" => s.hp; \"spell\" => s.mana * 2 end end");
transcript!(play_function_called_twice: "odds", "maximise do fn near(z) = choose \"z\" => z; \"two\" => 2 end; near(d3) - near(d3) end");
transcript!(play_rolled: "roll", REROLL, "--faces", "7,15");
transcript!(play_choices: "roll", REROLL, "--choices", "keep", "--faces", "7");
transcript!(play_choices_then_best: "roll", THREE, "--choices", "throw", "--faces", "6,3,2");
transcript!(play_choices_beyond_all: "roll", PIG, "--choices", "throw,throw,throw,throw,throw,throw", "--faces", "6,6,6,6,6,6");
transcript!(play_too_many_choices: "roll", REROLL, "--choices", "keep,keep", "--faces", "7");
transcript!(play_notes: "odds", "maximise do let x = d6; note \"one die\"; choose \"keep\" => x; \"again\" => do note \"thrown again\"; d6 end end end");
transcript!(play_no_such_choice: "roll", REROLL, "--choices", "kep", "--seed", "1");
transcript!(play_nobody_chooses: "roll", "d6", "--choices", "keep");
transcript!(play_measured: "roll", "mean(maximise do let x = d4; choose \"keep\" => x; \"again\" => d4 end end) + d2", "--seed", "1");
transcript!(play_plan: "plan", REROLL);
transcript!(play_compared: "compare", REROLL, "2d20kh1");
transcript!(play_swept: "sweep", "maximise do let x = d6; choose \"keep\" => x; \"again\" => d6 + bonus end end", "bonus=-2..2");
transcript!(play_solved: "solve", "mean(maximise do let x = d6; choose \"keep\" => x; \"again\" => d6 + bonus end end) >= 5", "bonus=-3..5");
transcript!(play_checked: "check", REROLL);
transcript!(help_on_choose: "help", "choose");
transcript!(help_on_maximise: "help", "maximise");

/// What is asked of a person, with the answers.
fn asked(program: &str, answers: &str) -> String {
    let line = ["roll", program, "--ask", "--faces", "7"];
    format!(
        "$ astragal {}\n{}",
        line.join(" "),
        astragal_with(&line, answers.as_bytes()).transcript()
    )
}

#[test]
fn a_person_chooses() {
    insta::assert_snapshot!("play_asked", asked(REROLL, "maybe\n?\nkeep\n"));
    insta::assert_snapshot!("play_asked_by_number", asked(REROLL, "1\n"));
    insta::assert_snapshot!("play_asked_and_nobody_there", asked(REROLL, ""));
}
