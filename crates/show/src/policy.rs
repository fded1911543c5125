//! Best play in words: what to take when, what that comes to, what mistakes cost; and the whole table.
//!
//! ```text
//! best play: 13 in the mean
//! choose keep or throw again
//!   first 1 to 10: throw again; 11 to 20: keep
//!   mistakes: always keep costs 2.5, always throw again 2.5
//! ```

use astragal::{
    Advice, Choice, Goal, Loss, Odds, Policy, Program, Rational, Rule, Span, Who, advice,
};

use crate::decimal::{percent, readable, scientific, short};
use crate::export::grid::Grid;
use crate::said::said;

/// What prints all rules.
pub const MORE: &str = "--policy prints all";
/// The most rules that are told, of all choices together; the whole table has all.
const MOST_RULES: usize = 12;
/// Of each choice at least so many are, if it has them.
const LEAST_RULES: usize = 3;
/// The most choices that are told.
const MOST_CHOICES: usize = 8;
/// Rules that are shorter together stand in one line.
const ONE_LINE: usize = 72;
/// What a rule asks for is cut when it is longer.
const LONGEST_WHEN: usize = 160;
/// What is said of a mistake after which there is no end.
const NEVER_ENDS: &str = "never ends";
/// The most mistakes that are told.
const MOST_MISTAKES: usize = 6;

/// What there is to say of one choice, in parts.
#[derive(Debug)]
pub struct Told {
    /// The first choice of what is played has what that comes to: `best play`, `13 in the mean, and nothing gives more`.
    pub value: Option<(String, String)>,
    /// `choose keep or throw again (line 3)`
    pub head: String,
    /// What to take when; none if best play never comes to this.
    pub rules: Vec<Rule>,
    /// What who always takes the same loses, in words; none where that is not known.
    pub losses: Vec<(String, String)>,
}

/// How a program is played, choice by choice; none if nobody decides in it.
pub fn told(program: &Program, odds: &Odds) -> Vec<Told> {
    let all = advice(&odds.plays);
    let several = all.iter().any(|other| other.best != all[0].best);
    let many = all.len() > 1;
    let mut last = None;
    let told = all.into_iter().map(|advice| {
        let is_first = last.replace(advice.best) != Some(advice.best);
        // What is told for each call apart is lost at all of them together.
        let is_last = advice.time.is_none_or(|(time, times)| time == times);
        Told {
            value: value(program, &advice, several).filter(|_| is_first),
            head: head(program, &advice, many),
            losses: if is_last { losses(&advice) } else { Vec::new() },
            rules: advice.rules,
        }
    });
    told.collect()
}

/// How a program is played, as lines; none if nobody decides in it.
pub fn lines(program: &Program, odds: &Odds) -> Vec<String> {
    let mut lines: Vec<String> = odds.plays.iter().filter_map(untold).collect();
    let choices = told(program, odds);
    let counts: Vec<usize> = choices.iter().take(MOST_CHOICES).map(|one| one.rules.len()).collect();
    for (told, most) in choices.iter().zip(shares(&counts)) {
        lines.extend(told.value.as_ref().map(|(what, value)| format!("{what}: {value}")));
        lines.push(told.head.clone());
        lines.extend(rules(&told.rules, most).into_iter().map(|line| format!("  {line}")));
        lines.extend(mistakes(&told.losses).map(|line| format!("  {line}")));
    }
    if let Some(more @ 1..) = choices.len().checked_sub(counts.len()) {
        let choices = if more == 1 { "choice" } else { "choices" };
        lines.push(format!("… and {more} {choices} more: {MORE}"));
    }
    lines
}

/// How many rules of each choice are told: of few all, and of many as many as there is room for.
fn shares(counts: &[usize]) -> Vec<usize> {
    let mut shares = vec![0; counts.len()];
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|at| counts[*at]);
    let mut room = MOST_RULES;
    for (done, at) in order.into_iter().enumerate() {
        let fair = room / (counts.len() - done);
        shares[at] = counts[at].min(fair.max(LEAST_RULES));
        room = room.saturating_sub(shares[at]);
    }
    shares
}

/// A play that is too large to be told.
fn untold(policy: &Policy) -> Option<String> {
    if policy.left_out == 0 {
        return None;
    }
    let value = match (&policy.value, &policy.within) {
        (_, Some(ends)) => between(ends, policy.is_chance),
        (Some(value), None) if policy.is_chance => format!("a chance of {}", said(value)),
        (Some(value), None) => format!("{} in the mean", readable(value)),
        (None, None) => "nothing that can be told".into(),
    };
    let cases = policy.left_out;
    Some(format!("best play: {value}; its {cases} cases are too many to be told"))
}

