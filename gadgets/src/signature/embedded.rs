//! Schemes over Baby Jubjub, the curve whose coordinates are elements of the circuit's own field.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gadgets::signature::instructions::{
//!     AssignedClaim, AssignedSigner, NativeInstructions, SignatureInstructions,
//! };
//! use muster_gates::{GateCircuit, Layout, PoseidonLayout};
//! use muster_schemes::signature::{schnorr::Schnorr, Choices, SignatureScheme};
//! # use rand::rngs::OsRng;
//! # let layout = Layout {
//! #     k: 10,
//! #     vertical_columns: 2,
//! #     range_columns: 2,
//! #     range_bits: 8,
//! #     constant_rows: 128,
//! #     poseidon: vec![PoseidonLayout { width: 6, columns: 6, lanes: 1 }],
//! #     edwards_lanes: 1,
//! #     ..Layout::default()
//! # };
//!
//! let (scheme, root, message) = (Schnorr::with(Choices::default()), Fr::zero(), Fr::from(7));
//! let secrets = [1, 2].map(|seed| Schnorr::secret_key_from_seed(&[seed; 32]).unwrap());
//! let keys = secrets.each_ref().map(|secret| Schnorr::public_key(secret).into());
//! let signatures = secrets.map(|secret| Schnorr::sign(&secret, &message, &mut OsRng).into());
//! let verified = scheme.verify_all(&root, &keys, &message, &signatures).unwrap();
//! let circuit = GateCircuit::new(&layout, false, |ctx| {
//!     let [message, root, weight] = [message, root, Fr::one()].map(|v| ctx.load_witness(v));
//!     let claim = AssignedClaim { key_set_root: root, message };
//!     let keys = scheme.assign_keys(ctx, &verified.keys).into_iter();
//!     let signers: Vec<_> = keys.map(|public_key| AssignedSigner { public_key, weight }).collect();
//!     scheme.assert_verify_all(ctx, &claim, &signers, &verified.signatures).unwrap();
//! });
//! let circuit = circuit.with_public_inputs(1);
//! let run = |message: Fr| MockProver::run(layout.k, &circuit, vec![vec![message]]).unwrap();
//! assert!(run(message).verify().is_ok());
//! assert!(run(Fr::from(8)).verify().is_err());
//! ```

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

use ff::Field;
use rand_core::{CryptoRng, RngCore};

pub use super::point::{AssignedPoint, RawPoint};
use super::{
    batch::{verify_lanes, Challenge},
    foreign::ExceptionalCase,
    instructions::{
        each, sign_each, AssignedClaim, AssignedSigner, EdwardsNeeds, NativeInstructions, Needs,
        Padding, PaddingInstructions, Refusal, SignatureInstructions, Verified,
    },
};
use muster_gates::GateContext;
use muster_schemes::signature::{
    eddsa::Eddsa,
    edwards,
    musig::MusigError,
    schnorr::{Schnorr, CHALLENGE_DOMAIN},
    AggregateError, AnySignature, Choices, RawSignature, Signature, SignatureError,
    SignatureScheme,
};
use muster_schemes::{
    curve::edwards::{Scalar, SubgroupPoint},
    hash::poseidon::{domain, hash_with_domain},
    membership::PublicKey,
};

/// The most lanes that a batch may be spread over.
const LANES: usize = 8;
/// Rows of the Edwards gate that a slot takes at least: the tables of a key and of R, a long term and
/// a short one.
const ROWS: usize = 12 + 12 + 64 + 32;
/// The same where all slots share one signature: a table and a short term.
const AGGREGATE_ROWS: usize = 12 + 32;

/// A scheme over Baby Jubjub, given by what distinguishes it from the others.
pub trait EmbeddedScheme:
    SignatureScheme<PublicKey = SubgroupPoint, Message = Fr, Signature = Signature>
    + Copy
    + Default
    + std::fmt::Debug
    + Send
    + Sync
    + 'static
{
    /// Whether the signers make one signature together.
    const TOGETHER: bool = false;

    /// How it makes its challenge.
    fn challenge() -> Challenge;

    /// Checks the one signature of all signers, by their keys in the order of the set.
    ///
    /// # Errors
    ///
    /// [`Refusal::AggregateKey`] or [`Refusal::Aggregate`]; [`Refusal::WrongKind`] for a scheme
    /// whose signers sign separately.
    fn verify_together(
        _root: &Fr,
        _signers: &[SubgroupPoint],
        _message: &Fr,
        _signature: &Signature,
    ) -> Result<(), Refusal> {
        Err(Refusal::WrongKind)
    }

    /// The one signature of all signers, by their secret keys in the order of the set.
    ///
    /// # Errors
    ///
    /// [`MusigError`].
    fn sign_together<R: RngCore + CryptoRng + Send>(
        _root: &Fr,
        _signers: Vec<(Self::SecretKey, R)>,
        _message: &Fr,
    ) -> Result<Signature, MusigError> {
        Err(MusigError::NoSigner)
    }

    /// Constrains the signatures of all signers on the claim's message: one per signer, and an
    /// equal share of them in each lane.
    ///
    /// # Panics
    /// If lanes get different numbers of signers, or odd ones, or there is no signature.
    fn assert_all(
        ctx: &mut GateContext,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    ) {
        verify_lanes(ctx, Self::challenge(), claim.message, signers, signatures);
    }

    /// The signature of the secret key 1, whose public key is the generator, with the nonce 1: `R = B`,
    /// `s = 1 + g·c`. It guards no secret.
    fn padding_signature(message: &Fr) -> RawSignature {
        let RawPoint { x, y } = RawPoint::generator();
        let challenge = Self::challenge();
        let c = hash_with_domain(challenge.domain, &[x, y, x, y, *message]);
        let s = Scalar::ONE + Scalar::from(challenge.factor) * Scalar::from_base(&c);
        RawSignature { x, y, s: s.to_bytes() }
    }
}

