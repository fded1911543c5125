//! A small validator for the schemas in `docs/schema`: just the words that they use.
//!
//! A schema with a word that is not known here is refused, so that nothing is passed by silence.

use serde_json::Value;

/// The schema of this name.
pub fn schema(name: &str) -> Value {
    let path = super::root().join("docs/schema").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Complains unless the value is as the schema says.
#[allow(dead_code, reason = "used for the terminal's answers")]
pub fn assert_valid(name: &str, value: &Value) {
    let schema = schema(name);
    if let Err(complaint) = check(&schema, &schema, value) {
        panic!("not as docs/schema/{name}.json says: {complaint}\n{value}");
    }
}

/// The same for one of the schema's definitions.
#[allow(dead_code, reason = "used for the page's door")]
pub fn assert_valid_as(name: &str, definition: &str, value: &Value) {
    let schema = schema(name);
    let part = &schema["$defs"][definition];
    if let Err(complaint) = check(&schema, part, value) {
        panic!("not as {definition} in docs/schema/{name}.json: {complaint}\n{value}");
    }
}

fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let words = schema.as_object().ok_or("a schema is an object")?;
    for (word, rule) in words {
        match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => Ok(()),
            "$ref" => match rule.as_str().and_then(|file| file.strip_suffix(".json")) {
                Some(other) => {
                    let other = self::schema(other);
                    check(&other, &other, value)
                }
                None => check(root, definition(root, rule), value),
            },
            "const" => ensure(rule == value, || format!("{value} is not {rule}")),
            "enum" => ensure(list(rule).contains(value), || format!("{value} is not in {rule}")),
            "type" => ensure(has_type(rule, value), || format!("{value} is not {rule}")),
            "pattern" => ensure(is_fraction(value), || format!("{value} is no fraction")),
            "required" => required(rule, value),
            "properties" => properties(root, rule, value),
            "additionalProperties" if rule.is_object() => {
                let inner = value.as_object().into_iter().flatten();
                inner.map(|(_, value)| value).try_for_each(|value| check(root, rule, value))
            }
            "additionalProperties" => no_others(&schema["properties"], value),
            "items" => members(value).iter().try_for_each(|item| check(root, rule, item)),
            "allOf" => list(rule).iter().try_for_each(|part| check(root, part, value)),
            "anyOf" => fitting(root, rule, value, |count| count >= 1),
            "oneOf" => fitting(root, rule, value, |count| count == 1),
            other => Err(format!("the validator does not know `{other}`")),
        }?;
    }
    Ok(())
}

fn ensure(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Value) -> &[Value] {
    list(value)
}

fn definition<'r>(root: &'r Value, reference: &Value) -> &'r Value {
    let name = reference.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
    &root["$defs"][name]
}

fn has_type(rule: &Value, value: &Value) -> bool {
    match rule.as_str() {
        None => list(rule).iter().any(|one| has_type(one, value)),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(other) => panic!("the validator does not know the type `{other}`"),
    }
}

/// The one pattern in use: `-?[0-9]+(/[0-9]+)?`.
fn is_fraction(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    digits(top.strip_prefix('-').unwrap_or(top)) && digits(bottom)
}

fn required(names: &Value, value: &Value) -> Result<(), String> {
    let missing = list(names).iter().find(|name| value.get(name.as_str().unwrap()).is_none());
    missing.map_or(Ok(()), |name| Err(format!("{name} is missing")))
}

fn properties(root: &Value, rules: &Value, value: &Value) -> Result<(), String> {
    for (name, rule) in rules.as_object().unwrap() {
        if let Some(inner) = value.get(name) {
            check(root, rule, inner).map_err(|complaint| format!("{name}: {complaint}"))?;
        }
    }
    Ok(())
}

fn no_others(known: &Value, value: &Value) -> Result<(), String> {
    let names = value.as_object().into_iter().flatten().map(|(name, _)| name);
    let other = names.into_iter().find(|name| known.get(name.as_str()).is_none());
    other.map_or(Ok(()), |name| Err(format!("`{name}` is not known")))
}

fn fitting(
    root: &Value,
    rules: &Value,
    value: &Value,
    enough: fn(usize) -> bool,
) -> Result<(), String> {
    let tried: Vec<Result<(), String>> =
        list(rules).iter().map(|rule| check(root, rule, value)).collect();
    let count = tried.iter().filter(|one| one.is_ok()).count();
    ensure(enough(count), || format!("fits {count} of the alternatives: {tried:?}"))
}
