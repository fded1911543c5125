//! Values as serde writes them, in any format: whole numbers as numbers, fractions as text (`"1/2"`), truths, texts and
//! variants as themselves, lists as sequences, records as maps, the absence of a value as nothing.
//!
//! A whole number beyond 64 bits is written as text too: not every format has larger ones.

use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::{Number, Value};

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_i64() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.collect_str(self),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Number(number) => number.serialize(serializer),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Variant(variant) => serializer.serialize_str(variant.name()),
            Value::List(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| sequence.serialize_element(item))?;
                sequence.end()
            }
            Value::Record(shape, fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, field) in shape.fields.iter().zip(fields.iter()) {
                    map.serialize_entry(&**name, field)?;
                }
                map.end()
            }
            Value::None => serializer.serialize_none(),
        }
    }
}
