//! False witnesses of a product: roots, scaling factors, and what is written down of it.

use num_traits::One;

use super::*;
use crate::curve::pairing::{program::Plan, witness::Witness};

/// Whether the circuit takes a witness for `pairs` that was changed.
fn takes(curve: PairingCurve, pairs: &[RawPair], change: impl FnOnce(&mut Witness)) -> bool {
    let circuit = TestCircuit::new(pairing_layout(curve, 14, 13, 10), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let arguments = Arguments::new(chips, &equations, pairs);
        let is_fixed: Vec<_> = pairs.iter().map(|pair| pair.is_fixed).collect();
        let plan = Plan::new(curve.parameters(), &is_fixed);
        let (mut witness, _) = Witness::regardless(curve, &plan, pairs);
        change(&mut witness);
        super::super::product::assert_claim(
            ctx,
            chips,
            &equations,
            &arguments.all(),
            &plan,
            &witness,
        );
    });
    circuit.is_satisfied()
}

#[test]
fn roots_and_products_are_bound() {
    for curve in PairingCurve::ALL {
        let pairs = product(curve, 2, 3);
        assert!(takes(curve, &pairs, |_| ()));
        assert!(!takes(curve, &pairs, |witness| witness.inverse[5] += 1u8));
        assert!(!takes(curve, &pairs, |witness| witness.scale[2] += 1u8));
        assert!(!takes(curve, &pairs, |witness| witness.products[0][11] += 1u8));
        let last = |witness: &mut Witness| {
            witness.products.last_mut().expect("it is written down")[0] += 1u8;
        };
        assert!(!takes(curve, &pairs, last));
    }
    let pairs = product(PairingCurve::Bn254, 2, 3);
    assert!(!takes(PairingCurve::Bn254, &pairs, |witness| witness.root[0] += 1u8));
}

/// Zeros satisfy every product but the one that is 1; and 1 for all of them makes a product of lines.
#[test]
fn roots_that_are_no_roots() {
    for curve in PairingCurve::ALL {
        let mut pairs = product(curve, 2, 3);
        pairs[1].q = twist_point(curve, 4);
        let zeros = |witness: &mut Witness| {
            let all = [&mut witness.root, &mut witness.inverse, &mut witness.scale];
            let all = all.into_iter().chain(&mut witness.products);
            all.for_each(|numbers| numbers.fill(BigUint::ZERO));
        };
        assert!(!takes(curve, &pairs, zeros));
        let ones = |witness: &mut Witness| {
            let all = [&mut witness.root, &mut witness.inverse, &mut witness.scale];
            let all = all.into_iter().chain(&mut witness.products);
            all.for_each(|numbers| {
                numbers.fill(BigUint::ZERO);
                numbers[0] = BigUint::one();
            });
        };
        assert!(!takes(curve, &pairs, ones));
    }
}
