//! The suite by frost-core's generic tests, and what is its own.

use frost_core::{
    tests::{
        batch, ciphersuite_generic as generic, coefficient_commitment,
        proptests::{tweak_strategy, SignatureCase},
        refresh, repairable, vss_commitment,
    },
    Ciphersuite, Error, Field as _, Group as _, GroupError, SigningKey, VerifyingKey,
};
use halo2curves::bn256::Fr;
use muster_schemes::{
    curve::edwards::{torsion_point, AffinePoint, Scalar},
    signature::{schnorr::Schnorr, SignatureScheme},
};
use muster_testing::rng;
use proptest::prelude::*;
use serde_json::json;

use super::*;

type C = BabyJubjubPoseidon;
type CoreError = Error<C>;

#[test]
fn generic_shares_and_keys() {
    generic::check_zero_key_fails::<C>();
    generic::check_share_generation::<C, _>(rng());
    generic::check_error_culprit::<C>();
    generic::check_identifier_derivation::<C>();
    let cases = [
        (1, 3, CoreError::InvalidMinSigners),
        (3, 2, CoreError::InvalidMinSigners),
        (3, 1, CoreError::InvalidMaxSigners),
    ];
    for (min, max, error) in cases {
        generic::check_share_generation_fails_with_invalid_signers::<C, _>(
            min,
            max,
            error.clone(),
            rng(),
        );
        generic::check_sign_with_dealer_fails_with_invalid_signers::<C, _>(
            min,
            max,
            error.clone(),
            rng(),
        );
        generic::check_dkg_part1_fails_with_invalid_signers::<C, _>(min, max, error, rng());
    }
}

#[test]
fn generic_signatures() {
    generic::check_sign_with_dealer::<C, _>(rng());
    generic::check_sign_with_dkg::<C, _>(rng());
    generic::check_sign_with_dealer_and_identifiers::<C, _>(rng());
    generic::check_sign_with_missing_identifier::<C, _>(rng());
    generic::check_sign_with_incorrect_commitments::<C, _>(rng());
    frost_rerandomized::tests::check_randomized_sign_with_dealer::<C, _>(rng());
    batch::batch_verify::<C, _>(rng());
    batch::bad_batch_verify::<C, _>(rng());
    batch::empty_batch_verify::<C, _>(rng());
}

#[tokio::test]
async fn generic_signatures_between_tasks() {
    generic::async_check_sign::<C, _>(rng()).await;
}

#[test]
fn generic_refresh() {
    refresh::check_refresh_shares_with_dealer::<C, _>(rng());
    refresh::check_refresh_shares_with_dealer_serialisation::<C, _>(rng());
    refresh::check_refresh_shares_with_dealer_fails_with_invalid_public_key_package::<C, _>(rng());
    refresh::check_refresh_shares_with_dkg::<C, _>(rng());
    refresh::check_refresh_shares_with_dkg_smaller_threshold::<C, _>(rng());
    let strangers = [8, 3, 4, 6].map(|i: u16| i.try_into().unwrap());
    refresh::check_refresh_shares_with_dealer_fails_with_invalid_signers::<C, _>(
        &strangers,
        CoreError::UnknownIdentifier,
        rng(),
    );
}

#[test]
fn generic_repair() {
    let scalar = |i: u64| Scalar::from(1_000_003 * i);
    let hex = |scalar: Scalar| hex::encode(scalar.to_bytes());
    let helpers = json!({
        "scalar_generation": {
            "random_scalar_1": hex(scalar(1)),
            "random_scalar_2": hex(scalar(2)),
            "random_scalar_3": hex(-scalar(5)),
            "random_scalar_sum": hex(-scalar(2)),
        },
        "sigma_generation": {
            "sigma_1": hex(scalar(1)),
            "sigma_2": hex(scalar(2)),
            "sigma_3": hex(-scalar(5)),
            "sigma_4": hex(scalar(7)),
            "sigma_sum": hex(scalar(5)),
        },
    });
    repairable::check_rts::<C, _>(rng());
    repairable::check_repair_share_part1::<C, _>(rng());
    repairable::check_repair_share_part2::<C>(&helpers);
    repairable::check_repair_share_part3::<C, _>(rng(), &helpers);
    repairable::check_repair_share_part1_fails_with_invalid_min_signers::<C, _>(rng());
}

