//! rpg-dice-roller is read as it reads itself.

mod common;

use astragal_dialect::Dialect::RpgDiceRoller;
use common::{best, count, die, mean, means, notices, once, ours, refused, sum};

/// The spelling, and the odds by going through all throws.
fn says(text: &str, expected: &str, dice: &[Vec<i64>], total: impl Fn(&[i64]) -> i64) {
    assert_eq!(means(text, RpgDiceRoller, dice, total), expected, "{text}");
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(ours(text, RpgDiceRoller), expected, "{text}");
}

fn unsayable(texts: &[&str]) {
    for text in texts {
        assert_eq!(refused(text, RpgDiceRoller), "no-equivalent", "{text}");
    }
}

fn unread(texts: &[&str]) {
    for text in texts {
        assert_eq!(refused(text, RpgDiceRoller), "dialect-syntax", "{text}");
    }
}

#[test]
fn plain_dice() {
    says("2d6+3", "2d6 + 3", &vec![die(6); 2], |f| sum(f) + 3);
    says("d20", "d20", &[die(20)], sum);
    says("(1+1)d(2*3)", "(1 + 1)d(2 * 3)", &vec![die(6); 2], sum);
    says("2dF", "2dF", &vec![vec![-1, 0, 1]; 2], sum);
    says("2dF.2", "2dF", &vec![vec![-1, 0, 1]; 2], sum);
    says("2dF.1", "2d{-1, 0: 4, 1}", &vec![vec![-1, 0, 0, 0, 0, 1]; 2], sum);
    becomes("d%", "d%");
    becomes("d%%(45*2)", "d% % (45 * 2)");
    unread(&[
        "0d6",
        "2D6",
        "-d6",
        "2df",
        "(2)d6",
        "(1d4)d6",
        "d0",
        "1000d6",
        "(500*2)d6",
        "(1-1)d6",
        "2.5d6",
        "d(4)",
        "+2",
    ]);
}

#[test]
fn arithmetic() {
    mean("7/2", RpgDiceRoller, "7/2");
    assert_eq!(notices("7/2", RpgDiceRoller), 1);
    says("-7%3", "-7 % 3", &[], |_| 2);
    says("2^3^2", "2^(3^2)", &[], |_| 512);
    says("2**3", "2^3", &[], |_| 8);
    says("2 ** 3 * 2", "2^3 * 2", &[], |_| 16);
    // The sign is read last.
    says("-2^2", "-2^2", &[], |_| -4);
    says("(dF)^2", "(dF)^2", &[vec![-1, 0, 1]], |f| f[0] * f[0]);
    says("3 - -2", "3 - -2", &[], |_| 5);
    says("round(-5/2)", "round(-5 / 2)", &[], |_| -3);
    says("floor(d6/2)", "floor(d6 / 2)", &[die(6)], |f| f[0] / 2);
    says("ceil(d6/2)", "ceil(d6 / 2)", &[die(6)], |f| (f[0] + 1) / 2);
    says("abs(d6-4)", "abs(d6 - 4)", &[die(6)], |f| (f[0] - 4).abs());
    says("max(d6, 3)", "max(d6, 3)", &[die(6)], |f| f[0].max(3));
    says("min(d6, d4)", "min(d6, d4)", &[die(6), die(4)], |f| f[0].min(f[1]));
    says("pow(d4, 2)", "d4^2", &[die(4)], |f| f[0] * f[0]);
    unsayable(&["4dF^2", "7%-3", "7%dF", "sqrt(4)", "sign(d6-3)", "log(2)", "cos(0)"]);
    unread(&["max(1,2,3)", "pow(2)", "floor 2", "7//2", ".5", "trunc(2)"]);
}

#[test]
fn comparisons_mean_what_they_say() {
    let three = vec![die(6); 3];
    says("3d6>3", "3d6cs>3", &three, |f| count(f, |f| f > 3));
    says("3d6>=3", "3d6cs>=3", &three, |f| count(f, |f| f >= 3));
    says("3d6=3", "3d6cs=3", &three, |f| count(f, |f| f == 3));
    says("3d6<>3", "3d6cs!=3", &three, |f| count(f, |f| f != 3));
    says("3d6>3.5", "3d6cs>3", &three, |f| count(f, |f| f > 3));
    says("3d6<=3.5", "3d6cs<=3", &three, |f| count(f, |f| f < 4));
    says("2dF=-1", "2dFcs=-1", &vec![vec![-1, 0, 1]; 2], |f| count(f, |f| f == -1));
    says("3d6>=5f=1", "3d6cs>=5cf=1", &three, |f| count(f, |f| f >= 5) - count(f, |f| f == 1));
    says("3d6>3f<2", "3d6cs>3cf<2", &three, |f| count(f, |f| f > 3) - count(f, |f| f < 2));
    // A success is no failure.
    unsayable(&["3d6>=3f<4"]);
    unread(&["3d6>3f1", "3d6f=1", "3d6>", "3d6=3.5"]);
    says("2d20cs>19cf<2", "2d20", &vec![die(20); 2], sum);
    assert_eq!(notices("2d20cs>19cf<2", RpgDiceRoller), 2);
}

