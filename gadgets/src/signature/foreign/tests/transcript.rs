//! What coefficients are squeezed from: whatever a batch is about changes them.

use std::collections::BTreeSet;

use num_bigint::{BigInt, RandBigInt};
use num_traits::One;

use super::{super::coefficient::squeeze, *};
use crate::signature::{bip340, ecdsa::Batch};
use muster_gates::poseidon::rows_each;

/// Two signatures, which need not hold.
fn two(curve: Curve) -> [Raw; 2] {
    let parameters = curve.parameters();
    let point = |scalar: u32| {
        parameters.mul(&parameters.generator(), &scalar.into()).expect("not the identity")
    };
    [1000u32, 2000].map(|seed| {
        let signature = RawSignature { nonce: point(seed + 1), s: (seed + 2).into() };
        Raw { key: point(seed), signature }
    })
}

/// A part of a signature.
type Part = fn(&mut Raw) -> &mut BigUint;

/// The first coordinates first.
const PARTS: [Part; 5] = [
    |raw| &mut raw.key.0,
    |raw| &mut raw.signature.nonce.0,
    |raw| &mut raw.signature.s,
    |raw| &mut raw.key.1,
    |raw| &mut raw.signature.nonce.1,
];

/// Asserts that `coefficients` takes other ones for each half of the digest, and for each of these
/// parts of each of two signatures.
fn assert_absorbed(
    curve: Curve,
    parts: &[Part],
    coefficients: impl Fn([Fr; 2], &[Raw]) -> Vec<BigInt>,
) {
    let (digest, items) = ([5, 6].map(Fr::from), two(curve));
    let mut all = vec![coefficients(digest, &items)];
    assert_eq!(all[0], coefficients(digest, &items));
    for half in 0..2 {
        let mut digest = digest;
        digest[half] += Fr::one();
        all.push(coefficients(digest, &items));
    }
    for (item, part) in (0..2).flat_map(|item| parts.iter().map(move |part| (item, part))) {
        let mut items = items.clone();
        *part(&mut items[item]) += 1u8;
        all.push(coefficients(digest, &items));
    }
    let count = all.len();
    for signature in 0..2 {
        let each: BTreeSet<_> = all.iter().map(|z| z[signature].clone()).collect();
        assert_eq!(each.len(), count, "{curve}: signature {signature}");
    }
}

fn values(coefficients: &[Coefficient]) -> Vec<BigInt> {
    coefficients.iter().map(Coefficient::value).collect()
}

#[test]
fn ecdsa_coefficients_bind_everything() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        assert_absorbed(curve, &PARTS, |digest, items| {
            let mut found = vec![];
            let layout = foreign(curve, 14, 13, 6);
            batch(layout, (curve, digest), items, |ctx, digest, keys, signatures| {
                let batch = Batch::open(ctx, (curve, Rule::AnyS), digest, signatures);
                found = values(&batch.coefficients(ctx, keys, &batch.ratios()));
            });
            found
        });
    }
}

/// The challenge binds the coordinates and the digest; that a second coordinate is even is shown of
/// it elsewhere.
#[test]
fn bip340_coefficients_bind_everything() {
    let curve = Curve::Secp256k1;
    assert_absorbed(curve, &PARTS[..3], |digest, items| {
        let mut found = vec![];
        let layout = Layout { sha256: Some(SHA256_GATE), ..foreign(curve, 14, 13, 6) };
        batch(layout, (curve, digest), items, |ctx, digest, keys, signatures| {
            let batch = bip340::Batch::open(ctx, digest, keys, signatures);
            found = values(&batch.coefficients(ctx, keys, &batch.ratios()));
        });
        found
    });
}

