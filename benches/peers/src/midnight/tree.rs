//! Poseidon as the root of a binary tree, and the paths that lead to it.

use ff::Field;
use midnight_circuits::hash::poseidon::PoseidonChip;
use midnight_circuits::instructions::hash::HashCPU;
use midnight_circuits::instructions::{AssignmentInstructions, PublicInputInstructions};
use midnight_circuits::types::AssignedNative;
use midnight_proofs::circuit::{Layouter, Value};
use midnight_proofs::plonk::Error;
use midnight_zk_stdlib::{Relation, ZkStdLib, ZkStdLibArch};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{read_count, write_count, Sample, F};
use crate::sample::SEED;

/// All levels of a binary tree outside the circuit, leaves first, root last.
pub(super) struct Tree(Vec<Vec<F>>);

impl Tree {
    /// Pads the leaves with zeroes to a power of two.
    pub(super) fn new(mut leaves: Vec<F>) -> Self {
        leaves.resize(leaves.len().next_power_of_two(), F::ZERO);
        let mut levels = vec![leaves];
        while let Some(top) = levels.last().filter(|level| level.len() > 1) {
            levels.push(top.chunks(2).map(<PoseidonChip<F> as HashCPU<F, F>>::hash).collect());
        }
        Self(levels)
    }

    /// The commitment.
    pub(super) fn root(&self) -> F {
        self.0[self.0.len() - 1][0]
    }

    /// The siblings on the way from a leaf to the root.
    pub(super) fn path(&self, index: usize) -> Vec<F> {
        let below_root = &self.0[..self.0.len() - 1];
        below_root.iter().enumerate().map(|(up, level)| level[(index >> up) ^ 1]).collect()
    }
}

/// The root of a binary tree over this many private leaves; public: the root.
#[derive(Clone, Debug)]
pub(crate) struct PoseidonTree(usize);

impl PoseidonTree {
    /// Random leaves, a power of two of them.
    pub(crate) fn sample(leaves: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let leaves: Vec<F> = (0..leaves.next_power_of_two()).map(|_| F::random(&mut rng)).collect();
        let root = Tree::new(leaves.clone()).root();
        Sample {
            relation: Self(leaves.len()),
            instance: root,
            false_instance: root + F::ONE,
            witness: leaves,
        }
    }
}

impl Relation for PoseidonTree {
    type Instance = F;
    type Witness = Vec<F>;
    type Error = Error;

    fn format_instance(root: &F) -> Result<Vec<F>, Error> {
        Ok(vec![*root])
    }

    fn circuit(
        &self,
        std_lib: &ZkStdLib,
        layouter: &mut impl Layouter<F>,
        _instance: Value<F>,
        witness: Value<Vec<F>>,
    ) -> Result<(), Error> {
        let mut level: Vec<AssignedNative<F>> =
            std_lib.assign_many(layouter, &witness.transpose_vec(self.0))?;
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| std_lib.poseidon(layouter, pair))
                .collect::<Result<_, _>>()?;
        }
        std_lib.constrain_as_public_input(layouter, &level[0])
    }

    fn used_chips(&self) -> ZkStdLibArch {
        ZkStdLibArch { poseidon: true, ..ZkStdLibArch::default() }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.0)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        read_count(reader).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_root() {
        let leaves: Vec<F> = (0..5).map(F::from).collect();
        let tree = Tree::new(leaves.clone());
        for (index, leaf) in leaves.iter().enumerate() {
            let root = tree.path(index).iter().enumerate().fold(*leaf, |node, (up, sibling)| {
                let pair = if (index >> up) & 1 == 1 { [*sibling, node] } else { [node, *sibling] };
                <PoseidonChip<F> as HashCPU<F, F>>::hash(&pair)
            });
            assert_eq!(root, tree.root());
        }
    }
}
