//! The same keys in halo2's format: its constraints follow from the shape, and its commitments are those of the key.
//!
//! halo2's own reader makes the tables for a transform over all rows, and four times as many, before it looks at a point. Verifying needs no
//! transforms, so the key is put together here, from its constraints, a domain without tables, and points that were checked.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine},
        ff::{Field, PrimeField, WithSmallOrderMulGroup},
    },
    plonk::{permutation, ConstraintSystem, ProvingKey, VerifyingKey},
    poly::{kzg::commitment::ParamsKZG, EvaluationDomain},
};
use muster_circuits::{Shape, ThresholdCircuit};
use muster_engine::Domain;
use muster_params::Srs;
use muster_verifier::Key;

use super::{
    circuit::{backend, CircuitKeys},
    reference::SrsReference,
};
use crate::{
    commitment::Prepared,
    logup::point,
    plonk::{proving_key, Prover},
    profile::{Phase, Stopwatch},
    Error,
};

/// What verifies halo2's proofs.
#[derive(Debug)]
pub(super) struct Halo2Verifier {
    pub(super) vk: VerifyingKey<G1Affine>,
    /// The generators, and τ in G2.
    pub(super) params: ParamsKZG<Bn256>,
}

impl Halo2Verifier {
    pub(super) fn new(shape: &Shape, key: &Key, srs: &SrsReference) -> Self {
        let constraints = ThresholdCircuit::constraints(&shape.layout);
        let domain = domain(shape.degree(), constraints.degree());
        let params = srs.verifier_params(shape.degree());
        Self { vk: verifying_key(key, constraints, domain), params }
    }
}

fn verifying_key(
    key: &Key,
    constraints: ConstraintSystem<Fr>,
    domain: EvaluationDomain<Fr>,
) -> VerifyingKey<G1Affine> {
    let points = |points: &[[u8; 64]]| {
        let points = points.iter().map(|bytes| point(bytes).expect("points of a checked key"));
        points.collect::<Vec<_>>()
    };
    let permutation = permutation::VerifyingKey::from_commitments(points(key.sigma()));
    VerifyingKey::from_parts(domain, points(key.fixed()), permutation, constraints, vec![], false)
}

/// What makes halo2's proofs, each part at its first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Halo2Keys {
    pk: OnceLock<Arc<ProvingKey<G1Affine>>>,
    prover: OnceLock<Arc<Prover>>,
    prepared: OnceLock<Arc<Prepared>>,
}

impl Halo2Keys {
    /// Not inside `get_or_init`, here and below: a pool thread may pick up another proof meanwhile, and would wait for itself. What is made
    /// twice is the same.
    pub(super) fn pk(
        &self,
        shape: &Shape,
        keys: &CircuitKeys,
    ) -> Result<&ProvingKey<G1Affine>, Error> {
        if self.pk.get().is_none() {
            let constraints = ThresholdCircuit::constraints(&shape.layout);
            let library = EvaluationDomain::new(constraints.degree() as u32, shape.degree());
            let vk = verifying_key(keys.verifier(), constraints, library);
            let domain = Domain::new(backend()?, shape.degree());
            let domain = domain.map_err(|error| Error::Usage(error.to_string()))?;
            let (fixed, permuted) = keys.own().split_at(keys.verifier().protocol().fixed());
            let made = proving_key(&domain, vk, fixed, permuted);
            let _ = self.pk.set(Arc::new(made));
        }
        Ok(self.pk.get().expect("it was made"))
    }

    pub(super) fn prover(
        &self,
        srs: &Srs,
        pk: &ProvingKey<G1Affine>,
        watch: &mut Stopwatch,
    ) -> Result<&Prover, Error> {
        if self.prover.get().is_none() {
            let made = Prover::new(backend()?, srs.params(), pk);
            let made = made.map_err(|error| Error::Usage(error.to_string()))?;
            let _ = self.prover.set(Arc::new(made));
            watch.lap(Phase::Preparation, 1);
        }
        Ok(self.prover.get().expect("it was made"))
    }

    /// The bases of the SRS for halo2's own prover.
    pub(super) fn prepared(&self, srs: &Srs) -> &Prepared {
        if self.prepared.get().is_none() {
            let _ = self.prepared.set(Arc::new(Prepared::new(srs.params())));
        }
        self.prepared.get().expect("it was made")
    }
}

/// The domain of `2^k` rows for constraints of this degree, as [`EvaluationDomain::new`] makes it,
/// but without tables for transforms.
///
/// # Panics
///
/// If four times the rows exceed the field's two-adicity; no shape is that large.
pub(super) fn domain(k: u32, degree: usize) -> EvaluationDomain<Fr> {
    let pieces = degree as u64 - 1;
    let extended_k = k + pieces.next_power_of_two().ilog2();
    assert!(extended_k <= Fr::S, "a root of unity for each row of the quotient");
    let root = |k: u32| Fr::ROOT_OF_UNITY.pow_vartime([1 << (Fr::S - k)]);
    let inverse = |value: Fr| value.invert().expect("powers of two and roots are not 0");
    let (n, omega, extended_omega) = (1u64 << k, root(k), root(extended_k));
    // X^n - 1 over the coset: it repeats after as many points as the quotient has pieces.
    let shift = Fr::ZETA.pow_vartime([n]);
    let step = extended_omega.pow_vartime([n]);
    let powers = std::iter::successors(Some(shift), |power| Some(*power * step));
    let vanishing = powers.take(1 << (extended_k - k)).map(|power| inverse(power - Fr::ONE));
    EvaluationDomain {
        n,
        k,
        extended_k,
        omega,
        omega_inv: inverse(omega),
        extended_omega,
        extended_omega_inv: inverse(extended_omega),
        g_coset: Fr::ZETA,
        g_coset_inv: Fr::ZETA.square(),
        quotient_poly_degree: pieces,
        ifft_divisor: inverse(Fr::from(n)),
        extended_ifft_divisor: inverse(Fr::from(1 << extended_k)),
        t_evaluations: vanishing.collect(),
        barycentric_weight: inverse(Fr::from(n)),
        fft_data: HashMap::new(),
    }
}
