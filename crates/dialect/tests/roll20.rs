//! Roll20 is read as Roll20 reads it.

mod common;

use astragal_dialect::Dialect::Roll20;
use common::{best, count, die, mean, means, notices, once, ours, refused, sum};

/// The spelling, and the odds by going through all throws.
fn says(text: &str, expected: &str, dice: &[Vec<i64>], total: impl Fn(&[i64]) -> i64) {
    assert_eq!(means(text, Roll20, dice, total), expected, "{text}");
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(ours(text, Roll20), expected, "{text}");
}

#[test]
fn plain_dice_and_arithmetic() {
    says("2d6+3", "2d6 + 3", &[die(6), die(6)], |f| sum(f) + 3);
    says("/roll d20 + 5", "d20 + 5", &[die(20)], |f| f[0] + 5);
    says("-d6", "-d6", &[die(6)], |f| -f[0]);
    says("(1+1)d(2*3)", "(1 + 1)d(2 * 3)", &[die(6), die(6)], sum);
    says("2dF", "2dF", &[vec![-1, 0, 1], vec![-1, 0, 1]], sum);
    says("0d6", "0d6", &[], |_| 0);
    becomes("d100", "d100");
    becomes("d%", "d%");
    becomes("[[2d6+3]]", "2d6 + 3");
    becomes("[[1d4]]d6", "(1d4)d6");
    becomes("2*(d6+1)", "2 * (d6 + 1)");
    becomes("2**3", "2^3");
    becomes("(-2)**(1+1)", "(-2)^(1 + 1)");
}

#[test]
fn arithmetic_is_as_in_javascript() {
    says("7%3", "7 % 3", &[], |_| 1);
    says("-7%3", "-(7 % 3)", &[], |_| -1);
    says("7%-3", "7 % abs(-3)", &[], |_| 1);
    means("(d6-4)%2", Roll20, &[die(6)], |f| (f[0] - 4) % 2);
    means("3*(d6-4)%4", Roll20, &[die(6)], |f| 3 * (f[0] - 4) % 4);
    means("1+(d6-4)%2*3", Roll20, &[die(6)], |f| 1 + (f[0] - 4) % 2 * 3);
    says("round(-5/2)", "floor(-5 / 2 + 1 / 2)", &[], |_| -2);
    says("round(d6/2)", "round(d6 / 2)", &[die(6)], |f| (f[0] + 1) / 2);
    says("floor(d6/2)", "floor(d6 / 2)", &[die(6)], |f| f[0] / 2);
    says("ceil(d6/2)", "ceil(d6 / 2)", &[die(6)], |f| (f[0] + 1) / 2);
    says("abs(d6-4)", "abs(d6 - 4)", &[die(6)], |f| (f[0] - 4).abs());
    mean("7/2", Roll20, "7/2");
}

#[test]
fn compare_points_take_their_number_in() {
    says("4d6r<2", "4d6rr<=2", &vec![vec![3, 4, 5, 6]; 4], sum);
    says("2d6r1", "2d6rr=1", &vec![vec![2, 3, 4, 5, 6]; 2], sum);
    says("2d6r>5", "2d6rr>=5", &vec![die(4); 2], sum);
    says("2d6ro<2", "2d6ro<=2", &vec![once(6, |f| f <= 2); 2], sum);
    says("2d6ro1", "2d6ro=1", &vec![once(6, |f| f == 1); 2], sum);
    says("3d6>3", "3d6cs>=3", &vec![die(6); 3], |f| count(f, |f| f >= 3));
    says("3d6<3", "3d6cs<=3", &vec![die(6); 3], |f| count(f, |f| f <= 3));
    says("3d6=3", "3d6cs=3", &vec![die(6); 3], |f| count(f, |f| f == 3));
    says("2dF=-1", "2dFcs=-1", &vec![vec![-1, 0, 1]; 2], |f| count(f, |f| f == -1));
}

#[test]
fn rerolls_add_up() {
    says("2d8r1r2", "2d8rr<=2", &vec![vec![3, 4, 5, 6, 7, 8]; 2], sum);
    says("2d8r2r4r6", "2d{1, 3, 5, 7, 8}", &vec![vec![1, 3, 5, 7, 8]; 2], sum);
    says("2d6ro1ro2", "2d6ro<=2", &vec![once(6, |f| f <= 2); 2], sum);
    assert_eq!(refused("2d6ro1ro3", Roll20), "no-equivalent");
    assert_eq!(refused("2d6r1ro3", Roll20), "no-equivalent");
    assert_eq!(refused("2d1000r1r3", Roll20), "no-equivalent");
    assert_eq!(refused("2d6r", Roll20), "dialect-syntax");
}

#[test]
fn explosions() {
    becomes("3d6!", "3d6!");
    mean("d6!", Roll20, "21/5");
    becomes("3d6!>5", "3d6!>=5");
    mean("d6!>5", Roll20, "21/4");
    becomes("3d6!5", "3d6!5");
    becomes("3d6!!", "3d6!!");
    becomes("3d6!!>5", "3d6!!>=5");
    mean("d6!p", Roll20, "4");
    becomes("5d6!p>5", "5d6!p>=5");
    becomes("10d10!10>8", "10d10!10cs>=8");
    mean("10d10!10>8", Roll20, "10/3");
    mean("{10d10!}>8", Roll20, "10/3");
    // Every thrown die is rerolled, the extra ones too: a die from 2 to 6, with a mean of 4, and a fifth of
    // the throws goes on.
    becomes("d6!r1", "d{2, 3, 4, 5, 6}!6");
    mean("d6!r1", Roll20, "5");
    assert_eq!(ours("d6r1!", Roll20), ours("d6!r1", Roll20));
    becomes("d6r6!", "d{1, 2, 3, 4, 5}!6");
    mean("d6r6!", Roll20, "3");
    becomes("2dF!=-1", "2dF!<=-1");
    assert_eq!(refused("d6!>1", Roll20), "dialect-syntax");
    assert_eq!(refused("d6r>1", Roll20), "dialect-syntax");
    assert_eq!(refused("d6!ro1", Roll20), "no-equivalent");
    assert_eq!(refused("d6!!!", Roll20), "no-equivalent");
}

