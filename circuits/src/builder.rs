//! The one `impl Circuit`.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error as PlonkError},
};
use muster_gadgets::{
    gate::{Forged, Gates, GatesConfig, Layout, Placement, Usage},
    membership::{Leaf, LEAF_MEMBERS},
    signature::{
        eddsa::Eddsa,
        instructions::{RawPoint, SignatureInstructions},
        musig::Musig,
        schnorr::Schnorr,
        RawSignature,
    },
};

use crate::{
    threshold::{build, Inputs, Slot},
    Committee, Error, Mode, Scheme, Shape, Signatures, Statement, PUBLIC_INPUTS,
};

/// Columns of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns, selectors among them.
    pub fixed: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// Columns of the permutation argument.
    pub permutation: usize,
}

impl Columns {
    /// Columns of `layout`.
    pub fn of(layout: &Layout) -> Self {
        let mut meta = ConstraintSystem::default();
        ThresholdCircuit::configure_with_params(&mut meta, layout.clone());
        Self {
            advice: meta.num_advice_columns(),
            fixed: meta.num_fixed_columns() + meta.num_selectors(),
            lookups: meta.lookups().len(),
            permutation: meta.permutation().get_columns().len(),
        }
    }

    /// Commitments that a verifier multiplies by a scalar, but for those that every circuit has:
    /// columns, three a lookup, and of the permutation one a column and one a product of three.
    pub fn commitments(&self) -> usize {
        let Self { advice, fixed, lookups, permutation } = self;
        advice + fixed + 3 * lookups + permutation + permutation.div_ceil(3)
    }
}

/// Rows and cells that the circuit of `shape` takes, whatever its columns.
pub(crate) fn usage(shape: &Shape) -> Usage {
    // With constraints: constants are told by nothing else.
    ThresholdCircuit::fill(shape, &Inputs::unused(shape), false).gates.usage()
}

/// The k-of-n circuit of a shape, filled.
#[derive(Debug)]
pub struct ThresholdCircuit {
    layout: Layout,
    gates: Gates,
    forged: Vec<Forged>,
}

impl ThresholdCircuit {
    /// A circuit to make keys from: its witness stands for nothing.
    pub fn keygen(shape: &Shape) -> Self {
        Self::fill(shape, &Inputs::unused(shape), false)
    }

    /// A circuit to prove with: witnesses only. `placement` is that of the keys.
    ///
    /// # Errors
    ///
    /// What does not fit the shape. Whether the statement holds is not checked here, see
    /// [`verify`](crate::verify).
    pub fn prover(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
        placement: Placement,
    ) -> Result<Self, Error> {
        let inputs = Inputs::new(shape, statement, committee, signatures)?;
        let mut circuit = Self::fill(shape, &inputs, true);
        circuit.gates.set_placement(placement);
        Ok(circuit)
    }

    /// A circuit whose every constraint can be checked without a proof.
    ///
    /// # Errors
    ///
    /// As [`Self::prover`].
    pub fn check(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        let inputs = Inputs::new(shape, statement, committee, signatures)?;
        Ok(Self::fill(shape, &inputs, false))
    }

    /// Overwrites cells after all rows are written, to test that the constraints refuse it.
    pub fn forge(&mut self, forged: Vec<Forged>) {
        self.forged = forged;
    }

    /// What a prover must know of the keys; known once they were made from this circuit.
    pub fn placement(&self) -> Option<Placement> {
        self.gates.placement()
    }

    /// Fills the circuit of `shape` with `inputs`, right or wrong.
    pub(crate) fn fill(shape: &Shape, inputs: &Inputs, witness_gen_only: bool) -> Self {
        let mut gates = Gates::new(&shape.layout, witness_gen_only);
        let (ctx, chips) = gates.parts();
        match shape.scheme {
            Scheme::Schnorr => build::<Schnorr>(ctx, chips, shape, inputs),
            Scheme::Eddsa => build::<Eddsa>(ctx, chips, shape, inputs),
            Scheme::Musig => build::<Musig>(ctx, chips, shape, inputs),
        }
        Self { layout: shape.layout.clone(), gates, forged: vec![] }
    }
}

