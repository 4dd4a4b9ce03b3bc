//! Running sums of lookups: bounds, and what is left when a limb is taken off.

use std::collections::HashMap;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
};

use super::{dual::evaluate, forms::Function, grid::Grid};

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
    pub(super) fn add(
        &mut self,
        grid: &Grid,
        usable: usize,
        (limb, table): (&Expression<Fr>, &Expression<Fr>),
    ) {
        let entries = (0..usable).map(|row| evaluate(grid, row, table, None).value);
        let entries: Vec<_> = entries.filter(|entry| !bool::from(entry.is_zero())).collect();
        let bits = (entries.len() + 1).next_power_of_two().ilog2();
        // If the entries are not the integers from 0 on, only their number is known.
        let is_range = entries.iter().all(|entry| *entry <= Fr::from(entries.len() as u64));
        for row in (0..usable).rev() {
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
    pub(super) fn bound(&self, known: &mut HashMap<usize, u32>) {
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
