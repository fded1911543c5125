use astragal_roll::render::Detail;

use crate::shown;

#[track_caller]
fn glance(text: &str, faces: &[i64], expected: &str) {
    assert_eq!(shown(text, faces, Detail::Glance), expected);
}

#[test]
fn one_pool_is_one_line() {
    glance("4d6kh3", &[3, 6, 2, 5], "4d6 keep highest 3: 3 6 (2) 5 = 14");
    glance("d20", &[17], "d20: 17");
    glance("2d6!", &[6, 3, 6, 1], "2d6 explode: 6→6→1 3 = 16");
    glance("2d6!!", &[4, 6, 6, 2], "2d6 compound: 4 14[6+6+2] = 18");
    glance("2d6 rr<=4", &[4, 5, 6], "2d6 reroll <= 4: (4)↻6 5 = 11");
    glance("d%", &[100], "d%: 00 + 0 = 100");
    glance("4dF", &[-1, 0, 1, 1], "4dF: -1 0 +1 +1 = 1");
    glance("3d6min2", &[1, 5, 6], "3d6 at least 2: 1⇒2 5 6 = 13");
    glance("3d6sd", &[2, 6, 4], "3d6 descending: 6 4 2 = 12");
}

#[test]
fn more_is_a_line_each_and_the_outcome_last() {
    glance(
        "3d6[fire] + d4[cold]",
        &[3, 2, 2, 3],
        "3d6 [fire]: 3 2 2 = 7\nd4 [cold]: 3\nfire 7, cold 3\n3d6[fire] + d4[cold] = 10",
    );
    glance(
        "{4d10*2, 5d6+10}kh1",
        &[10, 5, 3, 4, 2, 4, 3, 6, 1],
        "{4d10*2, 5d6+10} keep highest 1: 44 (26) = 44\n  4d10: 10 5 3 4 = 22\n  \
         5d6: 2 4 3 6 1 = 16\n{4d10*2, 5d6+10}kh1 = 44",
    );
}

#[test]
fn dice_on_the_table_are_shown_where_they_are_used() {
    glance(
        "let dice = 2d20; dice kh1 + 3",
        &[7, 12],
        "dice, 2d20 keep highest 1: (7) 12 = 12\nlet dice = 2d20; dice kh1 + 3 = 15",
    );
    glance("d12 + d8 + d8", &[5, 1, 8], "d12: 5, d8: 1, d8: 8\nd12 + d8 + d8 = 14");
}

#[test]
fn everything_in_order() {
    let text = "fn attack(bonus) = do\n  let die = d20\n  note \"a roll of {die}\"\n  \
                if die + bonus >= 15 then 2d6 else 0\nend\nattack(5)";
    assert_eq!(
        shown(text, &[12, 3, 4], Detail::Full),
        "attack(bonus: 5) = 7\n  d20: 12\n  die = 12\n  • a roll of 12\n  \
         if die + bonus >= 15: yes\n  2d6: 3 4 = 7\n\
         result = 7"
    );
}
