//! Schnorr signatures over secp256k1 as in Bitcoin (BIP-340) in circuit: many in one sum.

#[cfg(test)]
#[path = "../../../../schemes/src/signature/bip340/tests/vectors.rs"]
pub(crate) mod vectors;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell::Existing};
use num_bigint::BigUint;

use crate::{
    curve::weierstrass::{chip_of, CurveEquations},
    field::foreign::{
        halves::halves,
        integer::{assert_at_most, assert_even, element},
    },
    hash::sha256,
    signature::{
        foreign::{
            assign_keys, equations, from_halves, integers, AssignedKey, AssignedNonce,
            ExceptionalCase, Opened, RawKey, RawSignature, SchnorrBatch, SignatureBatch,
        },
        instructions::{
            each, AssignedClaim, AssignedSigner, Chains, NativeInstructions, Needs, Padding,
            PaddingInstructions, Refusal, SignatureInstructions, Verified,
        },
    },
};
use muster_gates::GateContext;
use muster_schemes::membership;
use muster_schemes::signature::bip340::{Bip340, PublicKey, SecretKey, Signature, CHALLENGE_TAG};
use muster_schemes::{
    curve::weierstrass::{Curve, Point},
    hash::sha256::Midstate,
    signature::{AnySignature, Choices, SignatureError, SignatureScheme},
};

const CURVE: Curve = Curve::Secp256k1;

fn raw(signature: &Signature) -> RawSignature {
    let s = BigUint::from_bytes_be(&signature.s());
    RawSignature { nonce: integers(&signature.nonce_point()), s }
}

impl NativeInstructions for Bip340 {
    type RawKey = RawKey;
    type RawSignature = RawSignature;

    fn with(_: Choices) -> Self {
        Self
    }

    /// BIP-340 keys have an even y.
    fn admits(&self, key: &membership::PublicKey) -> Result<(), SignatureError> {
        let point = key.of::<Point>().ok_or(SignatureError::OtherKey)?;
        let point = point.on(CURVE).map_err(SignatureError::Key)?;
        (!point.is_odd()).then_some(()).ok_or(SignatureError::OddKey)
    }

    fn encode_member(&self, key: &membership::PublicKey) -> Option<Vec<u8>> {
        let point = key.of::<Point>().filter(|_| self.admits(key).is_ok())?;
        Some(point.x().to_vec())
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[membership::PublicKey],
        message: &[u8; 32],
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        each(self, signers, signatures, |signer, key, signature| {
            let point = key.of::<Point>().ok_or(Refusal::WrongKind)?;
            let signature = signature.of::<Signature>().ok_or(Refusal::WrongKind)?;
            let verdict = PublicKey::from_point(*point)
                .and_then(|key| Self::verify(&key, message, signature));
            verdict.map_err(|rule| Refusal::Signature { signer, rule })?;
            Ok((integers(point), raw(signature)))
        })
    }
}

impl PaddingInstructions for Bip340 {
    /// The signer with the secret key `number + 1`.
    fn padding(&self, message: &[u8; 32], number: u8) -> Option<Padding<Self>> {
        let mut bytes = [0; 32];
        bytes[31] = number.checked_add(1)?;
        let secret = SecretKey::from_bytes(&bytes);
        let secret = secret.expect("a small number that is not 0 is a secret key");
        let (key, signature) = (secret.public_key(), raw(&secret.sign(message, &[0; 32])));
        let leaf_key = vec![self.member(&key).name()];
        Some(Padding { key: integers(&key.point()), leaf_key, signature })
    }
}

impl SignatureInstructions for Bip340 {
    type AssignedKey = AssignedKey;
    type AssignedMessage = [AssignedValue<Fr>; 2];

    fn needs(&self) -> Needs {
        Needs { equations: equations(CURVE), sha256: Some(Chains::OfEachSlot), ..Needs::default() }
    }

    fn assign_message(
        &self,
        _: &mut GateContext,
        public: &[AssignedValue<Fr>],
        _: &[u8; 32],
    ) -> [AssignedValue<Fr>; 2] {
        public.try_into().expect("a digest takes two public inputs")
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[RawKey]) -> Vec<AssignedKey> {
        assign_keys(ctx, CURVE, keys)
    }

    fn name(&self, ctx: &mut GateContext, key: &AssignedKey) -> AssignedValue<Fr> {
        key.name(ctx.chips)
    }

    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<[AssignedValue<Fr>; 2]>,
        signers: &[AssignedSigner<AssignedKey>],
        signatures: &[RawSignature],
    ) -> Result<(), ExceptionalCase> {
        let keys: Vec<_> = signers.iter().map(|signer| signer.public_key.clone()).collect();
        assert_verify_all(ctx, claim.message, &keys, signatures)
    }
}

/// Constrains one signature per key on a digest, given as its high and its low half:
/// `R = s·G - e·A` with `e` the tagged hash of `R`, `A` and the digest, both points with an even
/// second coordinate. The batch is `Σ zᵢ·Rᵢ + Σ zᵢ·eᵢ·Aᵢ - (Σ zᵢ·sᵢ)·G = 0`.
///
/// # Errors
/// [`ExceptionalCase`]; nobody knows how to make keys for it. The same constraints are recorded, and the
/// witness does not satisfy them.
///
/// # Panics
/// If there are no keys, or a wrong number of signatures.
pub fn assert_verify_all(
    ctx: &mut GateContext,
    digest: [AssignedValue<Fr>; 2],
    keys: &[AssignedKey],
    signatures: &[RawSignature],
) -> Result<(), ExceptionalCase> {
    assert!(!keys.is_empty() && keys.len() == signatures.len(), "a signature a key");
    Batch::open(ctx, digest, keys, signatures).assert_all(ctx, keys)
}

/// The signatures.
pub(crate) type Batch = SchnorrBatch<AssignedKey>;

impl Batch {
    pub(crate) fn open(
        ctx: &mut GateContext,
        digest: [AssignedValue<Fr>; 2],
        keys: &[AssignedKey],
        signatures: &[RawSignature],
    ) -> Self {
        let equations = CurveEquations::new(CURVE);
        let opened = keys
            .iter()
            .zip(signatures)
            .map(|(key, signature)| {
                let nonce = AssignedNonce::new(ctx.chips, &equations, &signature.nonce);
                open(ctx, &equations, digest, key, nonce, &signature.s)
            })
            .collect();
        Self::new(equations, opened)
    }
}

/// Constrains `R` and `A` to have even second coordinates and `s` to be below the order, and hashes
/// the challenge.
fn open(
    ctx: &mut GateContext,
    equations: &CurveEquations,
    digest: [AssignedValue<Fr>; 2],
    key: &AssignedKey,
    nonce: AssignedNonce,
    s: &BigUint,
) -> Opened {
    let (chip, curve) = (chip_of(ctx.chips, equations.curve()), equations.curve());
    assert_even(chip, &key.coordinates()[1]);
    nonce.assert_even(ctx.chips, curve);
    let s = element(chip, s);
    assert_at_most(chip, &s, &(curve.n() - 1u8));
    let r = halves(ctx, nonce.x().limbs());
    let message = [r, key.halves()[0], digest].concat();
    let message: Vec<_> = message.into_iter().map(Existing).collect();
    let challenge = sha256::digest(ctx, &Midstate::tagged(CHALLENGE_TAG), &message);
    let nonce = nonce.point().clone();
    Opened { nonce, s, challenge: from_halves(ctx, challenge) }
}
