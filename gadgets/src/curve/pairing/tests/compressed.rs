//! Compressed points: their bytes, and coordinates that have none.

use ff::PrimeField;
use halo2curves::bls12_381::Fr as Scalar;
use num_traits::One;

use super::*;
use crate::{
    curve::pairing::compressed::{relate, Height},
    field::foreign::{integer::Integer, script::Script},
};
use muster_gates::vertical;
use muster_schemes::signature::bls::{
    Ciphersuite, MinPkPopBls12381, MinSigPopBls12381, PublicKey, SecretKey,
};

/// `x` of a point of the twist with `y = 3`, whose imaginary part is 0. It is not in the subgroup.
const REAL_HEIGHT: [&str; 2] = [
    "09f1477ff0430ca4808b4b98f3ce959fcb5be667df6ef1073e182a4f887fa0f0b7fdd6105d99e027bba24c6b4e932032",
    "0c2b2b8487f8e8d648e4f7905c0943b14474f62dd4726f98e902923c7fa2518eab1519d0cd9eef39aad762206d086ced",
];

/// The relations that double the parts of `y`, for points of so many numbers.
fn doubles(numbers: usize) -> &'static [usize] {
    if numbers == 2 {
        &[4]
    } else {
        &[8, 10]
    }
}

fn room(numbers: usize) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let equations = [AssignedCompressed::equations(numbers), vec![Integer::any()]].concat();
    let foreign = ForeignLayout::new(&native, 8, 6, &equations);
    Layout { edwards_lanes: 0, foreign: vec![foreign], ..layout(11, &[]) }
}

fn key<S: Ciphersuite<Scalar = Scalar>>(scalar: Scalar) -> PublicKey<S> {
    SecretKey::from_scalar(&scalar).expect("not zero").public_key()
}

fn numbers<S: Ciphersuite<Scalar = Scalar>>(scalar: Scalar) -> Vec<BigUint> {
    S::key_numbers(&S::key_coordinates(key::<S>(scalar).point())).to_vec()
}

/// The first multiple of the generator with such numbers.
fn multiple<S: Ciphersuite<Scalar = Scalar>>(is: impl Fn(&[BigUint]) -> bool) -> Vec<BigUint> {
    let mut all = (1..).map(|number| numbers::<S>(Scalar::from(number)));
    all.find(|numbers| is(numbers)).expect("there are many")
}

fn p() -> &'static BigUint {
    &PairingCurve::Bls12381.parameters().p
}

/// A point of so many numbers that stands before the one in question.
fn first(count: usize) -> Vec<BigUint> {
    if count == 2 {
        numbers::<MinPkPopBls12381>(Scalar::from(5))
    } else {
        numbers::<MinSigPopBls12381>(Scalar::from(5))
    }
}

/// Whether a point stands alone or behind another one: a circuit comes to each line a first and a second time.
const ALONE_OR_SECOND: [bool; 2] = [false, true];

/// What a circuit takes for the bytes of a point.
fn compressed(raw: &[BigUint], is_second: bool) -> (TestCircuit, Vec<u8>) {
    compared(raw, is_second, None)
}

/// The same, of which a half is compared with another number than it is.
fn compared(raw: &[BigUint], is_second: bool, other: Option<usize>) -> (TestCircuit, Vec<u8>) {
    let mut found = vec![];
    let circuit = TestCircuit::new(room(raw.len()), |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..6).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let of = |ctx: &mut GateContext, raw: &[BigUint]| {
            let raw: Vec<_> =
                raw.iter().map(|number| element(ctx.chips.foreign(), number)).collect();
            AssignedCompressed::of(ctx, &raw.iter().collect::<Vec<_>>())
        };
        if is_second {
            of(ctx, &first(raw.len()));
        }
        let bytes = of(ctx, raw);
        for (number, cell) in bytes.halves().iter().enumerate() {
            if other == Some(number) {
                let one_more = vertical::load_constant(ctx, *cell.value() + Fr::one());
                vertical::assert_equal(ctx, cell, &one_more);
            }
            let half = cell.value().to_repr();
            assert!(half[16..].iter().all(|byte| *byte == 0));
            found.extend(half[..16].iter().rev());
        }
    });
    (circuit, found)
}

