//! The JSON shapes: odds, rolls, diagnostics. Every object carries `"format": 1`.

mod policy;

use astragal_odds::{Answer, Moments};
use astragal_prob::{Law, Rational};
use astragal_roll::Roll;
use astragal_roll::render::{Detail, View, value_to_json};
use astragal_syntax::span::Span;
use dashu_ratio::Relaxed;
use serde_json::{Map, Value as Json, json};

use crate::diagnostics::Diagnostics;
use crate::program::{Odds, Program};

/// The odds of a program.
///
/// ```
/// use astragal::{Budget, Engine, json};
///
/// let program = Engine::new().compile("d4")?;
/// let told = json::odds(&program, &program.odds(&Budget::default())?);
/// assert_eq!(told["outcomes"][0]["chance"], "1/4");
/// assert_eq!(told["mean"], "5/2");
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
pub fn odds(program: &Program, odds: &Odds) -> Json {
    let mut object = Map::new();
    object.insert("format".into(), json!(1));
    object.insert("expression".into(), json!(program.text()));
    match odds.results.as_slice() {
        [only] if only.name.is_none() => object.extend(answer(only, program)),
        several => {
            let results = several.iter().map(|result| {
                let mut object = Map::new();
                let name = result.name.as_deref().unwrap_or("result");
                object.insert("name".into(), json!(name));
                object.extend(answer(result, program));
                Json::Object(object)
            });
            object.insert("results".into(), results.collect());
        }
    }
    if !odds.plays.is_empty() {
        object.insert("policy".into(), policy::policy(program, odds));
    }
    Json::Object(object)
}

fn answer(answer: &Answer, program: &Program) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("type".into(), json!(answer.ty.to_string()));
    object.insert("outcomes".into(), outcomes(answer));
    object.insert("rest".into(), json!(answer.rest.to_string()));
    if let Some(missing) = &answer.missing {
        object.insert("lost".into(), json!(missing.to_string()));
    }
    let (no_mean, no_variance) = answer.infinite();
    let told = |value: Option<Rational>, infinite: bool, otherwise: Json| match value {
        Some(value) => json!(value.to_string()),
        None if infinite => json!("infinite"),
        None => otherwise,
    };
    let within = answer.mean_within.as_ref().map_or(Json::Null, between);
    object.insert("mean".into(), told(answer.mean(), no_mean, within));
    object.insert("variance".into(), told(answer.variance(), no_variance, Json::Null));
    object.insert("evidence".into(), evidence(answer));
    object.insert("decimals".into(), decimals(answer));
    let notices = answer.notices.iter().map(|notice| notice.to_string()).chain(never(answer));
    // What is to be said of an AnyDice program is known before its odds are asked for.
    let foreign = answer.missing.iter().flat_map(|_| program.hints().list());
    let notices = notices.chain(foreign.map(|notice| notice.message.clone()));
    object.insert("notices".into(), notices.map(|notice| json!(notice)).collect());
    object
}

fn outcomes(answer: &Answer) -> Json {
    let outcome = |value, chance, decimal| json!({"value": value_to_json(value), "chance": chance, "decimal": decimal});
    if answer.lost.is_zero() {
        let written = answer.outcomes.written().zip(shares(answer));
        return written
            .map(|((value, chance), share)| outcome(value, json!(chance), share))
            .collect();
    }
    let outcomes = answer.outcomes.iter().map(|(value, chance)| {
        let most = chance + &answer.lost;
        let decimals = json!({"from": decimal(chance), "to": decimal(&most)});
        outcome(value, bounded(chance, &answer.lost), decimals)
    });
    outcomes.collect()
}

/// The chances of the outcomes as decimals. Those of a table are not reduced to lowest terms for it.
fn shares(answer: &Answer) -> Box<dyn Iterator<Item = Json> + '_> {
    let table = answer.exact_law().and_then(Law::as_table);
    match table.filter(|table| table.count() == answer.outcomes.len()) {
        Some(table) => Box::new(table.outcomes().map(|(_, weight)| {
            let share = Relaxed::from_parts(weight.clone().into(), table.total().clone());
            json!(share.to_f64().value())
        })),
        None => Box::new(answer.outcomes.iter().map(|(_, chance)| decimal(chance))),
    }
}

