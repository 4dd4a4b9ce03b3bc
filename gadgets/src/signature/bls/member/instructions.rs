//! The scheme as the threshold circuit takes it.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};
use halo2curves::bls12_381;
use rand_core::{CryptoRng, RngCore};
use rayon::prelude::*;

use super::{
    key::{name, NAME_DOMAIN, WORD},
    Bls12381, BlsSignature, OwnedKey,
};
use crate::{
    curve::{
        aggregate::{prime::Pair, SumWalk},
        pairing::{
            chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH},
            of_coordinates, BasePoint, PairingCurve,
        },
    },
    field::foreign::{integer::element, regroup::words},
    gate::{chain, foreign::AssignedLimbs, Chips},
    hash::{
        poseidon::{chip, domain},
        to_curve::{chip::FixedMessage, Bls12381G2, Tag},
    },
    membership::PublicKey,
    signature::{
        bls::{
            bls12381::ProvenPublicKey,
            chip::{equations, AssignedSigned, Hashed, KeySums, MessagePoint},
            BlsError, Coordinates, Signature, Suite,
        },
        foreign::Met,
        instructions::{
            AddsKeys, AssignedClaim, AssignedSigner, Chains, Needs, Padding, Refusal,
            SignatureInstructions, Verified,
        },
        AggregateError, AnySignature, Choices, SignatureError, SignatureScheme,
    },
};

pub(super) const CURVE: PairingCurve = PairingCurve::Bls12381;
/// Bytes of a message.
const MESSAGE: usize = 32;

/// A key: two numbers in the range of elements, and the name that they have in a leaf. That they are a point of the group is
/// taken for granted of those whose name a leaf has.
#[derive(Clone, Debug)]
pub struct AssignedKey {
    pub(super) point: Pair,
    name: AssignedValue<Fr>,
}

/// The point that is signed, and what is hashed to it.
#[derive(Clone, Debug)]
pub struct AssignedMessage {
    point: MessagePoint<AssignedTwistPoint>,
    pub(super) bytes: [u8; MESSAGE],
}

impl SignatureInstructions for Bls12381 {
    type RawKey = BasePoint;
    /// The sum of the members' signatures; `None` if nobody signs.
    type RawSignature = Option<BlsSignature>;
    type AssignedKey = AssignedKey;
    type AssignedMessage = AssignedMessage;
    const AGGREGATE: bool = true;

