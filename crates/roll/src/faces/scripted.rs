//! Faces from a list: what a test, a replay or a table with real dice hands in.

use astragal_program::fault::FaultKind;
use astragal_value::Value;

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

    /// These whole numbers and no others.
    pub fn whole(faces: &[i64]) -> Scripted {
        Scripted::new(faces.iter().copied().map(Value::whole).collect())
    }
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
