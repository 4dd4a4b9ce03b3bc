//! The keys of a shape.

use std::sync::Arc;

use blake2::{digest::consts::U32, Blake2b};
use muster_circuits::{translation::TranslationShape, CircuitShape, Shape};
use muster_gates::{GateCircuit, Placement};
use muster_params::{Srs, SrsCache};
use muster_verifier::{Format, Key};

use crate::{
    profile::{Phase, Profile, Stopwatch},
    proof::ProofKind,
    Error,
};

mod circuit;
mod plan;
mod reference;
mod store;
#[cfg(test)]
mod tests;

pub use circuit::{backend, CircuitKeys, Memory};
use plan::srs_degree_of;
pub use plan::Plan;
pub use reference::SrsReference;
pub use store::{
    KeyFiles, KeyFilesOf, TranslationKeyFiles, PROVING_KEY_FILE, SHAPE_FILE, VERIFYING_KEY_FILE,
};

pub(crate) type Blake2b256 = Blake2b<U32>;

/// The keys that proofs for one shape are made and checked with: [`Keys`] or [`TranslationKeys`].
#[derive(Clone, Debug)]
pub struct KeysOf<S> {
    /// The half that verifiers load: proofs that are made are verified with it, and with nothing else.
    pub(crate) verifier: VerifierKeyOf<S>,
    placement: Placement,
    /// Those of the circuit, whatever it proves.
    pub(crate) circuit: CircuitKeys,
}

/// The keys of a threshold circuit.
pub type Keys = KeysOf<Shape>;

/// The keys of a translation.
pub type TranslationKeys = KeysOf<TranslationShape>;

impl<S: CircuitShape> KeysOf<S> {
    /// Makes the keys of a shape for proofs of the format `fast`.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`CircuitShape::check`]; [`Error::Usage`] if the SRS is not of its degree,
    /// or if [`ENGINE_ENV`](muster_engine::ENGINE_ENV) names nothing that this machine has; [`Error::Prover`].
    pub fn make(srs: &Srs, shape: &S) -> Result<Self, Error> {
        Self::make_planned(srs, shape, None)
    }

    /// Makes the keys of a shape for proofs of the format `compact`, with the packs of [`Self::plan`].
    ///
    /// # Errors
    ///
    /// As [`Self::make`]; the SRS is to be of the degree that the plan needs.
    pub fn make_compact(srs: &Srs, shape: &S, plan: &Plan) -> Result<Self, Error> {
        Self::make_planned(srs, shape, Some(plan))
    }

    /// Makes the keys of a shape for proofs of the format `compact` with the packs of a plan, or of the format `fast` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Self::make`] and [`Self::make_compact`].
    pub fn make_planned(srs: &Srs, shape: &S, plan: Option<&Plan>) -> Result<Self, Error> {
        check_degree(srs, shape, plan.map_or(shape.layout().k, Plan::srs_degree))?;
        let (recorded, description) = (circuit_of(shape)?, description(shape));
        let circuit = match plan {
            None => CircuitKeys::make(srs, &recorded, shape.public_inputs(), description),
            Some(plan) => CircuitKeys::make_compact(srs, &recorded, plan, description),
        }?;
        let placement = recorded.gates.placement().unwrap_or_default();
        let (key, srs) = (circuit.verifier().clone(), SrsReference::new(srs));
        let verifier = VerifierKeyOf { shape: shape.clone(), key, srs };
        Ok(Self { verifier, placement, circuit })
    }

    /// Which polynomials of a shape's circuit share a commitment in the format `compact`: so that proving and verifying on a chain cost
    /// least together, or with this stride.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`CircuitShape::check`], [`Error::Usage`] for a stride that no key has.
    pub fn plan(shape: &S, stride: Option<u32>) -> Result<Plan, Error> {
        Plan::of(&VerifierKeyOf::protocol(shape)?, stride)
    }

