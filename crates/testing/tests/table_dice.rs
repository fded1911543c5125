//! Dice that lie on the table are thrown once, wherever they are looked at: in the rounds of a loop, in a mixed
//! pool beside themselves, through a parameter.

use astragal_testing::checks::{law, odds};
use astragal_testing::law::Kept;

#[test]
fn a_loop_reads_the_dice_that_lay_there_before_it() {
    odds(
        "let b = 1d1; (repeat with hit = false next hit = d2 + b kh1 == 3 until hit).hit",
        "yes 1",
    );
    odds(
        "let b = 1d1; (repeat with n = 0, v = 0 next n = n + 1, v = v + d2 + b kh1 \
         until n == 2 or v >= 3).v",
        "3 1/2, 4 1/4, 5 1/4",
    );
    odds(
        "let a = 1d2; let b = 1d2; (repeat with n = 0, v = 0 \
         next n = n + 1, v = d2 + versus(b, a).wins until n == 2 or v >= 2).n",
        "1 5/8, 2 3/8",
    );
    odds(
        "let w = 2d2; (repeat with i = 0; next i = i + (if d2 = 1 then w kh1 else 1) until i >= 2).i",
        "2 13/16, 3 3/16",
    );
    odds(
        "let x = d2; (repeat with i = 0, s = 0; next i = i + (if d3 > 1 then x min3 else 1) \
         until i >= 2).i",
        "2 1/9, 3 2/3, 4 2/9",
    );
}

#[test]
fn a_loop_that_may_go_on_for_long_reads_them_too() {
    let text = "let b = 3d6; (repeat with n = 0, hit = false next n = n + 1, hit = d20 + b kh1 >= 15 \
                until hit).n";
    astragal_testing::checks::chance(text, &astragal::Value::whole(2), "21119/86400");
    for text in [
        "let b = 2d2; (repeat with n = 0, hit = false next n = n + 1, hit = d2 + b kh1 >= 3 until hit).n",
        "let b = 2d3; (repeat with n = 0 next n = n + d2 * (b kh1) until d2 = 1 or b cs=1 >= 1).n",
        "let b = 2d2; (repeat with n = 1 next n = n * 2 + nth_lowest(b, 1) until d2 = 1).n",
    ] {
        assert_eq!(law(text), Kept::WithinBounds, "{text}");
    }
}

#[test]
fn dice_on_the_table_stand_in_a_mixed_pool() {
    odds("let m = 2d3; {m + m}kh1", "1 1/9, 2 1/3, 3 5/9");
    odds("let p = d3 drawn; let m = p min2; {m + m}", "4 2/3, 6 1/3");
    odds("let m = d2; {m + 2d2}kh1 - m", "0 5/8, 1 3/8");
    for text in [
        "let m = 2d6; {m + 2d6}kh2 - m",
        "let m = 2d3; [{m kh1 + d2}, m]",
        "let m = (d2)d3; {m + m}kh2",
        "let m = (d2)d2; {m + d2}kh2 - m cs=1",
        "let m = 2d3 drawn; let k = m kh1; {m + k + d2}kh2",
        "let m = times(2, d2); {m + m}kh3",
        "fn twice(p) = {p + p}kh3; twice(2d2 ro<=1)",
        "let m = 2d2; (repeat with n = 0, v = 0 next n = n + 1, v = v + {m + d2}kh1 until n >= 2).v",
    ] {
        assert_eq!(law(text), Kept::Exactly, "{text}");
    }
}

#[test]
fn a_parameter_binds_dice_as_let_does() {
    for text in [
        "fn both(y) = walk(y, y, 0, (c, f, n, m) => c * 2 + f * n - m); both(2d{0: 2, 2} ro<=1)",
        "fn both(x, y) = walk(y, y, 0, (c, f, n, m) => c * 2 + f * n - m); \
         let p = (d2)d3; both(3d2 ! up to 1, 2d{0: 2, 2} ro<=1) > p",
        "fn twice(y) = y kh1 + y; let p = d2; [twice(2d3 ro<=1) + p, p]",
    ] {
        assert_eq!(law(text), Kept::Exactly, "{text}");
    }
}