/// As blst writes them, of both signs.
fn have_their_bytes<S: Ciphersuite<Scalar = Scalar>>() {
    let mut signs = vec![];
    for number in [1, 2, 3, 0xffff_ffff_ffff] {
        for scalar in [Scalar::from(number), -Scalar::from(number)] {
            let (circuit, bytes) = compressed(&numbers::<S>(scalar), false);
            circuit.assert_satisfied();
            assert_eq!(bytes, key::<S>(scalar).to_bytes());
            signs.push(bytes[0] >> 5);
        }
    }
    assert!(signs.contains(&0b100) && signs.contains(&0b101));
}

#[test]
fn points_have_their_bytes() {
    have_their_bytes::<MinPkPopBls12381>();
    have_their_bytes::<MinSigPopBls12381>();
}

/// A point with a real `y`, which is 3 or -3.
fn of_real_height(y: BigUint) -> [BigUint; 4] {
    let x = REAL_HEIGHT.map(|number| BigUint::parse_bytes(number.as_bytes(), 16).expect("hex"));
    let [x0, x1] = x;
    [x0, x1, y, BigUint::ZERO]
}

/// Of a `y` without an imaginary part the real one decides, as blst has it.
#[test]
fn the_real_part_decides_if_there_is_no_other() {
    for (y, sign) in [(BigUint::from(3u8), 0b100), (p() - 3u8, 0b101)] {
        let numbers = of_real_height(y);
        let (circuit, bytes) = compressed(&numbers, false);
        circuit.assert_satisfied();
        assert_eq!(bytes[0] >> 5, sign);
        let mut uncompressed = vec![];
        for number in [1, 0, 3, 2] {
            let bytes: &BigUint = &numbers[number];
            let bytes = bytes.to_bytes_be();
            uncompressed.extend([vec![0; 48 - bytes.len()], bytes].concat());
        }
        let point = blst::min_sig::PublicKey::deserialize(&uncompressed).expect("on the twist");
        assert_eq!(bytes, point.compress());
    }
}

/// Numbers that represent coordinates modulo the prime, but are not below it. The bytes of `x` would be others.
fn are_refused_above_the_prime<S: Ciphersuite<Scalar = Scalar>>(count: usize) {
    let room = (BigUint::one() << 381) - p();
    for number in 0..count {
        let mut raw = multiple::<S>(|raw| raw[number] < room);
        raw[number] += p();
        for is_second in ALONE_OR_SECOND {
            let refused = compressed(&raw, is_second).0.false_relations();
            assert_eq!(refused, Some(1), "{number}");
        }
    }
}

#[test]
fn coordinates_above_the_prime_are_refused() {
    are_refused_above_the_prime::<MinPkPopBls12381>(2);
    are_refused_above_the_prime::<MinSigPopBls12381>(4);
}

#[test]
fn points_off_the_curve_are_refused() {
    let own = numbers::<MinPkPopBls12381>(Scalar::from(7));
    let twist = numbers::<MinSigPopBls12381>(Scalar::from(7));
    for own in [own, twist] {
        // Both parts of an equation are another's.
        let refused = own.len() / 2;
        for number in 0..own.len() {
            let mut raw = own.clone();
            raw[number] += 1u8;
            for is_second in ALONE_OR_SECOND {
                let found = compressed(&raw, is_second).0.false_relations();
                assert_eq!(found, Some(refused), "{number}");
            }
        }
    }
}

