//! The keys of a shape.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use blake2::{digest::consts::U32, Blake2b, Digest};
use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, G1Affine},
    plonk::{ProvingKey, VerifyingKey},
    poly::kzg::commitment::ParamsKZG,
    SerdeFormat,
};
use muster_circuits::{Shape, ThresholdCircuit};
use muster_engine::Backend;
use muster_gates::Placement;
use muster_params::Srs;

use crate::{
    commitment::Prepared,
    plonk::{is_key_of, is_proving_key_of, proving_key, Phase, Profile, Prover, Stopwatch},
    Error,
};

mod proving;
mod reference;
mod store;
mod verifying;

#[cfg(test)]
mod tests;

pub use reference::SrsReference;
pub use store::{KeyFiles, PROVING_KEY_FILE, SHAPE_FILE, VERIFYING_KEY_FILE};
pub use verifying::read_verifying_key;

/// Label of the digest of a verifying key.
const DIGEST_LABEL: &[u8] = b"muster.vk.v1";

pub(crate) type Blake2b256 = Blake2b<U32>;

/// The keys that proofs for one shape are made and checked with.
#[derive(Clone, Debug)]
pub struct Keys {
    /// The half that verifiers load: proofs that are made are verified with it, and with nothing else.
    pub(crate) verifier: VerifierKey,
    placement: Placement,
    pk: ProvingKey<G1Affine>,
    /// The bases of the SRS for halo2's prover, prepared at its first proof.
    prepared: OnceLock<Prepared>,
    /// The key's prover on the engine, likewise.
    prover: OnceLock<Arc<Prover>>,
    /// Held while `prover` is made.
    preparing: Arc<Mutex<()>>,
}

impl Keys {
    /// Makes the keys of a shape.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`Shape::check`]; [`Error::Usage`] if the SRS is not of its degree,
    /// or if [`ENGINE_ENV`](muster_engine::ENGINE_ENV) names nothing that this machine has; [`Error::Prover`].
    pub fn make(srs: &Srs, shape: &Shape) -> Result<Self, Error> {
        check_degree(srs, shape)?;
        let circuit = ThresholdCircuit::keygen(shape);
        let pk = proving_key(backend()?, srs.params(), &circuit).map_err(Error::Prover)?;
        let placement = circuit.placement().unwrap_or_default();
        let srs = SrsReference::new(srs);
        let verifier = VerifierKey {
            shape: shape.clone(),
            vk: verifying::slim(pk.get_vk()),
            params: srs.verifier_params(shape.degree()),
            digest: digest(shape, &pk.get_vk().to_bytes(SerdeFormat::Processed), &srs),
            srs,
        };
        Ok(Self::of(verifier, placement, pk))
    }

    /// Keys with nothing prepared.
    fn of(verifier: VerifierKey, placement: Placement, pk: ProvingKey<G1Affine>) -> Self {
        let (prepared, prover, preparing) = Default::default();
        Self { verifier, placement, pk, prepared, prover, preparing }
    }

    /// Whether these are the keys that [`Self::make`] makes for their shape from `srs`: the verifying key, all numbers
    /// of the proving key, and where cells are placed. Other keys give no proofs. This takes less time than making the
    /// keys, and as much memory.
    ///
    /// # Errors
    ///
    /// As [`Self::make`].
    pub fn is_made_from(&self, srs: &Srs) -> Result<bool, Error> {
        check_degree(srs, self.shape())?;
        let bytes = |vk: &VerifyingKey<G1Affine>| vk.to_bytes(SerdeFormat::Processed);
        let is_of_verifiers = bytes(&self.verifier.vk) == bytes(self.pk.get_vk());
        if self.check_srs(srs).is_err() || !is_of_verifiers {
            return Ok(false);
        }
        let circuit = ThresholdCircuit::keygen(self.shape());
        let is_it = is_proving_key_of(backend()?, srs.params(), &circuit, &self.pk);
        let placement = circuit.placement().unwrap_or_default();
        Ok(is_it.map_err(Error::Prover)? && placement == self.placement)
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.verifier.shape
    }

    /// What the prover must know about where the keys place cells.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// halo2's proving key.
    pub fn proving_key(&self) -> &ProvingKey<G1Affine> {
        &self.pk
    }

    /// Rows that a circuit may fill.
    pub(crate) fn usable_rows(&self) -> usize {
        let blinding = self.pk.get_vk().cs().blinding_factors();
        (1usize << self.shape().degree()).saturating_sub(blinding + 1)
    }

    /// What the keys say about the SRS that they were made from; see [`Self::check_srs`].
    pub fn srs(&self) -> &SrsReference {
        &self.verifier.srs
    }

    /// The bases of `srs`, prepared for commitments at the first call.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check_srs`]: the bases of another SRS would be kept.
    pub(crate) fn prepared(&self, srs: &Srs) -> Result<&Prepared, Error> {
        self.check_srs(srs)?;
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        // Not inside `get_or_init`: a pool thread may pick up another proof meanwhile, and would wait for itself.
        let made = Prepared::new(srs.params());
        Ok(self.prepared.get_or_init(|| made))
    }

