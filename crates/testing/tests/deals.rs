//! Hands dealt from one bag: the law on small bags, and the way hand by hand on larger ones.

use astragal_testing::checks;
use astragal_testing::law::Kept;

/// What may be asked of two hands.
const QUESTIONS: &[&str] = &[
    "mine > theirs",
    "[mine, theirs]",
    "mine + theirs",
    "theirs",
    "mine kh1 - theirs kl1",
    "[mine dl1, theirs dh1 min2]",
    "[mine cs>=2, theirs cs=1]",
    "nth_highest(mine, 2) >= nth_lowest(theirs, 1)",
    "largest_set(mine) > largest_set(theirs)",
    "{set: best_set(mine), sum: theirs}",
    "if mine kh1 > 2 then straight(theirs) else theirs kh1",
    "largest_set(mine kh1) + distinct(theirs)",
    "let top = theirs kh1; let all = mine; {top: top, more: all > 3}",
    "largest_set({mine + theirs})",
    "let all = {theirs + mine}; [all kh2, mine kh1, pairs(theirs)]",
];

#[test]
fn two_hands_keep_the_law() {
    let deals = [
        ("2d{1..3: 2} drawn", "2d{1..3: 2} drawn without mine"),
        ("2d4 drawn", "1d4 drawn without mine"),
        ("1d{1, 2: 3, 4} drawn", "2d{1, 2: 3, 4} drawn without mine"),
        ("2d{1..3: 2} drawn without [3]", "2d{1..3: 2} drawn without [3] without mine"),
    ];
    let mut wrong = Vec::new();
    for (mine, theirs) in deals {
        // A hand of one die has no second highest.
        let asks = |question: &&&str| !mine.starts_with('1') || !question.contains("(mine, 2)");
        for question in QUESTIONS.iter().filter(asks) {
            let program = format!("let mine = {mine}; let theirs = {theirs}; {question}");
            match std::panic::catch_unwind(|| checks::law(&program)) {
                Ok(Kept::Exactly) => {}
                Ok(how) => wrong.push(format!("{program}: {how:?}")),
                Err(said) => wrong.push(said.downcast_ref::<String>().cloned().unwrap_or_default()),
            }
        }
    }
    assert!(wrong.is_empty(), "{} break the law:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn other_deals_keep_the_law() {
    for program in [
        // Three hands, and what is out in one go.
        "let a = 2d{1..3: 2} drawn; let b = 1d{1..3: 2} drawn without a;
         let c = 2d{1..3: 2} drawn without a without b; {more: a > c, b: b, set: largest_set(c)}",
        "let a = 1d5 drawn; let b = 1d5 drawn without a; let ab = {a + b}; let c = 2d5 drawn without ab;
         let d = {a + c}; {more: a > b, set: largest_set(d), top: d kh1}",
        // Two hands that do not know of each other are no deal.
        "let a = 1d{1..2: 2} drawn; let b = 2d{1..2: 2} drawn without a;
         let c = 2d{1..2: 2} drawn without a; [a, b, c]",
        // What was dropped goes back.
        "let a = 2d4 drawn; let kept = a kh1; let b = 2d4 drawn without kept; {a: a, more: b > 5}",
        "let a = 2d{1..3: 2} drawn kh1; let b = 2d{1..3: 2} drawn without a; [a, b]",
        // Another bag.
        "let a = 2d3 drawn; let b = 2d{1..4: 2} drawn without a; [a, b kh1]",
        // A hand that is dealt in one branch, or by a function, or again and again.
        "let a = 2d4 drawn; if a > 4 then 2d4 drawn without a else 1d4 drawn without a",
        "fn more(deck) = 1d4 drawn without deck; let a = 2d4 drawn; let b = more(a); [b, a kh1]",
        "fn more(deck) = 1d4 drawn without deck; let a = 2d4 drawn; [more(a), more(a), a kh1]",
        "let a = 2d4 drawn; fold([1, 2], 0, (sum, n) => sum + n * (1d4 drawn without a))",
        "fn beats(a, b) = largest_set(a) > largest_set(b) or a > b;
         let a = 2d{1..3: 2} drawn; beats(a, 2d{1..3: 2} drawn without a)",
        // How many are drawn depends on what was drawn before.
        "let a = 1d3 drawn; let b = (a)d{1..3: 2} drawn without a; [a, b]",
        "let n = d2; let a = (n)d4 drawn; let b = 1d4 drawn without a; {n: n, more: a > b}",
        // A single hand, read in several ways.
        "let a = 3d{1..3: 2} drawn; [a kh1, largest_set(a), a cs=1, a]",
    ] {
        assert_eq!(checks::law(program), Kept::Exactly, "{program}");
    }
    let empty = "let a = 3d4 drawn; let b = 2d4 drawn without a; a > b";
    assert_eq!(checks::law(empty), Kept::Failing);
}

/// Evidence that always holds makes no difference, but then the first hand is decided hand by hand.
#[test]
fn dealt_together_or_hand_by_hand_is_the_same() {
    for (deck, mine, theirs) in
        [("{1..6: 3}", 3, 3), ("{1..4: 4}", 4, 3), ("{0: 9, 1..3: 2}", 4, 5)]
    {
        for question in QUESTIONS {
            let deal = format!(
                "let mine = {mine}d{deck} drawn; let theirs = {theirs}d{deck} drawn without mine"
            );
            let together = checks::answer(&format!("{deal}; {question}"));
            let one_by_one =
                checks::answer(&format!("{deal}; let r = do {question} end; r given d2 > 0"));
            assert_eq!(
                together.outcomes.to_vec(),
                one_by_one.outcomes.to_vec(),
                "{deal}; {question}"
            );
        }
    }
}
