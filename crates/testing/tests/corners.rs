//! The corners of loops: questions with a quick answer that is not to be had state by state. Each answer was worked out on
//! its own, with fractions, round by round or from the equations of the loop.

use astragal::{Rational, Value};
use astragal_testing::checks::{answer, chance, fraction, law, mean, odds};
use astragal_testing::law::Kept;

const SNAKES: &str = "fn square(at) = match at
  1 => 38
  4 => 14
  9 => 31
  16 => 6
  21 => 42
  28 => 84
  36 => 44
  47 => 26
  49 => 11
  51 => 67
  56 => 53
  62 => 19
  64 => 60
  71 => 91
  80 => 100
  87 => 24
  93 => 73
  95 => 75
  98 => 78
  else => at
end
(repeat with at = 0, n = 0 next at = (do; let to = at + d6; if to > 100 then at else square(to); end), n = n + 1 until at == 100).n";

#[test]
fn how_many_spins_a_board_of_a_hundred_squares_takes() {
    mean(
        SNAKES,
        "225837582538403273407117496273279920181931269186581786048583/\
5757472998140039232950575874628786131130999406013041613400",
    );
    chance(
        &format!("{SNAKES} >= 50"),
        &Value::Bool(true),
        "8466856574647320232998785986945628533/33678386561031835860130816685689012224",
    );
}

#[test]
fn how_long_a_walk_takes_to_get_away() {
    mean(
        "(repeat with x = 0, n = 0 next x = max(0, x + d6 - 3), n = n + 1 until x >= 60).n",
        "67248644654328668177785732217430211608/574713820789384637548843018354262165",
    );
}

