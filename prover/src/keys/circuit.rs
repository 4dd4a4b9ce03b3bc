//! The keys of any circuit.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1},
        ff::Field,
        group::Curve,
    },
    plonk::Circuit,
    poly::commitment::ParamsProver,
};
use muster_engine::{Backend, Bases, Domain};
use muster_params::{Srs, SrsCache};
use muster_verifier::{CompactKeyParts, Decider, Key, KeyParts, Pack, Packing, Round};
use rand::{rngs::OsRng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    plan::{srs_degree_of, Plan},
    reference::SrsReference,
};
use crate::{
    logup::{
        commit, decider_columns, interleaved, point, point_bytes, to_bytes, KeyColumns, Prover,
        Reading,
    },
    polynomial::{coefficients, combine, powers, Numbers},
    profile::{Phase, Stopwatch},
    proof::VerifyError,
    synthesis::{self, Made},
    Error,
};

/// The keys of a circuit: what verifiers load, and the columns that provers need besides.
///
/// [`KeysOf`](super::KeysOf) are those of Muster's circuits, with all that is known about them. These are for circuits of your own.
#[derive(Clone, Debug)]
pub struct CircuitKeys {
    key: Arc<Key>,
    /// Which columns of the circuit the key has.
    reading: Arc<Reading>,
    pub(super) columns: Arc<KeyColumns>,
    /// Where bases of packs are kept.
    cache: Option<SrsCache>,
    /// Made at the first proof.
    prover: OnceLock<Arc<Prover>>,
    /// Held while it is made.
    preparing: Arc<Mutex<()>>,
}

impl CircuitKeys {
    /// Makes the keys of a circuit with so many public inputs. The description goes into the key, and so into its digest: it says what the
    /// inputs mean.
    ///
    /// # Errors
    ///
    /// [`Error::Prover`] for what the circuit's synthesis refuses, [`Error::Protocol`] for a circuit that the format has no room for,
    /// [`Error::Key`].
    pub fn make<C: Circuit<Fr>>(
        srs: &Srs,
        circuit: &C,
        inputs: usize,
        description: Vec<u8>,
    ) -> Result<Self, Error> {
        let (reading, own) = columns_of(circuit, srs.k(), inputs)?;
        let bases = Bases::plain(backend()?, &srs.lagrange());
        let mut fixed: Vec<[u8; 64]> = commit(&bases, &own).iter().map(point_bytes).collect();
        let sigma = fixed.split_off(reading.protocol.fixed());
        let protocol = reading.protocol.clone();
        let (is_ceremony, tau_g2) = (!srs.is_insecure(), SrsReference::new(srs).tau_bytes());
        let parts = KeyParts { protocol, description, is_ceremony, tau_g2, fixed, sigma };
        let key = Key::new(parts).map_err(Error::Key)?;
        Self::of(Arc::new(key), reading, own)
    }

    /// Makes keys of the format `compact`, with the packs of a plan for the circuit's protocol.
    ///
    /// # Errors
    ///
    /// As [`Self::make`]; [`Error::Usage`] if the plan is for another circuit, or the SRS is not of the degree that it needs.
    pub fn make_compact<C: Circuit<Fr>>(
        srs: &Srs,
        circuit: &C,
        plan: &Plan,
        description: Vec<u8>,
    ) -> Result<Self, Error> {
        let (found, degree) = (srs.k(), plan.srs_degree());
        if found != degree {
            return Err(Error::Usage(format!(
                "the SRS is for k = {found}, and keys of the format compact with the stride {} need one for k = {degree}",
                plan.packing().stride()
            )));
        }
        let protocol = plan.packing().protocol();
        let (reading, own) = columns_of(circuit, protocol.k(), protocol.inputs())?;
        if reading.protocol != *protocol {
            return Err(Error::Usage("the plan is for another circuit".into()));
        }
        let (packs, decider) = packs_of(srs, plan.packing(), &own)?;
        let (is_ceremony, tau_g2) = (!srs.is_insecure(), SrsReference::new(srs).tau_bytes());
        let packing = plan.packing().clone();
        let parts = CompactKeyParts { packing, description, is_ceremony, tau_g2, packs, decider };
        let key = Key::compact(parts).map_err(Error::Key)?;
        Self::of(Arc::new(key), reading, own)
    }