/// The lowest and the highest bit of each limb of four elements, whose limbs fill field elements that
/// end within them.
#[test]
fn every_limb_is_absorbed() {
    const ELEMENTS: usize = 4;
    let curve = Curve::Secp256k1;
    for range_bits in [12, 13] {
        let layout = Layout { range_bits, ..foreign(curve, 14, range_bits, 6) };
        TestCircuit::new(layout, |ctx| {
            let chip = ctx.chips.foreign();
            let format = chip.block().format();
            let widths = format.limb_widths(format.element_bits());
            let bits = widths.iter().enumerate().flat_map(|(limb, width)| {
                let low = limb * format.limb_bits();
                [low, low + width - 1]
            });
            let places = (0..ELEMENTS).flat_map(|i| bits.clone().map(move |bit| (i, bit)));
            let mut seen = BTreeSet::new();
            let mut count = 0;
            for changed in [None].into_iter().chain(places.map(Some)) {
                let elements: Vec<_> = (0..ELEMENTS)
                    .map(|i| {
                        let bit = changed.filter(|place| place.0 == i).map(|place| place.1);
                        element(chip, &bit.map_or(BigUint::ZERO, |bit| BigUint::one() << bit))
                    })
                    .collect();
                let elements: Vec<_> = elements.iter().collect();
                seen.insert(values(&squeeze(ctx, &elements, 2))[0].clone());
                count += 1;
            }
            assert_eq!((seen.len(), count), (count, 1 + 2 * ELEMENTS * widths.len()));
        });
    }
}

/// A limb that is another one in the transcript alone: copies refuse it.
#[test]
fn what_is_absorbed_is_what_was_made() {
    const COUNT: usize = 4;
    let curve = Curve::Secp256k1;
    let build = |lie: Option<(usize, usize)>| {
        TestCircuit::new(foreign(curve, 14, 13, 6), |ctx| {
            let chip = ctx.chips.foreign();
            (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
            let mut batched: Vec<_> =
                (0..COUNT).map(|i| element(chip, &BigUint::from(1000 + i))).collect();
            if let Some((place, limb)) = lie {
                batched[place] = batched[place].lying_limb(limb);
            }
            squeeze(ctx, &batched.iter().collect::<Vec<_>>(), 2);
        })
    };
    let layout = foreign(curve, 14, 13, 6);
    let limbs = layout.blocks()[0].format().limbs();
    build(None).assert_satisfied();
    for place in 0..COUNT {
        for limb in 0..limbs {
            assert_eq!(build(Some((place, limb))).failing(vec![]), ["copy"], "{place} {limb}");
        }
    }
}

/// Every lane of every permutation that absorbs or stretches: what is batched, the zeros that fill a block up, the
/// tags, the links and the numbers of blocks.
#[test]
fn every_lane_of_the_transcript_is_bound() {
    let (curve, range_bits) = (Curve::Secp256k1, 12);
    // Two absorb, or three, and two stretch. The columns of their inputs are the first.
    for (elements, expected) in [(5, 4), (9, 5)] {
        let mut permutations = 0;
        let mut test = TestCircuit::new(foreign(curve, 13, range_bits, 6), |ctx| {
            let chip = ctx.chips.foreign();
            (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
            let batched: Vec<_> =
                (0..elements).map(|i| element(chip, &BigUint::from(1_000u16 + i))).collect();
            squeeze(ctx, &batched.iter().collect::<Vec<_>>(), 11);
            permutations = ctx.chips.poseidon(HASH_WIDTH).count();
        });
        test.assert_satisfied();
        let forger = test.forger();
        let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
        assert_eq!(permutations, expected);
        let lanes = (0..permutations).flat_map(|p| (0..HASH_WIDTH).map(move |lane| (p, lane)));
        for (permutation, lane) in lanes {
            let place = (lane % 3, permutation * rows + lane / 3);
            let value = forger.value(place) + Fr::from(5);
            let what = format!("{elements} elements, permutation {permutation}, lane {lane}");
            test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}

/// What limbs are packed into, which Poseidon takes: each cell, and each with its copies. The limbs stay.
#[test]
fn packed_limbs_are_determined() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let mut limbs = BTreeSet::new();
    let test = TestCircuit::new(foreign(Curve::Secp256k1, 13, 10, 6), |ctx| {
        let chip = ctx.chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let batched: Vec<_> = (0..4).map(|_| element(chip, &rng.gen_biguint(256))).collect();
        let all = batched.iter().flat_map(|element| element.limbs());
        limbs.extend(all.map(|limb| *limb.value()));
        squeeze(ctx, &batched.iter().collect::<Vec<_>>(), 2);
    });
    test.assert_satisfied();
    let vertical = test.advice().pop().expect("the vertical column");
    let rows = (0..vertical.len()).filter(|row| limbs.contains(&vertical[*row]));
    let rows: Vec<_> = rows.collect();
    let open = (test.open_values_given(rows.clone()), test.open_classes_given(rows));
    assert_eq!(open, ((vec![], 0), (vec![], 0)));
}
