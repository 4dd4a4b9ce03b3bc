//! Encodings in circuit: which are taken, what becomes of them, and lies about them.

mod relations;

use curve25519_dalek::{edwards::CompressedEdwardsY, traits::IsIdentity, EdwardsPoint};
use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    Context,
};
use num_bigint::BigUint;
use num_traits::Zero;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{encoding::lowest_bit_of_hint, *};
use crate::{
    curve::edwards25519::samples::{random_point, small_order},
    field::foreign::integer::element,
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{foreign::ForeignLayout, Layout};
use muster_schemes::curve::edwards25519::{from_weierstrass, to_weierstrass, CURVE};

const TORSIONS: [Torsion; 3] = [Torsion::Kept, Torsion::Moved, Torsion::Excluded];

fn all_demands() -> impl Iterator<Item = Demands> {
    let of = |torsion| [true, false].map(|canonical| Demands { canonical, torsion });
    TORSIONS.into_iter().flat_map(of)
}

fn foreign(k: u32, range_bits: usize) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, 4, &Edwards25519Equations::new().all());
    Layout {
        range_bits,
        edwards_lanes: 0,
        constant_rows: 256,
        foreign: vec![foreign],
        ..layout(k, &[])
    }
}

fn read(
    layout: Layout,
    raw: &RawEncoding,
    demands: Demands,
    look: impl FnOnce(&mut Context<Fr>, &AssignedEncoding),
) -> TestCircuit {
    TestCircuit::new(layout, |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let equations = Edwards25519Equations::new();
        let root = equations.root(ctx.chips);
        let found = AssignedEncoding::new(ctx, (&equations, &root), raw, demands);
        ctx.chips.foreign().enter_all();
        look(ctx, &found);
    })
}

fn circuit(raw: &RawEncoding, demands: Demands) -> TestCircuit {
    read(foreign(13, 12), raw, demands, |_, _| ())
}

/// Whether there is a witness for an encoding.
fn is_taken(encoding: &[u8; 32], demands: Demands) -> bool {
    let raw = RawEncoding::new(encoding, demands);
    raw.is_some_and(|raw| circuit(&raw, demands).is_satisfied())
}

fn dalek(encoding: &[u8; 32]) -> EdwardsPoint {
    CompressedEdwardsY(*encoding).decompress().expect("a point")
}

/// A byte string with the bytes of a number and a sign.
fn encoding(number: &BigUint, sign: bool) -> [u8; 32] {
    let mut bytes = [0; 32];
    let digits = number.to_bytes_le();
    bytes[..digits.len()].copy_from_slice(&digits);
    bytes[31] |= u8::from(sign) << 7;
    bytes
}

#[test]
fn words_and_halves_are_those_of_the_bytes() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for (demands, bits) in all_demands().zip([8, 10, 12, 13, 12, 13]) {
        let bytes = random_point(&mut rng, 0).compress().to_bytes();
        let raw = RawEncoding::new(&bytes, demands).expect("a point");
        let test = read(foreign(14, bits), &raw, demands, |ctx, found| {
            let words =
                bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
            assert!(found.words().iter().map(|word| *word.value()).eq(words.map(Fr::from)));
            let (low, high) = bytes.split_at(16);
            let half = |half: &[u8]| Fr::from_u128(u128::from_le_bytes(half.try_into().unwrap()));
            assert_eq!(found.halves(ctx).map(|cell| *cell.value()), [half(high), half(low)]);
        });
        test.assert_satisfied();
    }
}

/// The 14 encodings of the 8 points of small order, the first 8 of which are canonical.
#[test]
fn encodings_of_small_order() {
    for (number, bytes) in small_order().into_iter().enumerate() {
        let (x, y) = muster_schemes::curve::edwards25519::decode(&bytes).expect("a point");
        for demands in all_demands() {
            let is_read = number < 8 || !demands.canonical;
            let expected = match demands.torsion {
                Torsion::Kept => is_read && !x.is_zero(),
                Torsion::Moved => is_read,
                Torsion::Excluded => false,
            };
            assert_eq!(is_taken(&bytes, demands), expected, "{number} {y} {demands:?}");
        }
    }
}

