use halo2curves::{bn256::Fr, ff::PrimeField};
use rayon::prelude::*;

/// A scalar as a sign and an integer of at most [`SCALAR_BITS`] bits: a scalar close to the prime is as short as one
/// close to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    /// Little-endian, with a zero limb at the end that may be read.
    limbs: [u64; 5],
    is_negative: bool,
}

/// Bits of the greatest integer, `(p − 1)/2`.
pub(super) const SCALAR_BITS: usize = 253;

impl Scalar {
    pub(super) fn new(scalar: &Fr) -> Self {
        let plain = limbs(scalar);
        let negated = limbs(&-*scalar);
        let is_negative = negated.iter().rev().lt(plain.iter().rev());
        Self { limbs: if is_negative { negated } else { plain }, is_negative }
    }

    /// All scalars.
    pub(super) fn all(scalars: &[Fr]) -> Vec<Self> {
        scalars.par_iter().map(Self::new).collect()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs == [0; 5]
    }

    fn bits(&self) -> usize {
        let top = self.limbs.iter().rposition(|limb| *limb != 0);
        top.map_or(0, |top| 64 * top + self.limbs[top].ilog2() as usize + 1)
    }

    /// The digit of a window, between `−2^(bits−1)` and `2^(bits−1)` (Booth's recoding).
    pub(super) fn digit(&self, window: usize, bits: usize) -> i32 {
        // The bit below the window decides whether it takes a carry.
        let chunk = match (window * bits).checked_sub(1) {
            None => self.limbs[0] << 1,
            Some(start) => {
                let (limb, shift) = (start / 64, start % 64);
                let pair = u128::from(self.limbs[limb]) | u128::from(self.limbs[limb + 1]) << 64;
                (pair >> shift) as u64
            }
        };
        let chunk = (chunk & ((1 << (bits + 1)) - 1)) as i32;
        let digit = ((chunk + 1) >> 1) - ((chunk >> bits) << bits);
        if self.is_negative {
            -digit
        } else {
            digit
        }
    }
}

/// How many windows the longest scalar has, the last one with room for a carry.
pub(super) fn windows(scalars: &[Scalar], bits: usize) -> usize {
    scalars.iter().map(Scalar::bits).max().unwrap_or(0) / bits + 1
}

pub(super) fn limbs(scalar: &Fr) -> [u64; 5] {
    let bytes = scalar.to_repr();
    let mut limbs = [0; 5];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_ref().chunks_exact(8)) {
        *limb = u64::from_le_bytes(bytes.try_into().expect("chunks of eight bytes"));
    }
    limbs
}
