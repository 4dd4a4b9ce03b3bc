use halo2curves::{bn256::Fr, ff::Field};
use proptest::{collection::vec, prelude::*};

use super::{backends, element};
use crate::Backend;

fn agree(coefficients: &[Fr], point: Fr) {
    let value = coefficients.iter().rev().fold(Fr::ZERO, |value, next| value * point + next);
    for backend in backends() {
        assert_eq!(backend.value_at(coefficients, point), value, "{backend:?}");
    }
    Backend::counted().value_at(coefficients, point);
}

proptest! {
    #[test]
    fn values_are_those_of_horner_s_rule(
        coefficients in vec(element(), 0..140),
        point in element(),
    ) {
        agree(&coefficients, point);
    }
}

#[test]
fn many_coefficients() {
    let coefficients: Vec<Fr> = (0..(1 << 12) + 5).map(|i| Fr::from(i).square()).collect();
    for point in [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(5).invert().expect("a unit")] {
        agree(&coefficients, point);
    }
}
