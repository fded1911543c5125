//! Foundry is read as Foundry reads it.

mod common;

use astragal_dialect::Dialect::Foundry;
use common::{best, count, die, mean, means, notices, once, ours, refused, sum};

/// The spelling, and the odds by going through all throws.
fn says(text: &str, expected: &str, dice: &[Vec<i64>], total: impl Fn(&[i64]) -> i64) {
    assert_eq!(means(text, Foundry, dice, total), expected, "{text}");
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(ours(text, Foundry), expected, "{text}");
}

#[test]
fn plain_dice_and_arithmetic() {
    says("/r 2d6 + 3 # fireball", "2d6 + 3", &[die(6), die(6)], |f| sum(f) + 3);
    says("2df", "2dF", &vec![vec![-1, 0, 1]; 2], sum);
    says("2dF", "2dF", &vec![vec![-1, 0, 1]; 2], sum);
    says("3dc", "3d{0, 1}", &vec![vec![0, 1]; 3], sum);
    says("(1+1)d6", "(1 + 1)d6", &vec![die(6); 2], sum);
    becomes("(1d4)d(2d6)", "(1d4)d(2d6)");
    says("max(d6, 3)", "max(d6, 3)", &[die(6)], |f| f[0].max(3));
    says("min(d6, d4)", "min(d6, d4)", &[die(6), die(4)], |f| f[0].min(f[1]));
    says("pow(d4, 2)", "d4^2", &[die(4)], |f| f[0] * f[0]);
    says("round((d6-4)/2)", "floor((d6 - 4) / 2 + 1 / 2)", &[die(6)], |f| (f[0] - 3).div_euclid(2));
    means("(d6-4)%2", Foundry, &[die(6)], |f| (f[0] - 4) % 2);
    says("2d6[fire]+3", "2d6[fire] + 3", &vec![die(6); 2], |f| sum(f) + 3);
    mean("7/2", Foundry, "7/2");
}

#[test]
fn rerolls() {
    says("2d6r", "2d6ro=1", &vec![once(6, |f| f == 1); 2], sum);
    says("2d6r1", "2d6ro=1", &vec![once(6, |f| f == 1); 2], sum);
    says("2d6r2", "2d6ro=2", &vec![once(6, |f| f == 2); 2], sum);
    says("2d6r<3", "2d6ro<3", &vec![once(6, |f| f < 3); 2], sum);
    says("2d6r<=3", "2d6ro<=3", &vec![once(6, |f| f <= 3); 2], sum);
    says("2d6rr", "2d6rr=1", &vec![vec![2, 3, 4, 5, 6]; 2], sum);
    says("2d6rr<3", "2d6rr<3", &vec![vec![3, 4, 5, 6]; 2], sum);
    says("d6r1=1", "d6ro=1", &[once(6, |f| f == 1)], sum);
    assert_eq!(refused("4d6r1=1", Foundry), "no-equivalent");
    assert_eq!(refused("d6rr3<2", Foundry), "no-equivalent");
}

#[test]
fn explosions() {
    becomes("3d6x", "3d6!");
    mean("d6x", Foundry, "21/5");
    becomes("5d10x10", "5d10!10");
    becomes("3d6x>5", "3d6!>=6");
    becomes("3d6x>=5", "3d6!>=5");
    mean("d6x>=5", Foundry, "21/4");
    becomes("3d6xo", "3d6!o");
    says("d6xo", "d6!o", &[die(6), die(6)], |f| if f[0] == 6 { 6 + f[1] } else { f[0] });
    becomes("d6x3<5", "d6!<=4 up to 3");
    // At most one more throw, on anything below 5.
    says("d6x1<5", "d6!<=4 up to 1", &[die(6), die(6)], |f| if f[0] < 5 { sum(f) } else { f[0] });
    assert_eq!(refused("4d6x3<5", Foundry), "no-equivalent");
    mean("10d10x10cs>=8", Foundry, "10/3");
}

