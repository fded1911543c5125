//! Avrae is read as Avrae reads it.

mod common;

use astragal_dialect::Dialect::Avrae;
use common::{best, die, mean, means, notices, once, ours, refused, sum};

/// The spelling, and the odds by going through all throws.
fn says(text: &str, expected: &str, dice: &[Vec<i64>], total: impl Fn(&[i64]) -> i64) {
    assert_eq!(means(text, Avrae, dice, total), expected, "{text}");
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(ours(text, Avrae), expected, "{text}");
}

#[test]
fn plain_dice_and_arithmetic() {
    says("!r 2d6 + 3", "2d6 + 3", &vec![die(6); 2], |f| sum(f) + 3);
    says("!roll d20", "d20", &[die(20)], sum);
    says("-d6", "-d6", &[die(6)], |f| -f[0]);
    says("+d6", "d6", &[die(6)], sum);
    says("0d6", "0d6", &[], |_| 0);
    says("2*(d6+1)", "2 * (d6 + 1)", &[die(6)], |f| 2 * (f[0] + 1));
    // Tens without hundred.
    let tens: Vec<i64> = (0..10).map(|ten| ten * 10).collect();
    says("d%", "d{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}", std::slice::from_ref(&tens), sum);
    says("d% + d10", "d{0, 10, 20, 30, 40, 50, 60, 70, 80, 90} + d10", &[tens, die(10)], sum);
}

#[test]
fn only_the_whole_is_cut_to_a_whole_number() {
    says("7/2", "floor(7 / 2)", &[], |_| 3);
    says("d6/2", "floor(d6 / 2)", &[die(6)], |f| f[0] / 2);
    says("d6/2*2", "floor(d6 / 2 * 2)", &[die(6)], |f| f[0]);
    says("d6*1.5", "floor(d6 * 1.5)", &[die(6)], |f| f[0] * 3 / 2);
    // Towards zero.
    means("-7/2", Avrae, &[], |_| -3);
    means("(d6-4)/2", Avrae, &[die(6)], |f| (f[0] - 4) / 2);
    says("-7//2", "-7 // 2", &[], |_| -4);
    says("d6//2", "d6 // 2", &[die(6)], |f| f[0] / 2);
    // The remainder has the sign of the divisor.
    says("-7%3", "-7 % 3", &[], |_| 2);
    says("7%-3", "7 % (-3)", &[], |_| -2);
}

#[test]
fn comparisons_look_at_the_total() {
    let three = vec![die(6); 3];
    says("3d6>3", "if 3d6 > 3 then 1 else 0", &three, |f| i64::from(sum(f) > 3));
    says("3d6>=3", "if 3d6 >= 3 then 1 else 0", &three, |_| 1);
    says("2d6!=4", "if 2d6 != 4 then 1 else 0", &vec![die(6); 2], |f| i64::from(sum(f) != 4));
    says("2d6==4", "if 2d6 == 4 then 1 else 0", &vec![die(6); 2], |f| i64::from(sum(f) == 4));
    says("1+(d6<3)", "1 + (if d6 < 3 then 1 else 0)", &[die(6)], |f| 1 + i64::from(f[0] < 3));
    means("1<d6<=0", Avrae, &[die(6)], |f| i64::from(f[0] <= 1));
}

