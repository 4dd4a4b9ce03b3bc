//! The schemes as the threshold circuit takes them.

use ff::Field;
use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use rand_core::{CryptoRng, RngCore};
use rayon::prelude::*;

use super::message::{CiphersuiteChip, Point};
use crate::{
    curve::pairing::{PairingEquations, TRANSCRIPT_WIDTH},
    field::foreign::regroup::{limbs, words, words_apart},
    hash::poseidon,
    signature::{
        bls::chip::{equations, AssignedSigned, KeySums, MessagePoint, PointGroup},
        foreign::ExceptionalCase,
        instructions::{
            AddsKeys, AssignedClaim, AssignedSigner, NativeInstructions, Needs, Padding,
            PaddingInstructions, Refusal, SignatureInstructions, Verified,
        },
        AssignedLeafEntry,
    },
};
use muster_gates::{range::PASSING_AMOUNT_BITS, Chips, GateContext};
use muster_schemes::signature::bls::member::{
    key::{chained, number_bits, parts, word_bits},
    Bls, OwnedKey, Possession,
};
use muster_schemes::{
    hash::poseidon::domain,
    membership::PublicKey as Member,
    signature::{
        bls::{BlsError, Ciphersuite, PublicKey, Signature, SignedPoint},
        AggregateError, AnySignature, Choices, FarPoint, KeyFormat, Message, SignatureError,
        SignatureScheme, SignedMessage, KEY_WORD_BITS,
    },
};

const _: () =
    assert!(TRANSCRIPT_WIDTH == KeyFormat::WIDTH, "leaves share the gate of the transcript");

pub(crate) type RawKey<S> = <S as Ciphersuite>::RawKey;
pub(crate) type Elements<S> = <RawKey<S> as PointGroup>::Elements;
pub(crate) type Walk<S> = <RawKey<S> as PointGroup>::Walk;

/// A key: numbers in the range of elements. For keys in a leaf, that they are points of the group is taken for granted.
#[derive(Clone, Debug)]
pub struct AssignedKey<E> {
    pub(super) point: E,
}

/// The point that is signed, and what the prover claims it to be.
#[derive(Clone, Debug)]
pub struct AssignedMessage<P, S: Possession> {
    point: MessagePoint<P>,
    pub(super) signed: SignedPoint<S>,
}

impl<S: CiphersuiteChip> NativeInstructions for Bls<S> {
    type RawKey = RawKey<S>;
    /// The sum of the members' signatures; `None` if nobody signs.
    type RawSignature = Option<Signature<S>>;
    const AGGREGATE: bool = true;

    fn with(choices: Choices) -> Self {
        Self::new(choices)
    }

    fn admits(&self, key: &Member) -> Result<(), SignatureError> {
        key.of::<OwnedKey<S>>().ok_or(SignatureError::OtherKey)?.check(self.rule())
    }

    fn encode_member(&self, key: &Member) -> Option<Vec<u8>> {
        key.of().map(Self::encode_public_key)
    }

    fn sign_as_member(
        &self,
        secret_key: &Self::SecretKey,
        message: &S::Message,
        _: &mut (impl RngCore + CryptoRng),
    ) -> AnySignature {
        S::sign_message(secret_key, message, self.hash()).into()
    }

    fn random_message(&self, rng: &mut (impl RngCore + CryptoRng)) -> S::Message {
        loop {
            let message = S::random_message(self.form(), rng);
            if self.check_message(&message).is_ok() {
                return message;
            }
        }
    }

    fn check_message(&self, message: &S::Message) -> Result<(), FarPoint> {
        S::check_distance(message, self.hash())
    }

    /// In the form of points, bytes are stated by the point that they are hashed to. A message that the form does not
    /// take is stated unchanged, and no circuit takes it.
    fn stated(&self, message: &S::Message) -> Message {
        if self.form().is_point() {
            S::signed_point(message, self.hash()).to_message()
        } else {
            message.to_message().stated(self.form())
        }
    }

