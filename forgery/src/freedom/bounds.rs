//! How many bits the classes of running sums have, and what is left when a limb is taken off.

use std::collections::BTreeMap;

use halo2_base::{
    halo2_proofs::{
        halo2curves::{
            bn256::Fr,
            ff::{Field, PrimeField},
        },
        plonk::Expression,
    },
    utils::fe_to_biguint,
};
use rustc_hash::FxHashMap;

use super::{
    grid::{evaluate, Equation, Function, Grid},
    small::Small,
};

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
    pub(super) fn small(&self, grid: &Grid, lookups: &Sums) -> FxHashMap<usize, Small> {
        let power = |count: u32| Fr::from(2).pow_vartime([u64::from(count)]).to_repr();
        let shifts: FxHashMap<_, _> = (0..MOST_BITS).map(|count| (power(count), count)).collect();
        let mut bits = FxHashMap::default();
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
        let mut small: FxHashMap<_, _> =
            bits.iter().map(|(class, bits)| (*class, Small::below(*bits))).collect();
        self.sums.iter().for_each(|equation| limit(&mut small, grid, equation));
        small
    }
}

/// A limb has as many bits as its pieces.
fn lengthen(bits: &mut FxHashMap<usize, u32>, slopes: &Equation) {
    let whole = slopes.iter().find(|(_, slope)| *slope == Fr::one());
    let pieces = slopes.iter().filter(|(_, slope)| *slope != Fr::one());
    let sum = pieces.map(|(class, _)| bits.get(class).copied()).sum::<Option<u32>>();
    if let (Some((whole, _)), Some(sum)) = (whole, sum) {
        bits.insert(*whole, sum);
    }
}

/// If a class is the sum of others, each times a power of two, and all are short, none of these is longer than the sum.
fn shorten(
    bits: &mut FxHashMap<usize, u32>,
    shifts: &FxHashMap<<Fr as PrimeField>::Repr, u32>,
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
fn limit(small: &mut FxHashMap<usize, Small>, grid: &Grid, equation: &Equation) {
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

/// A limb that is looked up.
#[derive(Debug)]
struct Limb {
    whole: usize,
    /// What is left of the whole without the limb, and by how many bits it is shifted: fewer than the limb has if the
    /// two overlap.
    rest: Option<(usize, u32)>,
    bits: u32,
}

/// All limbs; in each column, the last row comes first.
#[derive(Debug, Default)]
pub(super) struct Sums(Vec<Limb>);

impl Sums {
    /// Adds what a column looks up, `whole - factor·rest`, in a table of integers.
    pub(super) fn add(&mut self, grid: &Grid, (limb, table): (&Expression<Fr>, &Expression<Fr>)) {
        let entries = (0..grid.sheet.usable).map(|row| evaluate(grid, row, table, None).value);
        let entries: Vec<_> = entries.filter(|entry| !bool::from(entry.is_zero())).collect();
        let bits = (entries.len() + 1).next_power_of_two().ilog2();
        // If the entries are not the integers from 0 on, only their number is known.
        let is_range = entries.iter().all(|entry| *entry <= Fr::from(entries.len() as u64));
        for row in (0..grid.sheet.usable).rev() {
            let slopes = evaluate(grid, row, limb, None).gradient();
            let whole = slopes.iter().find(|(_, slope)| *slope == Fr::one());
            let Some((whole, _)) = whole else { continue };
            let rest = slopes.iter().find(|(_, slope)| *slope != Fr::one());
            let step = |slope: Fr| (0..bits).find(|step| is_range && slope == -Fr::from(1 << step));
            let rest = rest.map(|(class, slope)| (*class, step(*slope).unwrap_or(bits)));
            self.0.push(Limb { whole: *whole, rest, bits });
        }
    }

    /// Bounds the wholes by their limbs; a smaller bound that is known already stays.
    pub(super) fn bound(&self, known: &mut FxHashMap<usize, u32>) {
        for Limb { whole, rest, bits } in &self.0 {
            let most = match rest {
                // A limb that overlaps what is left carries into one bit more.
                Some((rest, step)) => {
                    known.get(rest).map(|rest| (rest + step).max(*bits) + u32::from(step < bits))
                }
                None => Some(*bits),
            };
            if let Some(most) = most {
                let entry = known.entry(*whole).or_insert(most);
                *entry = most.min(*entry);
            }
        }
    }

    /// What is left is a function of the whole, unless the limb overlaps it.
    pub(super) fn functions(&self) -> impl Iterator<Item = Function> + '_ {
        self.0.iter().filter_map(|limb| {
            let (rest, _) = limb.rest.filter(|(_, step)| *step >= limb.bits)?;
            let output = vec![(rest, Fr::one())];
            Some(Function { inputs: vec![limb.whole], output })
        })
    }
}
