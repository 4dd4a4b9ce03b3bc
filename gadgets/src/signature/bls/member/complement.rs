//! Schemes whose keys add up: sums of signatures, and the signature of all members of a set but some.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use rayon::prelude::*;

use super::{
    instructions::{
        assert_signed, assign_entry, assign_name, generator, none_of, residues, sum, unused, walk,
        with_padding, Elements, RawKey,
    },
    message::{CiphersuiteChip, Point},
    AssignedKey, AssignedMessage,
};
use crate::signature::{
    bls::chip::KeySums,
    foreign::ExceptionalCase,
    instructions::{AddsKeys, AllButAbsent, AssignedClaim, AssignedSigner, Refusal},
    AssignedLeafEntry,
};
use muster_gates::{vertical, GateContext};
use muster_schemes::signature::bls::member::{key::parts, Bls, OwnedKey};
use muster_schemes::{
    membership::PublicKey as Member,
    signature::{
        bls::{BlsError, PublicKey, SecretKey, Signature},
        AnySignature, KeyFormat,
    },
};

impl<S: CiphersuiteChip> AddsKeys<Self> for Bls<S> {
    fn leaf_format(&self) -> KeyFormat {
        S::LEAF
    }

    fn unused_key(&self) -> Vec<Fr> {
        parts::<S>(&generator::<S>())
    }

    fn assign_entry(
        &self,
        ctx: &mut GateContext,
        key: &AssignedKey<Elements<S>>,
        weight: u64,
    ) -> AssignedLeafEntry {
        assign_entry::<S>(ctx, &key.point, weight)
    }

    fn key_of(&self, members: &[&Member], unused: usize) -> Option<RawKey<S>> {
        let keys = members.iter().map(|key| Some(*key.of::<OwnedKey<S>>()?.key()));
        let mut keys = keys.collect::<Option<Vec<_>>>()?;
        // The negative of the keys of all unused slots; 0 has no key.
        if let Ok(padding) = SecretKey::from_scalar(&-S::Scalar::from(unused as u64)) {
            keys.push(padding.public_key());
        }
        PublicKey::sum(&keys).map(|sum| S::key_coordinates(sum.point()))
    }

    fn add_up(
        &self,
        signers: &[&Member],
        message: &S::Message,
        signatures: &[AnySignature],
    ) -> Result<AnySignature, Refusal> {
        if signers.len() != signatures.len() {
            return Err(Refusal::WrongKind);
        }
        let check = |(signer, (key, signature)): (usize, (&&Member, &AnySignature))| {
            let key = key.of::<OwnedKey<S>>().ok_or(Refusal::WrongKind)?;
            let signature = signature.of::<Signature<S>>().ok_or(Refusal::WrongKind)?;
            if self.is_signed(key.key(), message, signature) {
                return Ok(*signature);
            }
            Err(Refusal::Signature { signer, rule: self.refusal(key.key(), message, signature) })
        };
        // The first bad one in order, whichever thread finds one first.
        let checked: Vec<_> = signers.par_iter().zip(signatures).enumerate().map(check).collect();
        let good = checked.into_iter().collect::<Result<Vec<_>, _>>()?;
        let identity = || Refusal::AggregateKey(BlsError::Identity.into());
        sum(&good).map(AnySignature::from).ok_or_else(identity)
    }

    /// Unused slots hold the generator, which enters the sum like the keys of the absent. So the key of the rest lacks
    /// one generator per unused slot, and the signature lacks the message's point as often.
    fn assert_verify_rest(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<AssignedMessage<Point<S>, S>>,
        rest: &AllButAbsent<'_, RawKey<S>>,
        absent: &[AssignedSigner<AssignedKey<Elements<S>>>],
        signatures: &[Option<Signature<S>>],
    ) -> Result<(), ExceptionalCase> {
        let unused = -S::Scalar::from(unused(absent));
        let points: Vec<_> = absent.iter().map(|member| member.public_key.point.clone()).collect();
        let addends = [residues::<S>(&points), vec![rest.key.clone()]].concat();
        let (walk, is_sum) = walk::<S>(ctx.chips, &addends);
        let sums = KeySums::<RawKey<S>>::new(S::CURVE);
        let (key, sum) = sums.key_of_rest(ctx.chips, (&points, rest.key), &walk);
        let name = assign_name::<S>(ctx, &sum);
        vertical::assert_equal(ctx, &name, &rest.whole);
        let signature = with_padding(signatures, claim.message.signed, unused);
        let is_signed = assert_signed::<S>(ctx, key, &claim.message, signature);
        (is_sum && is_signed).then_some(()).ok_or_else(|| none_of(absent))
    }
}