/// `a chance of about 53.0592% (within 1.3e-10)`
fn between((low, high): &(Rational, Rational), is_chance: bool) -> String {
    let within = scientific(&(high - low));
    match is_chance {
        true => format!("a chance of about {} (within {within})", percent(low).trim()),
        false => format!("about {} in the mean (within {within})", short(low, 4)),
    }
}

/// `best play`, `13 in the mean`
fn value(program: &Program, advice: &Advice, several: bool) -> Option<(String, String)> {
    let at = if several { line(program, advice.around) } else { String::new() };
    if let Some(ends) = &advice.within {
        return Some((format!("best play{at}"), between(ends, advice.is_chance)));
    }
    let Some(value) = &advice.value else {
        let about = match (advice.is_chance, advice.about.as_ref()?) {
            (true, about) => format!("a chance of about {}", percent(about).trim()),
            (false, about) => format!("about {} in the mean", short(about, 4)),
        };
        return Some((format!("best play{at}"), about));
    };
    let value = match (advice.is_chance, advice.goal) {
        (true, _) if value.is_one() => "certain".into(),
        (true, _) if value.is_zero() => "impossible".into(),
        (true, _) => format!("a chance of {}", said(value)),
        (false, Goal::Most) => format!("{} in the mean", readable(value)),
        (false, Goal::Least) => format!("{} in the mean, the least there is", readable(value)),
    };
    Some((format!("best play{at}"), value))
}

/// `choose keep or throw again (line 3)`
fn head(program: &Program, advice: &Advice, several: bool) -> String {
    let who = match advice.who {
        Who::Player => "choose",
        Who::Opponent => "the opponent chooses",
    };
    let at = if several { line(program, advice.span) } else { String::new() };
    let time = advice.time.map(|(time, times)| format!(", time {time} of {times}"));
    format!("{who} {}{}{at}", program.choice_in_words(advice), time.unwrap_or_default())
}

/// ` (line 3)`; in a file of rules, its name too.
fn line(program: &Program, span: Span) -> String {
    let Some(source) = program.hints().sources().get(span.source) else { return String::new() };
    let before = source.text.get(..span.start as usize).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    match span.source.0 {
        0 if source.text.trim_end().contains('\n') => format!(" (line {line})"),
        0 => String::new(),
        _ => format!(" ({}, line {line})", source.name),
    }
}

/// The rules of a choice: in one line if they are short.
fn rules(rules: &[Rule], most: usize) -> Vec<String> {
    // A line that says that there is one more is as long as that one.
    let most = if rules.len() == most + 1 { rules.len() } else { most };
    let told: Vec<&Rule> = rules.iter().take(most).collect();
    let more = rules.len() - told.len();
    if told.is_empty() {
        return vec!["best play never comes to this".into()];
    }
    let joined = in_one_line(&told);
    if more == 0 && joined.chars().count() <= ONE_LINE {
        return vec![joined];
    }
    let mut lines: Vec<String> =
        told.iter().map(|rule| format!("{}: {}", brief(&rule.when), rule.take)).collect();
    if more > 0 {
        lines.push(format!("… and {more} more: {MORE}"));
    }
    lines
}

/// What a rule asks for, cut where it names more than can be read at once; the JSON has all of it.
pub fn brief(when: &str) -> String {
    if when.chars().count() <= LONGEST_WHEN {
        return when.to_owned();
    }
    let cut: String = when.chars().take(LONGEST_WHEN).collect();
    // Between two values, not within one.
    let end = cut.rfind("], ").map(|at| at + 1).or_else(|| cut.rfind(", ")).unwrap_or(cut.len());
    format!("{}, …", &cut[..end])
}

/// `first 1 to 10: throw again; 11 to 20: keep`: what is asked is named once.
fn in_one_line(rules: &[&Rule]) -> String {
    let name = |rule: &Rule| {
        let (name, _) = rule.when.split_once(|c: char| c.is_ascii_digit())?;
        (!name.is_empty() && !rule.when.contains(',')).then(|| name.to_owned())
    };
    let mut asked: Option<String> = None;
    let told = rules.iter().map(|rule| {
        let name = name(rule);
        let when = match (&asked, &name) {
            (Some(known), Some(name)) if known == name => rule.when[name.len()..].to_owned(),
            _ => rule.when.clone(),
        };
        asked = name;
        format!("{when}: {}", rule.take)
    });
    told.collect::<Vec<_>>().join("; ")
}

