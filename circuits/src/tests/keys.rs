//! Keys depend on the shape alone.
//!
//! What tells keys of one shape apart is what the circuit writes: fixed columns, selectors and copies.
//! They are compared themselves, which is exact and takes none of the time of their commitments.

use super::{
    forged::{members, Claim, MODES},
    material::Material,
    *,
};

/// What a circuit commits to in its verifying key.
pub(super) fn key_material(circuit: &GateCircuit, shape: &Shape) -> Material {
    Material::of(circuit, shape.degree())
}

pub(super) fn assert_one_key(shape: &Shape, circuits: &[GateCircuit]) {
    let keys: Vec<_> = circuits.iter().map(|circuit| key_material(circuit, shape)).collect();
    let one = keys.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(one, "{:?}, {:?}", shape.scheme, shape.mode);
}

#[test]
fn the_witness_plays_no_part() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let shape = fit(&wanted);
            let mut circuits = vec![shape.keygen_circuit()];
            // Other keys, signers, messages and thresholds, a slot that is not used, and a smaller set.
            let smaller = Request { capacity: 3, ..wanted.clone() };
            for (wanted, signers, seed) in [(&wanted, &[4][..], 2), (&smaller, &[1, 2], 3)] {
                let case = case(wanted, signers, seed);
                // The set is committed to by the tree of the shape that is asked for.
                let key_set_root = shape.tree(&case.committee).expect("it fits").root();
                let statement = Statement { key_set_root, ..case.statement };
                let case = Case { shape: shape.clone(), statement, ..case };
                circuits.push(case.circuit().expect("it fits the shape"));
            }
            // A witness that is no good.
            let mut bad = Claim::new(&shape, &members(5), &[2, 3]).inputs;
            bad.threshold = 0;
            bad.signatures[0].s = [0xff; 32];
            bad.slots[0].public_key.x = Fr::zero();
            bad.slots[0].weight = u64::MAX;
            circuits.push(fill(&shape, &bad));
            assert_one_key(&shape, &circuits);
        }
    }
}

#[test]
fn keys_of_two_shapes_differ() {
    let mut seen = vec![];
    for scheme in EMBEDDED {
        for mode in MODES {
            // Five leaves of a node, and one more.
            let capacities = if scheme == Scheme::Schnorr { &[20, 21][..] } else { &[20] };
            for &capacity in capacities {
                let wanted = Request { degree: Some(11), ..request(scheme, capacity, 2, mode) };
                let shape = fit(&wanted);
                let key = key_material(&shape.keygen_circuit(), &shape);
                // In the path mode the capacity counts by the depth of the tree.
                let again = seen.contains(&key);
                assert!(!again, "{scheme}, {mode:?}, {capacity}");
                seen.push(key);
            }
        }
    }
}

/// The prover takes these places from the keys.
#[test]
fn the_vertical_gate_changes_columns_where_the_keys_have_it() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let case = case(&wanted, &[0, 3], 9);
            let keygen = case.shape.keygen_circuit();
            key_material(&keygen, &case.shape);
            let placement = keygen.gates.placement().expect("known once a key was made");
            let check = case.circuit().expect("it fits the shape");
            key_material(&check, &case.shape);
            assert_eq!(check.gates.placement().expect("known by now"), placement);
        }
    }
}
