//! Rolls as serde writes them: the value, every die with what became of it, labels and notices, as in
//! `docs/schema/roll.json`. Steps are words about a program's text: `Program::explain` and `json::roll` of the crate
//! `astragal`, which know the text, tell them.

use std::sync::Arc;

use astragal_value::Number;
use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use crate::dice::Dice;
use crate::explanation::{DieRecord, Roll};

impl Serialize for Roll {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Roll", 4)?;
        told.serialize_field("value", &self.value)?;
        told.serialize_field("dice", &Thrown(&self.dice))?;
        told.serialize_field("labels", &Labels(self.labels()))?;
        told.serialize_field("notices", self.notices())?;
        told.end()
    }
}

/// The dice in the order of throws.
struct Thrown<'a>(&'a Dice);

impl Serialize for Thrown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|die| sequence.serialize_element(&die))?;
        sequence.end()
    }
}

impl Serialize for DieRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Die", 7)?;
        told.serialize_field("id", &self.id)?;
        told.serialize_field("sides", &self.kind.total())?;
        told.serialize_field("face", &self.face)?;
        told.serialize_field("value", &self.value)?;
        told.serialize_field("fate", &self.fates.words())?;
        told.serialize_field("from", &self.from)?;
        told.serialize_field("label", &self.label.map(|label| &**label))?;
        told.end()
    }
}

/// What each label contributes.
struct Labels<'a>(&'a [(Arc<str>, Number)]);

impl Serialize for Labels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(label, number)| map.serialize_entry(&**label, number))?;
        map.end()
    }
}