#[test]
fn a_duel_of_many_rounds() {
    let duel = answer("fn swing(bonus, ac) = do; let r = d20; if r == 20 then 2d8+3 else if r != 1 and r + bonus >= ac then d8+3 else 0; end
let last = repeat with a = 30, b = 26, n = 0 next b = max(0, b - swing(5, 15)), a = if b == 0 then a else max(0, a - swing(4, 16)), n = n + 1 until a == 0 or b == 0
{winner: last.a > 0, rounds: last.n}");
    let chance_of = |value: &str| {
        let mut listed = duel.outcomes.iter();
        listed.find(|(known, _)| known.to_string() == value).map(|(_, chance)| chance.clone())
    };
    let listed = duel.outcomes.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
    assert_eq!(listed + &duel.rest, Rational::ONE);
    assert_eq!(
        chance_of("{winner: yes, rounds: 6}"),
        Some(fraction("37111305876468720346726248393333/295147905179352825856000000000000"))
    );
    assert_eq!(
        chance_of("{winner: no, rounds: 9}"),
        Some(fraction(
            "4860343211899622532978832259420601567/188894659314785808547840000000000000000"
        ))
    );
}

#[test]
fn a_duel_with_two_attacks_a_side() {
    chance(
        "fn swing(bonus, ac, dice, plus) = do; let r = d20; if r == 20 then (2 * dice)d6 + plus else if r != 1 and r + bonus >= ac then (dice)d6 + plus else 0; end
let last = repeat with a = 36, b = 59 next b = max(0, b - swing(5, 15, 1, 3) - swing(5, 15, 1, 3)), a = if b == 0 then a else max(0, a - swing(4, 16, 2, 3) - swing(4, 16, 2, 3)) until a == 0 or b == 0
last.a > 0",
        &Value::Bool(true),
        "305583756981427476907461031693275615930202863248193299053309710064617860976564091579630005572809559361821591165329434738090738641898493747241/6703995381502263273982859753973958741595487262626237636149787535244670825972275816100423878699012675966798421185836747101147905154869536751616",
    );
}

#[test]
fn dice_thrown_again_as_often_as_a_bound_pool_says() {
    let again = answer(
        "let base = 12d6; let again = (12 - base cs=1)d6; [again cs=6, base cs=1 + again cs=1]",
    );
    let two_and_four = again.outcomes.iter().find(|(value, _)| value.to_string() == "[2, 4]");
    assert_eq!(
        two_and_four.map(|(_, chance)| chance.clone()),
        Some(fraction("2201869140625/32134205039616"))
    );
    law("let base = 2d3; let again = (2 - base cs=1)d3; [again cs=3, base cs=1 + again cs=1]");
}

#[test]
fn records_are_sorted_by_a_key() {
    // Cortex: the two highest are added up, and the largest die of the others is the effect.
    let pool =
        "let dice = [{v: d6, s: 6}, {v: d8, s: 8}, {v: d8, s: 8}, {v: d10, s: 10}, {v: d6, s: 6}]
         let sorted = sort_by(dice, x => -x.v)\n";
    let effect = format!("{pool}max(map([3, 4, 5], i => at(sorted, i).s))");
    chance(&effect, &Value::whole(10), "5053/11520");
    let total = format!("{pool}at(sorted, 1).v + at(sorted, 2).v");
    chance(&total, &Value::whole(15), "611/5760");
}

#[test]
fn the_strongest_of_four_pools() {
    let program = "
        let a = 3d6; let b = 4d6; let c = 5d6; let d = 2d6
        fn strength(pool) = walk(pool, 0, (sum, face, count) => sum * 10 + count)
        let all = [strength(a), strength(b), strength(c), strength(d)]
        [max(all), a cs<=3 + b cs<=3 + c cs<=3]";
    let list = |items: [i64; 2]| Value::List(items.map(Value::whole).into_iter().collect());
    chance(program, &list([311, 7]), "1645/186624");
    chance(program, &list([211, 5]), "29315/3359232");
}

/// What reads numbers more than once keeps only what is left of them: worked out from the highest, the lowest and the sum so far.
#[test]
fn the_highest_the_lowest_and_the_sum_of_many_numbers() {
    let list = |items: &[i64]| Value::List(items.iter().copied().map(Value::whole).collect());
    let scores = "let l = map(1..6, x => 4d6kh3); [max(l), min(l), sum(l)]";
    chance(scores, &list(&[16, 9, 75]), "801788405982655/148074416822550528");
    assert_eq!(answer(scores).outcomes.len(), 2856);
    let spells = "let l = map(1..12, x => 2d6); [max(l), sum(l)]";
    chance(spells, &list(&[11, 85]), "1904784540915575/98716277881700352");
    let dice = "let a = d6; let b = d6; let c = d6; let d = d6; let e = d6; let f = d6; let g = d6
        max(a, b, c, d, e, f, g) - min(a, b, c, d, e, f, g)";
    chance(dice, &Value::whole(5), "23345/46656");
    chance(dice, &Value::whole(2), "161/5832");
    let sorted = "let l = map(1..10, x => d20); let s = sort(l); [at(s, 1), at(s, 10), sum(l)]";
    chance(sorted, &list(&[20, 20, 200]), "1/10240000000000");
}

#[test]
fn dice_that_grow_to_one_number_are_walked_beside_a_reading() {
    let dice = answer("let p = 10d6 !! up to 1; {sum: p, set: largest_set(p)}");
    assert_eq!(dice.marginal(&["sum"]), Some(answer("10d6 !! up to 1").outcomes.to_vec()));
    assert_eq!(
        dice.marginal(&["set"]),
        Some(answer("largest_set(10d6 !! up to 1)").outcomes.to_vec())
    );
}

#[test]
fn walks_in_opposite_directions_over_the_same_hands() {
    let asked = "{set: largest_set(a), straight: straight(b), wins: versus(a, b).wins}";
    for hands in ["let a = 2d3; let b = 2d3", "let a = 2d4; let b = 2d3"] {
        assert_eq!(law(&format!("{hands}\n{asked}")), Kept::Exactly, "{hands}");
        let both = format!(
            "{hands}\n{{straight: straight(b), hand: hand(b), left: cancel(a, b).sum, wins: versus(b, a).wins}}"
        );
        assert_eq!(law(&both), Kept::Exactly, "{both}");
    }
    let dice = answer(&format!("let a = 6d6; let b = 6d6; {asked}"));
    let alone = |text: &str| Some(answer(text).outcomes.to_vec());
    assert_eq!(dice.marginal(&["set"]), alone("largest_set(6d6)"));
    assert_eq!(dice.marginal(&["straight"]), alone("straight(6d6)"));
    assert_eq!(dice.marginal(&["wins"]), alone("versus(6d6, 6d6).wins"));
}

#[test]
fn a_median_between_two_dice_beside_a_walk() {
    let dice = answer("let p = 34d6; {set: largest_set(p), middle: median(p)}");
    assert_eq!(dice.marginal(&["middle"]), Some(answer("median(34d6)").outcomes.to_vec()));
    assert_eq!(dice.marginal(&["set"]), Some(answer("largest_set(34d6)").outcomes.to_vec()));
    odds("let p = 2d2; largest_set(p) * median(p)", "3/2 1/2, 2 1/4, 4 1/4");
}

/// Truths that are bound are undecided where they would make too many states.
#[test]
fn many_truths_that_are_bound_before_the_first_is_asked_for() {
    let truths: String = (1..=20).map(|n| format!("let h{n} = d20 >= 11\n")).collect();
    let damage: Vec<String> = (1..=20).map(|n| format!("if h{n} then d8 else 0")).collect();
    let program = format!("{truths}sum([{}])", damage.join(", "));
    chance(&program, &Value::whole(0), "1/1048576");
    mean(&program, "45");
}