    fn with(choices: Choices) -> Self {
        Self::new(choices)
    }

    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        key.of::<OwnedKey>().ok_or(SignatureError::OtherKey)?.check(self.rule())
    }

    fn member(&self, key: &OwnedKey) -> PublicKey {
        (*key).into()
    }

    fn encode_member(&self, key: &PublicKey) -> Option<Vec<u8>> {
        key.of().map(Self::encode_public_key)
    }

    fn decode_member_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        Self::decode_signature(bytes).map(AnySignature::from)
    }

    fn sign_all<R: RngCore + CryptoRng + Send>(
        &self,
        _: &Fr,
        signers: Vec<(Self::SecretKey, R)>,
        message: &[u8; MESSAGE],
    ) -> Result<Vec<AnySignature>, AggregateError> {
        let sign = |(secret, mut rng): (_, R)| Self::sign(&secret, message, &mut rng).0;
        let signatures: Vec<_> = signers.into_par_iter().map(sign).collect();
        let ones = vec![bls12_381::Fr::one(); signatures.len()];
        let sum = Signature::combine(&signatures, &ones).ok_or(BlsError::Identity)?;
        Ok(vec![BlsSignature(sum).into()])
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[PublicKey],
        message: &[u8; MESSAGE],
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        let keys: Option<Vec<_>> = signers.iter().map(|key| key.of::<OwnedKey>()).collect();
        let keys = keys.ok_or(Refusal::WrongKind)?;
        let [signature] = signatures else { return Err(Refusal::WrongKind) };
        if keys.is_empty() {
            return Err(Refusal::AggregateKey(BlsError::Identity.into()));
        }
        let signature = signature.of::<BlsSignature>().ok_or(Refusal::WrongKind)?;
        let points: Vec<_> = keys.iter().map(|key| *key.key()).collect();
        ProvenPublicKey::verify_sum(&points, message, &signature.0).map_err(
            |error| match error {
                BlsError::Identity => Refusal::AggregateKey(error.into()),
                _ => Refusal::Aggregate(SignatureError::Equation),
            },
        )?;
        let keys = keys.iter().map(|key| key.coordinates()).collect();
        Ok(Verified { keys, signatures: vec![Some(*signature)] })
    }

    /// The generator. It signs as often as it fills a slot, which [`Self::assert_verify_all`] sees to.
    fn padding(&self, _: &[u8; MESSAGE]) -> Padding<Self> {
        let key = generator();
        Padding { name: name(&key), key, signature: None }
    }

    fn padding_name(&self) -> Option<Fr> {
        Some(name(&generator()))
    }

    fn adds_keys(&self) -> Option<&dyn AddsKeys<Self>> {
        Some(self)
    }

    fn needs(&self) -> Needs {
        let sums = KeySums::new(CURVE).all();
        Needs {
            equations: [equations(CURVE), Bls12381G2::equations(), sums].concat(),
            sha256: Some(Chains::Shared),
            poseidon: Some(TRANSCRIPT_WIDTH),
            ..Needs::default()
        }
    }

    fn assign_message(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        public: &[AssignedValue<Fr>],
        message: &[u8; MESSAGE],
    ) -> AssignedMessage {
        let text = FixedMessage::new(public, MESSAGE);
        let (equations, tag) = (PairingEquations::new(CURVE), ProvenPublicKey::TAG);
        let tag = Tag::new(tag).expect("a tag of less than 256 bytes");
        let point = Bls12381G2::hash_with_tag(ctx, chips, &equations, &text, &tag);
        AssignedMessage { point, bytes: *message }
    }

    fn assign_keys(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        keys: &[BasePoint],
    ) -> Vec<AssignedKey> {
        keys.iter().map(|key| assign_key(ctx, chips, key)).collect()
    }

    fn name(&self, _: &mut Context<Fr>, _: &Chips, key: &AssignedKey) -> AssignedValue<Fr> {
        key.name
    }

    /// The sum of all keys signs, and that of unused slots with it: their key is a constant whose secret is 1. So the
    /// signature is that of the members and the message's point once for each of these slots, and from one anybody has the
    /// other.
    fn assert_verify_all(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim<AssignedMessage>,
        signers: &[AssignedSigner<AssignedKey>],
        signatures: &[Option<BlsSignature>],
    ) -> Result<(), Met> {
        let unused = bls12_381::Fr::from(assert_padding(ctx, chips, signers));
        let points: Vec<_> = signers.iter().map(|signer| signer.public_key.point.clone()).collect();
        let (walk, is_there) = walk(&coordinates(&points));
        let key = KeySums::new(CURVE).sum_of_trusted_keys(chips, &points, &walk);
        let signature = with_padding(signatures, &claim.message.bytes, unused);
        let verdict = assert_signed(ctx, chips, key, &claim.message, signature);
        (verdict && is_there).then_some(()).ok_or_else(|| none_of(signers))
    }
}

/// Constrains a signature on the message to be one by the key; whether it is.
pub(super) fn assert_signed(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    key: AssignedGroupPoint,
    message: &AssignedMessage,
    signature: Option<Signature<ProvenPublicKey>>,
) -> bool {
    let is_there = signature.is_some();
    // Whatever is a point: the constraints refuse it.
    let signature = signature.unwrap_or_else(|| message_point(&message.bytes));
    let signature = ProvenPublicKey::point_coordinates(&signature.0);
    let equations = PairingEquations::new(CURVE);
    let chip = chips.foreign_of(equations.curve().parameters().p.bits() as usize);
    let signature = AssignedTwistPoint::new(chip, &equations, &signature);
    let signed = AssignedSigned { key, message: message.point.clone(), signature };
    signed.assert_verifies(ctx, chips, &equations).is_ok() && is_there
}

