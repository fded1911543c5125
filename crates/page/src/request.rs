//! A request, taken apart field by field.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

pub(crate) struct Request(Map<String, Json>);

impl Request {
    pub(crate) fn read(text: &str) -> Result<Request, String> {
        match serde_json::from_str(text) {
            Ok(Json::Object(fields)) => Ok(Request(fields)),
            Ok(_) => Err("a request is an object".into()),
            Err(error) => Err(format!("a request is JSON: {error}")),
        }
    }

    /// What odds are asked for, whatever is wanted of them.
    pub(crate) fn question(&self) -> String {
        let fields = ["text", "files", "inputs", "steps", "until"].map(|name| self.0.get(name));
        Json::from(fields.map(|field| field.cloned().unwrap_or_default()).to_vec()).to_string()
    }

    pub(crate) fn text(&self, name: &str) -> Result<&str, String> {
        self.optional_text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` is a text")),
        }
    }

    pub(crate) fn optional_number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(number) => {
                // JavaScript writes large numbers as 1e21.
                let whole = number.as_u64().or_else(|| number.as_f64().map(|float| float as u64));
                whole.map(Some).ok_or_else(|| format!("`{name}` is a number"))
            }
        }
    }

    /// Whether something is wanted.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Json::Bool(true))
    }

    /// Texts in a row.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<String>, String> {
        let Some(Json::Array(items)) = self.0.get(name) else {
            return Err(format!("`{name}` is a list of texts"));
        };
        let text = |item: &Json| item.as_str().map(ToOwned::to_owned);
        let texts: Option<Vec<String>> = items.iter().map(text).collect();
        texts.ok_or_else(|| format!("`{name}` is a list of texts"))
    }

    /// Texts in a row, if there are any.
    pub(crate) fn optional_list(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(_) => self.list(name).map(Some),
        }
    }

    /// Objects in a row.
    pub(crate) fn items(&self, name: &str) -> Result<Vec<Request>, String> {
        let wrong = || format!("`{name}` is a list of objects");
        let Some(Json::Array(items)) = self.0.get(name) else { return Err(wrong()) };
        let item = |item: &Json| item.as_object().cloned().map(Request);
        items.iter().map(item).collect::<Option<_>>().ok_or_else(wrong)
    }

    /// Names with texts, such as files.
    pub(crate) fn texts(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(BTreeMap::new()),
            Some(Json::Object(fields)) => {
                let texts = fields.iter().map(|(key, value)| {
                    let text = value.as_str().ok_or_else(|| format!("`{name}.{key}` is a text"))?;
                    Ok((key.clone(), text.to_owned()))
                });
                texts.collect()
            }
            Some(_) => Err(format!("`{name}` is an object of texts")),
        }
    }
}
