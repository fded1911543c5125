//! Dice Maiden is read as Dice Maiden reads it.

mod common;

use astragal_dialect::Dialect::DiceMaiden;
use common::{best, count, die, mean, means, notices, once, ours, refused, sum};

/// The spelling, and the odds by going through all throws.
fn says(text: &str, expected: &str, dice: &[Vec<i64>], total: impl Fn(&[i64]) -> i64) {
    assert_eq!(means(text, DiceMaiden, dice, total), expected, "{text}");
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(ours(text, DiceMaiden), expected, "{text}");
}

fn unsayable(texts: &[&str]) {
    for text in texts {
        assert_eq!(refused(text, DiceMaiden), "no-equivalent", "{text}");
    }
}

fn unread(texts: &[&str]) {
    for text in texts {
        assert_eq!(refused(text, DiceMaiden), "dialect-syntax", "{text}");
    }
}

#[test]
fn plain_dice() {
    says("/roll 2d6", "2d6", &vec![die(6); 2], sum);
    says("/r D20", "d20", &[die(20)], sum);
    becomes("d%", "d100");
    becomes("2d%", "2d100");
    says("2df", "2dF", &vec![vec![-1, 0, 1]; 2], sum);
    says("2df + 2", "2dF + 2", &vec![vec![-1, 0, 1]; 2], |f| sum(f) + 2);
    becomes("4df k2", "4dFkh2");
    unread(&["", "0d6", "501d6", "d0", "d1001", "5", "5 + 3", "(2d6)k1", "{2d6}", "df"]);
    unsayable(&["4df * 2", "4df e3", "4df t2", "4df adv1"]);
}

#[test]
fn it_reckons_from_left_to_right_in_whole_numbers() {
    says("2d6+3*2", "(2d6 + 3) * 2", &vec![die(6); 2], |f| (sum(f) + 3) * 2);
    says("2d6 * 2 + 3", "2d6 * 2 + 3", &vec![die(6); 2], |f| sum(f) * 2 + 3);
    says("d6/2", "d6 // 2", &[die(6)], |f| f[0] / 2);
    says("d6 / 2 * 2", "d6 // 2 * 2", &[die(6)], |f| f[0] / 2 * 2);
    // Towards zero.
    means("d6 - 4 / 2", DiceMaiden, &[die(6)], |f| (f[0] - 4) / 2);
    says("2d6 + 1d4 - d8", "2d6 + d4 - d8", &[die(6), die(6), die(4), die(8)], |f| {
        f[0] + f[1] + f[2] - f[3]
    });
    says("d6 * d4", "d6 * d4", &[die(6), die(4)], |f| f[0] * f[1]);
    says("5 - d4", "5 - d4", &[die(4)], |f| 5 - f[0]);
    says("3 + d4 * 2", "(3 + d4) * 2", &[die(4)], |f| (3 + f[0]) * 2);
    says("100/d6+1", "100 // d6 + 1", &[die(6)], |f| 100 / f[0] + 1);
    // Without an operator it is added.
    says("2d6 5", "2d6 + 5", &vec![die(6); 2], |f| sum(f) + 5);
    says("d6 2d8", "d6 + 2d8", &[die(6), die(8), die(8)], sum);
    unsayable(&["2d6 * 0"]);
    unread(&["2d6 / 0", "2d6 +", "2d6 + x", "d6 1d3", "2d6 // 2", "2d6 % 2", "99999999999d6"]);
}

#[test]
fn advantage() {
    says("+d20", "2d20kh1", &vec![die(20); 2], |f| f[0].max(f[1]));
    says("-d20", "2d20kl1", &vec![die(20); 2], |f| f[0].min(f[1]));
    says("-d6 + 2", "2d6kl1 + 2", &vec![die(6); 2], |f| f[0].min(f[1]) + 2);
    // Low is good on percentile dice.
    says("+d%", "2d10kl1 * 10 + d10 - 10", &vec![die(10); 3], |f| f[0].min(f[1]) * 10 + f[2] - 10);
    says("-d%", "2d10kh1 * 10 + d10 - 10", &vec![die(10); 3], |f| f[0].max(f[1]) * 10 + f[2] - 10);
    says("2d6 adv1", "3d6dl1", &vec![die(6); 3], |f| sum(&best(f, 2)));
    says("2d6 dis1", "3d6dh1", &vec![die(6); 3], |f| sum(f) - f.iter().max().unwrap());
    says("2d6 adv2 dis1", "3d6dl1", &vec![die(6); 3], |f| sum(&best(f, 2)));
    // It drops before anything explodes.
    becomes("2d6 ie6 adv1", "3d6dl1!>=6");
    unread(&["1d20 adv", "1d20 dis", "300d6 adv201"]);
}

