//! What verifying keys are computed from, against the proving system's own.

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, poly::EvaluationDomain};
use muster_circuits::{Request, Scheme, Shape, ThresholdCircuit};

use super::verifying::{commitments, domain};

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
