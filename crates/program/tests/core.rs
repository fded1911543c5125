//! What programs become.

mod common;

use common::core;

/// The core of a program, line by line.
fn becomes(text: &str, lines: &[&str]) {
    assert_eq!(core(text), lines.join("\n"), "{text}");
}

#[test]
fn only_the_sum_of_a_bound_pool_is_kept_if_nobody_reads_more() {
    becomes(
        "let x = d20; if x = 20 then \"hit\" else \"miss\"",
        &["main() = let v0 = Total(1d20); If(Equal(v0, 20), hit, miss)"],
    );
    becomes(
        "let p = 4d6; p kh3 + p",
        &["main() = let v0 = 4d6; Add(Total(v0 `keep highest 3` 3), Total(v0))"],
    );
    becomes(
        "let x = d6; fn f(n) = if n = 0 then x else f(n - 1) + x; f(3)",
        &[
            "f(v0, v1) = If(Equal(v0, 0), v1, Add(f0(Subtract(v0, 1), v1), v1))",
            "main() = let v0 = Total(1d6); f0(3, v0)",
        ],
    );
    becomes(
        "fn outer(a) = do fn inner(b) = a + b; inner(1) + inner(2) end; outer(d6)",
        &[
            "outer(v0) = Add(f1(1, v0), f1(2, v0))",
            "inner(v0, v1) = Add(v1, v0)",
            "main() = f0(Total(1d6))",
        ],
    );
    becomes(
        "fn best(p) = p kh1; fn both(p) = best(p) + p; both(2d6)",
        &["both(v0) = Add(Total(best<v0 `keep highest 1` 1>), Total(v0))", "main() = f0(2d6)"],
    );
}

#[test]
fn arguments_are_evaluated_in_written_order() {
    becomes(
        "fn f(a, b) = a - b; f(b: d6, a: d8)",
        &[
            "f(v0, v1) = Subtract(v0, v1)",
            "main() = let v0 = Total(1d6); let v1 = Total(1d8); f0(v1, v0)",
        ],
    );
    becomes(
        "fn f(a, b = a + 1, c = b) = a + b + c; f(d6)",
        &[
            "f(v0, v1, v2) = Add(Add(v0, v1), v2)",
            "main() = let v0 = Total(1d6); let v1 = Add(v0, 1); f0(v0, v1, v1)",
        ],
    );
    becomes(
        "game.side({method: \"reroll\", skill: d6})",
        &[
            "game.side(v0) = Add(Add(v0.0, v0.1), If(Equal(v0.2, keep), 0, 1))",
            "main() = f0(let v0 = Total(1d6); {skill: v0, advantage: 0, method: reroll})",
        ],
    );
}

#[test]
fn rolls_and_functions_are_copied() {
    becomes(
        "fn damage(roll dice, plus = 0) = max(dice, dice) + plus; damage(2d6 + 3, plus: d4)",
        &[
            "main() = let v0 = Total(1d4); damage<Add(Max(Add(Total(2d6), 3), Add(Total(2d6), 3)), v0)>",
        ],
    );
    becomes(
        "map([1, 2], x => x * 2)",
        &["main() = let v0 = [1, 2]; map<Fold(v0, v1 = [], v2 => Append(v1, Multiply(v2, 2)))>"],
    );
    becomes(
        "fn pool(n) = (n)d10; pool(d6)! cs>=8",
        &["main() = Total(let v0 = Total(1d6); pool<v0d10> `explode` `count >= 8`)"],
    );
    becomes(
        "let x = 1; fn twice(roll r) = do let x = 10; r + r + x end; twice(d6 + x)",
        &[
            "main() = let v0 = 1; twice<let v1 = 10; Add(Add(Add(Total(1d6), v0), Add(Total(1d6), v0)), v1)>",
        ],
    );
}

#[test]
fn a_match_is_a_chain_of_branches() {
    becomes(
        "match 2d6\n ..5 => 1\n 6..11, 13 => 2\n 12.. => 3\nend",
        &["main() = let v0 = Total(2d6); Arm(AtMost(v0, 5), 1, Arm(Logic(Logic(AtLeast(v0, 6), \
           AtMost(v0, 11), no), yes, Equal(v0, 13)), 2, require AtLeast(v0, 12) else Join(no arm of \
           the match fits , v0); 3))"],
    );
    becomes(
        "let x = if d6 > 3 then none else 1; match x\n none => 0\n 2.. => 5\n else => x + 1\nend",
        &["main() = let v0 = If(Greater(Total(1d6), 3), none, 1); Arm(Equal(v0, none), 0, \
           Arm(AtLeast(v0, 2), 5, Add(v0, 1)))"],
    );
}

#[test]
fn repeat_yields_its_next_state() {
    becomes(
        "repeat with a = 1, b = 1 next a = b, b = a + b until a > 100",
        &["main() = Repeat(v0, v1 = 1, 1; let v2 = Add(v0, v1); {a: v1, b: v2, until: \
           Greater(v1, 100)})"],
    );
}

#[test]
fn groups_gather_totals_or_merge_dice() {
    becomes("{2d6 + d8}kh2", &["main() = Total(Merge(2d6, 1d8) `keep highest 2` 2)"]);
    becomes(
        "{2d6 + 3, d12}kl1",
        &["main() = Total(Gather(Add(Total(2d6), 3), Total(1d12)) `keep lowest 1` 1)"],
    );
    becomes("2d6[fire]kh1", &["main() = Total(2d6 `keep highest 1` 1)[fire]"]);
}

#[test]
fn results_are_the_fields_of_a_record() {
    becomes(
        "param pool = 7\nshow \"plain\" = 3d6\n(pool)d6",
        &[
            "main() = let v0 = Input0(7); let v1 = Total(3d6); let v2 = Total(v0d6); {plain: v1, result: v2}",
        ],
    );
}
