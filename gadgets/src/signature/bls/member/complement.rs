//! The signature of all members of a set but some.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{
    instructions::{
        assert_padding, assert_signed, assign_name, coordinates, generator, none_of, walk,
        with_padding, Elements, MemberInstructions, Point, RawKey,
    },
    AssignedKey, AssignedMessage, Bls, OwnedKey,
};
use crate::{
    gate::{vertical, Chips},
    membership::PublicKey,
    signature::{
        bls::{
            chip::{KeySums, PointGroup},
            Signature,
        },
        foreign::Met,
        instructions::{AddsKeys, AssignedClaim, AssignedSigner, Rest},
    },
};

impl<S: MemberInstructions> AddsKeys<Self> for Bls<S> {
    fn key_of(&self, members: &[&PublicKey]) -> Option<RawKey<S>> {
        let keys: Vec<_> =
            members.iter().map(|key| key.of::<OwnedKey<S>>()).collect::<Option<_>>()?;
        OwnedKey::sum(keys)
    }

    /// Slots that are not used have the generator, which is in the sum like the keys of the absent. So the key of the rest is
    /// witnessed less as many generators, and the signature less the message's point as often.
    fn assert_verify_rest(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim<AssignedMessage<Point<S>, S::Message>>,
        rest: &Rest<'_, RawKey<S>>,
        absent: &[AssignedSigner<AssignedKey<Elements<S>>>],
        signatures: &[Option<Signature<S>>],
    ) -> Result<(), Met> {
        let unused = assert_padding::<S>(ctx, chips, absent);
        let points: Vec<_> = absent.iter().map(|member| member.public_key.point.clone()).collect();
        let key = rest.key.less_generators(S::CURVE, unused);
        let has_key = key.is_some();
        // Whatever is a point: the constraints refuse it.
        let key = key.unwrap_or_else(generator::<S>);
        let addends = [coordinates::<S>(&points), vec![key.clone()]].concat();
        let (walk, has_sum) = walk::<S>(&addends);
        let sums = KeySums::<RawKey<S>>::new(S::CURVE);
        let (key, sum) = sums.key_of_rest(chips, (&points, &key), &walk);
        let name = assign_name::<S>(ctx, chips, &sum);
        vertical::assert_equal(ctx, &name, &rest.whole);
        let unused = -S::Scalar::from(unused);
        let signature = with_padding(signatures, &claim.message.message, unused);
        let verdict = assert_signed::<S>(ctx, chips, key, &claim.message, signature);
        (verdict && has_key && has_sum).then_some(()).ok_or_else(|| none_of(absent))
    }
}
