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
#[cfg(feature = "evm")]
use muster_evm::contract::{ContractKey, SrsName};
use muster_gadgets::gate::Placement;
use muster_params::Srs;

use crate::{
    commitment::Prepared,
    plonk::{is_key_of, proving_key, Phase, Profile, Prover, Stopwatch},
    Error,
};

mod proving;
mod reference;
mod store;
mod verifying;

#[cfg(test)]
mod tests;

pub use reference::SrsReference;
#[cfg(feature = "cli")]
pub(crate) use store::KeyFiles;
pub use store::{PROVING_KEY_FILE, SHAPE_FILE, VERIFYING_KEY_FILE};
pub use verifying::read_verifying_key;

/// Label of the digest of a verifying key.
const DIGEST_LABEL: &[u8] = b"muster.vk.v1";

pub(crate) type Blake2b256 = Blake2b<U32>;

/// What proofs for one shape are made and checked with.
#[derive(Clone, Debug)]
pub struct Keys {
    shape: Shape,
    placement: Placement,
    pk: ProvingKey<G1Affine>,
    srs: SrsReference,
    vk_digest: [u8; 32],
    /// The bases of the SRS for halo2's prover, prepared at its first proof.
    prepared: OnceLock<Prepared>,
    /// Likewise the key's prover on the engine.
    prover: OnceLock<Arc<Prover>>,
    /// Held while that is made.
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
        shape.check()?;
        if srs.k() != shape.degree() {
            let (k, degree) = (srs.k(), shape.degree());
            return Err(Error::Usage(format!("an SRS of k = {k} for a shape of degree {degree}")));
        }
        let circuit = ThresholdCircuit::keygen(shape);
        let pk = proving_key(backend()?, srs.params(), &circuit).map_err(Error::Prover)?;
        let placement = circuit.placement().unwrap_or_default();
        let srs = SrsReference::new(srs);
        let vk_digest = digest(shape, &pk.get_vk().to_bytes(SerdeFormat::Processed), &srs);
        let shape = shape.clone();
        let (prepared, prover, preparing) = Default::default();
        Ok(Self { shape, placement, pk, srs, vk_digest, prepared, prover, preparing })
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
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
        (1usize << self.shape.degree()).saturating_sub(blinding + 1)
    }

    /// The SRS that the keys were made from.
    pub fn srs(&self) -> &SrsReference {
        &self.srs
    }

    /// The bases of `srs`, prepared for commitments at the first call.
    ///
    /// # Errors
    ///
    /// [`Error::WrongSrs`] for another SRS than that of the keys: the first one would stay.
    pub(crate) fn prepared(&self, srs: &Srs) -> Result<&Prepared, Error> {
        self.check_srs(srs)?;
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        // Not within `get_or_init`: a thread of a pool may take up a proof meanwhile, which would wait for itself.
        let made = Prepared::new(srs.params());
        Ok(self.prepared.get_or_init(|| made))
    }

    /// The prover on the engine, prepared at the first call; what computes is
    /// [`Backend::from_env`].
    ///
    /// # Errors
    ///
    /// [`Error::WrongSrs`] as above, [`Error::Usage`] if the environment asks for what this machine does not
    /// have.
    pub(crate) fn prover(&self, srs: &Srs, watch: &mut Stopwatch) -> Result<&Prover, Error> {
        self.check_srs(srs)?;
        if let Some(prover) = self.prover.get() {
            return Ok(prover);
        }
        // One makes it, and others wait. A thread of a pool does not: while it makes a prover it may take up a proof that
        // would then wait for itself. Whatever is made twice is the same.
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

    /// Prepares what the proofs of these keys share, so that not even the first has to wait for it. What is kept
    /// stays as long as the keys do. Proofs are the same with and without. Returns what it took.
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
    #[cfg(feature = "cli")]
    pub(crate) fn prepare_reference(&self, srs: &Srs) -> Result<Profile, Error> {
        let mut watch = Stopwatch::start();
        self.prepared(srs)?;
        watch.lap(Phase::Preparation, 1);
        Ok(watch.profile())
    }

    /// See [`VerifierKey::digest`].
    pub fn vk_digest(&self) -> [u8; 32] {
        self.vk_digest
    }

    /// The half that verifiers need.
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey {
            shape: self.shape.clone(),
            vk: verifying::slim(self.pk.get_vk()),
            params: self.srs.verifier_params(self.shape.degree()),
            srs: self.srs.clone(),
            digest: self.vk_digest,
        }
    }

    /// Holds an SRS to the one that the keys were made from.
    pub(crate) fn check_srs(&self, srs: &Srs) -> Result<(), Error> {
        if srs.digest() == self.srs.digest {
            return Ok(());
        }
        let expected = hex::encode(self.srs.digest);
        Err(Error::WrongSrs { expected, found: format!("digest 0x{}", hex::encode(srs.digest())) })
    }
}

/// What is kept between the proofs of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The key, constraints and bases.
    #[default]
    Low,
    /// Also the values of the key's own columns wherever constraints are evaluated: of each as many numbers as
    /// the circuit has rows, four times. Proofs then need not compute them.
    Fast,
}

/// What computes, as the environment says.
///
/// # Errors
///
/// [`Error::Usage`] if it names nothing that this machine has.
pub(crate) fn backend() -> Result<Backend, Error> {
    Backend::from_env().map_err(|error| Error::Usage(error.to_string()))
}

/// What proofs for one shape are checked with. It is small, and needs no SRS.
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

    /// The SRS that the keys were made from.
    pub fn srs(&self) -> &SrsReference {
        &self.srs
    }

    /// Names the key: Blake2b-256 of a label, the shape, the key and tau in G2. Verifiers who
    /// compare it with a published one need not trust where the files come from.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Whether this is the key that [`Keys::make`] makes for its shape from `srs`. That is checked in a fraction of the time and memory:
    /// whoever was given a key need not make it to know that it is the circuit's.
    ///
    /// # Errors
    ///
    /// As [`Keys::make`].
    pub fn is_made_from(&self, srs: &Srs) -> Result<bool, Error> {
        self.shape.check()?;
        let degree = self.shape.degree();
        if srs.k() != degree {
            let k = srs.k();
            return Err(Error::Usage(format!("an SRS of k = {k} for a shape of degree {degree}")));
        }
        if self.srs != SrsReference::new(srs) {
            return Ok(false);
        }
        let circuit = ThresholdCircuit::keygen(&self.shape);
        is_key_of(backend()?, srs.params(), &circuit, &self.vk).map_err(Error::Prover)
    }

    /// What a contract that verifies proofs for this key is written for.
    #[cfg(feature = "evm")]
    pub fn contract_key(&self) -> ContractKey<'_> {
        let srs = SrsName { insecure: self.srs.insecure, digest: self.srs.digest };
        let (shape, vk, params, digest) = (&self.shape, &self.vk, &self.params, self.digest);
        ContractKey { shape, vk, params, digest, srs }
    }
}

/// See [`VerifierKey::digest`]; of the key it takes the bytes of its file.
fn digest(shape: &Shape, vk: &[u8], srs: &SrsReference) -> [u8; 32] {
    let shape = serde_json::to_vec(shape).expect("a shape is plain data");
    let mut hash = Blake2b256::new();
    for part in [DIGEST_LABEL, &shape, vk, &srs.g2_bytes(), &srs.tau_g2_bytes()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
