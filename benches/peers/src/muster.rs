//! Muster itself, from this checkout: k distinct members of a committed set of n signed, with ECDSA on secp256k1 or with
//! Ed25519.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    CircuitShape as _, Columns, MessageForm, Request, Rule, Scheme, Shape as CircuitShape,
    Statement,
};
use muster_params::Srs;
use muster_prover::sample::{Plan, Sample, Source};
use muster_prover::{prove, Keys, Proof, ProofKind, VerifierKey};

use crate::error::PeerError;
use crate::halo2_lib::count;
use crate::measure::{Prover, Shape};
use crate::sample::ED25519_MESSAGE_BYTES;
use crate::usage::Usage;

/// What the sample is made from, instead of the number that the peers' samples come from.
const SEED: &str = "muster peers";

/// A sample with an SRS of its circuit's size; the keys come with [`Prover::keygen`].
pub(crate) struct MusterProver {
    shape: CircuitShape,
    srs: Srs,
    sample: Sample,
    statement: Statement,
    keys: Option<(Keys, VerifierKey)>,
}

impl MusterProver {
    /// `signatures` of `members` sign. The circuit has room for just these; its degree is what muster
    /// takes for the fastest unless one is given.
    pub(crate) fn ecdsa_secp256k1(
        signatures: usize,
        members: usize,
        degree: Option<u32>,
    ) -> Result<Self, PeerError> {
        let request = Request::new(Scheme::EcdsaSecp256k1, members, signatures);
        Self::new(Request { degree, ..request }, None)
    }

    /// The same for Ed25519 as Midnight's circuit accepts it.
    pub(crate) fn ed25519(
        signatures: usize,
        members: usize,
        degree: Option<u32>,
    ) -> Result<Self, PeerError> {
        let request = Request::new(Scheme::Ed25519, members, signatures);
        let message = MessageForm::Sha256 { most: ED25519_MESSAGE_BYTES };
        let form = Some(message);
        let request = Request { degree, rule: Some(Rule::Strict), message: form, ..request };
        Self::new(request, Some(message))
    }

    fn new(request: Request, form: Option<MessageForm>) -> Result<Self, PeerError> {
        let failed = |reason: String| PeerError::Proof { step: "muster's sample", reason };
        let (members, signatures) = (request.capacity, request.slots);
        let shape = CircuitShape::fit(&request).map_err(|error| failed(error.to_string()))?;
        let plan = Plan {
            scheme: shape.scheme,
            keys: shape.keys,
            form,
            hash: shape.hash,
            signers: members,
            signing: signatures,
            message: None,
            tree: (shape.arity, shape.depth),
        };
        let sample = Sample::new(&plan, Source::from_text(SEED))
            .map_err(|error| failed(error.to_string()))?;
        let tree = shape.tree(&sample.committee).map_err(|error| failed(error.to_string()))?;
        let statement = Statement {
            key_set_root: tree.root(),
            threshold: signatures as u64,
            message: sample.message.clone(),
            signers: None,
        };
        let srs = Srs::insecure(shape.degree()).map_err(|error| failed(error.to_string()))?;
        Ok(Self { shape, srs, sample, statement, keys: None })
    }

    fn keys(&self) -> Result<&(Keys, VerifierKey), PeerError> {
        self.keys.as_ref().ok_or(PeerError::Proof {
            step: "proving",
            reason: "the keys were not made".to_owned(),
        })
    }
}

impl Prover for MusterProver {
    fn keygen(&mut self) -> Result<Shape, PeerError> {
        let keys = Keys::make(&self.srs, &self.shape).map_err(PeerError::at("key generation"))?;
        let verifier = keys.verifier();
        self.keys = Some((keys, verifier));
        let Columns { advice, fixed, lookups, .. } = Columns::of(&self.shape.layout);
        Ok(Shape { degree: self.shape.degree(), advice, lookup: lookups, fixed })
    }

    fn prove(&self) -> Result<Vec<u8>, PeerError> {
        let Sample { committee, signatures, .. } = &self.sample;
        let (keys, _) = self.keys()?;
        let terms = self.shape.terms().map_err(PeerError::at("the terms"))?;
        let witness = terms.verify(&self.statement, committee, signatures);
        let witness = witness.map_err(PeerError::at("the native check"))?;
        prove(&self.srs, keys, &witness)
            .map(|proof| proof.bytes().to_vec())
            .map_err(PeerError::at("proving"))
    }

    fn verify(&self, proof: &[u8], tampered: bool) -> bool {
        let Ok((_, key)) = self.keys() else { return false };
        let mut statement = self.statement.clone();
        if tampered {
            statement.key_set_root += Fr::one();
        }
        key.verify(&statement, &Proof::new(ProofKind::Fast, proof)).is_ok()
    }

    fn usage(&self) -> Result<Usage, PeerError> {
        count(&self.shape.keygen_circuit())
    }
}
