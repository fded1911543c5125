//! Whether anybody can bend the dice.
//!
//! Each party grinds: it tries many of what it may choose and takes what looks best by what it knows. As long as one party is honest, that is a guess. The last
//! case is the control: house and roller together, without a witness, choose what they like.

use crate::bytes::{Bytes, Value, hash};
use crate::formulas::{house_value, roll_key, seal, witness_value};
use crate::throws::Throws;

use astragal_roll::{DieFaces, Faces};

/// Who grinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grinding {
    /// Nobody.
    Nobody,
    /// The roller tries salts, and does not know the house's value.
    Roller,
    /// The house tries values to seal, and does not know the salt.
    House,
    /// Both together try salts, and do not know the witness's value.
    BothWitnessed,
    /// House and witness together try values of the witness, and do not know the roller's.
    HouseAndWitness,
    /// Both together try salts, and there is no witness: they know all.
    BothAlone,
}

/// How often each side came up.
#[derive(Clone, Debug)]
pub struct Counted {
    /// From side 1 on.
    pub sides: Vec<u64>,
}

impl Counted {
    /// How many throws.
    pub fn rolls(&self) -> u64 {
        self.sides.iter().sum()
    }

    /// The chi-square statistic against a fair die.
    pub fn chi_square(&self) -> f64 {
        let expected = self.rolls() as f64 / self.sides.len() as f64;
        self.sides.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum()
    }

    /// How many standard errors the mean is from that of a fair die.
    pub fn shift(&self) -> f64 {
        let sides = self.sides.len() as f64;
        let total: f64 =
            (1..).zip(&self.sides).map(|(side, count)| f64::from(side) * *count as f64).sum();
        let rolls = self.rolls() as f64;
        let error = ((sides * sides - 1.0) / 12.0 / rolls).sqrt();
        (total / rolls - f64::midpoint(sides, 1.0)) / error
    }
}

/// What chi-square stays below with a chance of 999 in 1000: for a d6 and a d20.
pub const CRITICAL: [(u64, f64); 2] = [(6, 20.515), (20, 43.820)];

/// So many choices are tried for each roll.
const TRIES: u64 = 8;

/// Throws one die so often, along the way of a table: sealed value, salted request, key, stream.
pub fn throw(grinding: Grinding, sides: u64, rolls: u64) -> Counted {
    let mut counted = Counted { sides: vec![0; sides as usize] };
    let die = DieFaces::sides(sides);
    let table = Bytes([9; 16]);
    for n in 0..rolls {
        let secrets = [n, sides, 1].map(|of| hash(&of.to_le_bytes()));
        let honest = house_value(&secrets[1].0, &table, 1, n);
        let witness = witness_value(&secrets[2].0, &table, n);
        let salts = |tried: u64| hash(format!("salt {n} {tried} {sides}").as_bytes());
        let came = match grinding {
            Grinding::Nobody => side(&die, &honest, &salts(0), &[]),
            Grinding::Roller => {
                // All that it has is the seal.
                let guess = seal(&honest);
                side(
                    &die,
                    &honest,
                    &best(|tried| side(&die, &guess, &salts(tried), &[]), salts),
                    &[],
                )
            }
            Grinding::House => {
                let guess = salts(TRIES);
                let values = |tried: u64| house_value(&secrets[0].0, &table, 1, n + tried);
                side(
                    &die,
                    &best(|tried| side(&die, &values(tried), &guess, &[]), values),
                    &salts(0),
                    &[],
                )
            }
            Grinding::BothWitnessed => {
                let guess = seal(&witness);
                let salt = best(|tried| side(&die, &honest, &salts(tried), &[guess]), salts);
                side(&die, &honest, &salt, &[witness])
            }
            Grinding::HouseAndWitness => {
                // The roller's value is the first witness value here; what the witness seals is tried.
                let guess = seal(&witness);
                let values = |tried: u64| witness_value(&secrets[0].0, &table, n + tried);
                let looks = |tried: u64| side(&die, &honest, &salts(0), &[guess, values(tried)]);
                side(&die, &honest, &salts(0), &[witness, best(looks, values)])
            }
            Grinding::BothAlone => {
                let salt = best(|tried| side(&die, &honest, &salts(tried), &[]), salts);
                side(&die, &honest, &salt, &[])
            }
        };
        counted.sides[came as usize] += 1;
    }
    counted
}

/// The choice that looks best.
fn best<T>(looks: impl Fn(u64) -> u64, choice: impl Fn(u64) -> T) -> T {
    choice((0..TRIES).max_by_key(|tried| looks(*tried)).unwrap_or(0))
}

/// Which side comes up, from 0.
fn side(die: &DieFaces, house: &Value, salt: &Bytes<32>, witnesses: &[Value]) -> u64 {
    let request = format!(r#"{{"salt":"{salt}"}}"#);
    let key = roll_key(house, &hash(request.as_bytes()), witnesses);
    Throws::new(key.0, 1).throw(die).unwrap_or_default()
}
