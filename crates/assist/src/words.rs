//! The words of the language itself, for help and completion: suffixes, keywords, built-in functions.
//!
//! Every example is compiled in the tests, so that help never shows what does not work.

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The spellings under which it is found; the first is the one that is offered.
    pub names: &'static [&'static str],
    /// What it does.
    pub meaning: &'static str,
    /// A program with it; may be empty.
    pub example: &'static str,
}

const fn word(
    names: &'static [&'static str],
    meaning: &'static str,
    example: &'static str,
) -> Word {
    Word { names, meaning, example }
}

/// What may follow dice.
pub const SUFFIXES: &[Word] = &[
    word(&["keep highest", "kh", "k", "keep"], "only the highest dice count", "4d6kh3"),
    word(&["keep lowest", "kl"], "only the lowest dice count", "2d20 keep lowest"),
    word(&["keep middle", "km"], "only the middle dice count", "3d20km1"),
    word(&["drop highest", "dh", "drop"], "the highest dice do not count", "4d6 drop highest 1"),
    word(&["drop lowest", "dl"], "the lowest dice do not count", "4d6dl1"),
    word(
        &["explode", "!"],
        "a die that shows its highest face, or what is said, brings one more",
        "5d10 explode on >= 9",
    ),
    word(&["explode once", "!o"], "as `explode`, but the extra die does not explode", "d6!o"),
    word(&["compound", "!!"], "as `explode`, but the extra dice are added to their die", "d6!!"),
    word(&["penetrate", "!p"], "as `explode`, but each extra die is worth one less", "d6!p"),
    word(&["up to"], "how often a die may explode", "d6! up to 3"),
    word(
        &["in all", "first"],
        "a limit for all dice together, and whose turn is first",
        "8d6 ro<=2 up to 3 in all lowest first",
    ),
    word(&["reroll", "rr", "r"], "dice that fit are thrown again until they do not", "2d6rr<=2"),
    word(&["reroll once", "ro"], "dice that fit are thrown again once", "2d6 reroll once <= 2"),
    word(&["at least", "min"], "a lower die counts as this", "3d6min2"),
    word(&["at most", "max"], "a higher die counts as this", "3d6 at most 5"),
    word(&["count", "cs"], "how many dice fit", "7d10 count >= 8"),
    word(
        &["count against", "cf"],
        "dice that fit are subtracted from the count",
        "7d10 cs>=8 cf=1",
    ),
    word(&["unique", "u"], "equal dice are thrown again until all differ", "3d6 unique"),
    word(
        &["drawn", "without"],
        "from a bag or a deck, in which each face lies as often as its weight says; what is out of it",
        "5d{1..13: 4} drawn without [13, 13]",
    ),
    word(&["ascending", "sa"], "the dice in ascending order", "3d6sa"),
    word(&["descending", "sd"], "the dice in descending order", "3d6sd"),
];

/// Signs that are no words; help knows them too.
pub const NOTATION: &[Word] = &[
    word(
        &["d", "dice", "die", "d6"],
        "dice: a count, `d`, the sides; computed ones in parentheses",
        "(1 + 2)d(4 + 2)",
    ),
    word(&["d%", "percent"], "a die of 100 faces", "d%"),
    word(&["dF", "fate"], "a die that shows -1, 0 or 1", "4dF"),
    word(
        &["d{", "faces"],
        "a die with faces of its own, and how many there are of each",
        "d{1: 3, 2..4: 1}",
    ),
    word(
        &["{", "group"],
        "each member counts as one die that shows the member's total",
        "{2d20, d12}kh1",
    ),
    word(&["[", "label"], "behind a term: what it is for", "2d6[fire] + d8[cold]"),
    word(&["..", "range"], "all whole numbers from one to another", "1..5"),
    word(&["=>", "lambda"], "a function without a name", "map([1, 2], x => x * 2)"),
];

