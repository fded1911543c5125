//! Faces from a list: what a test, a replay or a table with real dice hands in.

use astragal_program::fault::FaultKind;
use astragal_value::{Number, Value};

use super::{DieFaces, Faces};

/// Faces in the order of throws. A face is the number shown; for a die whose faces are not numbers it
/// is the position from 1, or the face itself.
#[derive(Clone, Debug)]
pub struct Scripted {
    faces: Vec<Value>,
    next: usize,
}

impl Scripted {
    /// These faces and no others.
    pub fn new(faces: Vec<Value>) -> Scripted {
        Scripted { faces, next: 0 }
    }

    /// The faces of a list such as `3,6,-1,crit`: numbers where they are numbers, texts otherwise.
    pub fn read(list: &str) -> Scripted {
        let faces = list.split(',').map(str::trim);
        let faces = faces.filter(|face| !list.trim().is_empty() || !face.is_empty());
        Scripted::new(faces.map(read_face).collect())
    }

    /// These whole numbers and no others.
    pub fn whole(faces: &[i64]) -> Scripted {
        Scripted::new(faces.iter().copied().map(Value::whole).collect())
    }
}

fn read_face(face: &str) -> Value {
    let digits = face.strip_prefix(['-', '+']).unwrap_or(face);
    match read_number(digits) {
        Some(number) if face.starts_with('-') => Value::Number(number.negate()),
        Some(number) => Value::Number(number),
        None => Value::text(face),
    }
}

/// `12`, `1.5` or `3/2`, as faces are shown.
fn read_number(digits: &str) -> Option<Number> {
    if let Some((above, below)) = digits.split_once('/') {
        return read_decimal(above)?.divide(&read_decimal(below)?).ok();
    }
    read_decimal(digits)
}

fn read_decimal(digits: &str) -> Option<Number> {
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_number.then(|| Number::parse(digits).ok()).flatten()
}

impl Faces for Scripted {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        let face = self.faces.get(self.next).ok_or(FaultKind::FacesRanDry)?;
        self.next += 1;
        die.find(face).ok_or_else(|| FaultKind::NoSuchFace(face.clone(), die.name()))
    }

    fn finish(&mut self) -> Result<(), FaultKind> {
        match self.faces.len() - self.next {
            0 => Ok(()),
            left => Err(FaultKind::FacesLeftOver(left)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Vec<Value> {
        Scripted::read(list).faces
    }

    #[test]
    fn faces_are_numbers_or_texts() {
        assert!(read("").is_empty());
        assert!(read("  ").is_empty());
        assert_eq!(read("-1, 0,+1"), [Value::whole(-1), Value::whole(0), Value::whole(1)]);
        assert_eq!(read("crit,2"), [Value::text("crit"), Value::whole(2)]);
        assert_eq!(read("3,,4").len(), 3);
        let three_halves = Number::parse("1.5").map(Value::Number);
        assert_eq!(read("3/2, 1.5"), [three_halves.clone().unwrap(), three_halves.unwrap()]);
        assert_eq!(read("1/0"), [Value::text("1/0")]);
    }
}
