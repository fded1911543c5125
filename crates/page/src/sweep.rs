//! `sweep`: how the numbers of a program change with one input or two, ready to be drawn as curves or a map.

use astragal_show::sweep::Measure;
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::list;
use crate::request::Request;
use crate::survey::Survey;

/// The most numbers that are told of each point.
const MOST_MEASURES: usize = 60;

pub(crate) fn sweep(request: &Request, host: &Host) -> Result<Json, String> {
    Ok(Survey::of(request, host)?.map_or_else(|refused| refused, |survey| told(&survey)))
}

fn told(survey: &Survey) -> Json {
    let inputs = survey.axes.iter().map(|axis| json!({"name": axis.name, "values": axis.values}));
    let titles = survey.titles();
    let measures = titles.iter().take(MOST_MEASURES).map(|title| measure(survey, title));
    let refused = survey.points.iter().filter(|point| point.is_none()).count();
    let why = survey.refusal.as_deref().map(list).and_then(|all| all.into_iter().next());
    json!({
        "ok": true,
        "inputs": inputs.collect::<Vec<_>>(),
        "measures": measures.collect::<Vec<_>>(),
        "refused": refused,
        "why": why.map(|why| why["message"].clone()),
    })
}

/// One number at all points, in their order; `asked` is what the request asked for besides.
fn measure(survey: &Survey, title: &str) -> Json {
    let columns: Vec<_> = (0..survey.points.len()).map(|at| survey.column(at, title)).collect();
    let known = || columns.iter().flatten();
    let chance = known().all(|column| column.chance);
    let values = columns.iter().map(|column| Some(column.as_ref()?.value.clone())).collect();
    let measure = Measure { title: title.to_owned(), chance, values };
    let value = |at: usize| {
        let exact = measure.values[at].as_ref()?;
        let [text, short] = [0, 2].map(|way| measure.text(at, way));
        let exact = exact.to_string();
        let exact = if exact.len() <= 60 { exact } else { String::new() };
        Some(json!({"value": measure.float(at), "text": text, "short": short, "exact": exact}))
    };
    json!({
        "title": title,
        "chance": chance,
        "asked": known().any(|column| column.asked),
        "values": (0..columns.len()).map(value).collect::<Vec<_>>(),
    })
}