#[test]
fn explosions_and_rerolls_take_their_number_in() {
    becomes("3d6 ie5", "3d6!>=5");
    mean("d6 ie5", DiceMaiden, "21/4");
    becomes("3d6ie", "3d6!");
    mean("d6ie", DiceMaiden, "21/5");
    says("d6 e5", "d6!o>=5", &vec![die(6); 2], |f| if f[0] >= 5 { sum(f) } else { f[0] });
    says("d6e", "d6!o", &vec![die(6); 2], |f| if f[0] == 6 { sum(f) } else { f[0] });
    says("2d6 r2", "2d6ro<=2", &vec![once(6, |f| f <= 2); 2], sum);
    says("2d6r1", "2d6ro<=1", &vec![once(6, |f| f <= 1); 2], sum);
    says("2d6 ir2", "2d6rr<=2", &vec![vec![3, 4, 5, 6]; 2], sum);
    says("2d6 rg5", "2d6ro>=5", &vec![once(6, |f| f >= 5); 2], sum);
    says("2d6 irg5", "2d6rr>=5", &vec![die(4); 2], sum);
    // In written order.
    becomes("4d6 e6r1", "4d6!o>=6ro<=1");
    becomes("4d6 r1e6", "4d6ro<=1!o>=6");
    unread(&["d6 ie1", "d6 ir6", "d6 irg1", "d6 r", "d6 e0", "d6r<2", "d6 r0"]);
    unsayable(&["1d10 i", "1d10 i3"]);
    // What implodes is never counted.
    becomes("5d10 i1 t8", "5d10cs>=8");
    assert_eq!(notices("5d10 i1 t8", DiceMaiden), 1);
}

