//! The statement of Muster, assembled on Jubjub: this many *distinct* members of a committed set
//! signed the message. Keys, signatures and positions are private.
//!
//! Leaner than Muster in two points: every member weighs one, and the threshold is the number of
//! slots, so that another threshold needs another verifying key.

use ff::Field;
use midnight_circuits::hash::poseidon::PoseidonChip;
use midnight_circuits::instructions::hash::HashCPU;
use midnight_circuits::instructions::{
    AssertionInstructions, AssignmentInstructions, ControlFlowInstructions,
    DecompositionInstructions, EccInstructions, PublicInputInstructions,
};
use midnight_circuits::types::{AssignedBit, AssignedNative};
use midnight_curves::JubjubSubgroup;
use midnight_proofs::circuit::{Layouter, Value};
use midnight_proofs::plonk::Error;
use midnight_zk_stdlib::{Relation, ZkStdLib, ZkStdLibArch};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::schnorr::{assert_signature, coordinates, AssignedPoint, KeyPair, Signature};
use super::tree::Tree;
use super::{read_count, write_count, Sample, F};
use crate::sample::{committee_size, SEED};

/// The third input of a leaf, which keeps it apart from a node of two.
const LEAF_TAG: u64 = 1;

/// One member that signed.
#[derive(Clone, Debug)]
pub(crate) struct Signer {
    key: JubjubSubgroup,
    signature: Signature,
    position: Vec<bool>,
    path: Vec<F>,
}

/// This many signers out of a committee of twice as many; public: the root and the message.
#[derive(Clone, Debug)]
pub(crate) struct QuorumJubjub(usize);

impl QuorumJubjub {
    /// A fresh committee of which every other member signs.
    pub(crate) fn sample(signatures: usize) -> Sample<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let message = F::random(&mut rng);
        let members: Vec<KeyPair> =
            (0..committee_size(signatures)).map(|_| KeyPair::random(&mut rng)).collect();
        let tree = Tree::new(members.iter().map(|member| leaf(&member.public)).collect());
        let witness = (members.iter().enumerate().step_by(2).take(signatures))
            .map(|(index, member)| {
                let path = tree.path(index);
                Signer {
                    key: member.public,
                    signature: member.sign(message, &mut rng),
                    position: (0..path.len()).map(|up| (index >> up) & 1 == 1).collect(),
                    path,
                }
            })
            .collect();
        Sample {
            relation: Self(signatures),
            instance: (tree.root(), message),
            false_instance: (tree.root() + F::ONE, message),
            witness,
        }
    }

    /// Levels between a leaf and the root.
    fn depth(&self) -> usize {
        committee_size(self.0).next_power_of_two().ilog2() as usize
    }
}

fn leaf(key: &JubjubSubgroup) -> F {
    let [u, v] = coordinates(key);
    <PoseidonChip<F> as HashCPU<F, F>>::hash(&[u, v, F::from(LEAF_TAG)])
}

/// Walks from the key's leaf to the root; returns the root and the position.
fn climb(
    std_lib: &ZkStdLib,
    layouter: &mut impl Layouter<F>,
    key: &AssignedPoint,
    position: &[AssignedBit<F>],
    path: &[AssignedNative<F>],
) -> Result<[AssignedNative<F>; 2], Error> {
    let jubjub = std_lib.jubjub();
    let [u, v] = [jubjub.x(layouter, key)?, jubjub.y(layouter, key)?];
    let tag = std_lib.assign_fixed(layouter, F::from(LEAF_TAG))?;
    let mut node = std_lib.poseidon(layouter, &[u, v, tag])?;
    for (is_right, sibling) in position.iter().zip(path) {
        let (left, right) = std_lib.cond_swap(layouter, is_right, &node, sibling)?;
        node = std_lib.poseidon(layouter, &[left, right])?;
    }
    Ok([node, std_lib.assigned_from_le_bits(layouter, position)?])
}

impl Relation for QuorumJubjub {
    type Instance = (F, F);
    type Witness = Vec<Signer>;
    type Error = Error;

    fn format_instance((root, message): &Self::Instance) -> Result<Vec<F>, Error> {
        Ok(vec![*root, *message])
    }

    fn circuit(
        &self,
        std_lib: &ZkStdLib,
        layouter: &mut impl Layouter<F>,
        instance: Value<Self::Instance>,
        witness: Value<Self::Witness>,
    ) -> Result<(), Error> {
        let depth = self.depth();
        let (root, message) = instance.unzip();
        let root: AssignedNative<F> = std_lib.assign_as_public_input(layouter, root)?;
        let message = std_lib.assign_as_public_input(layouter, message)?;

        let mut previous: Option<AssignedNative<F>> = None;
        for signer in witness.transpose_vec(self.0) {
            let key = signer.as_ref().map(|it| it.key);
            let key: AssignedPoint = std_lib.jubjub().assign(layouter, key)?;
            let signature = signer.as_ref().map(|it| it.signature);
            assert_signature(std_lib, layouter, &message, &key, signature)?;

            let position = signer.as_ref().map(|it| it.position.clone()).transpose_vec(depth);
            let position: Vec<AssignedBit<F>> = std_lib.assign_many(layouter, &position)?;
            let path = signer.map(|it| it.path).transpose_vec(depth);
            let path: Vec<AssignedNative<F>> = std_lib.assign_many(layouter, &path)?;
            let [reached, index] = climb(std_lib, layouter, &key, &position, &path)?;
            std_lib.assert_equal(layouter, &reached, &root)?;

            // Strictly increasing positions: no member counts twice.
            if let Some(previous) = previous.replace(index.clone()) {
                let increases = std_lib.lower_than(layouter, &previous, &index, depth as u32)?;
                std_lib.assert_true(layouter, &increases)?;
            }
        }
        Ok(())
    }

    fn used_chips(&self) -> ZkStdLibArch {
        ZkStdLibArch { jubjub: true, poseidon: true, ..ZkStdLibArch::default() }
    }

    fn write_relation<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write_count(writer, self.0)
    }

    fn read_relation<R: std::io::Read>(reader: &mut R) -> std::io::Result<Self> {
        read_count(reader).map(Self)
    }
}
