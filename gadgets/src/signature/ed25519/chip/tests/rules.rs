//! What the rules differ in.

use muster_testing::sampled;

use super::*;
use crate::curve::edwards25519::samples::small_order;

/// Parts of small order in the key, in the nonce point, and in both.
#[test]
fn mixed_keys_and_nonces() {
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    for parts in [[1, 0], [0, 3], [4, 2]] {
        let raw = mixed(&mut rng, parts);
        for rule in RULES {
            let expected = rule != Acceptance::Strict;
            assert_eq!(
                is_accepted(rule, std::slice::from_ref(&raw)),
                expected,
                "{rule:?} {parts:?}"
            );
        }
    }
    // Beside another one: a batch takes the parts off, too.
    let items = [mixed(&mut rng, [5, 6]), signed(&mut rng)];
    assert!(is_accepted(Acceptance::Rfc8032, &items));
    assert!(!is_accepted(Acceptance::Strict, &items));
}

/// Nonce points of small order: `s = k·a`. The first 8 of the 14 encodings are canonical.
#[test]
fn nonce_points_of_small_order() {
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    let secret = random(&mut rng);
    let key = EdwardsPoint::mul_base(&secret).compress().to_bytes();
    for (number, nonce) in sampled(small_order().into_iter().enumerate(), 4) {
        let raw = signed_by(&secret, key, &Scalar::ZERO, nonce);
        assert!(is_accepted(Acceptance::Zip215, std::slice::from_ref(&raw)), "{number}");
        assert_eq!(
            is_accepted(Acceptance::Rfc8032, std::slice::from_ref(&raw)),
            number < 8,
            "{number}"
        );
        assert!(!is_accepted(Acceptance::Strict, &[raw]), "{number}");
    }
}

/// The same with a response that is another.
#[test]
fn false_signatures_with_nonce_points_of_small_order() {
    let mut rng = ChaCha20Rng::seed_from_u64(13);
    let secret = random(&mut rng);
    let key = EdwardsPoint::mul_base(&secret).compress().to_bytes();
    for number in [0, 4, 9] {
        let mut raw = signed_by(&secret, key, &Scalar::ZERO, small_order()[number]);
        raw.s += 1u8;
        assert!(!is_accepted(Acceptance::Zip215, &[raw]), "{number}");
    }
}

/// Keys with y = p or above that are not of small order do not come from secrets, so nothing is asked of the
/// equation: what is read of a key is. None of them is in the group of order l.
#[test]
fn keys_that_are_not_canonical() {
    let p = Curve::Edwards25519.p();
    let bytes = |y: BigUint| -> [u8; 32] { y.to_bytes_le().try_into().expect("32 bytes") };
    let readable = |y: &u8| {
        let mut own = [0; 32];
        own[0] = *y;
        let point = curve25519_dalek::edwards::CompressedEdwardsY(own).decompress();
        point.is_some_and(|point| !point.is_small_order())
    };
    let y = (2..19).find(readable).expect("one in two");
    let mut raw = signed(&mut ChaCha20Rng::seed_from_u64(14));
    raw.key = bytes(p + y);
    for (rule, count) in RULES.into_iter().zip([Some(0), Some(1), None]) {
        let layout = foreign_layout(14, 13);
        let test = batch(layout, rule, std::slice::from_ref(&raw), |ctx, _, _, _| {
            ctx.chips.foreign().enter_all();
        });
        let found = test.expect("a point").false_relations();
        assert!(count.map_or(found != Some(0), |count| found == Some(count)), "{rule:?}");
    }
}