    /// The prover on the engine, prepared at the first call. Its backend is [`Backend::from_env`].
    ///
    /// # Errors
    ///
    /// Those of [`Self::check_srs`], [`Error::Usage`] if the environment asks for a backend that this machine lacks.
    pub(crate) fn prover(&self, srs: &Srs, watch: &mut Stopwatch) -> Result<&Prover, Error> {
        self.check_srs(srs)?;
        if let Some(prover) = self.prover.get() {
            return Ok(prover);
        }
        // One thread makes it, and others wait. Pool threads do not lock: while one makes a prover, it may pick up a
        // proof that would then wait for itself. A prover made twice is the same.
        let lock = || self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        let _guard = rayon::current_thread_index().is_none().then(lock);
        if let Some(prover) = self.prover.get() {
            watch.lap(Phase::Preparation, 0);
            return Ok(prover);
        }
        let prover = Prover::new(backend()?, srs.params(), &self.pk);
        let prover = prover.map_err(|error| Error::Usage(error.to_string()))?;
        let prover = self.prover.get_or_init(|| Arc::new(prover));
        watch.lap(Phase::Preparation, 1);
        Ok(prover)
    }

    /// Prepares what the proofs of these keys share, so that not even the first has to wait for it. It is kept as long
    /// as the keys are. Proofs are the same either way. Returns what it took.
    ///
    /// # Errors
    ///
    /// Those of [`prove`](crate::prove).
    pub fn prepare(&self, srs: &Srs, memory: Memory) -> Result<Profile, Error> {
        let mut watch = Stopwatch::start();
        let prover = self.prover(srs, &mut watch)?;
        if memory == Memory::Fast {
            prover.keep(&self.pk);
        }
        watch.lap(Phase::Preparation, 0);
        Ok(watch.profile())
    }

    /// The same for halo2's prover, which keeps the bases alone.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check_srs`].
    pub fn prepare_reference(&self, srs: &Srs) -> Result<Profile, Error> {
        let mut watch = Stopwatch::start();
        self.prepared(srs)?;
        watch.lap(Phase::Preparation, 1);
        Ok(watch.profile())
    }

    /// See [`VerifierKey::digest`].
    pub fn vk_digest(&self) -> [u8; 32] {
        self.verifier.digest
    }

    /// The half that verifiers need.
    pub fn verifier(&self) -> VerifierKey {
        self.verifier.clone()
    }

    /// Checks what the keys say about their SRS against `srs`: its digest, its points in G2, and whether it is
    /// insecure.
    ///
    /// # Errors
    ///
    /// [`Error::WrongSrs`] for another SRS, [`Error::FalseClaim`] for keys that make false claims about this one.
    pub fn check_srs(&self, srs: &Srs) -> Result<(), Error> {
        self.verifier.srs.check(srs)
    }
}

/// What is kept between the proofs of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The key, constraints and bases.
    #[default]
    Low,
    /// Also the values of the key's own columns wherever constraints are evaluated: for each column, four times as
    /// many numbers as the circuit has rows. Proofs then need not compute them.
    Fast,
}

/// The backend that the environment names.
///
/// # Errors
///
/// [`Error::Usage`] if it names nothing that this machine has.
pub fn backend() -> Result<Backend, Error> {
    Backend::from_env().map_err(|error| Error::Usage(error.to_string()))
}

/// The key that proofs for one shape are checked with. It is small, and needs no SRS.
#[derive(Clone, Debug)]
pub struct VerifierKey {
    shape: Shape,
    vk: VerifyingKey<G1Affine>,
    params: ParamsKZG<Bn256>,
    srs: SrsReference,
    digest: [u8; 32],
}

impl VerifierKey {
    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// halo2's verifying key. Its domain has no tables, since verifying needs no transforms.
    pub fn vk(&self) -> &VerifyingKey<G1Affine> {
        &self.vk
    }

    /// The part of the SRS that verification needs: the generators, and tau in G2.
    pub fn params(&self) -> &ParamsKZG<Bn256> {
        &self.params
    }

    /// What the key says about the SRS that it was made from. The digest covers only the points: all else is a claim.
    pub fn srs(&self) -> &SrsReference {
        &self.srs
    }

    /// Names the key: Blake2b-256 of a label, the shape, the key and tau in G2. Verifiers who
    /// compare it with a published one need not trust where the files come from.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Whether this is the key that [`Keys::make`] makes for its shape from `srs`. The check takes a fraction of the
    /// time and memory: whoever was given a key need not make it to know that it is the circuit's.
    ///
    /// # Errors
    ///
    /// As [`Keys::make`].
    pub fn is_made_from(&self, srs: &Srs) -> Result<bool, Error> {
        check_degree(srs, &self.shape)?;
        if self.srs != SrsReference::new(srs) {
            return Ok(false);
        }
        let circuit = ThresholdCircuit::keygen(&self.shape);
        is_key_of(backend()?, srs.params(), &circuit, &self.vk).map_err(Error::Prover)
    }
}

/// Checks a shape, and that an SRS has its degree.
fn check_degree(srs: &Srs, shape: &Shape) -> Result<(), Error> {
    shape.check()?;
    let (k, degree) = (srs.k(), shape.degree());
    if k == degree {
        return Ok(());
    }
    Err(Error::Usage(format!("an SRS of k = {k} for a shape of degree {degree}")))
}

/// See [`VerifierKey::digest`]; `vk` is the bytes of the key's file.
fn digest(shape: &Shape, vk: &[u8], srs: &SrsReference) -> [u8; 32] {
    let shape = serde_json::to_vec(shape).expect("a shape is plain data");
    let mut hash = Blake2b256::new();
    for part in [DIGEST_LABEL, &shape, vk, &srs.g2_bytes(), &srs.tau_g2_bytes()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