    fn sign_all<R: RngCore + CryptoRng + Send>(
        &self,
        _: &Fr,
        signers: Vec<(Self::SecretKey, R)>,
        message: &S::Message,
    ) -> Result<Vec<AnySignature>, AggregateError> {
        let sign = |(secret, _): (_, R)| S::sign_message(&secret, message, self.hash());
        let signatures: Vec<_> = signers.into_par_iter().map(sign).collect();
        Ok(vec![sum(&signatures).ok_or(BlsError::Identity)?.into()])
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[Member],
        message: &S::Message,
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        let keys: Option<Vec<_>> = signers.iter().map(|key| key.of::<OwnedKey<S>>()).collect();
        let keys = keys.ok_or(Refusal::WrongKind)?;
        let [signature] = signatures else { return Err(Refusal::WrongKind) };
        let points: Vec<_> = keys.iter().map(|key| *key.key()).collect();
        let identity = Refusal::AggregateKey(BlsError::Identity.into());
        let sum = PublicKey::sum(&points).ok_or(identity)?;
        let signature = signature.of::<Signature<S>>().ok_or(Refusal::WrongKind)?;
        if !self.is_signed(&sum, message, signature) {
            return Err(Refusal::Aggregate(self.refusal(&sum, message, signature)));
        }
        let keys = keys.iter().map(|key| key.coordinates()).collect();
        Ok(Verified { keys, signatures: vec![Some(*signature)] })
    }
}

impl<S: CiphersuiteChip> PaddingInstructions for Bls<S> {
    /// The generator. It signs once for each slot that it fills, which [`Self::assert_verify_all`] sees to.
    fn padding(&self, _: &S::Message, number: u8) -> Option<Padding<Self>> {
        let key = generator::<S>();
        (number == 0).then_some(Padding { leaf_key: parts::<S>(&key), key, signature: None })
    }
}

impl<S: CiphersuiteChip> SignatureInstructions for Bls<S> {
    type AssignedKey = AssignedKey<Elements<S>>;
    type AssignedMessage = AssignedMessage<Point<S>, S>;

    fn adds_keys(&self) -> Option<&dyn AddsKeys<Self>> {
        Some(self)
    }

    fn needs(&self) -> Needs {
        let (choice, sums) = (self.choice(), KeySums::<RawKey<S>>::new(S::CURVE).all());
        Needs {
            equations: [equations(S::CURVE), S::message_equations(choice), sums].concat(),
            sha256: S::sha256(choice),
            keccak: S::keccak(choice),
            poseidon: Some(TRANSCRIPT_WIDTH),
            ..Needs::default()
        }
    }

    fn assign_message(
        &self,
        ctx: &mut GateContext,
        public: &[AssignedValue<Fr>],
        message: &S::Message,
    ) -> Self::AssignedMessage {
        let point = S::assign_point(ctx, self.choice(), (public, message));
        AssignedMessage { point, signed: S::signed_point(message, self.hash()) }
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[RawKey<S>]) -> Vec<Self::AssignedKey> {
        let chip = ctx.chips.foreign_of(S::CURVE.parameters().p.bits() as usize);
        ctx.each(keys, |ctx, key| AssignedKey { point: key.addend(ctx, chip) })
    }

    fn name(&self, ctx: &mut GateContext, key: &Self::AssignedKey) -> AssignedValue<Fr> {
        assign_name::<S>(ctx, &key.point)
    }

    /// The sum of all keys signs, including the keys of unused slots, which are a constant whose secret is 1. So the
    /// signature is that of the members plus the message's point once per unused slot, and anyone can compute either
    /// signature from the other.
    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<Self::AssignedMessage>,
        signers: &[AssignedSigner<Self::AssignedKey>],
        signatures: &[Option<Signature<S>>],
    ) -> Result<(), ExceptionalCase> {
        let unused = S::Scalar::from(unused(signers));
        let points: Vec<_> = signers.iter().map(|signer| signer.public_key.point.clone()).collect();
        let (walk, is_sum) = walk::<S>(ctx.chips, &residues::<S>(&points));
        let key =
            KeySums::<RawKey<S>>::new(S::CURVE).sum_of_trusted_keys(ctx.chips, &points, &walk);
        let signature = with_padding(signatures, claim.message.signed, unused);
        let is_signed = assert_signed::<S>(ctx, key, &claim.message, signature);
        (is_sum && is_signed).then_some(()).ok_or_else(|| none_of(signers))
    }
}

/// The sum of signatures; `None` if they cancel.
pub(super) fn sum<S: Possession>(signatures: &[Signature<S>]) -> Option<Signature<S>> {
    Signature::combine(signatures, &vec![S::Scalar::ONE; signatures.len()])
}