/// With a part of small order, and without.
#[test]
fn mixed_points() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    for torsion in [0, 1, 4] {
        let bytes = random_point(&mut rng, torsion).compress().to_bytes();
        for demands in all_demands().filter(|demands| demands.canonical) {
            let expected = demands.torsion != Torsion::Excluded || torsion == 0;
            assert_eq!(is_taken(&bytes, demands), expected, "{torsion} {demands:?}");
        }
    }
}

/// Every y below 19 has two numbers of 255 bits.
#[test]
fn numbers_that_are_not_reduced() {
    let readable = |y: &u8| {
        let bytes = encoding(&(*y).into(), false);
        CompressedEdwardsY(bytes).decompress().is_some_and(|p| !p.is_small_order())
    };
    let y = (2..19).find(readable).expect("one in two");
    for demands in all_demands().filter(|demands| demands.torsion != Torsion::Excluded) {
        for sign in [false, true] {
            let own = encoding(&y.into(), sign);
            let other = encoding(&(CURVE.p() + y), sign);
            assert_eq!(dalek(&own), dalek(&other));
            assert!(is_taken(&own, demands));
            assert_eq!(is_taken(&other, demands), !demands.canonical);
        }
    }
}

/// The point of sums is that of the encoding, but for one of order 4 where that is allowed.
#[test]
fn points_of_sums() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut encodings = small_order();
    encodings.extend((0..8).map(|torsion| random_point(&mut rng, torsion).compress().to_bytes()));
    let parameters = CURVE.parameters();
    for bytes in encodings {
        for demands in all_demands() {
            let Some(raw) = RawEncoding::new(&bytes, demands) else { continue };
            let point = dalek(&bytes);
            let decoded = muster_schemes::curve::edwards25519::decode(&bytes).expect("a point");
            let own = to_weierstrass(&decoded);
            let found = Some(raw.point.clone());
            match demands.torsion {
                Torsion::Kept => assert_eq!(found, own),
                Torsion::Moved => {
                    let times = |point, scalar: u8| parameters.mul(point, &scalar.into());
                    assert_eq!(raw.moved, decoded.0.is_zero());
                    assert_eq!(times(&found, 4), times(&own, 4));
                }
                Torsion::Excluded => {
                    let eight = parameters.mul(&found, &8u8.into());
                    assert_eq!(eight == own && !point.is_identity(), point.is_torsion_free());
                }
            }
        }
    }
}

/// Whatever is moved though it need not be: all the same.
#[test]
fn any_nonce_point_may_be_moved() {
    let demands = Demands { canonical: true, torsion: Torsion::Moved };
    let bytes = random_point(&mut ChaCha20Rng::seed_from_u64(4), 0).compress().to_bytes();
    let mut raw = RawEncoding::new(&bytes, demands).expect("a point");
    assert!(!raw.moved);
    raw.moved = true;
    assert!(!circuit(&raw, demands).is_satisfied());
    raw.point = to_weierstrass(&raw.base()).expect("not the identity");
    let words = |demands| {
        let mut words = None;
        let look = |_: &mut Context<Fr>, found: &AssignedEncoding| {
            words = Some(found.words().map(|word| *word.value()));
        };
        read(foreign(13, 12), &raw, demands, look).assert_satisfied();
        words.expect("it was looked at")
    };
    let own: Vec<_> = bytes
        .chunks_exact(8)
        .map(|word| Fr::from(u64::from_le_bytes(word.try_into().expect("8 bytes"))))
        .collect();
    assert_eq!(words(demands).to_vec(), own);
    // Where points are kept, the other point has an encoding of its own.
    assert_ne!(words(Demands { torsion: Torsion::Kept, ..demands }).to_vec(), own);
}

/// Whether a point is moved is one of two: every cell is determined by the others.
#[test]
fn a_point_is_moved_or_not() {
    let demands = Demands { canonical: true, torsion: Torsion::Moved };
    let bytes = random_point(&mut ChaCha20Rng::seed_from_u64(5), 0).compress().to_bytes();
    let raw = RawEncoding::new(&bytes, demands).expect("a point");
    assert_eq!(circuit(&raw, demands).free_values(), []);
}