#[test]
fn keep_drop_and_the_two_phases() {
    says("4d6k3", "4d6kh3", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("4d6kh3", "4d6kh3", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("3d6kl1", "3d6kl1", &vec![die(6); 3], |f| *f.iter().min().unwrap());
    says("4d6d1", "4d6dl1", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("4d6dl1", "4d6dl1", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("3d6dh1", "3d6dh1", &vec![die(6); 3], |f| sum(f) - f.iter().max().unwrap());
    says("3d6kh", "3d6kh1", &vec![die(6); 3], |f| *f.iter().max().unwrap());
    says("4d6kh3r<2", "4d6rr<=2kh3", &vec![vec![3, 4, 5, 6]; 4], |f| sum(&best(f, 3)));
    becomes("4d6kh3!", "4d6!kh3");
    becomes("4d6sd>3k2", "4d6kh2cs>=3sd");
    says("4d6>4kh2", "4d6kh2cs>=4", &vec![die(6); 4], |f| count(&best(f, 2), |f| f >= 4));
    assert_eq!(refused("4d6kh3kl1", Roll20), "no-equivalent");
    assert_eq!(refused("4d6>3>4", Roll20), "no-equivalent");
}

#[test]
fn successes_and_failures() {
    says("3d6>5f1", "3d6cs>=5cf=1", &vec![die(6); 3], |f| {
        count(f, |f| f >= 5) - count(f, |f| f == 1)
    });
    says("3d6>3f<2", "3d6cs>=3cf<=2", &vec![die(6); 3], |f| {
        count(f, |f| f >= 3) - count(f, |f| f <= 2)
    });
    assert_eq!(refused("3d6f1", Roll20), "no-equivalent");
    says("2d20cs>19cf<2", "2d20", &vec![die(20); 2], sum);
    assert_eq!(notices("2d20cs>19cf<2", Roll20), 2);
}

#[test]
fn groups() {
    says("{2d6,d8}kh1", "{2d6, d8}kh1", &[die(6), die(6), die(8)], |f| (f[0] + f[1]).max(f[2]));
    says("{2d6+d8}k2", "{2d6 + d8}kh2", &[die(6), die(6), die(8)], |f| sum(&best(f, 2)));
    says("{3d6}>3", "3d6cs>=3", &vec![die(6); 3], |f| count(f, |f| f >= 3));
    says("{2d6,d8}>7", "{2d6, d8}cs>=7", &[die(6), die(6), die(8)], |f| {
        count(&[f[0] + f[1], f[2]], |t| t >= 7)
    });
    says("{2d6+d8}>6", "{2d6 + d8}cs>=6", &[die(6), die(6), die(8)], |f| count(f, |f| f >= 6));
    says("{d6+2,d8}", "{d6 + 2, d8}", &[die(6), die(8)], |f| sum(f) + 2);
    says("{d6+2}*2", "(d6 + 2) * 2", &[die(6)], |f| (f[0] + 2) * 2);
    becomes("{2d6[fire]+d8}k2", "{2d6 + d8}kh2");
    assert_eq!(refused("{2d6+3}kh1", Roll20), "no-equivalent");
    assert_eq!(refused("{2d6-d8}kh1", Roll20), "no-equivalent");
    assert_eq!(refused("{2d6,d8}!", Roll20), "no-equivalent");
}

#[test]
fn labels_comments_sorting() {
    says("2d6[fire]+3[magic]", "2d6[fire] + 3[magic]", &vec![die(6); 2], |f| sum(f) + 3);
    says("2d6sa", "2d6sa", &vec![die(6); 2], sum);
    says("2d6sd", "2d6sd", &vec![die(6); 2], sum);
    says("1d20+5 Roll for Initiative", "1d20 + 5", &[die(20)], |f| f[0] + 5);
    assert_eq!(notices("1d20+5 Roll for Initiative", Roll20), 1);
    // `>=` is no compare point.
    says("3d6>=3", "3d6", &vec![die(6); 3], sum);
    assert_eq!(notices("3d6>=3", Roll20), 1);
    says("2d6m", "2d6", &vec![die(6); 2], sum);
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    for (text, place) in [
        ("5d6mt", 3..5),
        ("5d6mt3>4", 3..8),
        ("2d6+@{strength}", 4..15),
        ("2d6+?{Bonus|0}", 4..14),
        ("%{ability}", 0..10),
        ("1t[table]", 1..9),
    ] {
        let errors = astragal_dialect::convert(text, Roll20).unwrap_err();
        assert_eq!(errors[0].code, "no-equivalent", "{text}");
        assert_eq!(errors[0].labels[0].span.range(), place, "{text}");
        assert!(!errors[0].help.is_empty() && !errors[0].labels[0].text.is_empty(), "{text}");
    }
    for text in ["", "2d6+", "(2d6", "{2d6", "2d6)", "4d6zz", "sqrt(4)", "max(1,2)", "2d6[fire"] {
        assert_eq!(refused(text, Roll20), "dialect-syntax", "{text}");
    }
}