/// Words with a meaning of their own.
pub const KEYWORDS: &[Word] = &[
    word(&["let"], "names a value: thrown once, the same wherever it is used", "let x = d6; x + x"),
    word(
        &["fn"],
        "defines a function; it throws anew at each call",
        "fn f(n, plus = 0) = (n)d6 + plus; f(3, plus: 1)",
    ),
    word(&["enum"], "defines a set of names", "enum Size = small | large; Size.small"),
    word(
        &["param"],
        "declares an input, set by `:set name=value` or `--set name=value`",
        "param pool = 7; (pool)d10",
    ),
    word(
        &["show"],
        "names one of several results",
        "show \"plain\" = d20; show \"better\" = 2d20kh1",
    ),
    word(
        &["require"],
        "refuses to go on unless something holds",
        "require 2 > 1 else \"never\"; d6",
    ),
    word(
        &["given"],
        "keeps only the throws in which something holds",
        "let x = d20; x given x > 10",
    ),
    word(&["note"], "adds a line to the explanation", "note \"with luck\"; d6"),
    word(&["use", "as"], "opens a file with definitions: use \"house.dice\" as house", ""),
    word(&["if", "then", "else"], "one of two values", "if d20 >= 15 then 2d6 else 0"),
    word(
        &["match"],
        "the first arm that fits",
        "match d6\n  1 => \"low\"\n  2..5 => \"middle\"\n  else => \"high\"\nend",
    ),
    word(
        &["maximise", "minimise", "by"],
        "the value under the play that is best for its mean (a yes counts 1), or for what `by` counts of it",
        "maximise {gold: choose from 0..5, luck: d6} by r => r.gold * r.luck",
    ),
    word(
        &["choose", "oppose", "from"],
        "a player decides, knowing all that was thrown; who opposes takes what is worst; of equal arms the first is taken",
        "maximise do\n  let first = d20\n  choose\n    \"keep\" => first\n    \"throw again\" => d20\n  end\nend",
    ),
    word(
        &["do", "end"],
        "several statements where one value is wanted",
        "fn f() = do\n  let x = d6\n  x + x\nend\nf()",
    ),
    word(
        &["repeat", "with", "next", "until"],
        "goes on until something holds, carrying values",
        "repeat with total = 0\n  next total = total + d6\nuntil total >= 10",
    ),
    word(&["and"], "both; the second is looked at only if the first holds", "d6 > 3 and d6 > 3"),
    word(&["or"], "at least one", "d6 > 3 or d6 > 3"),
    word(&["not"], "the opposite", "not d6 > 3"),
    word(&["true"], "yes", "true"),
    word(&["false"], "no", "false"),
    word(&["none"], "nothing, where a value is optional", "fn f(x: number?) = x == none; f(none)"),
];

/// Functions that the language has of itself: how they are called.
pub const BUILT_IN: &[Word] = &[
    word(&["floor"], "floor(x): rounded down", "floor(7 / 2)"),
    word(&["ceil"], "ceil(x): rounded up", "ceil(7 / 2)"),
    word(&["round"], "round(x): to the nearest whole; halves go away from zero", "round(7 / 2)"),
    word(&["abs"], "abs(x): without its sign", "abs(-3)"),
    word(&["min"], "min(a, b, …): the smallest, of numbers or of one list", "min(d6, d8)"),
    word(&["max"], "max(a, b, …): the largest, of numbers or of one list", "max([1, 5, 3])"),
    word(&["length"], "length(list): how many items", "length([4, 2])"),
    word(&["at"], "at(list, place): one item; the first is number 1", "at([4, 2], 1)"),
    word(&["append"], "append(list, item): the list with one item more", "append([4], 2)"),
    word(&["sort"], "sort(list): numbers or texts in ascending order", "sort([4, 2])"),
    word(&["reverse"], "reverse(list): from its end", "reverse([4, 2])"),
    word(
        &["word"],
        "word(text, known): a text without regard to case, blanks and hyphens; a near miss of a known word fails",
        "word(\"Natural Armor\", [\"armor\", \"natural_armor\"])",
    ),
    word(
        &["fold"],
        "fold(list, first, (carry, item) => next): goes through a list, carrying a value",
        "fold([1, 2], 0, (sum, x) => sum + x)",
    ),
    word(
        &["walk"],
        "walk(pool, first, (carry, face, count) => next): goes up the faces that dice show",
        "walk(5d6, 0, (best, face, count) => max(best, count))",
    ),
    word(
        &["walk_down"],
        "walk_down(pool, first, (carry, face, count) => next): the same from the highest face",
        "walk_down(5d6, 0, (n, face, count) => if n == 0 then count else n)",
    ),
    word(&["nth_highest"], "nth_highest(pool, n): the value of one die", "nth_highest(4d6, 2)"),
    word(&["nth_lowest"], "nth_lowest(pool, n): the value of one die", "nth_lowest(4d6, 1)"),
    word(&["median"], "median(pool): the value in the middle", "median(3d6)"),
    word(
        &["times"],
        "times(count, roll): a pool of dice, each the total of a fresh roll",
        "times(12, 3d6) kh6",
    ),
    word(&["mean"], "mean(roll): its mean, exactly; nothing is thrown", "mean(2d6)"),
    word(&["variance"], "variance(roll): its variance, exactly", "variance(2d6)"),
    word(
        &["deviation"],
        "deviation(roll): its standard deviation, to nine decimals",
        "deviation(2d6)",
    ),
    word(&["chance"], "chance(condition): how likely it is, exactly", "chance(d20 >= 15)"),
    word(
        &["percentile"],
        "percentile(roll, percent): the least value not exceeded with so many percent",
        "percentile(3d6, 90)",
    ),
];

/// The word with this spelling.
pub fn find(words: &'static [Word], spelling: &str) -> Option<&'static Word> {
    words.iter().find(|word| word.names.contains(&spelling))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_program() {
        let engine = astragal::Engine::new();
        let words = SUFFIXES.iter().chain(KEYWORDS).chain(BUILT_IN).chain(NOTATION);
        for word in words.filter(|word| !word.example.is_empty()) {
            if let Err(wrong) = engine.compile(word.example) {
                panic!("{}:\n{wrong}", word.names[0]);
            }
        }
    }
}
