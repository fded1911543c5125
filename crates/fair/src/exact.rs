//! One way of writing: what is read is written again and compared, byte by byte.
//!
//! Two readers of JSON disagree about keys that stand twice, numbers such as `1.0` and `-0`, and lone surrogates. None of
//! these survives here, for none of them is what would be written.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wrong::{Trouble, Wrong};

/// The only text of a record.
pub fn write<T: Serialize>(record: &T) -> String {
    // A record is made of texts, numbers and lists; there is nothing in it that has no JSON.
    serde_json::to_string(record).unwrap_or_default()
}

/// A record from its only text.
pub fn read<T: Serialize + DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let record: T = serde_json::from_str(text).map_err(|error| {
        Wrong::new(Trouble::Form, format!("it is not written as such a line is: {error}"))
    })?;
    let again = write(&record);
    if again == text {
        return Ok(record);
    }
    let at = again.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    let wrong = Wrong::new(Trouble::Form, "it is not in the one way of writing");
    Err(wrong.instead(around(&again, at), around(text, at)))
}

/// A few characters around a place.
fn around(text: &str, at: usize) -> String {
    let start = text.floor_char_boundary(at.saturating_sub(20));
    let end = text.floor_char_boundary(at + 20);
    text[start..end].to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Two {
        a: u64,
        b: String,
    }

    #[test]
    fn only_one_text_is_read() {
        let two = Two { a: 1, b: "x\n\u{1}\"é".into() };
        let text = "{\"a\":1,\"b\":\"x\\n\\u0001\\\"é\"}";
        assert_eq!(write(&two), text);
        assert_eq!(read::<Two>(text).unwrap(), two);
        let others = [
            r#"{"b":"","a":1}"#,
            r#"{"a":1, "b":""}"#,
            r#"{"a":1,"b":""} "#,
            r#"{"a":1.0,"b":""}"#,
            r#"{"a":-0,"b":""}"#,
            r#"{"a":01,"b":""}"#,
            r#"{"a":1e0,"b":""}"#,
            r#"{"a":true,"b":""}"#,
            r#"{"a":1,"a":1,"b":""}"#,
            r#"{"a":1,"b":"","c":0}"#,
            r#"{"a":1,"b":"\u0041"}"#,
            r#"{"a":1,"b":"\/"}"#,
            r#"{"a":1,"b":"\u000A"}"#,
            r#"{"a":1,"b":"\ud800"}"#,
            r#"[1,""]"#,
            r#"{"a":1}"#,
        ];
        for other in others {
            assert!(read::<Two>(other).is_err(), "{other}");
        }
    }
}