    /// Makes the keys of a shape for proofs of this kind, with the usual packs if it has any.
    ///
    /// # Errors
    ///
    /// As [`Self::make`]; the SRS is to be of the degree that [`Self::srs_degree`] says.
    pub fn make_for(srs: &Srs, shape: &S, kind: ProofKind) -> Result<Self, Error> {
        Self::make_planned(srs, shape, Self::usual_plan(shape, kind)?.as_ref())
    }

    /// log₂ of the powers of the SRS that such keys are made from.
    ///
    /// # Errors
    ///
    /// As [`Self::plan`].
    pub fn srs_degree(shape: &S, kind: ProofKind) -> Result<u32, Error> {
        let plan = Self::usual_plan(shape, kind)?;
        Ok(plan.as_ref().map_or(shape.layout().k, Plan::srs_degree))
    }

    /// The plan of a shape for proofs of this kind, if they have packs.
    pub(crate) fn usual_plan(shape: &S, kind: ProofKind) -> Result<Option<Plan>, Error> {
        (kind == ProofKind::Compact).then(|| Self::plan(shape, None)).transpose()
    }

    /// Keeps the bases of packs in a cache, where the next process finds them: making them takes longer than a proof. Keys of the format
    /// `fast` have none.
    pub fn keep_bases_in(&mut self, cache: SrsCache) {
        self.circuit.keep_bases_in(cache);
    }

    /// Whether proofs find all bases that they commit with. If not, the first one makes some, unless [`Self::prepare`] did.
    pub fn has_bases(&self, srs: &Srs) -> bool {
        self.circuit.has_bases(srs)
    }

    /// Whether these are the keys that [`Self::make`] makes for their shape from `srs`: the verifying key, all numbers
    /// of the proving key, and where cells are placed. Other keys give no proofs. This takes less time than making the
    /// keys, and as much memory.
    ///
    /// # Errors
    ///
    /// As [`Self::make`].
    pub fn is_made_from(&self, srs: &Srs) -> Result<bool, Error> {
        check_degree(srs, self.shape(), self.verifier.srs_degree())?;
        let key = self.circuit.verifier();
        // First what takes no time: to record a circuit does.
        if self.verifier.digest() != key.digest() {
            return Ok(false);
        }
        let Some(circuit) = self.verifier.circuit_for(srs)? else { return Ok(false) };
        let own = circuit::columns_if_of(key, srs, &circuit)?;
        let is_it = own.is_some_and(|own| own == self.circuit.own());
        Ok(is_it && circuit.gates.placement().unwrap_or_default() == self.placement)
    }

    /// The shape.
    pub fn shape(&self) -> &S {
        &self.verifier.shape
    }

    /// What the prover must know about where the keys place cells.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// What the keys say about the SRS that they were made from; see [`Self::check_srs`].
    pub fn srs(&self) -> &SrsReference {
        &self.verifier.srs
    }

    /// Prepares what the proofs of these keys share, so that not even the first has to wait for it. It is kept as long as the keys are.
    /// Proofs are the same either way. Returns what it took.
    ///
    /// # Errors
    ///
    /// Those of [`prove`](crate::prove).
    pub fn prepare(&self, srs: &Srs, memory: Memory) -> Result<Profile, Error> {
        let mut watch = Stopwatch::start();
        self.check_srs(srs)?;
        let prover = self.circuit.prover(srs, &mut watch)?;
        if memory == Memory::Fast {
            prover.keep(&self.circuit.columns);
        }
        watch.lap(Phase::Preparation, 0);
        Ok(watch.profile)
    }

    /// See [`VerifierKey::digest`].
    pub fn vk_digest(&self) -> [u8; 32] {
        self.verifier.digest()
    }

