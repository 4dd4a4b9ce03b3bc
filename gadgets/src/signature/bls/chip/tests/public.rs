//! Points that are public.

use super::{min_pk, min_sig, *};

/// A point of known logarithm may have signatures that nobody made: the point must be the public one.
#[test]
fn other_points_than_the_public_one_are_refused() {
    for curve in PairingCurve::ALL {
        let raw = min_pk::by_point(curve);
        assert_eq!(min_pk::of_point(curve, &raw, &raw.message), [true, true], "{curve}");
        let other = twist_point(curve, 4);
        assert_eq!(min_pk::of_point(curve, &raw, &other), [true, false], "{curve}");
        let raw = min_sig::by_point(curve);
        assert_eq!(min_sig::of_point(curve, &raw, &raw.message), [true, true], "{curve}");
        let other = point(curve, 4, false);
        assert_eq!(min_sig::of_point(curve, &raw, &other), [true, false], "{curve}");
    }
}

/// Asserts that a point is taken for the one with these words, and with none of them changed.
fn assert_bound(
    curve: PairingCurve,
    words: &[BigUint],
    take: impl Fn(&mut GateContext, &PairingEquations, &[AssignedValue<Fr>]),
) {
    let holds = |words: &[BigUint]| {
        let circuit = TestCircuit::new(room(curve, 14, vec![]), |ctx| {
            let public: Vec<_> = ctx.assign_witnesses(words.iter().map(biguint_to_fe));
            take(ctx, &PairingEquations::new(curve), &public);
        });
        circuit.is_satisfied()
    };
    assert!(holds(words), "{curve}");
    for i in 0..words.len() {
        let mut changed = words.to_vec();
        changed[i] ^= BigUint::from(1u8);
        assert!(!holds(&changed), "{curve}: word {i}");
    }
}

#[test]
fn each_word_is_bound() {
    for (curve, words_each) in [(PairingCurve::Bn254, 2), (PairingCurve::Bls12381, 3)] {
        let raw = point(curve, 3, false);
        let words = public_words(curve, &raw);
        assert_eq!(words.len(), 2 * words_each);
        assert_bound(curve, &words, |ctx, equations, public| {
            raw.public(ctx, equations, public);
        });
        let raw = twist_point(curve, 3);
        let words = public_words(curve, raw.as_flattened());
        assert_eq!(words.len(), 4 * words_each);
        assert_bound(curve, &words, |ctx, equations, public| {
            raw.public(ctx, equations, public);
        });
    }
}

/// A cell less than there are words.
#[test]
#[should_panic(expected = "a cell a word")]
fn there_is_a_cell_for_each_word() {
    let curve = PairingCurve::Bn254;
    let raw = point(curve, 3, false);
    let words = public_words(curve, &raw);
    assert_bound(curve, &words[1..], |ctx, equations, public| {
        raw.public(ctx, equations, public);
    });
}
