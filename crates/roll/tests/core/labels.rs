use astragal_program::core::*;

use crate::build::*;

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

#[test]
fn labels_tell_what_their_terms_contribute() {
    let fire = label(total(dice(3, 6)), "fire");
    let cold = label(total(dice(1, 4)), "cold");
    let roll = rolls(op(Op::Add, vec![fire, cold]), &[3, 2, 2, 3], 10);
    assert_eq!(labels(&roll), pairs(&[("fire", "7"), ("cold", "3")]));
    assert_eq!(die(&roll, 3).label.map(|label| &**label), Some("cold"));
}

#[test]
fn multiples_scale_and_dropped_dice_count_nothing() {
    let twice = op(Op::Multiply, vec![label(total(dice(2, 6)), "fire"), number(2)]);
    assert_eq!(labels(&rolls(twice, &[3, 4], 14)), pairs(&[("fire", "14")]));
    let members = vec![label(total(dice(1, 6)), "fire"), label(total(dice(1, 6)), "cold")];
    let best = expr(Kind::Gather(members)).keep(End::Highest, 1);
    assert_eq!(labels(&rolls(best, &[3, 4], 4)), pairs(&[("fire", "0"), ("cold", "4")]));
}

#[test]
fn the_greater_operand_carries_its_labels_and_halving_one_label_halves_it() {
    let a = label(total(dice(1, 6)), "a");
    let b = label(total(dice(1, 6)), "b");
    let roll = rolls(op(Op::Max, vec![a, b]), &[5, 2], 5);
    assert_eq!(labels(&roll), pairs(&[("a", "5"), ("b", "0")]));
    let half = op(Op::FloorDivide, vec![label(total(dice(1, 6)), "a"), number(2)]);
    assert_eq!(labels(&rolls(half, &[5], 2)), pairs(&[("a", "2")]));
}

#[test]
fn a_comparison_ends_a_contribution_at_what_is_known() {
    let hits = op(Op::AtLeast, vec![label(total(dice(1, 20)), "luck"), number(10)]);
    let body = expr(Kind::If {
        condition: Box::new(hits),
        then: Box::new(label(total(dice(1, 6)), "fire")),
        otherwise: Box::new(number(0)),
        origin: Branch::If,
    });
    assert_eq!(labels(&rolls(body, &[15, 4], 4)), pairs(&[("luck", "15"), ("fire", "4")]));
}
