//! Faces that were thrown already come up once more, then new ones.

use astragal_program::fault::FaultKind;

use crate::faces::{DieFaces, Faces};

pub(super) struct Replay<'f> {
    thrown: std::slice::Iter<'f, u64>,
    then: &'f mut dyn Faces,
}

impl<'f> Replay<'f> {
    pub(super) fn new(thrown: &'f [u64], then: &'f mut dyn Faces) -> Replay<'f> {
        Replay { thrown: thrown.iter(), then }
    }
}

impl Faces for Replay<'_> {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        match self.thrown.next() {
            Some(face) => Ok(*face),
            None => self.then.throw(die),
        }
    }

    fn finish(&mut self) -> Result<(), FaultKind> {
        self.then.finish()
    }
}
