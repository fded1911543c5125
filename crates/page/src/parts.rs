//! A rolled value in the parts that odds are told of: each field of a record that is no record itself, in order.

use astragal::{Program, Type, Value};

/// The parts of what came up, one for each result of `odds`.
pub(crate) fn parts<'v>(program: &Program, value: &'v Value) -> Vec<&'v Value> {
    let types: Vec<(Option<&str>, &Type)> = program.results().collect();
    match (types.as_slice(), value) {
        ([(None, ty)], value) => leaves(ty, value),
        (several, Value::Record(_, fields)) if several.len() == fields.len() => {
            let each = several.iter().zip(fields.iter());
            each.flat_map(|((_, ty), value)| leaves(ty, value)).collect()
        }
        _ => vec![value],
    }
}

fn leaves<'v>(ty: &Type, value: &'v Value) -> Vec<&'v Value> {
    match (ty, value) {
        (Type::Record(record), Value::Record(_, fields)) if !fields.is_empty() => {
            let each = record.fields.iter().zip(fields.iter());
            each.flat_map(|((_, ty), value)| leaves(ty, value)).collect()
        }
        _ => vec![value],
    }
}