#[test]
fn keep_and_drop_from_one_end() {
    let four = vec![die(6); 4];
    says("4d6kh3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    says("4d6kl1", "4d6kl1", &four, |f| *f.iter().min().unwrap());
    says("4d6pl1", "4d6dl1", &four, |f| sum(&best(f, 3)));
    says("3d6ph1", "3d6dh1", &vec![die(6); 3], |f| sum(f) - f.iter().max().unwrap());
    // One operator with two selectors: the larger of them.
    says("4d6kh1kh3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    // Two operators: one after the other.
    says("4d6kh3pl1", "4d6kh3dl1", &four, |f| sum(&best(f, 2)));
    says("4d6kh0", "4d6kh0", &four, |_| 0);
    for text in ["4d6kh3kl1", "4d6ph1pl1", "4d6k6kh1"] {
        assert_eq!(refused(text, Avrae), "no-equivalent", "{text}");
    }
}

#[test]
fn keep_and_drop_by_what_dice_show() {
    let three = vec![die(6); 3];
    let only =
        |passes: fn(i64) -> bool| move |f: &[i64]| f.iter().filter(|f| passes(**f)).sum::<i64>();
    says("3d6k3", "3d{0: 5, 3}", &three, only(|f| f == 3));
    says("3d6k>3", "3d{0: 3, 4, 5, 6}", &three, only(|f| f > 3));
    says("3d6k<3", "3d{0: 4, 1, 2}", &three, only(|f| f < 3));
    says("3d6k1k6", "3d{0: 4, 1, 6}", &three, only(|f| f == 1 || f == 6));
    says("3d6p1", "3d{0: 1, 2, 3, 4, 5, 6}", &three, only(|f| f != 1));
    says("3d6p>4", "3d{0: 2, 1, 2, 3, 4}", &three, only(|f| f <= 4));
    says("3d6rr1rr3k>4", "3d{0: 2, 5, 6}", &vec![vec![2, 4, 5, 6]; 3], only(|f| f > 4));
    assert_eq!(notices("3d6k>3", Avrae), 1);
    for text in ["3d6k>3kh1", "3d6k>3p6", "3d6e6k>3", "(3d6k>3)kl1", "(2d6,d8)k>3", "d1000k>3"] {
        assert_eq!(refused(text, Avrae), "no-equivalent", "{text}");
    }
}

#[test]
fn rerolls() {
    says("2d6rr1", "2d6rr=1", &vec![vec![2, 3, 4, 5, 6]; 2], sum);
    says("2d6rr<3", "2d6rr<3", &vec![vec![3, 4, 5, 6]; 2], sum);
    says("2d6rr>4", "2d6rr>4", &vec![die(4); 2], sum);
    says("2d6rr1rr2", "2d6rr<=2", &vec![vec![3, 4, 5, 6]; 2], sum);
    says("2d6rr1rr3", "2d{2, 4, 5, 6}", &vec![vec![2, 4, 5, 6]; 2], sum);
    says("2d6ro<3", "2d6ro<3", &vec![once(6, |f| f < 3); 2], sum);
    says("2d6ro1ro2", "2d6ro<=2", &vec![once(6, |f| f <= 2); 2], sum);
    // The lower of two, thrown once more; and the higher.
    says("2d6rol1", "2d6ro>=0 up to 1 in all lowest first", &vec![die(6); 3], |f| {
        f[0].max(f[1]) + f[2]
    });
    says("2d6roh1", "2d6ro>=0 up to 1 in all highest first", &vec![die(6); 3], |f| {
        f[0].min(f[1]) + f[2]
    });
    // The dropped die is not rerolled.
    says("2d6kh1ro6", "2d6kh1ro=6", &vec![die(6); 3], |f| {
        if f[0].max(f[1]) == 6 { f[2] } else { f[0].max(f[1]) }
    });
    assert_eq!(refused("2d6ro1ro3", Avrae), "no-equivalent");
    assert_eq!(refused("2d6ro1rol1", Avrae), "no-equivalent");
    for text in ["2d6rrl1", "2d6rr<7", "2d6rr>0", "2d6r1", "2d6r<2", "2d6rr"] {
        assert_eq!(refused(text, Avrae), "dialect-syntax", "{text}");
    }
}

#[test]
fn explosions() {
    becomes("3d6e6", "3d6!6");
    mean("d6e6", Avrae, "21/5");
    becomes("3d6e>4", "3d6!>=5");
    mean("d6e>4", Avrae, "21/4");
    becomes("3d6e<3", "3d6!<=2");
    becomes("3d6e5e6", "3d6!>=5");
    becomes("4d6e6kh3", "4d6!6kh3");
    becomes("4d6kh3e6", "4d6kh3!6");
    // One more die in all.
    says("2d6ra6", "2d6!o6 up to 1 in all", &vec![die(6); 3], |f| {
        f[0] + f[1] + if f[0] == 6 || f[1] == 6 { f[2] } else { 0 }
    });
    says("d6ra>4", "d6!o>=5 up to 1 in all", &vec![die(6); 2], |f| {
        f[0] + if f[0] > 4 { f[1] } else { 0 }
    });
    for text in ["3d6e1e6", "3d6eh1", "3d6rah1"] {
        assert_eq!(refused(text, Avrae), "no-equivalent", "{text}");
    }
    for text in ["3d6e", "3d6e>0", "3d6!", "3d6!>4"] {
        assert_eq!(refused(text, Avrae), "dialect-syntax", "{text}");
    }
}

#[test]
fn bounds() {
    says("2d6mi2", "2d6min2", &vec![die(6); 2], |f| f.iter().map(|f| f.max(&2)).sum());
    says("2d6ma5", "2d6max5", &vec![die(6); 2], |f| f.iter().map(|f| f.min(&5)).sum());
    says("d6mi3ma4mi5", "d6min3max4min5", &[die(6)], |_| 5);
    // Later operators look at what bounds have made of a die, and its new throw escapes them.
    says("d6mi3ro3", "d6min3ro=3", &vec![die(6); 2], |f| if f[0] <= 3 { f[1] } else { f[0] });
    assert_eq!(refused("d6mi>3", Avrae), "dialect-syntax");
    assert_eq!(refused("d6mi3ro3ro4", Avrae), "no-equivalent");
}

#[test]
fn sets() {
    let three = [die(6), die(6), die(8)];
    says("(2d6,d8)kh1", "{2d6, d8}kh1", &three, |f| (f[0] + f[1]).max(f[2]));
    says("(2d6, d8)pl1", "{2d6, d8}dl1", &three, |f| (f[0] + f[1]).max(f[2]));
    says("(1d4 + 1, 3, 2d6kl1)kh1", "{d4 + 1, 3, 2d6kl1}kh1", &[die(4), die(6), die(6)], |f| {
        (f[0] + 1).max(3).max(f[1].min(f[2]))
    });
    says("(2d6,d8)", "{2d6, d8}", &three, sum);
    says("()+d6", "0 + d6", &[die(6)], sum);
    // Parentheses around dice are those dice, and a comma makes them one member.
    says("(4d6)kh3", "4d6kh3", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("(4d6kh3)kl1", "4d6kh3kl1", &vec![die(6); 4], |f| best(f, 3)[2]);
    says("(2d6,)kh1", "times(1, 2d6) kh1", &vec![die(6); 2], sum);
    says("(2d6+1)kh1", "times(1, 2d6 + 1) kh1", &vec![die(6); 2], |f| sum(f) + 1);
    for text in ["(2d6,d8)e6", "(2d6", "(2d6,,d8)", "(,)", "2d6)"] {
        assert_eq!(refused(text, Avrae), "dialect-syntax", "{text}");
    }
}

#[test]
fn labels_comments_and_advantage() {
    says("2d6 [fire] + 3[magic]", "2d6[fire] + 3[magic]", &vec![die(6); 2], |f| sum(f) + 3);
    becomes("(2d6 [a], d8[b])kh1", "{2d6[a], d8[b]}kh1");
    says("1d20+5 to hit", "d20 + 5", &[die(20)], |f| f[0] + 5);
    // Behind a blank everything is a comment, also what looks like an operator.
    says("4d6 kh3", "4d6", &vec![die(6); 4], sum);
    assert_eq!(notices("4d6 kh3", Avrae), 1);
    says("1d20+5 adv", "2d20kh1 + 5", &vec![die(20); 2], |f| f[0].max(f[1]) + 5);
    says("d20 dis + 5", "2d20kl1 + 5", &vec![die(20); 2], |f| f[0].min(f[1]) + 5);
    says("adv d20ro1", "2d20kh1ro=1", &vec![die(20); 3], |f| {
        if f[0].max(f[1]) == 1 { f[2] } else { f[0].max(f[1]) }
    });
    says("2d20 adv", "2d20", &vec![die(20); 2], sum);
    assert_eq!(notices("2d20 adv", Avrae), 1);
    says("5 + d20 adv", "5 + d20", &[die(20)], |f| f[0] + 5);
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    for (text, place) in
        [("4d6kh3kl1", 3..9), ("2+3d6e1e6", 5..9), ("4d6e6k>3", 5..8), ("4d6rah1", 3..7)]
    {
        let errors = astragal_dialect::convert(text, Avrae).unwrap_err();
        assert_eq!(errors[0].code, "no-equivalent", "{text}");
        assert_eq!(errors[0].labels[0].span.range(), place, "{text}");
        assert!(!errors[0].help.is_empty() && !errors[0].labels[0].text.is_empty(), "{text}");
    }
    for text in [
        "", "2d6+", "4d6kh", "4d6d1", "4d6zz", "4dF", "2D6", "d0", "1001d6", "2.5d6", "{2d6,d8}",
        "floor(2)", "2^3", "d6cs>3", "2d6[fire", "@x",
    ] {
        assert_eq!(refused(text, Avrae), "dialect-syntax", "{text}");
    }
}
