//! Every relation of an encoding, rewritten with all that follows.

use super::{super::encoding::numbers, *};
use muster_gates::Forged;

const FILES: &str = "curve/edwards25519/";

/// The numbers of an encoding, without the words, whose pieces do not follow from them by sums: so many `times`, since what
/// code asks for the first time and the second may get lost one without the other.
fn read_numbers(
    range_bits: usize,
    raw: &RawEncoding,
    demands: Demands,
    times: usize,
) -> TestCircuit {
    TestCircuit::new(foreign(14, range_bits), |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let equations = Edwards25519Equations::new();
        for _ in 0..times {
            let root = equations.root(ctx.chips);
            numbers(ctx, (&equations, &root), raw, demands);
        }
        ctx.chips.foreign().enter_all();
    })
}

#[test]
fn encodings_are_bound() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    // With limbs of other lengths operands have other cells; by lookups of eight bits there are most of them.
    let all = all_demands().zip([10, 12, 13, 12, 10, 13]).map(|(demands, bits)| (demands, bits, 1));
    let kept = Demands { canonical: true, torsion: Torsion::Kept };
    for (demands, bits, times) in all.chain([(kept, 8, 1), (kept, 8, 2)]) {
        let bytes = random_point(&mut rng, 0).compress().to_bytes();
        let raw = RawEncoding::new(&bytes, demands).expect("a point");
        let test = read_numbers(bits, &raw, demands, times);
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// The root of -1 of points that are moved without need, so that no coordinate is 0.
#[test]
fn moved_encodings_are_bound() {
    let demands = Demands { canonical: false, torsion: Torsion::Moved };
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    for bits in [10, 12, 13] {
        let bytes = random_point(&mut rng, 0).compress().to_bytes();
        let mut raw = RawEncoding::new(&bytes, demands).expect("a point");
        raw.moved = true;
        raw.point = to_weierstrass(&raw.base()).expect("not the identity");
        let test = read_numbers(bits, &raw, demands, 1);
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Cells of the vertical gate: the words, and what they are made of.
#[test]
fn words_are_determined() {
    for (demands, bits) in all_demands().zip([8, 10, 12, 13, 16, 9]) {
        let bytes = random_point(&mut ChaCha20Rng::seed_from_u64(9), 0).compress().to_bytes();
        let raw = RawEncoding::new(&bytes, demands).expect("a point");
        let k = if bits == 16 { 17 } else { 14 };
        let test = read(foreign(k, bits), &raw, demands, |ctx, found| {
            found.halves(ctx);
        });
        assert_eq!(test.free_values(), [], "{demands:?}, lookups of {bits} bits");
    }
}

/// The number y of a point that may be moved is one of two, limb by limb: another is refused by the gate that
/// selects it. Nothing else is asked of a y that need not be canonical, but the words that are left out here.
#[test]
fn selected_limbs_are_bound() {
    let demands = Demands { canonical: false, torsion: Torsion::Moved };
    let bytes = random_point(&mut ChaCha20Rng::seed_from_u64(10), 0).compress().to_bytes();
    let raw = RawEncoding::new(&bytes, demands).expect("a point");
    let mut selected = vec![];
    let mut test = TestCircuit::new(foreign(14, 12), |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let equations = Edwards25519Equations::new();
        let root = equations.root(ctx.chips);
        let (_, [_, y]) = numbers(ctx, (&equations, &root), &raw, demands);
        selected = y.limbs().iter().map(|limb| *limb.value()).collect();
        ctx.chips.foreign().enter_all();
    });
    let vertical = test.advice().len() - 1;
    for value in selected {
        let cells = test.advice()[vertical].clone();
        // The limb is an input of its gate, too; its result is the last cell that holds it.
        let row = cells.iter().rposition(|cell| *cell == value).expect("it is there");
        let forged = Forged { column: vertical, row, value: value + Fr::one() };
        assert_eq!(test.failing(vec![forged]), ["1 column a + b * c = out"]);
    }
}

/// The sums that select, where the numbers to choose from stay: each cell, and each with its copies.
#[test]
fn selections_are_determined() {
    let demands = Demands { canonical: false, torsion: Torsion::Moved };
    let bytes = random_point(&mut ChaCha20Rng::seed_from_u64(12), 0).compress().to_bytes();
    let mut raw = RawEncoding::new(&bytes, demands).expect("a point");
    raw.moved = true;
    raw.point = to_weierstrass(&raw.base()).expect("not the identity");
    let test = read_numbers(12, &raw, demands, 1);
    test.assert_satisfied();
    let forger = test.forger();
    let vertical = test.advice().len() - 1;
    let is_limb = |row: &usize| {
        forger.bound_to((vertical, *row)).iter().any(|(column, _)| *column < vertical)
    };
    let limbs: Vec<_> = (0..test.gates().usage().vertical_cells).filter(is_limb).collect();
    let (cells, classes) = (test.open_values_given(limbs.clone()), test.open_classes_given(limbs));
    assert_eq!((cells, classes), ((vec![], 0), (vec![], 0)));
}

/// A point that is moved by -1, with all that follows: twice its coordinates less the others, which no point has, as far as
/// that is a number up to p. Only that the choice is a bit refuses it.
#[test]
fn a_choice_is_a_bit() {
    let demands = Demands { canonical: false, torsion: Torsion::Moved };
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let mut is_refused = |range_bits: usize| {
        let bytes = random_point(&mut rng, 0).compress().to_bytes();
        let mut raw = RawEncoding::new(&bytes, demands).expect("a point");
        raw.moved = true;
        raw.point = to_weierstrass(&raw.base()).expect("not the identity");
        let mut test = read_numbers(range_bits, &raw, demands, 1);
        let cells = test.advice();
        let (column, vertical) = cells.iter().enumerate().next_back().expect("there are columns");
        let is_bit = |cells: &[Fr]| cells == [Fr::zero(), Fr::one(), Fr::one(), Fr::one()];
        // The gate `0 + b·b = b`.
        let row = vertical.windows(4).position(is_bit).expect("a bit") + 1;
        let forged = test.followed((column, row), -Fr::one()).expect("it comes to an end");
        test.failing(forged) == ["1 column a + b * c = out"]
    };
    // With limbs of other lengths there are as many of them as tell the checks of one bit apart, or not.
    for range_bits in [10, 12, 13] {
        assert!((0..16).any(|_| is_refused(range_bits)), "{range_bits}");
    }
}