/// Lies about the sign, alone and behind the truth: another bit with a half that is a fraction, a bit that is not one, and
/// another bit.
#[test]
fn signs_are_the_lowest_bits() {
    for is_behind in [false, true] {
        let build = |bit: u64, half: Fr| {
            TestCircuit::new(foreign(13, 12), |ctx| {
                (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
                let number = element(ctx.chips.foreign(), &BigUint::from(12_345u16));
                if is_behind {
                    lowest_bit_of_hint(ctx, &number, [Fr::one(), Fr::from(6_172)]);
                }
                lowest_bit_of_hint(ctx, &number, [Fr::from(bit), half]);
                ctx.chips.foreign().enter_all();
            })
        };
        build(1, Fr::from(6_172)).assert_satisfied();
        let fraction = Fr::from(12_345) * Fr::from(2).invert().expect("not 0");
        assert!(build(0, fraction).fails_range_checks_alone(vec![]));
        build(3, Fr::from(6_171)).assert_bit_is_bound(Fr::from(3));
        build(0, Fr::from(6_172)).assert_sum_is_bound(1);
    }
}

/// Other coordinates than those of the point: each is refused by one relation.
#[test]
fn coordinates_are_those_of_the_point() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    for demands in all_demands().filter(|demands| demands.torsion != Torsion::Moved) {
        let [one, other] = [(); 2].map(|()| {
            let bytes = random_point(&mut rng, 0).compress().to_bytes();
            RawEncoding::new(&bytes, demands).expect("a point")
        });
        let y = RawEncoding { y: other.y.clone(), ..one.clone() };
        let x = RawEncoding { x: other.x.clone(), ..one.clone() };
        let sign = RawEncoding { x: CURVE.p() - &one.x, ..one.clone() };
        let point = RawEncoding { point: other.point.clone(), ..one.clone() };
        assert_eq!(circuit(&one, demands).false_relations(), Some(0));
        for (raw, count) in [(y, 1), (x, 1), (sign, 1), (point, 2)] {
            assert_eq!(circuit(&raw, demands).false_relations(), Some(count), "{demands:?}");
        }
    }
}

/// The other number of an x below 19 is odd where x is even.
#[test]
fn x_is_reduced() {
    let p = CURVE.p();
    let found = (1u8..19).find_map(|x| {
        let square = BigUint::from(x) * x;
        // y² = (1 + x²)/(1 - d·x²); d = -121665/121666.
        let under = (&square * 121_665u32 + 121_666u32).modinv(p)?;
        let right = (square + 1u8) * 121_666u32 % p * under % p;
        Some((BigUint::from(x), CURVE.parameters().square_root(&right)?))
    });
    let (x, y) = found.expect("one in two has a point");
    let point = to_weierstrass(&(x.clone(), y.clone())).expect("not the identity");
    for demands in all_demands().filter(|demands| demands.torsion != Torsion::Excluded) {
        let raw = RawEncoding { y: y.clone(), x: x.clone(), point: point.clone(), moved: false };
        assert_eq!(circuit(&raw, demands).false_relations(), Some(0));
        let raw = RawEncoding { x: &x + p, ..raw };
        assert_eq!(circuit(&raw, demands).false_relations(), Some(1), "{demands:?}");
    }
}

/// x = 0 with the sign 1, by a point that was moved: its number is p.
#[test]
fn the_sign_of_0() {
    let any = Demands { canonical: false, torsion: Torsion::Moved };
    let bytes = encoding(&1u8.into(), true);
    let raw = RawEncoding::new(&bytes, any).expect("the identity");
    assert_eq!(raw.x, *CURVE.p());
    assert_eq!(circuit(&raw, any).false_relations(), Some(0));
    let canonical = Demands { canonical: true, ..any };
    assert_eq!(circuit(&raw, canonical).false_relations(), Some(1));
}

/// The point of order 2 leaves its x open, if it only had a double.
#[test]
fn no_point_of_order_2() {
    let demands = Demands { canonical: true, torsion: Torsion::Kept };
    let p = CURVE.p();
    let point = to_weierstrass(&(BigUint::zero(), p - 1u8)).expect("not the identity");
    assert!(point.1.is_zero());
    assert_eq!(from_weierstrass(&Some(point.clone())), (BigUint::zero(), p - 1u8));
    for x in [0u8, 5] {
        let raw = RawEncoding { y: p - 1u8, x: x.into(), point: point.clone(), moved: false };
        // The tangent of the table alone.
        assert_eq!(circuit(&raw, demands).false_relations(), Some(1));
    }
    let excluded = Demands { torsion: Torsion::Excluded, ..demands };
    let raw = RawEncoding { y: p - 1u8, x: BigUint::zero(), point, moved: false };
    assert!(!circuit(&raw, excluded).is_satisfied());
}
