//! The signature of all members of a set but some.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use halo2curves::{
    bls12_381::{self, G1Affine},
    group::Curve,
};

use super::{
    instructions::{
        assert_padding, assert_signed, assign_name, coordinates, generator, none_of, walk,
        with_padding, CURVE,
    },
    AssignedKey, AssignedMessage, Bls12381, BlsSignature, OwnedKey,
};
use crate::{
    curve::{
        aggregate::Coefficients,
        pairing::{of_coordinates, BasePoint},
    },
    gate::{vertical, Chips},
    membership::PublicKey,
    signature::{
        bls::chip::KeySums,
        foreign::Met,
        instructions::{AddsKeys, AssignedClaim, AssignedSigner, Rest},
    },
};

impl AddsKeys<Self> for Bls12381 {
    fn key_of(&self, members: &[&PublicKey]) -> Option<BasePoint> {
        let keys: Vec<_> = members.iter().map(|key| key.of::<OwnedKey>()).collect::<Option<_>>()?;
        OwnedKey::sum(keys)
    }

    /// Slots that are not used have the generator, which is in the sum like the keys of the absent. So the key of the rest is
    /// witnessed less as many generators, and the signature less the message's point as often.
    fn assert_verify_rest(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim<AssignedMessage>,
        rest: &Rest<'_, BasePoint>,
        absent: &[AssignedSigner<AssignedKey>],
        signatures: &[Option<BlsSignature>],
    ) -> Result<(), Met> {
        let unused = -bls12_381::Fr::from(assert_padding(ctx, chips, absent));
        let points: Vec<_> = absent.iter().map(|member| member.public_key.point.clone()).collect();
        let key = with_generators(rest.key, unused);
        let has_key = key.is_some();
        // Whatever is a point: the constraints refuse it.
        let key = key.unwrap_or_else(generator);
        let addends = [coordinates(&points), vec![key.clone()]].concat();
        let (walk, has_sum) = walk(&addends);
        let (key, sum) = KeySums::new(CURVE).key_of_rest(chips, (&points, &key), &walk);
        let name = assign_name(ctx, chips, &sum);
        vertical::assert_equal(ctx, &name, &rest.whole);
        let signature = with_padding(signatures, &claim.message.bytes, unused);
        let verdict = assert_signed(ctx, chips, key, &claim.message, signature);
        (verdict && has_key && has_sum).then_some(()).ok_or_else(|| none_of(absent))
    }
}

/// A key, and the generator so many times with it; `None` if that is no key.
fn with_generators(key: &BasePoint, times: bls12_381::Fr) -> Option<BasePoint> {
    let sum = of_coordinates::<G1Affine>(key)? + G1Affine::generator() * times;
    let is_key = !bool::from(sum.is_identity());
    is_key.then(|| {
        let sum = sum.to_affine();
        [sum.x, sum.y].map(|coordinate| {
            let [number] = coordinate.coefficients();
            number
        })
    })
}
