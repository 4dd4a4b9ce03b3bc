//! What verifying keys are computed from, against the proving system's own.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
        group::Curve,
    },
    plonk::{self, permutation, permutation::VerifyingKey, ProvingKey},
    poly::{EvaluationDomain, Polynomial},
};
use muster_circuits::{Request, Scheme, Shape, ThresholdCircuit};
use muster_params::{import, Origin, Srs};

use super::{
    verifying::{commitments, domain},
    Keys, SrsReference, VerifierKey,
};
use crate::{
    prove,
    tests::{fixture, Fixture},
    Error, ProofKind, VerifyError, BAD_INPUT,
};

#[test]
fn wide_states_change_no_number_of_columns() {
    for arity in [2, 5, 16] {
        for scheme in [Scheme::Schnorr, Scheme::EcdsaSecp256k1] {
            let request = Request { arity, ..Request::new(scheme, 4, 2) };
            let layout = Shape::fit(&request).unwrap().layout;
            let constraints = ThresholdCircuit::constraints(&layout);
            let permuted = constraints.permutation().get_columns().len();
            assert_eq!(commitments(&layout), (constraints.num_fixed_columns(), permuted));
        }
    }
}

#[test]
fn the_domain_is_that_of_the_library() {
    for k in 4..=12 {
        let (ours, theirs) = (domain(k, 5), EvaluationDomain::<Fr>::new(5, k));
        let numbers = |d: &EvaluationDomain<Fr>| (d.n, d.k, d.extended_k, d.quotient_poly_degree);
        assert_eq!(numbers(&ours), numbers(&theirs));
        let elements = |d: &EvaluationDomain<Fr>| {
            let roots = [d.omega, d.omega_inv, d.extended_omega, d.extended_omega_inv];
            let cosets = [d.g_coset, d.g_coset_inv, d.ifft_divisor, d.extended_ifft_divisor];
            (roots, cosets, d.barycentric_weight, d.t_evaluations.clone())
        };
        assert_eq!(elements(&ours), elements(&theirs));
    }
}

/// Each commitment of a key is looked at: with any other point in its place it is no key of the circuit; nor is it under another SRS.
#[test]
fn a_verifying_key_is_held_to_its_circuit() {
    let Fixture { keys, srs, .. } = fixture();
    let honest = keys.verifier();
    assert!(honest.is_made_from(srs).unwrap());
    let vk = honest.vk();
    let (fixed, permuted) = (vk.fixed_commitments(), vk.permutation().commitments());
    let with = |place: usize| {
        let (mut fixed, mut permuted) = (fixed.clone(), permuted.clone());
        let point = match place.checked_sub(fixed.len()) {
            Some(place) => &mut permuted[place],
            None => &mut fixed[place],
        };
        *point = (*point + G1Affine::generator()).to_affine();
        let (k, degree) = (vk.get_domain().k(), vk.cs().degree());
        let permutation = VerifyingKey::from_commitments(permuted);
        let cs = vk.cs().clone();
        plonk::VerifyingKey::from_parts(domain(k, degree), fixed, permutation, cs, vec![], false)
    };
    for place in 0..fixed.len() + permuted.len() {
        let other = VerifierKey { vk: with(place), ..honest.clone() };
        assert!(!other.is_made_from(srs).unwrap(), "commitment {place}");
    }
    let other = Srs::insecure(srs.k()).unwrap();
    assert!(!honest.is_made_from(&other).unwrap(), "another SRS");
    // The SRS of the same numbers that says otherwise where it is from.
    let raw = raw_file(srs);
    let renamed = import::raw(raw.path(), None).unwrap();
    assert!(!honest.is_made_from(&renamed).unwrap());
    let told = import::raw_told(raw.path(), srs.origin().clone()).unwrap();
    assert!(honest.is_made_from(&told).unwrap());
    assert!(honest.is_made_from(&Srs::insecure(srs.k() + 1).unwrap()).is_err());
}

/// A part of a proving key that somebody changed.
#[derive(Clone, Copy, Debug)]
enum Part {
    Row(usize),
    FixedValues(usize),
    FixedCoefficients(usize),
    PermutedValues(usize),
    PermutedCoefficients(usize),
}

