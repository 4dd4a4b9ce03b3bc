//! How many bits the classes of running sums have.

use std::collections::{BTreeMap, HashMap};

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    utils::fe_to_biguint,
};

use super::{forms::Equation, grid::Grid, small::Small, sums::Sums};

/// Bits of a sum that cannot wrap.
const MOST_BITS: u32 = 250;

/// What bounds classes besides their lookups.
pub(super) struct Bounds {
    /// Limbs that are made of pieces.
    pub(super) pieces: Vec<Equation>,
    /// Equations of few classes, constants not counted.
    pub(super) sums: Vec<Equation>,
    /// Words of SHA-256 and SHA-512, and their bits, whatever their range checks leave open: `gates/src/sha2` says why.
    pub(super) words: BTreeMap<usize, u32>,
}

impl Bounds {
    /// The classes that `lookups` bound.
    pub(super) fn small(&self, grid: &Grid, lookups: &Sums) -> HashMap<usize, Small> {
        let power = |count: u32| Fr::from(2).pow_vartime([u64::from(count)]).to_repr();
        let shifts: HashMap<_, _> = (0..MOST_BITS).map(|count| (power(count), count)).collect();
        let mut bits = HashMap::new();
        // Twice, since the second time some parts are known to be short.
        for _ in 0..2 {
            lookups.bound(&mut bits);
            self.pieces.iter().for_each(|slopes| lengthen(&mut bits, slopes));
            for (class, word) in &self.words {
                bits.entry(*class).and_modify(|bits| *bits = *word.min(bits));
            }
            for equation in &self.sums {
                for whole in 0..equation.len() {
                    shorten(&mut bits, &shifts, equation, whole);
                }
            }
        }
        let mut small: HashMap<_, _> =
            bits.iter().map(|(class, bits)| (*class, Small::below(*bits))).collect();
        self.sums.iter().for_each(|equation| limit(&mut small, grid, equation));
        small
    }
}

/// A limb has as many bits as its pieces.
fn lengthen(bits: &mut HashMap<usize, u32>, slopes: &Equation) {
    let whole = slopes.iter().find(|(_, slope)| *slope == Fr::one());
    let pieces = slopes.iter().filter(|(_, slope)| *slope != Fr::one());
    let sum = pieces.map(|(class, _)| bits.get(class).copied()).sum::<Option<u32>>();
    if let (Some((whole, _)), Some(sum)) = (whole, sum) {
        bits.insert(*whole, sum);
    }
}

/// If a class is the sum of others, each times a power of two, and all are short, none of these is longer than the sum.
fn shorten(
    bits: &mut HashMap<usize, u32>,
    shifts: &HashMap<<Fr as PrimeField>::Repr, u32>,
    equation: &Equation,
    whole: usize,
) {
    let (sum, slope) = equation[whole];
    let Some(most) = bits.get(&sum).copied() else { return };
    let parts = equation.iter().filter(|(class, _)| *class != sum);
    if !parts.clone().all(|(class, _)| bits.contains_key(class)) {
        return;
    }
    let Some(inverse) = Option::<Fr>::from(slope.invert()) else { return };
    let shift = |(class, slope): &(usize, Fr)| {
        let shift = *shifts.get(&(-*slope * inverse).to_repr())?;
        (bits[class] + shift < MOST_BITS).then_some((*class, shift))
    };
    let found: Option<Vec<_>> = parts.map(shift).collect();
    for (class, shift) in found.into_iter().flatten() {
        bits.entry(class).and_modify(|known| *known = most.saturating_sub(shift).min(*known));
    }
}

/// If the sum of two classes is a constant, neither is more than that.
fn limit(small: &mut HashMap<usize, Small>, grid: &Grid, equation: &Equation) {
    let [(a, slope), (b, other)] = equation[..] else { return };
    if slope != other || ![a, b].iter().all(|class| small.contains_key(class)) {
        return;
    }
    let value = |class| fe_to_biguint(&grid.value(class));
    let most = value(a) + value(b);
    for class in [a, b] {
        if most.bits() as u32 <= small[&class].bits {
            small.insert(class, Small::up_to(most.clone()));
        }
    }
}
