//! Programs with too many dice to enumerate: for the ways that only such dice take.
//!
//! Nobody goes through the hands of ten ten-sided dice, but the ways to their odds can be held against each other.
//! Each of these asks for something that has a way of its own, in numbers and sides that vary.

/// The large program with this number: each kind in turn, then each again in other sizes.
pub fn large(number: u64) -> String {
    let kinds = LARGE.len() as u64;
    let (kind, size) = (number % kinds, number / kinds);
    let pick =
        |list: &[&str], step: u64| list[(size * step % list.len() as u64) as usize].to_owned();
    let sizes = [
        ("MANY", pick(&["20", "6", "9", "40", "13", "4"], 1)),
        ("FEW", pick(&["3", "2", "4"], 1)),
        ("SIDES", pick(&["10", "6", "8", "20", "6"], 1)),
        ("FACE", pick(&["4", "2", "5"], 2)),
    ];
    let text = LARGE[kind as usize].to_owned();
    sizes.iter().fold(text, |text, (name, number)| text.replace(name, number))
}

const LARGE: &[&str] = &[
    "MANYdSIDES kh FEW",
    "MANYdSIDES! kh FEW",
    "MANYdSIDES! cs>=FACE",
    "MANYdSIDES!>=FACE cs>=FACE cf=1",
    "{MANYd4 + MANYdSIDES + FEWd12}",
    "{FEWd4 + FEWdSIDES + d12} kh FEW",
    "nth_highest({d4 + d6 + FEWd12}, FEW)",
    "MANYdSIDES km FEW",
    "median(MANYdSIDES)",
    "MANYdSIDES ro<=FACE up to FEW in all lowest first",
    "MANYdSIDES ! up to FEW in all kh FEW",
    "largest_set(MANYdSIDES)",
    "pairs(MANYdSIDES)",
    "best_set(MANYdSIDES)",
    "map(sets(MANYd4), set => set.size)",
    "straight(MANYdSIDES)",
    "distinct(MANYdSIDES!)",
    "largest_set(FEWd6!)",
    "largest_set(FEWd4!>=FACE up to 3)",
    "versus(MANYdSIDES, FEWdSIDES).wins",
    "versus(FEWdSIDES, FEWdSIDES)",
    "versus(MANYdSIDES, FEWdSIDES)",
    "walk(MANYdSIDES, {high: 0, low: 0}, (s, face, count) => {high: s.high + (if face >= FACE then count else 0), low: s.low + count // 2})",
    "above_highest(MANYdSIDES, FEWdSIDES)",
    "sum_of_sets(MANYdSIDES)",
    "walk(FEWdSIDES, [], (seen, face, count) => append(seen, face))",
    "let p = MANYdSIDES\n[p kh1, p kl1]",
    "let p = MANYdSIDES\n{high: p kh FEW, ones: p cs=1, set: largest_set(p)}",
    "let p = MANYdSIDES\np kh1 - p kl1",
    "let p = MANYdSIDES!\nif p kh1 >= FACE then p kh1 else p",
    "let a = FEWdSIDES\nlet b = FEWd12\nlet c = d20\nif a > b and a > c then 1 else if b > c then 2 else 3",
    "let a = FEWdSIDES\nlet b = MANYd6\n(if a > b then 1 else 0) + d6",
    "let x = MANYdSIDES\nlet y = FEWd12\n{sum: x + y, more: x + y > 20, half: (x + y) // 2}",
    "let x = FEWdSIDES\nlet y = d20\n{total: x + y, margin: x - y, hit: x >= y}",
    "let x = d20\nlet y = FEWdSIDES\n{critical: x = 20, damage: if x >= 11 then y else 0, both: x + y}",
    "sort([dSIDES, dSIDES, d12, d4])",
    "let mine = FEWd{1..13: 4} drawn\nlet theirs = FEWd{1..13: 4} drawn without mine\nlargest_set(mine) > largest_set(theirs)",
    "MANYd{1..13: 4} drawn kh FEW",
    "let hand = FEWd{1..13: 4} drawn\n{sum: hand, set: largest_set(hand)}",
    "(repeat with dice = FEW, total = 0\n  let die = dSIDES\n  next dice = dice - 1 + (if die == SIDES then 2 else 0), total = total + die\nuntil dice == 0).total",
    "(repeat with dice = 1, thrown = 0\n  next dice = dice - 1 + (if d6 == 6 then 2 else 0), thrown = thrown + 1\nuntil dice == 0).thrown",
    "fn boom() = do let die = dSIDES; if die == SIDES then SIDES + boom() + boom() else die end\nboom()",
    "let last = repeat with times = FEW, die = 1\n  next times = times * 2, die = dSIDES\nuntil die != 1\n[last.times * last.die, last.times + last.die]",
    "let a = FEWdSIDES\nlet b = FEWd6\n{wins: versus(a, b).wins, hits: a cs>=FACE, high: b kh1}",
    "let last = repeat with low = 0, high = FEW, die = 0\n  next low = 2 * low - FEW, high = max(high * 3, 2), die = dSIDES\nuntil die > FACE\nlast.high - last.low",
    "(repeat with hp = 20, n = 0\n  next hp = hp - dSIDES, n = n + 1\nuntil hp <= 0).n",
    "(repeat with chips = MANY\n  next chips = chips + (if d38 <= 18 then 1 else -1)\nuntil chips == 0 or chips == 20).chips",
    "let last = repeat with a = MANY, b = FEW\n  let hit = dSIDES\n  next a = if hit == 1 then a - 1 else a, b = if hit >= FACE then b - 1 else b\nuntil a == 0 or b == 0\nlast.a > 0",
    "fn swing(bonus, ac) = do let r = d20; if r == 20 then 2d8 + 3 else if r + bonus >= ac then dSIDES + 3 else 0 end\nlet last = repeat with a = 30, b = 26\n  next b = max(0, b - swing(5, 15)), a = if b == 0 then a else max(0, a - swing(4, 16))\nuntil a == 0 or b == 0\nlast.a > 0",
    "fold(1..MANY, 0, (best, i) => max(best, FEWdSIDES))",
    "length(filter(1..MANY, i => dSIDES >= FACE))",
    "let a = dSIDES + FEW\nlet b = FEWd6\nif a >= b then a - b else 0",
    "let a = FEWdSIDES\nlet b = FEWd6\n[a > b, d6 > 3]",
    "let best = best_set(FEWd6)\nbest.size * 2 + 1",
    "let set = largest_set(MANYdSIDES)\nif set >= 3 then set * 2 else d6",
    "20d10! cs>=8",
    "20d10! up to 20 cs>=8",
    "length(sets(MANYdSIDES))",
    "sort(walk(FEWdSIDES, [], (sizes, face, count) => append(sizes, count)))",
    "map(sets(10d10), set => set.size) == [2, 2]",
    "groups_of(MANYd6, 3)",
    "full_house(5d6)",
    "let best = best_set(FEWdSIDES)\nlet more = {size: best.size + 1, face: best.face}\nmore.size * 10 + more.face",
    "10d10!>=FACE cs>=FACE",
    "largest_set(10d10)",
    "max(dSIDES!, d6!)",
    "dSIDES * d20 + FEWd6 * 2",
    "(d6!) // 2 + dSIDES",
    "let x = d6!\n{total: x, high: x >= FACE}",
    "times(FEW, FEWdSIDES kh1) kh1",
];
