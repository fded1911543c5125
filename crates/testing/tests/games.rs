//! Whole games, held against answers that were found outside: small programs of another language that go through every
//! place of the game with exact fractions.

use astragal::faces::Seeded;
use astragal::{Budget, Engine, Loss, Odds, Value, advice};

/// A file of `games`.
fn odds(game: &str) -> Odds {
    let path = format!("{}/games/{game}.dice", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("there is such a game");
    odds_of(&text)
}

fn odds_of(text: &str) -> Odds {
    let program = Engine::new().compile(text).expect("it is a program");
    program.odds(&Budget::default()).unwrap_or_else(|wrong| panic!("{text}\n{wrong}"))
}

fn value(odds: &Odds) -> String {
    assert!(odds.only().lost.is_zero(), "it is known exactly");
    odds.plays[0].value.as_ref().expect("nothing goes wrong").to_string()
}

#[test]
fn games_are_worth_what_others_found() {
    for (game, found) in [
        ("best-of-five", "14744047/20972864"),
        ("blackjack", "4097395684937133860628147836090869/10000000000000000000000000000000000"),
        ("bust-die", "5592123066821754372724690239878505625/410186270246002225336426103593500672"),
        ("cant-stop", "19321/23328"),
        ("doubling", "1"),
        ("dragon", "273533682097927/28179280429056"),
        ("duel", "1/64"),
        ("gambler", "13916691/44121781"),
        ("hog", "15625/1944"),
        ("midnight", "5058047990207219/270826551115776"),
        ("secretary", "36749/50000"),
        ("shut-the-box", "27323400707/2448880128"),
        ("spend", "15761/20000"),
        ("threes", "504205555/80621568"),
        ("two-dice-pig", "75028063/7558272"),
        ("year-zero", "22565/23328"),
        (
            "zombie",
            "2365133109233114339056735351098222933375/1040384209055009585524637954739634438144",
        ),
    ] {
        assert_eq!(value(&odds(game)), found, "{game}");
    }
}

/// The same for games whose law is a short list, or none: what the play is worth was found outside.
#[test]
fn more_games_are_worth_what_others_found() {
    for (game, found) in [
        ("best-of-five-after-the-throw", "239875/279936"),
        ("big-pig", "1614922325/136048896"),
        ("blades-scene", "-4367705/629856"),
        ("columns", "2264151897/268435456"),
        ("craps", "41/990"),
        ("duel-of-rounds", "-5/8"),
        ("duel-with-retreats", "0"),
        ("fate-points", "1097461/885735"),
        ("four-looks", "1533/100"),
        ("greed", "24532032062060792268212977453/1719070799748422591028658176"),
        ("inspiration", "479/400"),
        ("lucky-checks", "111649/20000"),
        ("drafting", "2095/972"),
        ("duel-of-feints", "552715/1119744"),
        ("farkle-as-thrown", "153430460275/362797056"),
        ("full-house-as-thrown", "5485535/15116544"),
        ("open-liar", "-37/162"),
        ("points-for-rerolls", "679/288"),
        ("resistance", "1282103/279936"),
        ("three-sixes-as-thrown", "27807523471/78364164096"),
        ("push-with-banes", "304699/52488"),
        ("rerolls-left", "646999/20000"),
        ("skunk", "14387704987738687/914039610015744"),
        ("ship-captain-crew", "160042333703/39182082048"),
        ("shut-seven", "468895195/90699264"),
        ("targets", "127661/13824"),
        ("upgrades", "72915/32768"),
    ] {
        assert_eq!(value(&odds(game)), found, "{game}");
    }
}

/// Games of the table in other forms, by brute force over all that may come.
#[test]
fn games_of_the_table_are_worth_what_others_found() {
    for (game, found) in [
        ("bandit", "311/120"),
        ("blackjack-deck", "-84871/1621620"),
        ("court-the-king", "47406247/2519424"),
        ("dangers", "1129/210"),
        ("death-saves", "7697/10000"),
        ("devils-bargain", "10289/2592"),
        ("duel-of-stances", "-137/128"),
        ("fate-invoked", "18071/6561"),
        ("luck-after", "537/100"),
        ("momentum", "21819843/4000000"),
        ("odd-drafting", "1873/324"),
        ("ones-and-fives", "485675/5832"),
        ("poker-draw", "31211/10010"),
        ("series-of-five", "19415/41472"),
        ("seven-candidates", "29/70"),
        ("shut-nine", "956177159/9795520512"),
        ("sticks", "3281/6561"),
        ("stress-dice", "1857241/10077696"),
        ("tokyo", "23747959606315/8463329722368"),
        ("wimp-out", "1153182485/57395628"),
        ("year-zero-pushed-twice", "3916613849/1224440064"),
    ] {
        assert_eq!(value(&odds(game)), found, "{game}");
    }
}

/// What is paid or counted on the way has no end, and decides nothing: the play is known exactly, the law but for a sliver.
#[test]
fn numbers_that_only_count_are_left_out() {
    for (game, found) in [
        ("all-alike", "63/8"),
        ("house-with-recall", "100/7"),
        ("least-harm", "16839/2048"),
        ("least-harm-as-a-function", "16839/2048"),
        ("pig-for-a-price", "63696511/10077696"),
        ("search", "91/6"),
        ("search-as-a-function", "91/6"),
    ] {
        let odds = odds(game);
        let value = odds.plays[0].value.as_ref().expect("nothing goes wrong");
        assert_eq!(value.to_string(), found, "{game}");
        let most = astragal::Rational::ONE / astragal::Rational::from(10u64.pow(9));
        assert!(
            odds.plays[0].is_exact && odds.results.iter().all(|answer| answer.lost < most),
            "{game}"
        );
    }
}

/// The mean of what a play comes to is what it is worth, also where the law is known but for a sliver: with something known
/// before it, and as a part of what it comes to.
#[test]
fn the_mean_stays_the_value_where_the_law_is_cut() {
    let search = "fn look(face, paid, price) = choose
                    \"stop\" => {worth: face - paid, paid: paid}
                    \"pay\" => look(d20, paid + price, price)
                  end\n";
    for (text, mean) in [
        ("(maximise look(d20, 0, 1) by r => r.worth).worth", Some("91/6")),
        ("let price = d2\n(maximise look(d20, 0, price) by r => r.worth).worth", None),
        ("(maximise look(d20, 0, 1) by r => r.worth).paid", Some("")),
    ] {
        let odds = odds_of(&format!("{search}{text}"));
        assert!(!odds.only().lost.is_zero(), "its law is cut: {text}");
        let weighed = odds
            .plays
            .iter()
            .map(|play| play.value.as_ref().expect("nothing goes wrong") * &play.chance);
        let value = weighed.fold(astragal::Rational::ZERO, |sum, part| sum + part);
        match mean {
            Some("") => assert_eq!(odds.only().mean(), None, "it is not what counts: {text}"),
            Some(mean) => {
                let told = odds.only().mean().expect("it is known");
                assert_eq!((told.to_string(), told), (mean.to_owned(), value), "{text}");
            }
            None => assert_eq!(odds.only().mean(), Some(value), "{text}"),
        }
    }
    let path = format!("{}/games/search.dice", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("there is such a game");
    let program = Engine::new().compile(&text).expect("it is a program");
    let odds = program.odds(&Budget::default()).expect("it has odds");
    let told = astragal::json::odds(&program, &odds);
    assert_eq!((&told["mean"], &told["policy"][0]["value"]), (&"91/6".into(), &"91/6".into()));
}

/// As few turns of Pig as possible for 20 points; the digits are those of a separate calculation.
#[test]
fn turns_are_counted_where_scores_decide() {
    let odds = odds("solitaire-pig");
    let value = odds.plays[0].value.clone().expect("nothing goes wrong");
    let digits = (value * astragal::Rational::from(10u64.pow(9))).floor();
    assert_eq!(digits.to_string(), "2663405480");
}

/// A roll of such a game finds its place, and what was paid is taken off what is still to be had.
#[test]
fn a_roll_knows_its_place_without_what_only_counts() {
    let path = format!("{}/games/search.dice", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("there is such a game");
    let program = Engine::new().compile(&text).expect("it is a program");
    for roll in 0..20 {
        program.roll(&mut Seeded::new(1, roll)).expect("it is known what to do");
    }
}

/// Two numbers are held against each other where that is what matters.
#[test]
fn what_matters_may_be_which_is_greater() {
    let odds = odds_of(
        r#"maximise do
             let a = d100
             choose
               "keep a" => do let b = d100; let c = d100; a >= b and a >= c end
               "pass" => do
                 let b = d100
                 choose
                   "keep b" => do let c = d100; b >= a and b >= c end
                   "pass" => do let c = d100; c >= a and c >= b end
                 end
               end
             end
           end"#,
    );
    let told = advice(&odds.plays);
    let rules: Vec<String> =
        told[1].rules.iter().map(|rule| format!("{}: {}", rule.when, rule.take)).collect();
    assert_eq!(rules, ["b 51 to 100, b at least a: keep b", "otherwise: pass"]);
}

/// Farkle's turn has no end in its points, and its fraction about a thousand digits.
#[test]
fn a_turn_of_farkle_is_known_exactly() {
    let odds = odds("farkle");
    assert!(odds.only().lost.is_zero() && odds.plays[0].is_exact);
    let mean = odds.only().mean().expect("it is a number");
    assert_eq!(Some(&mean), odds.plays[0].value.as_ref());
    let digits = (mean * astragal::Rational::from(10u64.pow(12))).floor();
    assert_eq!(digits.to_string(), "488637902159492");
}

/// Games with dice that have no end; the values were found by hand, or with tables that were cut and agree to nine digits.
#[test]
fn endless_dice_are_played_exactly() {
    let exploding_pig = r#"fn turn(score) = choose
             "hold" => score
             "throw" => do let die = d6!; if die = 1 then 0 else turn(score + die) end
           end
           maximise turn(0)"#;
    for (text, found) in [
        (r#"maximise do let a = d6!; choose "keep" => a; "again" => d6! end end"#, "16/3"),
        (
            r#"fn turn(left) = do let a = d6!; choose "stop" => a; "on" if left > 1 => turn(left - 1) end end
               maximise turn(3)"#,
            "553/90",
        ),
        (
            r#"maximise do let a = 2d6!; let b = choose "keep" => a; "again" => 2d6! end; b >= 12 end"#,
            "4439/11664",
        ),
        (
            r#"maximise do let a = d6!; choose "keep" => a; "higher" => max(a, d6!) - 1 end end"#,
            "89/18",
        ),
        // A list of them, and one that is kept or thrown anew in one expression: each throw is listed by itself.
        (
            r#"maximise do let l = [d6!, d6!]; choose "first" => at(l, 1); "again" => d6! end end"#,
            "16/3",
        ),
        (
            r#"fn thrown(more) = d6! + more
               maximise do let l = map(1..2, i => thrown(i)); choose "first" => at(l, 1); "again" => d6! end end"#,
            "29/5",
        ),
        (
            r#"maximise do let l = map([1, 2], i => d6!); choose "first" => at(l, 1); "again" => d6! end end"#,
            "16/3",
        ),
        (
            r#"maximise (repeat with face = d6!!, n = 0
                 let stop = choose "stop" => true; "on" => false end
                 next face = if stop then face else d6!!, n = n + 1
                 until n = 2 or stop).face"#,
            "553/90",
        ),
        // Without end on both sides.
        (
            r#"minimise do let a = d6! - d4!; choose "keep" => a; "again" => d6! - d4! end end"#,
            "-21782/34545",
        ),
        (exploding_pig, "659415627211/65303470080"),
    ] {
        let odds = odds_of(text);
        let play = &odds.plays[0];
        let value = play.value.as_ref().expect("nothing goes wrong");
        assert!(play.is_exact && !odds.only().lost.is_zero(), "{text}");
        assert_eq!(value.to_string(), found, "{text}");
        if !play.is_chance {
            assert_eq!(odds.only().mean().as_ref(), Some(value), "{text}");
        }
    }
}

/// Where the worth is no straight line, its bounds are told; they hold what is known from elsewhere.
#[test]
fn a_value_that_is_not_known_exactly_lies_between_two_numbers() {
    let text = r#"maximise do let a = d6!; choose "half" => a // 2; "again" => d6! // 2 end end"#;
    let odds = odds_of(text);
    let (low, high) = odds.plays[0].within.clone().expect("it has bounds");
    // max(a // 2, m), where m is the mean of d6! // 2.
    let again = odds_of("d6! // 2").only().mean().expect("it is known");
    let at_least =
        |half: u64| odds_of(&format!("d6! // 2 >= {half}")).only().chance(&Value::Bool(true));
    let first = again.floor();
    let first = u64::try_from(first).expect("it is small") + 1;
    let mut value = &again + (astragal::Rational::from(first) - &again) * at_least(first);
    for half in first + 1..60 {
        value += at_least(half);
    }
    assert!(low <= value && value <= high, "{low} {value} {high}");
    let program = Engine::new().compile(text).expect("it is a program");
    let told = astragal::json::odds(&program, &odds);
    assert_eq!(told["policy"][0]["value"]["from"], low.to_string());
    assert_eq!(told["mean"]["to"], high.to_string());
}

/// Dice that stay dice are known by their total: the best of them lies between 0 and that.
#[test]
fn the_best_of_endless_dice_lies_between_two_numbers() {
    let odds =
        odds_of(r#"maximise do let p = 2d6!; choose "keep" => p kh1; "again" => d6! end end"#);
    let (low, high) = odds.plays[0].within.clone().expect("it has bounds");
    // max(p kh1, 21/5), less than a billionth of which lies beyond 60.
    let again = odds_of("d6!").only().mean().expect("it is known");
    let at_least =
        |most: u64| odds_of(&format!("(2d6! kh1) >= {most}")).only().chance(&Value::Bool(true));
    let mut value = &again + (astragal::Rational::from(5) - &again) * at_least(5);
    for most in 6..60 {
        value += at_least(most);
    }
    let billionth = astragal::Rational::ONE / astragal::Rational::from(1_000_000_000);
    assert!(low <= &value + &billionth && value <= high, "{low} {value} {high}");
    assert!(&high - &low < billionth, "{low} {high}");
}

/// What is lost by who always takes the same, also where there is no end of numbers or of rounds.
#[test]
fn mistakes_cost_what_others_found() {
    let lost = |text: &str, label: &str| {
        let told = advice(&odds_of(text).plays);
        let of = told[0].losses.iter().find(|(known, _)| **known == *label);
        of.expect("it can be taken").1.clone()
    };
    let pig = |end: &str| {
        format!(
            r#"fn turn(score) = choose
                 "hold" => score
                 "throw" => do let die = d6; if die = 1 then {end} else turn(score + die) end
               end
               maximise turn(0)"#
        )
    };
    let exactly = |text: &str, label: &str| match lost(text, label) {
        Loss::Exactly(lost) => lost.to_string(),
        other => format!("{other:?}"),
    };
    // Who always throws ends with nothing.
    assert_eq!(exactly(&pig("0"), "throw"), "492303203/60466176");
    assert_eq!(exactly(&pig("0"), "hold"), "492303203/60466176");
    // With half of it: tables that were cut agree to fourteen digits.
    assert_eq!(exactly(&pig("score / 2"), "throw"), "1342784554596485/812479653347328");
    let search = "fn look(face, paid) = choose
                    \"stop\" => face - paid
                    \"pay\" => look(d20, paid + 1)
                  end
                  maximise look(d20, 0)";
    assert_eq!(lost(search, "pay"), Loss::Infinite);
    assert_eq!(exactly(search, "stop"), "14/3");
}

/// The ways in which people write one turn of Pig.
#[test]
fn a_turn_of_pig_in_all_its_forms() {
    let round = |body: &str| {
        format!("maximise (repeat with score = 0, over = false\n{body}\nuntil over).score")
    };
    let go = r#"let go = choose "hold" => false; "throw" => true end"#;
    let forms = [
        round(
            r#"let die = choose "hold" => 0; "throw" => d6 end
               next score = if die = 1 then 0 else score + die, over = die <= 1"#,
        ),
        round(&format!(
            "{go}\nlet die = if go then d6 else 0
             next score = if die = 1 then 0 else score + die, over = die <= 1"
        )),
        // Thrown whether or not somebody holds.
        round(&format!(
            "{go}\nlet die = d6
             next score = if not go then score else if die = 1 then 0 else score + die, over = not go or die = 1"
        )),
        r#"fn turn(score) = choose
             "hold" => score
             "throw" => do let die = d6; if die = 1 then 0 else turn(score + die) end
           end
           maximise turn(0)"#
            .to_owned(),
    ];
    for form in forms {
        let odds = odds_of(&form);
        assert_eq!(value(&odds), "492303203/60466176", "{form}");
        let advice = advice(&odds.plays);
        let rules: Vec<String> =
            advice[0].rules.iter().map(|rule| format!("{}: {}", rule.when, rule.take)).collect();
        assert_eq!(rules, ["score 20 or more: hold", "score 0 to 19: throw"], "{form}");
    }
}

/// A game of Pig for two, to 15, as a function, as a loop, by turns, and with a function for each player.
#[test]
fn a_game_of_pig_is_the_same_in_all_its_forms() {
    let forms = ["two-pigs-recursive", "two-pigs-round", "two-pigs-turns", "two-pigs-by-name"];
    let found: Vec<String> = forms.iter().map(|form| value(&odds(form))).collect();
    assert!(found.iter().all(|value| *value == found[0]), "{found:?}");
}

/// The order of a hand decides which of equal options comes first, and nothing else: it is no part of what to remember.
#[test]
fn the_order_of_a_hand_is_not_told() {
    let odds = odds_of(
        "fn again(dice) = do
           let kept = choose from subsets(dice)
           concat(kept, hand((3 - length(kept))d4))
         end
         maximise do
           let dice = again(again(hand(3d4)))
           if all(1..3, f => contains(dice, f)) or all(2..4, f => contains(dice, f)) then 1 else 0
         end",
    );
    for advice in advice(&odds.plays) {
        assert!(advice.rules.iter().all(|rule| !rule.when.contains("order")), "{advice:?}");
    }
}

/// The rule takes up the lowest die where the roll would fail. That this is the player's best choice of all is what best play
/// says of the same rule with the choice written out.
#[test]
fn a_reroll_of_stormchaser_is_the_best_choice_there_is() {
    for (plus, dc) in [(0, 13), (1, 13), (1, 20), (2, 8), (2, 17)] {
        let rule =
            format!("stormchaser.check({dc}, modifier: 2, plus: {plus}, reroll: true).success");
        let chosen = format!(
            "maximise do; let dice = hand({}d20); \
             let kept = choose from filter(subsets(dice), s => length(s) >= {plus}); \
             let new = if length(kept) > {plus} then 0 else d20; \
             max(append(kept, new)) + 2 >= {dc}; end",
            plus + 1
        );
        let success = |text: &str| odds_of(text).only().chance(&Value::Bool(true));
        assert_eq!(success(&rule), success(&chosen), "+{plus}d against {dc}");
    }
}