#[test]
fn rerolls() {
    says("2d6r", "2d6rr=1", &vec![vec![2, 3, 4, 5, 6]; 2], sum);
    says("2dFr", "2dFrr=-1", &vec![vec![0, 1]; 2], sum);
    says("2d6r<=2", "2d6rr<=2", &vec![vec![3, 4, 5, 6]; 2], sum);
    says("2d6r<2", "2d6rr<2", &vec![vec![2, 3, 4, 5, 6]; 2], sum);
    says("2d6r=3", "2d6rr=3", &vec![vec![1, 2, 4, 5, 6]; 2], sum);
    says("2d6ro", "2d6ro=1", &vec![once(6, |f| f == 1); 2], sum);
    says("2d6ro<3", "2d6ro<3", &vec![once(6, |f| f < 3); 2], sum);
    // The last of its kind holds.
    says("2d6r=1r=2", "2d6rr=2", &vec![vec![1, 3, 4, 5, 6]; 2], sum);
    says("2d6r=1ro=2", "2d6ro=2", &vec![once(6, |f| f == 2); 2], sum);
    assert_eq!(notices("2d6r=1r=2", RpgDiceRoller), 1);
    unread(&["2d6r1", "2d6r<7", "d1r"]);
    unsayable(&["2d(2*3)r"]);
}

#[test]
fn explosions() {
    becomes("3d6!", "3d6!");
    mean("d6!", RpgDiceRoller, "21/5");
    becomes("3d6!>4", "3d6!>=5");
    mean("d6!>4", RpgDiceRoller, "21/4");
    becomes("3d6!>=5", "3d6!>=5");
    becomes("3d6!<3", "3d6!<=2");
    becomes("3d6!=5", "3d6!5");
    becomes("2d6!!=4", "2d6!!4");
    becomes("2d6!!", "2d6!!");
    becomes("2d6!<>1", "2d6!>=2");
    becomes("2dF!=-1", "2dF!<=-1");
    mean("d6!p", RpgDiceRoller, "4");
    // As a sum, penetrating and compounding is penetrating.
    mean("d6!!p", RpgDiceRoller, "4");
    becomes("d6!!p>4sd", "d6!p>=5sd");
    // With bounds, the highest face is what the die shows.
    says("d6max5!", "d6max5!6", &[die(6)], |f| f[0].min(5));
    becomes("10d10!=10>=8", "10d10!10cs>=8");
    mean("10d10!=10>=8", RpgDiceRoller, "10/3");
    becomes("42d2!=6!!>4!p<2", "42d2!p<=1");
    assert_eq!(notices("42d2!=6!!>4!p<2", RpgDiceRoller), 2);
    unsayable(&["2d6!!pkh1", "2d6!!p>3>4", "2d6!<>3"]);
    unread(&["d1!", "d6!>0", "2d6!5", "2d6!<7"]);
}

#[test]
fn the_order_is_fixed() {
    becomes("4d6>3sdkh3r=1!max5min2", "4d6min2max5!6rr=1kh3cs>3sd");
    says("4d6kh3r<=2", "4d6rr<=2kh3", &vec![vec![3, 4, 5, 6]; 4], |f| sum(&best(f, 3)));
    becomes("4d6r=1!", "4d6!rr=1");
    says("d6max2min5", "d6min5max2", &[die(6)], |_| 2);
    says("2d6min2", "2d6min2", &vec![die(6); 2], |f| f.iter().map(|f| f.max(&2)).sum());
    says("2dFmin-0", "2dFmin0", &vec![vec![-1, 0, 1]; 2], |f| f.iter().map(|f| f.max(&0)).sum());
    unsayable(&["d6min2.5"]);
    unread(&["d6min", "4d6 kh3", "4d6zz"]);
}

#[test]
fn unique() {
    says("2d6u", "2d6u", &[die(6), die(5)], |f| f[0] + f[1] + i64::from(f[1] >= f[0]));
    unsayable(&["3d6uo", "3d6u=5", "7d6u", "3d6!u"]);
    unread(&["d1u"]);
    becomes("3d6!!u", "3d6!!u");
}

