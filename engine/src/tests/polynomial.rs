use halo2curves::{
    bn256::{Fq, Fr},
    ff::Field as _,
};
use proptest::{collection::vec, prelude::*};

use super::{backends, element};
use crate::{Backend, Field};

fn agree<F: Field>(coefficients: &[F], point: F) {
    let value = coefficients.iter().rev().fold(F::ZERO, |value, next| value * point + next);
    for backend in backends() {
        assert_eq!(backend.value_at(coefficients, point), value, "{backend:?}");
    }
    Backend::counted().value_at(coefficients, point);
}

proptest! {
    #[test]
    fn values_are_those_of_horner_s_rule(
        scalars in vec(element::<Fr>(), 0..140),
        coordinates in vec(element::<Fq>(), 0..70),
        point in element(),
        other in element(),
    ) {
        agree(&scalars, point);
        agree(&coordinates, other);
    }
}

#[test]
fn many_coefficients() {
    let coefficients: Vec<Fr> = (0..(1 << 12) + 5).map(|i| Fr::from(i).square()).collect();
    for point in [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(5).invert().expect("a unit")] {
        agree(&coefficients, point);
    }
}
