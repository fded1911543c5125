//! "Did you mean …?"

/// Longer names are compared by their beginnings only.
const LONGEST: usize = 64;

/// The known name that `wanted` was most likely meant to be, if one is near enough: the same but for
/// case, or a few letters wrong, missing, extra or swapped.
///
/// ```
/// let known = ["highest", "lowest"];
/// assert_eq!(astragal_syntax::suggest("hihgest", known.into_iter()), Some("highest"));
/// assert_eq!(astragal_syntax::suggest("banana", known.into_iter()), None);
/// ```
pub fn suggest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded: Vec<char> = wanted.to_lowercase().chars().take(LONGEST).collect();
    let allowed = match folded.len() {
        0..=1 => 0,
        2..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let other: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
        edit_distance(&folded, &other)
    };
    known
        .filter(|name| *name != wanted)
        .map(|name| (distance(name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours from one to the other.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(wanted: &str) -> Option<&'static str> {
        suggest(wanted, ["success", "failure", "pool", "Pool", "x"].into_iter())
    }

    #[test]
    fn near_names_are_found() {
        assert_eq!(nearest("sucess"), Some("success"));
        assert_eq!(nearest("faliure"), Some("failure"));
        assert_eq!(nearest("POOL"), Some("pool"));
        assert_eq!(nearest("pol"), Some("pool"));
    }

    #[test]
    fn far_names_are_not() {
        assert_eq!(nearest("elephant"), None);
        assert_eq!(nearest("y"), None);
        assert_eq!(nearest(""), None);
    }
}
