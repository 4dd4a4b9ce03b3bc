//! Whether each relation counts: if it is left out, more cells are free or fewer relations refuse.

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::Circuit};
use num_bigint::BigInt;

use super::{
    equations::Equations,
    forms::Relation,
    solve::{Found, System},
    Order, Reading,
};
use muster_gates::{GatesConfig, Layout};

/// A circuit with relations, and its counts.
pub struct Counted {
    reading: Reading,
    counts: Counts,
}

/// Free cells, and relations that only refuse.
#[derive(Clone, Copy, Debug)]
struct Counts {
    free: usize,
    checks: usize,
}

impl Counted {
    /// Counts once what is free.
    pub fn new<C>(circuit: &C) -> Self
    where
        C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
    {
        let reading = Reading::new(circuit, &[]);
        let counts = count(reading.equations.clone(), &reading.order);
        Self { reading, counts }
    }

    /// What the counts fail to show about the relation in this row of the first gate: that it is left out, or that one
    /// of its numbers is cut off from what it is a copy of. Which number it is varies from relation to relation.
    pub fn complaints(&self, row: usize) -> Vec<String> {
        let Reading { equations, order } = &self.reading;
        let mut all = equations.relations.iter();
        let Some(place) = all.position(|relation| relation.row == row) else {
            return vec![];
        };
        let complaint = |what: String, change: &dyn Fn(&mut Equations)| {
            let mut changed = equations.clone();
            change(&mut changed);
            // A relation that says nothing keeps the numbers of this one in the count.
            let silent =
                Relation { modulus: BigInt::ZERO, bits: 0, ..equations.relations[place].clone() };
            changed.relations.push(silent);
            let counts = count(changed, order);
            let is_told = counts.free > self.counts.free || counts.checks <= self.counts.checks;
            (!is_told).then(|| format!("{what}: {counts:?}, {:?}", self.counts))
        };
        let left_out = complaint("left out".to_owned(), &|all| drop(all.relations.remove(place)));
        let number = place % equations.relations[place].slopes.len();
        let cut_off = complaint(format!("number {number} cut off"), &|all| cut(all, place, number));
        left_out.into_iter().chain(cut_off).collect()
    }
}

/// The first class of a number that is cut off: no cell has it.
const CUT_OFF: usize = 1 << 48;

/// Cuts off a number of this relation, which stays as long as it was.
fn cut(equations: &mut Equations, relation: usize, number: usize) {
    let limbs = &mut equations.relations[relation].slopes[number].0;
    for (place, limb) in limbs.iter_mut().enumerate() {
        let class = CUT_OFF + place;
        if let Some(small) = equations.small.get(limb).cloned() {
            equations.small.insert(class, small);
        }
        *limb = class;
    }
}

fn count(equations: Equations, order: &Order) -> Counts {
    let rank = |class: usize| if class < CUT_OFF { order.rank(class) } else { class };
    let Found { free, checks } = System::solve(equations, rank);
    Counts { free: free.len(), checks }
}