/// Constrains a signature on the message to be one by the key; returns whether it is.
pub(super) fn assert_signed<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    key: <RawKey<S> as PointGroup>::Point,
    message: &AssignedMessage<Point<S>, S>,
    signature: Option<Signature<S>>,
) -> bool {
    let is_there = signature.is_some();
    // Any point will do: the constraints refuse it.
    let signature = signature.unwrap_or_else(|| message.signed.by_one());
    let equations = PairingEquations::new(S::CURVE);
    let chip = ctx.chips.foreign_of(S::CURVE.parameters().p.bits() as usize);
    let signature = S::point_coordinates(signature.point()).point(chip, &equations);
    let signed = AssignedSigned { key, message: message.point.clone(), signature };
    RawKey::<S>::assert_verifies(&signed, ctx, &equations).is_ok() && is_there
}

/// There is no witness with these slots.
pub(super) fn none_of<K>(slots: &[AssignedSigner<K>]) -> ExceptionalCase {
    ExceptionalCase { signatures: (0..slots.len()).collect() }
}

/// The coordinates of keys, modulo the prime.
pub(crate) fn residues<S: CiphersuiteChip>(points: &[Elements<S>]) -> Vec<RawKey<S>> {
    let p = &S::CURVE.parameters().p;
    points.iter().map(|point| RawKey::<S>::residues(point, p)).collect()
}

/// The addition chain for `points`; `false` if one is off the curve or the sum is the identity.
pub(crate) fn walk<S: CiphersuiteChip>(chips: &Chips, points: &[RawKey<S>]) -> (Walk<S>, bool) {
    let walk = RawKey::<S>::walk(S::CURVE, points);
    // A circuit that is only counted has no points.
    let is_there = walk.is_some() || chips.counts_only();
    // Any chain for as many points will do: the constraints refuse it.
    let others = || RawKey::<S>::walk(S::CURVE, &vec![generator::<S>(); points.len()]);
    (walk.or_else(others).expect("a multiple of the generator is a sum"), is_there)
}

pub(super) fn generator<S: CiphersuiteChip>() -> RawKey<S> {
    RawKey::<S>::generator(S::CURVE)
}

/// The name of a point: the twin of [`name`].
pub(crate) fn assign_name<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    point: &Elements<S>,
) -> AssignedValue<Fr> {
    let mut inputs = vec![];
    for number in RawKey::<S>::limbs(point) {
        let words = words(ctx, &limbs(number), word_bits(S::CURVE));
        inputs.extend(words.into_iter().rev().map(Existing));
    }
    let hash = |block: &[_]| poseidon::hash(ctx.chips, domain(S::NAME_DOMAIN), block).digest;
    chained(inputs, Constant(Fr::zero()), hash, Existing)
}

/// The leaf entry of a point and a weight: the twin of [`Leaf::entry`](muster_schemes::membership::Leaf::entry).
pub(crate) fn assign_entry<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    point: &Elements<S>,
    weight: u64,
) -> AssignedLeafEntry {
    let weight = ctx.range.check_amount(Witness(Fr::from(weight)));
    let numbers: Vec<_> = RawKey::<S>::limbs(point).into_iter().map(limbs).collect();
    let numbers = (&numbers[..], number_bits(S::CURVE));
    let above = (weight, PASSING_AMOUNT_BITS);
    let elements = words_apart(ctx, numbers, KEY_WORD_BITS, above);
    AssignedLeafEntry { elements, weight }
}

/// How many slots have weight 0. What shows that their members are in the set also shows that these hold
/// [the generator](AddsKeys::unused_key).
pub(super) fn unused<K>(signers: &[AssignedSigner<K>]) -> u64 {
    signers.iter().filter(|signer| bool::from(signer.weight.value().is_zero())).count() as u64
}

/// The members' signature plus `times` the message's point.
pub(super) fn with_padding<S: Possession>(
    signatures: &[Option<Signature<S>>],
    signed: SignedPoint<S>,
    times: S::Scalar,
) -> Option<Signature<S>> {
    let padding = (times != S::Scalar::ZERO).then(|| (signed.by_one(), times));
    let members = signatures.iter().flatten().map(|one| (*one, S::Scalar::ONE));
    let (points, scalars): (Vec<_>, Vec<_>) = members.chain(padding).unzip();
    Signature::combine(&points, &scalars)
}