    /// The keys with these fixed and σ columns, of which there are as many as the key has.
    pub(super) fn of(key: Arc<Key>, reading: Reading, own: Vec<Numbers>) -> Result<Self, Error> {
        let domain = Domain::new(backend()?, key.protocol().k());
        let domain = domain.map_err(|error| Error::Usage(error.to_string()))?;
        let columns = Arc::new(KeyColumns::new(&domain, key.protocol(), own));
        let (cache, prover, preparing) = Default::default();
        Ok(Self { key, reading: Arc::new(reading), columns, cache, prover, preparing })
    }

    /// Keeps the bases of packs in a cache, where the next process finds them: making them takes longer than a proof. Keys of the format
    /// `fast` have none.
    pub fn keep_bases_in(&mut self, cache: SrsCache) {
        self.cache = Some(cache);
    }

    /// Whether proofs find all bases that they commit with, or the first one makes some, which takes longer than a proof.
    pub fn has_bases(&self, srs: &Srs) -> bool {
        let Some(compact) = self.key.as_compact() else { return true };
        let packing = compact.packing();
        let strides =
            [(packing.protocol().k(), packing.stride()), (compact.decider_k(), Decider::STRIDE)];
        let is_kept = |cache: &SrsCache| {
            strides.iter().all(|(k, stride)| cache.pack_bases_path(srs, *k, *stride).exists())
        };
        self.prover.get().is_some() || self.cache.as_ref().is_some_and(is_kept)
    }

    /// log₂ of the powers of the SRS that proofs are made with.
    pub fn srs_degree(&self) -> u32 {
        srs_degree_of(&self.key)
    }

    /// What verifiers load.
    pub fn verifier(&self) -> &Arc<Key> {
        &self.key
    }

    /// The fixed and σ columns.
    pub(crate) fn own(&self) -> &[Numbers] {
        self.columns.own()
    }

    /// How many advice columns proofs have.
    pub fn advice_columns(&self) -> usize {
        self.reading.advice.len()
    }

    /// Makes a proof and verifies it.
    ///
    /// # Errors
    ///
    /// [`Error::Prover`] for what the circuit's synthesis refuses, [`Error::Unproven`] if the circuit is not satisfied, [`Error::Params`]
    /// if the SRS has too few powers, [`Error::Usage`] if it is not the one that the keys were made from, or if there are not as many
    /// inputs as the keys have.
    pub fn prove<C: Circuit<Fr>>(
        &self,
        srs: &Srs,
        circuit: C,
        inputs: &[Fr],
    ) -> Result<Vec<u8>, Error> {
        let protocol = self.key.protocol();
        if srs.k() != self.srs_degree() || SrsReference::new(srs).tau_bytes() != self.key.tau_g2() {
            return Err(Error::Usage("not the SRS that the keys were made from".into()));
        }
        if inputs.len() != protocol.inputs() {
            let (found, expected) = (inputs.len(), protocol.inputs());
            return Err(Error::Usage(format!("{found} inputs, and the keys have {expected}")));
        }
        let mut watch = Stopwatch::start();
        let proof = self.write(srs, circuit, inputs, &mut watch)?;
        let verdict = self.key.verify(&inputs.iter().map(to_bytes).collect::<Vec<_>>(), &proof);
        verdict.map_err(|error| Error::Unproven(VerifyError::from(error)))?;
        Ok(proof)
    }

    /// The bytes of a proof, not verified.
    pub(crate) fn write<C: Circuit<Fr>>(
        &self,
        srs: &Srs,
        circuit: C,
        inputs: &[Fr],
        watch: &mut Stopwatch,
    ) -> Result<Vec<u8>, Error> {
        let prover = self.prover(srs, watch)?;
        let protocol = self.key.protocol();
        let advice = synthesis::advice(protocol, self.reading.all_advice, &circuit, inputs)
            .map_err(Error::Prover)?;
        // It may take more memory than all columns.
        drop(circuit);
        let advice = synthesis::kept_of(advice, &self.reading.advice);
        watch.lap(Phase::Witness, advice.len());
        // What hides the witness: fresh randomness from the operating system.
        let rng = &mut ChaCha20Rng::from_entropy();
        Ok(prover.prove(&self.columns, advice, inputs, rng, watch))
    }

