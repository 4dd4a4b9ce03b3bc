//! What gates and lookups say of small changes of an honest witness.

use std::collections::{BTreeMap, BTreeSet};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::{ConstraintSystem, Expression},
};

use super::{
    dual::{evaluate, Dual},
    grid::Grid,
};

/// `Σ slope·change = 0`.
pub(super) type Equation = Vec<(usize, Fr)>;

/// Equations, and the classes that are one of finitely many values, by a bound or by the roots of a
/// polynomial.
#[derive(Debug, Default)]
pub(super) struct Equations {
    pub(super) equations: Vec<Equation>,
    /// Equations that say of a cell that it is a function of another, with a slope that means nothing.
    pub(super) functions: Vec<Equation>,
    pub(super) small: BTreeSet<usize>,
}

impl Equations {
    pub(super) fn new(meta: &ConstraintSystem<Fr>, grid: &Grid, usable: usize) -> Self {
        let mut all = Self::default();
        all.gates(meta, grid, usable);
        for lookup in meta.lookups() {
            let (inputs, tables) = (lookup.input_expressions(), lookup.table_expressions());
            let pairs: Vec<_> = inputs.iter().zip(tables).collect();
            match lookup.name() {
                name if name.starts_with("range:") || name.starts_with("foreign: limb") => {
                    (0..usable).for_each(|row| {
                        all.running_sum(&evaluate(grid, row, pairs[0].0, None), row)
                    });
                }
                name if name.starts_with("keccak:") => all.function(name, grid, usable, &pairs),
                _ => all.found(grid, usable, &pairs),
            }
        }
        all
    }

    /// The slopes of each polynomial. One of a single class that is not linear in it has roots, and
    /// tells no more than that the class is one of them.
    fn gates(&mut self, meta: &ConstraintSystem<Fr>, grid: &Grid, usable: usize) {
        let mut single = vec![];
        let mut constants = BTreeSet::new();
        for polynomial in meta.gates().iter().flat_map(|gate| gate.polynomials()) {
            for row in 0..usable {
                let slopes = evaluate(grid, row, polynomial, None).gradient();
                if let [(class, slope)] = slopes[..] {
                    let moved = evaluate(grid, row, polynomial, Some((class, Fr::one()))).value;
                    if moved == slope {
                        constants.insert(class);
                    } else {
                        self.small.insert(class);
                        continue;
                    }
                }
                if !slopes.is_empty() {
                    single.push((row, polynomial, slopes));
                }
            }
        }
        for (row, polynomial, slopes) in single {
            let mut free = slopes.iter().filter(|(class, _)| !constants.contains(class));
            if let (Some((class, slope)), None) = (free.next(), free.next()) {
                let moved = evaluate(grid, row, polynomial, Some((*class, Fr::one()))).value;
                if moved != *slope {
                    self.small.insert(*class);
                    continue;
                }
            }
            self.equations.push(slopes);
        }
    }

    /// A limb is taken off: the cell is bounded, and what is left of it is a function of it.
    fn running_sum(&mut self, limb: &Dual, row: usize) {
        let slopes = limb.gradient();
        let whole = slopes.iter().find(|(_, slope)| *slope == Fr::one());
        let Some((whole, _)) = whole else { return };
        self.small.insert(*whole);
        if let Some((rest, _)) = slopes.iter().find(|(_, slope)| *slope != Fr::one()) {
            self.small.insert(*rest);
            self.functions.push(vec![(*rest, -Fr::one()), (*whole, some(row))]);
        }
    }

    /// A table of constants: the parts of the tuple behind the first that changes are functions of it.
    fn function(
        &mut self,
        name: &str,
        grid: &Grid,
        usable: usize,
        pairs: &[(&Expression<Fr>, &Expression<Fr>)],
    ) {
        // The tag of the table stands first, but for the table of words.
        let first = usize::from(pairs.len() == 3);
        for row in 0..usable {
            let input = evaluate(grid, row, pairs[first].0, None);
            if name != "keccak: words" {
                self.running_sum(&input, row);
            }
            for (output, _) in &pairs[first + 1..] {
                let mut slopes = evaluate(grid, row, output, None);
                let factor = some(row + 1);
                slopes.slopes.extend(input.slopes.iter().map(|(class, s)| (*class, -*s * factor)));
                self.push(slopes.gradient());
            }
        }
    }

    /// A table of cells: the tuple is that of the row where it is found, and stays there. Rows of the
    /// key 0 ask for nothing.
    fn found(&mut self, grid: &Grid, usable: usize, pairs: &[(&Expression<Fr>, &Expression<Fr>)]) {
        let (inputs, entries): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let tuple = |row: usize, parts: &[&Expression<Fr>]| {
            parts.iter().map(|part| evaluate(grid, row, part, None)).collect::<Vec<_>>()
        };
        let key =
            |tuple: &[Dual]| tuple.iter().map(|part| part.value.to_repr()).collect::<Vec<_>>();
        let tables: Vec<_> = (0..usable).map(|row| tuple(row, &entries)).collect();
        let rows: BTreeMap<_, _> =
            tables.iter().enumerate().rev().map(|(row, tuple)| (key(tuple), row)).collect();
        for row in 0..usable {
            let asked = tuple(row, &inputs);
            if asked[0].value == Fr::zero() {
                continue;
            }
            let entry = rows.get(&key(&asked)).expect("an honest witness finds what it asks for");
            for (mut asked, entry) in asked.into_iter().zip(&tables[*entry]) {
                asked.slopes.extend(entry.slopes.iter().map(|(class, slope)| (*class, -slope)));
                self.push(asked.gradient());
            }
        }
    }

    fn push(&mut self, equation: Equation) {
        if !equation.is_empty() {
            self.equations.push(equation);
        }
    }
}

/// A slope of a function that nothing is known of.
fn some(number: usize) -> Fr {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Fr::from(mixed | 2).square() + Fr::from(mixed)
}