/// `s·B = R + c·A` with a tagged challenge.
impl EmbeddedScheme for Schnorr {
    fn challenge() -> Challenge {
        Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
    }
}

/// `s·B = R + 8·h·A` with circomlib's untagged challenge.
impl EmbeddedScheme for Eddsa {
    fn challenge() -> Challenge {
        Challenge { domain: Fr::zero(), factor: 8 }
    }
}

impl<S: EmbeddedScheme> NativeInstructions for S {
    type RawKey = RawPoint;
    type RawSignature = RawSignature;
    const AGGREGATE: bool = S::TOGETHER;

    fn with(_: Choices) -> Self {
        Self::default()
    }

    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        key.of::<SubgroupPoint>().map(drop).ok_or(SignatureError::OtherKey)
    }

    fn encode_member(&self, key: &PublicKey) -> Option<Vec<u8>> {
        key.of::<SubgroupPoint>().map(S::encode_public_key)
    }

    fn sign_all<R: RngCore + CryptoRng + Send>(
        &self,
        root: &Fr,
        signers: Vec<(S::SecretKey, R)>,
        message: &Fr,
    ) -> Result<Vec<AnySignature>, AggregateError> {
        if S::TOGETHER {
            Ok(vec![S::sign_together(root, signers, message)?.into()])
        } else {
            Ok(sign_each(self, signers, message))
        }
    }

    fn verify_all(
        &self,
        root: &Fr,
        signers: &[PublicKey],
        message: &Fr,
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        let raw = |key: &SubgroupPoint| RawPoint { x: key.x(), y: key.y() };
        if S::TOGETHER {
            let keys: Option<Vec<_>> =
                signers.iter().map(|key| key.of::<SubgroupPoint>().copied()).collect();
            let keys = keys.ok_or(Refusal::WrongKind)?;
            let [signature] = signatures else { return Err(Refusal::WrongKind) };
            let signature = signature.of::<edwards::Signature>().ok_or(Refusal::WrongKind)?;
            S::verify_together(root, &keys, message, signature)?;
            let signatures = vec![(*signature).into()];
            return Ok(Verified { keys: keys.iter().map(raw).collect(), signatures });
        }
        each(self, signers, signatures, |signer, key, signature| {
            let key = key.of::<SubgroupPoint>().ok_or(Refusal::WrongKind)?;
            let signature = signature.of::<edwards::Signature>().ok_or(Refusal::WrongKind)?;
            let verdict = S::verify(key, message, signature);
            verdict.map_err(|rule| Refusal::Signature { signer, rule })?;
            Ok((raw(key), (*signature).into()))
        })
    }
}

impl<S: EmbeddedScheme> PaddingInstructions for S {
    fn padding(&self, message: &Fr, number: u8) -> Option<Padding<Self>> {
        let key = RawPoint::generator();
        let signature = S::padding_signature(message);
        (number == 0).then_some(Padding { key, leaf_key: vec![key.x], signature })
    }

    fn padding_name(&self) -> Option<Fr> {
        Some(RawPoint::generator().x)
    }
}

impl<S: EmbeddedScheme> SignatureInstructions for S {
    type AssignedKey = AssignedPoint;
    type AssignedMessage = AssignedValue<Fr>;

    fn needs(&self) -> Needs {
        let edwards = if S::TOGETHER {
            EdwardsNeeds { lanes: 1, rows: AGGREGATE_ROWS }
        } else {
            EdwardsNeeds { lanes: LANES, rows: ROWS }
        };
        Needs { edwards: Some(edwards), ..Needs::default() }
    }

    fn assign_message(
        &self,
        _: &mut GateContext,
        public: &[AssignedValue<Fr>],
        _: &Fr,
    ) -> AssignedValue<Fr> {
        let [message] = public else { unreachable!("an element takes one public input") };
        *message
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[RawPoint]) -> Vec<AssignedPoint> {
        let share = keys.len() / ctx.chips.edwards.lanes();
        let eighths = RawPoint::eighths(ctx.chips, keys).into_iter().enumerate();
        let point = |(number, q)| AssignedPoint::of_eighth(ctx, number / share, q);
        eighths.map(point).collect()
    }

    fn name(&self, _: &mut GateContext, key: &AssignedPoint) -> AssignedValue<Fr> {
        key.x()
    }

    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    ) -> Result<(), ExceptionalCase> {
        S::assert_all(ctx, claim, signers, signatures);
        Ok(())
    }
}
