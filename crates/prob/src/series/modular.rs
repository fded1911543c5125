//! Polynomials modulo a prime of 61 bits or less, for solving `N ≡ V·Q (mod S)` without growth.

/// Coefficients below the prime, lowest degree first, last one not zero.
pub(crate) type Residues = Vec<u64>;

/// The field of residues modulo a prime below 2⁶³.
#[derive(Clone, Copy)]
pub(crate) struct Field(pub(crate) u64);

impl Field {
    pub(crate) fn times(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64
    }

    pub(crate) fn minus(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.0 - b }
    }

    /// `Σ a·b`, reduced only now and then.
    pub(crate) fn sum_of_products<'a>(self, a: &[u64], b: impl Iterator<Item = &'a u64>) -> u64 {
        let mut sum = 0u128;
        for (a, b) in a.iter().zip(b) {
            sum += u128::from(*a) * u128::from(*b);
            if sum >> 126 != 0 {
                sum %= u128::from(self.0);
            }
        }
        (sum % u128::from(self.0)) as u64
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.times(result, base);
            }
            base = self.times(base, base);
            exponent >>= 1;
        }
        result
    }

    /// The inverse of a number that is not 0.
    pub(crate) fn inverse(self, a: u64) -> u64 {
        self.power(a, self.0 - 2)
    }

    /// Quotient and remainder by a polynomial that is not zero.
    fn divide(self, mut top: Residues, bottom: &Residues) -> (Residues, Residues) {
        let Some(&lead) = bottom.last() else { return (Residues::new(), top) };
        let inverse = self.inverse(lead);
        let mut quotient = vec![0; (top.len() + 1).saturating_sub(bottom.len())];
        while top.len() >= bottom.len() {
            let place = top.len() - bottom.len();
            let factor = self.times(top.last().copied().unwrap_or(0), inverse);
            quotient[place] = factor;
            for (i, &b) in bottom.iter().enumerate() {
                top[place + i] = self.minus(top[place + i], self.times(factor, b));
            }
            top.pop();
            trim(&mut top);
        }
        (quotient, top)
    }

    fn product(self, a: &Residues, b: &Residues) -> Residues {
        if a.is_empty() || b.is_empty() {
            return Residues::new();
        }
        let mut product = vec![0u64; a.len() + b.len() - 1];
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let sum = u128::from(product[i + j]) + u128::from(x) * u128::from(y);
                product[i + j] = (sum % u128::from(self.0)) as u64;
            }
        }
        trim(&mut product);
        product
    }

    fn difference(self, a: &Residues, b: &Residues) -> Residues {
        let at = |v: &Residues, i: usize| v.get(i).copied().unwrap_or(0);
        let mut difference: Residues =
            (0..a.len().max(b.len())).map(|i| self.minus(at(a, i), at(b, i))).collect();
        trim(&mut difference);
        difference
    }

    /// The inverse of `a` modulo `modulus`, if they are coprime.
    pub(crate) fn inverse_modulo(self, a: &Residues, modulus: &Residues) -> Option<Residues> {
        let mut previous = (modulus.clone(), Residues::new());
        let mut current = (self.divide(a.clone(), modulus).1, vec![1]);
        while current.0.len() > 1 {
            let (quotient, remainder) = self.divide(previous.0, &current.0);
            let cofactor = self.difference(&previous.1, &self.product(&quotient, &current.1));
            previous = std::mem::replace(&mut current, (remainder, cofactor));
        }
        let unit = self.inverse(*current.0.first()?);
        let scaled = current.1.iter().map(|&c| self.times(c, unit)).collect();
        Some(self.divide(scaled, modulus).1)
    }

    /// `a · b` modulo `modulus`.
    pub(crate) fn product_modulo(self, a: Residues, b: &Residues, modulus: &Residues) -> Residues {
        let a = self.divide(a, modulus).1;
        self.divide(self.product(&a, b), modulus).1
    }
}

fn trim(residues: &mut Residues) {
    while residues.last() == Some(&0) {
        residues.pop();
    }
}

/// Primes just below 2⁶¹, in descending order.
pub(crate) fn primes() -> impl Iterator<Item = u64> {
    (1u64..).map(|k| (1 << 61) - (2 * k - 1)).filter(|&candidate| is_prime(candidate))
}

/// Miller–Rabin with the bases that decide every 64-bit number.
fn is_prime(candidate: u64) -> bool {
    let field = Field(candidate);
    let twos = (candidate - 1).trailing_zeros();
    let odd = (candidate - 1) >> twos;
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&base| {
        let mut value = field.power(base, odd);
        if value == 1 || value == candidate - 1 {
            return true;
        }
        (1..twos).any(|_| {
            value = field.times(value, value);
            value == candidate - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_primes_below_2_to_the_61() {
        let first: Vec<u64> = primes().take(2).collect();
        assert_eq!(first[0], (1 << 61) - 1);
        assert!(is_prime(2_305_843_009_213_693_921) && first[1] == 2_305_843_009_213_693_921);
    }

    #[test]
    fn an_inverse_times_its_polynomial_is_one() {
        let field = Field(101);
        let (a, modulus) = (vec![3, 5, 7, 100], vec![2, 0, 9, 4, 1]);
        let inverse = field.inverse_modulo(&a, &modulus).unwrap();
        assert_eq!(field.product_modulo(a, &inverse, &modulus), vec![1]);
    }
}
