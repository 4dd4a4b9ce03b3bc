//! Keys depend on the shape alone.

use std::sync::OnceLock;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, G1Affine},
    plonk::{keygen_vk_custom, VerifyingKey},
    poly::{commitment::Params, kzg::commitment::ParamsKZG},
    SerdeFormat,
};

use super::{
    forged::{members, Claim, MODES},
    *,
};

/// An SRS from a fixed seed, for as many rows as the pinned shapes have. Not for proofs.
pub(crate) fn params(degree: u32) -> ParamsKZG<Bn256> {
    if degree > 11 {
        return ParamsKZG::setup(degree, rng(1));
    }
    static PARAMS: OnceLock<ParamsKZG<Bn256>> = OnceLock::new();
    let mut params = PARAMS.get_or_init(|| ParamsKZG::setup(11, rng(1))).clone();
    params.downsize(degree);
    params
}

pub(crate) fn verifying_key(circuit: &ThresholdCircuit, degree: u32) -> VerifyingKey<G1Affine> {
    keygen_vk_custom(&params(degree), circuit, false).expect("the circuit fits its rows")
}

pub(super) fn assert_one_key(shape: &Shape, circuits: &[ThresholdCircuit]) {
    let keys = circuits.iter().map(|circuit| {
        let key = verifying_key(circuit, shape.degree());
        (key.to_bytes(SerdeFormat::RawBytes), format!("{:?}", key.pinned()))
    });
    let keys: Vec<_> = keys.collect();
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{:?}, {:?}", shape.scheme, shape.mode);
}

#[test]
fn the_witness_plays_no_part() {
    for scheme in Scheme::EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let shape = Shape::fit(&wanted).expect("the shape is legal");
            let mut circuits = vec![ThresholdCircuit::keygen(&shape)];
            // Other keys, signers, messages and thresholds, a slot that is not used, and a smaller set.
            let smaller = Request { capacity: 3, ..wanted.clone() };
            for (wanted, signers, seed) in [(&wanted, &[4][..], 2), (&smaller, &[1, 2], 3)] {
                let case = case(wanted, signers, seed);
                // The set is committed to by the tree of the shape that is asked for.
                let key_set_root = shape.tree(&case.committee).expect("it fits").root();
                let statement = Statement { key_set_root, ..case.statement };
                let Case { committee, signatures, .. } = case;
                let circuit = ThresholdCircuit::check(&shape, &statement, &committee, &signatures);
                circuits.push(circuit.expect("it fits the shape"));
            }
            // A witness that is no good.
            let mut bad = Claim::new(&shape, &members(5), &[2, 3]).inputs;
            bad.threshold = 0;
            bad.signatures[0].s = [0xff; 32];
            bad.slots[0].public_key.x = Fr::zero();
            bad.slots[0].weight = u64::MAX;
            circuits.push(ThresholdCircuit::fill(&shape, &bad, false));
            assert_one_key(&shape, &circuits);
        }
    }
}

#[test]
fn keys_of_two_shapes_differ() {
    let mut seen = vec![];
    for scheme in Scheme::EMBEDDED {
        for mode in MODES {
            // Five leaves of a node, and one more.
            let capacities = if scheme == Scheme::Schnorr { &[20, 21][..] } else { &[20] };
            for &capacity in capacities {
                let wanted = Request { degree: Some(11), ..request(scheme, capacity, 2, mode) };
                let shape = Shape::fit(&wanted).expect("the shape is legal");
                let key = verifying_key(&ThresholdCircuit::keygen(&shape), 11);
                let bytes = key.to_bytes(SerdeFormat::RawBytes);
                // In the path mode the capacity counts by the depth of the tree.
                let again = seen.contains(&bytes);
                assert!(!again, "{scheme}, {mode:?}, {capacity}");
                seen.push(bytes);
            }
        }
    }
}

/// The prover takes these places from the keys.
#[test]
fn the_vertical_gate_changes_columns_where_the_keys_have_it() {
    for scheme in Scheme::EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let case = case(&wanted, &[0, 3], 9);
            let keygen = ThresholdCircuit::keygen(&case.shape);
            verifying_key(&keygen, case.shape.degree());
            let placement = keygen.placement().expect("known once a key was made");
            let Case { shape, statement, committee, signatures } = &case;
            let check = ThresholdCircuit::check(shape, statement, committee, signatures)
                .expect("it fits the shape");
            verifying_key(&check, shape.degree());
            assert_eq!(check.placement().expect("known by now"), placement);
        }
    }
}