/// The relations of a point, with false results.
fn related(
    raw: &[BigUint],
    is_second: bool,
    lies: &[(usize, BigUint)],
    look: impl Fn(&Script, &[Height]),
) -> TestCircuit {
    TestCircuit::new(room(raw.len()), |ctx| {
        (0..6).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let of = |raw: &[BigUint], lies: &[(usize, BigUint)]| {
            let raw: Vec<_> =
                raw.iter().map(|number| element(ctx.chips.foreign(), number)).collect();
            let mut script = Script::new(ctx.chips.foreign(), p()).lying(lies);
            let given: Vec<_> = raw.iter().map(|number| script.given(number)).collect();
            let heights = relate(&mut script, &given);
            (script, heights)
        };
        if is_second {
            of(&first(raw.len()), &[]);
        }
        let (script, heights) = of(raw, lies);
        look(&script, &heights);
    })
}

/// The double of a part of `y` with the prime left on it, by which the greater one would seem to be the lesser.
fn are_reduced<S: Ciphersuite<Scalar = Scalar>>() {
    let half = (p() - 1u8) >> 1u8;
    let short = BigUint::one() << 380;
    let count = numbers::<S>(Scalar::from(1)).len();
    for (part, relation) in doubles(count).iter().enumerate() {
        let at = count / 2 + part;
        let raw = multiple::<S>(|raw| raw[at] > half && raw[at] < short);
        let double = &raw[at] * 2u8;
        let cases = [(vec![], 0), (vec![(*relation, double)], 1)];
        for ((lies, refused), is_second) in
            cases.iter().flat_map(|case| ALONE_OR_SECOND.map(|is_second| (case, is_second)))
        {
            let circuit = related(&raw, is_second, lies, |script, heights| {
                let double = script.value(heights[part].double.var());
                assert_eq!(double.bit(0), lies.is_empty());
            });
            assert_eq!(circuit.false_relations(), Some(*refused), "{part}");
        }
    }
}

#[test]
fn a_double_that_is_not_reduced_is_refused() {
    are_reduced::<MinPkPopBls12381>();
    are_reduced::<MinSigPopBls12381>();
}

/// The prime for the double of an imaginary part that is 0: with a greater real part the sign would be 2, and in the place of another flag.
#[test]
fn the_prime_is_no_double() {
    let raw = of_real_height(p() - 3u8);
    let [_, imaginary] = doubles(4) else { panic!("two parts") };
    let cases = [(vec![], 0), (vec![(*imaginary, p().clone())], 1)];
    for ((lies, refused), is_second) in
        cases.iter().flat_map(|case| ALONE_OR_SECOND.map(|is_second| (case, is_second)))
    {
        let circuit = related(&raw, is_second, lies, |script, heights| {
            assert!(script.value(heights[0].double.var()).bit(0));
            assert_eq!(script.value(heights[1].double.var()).bit(0), !lies.is_empty());
        });
        assert_eq!(circuit.false_relations(), Some(*refused));
    }
}

/// Each cell of the vertical gate, among them the sign and the half of the double without it, and each relation.
#[test]
fn every_cell_of_the_bytes_is_bound() {
    let all = [
        numbers::<MinPkPopBls12381>(Scalar::from(3)),
        numbers::<MinSigPopBls12381>(Scalar::from(3)),
    ];
    for (own, is_second) in
        all.iter().flat_map(|own| ALONE_OR_SECOND.map(|is_second| (own, is_second)))
    {
        let (circuit, _) = compressed(own, is_second);
        circuit.assert_satisfied();
        circuit.assert_relations_are_bound("curve/pairing/compressed");
        let walk = circuit.walk_from_everywhere([]);
        assert!(walk.sums > 3 && walk.copies > 3, "{walk:?}");
        // The last sums of all, of which nothing follows unless the bytes are compared.
        for half in 0..own.len() / 2 * 3 {
            let walk = compared(own, is_second, Some(half)).0.walk([]);
            assert!(walk.sums > 0 && walk.copies > 0, "{walk:?}");
        }
    }
}
