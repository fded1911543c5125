//! Weights by where paths lead.

use astragal_prob::Natural;
use dashu_base::Gcd;

/// The weights of what paths lead to, over a total.
#[derive(Default)]
pub(in crate::eval) struct Sums {
    pub(in crate::eval) total: Natural,
    pub(in crate::eval) list: Vec<(u32, Natural)>,
    /// For each target its place in the list, as of the time with this number.
    places: Vec<(usize, u32)>,
    time: usize,
}

impl Sums {
    /// Nothing is added up so far, for the time with this number.
    pub(in crate::eval) fn begin(&mut self, time: usize) {
        self.time = time + 1;
        self.total = Natural::ZERO;
        self.list.clear();
    }

    pub(in crate::eval) fn add(&mut self, target: u32, mut weight: Natural, total: &Natural) {
        if self.total != *total {
            if self.total.is_zero() {
                self.total.clone_from(total);
            }
            let common = (&self.total).gcd(total);
            let (mine, theirs) = (total / &common, &self.total / &common);
            if !mine.is_one() {
                self.list.iter_mut().for_each(|(_, weight)| *weight *= &mine);
                self.total *= mine;
            }
            weight *= theirs;
        }
        let at = target as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, (0, 0));
        }
        match self.places[at] {
            (time, place) if time == self.time => self.list[place as usize].1 += weight,
            _ => {
                self.places[at] = (self.time, self.list.len() as u32);
                self.list.push((target, weight));
            }
        }
    }
}

/// The product; most often the first factor is 1.
pub(in crate::eval) fn times(a: &Natural, b: &Natural) -> Natural {
    if a.is_one() { b.clone() } else { a * b }
}
