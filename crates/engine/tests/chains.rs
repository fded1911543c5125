//! Long sums and long chains of `and` and `or` mean what they mean one by one, whatever they are put together to.

use astragal::faces::Scripted;
use astragal::{Budget, Engine, Program, Value};

/// Around the length at which chains are put together in halves, and as long as the parser allows.
const LENGTHS: [usize; 12] = [2, 3, 15, 16, 17, 18, 31, 33, 64, 100, 333, 1000];

fn program(text: &str) -> Program {
    Engine::new()
        .compile(text)
        .unwrap_or_else(|found| panic!("{text}\n{}", found.render(astragal::Look::default())))
}

/// A plain generator of numbers below a limit.
fn numbers(mut state: u64) -> impl FnMut(i64) -> i64 {
    move |limit| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % limit
    }
}

#[test]
fn signs_are_those_of_their_terms() {
    let mut random = numbers(1);
    for length in LENGTHS {
        for _ in 0..5 {
            let (mut text, mut sum) = (String::from("100"), 100);
            for _ in 1..length {
                let (term, minus) = (random(1000), random(2) == 1);
                text += &format!("{}{term}", if minus { " - " } else { " + " });
                sum += if minus { -term } else { term };
            }
            let odds = program(&text).odds(&Budget::default()).unwrap();
            assert_eq!(odds.only().outcomes[0].0, Value::whole(sum), "{text}");
        }
    }
}

#[test]
fn dice_are_thrown_as_they_are_written() {
    let mut random = numbers(2);
    for length in LENGTHS {
        let minus: Vec<bool> = (0..length).map(|at| at > 0 && random(2) == 1).collect();
        let faces: Vec<i64> = (0..length).map(|_| random(1000) + 1).collect();
        let sign = |at: usize| {
            if at == 0 {
                ""
            } else if minus[at] {
                " - "
            } else {
                " + "
            }
        };
        let text: String = (0..length).map(|at| format!("{}d1000", sign(at))).collect();
        let value = |at: usize| if minus[at] { -faces[at] } else { faces[at] };
        let roll = program(&text).roll(&mut Scripted::whole(&faces)).unwrap();
        assert_eq!(roll.value, Value::whole((0..length).map(value).sum()), "{text}");
        let seen = roll.dice.iter().map(|die| die.face.clone());
        assert_eq!(
            seen.collect::<Vec<_>>(),
            faces.iter().map(|face| Value::whole(*face)).collect::<Vec<_>>()
        );
    }
}

/// By convolution of counts, term by term.
#[test]
fn the_odds_of_a_long_sum_are_those_of_its_terms() {
    for length in [17, 20, 40] {
        let minus = |at: usize| at % 3 == 2;
        let text: String = (0..length)
            .map(|at| {
                format!(
                    "{}d2",
                    if at == 0 {
                        ""
                    } else if minus(at) {
                        " - "
                    } else {
                        " + "
                    }
                )
            })
            .collect();
        let mut counts = std::collections::BTreeMap::from([(0_i64, 1_u64)]);
        for at in 0..length {
            let mut next = std::collections::BTreeMap::new();
            for (sum, count) in counts {
                for face in [1, 2] {
                    *next.entry(if minus(at) { sum - face } else { sum + face }).or_default() +=
                        count;
                }
            }
            counts = next;
        }
        let odds = program(&text).odds(&Budget::default()).unwrap();
        let listed =
            odds.only().outcomes.iter().map(|(value, chance)| (value.clone(), chance.clone()));
        let total = 1_u64 << length;
        let expected = counts.into_iter().map(|(sum, count)| {
            (Value::whole(sum), astragal::Rational::from(count) / astragal::Rational::from(total))
        });
        assert_eq!(listed.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn a_long_condition_stops_where_it_is_decided() {
    for length in LENGTHS {
        for stop in [0, length / 3, length / 2, length - 1] {
            for (word, goes_on) in [("and", 2), ("or", 1)] {
                let text = vec!["d2 == 2"; length].join(&format!(" {word} "));
                let mut faces = vec![goes_on; stop];
                faces.push(3 - goes_on);
                // Faces that are left over are an error.
                let roll = program(&text).roll(&mut Scripted::whole(&faces)).unwrap();
                assert_eq!(roll.value, Value::Bool(word == "or"), "{length} {word}, {stop}");
            }
        }
    }
}

#[test]
fn records_add_up_field_by_field() {
    for length in [2, 17, 40, 200] {
        let odds =
            program(&vec!["{a: 1, b: d2}"; length].join(" + ")).odds_of(&["a"], &Budget::default());
        assert_eq!(odds.unwrap().only().outcomes[0].0, Value::whole(length as i64));
    }
}

#[test]
fn a_term_that_does_not_fit_is_told_at_its_place() {
    for length in [3, 40] {
        let (before, after) = ("1 + ".repeat(length), " - 1".repeat(length));
        let found = Engine::new().compile(&format!("{before}\"x\"{after}")).err().unwrap();
        let [mismatch] = found.list() else {
            panic!("{}", found.render(astragal::Look::default()))
        };
        assert_eq!(
            (mismatch.code, mismatch.labels[0].span.start as usize),
            ("type-mismatch", before.len())
        );
    }
    let found = Engine::new().compile("1 + d-6 + 3").err().unwrap();
    assert_eq!(found.list().len(), 1, "{}", found.render(astragal::Look::default()));
}

#[test]
fn names_that_are_not_none_are_known_to_later_terms() {
    let text = |between: &str| {
        format!("let x = if d2 == 1 then none else 3\nx != none and {between}x > 2")
    };
    program(&text("")).odds(&Budget::default()).unwrap();
    program(&text(&"true and ".repeat(50))).odds(&Budget::default()).unwrap();
}