#[test]
fn keep_and_drop_look_at_all_dice() {
    let four = vec![die(6); 4];
    says("4d6k3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    says("4d6kh3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    says("4d6kl1", "4d6kl1", &four, |f| *f.iter().min().unwrap());
    says("4d6d1", "4d6dl1", &four, |f| sum(&best(f, 3)));
    says("4d6dl1", "4d6dl1", &four, |f| sum(&best(f, 3)));
    says("3d6dh1", "3d6dh1", &vec![die(6); 3], |f| sum(f) - f.iter().max().unwrap());
    // One below and three above: none is left.
    says("4d6kh3kl1", "4d6dl1dh3", &four, |_| 0);
    says("4d6kh3kl2", "4d6dl1dh2", &four, |f| best(f, 3)[2]);
    // Both drop the same die.
    says("4d6kh3dl1", "4d6dl1", &four, |f| sum(&best(f, 3)));
    says("4d6kh3dh1", "4d6kh3dh1", &four, |f| best(f, 3)[1] + best(f, 3)[2]);
    says("4d6dl1dh1", "4d6dl1dh1", &four, |f| best(f, 3)[1] + best(f, 3)[2]);
    says("4d6kh2kh3", "4d6kh3", &four, |f| sum(&best(f, 3)));
    says("(2*2)d6kh3", "(2 * 2)d6kh3", &four, |f| sum(&best(f, 3)));
    becomes("4d6!kh3", "4d6!kh3");
    // More than there are: others are dropped than it says.
    unsayable(&["2d6kh3", "2d6dh3", "4d6!kh3kl1", "4d6!kh3dl1", "2d6!kh3"]);
    says("2d6kl3", "2d6kl3", &vec![die(6); 2], sum);
    unread(&["4d6kh", "4d6k", "4d6d", "4d6kh0"]);
}

#[test]
fn groups() {
    let three = [die(6), die(6), die(8)];
    says("{2d6,d8}k1", "{2d6, d8}kh1", &three, |f| (f[0] + f[1]).max(f[2]));
    says("{2d6,d8}>7", "{2d6, d8}cs>7", &three, |f| count(&[f[0] + f[1], f[2]], |t| t > 7));
    says("{2d6,d8}kh1>7", "{2d6, d8}kh1cs>7", &three, |f| i64::from((f[0] + f[1]).max(f[2]) > 7));
    says("{2d6+d8}k2", "{2d6 + d8}kh2", &three, |f| sum(&best(f, 2)));
    says("{3d6}d1", "3d6dl1", &vec![die(6); 3], |f| sum(&best(f, 2)));
    says("{d6+2}*2", "(d6 + 2) * 2", &[die(6)], |f| (f[0] + 2) * 2);
    // A single member is counted as one total.
    says("{2d6}>=7", "times(1, 2d6) cs>=7", &vec![die(6); 2], |f| i64::from(sum(f) >= 7));
    says("{3d6}k2>=7", "times(1, 3d6kh2) cs>=7", &vec![die(6); 3], |f| {
        i64::from(sum(&best(f, 2)) >= 7)
    });
    becomes("{2d6,d8}sd", "{2d6, d8}sd");
    unsayable(&["{2d6+3}kh1", "{4d6kl3}kh2", "{2d6-d8}k1", "{2d6,d8}kh3", "{2d6+1,d8}sa"]);
    unread(&["{2d6,d8}!", "{{2d6},d8}k1", "{2d6", "{2d6,d8}r", "{2d6}min2", "{2d6}cs>3"]);
}

#[test]
fn labels_and_comments() {
    says("2d6[fire]+3", "2d6[fire] + 3", &vec![die(6); 2], |f| sum(f) + 3);
    becomes("2d6 [fire] [big]", "2d6[fire]");
    becomes("{2d6,d8}k1 [best]", "{2d6, d8}kh1[best]");
    for text in ["2d6 # text", "2d6 // text", "2d6//2", "2d6 /* text */"] {
        assert_eq!(ours(text, RpgDiceRoller), "2d6");
        assert_eq!(notices(text, RpgDiceRoller), 1);
    }
    becomes("2d6 /* a */ + 1", "2d6 + 1");
    becomes("2d6sa", "2d6sa");
    becomes("2d6s", "2d6sa");
    // Only behind dice and groups.
    unread(&["2d6+3 # text", "2d6+3[magic]", "2d6 text", "2d6 /* text", "2d6[fire"]);
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    for (text, place) in
        [("3d6uo", 3..5), ("2+4d6!!pkh1", 5..8), ("2d6kh3", 3..6), ("1+sqrt(4)", 2..6)]
    {
        let errors = astragal_dialect::convert(text, RpgDiceRoller).unwrap_err();
        assert_eq!(errors[0].code, "no-equivalent", "{text}");
        assert_eq!(errors[0].labels[0].span.range(), place, "{text}");
        assert!(!errors[0].help.is_empty() && !errors[0].labels[0].text.is_empty(), "{text}");
    }
    unread(&["", "2d6+", "(2d6", "2d6)", "@x"]);
}