#[test]
fn generic_commitments() {
    let elements = json!({ "elements": { "invalid_element": hex::encode([0xff; 32]) } });
    coefficient_commitment::check_serialization_of_coefficient_commitment::<C, _>(rng());
    coefficient_commitment::check_create_coefficient_commitment::<C, _>(rng());
    coefficient_commitment::check_create_coefficient_commitment_error::<C>(&elements);
    coefficient_commitment::check_get_value_of_coefficient_commitment::<C, _>(rng());
    vss_commitment::check_serialize_vss_commitment::<C, _>(rng());
    vss_commitment::check_serialize_whole_vss_commitment::<C, _>(rng());
    vss_commitment::check_deserialize_vss_commitment::<C, _>(rng());
    vss_commitment::check_deserialize_whole_vss_commitment::<C, _>(rng());
    vss_commitment::check_deserialize_vss_commitment_error::<C, _>(rng(), &elements);
    vss_commitment::check_deserialize_whole_vss_commitment_error::<C, _>(rng(), &elements);
    vss_commitment::check_compute_public_key_package::<C, _>(rng());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn generic_tweaks(tweaks in prop::collection::vec(tweak_strategy(), 0..5), text: Vec<u8>) {
        let mut case = SignatureCase::<C>::new(rng(), text);
        tweaks.iter().for_each(|tweak| case.apply_tweak(tweak));
        prop_assert!(case.check());
    }

    #[test]
    fn the_challenge_is_the_hash_of_its_bytes(seed: [u8; 8], message: Vec<u8>) {
        let secret = ScalarField::random(&mut rng());
        let r = Subgroup::generator() * secret;
        let key = VerifyingKey::<C>::new(Subgroup::generator() * BabyJubjubPoseidon::H3(&seed));
        let bytes = [Subgroup::serialize(&r).unwrap().to_vec(), key.serialize().unwrap(), message.clone()];
        let challenge = BabyJubjubPoseidon::challenge(&r, &key, &message).unwrap();
        prop_assert_eq!(challenge.to_scalar(), BabyJubjubPoseidon::H2(&bytes.concat()));
    }

    #[test]
    fn signatures_of_one_are_those_of_schnorr(seed: [u8; 32], message: [u8; 31]) {
        let secret = Schnorr::secret_key_from_seed(&seed).unwrap();
        let message = [[0].as_slice(), &message].concat();
        let made = signing_key(&secret).unwrap().sign(rng(), &message);
        let made = signature(&made).unwrap();
        prop_assert!(
            Schnorr::verify(&secret.public_key(), &message_to_field(&message), &made).is_ok()
        );
    }
}

#[test]
fn messages_are_field_elements_or_hashed() {
    let mut one = [0; 32];
    one[31] = 1;
    assert_eq!(message_to_field(&one), Fr::one());
    let texts = [&[][..], b"text", &[0xff; 32], &[0; 31], &[0; 33]];
    let hashed = texts.map(message_to_field);
    for (i, value) in hashed.iter().enumerate() {
        assert!(!hashed[..i].contains(value));
        assert!(*value != Fr::zero() && *value != Fr::one());
    }
}

#[test]
fn strange_points_are_refused() {
    let torsion = torsion_point();
    let mixed = (Element::point(&Subgroup::generator()) + torsion.into()).to_affine();
    let identity = AffinePoint::identity();
    let cases = [
        (identity.to_bytes(), GroupError::InvalidIdentityElement),
        (torsion.to_bytes(), GroupError::InvalidNonPrimeOrderElement),
        (mixed.to_bytes(), GroupError::InvalidNonPrimeOrderElement),
        ([0xff; 32], GroupError::MalformedElement),
    ];
    for (bytes, error) in cases {
        assert_eq!(Subgroup::deserialize(&bytes), Err(error));
        assert!(VerifyingKey::<C>::deserialize(&bytes).is_err());
        assert!(frost_core::Signature::<C>::deserialize(&[bytes, [0; 32]].concat()).is_err());
    }
    assert!(Subgroup::serialize(&Subgroup::identity()).is_err());
    let key = VerifyingKey::<C>::new(Subgroup::identity());
    assert!(BabyJubjubPoseidon::challenge(&Subgroup::generator(), &key, b"").is_err());
    // Bytes that no challenge is made of have a hash too, and no panic.
    let odd = [&[][..], &[0; 63], &[0xff; 64]].map(BabyJubjubPoseidon::H2);
    assert!(odd[0] != odd[1] && odd[1] != odd[2]);
}

#[test]
fn scalars_and_multiples() {
    assert!(ScalarField::deserialize(&[0xff; 32]).is_err());
    assert!(ScalarField::invert(&Scalar::from(0)).is_err());
    let two = Scalar::from(2);
    assert_eq!(ScalarField::invert(&two).unwrap() * two, ScalarField::one());
    let g = Subgroup::generator();
    assert_eq!(g * two, g + g);
    assert_eq!((g + g) * two - g, g * Scalar::from(3));
    assert_eq!(g * Subgroup::cofactor(), g);
    let key = SigningKey::<C>::new(&mut rng());
    assert_eq!(VerifyingKey::from(&key).to_element(), g * key.to_scalar());
}
