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
    /// What is left of the whole without the limb.
    rest: Option<usize>,
    bits: u32,
}

/// All limbs, of each column the last row first.
#[derive(Debug, Default)]
pub(super) struct Sums(Vec<Limb>);

impl Sums {
    /// What a column looks up, `whole - factor·rest`, in a table of integers.
    pub(super) fn add(
        &mut self,
        grid: &Grid,
        usable: usize,
        (limb, table): (&Expression<Fr>, &Expression<Fr>),
    ) {
        let entries = (0..usable).map(|row| evaluate(grid, row, table, None).value);
        let entries = entries.filter(|entry| !bool::from(entry.is_zero())).count() + 1;
        let bits = entries.next_power_of_two().ilog2();
        for row in (0..usable).rev() {
            let slopes = evaluate(grid, row, limb, None).gradient();
            let whole = slopes.iter().find(|(_, slope)| *slope == Fr::one());
            let Some((whole, _)) = whole else { continue };
            let rest = slopes.iter().find(|(_, slope)| *slope != Fr::one());
            self.0.push(Limb { whole: *whole, rest: rest.map(|(class, _)| *class), bits });
        }
    }

    /// Bounds the wholes by their limbs; a bound that is known already stays if it is less.
    pub(super) fn bound(&self, known: &mut HashMap<usize, u32>) {
        for Limb { whole, rest, bits } in &self.0 {
            let rest = match rest {
                Some(rest) => known.get(rest).copied(),
                None => Some(0),
            };
            if let Some(rest) = rest {
                let entry = known.entry(*whole).or_insert(rest + bits);
                *entry = (rest + bits).min(*entry);
            }
        }
    }

    /// What is left is a function of the whole.
    pub(super) fn functions(&self) -> impl Iterator<Item = Function> + '_ {
        self.0.iter().filter_map(|limb| {
            let output = vec![(limb.rest?, Fr::one())];
            Some(Function { inputs: vec![limb.whole], output })
        })
    }
}
