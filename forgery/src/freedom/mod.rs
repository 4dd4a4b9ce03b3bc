//! The freedom of a witness: how many of its cells can change a little while all constraints hold.
//!
//! At an honest witness each polynomial gives a linear equation between small changes of cells, its derivative; cells
//! that copies bind together count as one. What these equations do not determine is free: a choice of the prover, or a
//! cell for which a constraint is missing. The README beside this file says how lookups are read and what the check
//! does not show.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::Circuit};

use muster_gates::{GatesConfig, Layout};

mod bounds;
mod counted;
mod dual;
mod equations;
mod forms;
mod grid;
mod reading;
mod related;
mod relations;
mod small;
mod solve;
mod sums;
#[cfg(test)]
mod tests;
mod together;

pub use counted::Counted;
use reading::Reading;
use solve::{Found, Free, System};

/// The role of a number that no relation gives.
const ELEMENT: &str = "element";
/// The role of a number that no block makes.
const OUTSIDE: &str = "outside";
/// The role of relations that only refuse: at an honest witness they follow from all else.
const CHECKS: &str = "checks";

/// How many cells of each role are free in `circuit`, which is filled with an honest witness for these
/// public inputs, and how many relations only refuse. A cell that copies bind to others counts once, for the first of them
/// in the order of the gates.
///
/// # Panics
/// If the circuit cannot be laid out, or its witness finds no entry for a lookup.
pub fn freedom<C>(circuit: &C, public: &[Fr]) -> BTreeMap<String, usize>
where
    C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
{
    let Reading { equations, order } = Reading::new(circuit, public);
    let Found { free, checks } = System::solve(equations, |class| order.rank(class));
    let mut counts = BTreeMap::new();
    for free in free {
        let role = match free {
            Free::Element => ELEMENT,
            Free::Outside => OUTSIDE,
            Free::Class(class) => order.role(class),
        };
        *counts.entry(role.to_owned()).or_default() += 1;
    }
    if checks > 0 {
        counts.insert(CHECKS.to_owned(), checks);
    }
    counts
}