    /// The half that verifiers need.
    pub fn verifier(&self) -> VerifierKeyOf<S> {
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

/// The key that proofs for one shape are checked with: [`VerifierKey`] or [`TranslationVerifierKey`]. It is small, and needs no
/// SRS.
#[derive(Clone, Debug)]
pub struct VerifierKeyOf<S> {
    shape: S,
    key: Arc<Key>,
    srs: SrsReference,
}

/// The key that proofs of a threshold circuit are checked with.
pub type VerifierKey = VerifierKeyOf<Shape>;

/// The key that proofs of a translation are checked with.
pub type TranslationVerifierKey = VerifierKeyOf<TranslationShape>;

impl<S: CircuitShape> VerifierKeyOf<S> {
    /// The shape.
    pub fn shape(&self) -> &S {
        &self.shape
    }

    /// The key as any verifier of the format reads it.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The format of the proofs that the key verifies, and its keys make.
    pub fn kind(&self) -> ProofKind {
        match self.key.format() {
            Format::Fast => ProofKind::Fast,
            Format::Compact => ProofKind::Compact,
        }
    }

    /// Whether this is a key of the format `compact` that has the packs of a plan, or one of the format `fast` if there is none.
    pub fn has_packs_of(&self, plan: Option<&Plan>) -> bool {
        self.key.as_compact().map(|compact| compact.packing()) == plan.map(Plan::packing)
    }

    /// log₂ of the powers of the SRS that proofs are made with.
    pub fn srs_degree(&self) -> u32 {
        srs_degree_of(&self.key)
    }

    /// What the key says about the SRS that it was made from. The digest covers only the points: all else is a claim.
    pub fn srs(&self) -> &SrsReference {
        &self.srs
    }

    /// Names the key: Keccak-256 of its bytes, the shape and tau in G2 included. Verifiers who compare it with a published one need
    /// not trust where the files come from.
    pub fn digest(&self) -> [u8; 32] {
        self.key.digest()
    }

    /// Whether this is the key that [`Keys::make_for`] makes for its shape from `srs`. The check takes a fraction of the
    /// time and memory: whoever was given a key need not make it to know that it is the circuit's.
    ///
    /// # Errors
    ///
    /// As [`Keys::make`].
    pub fn is_made_from(&self, srs: &Srs) -> Result<bool, Error> {
        Ok(self.has_points_of(srs)? && self.srs.origin == *srs.origin())
    }

    /// The same, but the SRS may come from another file than the key claims: only its points, and whether it is insecure, count.
    ///
    /// # Errors
    ///
    /// As [`Keys::make`].
    pub fn has_points_of(&self, srs: &Srs) -> Result<bool, Error> {
        let Some(circuit) = self.circuit_for(srs)? else { return Ok(false) };
        Ok(circuit::columns_if_of(&self.key, srs, &circuit)?.is_some())
    }

    /// The circuit of the shape, if what stands beside the key belongs to it and to `srs`.
    fn circuit_for(&self, srs: &Srs) -> Result<Option<GateCircuit>, Error> {
        check_degree(srs, &self.shape, self.srs_degree())?;
        if self.srs.check(srs).is_err() || !self.describes_itself() {
            return Ok(None);
        }
        // A layout without room for the circuit has no keys: writing its rows would panic.
        Ok(circuit_of(&self.shape).ok())
    }

    /// Whether the key says of itself what stands beside it.
    fn describes_itself(&self) -> bool {
        let Self { shape, key, srs, .. } = self;
        key.description() == description(shape)
            && key.is_ceremony() != srs.insecure
            && key.tau_g2() == srs.tau_bytes()
            && key.protocol().inputs() == shape.public_inputs()
    }
}

/// The circuit of a shape, which has room for it.
fn circuit_of<S: CircuitShape>(shape: &S) -> Result<GateCircuit, Error> {
    let circuit = shape.keygen_circuit();
    let no_room = muster_circuits::Error::Layout("the circuit does not fit its columns");
    circuit.fits().then_some(circuit).ok_or(no_room.into())
}

/// What a key says that its inputs mean: those of this shape.
fn description<S: CircuitShape>(shape: &S) -> Vec<u8> {
    serde_json::to_vec(shape).expect("a shape is plain data")
}

/// Checks a shape, and that an SRS has the degree that its keys need.
fn check_degree<S: CircuitShape>(srs: &Srs, shape: &S, needed: u32) -> Result<(), Error> {
    shape.check()?;
    let (k, degree) = (srs.k(), shape.layout().k);
    if k == needed {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "an SRS of k = {k} for a shape of degree {degree}, whose keys need one of k = {needed}"
    )))
}
