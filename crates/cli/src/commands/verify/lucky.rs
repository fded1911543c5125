//! The luck of an evening, for people and for machines: beside a log that fits, and at a table.

use std::collections::BTreeMap;

use astragal_luck::{Between, Known, Tally, Told, Why};
use astragal_show::decimal::{percent, short};
use astragal_show::luck::{MEANING, deviations, in_words, of_a_hundred};
use serde_json::{Value, json};

/// In words that a player understands. `name` says who sits where.
pub(crate) fn words(known: &Known, name: impl Fn(u64) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (seat, tally) in &known.seats {
        lines.extend(of_tally(&name(*seat), tally));
    }
    if known.seats.len() > 1 {
        lines.extend(of_tally("all together", &known.all));
    }
    if known.all.rolls == 0 {
        lines.push("no roll whose luck could be told".into());
    }
    lines.extend(left_out(known));
    lines.push(MEANING.into());
    lines
}

fn of_tally(who: &str, tally: &Tally) -> Vec<String> {
    let (sum, rolls) = (tally.sum.middle(), tally.rolls);
    let far = deviations(&sum, &tally.expected(), &tally.variance.middle());
    let counted = format!(
        "{who}: {}; {}, the places come to {}, {} is average",
        in_words(rolls, &far),
        if rolls == 1 { "1 roll counts".into() } else { format!("{rolls} rolls count") },
        short(&sum, 2),
        short(&tally.expected(), 1),
    );
    let told = |what: &str, than: &str, told: &Option<Told>| {
        let told = told.as_ref()?;
        let (Told { line, text, value, chance, .. }, short) = (told, 60);
        let text = astragal_show::cut(&text.replace('\n', " "), short);
        let chance = percent(&chance.middle());
        Some(format!(
            "  {what}: {text} came to {value} in line {line}; {chance} are that or {than}"
        ))
    };
    let best = told("luckiest", "more", &tally.luckiest);
    let worst = told("unluckiest", "less", &tally.unluckiest);
    [Some(counted), best, worst].into_iter().flatten().collect()
}

/// How many rolls do not count, and why.
fn left_out(known: &Known) -> Option<String> {
    let mut counts: BTreeMap<Why, u64> = BTreeMap::new();
    for (_, _, why) in &known.others {
        *counts.entry(*why).or_default() += 1;
    }
    let told: Vec<String> = counts.iter().map(|(why, count)| format!("{count} {why}")).collect();
    (!told.is_empty()).then(|| format!("not counted: {}", told.join(", ")))
}

/// For machines: `docs/schema/verify.json`.
pub(crate) fn as_json(known: &Known) -> Value {
    let seats = known.seats.iter().map(|(seat, tally)| {
        let mut told = tally_as_json(tally);
        told["seat"] = json!(seat);
        told
    });
    let others = known.others.iter();
    let others = others
        .map(|(line, seat, why)| json!({"line": line, "seat": seat, "why": why.code()}))
        .collect::<Vec<_>>();
    json!({
        "seats": seats.collect::<Vec<_>>(),
        "all": tally_as_json(&known.all),
        "not_counted": others,
    })
}

fn tally_as_json(tally: &Tally) -> Value {
    let far = deviations(&tally.sum.middle(), &tally.expected(), &tally.variance.middle());
    let told = |told: &Option<Told>| {
        told.as_ref().map(|told| {
            json!({
                "line": told.line, "seat": told.seat, "expression": told.text,
                "value": told.value, "chance": between(&told.chance),
            })
        })
    };
    json!({
        "rolls": tally.rolls,
        "sum": between(&tally.sum),
        "expected": tally.expected().to_string(),
        "variance": between(&tally.variance),
        "deviations": astragal_show::decimal::float(&far),
        "luckier_than": f64::from(of_a_hundred(&far)) / 100.0,
        "luckiest": told(&tally.luckiest),
        "unluckiest": told(&tally.unluckiest),
    })
}

/// Exactly, or between what it lies.
fn between(of: &Between) -> Value {
    match of.exact() {
        Some(exact) => json!(exact.to_string()),
        None => json!({"from": of.from.to_string(), "to": of.to.to_string()}),
    }
}