/// The same key with two numbers of one polynomial exchanged.
fn exchanged(pk: &ProvingKey<G1Affine>, part: Part) -> ProvingKey<G1Affine> {
    fn exchange<B>(polynomial: &mut Polynomial<Fr, B>) {
        let other = (1..polynomial.len()).find(|place| polynomial[*place] != polynomial[0]);
        match other {
            Some(other) => polynomial.swap(0, other),
            // Of a column whose cells are all the same.
            None => polynomial[0] += Fr::ONE,
        }
    }
    let mut rows = [pk.l0().clone(), pk.l_last().clone(), pk.l_active_row().clone()];
    let mut fixed = (pk.fixed_values().to_vec(), pk.fixed_polys().to_vec());
    let permuted = pk.permutation();
    let mut permuted = (permuted.permutations().to_vec(), permuted.polys().to_vec());
    match part {
        Part::Row(place) => exchange(&mut rows[place]),
        Part::FixedValues(place) => exchange(&mut fixed.0[place]),
        Part::FixedCoefficients(place) => exchange(&mut fixed.1[place]),
        Part::PermutedValues(place) => exchange(&mut permuted.0[place]),
        Part::PermutedCoefficients(place) => exchange(&mut permuted.1[place]),
    }
    let [first, last, active] = rows;
    let permuted = permutation::ProvingKey::from_parts(permuted.0, permuted.1);
    let vk = pk.get_vk().clone();
    ProvingKey::from_parts(vk, first, last, active, fixed.0, fixed.1, permuted)
}

/// Each polynomial of a proving key is looked at, and where cells are placed.
#[test]
fn a_proving_key_is_held_to_its_circuit() {
    let Fixture { keys, srs, .. } = fixture();
    assert!(keys.is_made_from(srs).unwrap());
    let (fixed, permuted) = (keys.pk.fixed_values().len(), keys.pk.permutation().polys().len());
    let parts = (0..3).map(Part::Row);
    let parts =
        parts.chain((0..fixed).flat_map(|i| [Part::FixedValues(i), Part::FixedCoefficients(i)]));
    let last = [Part::PermutedValues(permuted - 1), Part::PermutedCoefficients(permuted - 1)];
    for part in parts.chain([Part::PermutedValues(0), Part::PermutedCoefficients(0)]).chain(last) {
        let other = Keys { pk: exchanged(&keys.pk, part), ..keys.clone() };
        assert!(!other.is_made_from(srs).unwrap(), "{part:?}");
    }
    let mut moved = keys.clone();
    moved.placement.constants.push(Fr::ONE);
    assert!(!moved.is_made_from(srs).unwrap());
    assert!(!keys.is_made_from(&Srs::insecure(srs.k()).unwrap()).unwrap(), "another SRS");
    assert!(keys.is_made_from(&Srs::insecure(srs.k() + 1).unwrap()).is_err());
}

/// What keys claim of their SRS is held to it before anything is made with it, prepared keys included.
#[test]
fn keys_are_held_to_what_they_say_of_their_srs() {
    let Fixture { keys, srs, witness, .. } = fixture();
    let json = |srs: &Srs| serde_json::to_value(SrsReference::new(srs)).unwrap();
    let other = json(&Srs::insecure(srs.k()).unwrap());
    let raw = raw_file(srs);
    let ceremony = json(&import::raw(raw.path(), None).unwrap());
    for (name, source, fields) in
        [("insecure", &ceremony, &["insecure", "origin"][..]), ("tau_g2", &other, &["tau_g2"])]
    {
        let mut said = json(srs);
        fields.iter().for_each(|field| said[*field] = source[*field].clone());
        let mut keys = keys.clone();
        keys.verifier.srs = serde_json::from_value(said).unwrap();
        let refused = prove(srs, &keys, witness, ProofKind::Fast).unwrap_err();
        let is_named = matches!(refused, Error::FalseClaim { field, .. } if field == name);
        assert!(is_named && refused.exit_code() == BAD_INPUT, "{refused}");
        assert!(refused.to_string().contains(&format!("shape.json: srs.{name}")), "{refused}");
        assert!(matches!(keys.check_srs(srs), Err(Error::FalseClaim { .. })));
    }
    // From a file that does not say that it is insecure, and one that does.
    let renamed = import::raw(raw.path(), None).unwrap();
    assert!(matches!(keys.check_srs(&renamed), Err(Error::FalseClaim { field: "insecure", .. })));
    let told = import::raw_told(raw.path(), Origin::Insecure).unwrap();
    keys.check_srs(&told).unwrap();
}

/// A proof is verified by what verifiers load, whatever else the keys have.
#[test]
fn a_proof_is_verified_by_the_key_that_verifiers_load() {
    let Fixture { keys, srs, witness, .. } = fixture();
    let other = SrsReference::new(&Srs::insecure(srs.k()).unwrap());
    let params = other.verifier_params(srs.k());
    let keys = Keys { verifier: VerifierKey { params, ..keys.verifier() }, ..keys.clone() };
    let refused = prove(srs, &keys, witness, ProofKind::Fast).unwrap_err();
    assert!(matches!(refused, Error::Unproven(VerifyError::Invalid)), "{refused}");
}

fn raw_file(srs: &Srs) -> tempfile::NamedTempFile {
    let mut raw = tempfile::NamedTempFile::new().unwrap();
    srs.write_raw(&mut raw).unwrap();
    raw
}