#[test]
fn keep_and_drop_come_later() {
    let four = vec![die(6); 4];
    says("4d6 k3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    says("4d6k3+2", "4d6kh3 + 2", &four, |f| sum(&best(f, 3)) + 2);
    says("4d6 + 2 k3", "4d6kh3 + 2", &four, |f| sum(&best(f, 3)) + 2);
    says("4d6 kl1", "4d6kl1", &four, |f| *f.iter().min().unwrap());
    says("4d6 d1", "4d6dl1", &four, |f| sum(&best(f, 3)));
    says("4d6 km2", "4d6km2", &four, |f| best(f, 3)[1] + best(f, 3)[2]);
    // Of three to drop one goes below and two above.
    says("4d6 km1", "4d6km1", &four, |f| best(f, 3)[2]);
    says("4d6 k3 d1", "4d6kh3dl1", &four, |f| sum(&best(f, 2)));
    becomes("4d6 k3 ie6", "4d6!>=6kh3");
    // The last die is not dropped, unless there is only one.
    says("4d6 d4", "4d6kh1", &four, |f| *f.iter().max().unwrap());
    says("4d6 d9", "4d6kh1", &four, |f| *f.iter().max().unwrap());
    says("4d6 k3 d3", "4d6kh3kh1", &four, |f| *f.iter().max().unwrap());
    says("d6 d1", "d6dl1", &[die(6)], |_| 0);
    becomes("4d6 e6 d3", "4d6!o>=6dl3");
    unsayable(&["4d6 e6 d4"]);
    unread(&["4d6 k", "4d6 kh3", "4d6 k0", "4d6 d0", "4d6 dh1"]);
}

#[test]
fn counts() {
    let three = vec![die(6); 3];
    says("3d6 t5", "3d6cs>=5", &three, |f| count(f, |f| f >= 5));
    says("3d6 tl2", "3d6cs<=2", &three, |f| count(f, |f| f <= 2));
    says("3d6 f1", "3d6cf<=1", &three, |f| -count(f, |f| f <= 1));
    says("3d6 t5f1", "3d6cs>=5cf<=1", &three, |f| count(f, |f| f >= 5) - count(f, |f| f <= 1));
    says("3d6 t4 t6", "3d6cs>=4cs>=6", &three, |f| count(f, |f| f >= 4) + count(f, |f| f == 6));
    says("3d6 t4ds6", "3d6cs>=4cs>=6", &three, |f| count(f, |f| f >= 4) + count(f, |f| f == 6));
    says("3d6 t4ds", "3d6cs>=4cs>=4", &three, |f| 2 * count(f, |f| f >= 4));
    says("3d6 tl3ds1", "3d6cs<=3cs<=1", &three, |f| count(f, |f| f <= 3) + count(f, |f| f == 1));
    // What stands before a count changes each die, what stands behind it the count.
    says("3d6 + 2 t5", "3d6cs>=3", &three, |f| count(f, |f| f + 2 >= 5));
    says("3d6 - 1 t5", "3d6cs>=6", &three, |f| count(f, |f| f > 5));
    says("3d6 t5 + 2", "3d6cs>=5 + 2", &three, |f| count(f, |f| f >= 5) + 2);
    says("3d6t5+2*2", "(3d6cs>=5 + 2) * 2", &three, |f| (count(f, |f| f >= 5) + 2) * 2);
    says("3 + 3d6t5", "3 + 3d6cs>=5", &three, |f| count(f, |f| f >= 5) + 3);
    says("3d6 t4 k2", "3d6kh2cs>=4", &three, |f| count(&best(f, 2), |f| f >= 4));
    becomes("5d10 t8 ie10", "5d10!>=10cs>=8");
    mean("10d10 t8 ie10", DiceMaiden, "10/3");
    // Botches are told beside the result.
    says("3d6 b1", "3d6", &three, sum);
    says("3d6 t5 b", "3d6cs>=5", &three, |f| count(f, |f| f >= 5));
    says("3d6 b1 + 2", "3d6 + 2", &three, |f| sum(f) + 2);
    assert_eq!(notices("3d6 b1", DiceMaiden), 1);
    unsayable(&[
        "3d6 * 2 t5",
        "3d6 t5 + 2 f1",
        "3d6 f1 + 2",
        "3d6 + 2 b1",
        "3d6 t5 + 2d6",
        "3d6 + 2d6 t5",
        "5d10 f1 t8 c",
        "6/3d6t5",
    ]);
    unread(&["3d6 t", "3d6 t0", "3d6t4ds6", "3d6 t4ds3", "3d6 tl3ds4", "3d6>3", "3 + 3d6 t5"]);
}

#[test]
fn modifiers_of_other_dice() {
    says("d6 + 2d4k1", "d6 + 2d4kh1", &[die(6), die(4), die(4)], |f| f[0] + f[1].max(f[2]));
    says("d6 + 2d4 k1", "d6 + 2d4kh1", &[die(6), die(4), die(4)], |f| f[0] + f[1].max(f[2]));
    says("d6 - 2d4k1", "d6 - 2d4kh1", &[die(6), die(4), die(4)], |f| f[0] - f[1].max(f[2]));
    unsayable(&["2d6 - 2d4 k1", "2d6 + 2d4 e", "2d6 + 2d4t3"]);
}

#[test]
fn comments_labels_flags_and_shorthands() {
    for text in ["2d6 ! Fire damage", "2d6!", "2d6!>4", "(Attack) 2d6", "s 2d6", "ul 2d6"] {
        assert_eq!(ours(text, DiceMaiden), "2d6", "{text}");
        assert_eq!(notices(text, DiceMaiden), 1, "{text}");
    }
    // What looks like a count is a label.
    becomes("(1+1)d6", "d6");
    becomes("p s (Attack) 1d20 + 5 ! to hit", "d20 + 5");
    unsayable(&[
        "6 4d6 k3",
        "3 +d20",
        "2d6; 3d8",
        "4cod",
        "sw8",
        "4d6 gb",
        "4wod8",
        "attack +5",
        "dh 4d10",
    ]);
    unread(&["2d6 text", "4d6zz", "2d6 # text", "2d6[fire]"]);
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    for (text, place) in
        [("6 4d6", 0..1), ("1d10 i1", 5..7), ("4d6 e6 d4", 7..9), ("2d6 * 0", 4..7), ("4cod", 0..4)]
    {
        let errors = astragal_dialect::convert(text, DiceMaiden).unwrap_err();
        assert_eq!(errors[0].code, "no-equivalent", "{text}");
        assert_eq!(errors[0].labels[0].span.range(), place, "{text}");
        assert!(!errors[0].help.is_empty() && !errors[0].labels[0].text.is_empty(), "{text}");
    }
}
