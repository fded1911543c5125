use astragal_program::core::*;
use astragal_roll::Roll;
use astragal_roll::render::{Detail, View, ansi, json, markdown, plain, pools};
use astragal_value::Value;

use crate::build::*;

fn view(expression: &str, detail: Detail) -> View<'_> {
    View { expression, source: &|_| Some("{4d10*2,\n 5d6+10}".into()), detail }
}

fn glance(expression: &str, roll: &Roll) -> String {
    plain(roll, &view(expression, Detail::Glance))
}

#[test]
fn one_pool_is_one_line() {
    let roll = rolls(dice(4, 6).keep(End::Highest, 3), &[3, 6, 2, 5], 14);
    assert_eq!(glance("4d6kh3", &roll), "4d6 keep highest 3: 3 6 (2) 5 = 14");
    let view = view("4d6kh3", Detail::Glance);
    assert_eq!(markdown(&roll, &view), "`4d6 keep highest 3`: 3 6 ~~2~~ 5 = **14**");
    assert!(ansi(&roll, &view).contains("\x1b[2;9m(2)\x1b[0m"));
}

#[test]
fn chains_are_joined_to_their_die() {
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Separate), &[6, 3, 6, 1], 16);
    assert_eq!(glance("2d6!", &roll), "2d6 explode: 6→6→1 3 = 16");
    let roll = rolls(dice(2, 6).reroll(4), &[4, 5, 6], 11);
    assert_eq!(glance("2d6 rr<=4", &roll), "2d6 reroll <= 4: (4)↻6 5 = 11");
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Compound), &[4, 6, 6, 2], 18);
    assert_eq!(glance("2d6!!", &roll), "2d6 explode: 4 14[6+6+2] = 18");
    let roll = rolls(dice(5, 10).count_at_least(8).count_against(1), &[8, 10, 1, 1, 5], 0);
    assert_eq!(
        glance("5d10cs>=8cf=1", &roll),
        "5d10 count >= 8, count against = 1: 8✓ 10✓ 1✗ 1✗ 5 = 0"
    );
}

#[test]
fn percentile_dice_show_tens_and_ones() {
    let percent = || expr(Kind::Dice { count: Box::new(number(1)), die: Die::Percent });
    assert_eq!(glance("d%", &rolls(percent(), &[70], 70)), "d%: 70 + 0 = 70");
    assert_eq!(glance("d%", &rolls(percent(), &[100], 100)), "d%: 00 + 0 = 100");
    assert_eq!(glance("d%", &rolls(percent(), &[7], 7)), "d%: 00 + 7 = 7");
}

#[test]
fn groups_show_their_members_and_labels_their_share() {
    let members = vec![
        op(Op::Multiply, vec![total(dice(4, 10)), number(2)]),
        op(Op::Add, vec![total(dice(5, 6)), number(10)]),
    ];
    let group = expr(Kind::Gather(members)).keep(End::Highest, 1);
    let roll = rolls(group, &[10, 5, 3, 4, 2, 4, 3, 6, 1], 44);
    let expected = "{4d10*2, 5d6+10} keep highest 1: 44 (26) = 44\n  4d10: 10 5 3 4 = 22\n  \
                    5d6: 2 4 3 6 1 = 16\n{4d10*2, 5d6+10}kh1 = 44";
    assert_eq!(glance("{4d10*2, 5d6+10}kh1", &roll), expected);
    let sum = op(Op::Add, vec![label(total(dice(3, 6)), "fire"), label(total(dice(1, 4)), "cold")]);
    let roll = rolls(sum, &[3, 2, 2, 3], 10);
    let expected = "3d6 [fire]: 3 2 2 = 7\nd4 [cold]: 3\nfire 7, cold 3\n\
                    3d6[fire] + d4[cold] = 10";
    assert_eq!(glance("3d6[fire] + d4[cold]", &roll), expected);
}

#[test]
fn the_json_has_its_documented_shape() {
    let roll = rolls(dice(2, 6).reroll(4), &[4, 5, 6], 11);
    let json = json(&roll, &view("2d6 rr<=4", Detail::Glance), "number", Some(7));
    let expected = r#"{"dice":[{"face":4,"fate":["rerolled"],"from":null,"id":0,"label":null,"sides":6,"value":4},{"face":5,"fate":["kept"],"from":null,"id":1,"label":null,"sides":6,"value":5},{"face":6,"fate":["kept"],"from":0,"id":2,"label":null,"sides":6,"value":6}],"expression":"2d6 rr<=4","format":1,"labels":{},"notices":[],"seed":7,"steps":[{"text":"2d6 reroll <= 4","value":11}],"type":"number","value":11}"#;
    // The order of fields is the door's choice.
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(expected).unwrap());
}

#[test]
fn everything_is_told_in_order() {
    let note = expr(Kind::Note {
        message: Box::new(expr(Kind::Constant(Value::text("a natural 20")))),
        body: Box::new(local(0)),
    });
    let body = expr(Kind::Enter {
        name: name("srd.check"),
        body: Box::new(bind(0, dice(1, 20), total(note))),
    });
    let roll = rolls(body, &[20], 20);
    assert_eq!(
        plain(&roll, &view("srd.check()", Detail::Full)),
        "srd.check() = 20\n  d20: 20\n  x0 = 20\n  • a natural 20\nsrd.check() = 20"
    );
    assert_eq!(glance("srd.check()", &roll), "x0, d20: 20\n• a natural 20\nsrd.check() = 20");
}

#[test]
fn pools_tell_which_dice_belong_together() {
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Separate), &[6, 3, 6, 1], 16);
    let drawn = pools(&roll, &view("2d6!", Detail::Glance));
    assert_eq!(drawn[0]["words"], "2d6 explode");
    assert_eq!(drawn[0]["total"], 16);
    let dice = drawn[0]["dice"].as_array().unwrap();
    let told =
        |key: &str| dice.iter().map(|die| die[key].to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(told("die"), r#""d6" "d6" "d6" "d6""#);
    assert_eq!(told("shows"), "6 3 6 1");
    assert_eq!(told("exploded"), "true false true false");
    assert_eq!(told("from"), "null null 0 2");
}

#[test]
fn pools_show_the_members_of_a_group_without_a_die() {
    let members = vec![total(dice(2, 6)), number(3)];
    let roll = rolls(expr(Kind::Gather(members)).keep(End::Highest, 1), &[4, 5], 9);
    let drawn = pools(&roll, &view("{2d6, 3}kh1", Detail::Glance));
    let dice = drawn[0]["dice"].as_array().unwrap();
    assert_eq!(
        (&dice[0]["die"], &dice[0]["shows"], &dice[1]["dropped"]),
        (&"".into(), &9.into(), &true.into())
    );
    assert_eq!((&drawn[1]["words"], &drawn[1]["depth"]), (&"2d6".into(), &1.into()));
}
