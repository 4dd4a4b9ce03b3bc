//! The freedom of a witness: how many of its cells can change a little while all constraints hold.
//!
//! At an honest witness each polynomial gives a linear equation between small changes of cells, its
//! derivative; copies make cells one. What these equations do not determine is free: what a prover
//! chooses, or a cell that a constraint is missing for. The README beside this file says how lookups are
//! read and what the check does not show.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};

use super::super::{foreign::ForeignConfig, forger::Sheet, GatesConfig, Layout};

mod bounds;
mod dual;
mod equations;
mod forms;
mod grid;
mod small;
mod solve;
mod sums;
#[cfg(test)]
mod tests;

use equations::Equations;
use grid::Grid;
use solve::{Free, System};

/// What a number is called that no relation gives.
const ELEMENT: &str = "element";
/// What the roles of SHA-256 and SHA-512 begin with.
const HASH: &str = "sha";

/// How many cells of each role are free in `circuit`, which is filled with an honest witness for these
/// public inputs. A cell that copies bind to others counts once, for the first of them in the order of
/// the gates.
///
/// # Panics
/// If the circuit cannot be laid out, or its witness finds no entry for a lookup.
pub fn freedom<C>(circuit: &C, public: &[Fr]) -> BTreeMap<String, usize>
where
    C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
{
    let layout = circuit.params();
    let rows = 1usize << layout.k;
    let mut meta = ConstraintSystem::default();
    let config = C::configure_with_params(&mut meta, layout);
    let roles = config.roles();
    let usable = config.usable_rows();
    let parts: Vec<_> = config.gates.foreign.iter().map(ForeignConfig::parts).collect();
    let sheet = Sheet::read(rows, &meta, config, circuit, vec![public.to_vec()]);
    let grid = Grid::new(sheet);
    let equations = Equations::new(&meta, (&grid, usable), &parts);
    let (system, elements) = System::new(equations);
    // A class goes by the first of its cells: gates before the columns that copy from them.
    let mut first = BTreeMap::<usize, (usize, usize)>::new();
    for (order, (column, _)) in roles.iter().enumerate() {
        for row in 0..rows {
            first.entry(grid.class(*column, row)).or_insert((order, row));
        }
    }
    // Bytes that are hashed stand in the vertical gate, and all that a hash has follows from them: it comes last.
    let is_hash: Vec<_> = roles.iter().map(|(_, name)| name.starts_with(HASH)).collect();
    let rank = |class: usize| {
        let (order, row) = first[&class];
        (usize::from(is_hash[order]) * roles.len() + order) * rows + row
    };
    let mut counts = BTreeMap::new();
    for free in system.free(elements, rank) {
        let role = match free {
            Free::Element => ELEMENT,
            Free::Class(class) => &roles[first[&class].0].1,
        };
        *counts.entry(role.to_owned()).or_default() += 1;
    }
    counts
}

impl GatesConfig {
    /// Advice columns, the vertical gate's and the range checks' last, and what they are called.
    fn roles(&self) -> Vec<(usize, String)> {
        let named = |gate: &str, columns: Vec<usize>| {
            let name = |(i, column)| (column, format!("{gate} {i}"));
            columns.into_iter().enumerate().map(name).collect::<Vec<_>>()
        };
        let groups = self.groups();
        groups.into_iter().flat_map(|(gate, columns)| named(gate, columns)).collect()
    }
}