impl Inputs {
    /// Every slot unused and no leaf.
    fn unused(shape: &Shape) -> Self {
        Self::padded(shape, Fr::zero(), vec![], vec![])
    }

    /// Fills up slots and signatures.
    fn padded(
        shape: &Shape,
        message: Fr,
        mut slots: Vec<Slot>,
        mut signatures: Vec<RawSignature>,
    ) -> Self {
        slots.extend((slots.len()..shape.slots).map(|number| Slot::unused(shape, number)));
        let count = if shape.scheme.is_aggregate() { 1 } else { shape.slots };
        signatures.resize(count, padding_signature(shape.scheme, &message));
        let leaves = match shape.mode {
            Mode::WholeSet => vec![Leaf::default(); shape.capacity.div_ceil(LEAF_MEMBERS)],
            Mode::Path => vec![],
        };
        Self { key_set_root: Fr::zero(), threshold: 1, message, slots, signatures, leaves }
    }

    /// What `shape` is filled with to prove `statement`.
    pub(crate) fn new(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        let tree = shape.tree(committee)?;
        let (mut signers, raw) = match signatures {
            Signatures::Independent(list) if !shape.scheme.is_aggregate() => {
                let mut list = list.clone();
                list.sort_by_key(|(member, _)| *member);
                let raw = list.iter().map(|(_, signature)| RawSignature::from(*signature));
                (list.iter().map(|(member, _)| *member).collect(), raw.collect())
            }
            Signatures::Aggregate { members, signature } if shape.scheme.is_aggregate() => {
                (members.clone(), vec![RawSignature::from(*signature)])
            }
            _ => return Err(Error::WrongKind(shape.scheme)),
        };
        signers.sort_unstable();
        if signers.len() > shape.slots {
            return Err(Error::TooManySigners { signers: signers.len(), slots: shape.slots });
        }
        let members = committee.members();
        let slot = |member: &usize| {
            let not_a_member =
                crate::Rejection::NotAMember { member: *member, members: members.len() };
            let entry = members.get(*member).ok_or(not_a_member)?;
            let key = entry.public_key;
            let public_key = RawPoint { x: key.x(), y: key.y() };
            let path = match shape.mode {
                Mode::WholeSet => None,
                Mode::Path => Some(committee.set().path(&tree, *member)?),
            };
            Ok(Slot { index: *member as u64, public_key, weight: entry.weight, path })
        };
        let slots = signers.iter().map(slot).collect::<Result<Vec<_>, Error>>()?;
        let mut inputs = Self::padded(shape, statement.message, slots, raw);
        if shape.mode == Mode::WholeSet {
            let leaves = committee.set().leaves();
            inputs.leaves[..leaves.len()].copy_from_slice(&leaves);
        }
        inputs.key_set_root = statement.key_set_root;
        inputs.threshold = statement.threshold;
        Ok(inputs)
    }
}

fn padding_signature(scheme: Scheme, message: &Fr) -> RawSignature {
    match scheme {
        Scheme::Schnorr => Schnorr::padding_signature(message),
        Scheme::Eddsa => Eddsa::padding_signature(message),
        Scheme::Musig => Musig::padding_signature(message),
    }
}

impl Circuit<Fr> for ThresholdCircuit {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.layout.clone()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("keys are made from `keygen`, whose witness stands for nothing")
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> GatesConfig {
        unreachable!("the layout is a parameter")
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, layout: Layout) -> GatesConfig {
        GatesConfig::configure(meta, &layout)
    }

    fn synthesize(
        &self,
        config: GatesConfig,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), PlonkError> {
        layouter.assign_region(
            || "gates",
            |mut region| {
                self.gates.assign(&config, &mut region, PUBLIC_INPUTS);
                for forged in &self.forged {
                    config.forge(&mut region, forged);
                }
                Ok(())
            },
        )
    }
}