/// `mistakes: always keep costs 2.5, always throw again 2.5`
fn mistakes(losses: &[(String, String)]) -> Option<String> {
    let told = losses.iter().take(MOST_MISTAKES).enumerate().map(|(at, (label, lost))| {
        if lost == NEVER_ENDS {
            return format!("always {label} {NEVER_ENDS}");
        }
        let is_first = losses[..at].iter().all(|(_, before)| before == NEVER_ENDS);
        let costs = if is_first { " costs" } else { "" };
        format!("always {label}{costs} {lost}")
    });
    let told = told.collect::<Vec<_>>().join(", ");
    let more = if losses.len() > MOST_MISTAKES { ", …" } else { "" };
    (!told.is_empty()).then(|| format!("mistakes: {told}{more}"))
}

/// What mistakes cost: `keep` loses `2.5`. What costs nothing is no mistake.
fn losses(advice: &Advice) -> Vec<(String, String)> {
    let lost = |lost: &Loss| {
        Some(match lost {
            Loss::Exactly(lost) if lost.is_zero() => return None,
            Loss::Exactly(lost) if advice.is_chance => percent(lost).trim().to_owned(),
            Loss::Exactly(lost) => short(lost, 4),
            Loss::Infinite => "more than any number".into(),
            Loss::Endless => NEVER_ENDS.into(),
            _ => return None,
        })
    };
    let told = advice.losses.iter();
    told.filter_map(|(label, of)| Some((label.to_string(), lost(of)?))).collect()
}

/// Every case of every choice, under a line that says which: what is known, what to take, what each option is worth, how
/// often it comes about.
pub fn tables(program: &Program, odds: &Odds) -> Vec<(String, Grid)> {
    let mut tables: Vec<(String, Grid)> = Vec::new();
    for told in advice(&odds.plays) {
        if told.time.is_some_and(|(time, _)| time > 1) {
            continue;
        }
        // Cases of different calls know different things.
        let mut kinds: Vec<Vec<(&Policy, &Choice)>> = Vec::new();
        for policy in odds.plays.iter().filter(|policy| policy.best == told.best) {
            for choice in policy.choices.iter().filter(|choice| choice.span == told.span) {
                match kinds.iter_mut().find(|known| known[0].1.is_same(choice)) {
                    Some(known) => known.push((policy, choice)),
                    None => kinds.push(vec![(policy, choice)]),
                }
            }
        }
        for kind in kinds {
            tables.push((head(program, &told, true), table(&kind)));
        }
    }
    tables
}

fn table(choices: &[(&Policy, &Choice)]) -> Grid {
    let mut grid = Grid::default();
    let (_, first) = choices[0];
    for name in &first.names {
        grid.texts(&**name);
    }
    grid.texts("take");
    match first.arms.is_empty() {
        true => grid.texts("worth"),
        false => first.arms.iter().for_each(|arm| grid.numbers(&**arm)),
    }
    grid.numbers("chance");
    grid.known_by(first.names.len() + 1);
    for (policy, choice) in choices {
        for case in &choice.cases {
            let worth = |worth: &Option<Rational>| match worth {
                None => "may fail".into(),
                Some(worth) if policy.is_chance => percent(worth).trim().to_owned(),
                Some(worth) => short(worth, 4),
            };
            let mut cells: Vec<String> = case.values.iter().map(ToString::to_string).collect();
            cells.push(case.options[case.taken].0.to_string());
            if choice.arms.is_empty() {
                let each = case.options.iter().map(|(label, of)| format!("{label}: {}", worth(of)));
                cells.push(each.collect::<Vec<_>>().join("; "));
            }
            for arm in &choice.arms {
                let open = case.options.iter().find(|(label, _)| label == arm);
                cells.push(open.map_or_else(String::new, |(_, of)| worth(of)));
            }
            cells.push(percent(&(&case.chance * &policy.chance)).trim().to_owned());
            grid.row(cells);
        }
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rules_are_all_told_and_many_share_the_room() {
        assert_eq!(shares(&[40]), [12]);
        assert_eq!(shares(&[2, 40]), [2, 10]);
        assert_eq!(shares(&[20, 17]), [6, 6]);
        assert_eq!(shares(&[9, 1, 9, 9, 9, 9]), [3, 1, 3, 3, 3, 3]);
        assert_eq!(shares(&[]), Vec::<usize>::new());
    }
}