/// No witness with these slots.
pub(super) fn none_of(slots: &[AssignedSigner<AssignedKey>]) -> Met {
    Met { signatures: (0..slots.len()).collect() }
}

pub(super) fn generator() -> BasePoint {
    CURVE.parameters().generator.clone()
}

/// The signature of the secret 1.
fn message_point(message: &[u8]) -> Signature<ProvenPublicKey> {
    Signature(ProvenPublicKey::message_point(message))
}

fn assign_key(ctx: &mut Context<Fr>, chips: &Chips, key: &BasePoint) -> AssignedKey {
    let chip = chips.foreign_of(CURVE.parameters().p.bits() as usize);
    let point = key.each_ref().map(|coordinate| element(chip, coordinate));
    let name = assign_name(ctx, chips, &point);
    AssignedKey { point, name }
}

/// The name of two numbers: the twin of [`name`].
pub(super) fn assign_name(ctx: &mut Context<Fr>, chips: &Chips, point: &Pair) -> AssignedValue<Fr> {
    let mut inputs = vec![];
    for coordinate in point {
        let limbs: Vec<_> =
            coordinate.limbs().iter().copied().zip(coordinate.shape().widths()).collect();
        inputs.extend(words(ctx, chips, &limbs, WORD).into_iter().rev().map(Existing));
    }
    inputs.push(Constant(Fr::zero()));
    chip::hash(chips, domain(NAME_DOMAIN), &inputs).digest
}

/// Constrains the keys of slots that weigh nothing to be the generator; how many there are.
pub(super) fn assert_padding(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    signers: &[AssignedSigner<AssignedKey>],
) -> u64 {
    let (zero, padding) = (Constant(Fr::zero()), Constant(-name(&generator())));
    let mut count = 0;
    for signer in signers {
        let unused = chips.gate.is_zero(ctx, signer.weight);
        count += u64::from(*unused.value() == Fr::one());
        let unused = Existing(unused);
        let terms = [(unused, Existing(signer.public_key.name)), (unused, padding)];
        chain::assert_sum(ctx, zero, &terms, zero);
    }
    count
}

/// The coordinates of keys, modulo the prime.
pub(super) fn coordinates(points: &[Pair]) -> Vec<BasePoint> {
    let p = &CURVE.parameters().p;
    let number = |coordinate: &AssignedLimbs| coordinate.value() % p;
    points.iter().map(|point| point.each_ref().map(number)).collect()
}

/// The way of the sum of points, and whether they are on the curve and have one.
pub(super) fn walk(points: &[BasePoint]) -> (SumWalk<1>, bool) {
    let walk = walk_of(points);
    let is_there = walk.is_some();
    // Whatever is a way of as many points: the constraints refuse it.
    let other = || walk_of(&vec![generator(); points.len()]).expect("a sum");
    (walk.unwrap_or_else(other), is_there)
}

fn walk_of(points: &[BasePoint]) -> Option<SumWalk<1>> {
    let points = points.iter().map(of_coordinates::<bls12_381::G1Affine>);
    SumWalk::new(&points.collect::<Option<Vec<_>>>()?).ok()
}

/// The members' signature, and the message's point so many times with it.
pub(super) fn with_padding(
    signatures: &[Option<BlsSignature>],
    message: &[u8],
    times: bls12_381::Fr,
) -> Option<Signature<ProvenPublicKey>> {
    let padding = (times != bls12_381::Fr::zero()).then(|| (message_point(message), times));
    let members = signatures.iter().flatten().map(|one| (one.0, bls12_381::Fr::one()));
    let (points, scalars): (Vec<_>, Vec<_>) = members.chain(padding).unzip();
    Signature::combine(&points, &scalars)
}
