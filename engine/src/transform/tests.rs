use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use proptest::{collection::vec, prelude::*};

use super::{
    butterfly::{transform, Twiddles},
    Domain, DomainError,
};
use crate::{
    backend::Backend,
    lanes::{Counted, GREATEST},
    tests::{backends, element},
};

fn shifts() -> [Fr; 3] {
    [Fr::ONE, Fr::MULTIPLICATIVE_GENERATOR, -Fr::from(3).invert().expect("three is a unit")]
}

fn coset(backend: Backend, k: u32, shift: Fr) -> Domain {
    let domain = Domain::new(backend, k).expect("it is small");
    domain.coset(shift).expect("the shift is not zero")
}

fn value(coefficients: &[Fr], point: Fr) -> Fr {
    coefficients.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * point + coefficient)
}

/// All values against plain evaluation, and back.
fn check(backend: Backend, coefficients: &[Fr], shift: Fr) {
    let domain = coset(backend, coefficients.len().ilog2(), shift);
    let mut elements = coefficients.to_vec();
    domain.to_values(&mut elements);
    let mut point = shift;
    for element in &elements {
        assert_eq!(*element, value(coefficients, point), "{backend:?}, {domain:?}");
        point *= domain.root();
    }
    domain.to_coefficients(&mut elements);
    assert_eq!(elements, coefficients, "{backend:?}, {domain:?}");
}

#[test]
fn values_are_those_of_the_polynomial() {
    for backend in backends() {
        for k in 0..=10 {
            let coefficients: Vec<Fr> =
                (0..1 << k).map(|i| Fr::from(i + 5).square().square()).collect();
            shifts().iter().for_each(|shift| check(backend, &coefficients, *shift));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn edges_are_transformed(coefficients in (6u32..9).prop_flat_map(|k| vec(element(), 1 << k))) {
        for backend in backends() {
            shifts().iter().for_each(|shift| check(backend, &coefficients, *shift));
        }
    }
}

/// The greatest intermediate values come from elements that are all the greatest.
#[test]
fn the_greatest_elements() {
    let half = (-Fr::ONE) * Fr::TWO_INV;
    for backend in backends() {
        for element in [-Fr::ONE, half, -Fr::from(16).invert().expect("sixteen is a unit")] {
            check(backend, &[element; 1 << 9], Fr::ONE);
        }
    }
}

/// Sizes that are too large for plain evaluation, at some points; rows and columns exceed a block.
#[test]
fn large_transforms() {
    for backend in backends() {
        for k in [13, 16] {
            let coefficients: Vec<Fr> = (0..1u64 << k).map(|i| Fr::from(i + 3).square()).collect();
            for shift in shifts() {
                let domain = coset(backend, k, shift);
                let mut elements = coefficients.clone();
                domain.to_values(&mut elements);
                for i in [0, 1, 7, 8, 63, 64, 1000, (1 << k) - 1] {
                    let point = shift * domain.root().pow_vartime([i]);
                    assert_eq!(elements[i as usize], value(&coefficients, point));
                }
                domain.to_coefficients(&mut elements);
                assert!(elements == coefficients, "{backend:?}, {domain:?}");
            }
        }
    }
}

/// Several at once share a domain's tables and memory.
#[test]
fn threads_share_a_domain() {
    for backend in backends() {
        let domain = Domain::new(backend, 9).expect("it is small");
        std::thread::scope(|scope| {
            for first in 0..4 {
                let domain = &domain;
                scope.spawn(move || {
                    let coefficients: Vec<Fr> = (first..first + 512).map(Fr::from).collect();
                    for _ in 0..4 {
                        let mut elements = coefficients.clone();
                        domain.to_values(&mut elements);
                        assert_eq!(elements[1], value(&coefficients, domain.root()));
                    }
                });
            }
        });
    }
}

#[test]
fn the_root_is_the_library_s() {
    let domain = Domain::new(Backend::portable(), Fr::S - 20).expect("it is small");
    assert_eq!(domain.root(), Fr::ROOT_OF_UNITY.pow_vartime([1 << 20]));
    assert_eq!((domain.k(), domain.shift()), (8, Fr::ONE));
}

#[test]
fn a_coset_of_a_coset() {
    let shift = Fr::MULTIPLICATIVE_GENERATOR;
    let domain = coset(Backend::best(), 7, shift).coset(shift).expect("the shift is not zero");
    assert_eq!(domain.shift(), shift.square());
    let mut elements = vec![Fr::ZERO; 128];
    elements[1] = Fr::ONE;
    domain.to_values(&mut elements);
    assert_eq!(elements[0], shift.square());
}

#[test]
fn what_is_no_domain() {
    assert_eq!(Domain::new(Backend::best(), 29).err(), Some(DomainError::Size(29)));
    let domain = Domain::new(Backend::best(), 6).expect("it is small");
    assert_eq!(domain.coset(Fr::ZERO).err(), Some(DomainError::Shift));
}

#[test]
#[should_panic(expected = "a domain of 2^6 points")]
fn elements_are_as_many_as_points() {
    Domain::new(Backend::best(), 6).expect("it is small").to_values(&mut [Fr::ONE; 32]);
}

/// The bounds that the documentation of [`transform`] states, at the greatest length of a row or a column.
#[test]
fn bounds_of_the_longest_transform() {
    let twiddles = Twiddles::new(Counted, Fr::ROOT_OF_UNITY, 14);
    let mut column = vec![2; 1 << 14];
    transform(Counted, &mut column, &twiddles);
    let most = column.into_iter().fold(0, u32::max);
    assert_eq!(most, 32);
    // Then comes a product with a factor whose bound is 2, and the next step assumes 2.
    assert!(2 * most <= GREATEST);
}

/// All that happens around it; none of it depends on the size.
#[test]
fn bounds_of_all_steps() {
    for k in 6..14 {
        for shift in shifts() {
            let domain = coset(Backend::counted(), k, shift);
            let mut elements = vec![Fr::ONE; 1 << k];
            domain.to_values(&mut elements);
            domain.to_coefficients(&mut elements);
        }
    }
}