#[test]
fn keep_drop_and_left_to_right() {
    says("4d6kh3", "4d6kh3", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("4d6k3", "4d6kh3", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("3d6kh", "3d6kh1", &vec![die(6); 3], |f| *f.iter().max().unwrap());
    says("3d6kl", "3d6kl1", &vec![die(6); 3], |f| *f.iter().min().unwrap());
    says("4d6d1", "4d6dl1", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("4d6d", "4d6dl1", &vec![die(6); 4], |f| sum(&best(f, 3)));
    says("3d6dh", "3d6dh1", &vec![die(6); 3], |f| sum(f) - f.iter().max().unwrap());
    // The lowest of the best three.
    says("4d6kh3kl1", "4d6kh3kl1", &vec![die(6); 4], |f| best(f, 3)[2]);
    // The kept die is rerolled, the dropped one is not.
    says("2d6kh1r6", "2d6kh1ro=6", &[die(6), die(6), die(6)], |f| {
        if f[0].max(f[1]) == 6 { f[2] } else { f[0].max(f[1]) }
    });
    becomes("4d6xkh", "4d6!kh1");
    assert_eq!(refused("4d6xkh3", Foundry), "dialect-syntax");
    becomes("4d6x6kh3", "4d6!6kh3");
}

#[test]
fn bounds() {
    says("2d6min2", "2d6min2", &vec![die(6); 2], |f| f.iter().map(|f| f.max(&2)).sum());
    says("2d6max5", "2d6max5", &vec![die(6); 2], |f| f.iter().map(|f| f.min(&5)).sum());
    says("d6min2max5", "d6min2max5", &[die(6)], |f| f[0].clamp(2, 5));
    says("3d6min3kh2", "3d6min3kh2", &vec![die(6); 3], |f| {
        best(f, 2).iter().map(|f| f.max(&3)).sum()
    });
    // A count looks at the faces as thrown.
    says("3d6min4cs>=4", "3d6cs>=4", &vec![die(6); 3], |f| count(f, |f| f >= 4));
    for text in ["d6min2x1", "d6min3r2", "d6min5max2", "d6min4min2", "3d6cs>3min2"] {
        assert_eq!(refused(text, Foundry), "no-equivalent", "{text}");
    }
}

#[test]
fn counting() {
    let three = vec![die(6); 3];
    says("3d6cs>3", "3d6cs>3", &three, |f| count(f, |f| f > 3));
    says("3d6cs>=3", "3d6cs>=3", &three, |f| count(f, |f| f >= 3));
    says("3d6cs", "3d6cs=6", &three, |f| count(f, |f| f == 6));
    says("3d6cs5", "3d6cs=5", &three, |f| count(f, |f| f == 5));
    // `cf` counts up.
    says("3d6cf", "3d6cs=1", &three, |f| count(f, |f| f == 1));
    says("3d6cf<=2", "3d6cs<=2", &three, |f| count(f, |f| f <= 2));
    says("3d6cs>=5df=1", "3d6cs>=5cf=1", &three, |f| count(f, |f| f >= 5) - count(f, |f| f == 1));
    says("3d6cs>=5df", "3d6cs>=5cf<5", &three, |f| count(f, |f| f >= 5) - count(f, |f| f < 5));
    says("3d6cfdf", "3d6cf=1", &three, |f| -count(f, |f| f == 1));
    says("3d6even", "3d6cs=2cs=4cs=6", &three, |f| count(f, |f| f % 2 == 0));
    says("3d6odd", "3d6cs=1cs=3cs=5", &three, |f| count(f, |f| f % 2 == 1));
    says("2d4evendf", "2d4cs=2cs=4cf=1cf=3", &vec![die(4); 2], |f| {
        count(f, |f| f % 2 == 0) - count(f, |f| f % 2 == 1)
    });
    // The last count holds, and keeps look at faces.
    says("3d6cs>=5cf=1", "3d6cs=1", &three, |f| count(f, |f| f == 1));
    assert_eq!(notices("3d6cs>=5cf=1", Foundry), 1);
    says("3d6cs>=4kh2", "3d6kh2cs>=4", &three, |f| count(&best(f, 2), |f| f >= 4));
    for text in ["3d6df=1", "3d6sf", "3d6cs>3sf=1", "3d6cs>=5x", "3d6cs>=5df>=6", "3d100even"] {
        assert_eq!(refused(text, Foundry), "no-equivalent", "{text}");
    }
}

#[test]
fn margins() {
    says("d20ms>12", "d20 - 12", &[die(20)], |f| f[0] - 12);
    says("d20ms>=12", "d20 - 12", &[die(20)], |f| f[0] - 12);
    says("d20ms<12", "12 - d20", &[die(20)], |f| 12 - f[0]);
    says("2*d20ms>12+1", "2 * (d20 - 12) + 1", &[die(20)], |f| 2 * (f[0] - 12) + 1);
}

#[test]
fn pools() {
    says("{2d6,d8}kh", "{2d6, d8}kh1", &[die(6), die(6), die(8)], |f| (f[0] + f[1]).max(f[2]));
    says("{2d6,d8}dl", "{2d6, d8}dl1", &[die(6), die(6), die(8)], |f| (f[0] + f[1]).max(f[2]));
    says("{2d6,d8}cs>7", "{2d6, d8}cs>7", &[die(6), die(6), die(8)], |f| {
        count(&[f[0] + f[1], f[2]], |t| t > 7)
    });
    // One member is one result, not its dice.
    says("{2d6}cs>=7", "times(1, 2d6) cs>=7", &vec![die(6); 2], |f| i64::from(sum(f) >= 7));
    says("{2d6}kh", "times(1, 2d6) kh1", &vec![die(6); 2], sum);
    says("{2d6+1}", "2d6 + 1", &vec![die(6); 2], |f| sum(f) + 1);
    assert_eq!(refused("{2d6,d8}x", Foundry), "dialect-syntax");
}

#[test]
fn what_cannot_be_said_is_refused_with_its_place() {
    for (text, place) in [
        ("d20+@abilities.str.mod", 4..22),
        ("3d6sf<3", 3..7),
        ("sqrt(4)", 0..4),
        ("10d6r2=1", 4..8),
    ] {
        let errors = astragal_dialect::convert(text, Foundry).unwrap_err();
        assert_eq!(errors[0].code, "no-equivalent", "{text}");
        assert_eq!(errors[0].labels[0].span.range(), place, "{text}");
        assert!(!errors[0].help.is_empty() && !errors[0].labels[0].text.is_empty(), "{text}");
    }
    for text in
        ["", "2d6+", "(2d6", "2d6 fire", "4d6zz", "4d6!", "2dfx", "d6cs=>3", "d6min", "d6x>0"]
    {
        assert_eq!(refused(text, Foundry), "dialect-syntax", "{text}");
    }
}
