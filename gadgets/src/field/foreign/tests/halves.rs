use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint, modulus},
};
use num_bigint::{BigUint, RandBigInt};
use num_traits::One;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::super::{
    chip::ForeignField,
    halves::{halves, halves_of_hint, power, HALF_BITS},
    integer::element,
};
use muster_forgery::testing::{assert_is, layout, TestCircuit, Walk};
use muster_gates::{foreign::ForeignLayout, Layout};
use muster_schemes::curve::weierstrass::Curve;

/// The halves of a number by a hint that has `moved` more in the lower part of the limb that lies
/// in both, and 1 less in the upper part for each `2^bits` of these; and those bits.
fn taken_apart(range_bits: usize, number: &BigUint, moved: u8) -> TestCircuit {
    split(range_bits, number, &|low, high, bits| {
        [low + (BigUint::from(moved) << bits), high - moved]
    })
}

/// The same by a hint that is made of the honest one and the bits of its lower part.
fn split(
    range_bits: usize,
    number: &BigUint,
    hint: &dyn Fn(BigUint, BigUint, usize) -> [BigUint; 2],
) -> TestCircuit {
    let equations = ForeignField::new(Curve::Secp256k1.p()).all();
    let foreign = ForeignLayout::new(&modulus::<Fr>(), range_bits, 4, &equations);
    let layout = Layout { range_bits, foreign: vec![foreign], ..layout(15, &[]) };
    TestCircuit::new(layout, |ctx| {
        let chip = ctx.chips.foreign();
        let b = chip.block().format().limb_bits();
        let bits = HALF_BITS % b;
        assert!(ctx.range.rounded(bits) > bits, "lookups do not end with the half");
        let assigned = element(chip, number);
        let limb = (number >> (HALF_BITS - bits)) % (BigUint::one() << b);
        let (low, high) = (&limb % (BigUint::one() << bits), limb >> bits);
        let honest = [low, high];
        let [low, high] = honest.clone();
        let hint = hint(low, high, bits);
        let is_honest = hint == honest;
        let found = halves_of_hint(ctx, &assigned, hint);
        let expected = halves(ctx, &assigned).map(|half| *half.value());
        let whole = |[high, low]: [Fr; 2]| high * power(HALF_BITS) + low;
        let found = found.map(|half| *half.value());
        assert_eq!(whole(found), whole(expected));
        assert_eq!(found == expected, is_honest);
        if is_honest {
            let halves = [number >> HALF_BITS, number % (BigUint::one() << HALF_BITS)];
            assert_eq!(found, halves.map(|half| biguint_to_fe(&half)));
        }
    })
}

/// The parts of the limb in the middle make it in many ways; that the lower one is short, though it
/// is no whole number of lookups, leaves one.
#[test]
fn halves_are_below_their_base() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for range_bits in [13, 14] {
        let number: BigUint = rng.gen_biguint(255) + (BigUint::one() << 255);
        taken_apart(range_bits, &number, 0).assert_satisfied();
        for moved in [1, 3] {
            let failing = taken_apart(range_bits, &number, moved).failing(vec![]);
            assert_eq!(failing, ["range: limb is below 2^b"], "{range_bits} {moved}");
        }
    }
}

/// One less in the lower part, and a fraction more in the upper one: that the upper part is short is
/// in the way.
#[test]
fn upper_parts_are_short() {
    let number = (BigUint::one() << 255) + 12345u16;
    let number = number + (BigUint::one() << (HALF_BITS - 1));
    for range_bits in [13, 14] {
        let mut test = split(range_bits, &number, &|low, high, bits| {
            let more = power(bits).invert().expect("not zero");
            [low - 1u8, fe_to_biguint(&(biguint_to_fe::<Fr>(&high) + more))]
        });
        assert_eq!(test.failing(vec![]), ["range: limb is below 2^b"], "{range_bits}");
    }
}

/// Eight limbs, as many as an element has in any circuit of these tests, whose halves are asked to be others: each term of the sums refuses.
#[test]
fn halves_are_sums_of_limbs() {
    let prime = Curve::Secp256k1.p();
    let equations = ForeignField::new(prime).all();
    let foreign = ForeignLayout::new(&modulus::<Fr>(), 9, 4, &equations);
    let layout = Layout { range_bits: 9, foreign: vec![foreign], ..layout(12, &[]) };
    let number = prime - 12345u16;
    let circuit = |lie: Option<(usize, usize)>| {
        TestCircuit::new(layout.clone(), |ctx| {
            let element = element(ctx.chips.foreign(), &number);
            element.limbs().iter().for_each(|limb| assert_is(ctx, limb, *limb.value()));
            for time in 0..2 {
                for (half, cell) in halves(ctx, &element).iter().enumerate() {
                    let more = Fr::from(u64::from(lie == Some((time, half))));
                    assert_is(ctx, cell, *cell.value() + more);
                }
            }
        })
    };
    circuit(None).assert_satisfied();
    for lie in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let Walk { sums, copies } = circuit(Some(lie)).walk([]);
        assert!(sums > 2 && copies > 3, "{lie:?}: {sums} sums, {copies} copies");
    }
}
