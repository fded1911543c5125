//! `luck`: how lucky rolls at a table were, by seat and all together, in words that are the same as the terminal's.
//!
//! The page hands in what its viewer has seen, and nothing else is known here.

use astragal::{Budget, Watcher};
use astragal_luck::{Known, Luck, Roll, Tally, Told};
use astragal_show::decimal::{percent, short};
use astragal_show::luck::{MEANING, deviations, in_words, of_a_hundred};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::request::Request;
use crate::thrown::{inputs, key, limits};

/// More rolls than this are not asked about at once.
const MOST: usize = 20_000;

pub(crate) fn luck(request: &Request, host: &Host) -> Result<Json, String> {
    let budget = Budget::default().with_watcher(Watcher::new(host.progress));
    let mut luck = Luck::within(limits(request)?, budget);
    let (mut known, mut others) = (Known::default(), Vec::new());
    for item in request.items("rolls")?.iter().take(MOST) {
        let roll = roll(item)?;
        match luck.weigh(&roll) {
            Ok(weighed) => known.take(&weighed),
            Err(why) => others.push(json!({
                "line": roll.line, "seat": roll.seat, "why": why.code(), "words": why.to_string(),
            })),
        }
    }
    let seats = known.seats.iter().map(|(seat, tally)| {
        let mut told = told(tally);
        told["seat"] = json!(seat);
        told
    });
    Ok(json!({
        "ok": true,
        "seats": seats.collect::<Vec<_>>(),
        "all": told(&known.all),
        "others": others,
        "meaning": MEANING,
    }))
}

fn roll(item: &Request) -> Result<Roll, String> {
    let number = |name: &str| item.optional_number(name)?.ok_or(format!("`{name}` is missing"));
    Ok(Roll {
        line: number("line")?,
        seat: number("seat")?,
        text: item.text("text")?.to_owned(),
        inputs: inputs(item)?,
        rules: item.optional_text("rules")?.map(Into::into),
        key: key(item)?,
        value: item.optional_text("value")?.map(ToOwned::to_owned),
    })
}

fn told(tally: &Tally) -> Json {
    let sum = tally.sum.middle();
    let far = deviations(&sum, &tally.expected(), &tally.variance.middle());
    json!({
        "rolls": tally.rolls,
        "words": in_words(tally.rolls, &far),
        "of_a_hundred": of_a_hundred(&far),
        "sum": short(&sum, 2),
        "expected": short(&tally.expected(), 1),
        "deviations": short(&far, 2),
        "luckiest": tally.luckiest.as_ref().map(one),
        "unluckiest": tally.unluckiest.as_ref().map(one),
    })
}

fn one(told: &Told) -> Json {
    json!({
        "line": told.line,
        "seat": told.seat,
        "text": told.text,
        "value": told.value,
        "percent": percent(&told.chance.middle()),
    })
}