    /// The prover, prepared at the first call. Its backend is the one that the environment names.
    pub(crate) fn prover(&self, srs: &Srs, watch: &mut Stopwatch) -> Result<&Prover, Error> {
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
        let prover = Prover::new(backend()?, srs, self.key.clone(), self.cache.as_ref())?;
        prover.prepare(&self.columns);
        let prover = self.prover.get_or_init(|| Arc::new(prover));
        watch.lap(Phase::Preparation, 1);
        Ok(prover)
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

/// A circuit of `2^k` rows as keys have it: its constraints, and the fixed and σ columns.
fn columns_of<C: Circuit<Fr>>(
    circuit: &C,
    k: u32,
    inputs: usize,
) -> Result<(Reading, Vec<Numbers>), Error> {
    let made = Made::of(backend()?, k, circuit).map_err(Error::Prover)?;
    let reading = Reading::of(&made.cs, k, inputs).map_err(Error::Protocol)?;
    let own = made.into_columns(&reading.fixed);
    Ok((reading, own))
}

/// The columns of a circuit, if a key is the circuit's: its protocol, and the commitments to its columns.
pub(super) fn columns_if_of<C: Circuit<Fr>>(
    key: &Key,
    srs: &Srs,
    circuit: &C,
) -> Result<Option<Vec<Numbers>>, Error> {
    let protocol = key.protocol();
    let (reading, own) = match columns_of(circuit, protocol.k(), protocol.inputs()) {
        Err(Error::Protocol(_)) => return Ok(None),
        made => made?,
    };
    if reading.protocol != *protocol || SrsReference::new(srs).tau_bytes() != key.tau_g2() {
        return Ok(None);
    }
    let is_it = match key.as_compact() {
        None => commits_to(key, srs, &own)?,
        Some(compact) => {
            let (packs, decider) = packs_of(srs, compact.packing(), &own)?;
            packs == compact.packs() && decider == compact.decider()
        }
    };
    Ok(is_it.then_some(own))
}

/// Whether a key of the format `fast` commits to these columns. Instead of each commitment, one sum of all with random weights is computed:
/// another key passes with a probability of one over the field's size, per column.
fn commits_to(key: &Key, srs: &Srs, columns: &[Numbers]) -> Result<bool, Error> {
    let backend = backend()?;
    let weights: Numbers = powers(Fr::random(OsRng)).take(columns.len()).collect();
    let columns: Vec<&[Fr]> = columns.iter().map(Vec::as_slice).collect();
    let sum = combine(backend, &weights, &columns);
    let sum = commit(&Bases::plain(backend, &srs.lagrange()), &[sum]);
    let said = key.fixed().iter().chain(key.sigma()).zip(&weights);
    let said = said.map(|(bytes, weight)| Some(point(bytes)? * weight));
    Ok(said.sum::<Option<G1>>().is_some_and(|said| said.to_affine() == sum[0]))
}

/// What a key of the format `compact` commits to: the packs of these fixed and σ columns, and the decider's columns. The SRS has enough
/// powers.
fn packs_of(
    srs: &Srs,
    packing: &Packing,
    own: &[Numbers],
) -> Result<(Vec<[u8; 64]>, [u8; 64]), Error> {
    let decider = Decider::new(packing).map_err(|error| Error::Key(error.into()))?;
    let backend = backend()?;
    let opened = packing.protocol().arrangement().polynomials();
    // The last polynomial is the quotient, and those of the key are before it.
    let first = opened.len() - 1 - own.len();
    let of_key = packing.packs().iter().filter(|pack| pack.round == Round::Key);
    let columns = |pack: &Pack| -> Vec<&Numbers> {
        pack.polynomials.iter().map(|number| &own[number - first]).collect()
    };
    let mut packs = vec![];
    for pack in of_key {
        packs.push(packed(backend, packing.stride(), &columns(pack))?);
    }
    let columns = decider_columns(&decider);
    packs.push(packed(backend, Decider::STRIDE, &columns.iter().collect::<Vec<_>>())?);
    let powers = [srs.params().get_g(), srs.further_powers()].concat();
    let most = packs.iter().map(Vec::len).max().unwrap_or_default();
    if most > powers.len() {
        srs.require_further()?;
    }
    let bases = Bases::plain(backend, &powers[..most]);
    let mut packs: Vec<_> = commit(&bases, &packs).iter().map(point_bytes).collect();
    let decider = packs.pop().expect("the last one");
    Ok((packs, decider))
}

/// The coefficients of a pack of columns.
fn packed(backend: Backend, stride: u32, columns: &[&Numbers]) -> Result<Numbers, Error> {
    let k = columns.first().map_or(0, |column| column.len().ilog2());
    let domain = Domain::new(backend, k).map_err(|error| Error::Usage(error.to_string()))?;
    let coefficients = coefficients(&domain, columns);
    Ok(interleaved(stride as usize, coefficients.iter().map(Vec::as_slice)))
}