/// The number with double precision that is nearest to a fraction, however long that is; none beyond all of them.
pub fn decimal(value: &Rational) -> Json {
    json!(value.to_f64().value())
}

/// Two fractions between which a number lies.
fn between((from, to): &(Rational, Rational)) -> Json {
    json!({"from": from.to_string(), "to": to.to_string()})
}

/// The same as numbers.
fn decimals_between((from, to): &(Rational, Rational)) -> Json {
    json!({"from": decimal(from), "to": decimal(to)})
}

/// What stands beside the outcomes, as decimals.
fn decimals(answer: &Answer) -> Json {
    let of = |value: Option<&Rational>| value.map_or(Json::Null, decimal);
    json!({
        "rest": decimal(&answer.rest),
        "mean": of(answer.mean().as_ref()),
        "variance": of(answer.variance().as_ref()),
        "evidence": of(answer.evidence.as_ref()),
    })
}

/// The chance of what is given, or the interval it lies in.
fn evidence(answer: &Answer) -> Json {
    match (&answer.evidence, answer.evidence_at_most()) {
        (Some(from), Some(to)) if *from == to => json!(from.to_string()),
        (Some(from), Some(to)) => json!({"from": from.to_string(), "to": to.to_string()}),
        _ => Json::Null,
    }
}

/// Part of the rest is no outcome: the program may run for ever.
fn never(answer: &Answer) -> Option<String> {
    let (chance, lost) = (&answer.never, &answer.lost);
    (!chance.is_zero()).then(|| match lost.is_zero() {
        true => format!("never ends with chance {chance}"),
        false => format!("never ends with a chance between {chance} and {}", chance + lost),
    })
}

/// The covariances of a record's fields.
pub fn covariances(moments: &Moments) -> Json {
    let names: Vec<String> = moments.fields.iter().map(|path| path.join(".")).collect();
    let row = |row: &Vec<Rational>| row.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({"fields": names, "matrix": moments.covariances.iter().map(row).collect::<Vec<_>>()})
}

/// A chance, or the interval it lies in where something had to be given up.
fn bounded(chance: &Rational, lost: &Rational) -> Json {
    json!({"from": chance.to_string(), "to": (chance + lost).to_string()})
}

/// One roll of a program.
///
/// ```
/// use astragal::faces::Seeded;
/// use astragal::{Engine, json};
///
/// let program = Engine::new().compile("3d6")?;
/// let roll = program.roll(&mut Seeded::new(7, 0))?;
/// assert_eq!(json::roll(&program, &roll, Some(7))["dice"].as_array().map(Vec::len), Some(3));
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
pub fn roll(program: &Program, roll: &Roll, seed: Option<u64>) -> Json {
    let sources = program.hints().sources();
    let source = |span: Span| Some(sources.slice(span).to_owned());
    let view = View { expression: program.text(), source: &source, detail: Detail::Full };
    let ty = match program.results().collect::<Vec<_>>().as_slice() {
        [(None, ty)] => ty.to_string(),
        several => {
            let fields =
                several.iter().map(|(name, ty)| format!("{}: {ty}", name.unwrap_or("result")));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    };
    astragal_roll::render::json(roll, &view, &ty, seed)
}

/// A place in a text.
fn place(texts: &Diagnostics, span: Span) -> Json {
    let name = texts.sources().get(span.source).map_or("", |source| &*source.name);
    json!({"source": name, "start": span.start, "end": span.end})
}

/// Diagnostics as data.
pub fn diagnostics(diagnostics: &Diagnostics) -> Json {
    let place = |span: Span| place(diagnostics, span);
    let list = diagnostics.list().iter().map(|d| {
        let labels =
            d.labels.iter().map(|label| json!({"place": place(label.span), "text": label.text}));
        let edits = d
            .edits
            .iter()
            .map(|edit| json!({"place": place(edit.span), "replacement": edit.replacement}));
        json!({
            "severity": d.severity.name(),
            "code": d.code,
            "message": d.message,
            "labels": labels.collect::<Vec<_>>(),
            "help": d.help,
            "edits": edits.collect::<Vec<_>>(),
        })
    });
    json!({"format": 1, "diagnostics": list.collect::<Vec<_>>()})
}
